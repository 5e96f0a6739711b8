//! The role of a parameter: where its value comes from.

use proc_macro2::Ident;
use syn::{Attribute, LitStr};

use super::keys::ParamKeys;
use super::{Given as _, Keys as _};
use crate::errors::Errors;

/// Where the value of a parameter comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// One property of the arguments object.
    Argument,
    /// The whole arguments object.
    AllArguments,
    /// The context of the call.
    Context,
    /// A value registered with the builder.
    State,
    /// A value attached to the request.
    Extension,
    /// The user's answer to a question.
    Asked,
}

impl Role {
    /// Returns `true` if clients send the value in the arguments of the call.
    pub(crate) fn is_sent(self) -> bool {
        matches!(self, Self::Argument | Self::AllArguments)
    }

    /// Returns `true` if the value is read from JSON. Such a value has a schema, and can be passed by reference.
    pub(crate) fn is_read(self) -> bool {
        self.is_sent() || self == Self::Asked
    }
}

impl ParamKeys {
    /// Parses each `#[mcp_tool(…)]` of a parameter, and checks the keys.
    pub(crate) fn of_parameter(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let help = "write a key, as in `#[mcp_tool(default = …)]`, or remove it";
        let keys = Self::parse_attributes(attrs, "mcp_tool", help, errors);
        keys.check(errors);
        keys
    }

    pub(crate) fn role(&self) -> Role {
        self.given_roles().next().map_or(Role::Argument, |(_, role)| role)
    }

    /// Returns the roles that the keys set, each with its key. If there is more than one, [`check`](Self::check)
    /// reports an error.
    fn given_roles(&self) -> impl Iterator<Item = (&Ident, Role)> {
        let flags = [
            (&self.arguments, Role::AllArguments),
            (&self.context, Role::Context),
            (&self.state, Role::State),
            (&self.extension, Role::Extension),
        ];
        let given = flags.into_iter().filter(|(flag, _)| flag.is_set());
        // Even if the value of `ask` is wrong, the parameter receives an answer, not an argument.
        let wrong = self.wrong.iter().find(|wrong| *wrong == "ask");
        let asked = self.ask.key().or(wrong).map(|key| (key, Role::Asked));
        given.filter_map(|(flag, role)| Some((&flag.as_ref()?.key, role))).chain(asked)
    }

    fn check(&self, errors: &mut Errors) {
        let mut roles = self.given_roles();
        let (first, second) = (roles.next(), roles.next());
        if let (Some((first, _)), Some((second, _))) = (first, second) {
            let help = format!("remove `{first}` or `{second}`");
            errors.report(second, format!("a parameter cannot be both `{first}` and `{second}`"), help);
        }
        let example = self.example.last().map(|given| &given.key);
        let keys_of_arguments = [self.default.key(), example, self.header.key(), self.formerly.key()];
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
        let is_asked = first.is_some_and(|(_, role)| role == Role::Asked);
        for key in [self.sealed.key(), self.title.key()].into_iter().flatten().filter(|_| !is_asked) {
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
