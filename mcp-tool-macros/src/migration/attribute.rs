//! Attributes of rmcp, and their keys.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{AngleBracketedGenericArguments, Attribute, Expr, ExprLit, GenericArgument, Lit, LitBool, Meta, Token, Type};

use super::is_of_rmcp;
use crate::errors::Errors;
use crate::foreign::metas;
use crate::types::written;

/// Returns `true` for the attribute of rmcp with this name. `#[other::tool]` belongs to a third library, which may have its reasons.
pub(crate) fn is_foreign(attr: &Attribute, name: &str) -> bool {
    let path = attr.path();
    (path.segments.len() == 1 || is_of_rmcp(path)) && path.segments.last().is_some_and(|last| last.ident == name)
}

/// Returns `true` for an attribute of a parameter that only other libraries read.
pub(crate) fn is_on_parameter(attr: &Attribute) -> bool {
    is_foreign(attr, "tool") || attr.path().is_ident("description")
}

/// Returns `#[mcp_tool(…)]` with the keys of a `#[tool(…)]`.
pub(crate) fn tool_line(attr: &Attribute) -> String {
    let keys = match &attr.meta {
        Meta::List(list) => written_keys(list.tokens.clone()),
        _ => String::new(),
    };
    if keys.is_empty() { "#[mcp_tool]".to_owned() } else { format!("#[mcp_tool({keys})]") }
}

/// Returns the keys of `#[mcp_tool]` that mean the same as the keys of a `#[tool]` or of its `annotations`. Those without a counterpart are
/// left out.
pub(crate) fn written_keys(keys: TokenStream) -> String {
    let metas = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(keys).unwrap_or_default();
    metas.iter().filter_map(written_key).collect::<Vec<_>>().join(", ")
}

fn written_key(meta: &Meta) -> Option<String> {
    let key = meta.path().get_ident()?.to_string();
    match (key.as_str(), meta) {
        ("name" | "title" | "description", Meta::NameValue(given)) => {
            Some(format!("{key} = {}", given.value.to_token_stream()))
        }
        ("read_only_hint" | "destructive_hint" | "idempotent_hint" | "open_world_hint", Meta::NameValue(given)) => {
            match &given.value {
                Expr::Lit(ExprLit { lit: Lit::Bool(LitBool { value: true, .. }), .. }) => Some(key),
                value => Some(format!("{key} = {}", value.to_token_stream())),
            }
        }
        ("read_only_hint" | "destructive_hint" | "idempotent_hint" | "open_world_hint", Meta::Path(_)) => Some(key),
        ("annotations", Meta::List(list)) => Some(written_keys(list.tokens.clone())).filter(|keys| !keys.is_empty()),
        ("output_schema", Meta::NameValue(given)) => {
            Some(format!("output = {}", written(schema_of_type(&given.value)?)))
        }
        ("icons", Meta::NameValue(_)) => Some("icon(src = \"…\")".to_owned()),
        ("meta", Meta::NameValue(_)) => Some("meta(\"com.example/key\" = …)".to_owned()),
        _ => None,
    }
}

/// Returns `T` of a call that generates the schema of a type: `schema_for_output::<T>().unwrap()`, `schema_for!(T)`.
pub(crate) fn schema_of_type(expr: &Expr) -> Option<Type> {
    struct Search(Option<Type>);

    impl VisitMut for Search {
        fn visit_angle_bracketed_generic_arguments_mut(&mut self, arguments: &mut AngleBracketedGenericArguments) {
            let first = arguments.args.iter().find_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty.clone()),
                _ => None,
            });
            self.0 = self.0.take().or(first);
        }

        fn visit_expr_mut(&mut self, expr: &mut Expr) {
            if let Expr::Macro(call) = expr
                && call.mac.path.segments.last().is_some_and(|last| last.ident == "schema_for")
            {
                self.0 = self.0.take().or_else(|| syn::parse2(call.mac.tokens.clone()).ok());
            }
            visit_mut::visit_expr_mut(self, expr);
        }
    }

    if matches!(expr, Expr::Path(_)) {
        // The function itself, which may be the author's.
        return None;
    }
    let mut search = Search(None);
    search.visit_expr_mut(&mut expr.clone());
    search.0
}

/// Reports and removes attributes of rmcp on an impl block with `#[mcp_tools]`. They may stay while the block has methods with `#[tool]`.
pub(crate) fn report_on_block(attrs: &mut Vec<Attribute>, has_foreign_tools: bool, errors: &mut Errors) {
    attrs.retain(|attr| {
        let help = if is_foreign(attr, "tool_router") && !has_foreign_tools {
            "remove it: `.service(object)` of the builder takes the place of the router"
        } else if is_foreign(attr, "tool") {
            "remove it: `#[mcp_tools]` takes its place"
        } else {
            return true;
        };
        let message = format!("`#[{}]` finds no tools in this impl block", written(attr.path()));
        errors.report(attr.path(), message, help);
        false
    });
}

/// Returns `true` if an attribute's list has the key.
pub(super) fn has_key(attr: &Attribute, key: &str) -> bool {
    metas(attr).iter().any(|meta| meta.path().is_ident(key))
        || matches!(&attr.meta, Meta::List(list) if list.tokens.clone().into_iter().any(
            |token| matches!(token, TokenTree::Ident(word) if word == key)))
}
