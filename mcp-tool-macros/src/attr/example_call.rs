//! The key `example_call(location = "Paris", units = Units::Celsius)`: the arguments of a whole call.

use proc_macro2::Ident;
use syn::Expr;
use syn::parse::ParseStream;

use super::list;
use super::value::{Expected, ungrouped};
use crate::errors::Errors;

pub(crate) struct ExampleCall {
    pub(crate) key: Ident,
    /// The name and the value of each argument.
    pub(crate) arguments: Vec<(Ident, Expr)>,
}

impl ExampleCall {
    pub(super) fn parse(key: &Ident, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Self> {
        let content = list::parenthesised(key, input, "parameter = value")?;
        let mut arguments: Vec<(Ident, Expr)> = Vec::new();
        list::parse(&content, errors, |input, ident, errors| {
            let expected = Expected { key: &ident, what: "an expression of the parameter's type", example: "…" };
            let value = ungrouped(expected.parse(input)?);
            if arguments.iter().any(|(other, _)| *other == ident) {
                errors.report(&ident, format!("`{ident}` is given twice"), "remove one of them");
            }
            arguments.push((ident, value));
            Ok(())
        })?;
        Ok(Self { key: key.clone(), arguments })
    }
}
