//! The key `example_call(location = "Paris", units = Units::Celsius)`: the arguments of a whole call.

use proc_macro2::Ident;
use syn::Expr;
use syn::parse::ParseStream;

use super::list;
use super::value::{Expected, ungrouped};
use crate::errors::{Errors, nearest};
use crate::model::Tool;
use crate::param::Param;

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

    /// Returns each argument with its parameter and the index of the parameter. Skips unknown names, which `check` reports.
    pub(crate) fn params<'t>(&'t self, tool: &'t Tool) -> impl Iterator<Item = (usize, &'t Param, &'t Expr)> {
        self.arguments.iter().filter_map(|(ident, value)| {
            let (index, param) = tool.params.iter().enumerate().find(|(_, param)| param.ident == *ident)?;
            Some((index, param, value))
        })
    }
}

/// Checks that each name is a parameter that clients send, and that the tool has no schema of the author's own.
pub(crate) fn check(tool: &Tool, errors: &mut Errors) {
    let known: Vec<_> =
        tool.params.iter().filter(|param| param.keys.role().is_sent()).map(|param| param.ident.to_string()).collect();
    let known = known.join(" ");
    for call in &tool.keys.example_calls {
        if let Some(given) = &tool.keys.input_schema {
            let message = format!("`{}` has no effect beside `{}`, which is published untouched", call.key, given.key);
            errors.report(&call.key, message, "write the example into that schema, under `examples`");
            continue;
        }
        for (ident, _) in &call.arguments {
            match tool.params.iter().find(|param| param.ident == *ident) {
                Some(param) if param.keys.role().is_sent() => {}
                Some(_) => {
                    let message = format!("`{ident}` is not an argument: no client sends it");
                    errors.report(ident, message, format!("remove `{ident}` from the example"));
                }
                None => {
                    let help = match nearest(&ident.to_string(), &known).filter(|_| !known.is_empty()) {
                        Some(near) => format!("write `{near}`"),
                        None if known.is_empty() => "write `example_call()`: the tool has no arguments".to_owned(),
                        None => format!("the arguments are {}", list::quoted(&known)),
                    };
                    errors.report(ident, format!("tool `{}` has no parameter `{ident}`", tool.name), help);
                }
            }
        }
    }
}
