//! A tool: what everything in the source is, said once.

use proc_macro2::{Ident, TokenStream};
use syn::{FnArg, Path, ReturnType, Type};

use crate::attr::{self, Keys};
use crate::docs::{self, Text};
use crate::errors::Errors;
use crate::param::{self, Param};
use crate::parse::Function;
use crate::paths;

pub(crate) struct Tool {
    pub(crate) function: Function,
    pub(crate) keys: Keys,
    pub(crate) name: String,
    pub(crate) description: Option<Text>,
    pub(crate) handler: Ident,
    pub(crate) krate: Path,
    pub(crate) params: Vec<Param>,
    /// The return type as it is written but for lifetimes, `None` for `()`.
    pub(crate) returns: Option<Type>,
}

impl Tool {
    pub(crate) fn new(attribute: TokenStream, function: Function, errors: &mut Errors) -> Self {
        let keys = attr::parse(attribute, errors);
        let ident = &function.sig.ident;
        let given = keys.name.as_ref().map(|given| given.value.value());
        let name = given.unwrap_or_else(|| param::plain_name(ident));
        let handler = keys.handler.as_ref().map_or(ident, |given| &given.value).clone();
        let krate = keys.krate.as_ref().map_or_else(paths::default_crate, |given| given.value.clone());
        let description = match &keys.description {
            Some(given) => Some(given.value.clone()),
            None => docs::description(&function.attrs),
        };
        let arguments = function.sig.inputs.iter().filter(|input| matches!(input, FnArg::Typed(_)));
        let params = arguments.filter_map(|input| param::parse(input, errors)).collect();
        let returns = match &function.sig.output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => Some(paths::with_lifetime(ty, "'static")),
        };
        Self { function, keys, name, description, handler, krate, params, returns }
    }
}
