//! `#[mcp_tool(…)]` on a parameter: what it is, and what is published of it.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::{Attribute, Expr, LitStr, Meta};

use crate::errors::Errors;
use crate::keys::{self, Given};
use crate::value::{Takes, flag, string, ungrouped};

const KEYS: [&str; 7] = ["default", "example", "header", "arguments", "context", "state", "extension"];

/// What a parameter stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// A property of the arguments.
    Argument,
    /// The whole of the arguments.
    Arguments,
    /// The call's context.
    Context,
    /// A value registered with the builder.
    State,
    /// A value attached to the request.
    Extension,
}

/// What the attributes of a parameter say.
pub(crate) struct Marks {
    pub(crate) role: Role,
    pub(crate) default: Option<Given<Expr>>,
    pub(crate) examples: Vec<Expr>,
    pub(crate) header: Option<Given<LitStr>>,
}

/// The keys as they were given, before it is clear that they fit together.
#[derive(Default)]
struct Found {
    roles: [Option<Given<bool>>; 4],
    default: Option<Given<Expr>>,
    example_key: Option<Ident>,
    examples: Vec<Expr>,
    header: Option<Given<LitStr>>,
}

impl Marks {
    pub(crate) fn parse(attrs: &[Attribute], errors: &mut Errors) -> Self {
        const ALONE: &str = "`#[mcp_tool]` on a parameter says nothing by itself\nhelp: write `#[mcp_tool(arguments)]`";
        let mut found = Found::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("mcp_tool")) {
            if !matches!(&attr.meta, Meta::List(list) if !list.tokens.is_empty()) {
                errors.push(attr, ALONE);
                continue;
            }
            let read = attr.parse_args_with(|input: ParseStream<'_>| {
                keys::read(input, errors, |input, ident, errors| key(input, ident, &mut found, errors))
            });
            if let Err(error) = read {
                errors.syn(error);
            }
        }
        found.check(errors)
    }

    /// Whether it is the whole of the arguments.
    pub(crate) fn whole(&self) -> bool {
        self.role == Role::Arguments
    }

    /// Whether it is a property, or all of them, and not a part of the call that no client sends.
    pub(crate) fn is_sent(&self) -> bool {
        matches!(self.role, Role::Argument | Role::Arguments)
    }
}

fn key(input: ParseStream<'_>, key: Ident, found: &mut Found, errors: &mut Errors) -> syn::Result<()> {
    let name = key.to_string();
    let copy = key.clone();
    let [arguments, context, state, extension] = &mut found.roles;
    let slot = match name.as_str() {
        "arguments" => arguments,
        "context" => context,
        "state" => state,
        "extension" => extension,
        "default" => {
            let takes = Takes { key: &copy, what: "an expression of the parameter's type", example: "10" };
            keys::set(&mut found.default, key, ungrouped(takes.value(input)?), errors);
            return Ok(());
        }
        "example" => {
            let takes = Takes { key: &copy, what: "an expression of the parameter's type", example: "\"…\"" };
            found.examples.push(ungrouped(takes.value(input)?));
            found.example_key = Some(key);
            return Ok(());
        }
        "header" => {
            let takes = Takes { key: &copy, what: "the name of a header", example: "\"Region\"" };
            keys::set(&mut found.header, key, string(input, &takes)?, errors);
            return Ok(());
        }
        "description" => {
            let message = "`description` is not a key of a parameter\nhelp: write a doc comment above it: `/// …`";
            return Err(syn::Error::new(key.span(), message));
        }
        "name" | "rename" => {
            let message = format!("`{key}` is not a key of a parameter\nhelp: write `#[serde(rename = \"…\")]`");
            return Err(syn::Error::new(key.span(), message));
        }
        _ => return Err(keys::unknown(&key, &KEYS, "`#[mcp_tool]` on a parameter")),
    };
    let value = flag(input, &copy)?;
    keys::set(slot, key, value, errors);
    Ok(())
}

impl Found {
    fn check(self, errors: &mut Errors) -> Marks {
        const ROLES: [Role; 4] = [Role::Arguments, Role::Context, Role::State, Role::Extension];
        let set = |given: &&Given<bool>| given.value;
        let mut roles =
            self.roles.iter().zip(ROLES).filter_map(|(given, role)| Some((given.as_ref().filter(set)?, role)));
        let (first, second) = (roles.next(), roles.next());
        if let (Some((first, _)), Some((second, _))) = (first, second) {
            let help = format!("remove `{}` or `{}`", first.key, second.key);
            errors.help(&second.key, format!("a parameter cannot be both `{}` and `{}`", first.key, second.key), help);
        }
        let role = first.map_or(Role::Argument, |(_, role)| role);
        let of_a_property = [
            self.default.as_ref().map(|given| &given.key),
            self.example_key.as_ref(),
            self.header.as_ref().map(|given| &given.key),
        ];
        if let Some((given, _)) = first {
            for key in of_a_property.into_iter().flatten() {
                let message = if role == Role::Arguments {
                    format!("`{key}` is for one argument, and `{}` makes this parameter all of them", given.key)
                } else {
                    format!("`{key}` is for an argument, and `{}` makes this parameter none", given.key)
                };
                errors.help(key, message, format!("remove `{key}`"));
            }
        }
        if let Some(header) = &self.header {
            header_name(&header.value, errors);
        }
        Marks { role, default: self.default, examples: self.examples, header: self.header }
    }
}

/// Rule T14: a header's name is a token.
fn header_name(name: &LitStr, errors: &mut Errors) {
    let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    let text = name.value();
    let problem = match text.chars().find(|c| !token(*c)) {
        Some(c) => format!("the name of a header cannot have the character {c:?}"),
        None if text.is_empty() => "the name of the header is empty".to_owned(),
        None => return,
    };
    errors.help(name.to_token_stream(), problem, "write letters, digits and hyphens, such as `\"Region\"`");
}
