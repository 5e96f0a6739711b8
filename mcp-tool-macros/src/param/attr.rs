//! The keys of `#[mcp_tool(…)]` on a parameter.

use proc_macro2::Ident;
use syn::parse::ParseStream;
use syn::{Attribute, Expr, LitStr, Meta};

use super::question::Question;
use crate::attr::list::{self, KeyValue, PARAMETER_KEYS, is_set, set};
use crate::attr::value::{Expected, flag, ungrouped};
use crate::errors::{self, Errors};
use crate::role::Role;

/// The keys of a parameter.
#[derive(Default)]
pub(crate) struct ParamKeys {
    /// The flags that set a role, in the order of [`ROLES`]. The key `ask` sets one too.
    role_flags: [Option<KeyValue<bool>>; 4],
    pub(crate) default: Option<KeyValue<Expr>>,
    pub(crate) examples: Vec<KeyValue<Expr>>,
    pub(crate) header: Option<KeyValue<LitStr>>,
    /// The question. The inner `Option` is `None` if the value of the key is wrong.
    pub(crate) ask: Option<KeyValue<Option<Question>>>,
    pub(crate) sealed: Option<KeyValue<bool>>,
    pub(crate) title: Option<KeyValue<LitStr>>,
}

const ROLES: [Role; 4] = [Role::AllArguments, Role::Context, Role::State, Role::Extension];

impl ParamKeys {
    pub(crate) fn parse(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut keys = Self::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("mcp_tool")) {
            if !matches!(&attr.meta, Meta::List(list) if !list.tokens.is_empty()) {
                errors.report(
                    attr,
                    "`#[mcp_tool]` on a parameter needs a key",
                    "write a key, as in `#[mcp_tool(default = …)]`, or remove it",
                );
                continue;
            }
            let parsed = attr.parse_args_with(|input: ParseStream<'_>| {
                list::parse(input, errors, |input, key, errors| parse_value(input, key, &mut keys, errors))
            });
            if let Err(error) = parsed {
                errors.push(error);
            }
        }
        keys.check(errors);
        keys
    }

    pub(crate) fn role(&self) -> Role {
        self.given_roles().next().map_or(Role::Argument, |(_, role)| role)
    }

    /// Returns the roles that the keys set, each with its key. There is at most one, or [`check`](Self::check) reports it.
    fn given_roles(&self) -> impl Iterator<Item = (&Ident, Role)> {
        let given = self.role_flags.iter().zip(ROLES).filter(|(flag, _)| is_set(flag.as_ref()));
        let asked = self.ask.iter().map(|given| (&given.key, Role::Asked));
        given.filter_map(|(flag, role)| Some((&flag.as_ref()?.key, role))).chain(asked)
    }

    /// Checks the keys against each other.
    fn check(&self, errors: &mut Errors) {
        let mut roles = self.given_roles();
        let (first, second) = (roles.next(), roles.next());
        if let (Some((first, _)), Some((second, _))) = (first, second) {
            let help = format!("remove `{first}` or `{second}`");
            errors.report(second, format!("a parameter cannot be both `{first}` and `{second}`"), help);
        }
        let keys_of_arguments = [
            self.default.as_ref().map(|given| &given.key),
            self.examples.last().map(|given| &given.key),
            self.header.as_ref().map(|given| &given.key),
        ];
        if let Some((flag, role)) = first {
            for key in keys_of_arguments.into_iter().flatten() {
                let message = if role == Role::AllArguments {
                    format!("`{key}` is for a single argument, and a parameter with `{flag}` holds all of them")
                } else {
                    format!("`{key}` is for an argument, and a parameter with `{flag}` is not one")
                };
                errors.report(key, message, format!("remove `{key}`"));
            }
        }
        let keys_of_questions =
            [self.sealed.as_ref().map(|given| &given.key), self.title.as_ref().map(|given| &given.key)];
        for key in keys_of_questions.into_iter().flatten().filter(|_| self.ask.is_none()) {
            let help = format!("write the question too: `ask = \"…\"`, or remove `{key}`");
            errors.report(key, format!("`{key}` is for a question, and this parameter has none"), help);
        }
        if let Some(title) = self.title.as_ref().filter(|title| title.value.value().trim().is_empty()) {
            errors.report(&title.value, "the title is empty", "write what the user agrees to, or remove `title`");
        }
        if let Some(header) = &self.header {
            check_header_name(&header.value, errors);
        }
    }
}

fn parse_value(input: ParseStream<'_>, key: Ident, keys: &mut ParamKeys, errors: &mut Errors) -> syn::Result<()> {
    let name = key.to_string();
    let key_copy = key.clone();
    let expected = |what, example| Expected { key: &key_copy, what, example };
    let [arguments, context, state, extension] = &mut keys.role_flags;
    let of_type = "an expression of the parameter's type";
    match name.as_str() {
        "arguments" => set(arguments, key, flag(input, &key_copy)?, errors),
        "context" => set(context, key, flag(input, &key_copy)?, errors),
        "state" => set(state, key, flag(input, &key_copy)?, errors),
        "extension" => set(extension, key, flag(input, &key_copy)?, errors),
        "default" => set(&mut keys.default, key, ungrouped(expected(of_type, "10").parse(input)?), errors),
        "example" => {
            let value = ungrouped(expected(of_type, "\"…\"").parse(input)?);
            keys.examples.push(KeyValue { key, value });
        }
        "header" => {
            let header = expected("the name of a header", "\"Region\"");
            set(&mut keys.header, key, header.parse_string(input)?, errors);
        }
        "ask" => {
            // The key counts even if its value is wrong: the parameter is not an argument.
            let question = Question::parse(input, &key, errors);
            let (value, error) = question.map_or_else(|error| (None, Some(error)), |question| (question, None));
            set(&mut keys.ask, key, value, errors);
            return error.map_or(Ok(()), Err);
        }
        "sealed" => set(&mut keys.sealed, key, flag(input, &key_copy)?, errors),
        "title" => {
            let title = expected("a title", "\"Yes, delete it\"");
            set(&mut keys.title, key, title.parse_string(input)?, errors);
        }
        "description" | "name" | "rename" => {
            let help = if name == "description" {
                "write a doc comment above it: `/// …`"
            } else {
                "write `#[serde(rename = \"…\")]`"
            };
            return Err(errors::error(key.span(), format!("`{key}` is not a key of a parameter"), help));
        }
        _ => return Err(list::unknown_key(&key, PARAMETER_KEYS, "`#[mcp_tool]` on a parameter")),
    }
    Ok(())
}

/// Checks that the name of a header is an HTTP token (rule T14).
fn check_header_name(name: &LitStr, errors: &mut Errors) {
    let is_token_char = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    let text = name.value();
    let message = match text.chars().find(|c| !is_token_char(*c)) {
        Some(c) => format!("the name of a header cannot have the character {c:?}"),
        None if text.is_empty() => "the name of the header is empty".to_owned(),
        None => return,
    };
    errors.report(name, message, "write letters, digits and hyphens, such as `\"Region\"`");
}
