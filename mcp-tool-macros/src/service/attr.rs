//! The keys of `#[mcp_tools(…)]`.

use proc_macro2::{Ident, TokenStream};
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{LitStr, Path, Token};

use super::defaults::Defaults;
use crate::attr;
use crate::attr::list::{self, KeyValue, set};
use crate::attr::value::{self, Expected};
use crate::check;
use crate::errors::{self, Errors};

const KEYS: &str = "prefix part parts read_only_hint destructive_hint idempotent_hint open_world_hint budget timeout task accept_aliases tags \
     scopes crate";

#[derive(Default)]
pub(super) struct ServiceKeys {
    pub(super) prefix: Option<KeyValue<LitStr>>,
    pub(super) crate_path: Option<KeyValue<Path>>,
    /// The name of this block, if it is a part. The main block, without `part`, lists its parts in `parts`.
    pub(super) part: Option<KeyValue<Ident>>,
    /// The names of the parts, if this is the main block.
    pub(super) parts: Vec<Ident>,
    pub(super) defaults: Defaults,
}

impl ServiceKeys {
    pub(super) fn prefix(&self) -> String {
        self.prefix.as_ref().map_or_else(String::new, |given| given.value.value())
    }
}

/// Parses all keys, and reports every wrong one.
pub(super) fn parse(attribute: TokenStream, errors: &mut Errors) -> ServiceKeys {
    let mut keys = ServiceKeys::default();
    let parse = |input: ParseStream<'_>| {
        list::parse(input, errors, |input, key, errors| parse_value(input, key, &mut keys, errors))
    };
    if let Err(error) = parse.parse2(attribute) {
        errors.push(error);
    }
    if let (Some(part), false) = (&keys.part, keys.parts.is_empty()) {
        let message = "a block with `part` cannot have `parts`";
        errors.report(&part.key, message, "write `parts(…)` on the one block without `part`");
    }
    keys.defaults.check(errors);
    if let (Some(prefix), Some(c)) = (&keys.prefix, check::find_invalid_character(&keys.prefix())) {
        let help = format!("the name of a tool has the characters {}", check::NAME_CHARACTERS);
        errors.report(&prefix.value, format!("the prefix has the character {c:?}"), help);
    }
    keys
}

fn parse_value(input: ParseStream<'_>, key: Ident, keys: &mut ServiceKeys, errors: &mut Errors) -> syn::Result<()> {
    let copy = key.clone();
    let expected = |what, example| Expected { key: &copy, what, example };
    match key.to_string().as_str() {
        "prefix" => set(&mut keys.prefix, key, expected("a string", "\"notes_\"").parse_string(input)?, errors),
        "crate" => set(&mut keys.crate_path, key, value::crate_path(input, &copy)?, errors),
        "part" => set(&mut keys.part, key, expected("a name", "reading").parse(input)?, errors),
        "parts" => {
            let names = list::parenthesised(&copy, input, "reading, writing")?;
            let parsed = Punctuated::<Ident, Token![,]>::parse_terminated(&names);
            // Consumes the rest: after an error, syn would report the tokens that are left over as a second error.
            names.parse::<TokenStream>()?;
            let help = "write `parts(reading, writing)`";
            keys.parts.extend(
                parsed.map_err(|error| errors::error(error.span(), "`parts` takes the names of other blocks", help))?,
            );
        }
        name if KEYS.split_whitespace().any(|known| name == known) => {
            attr::parse_value(input, key, &mut keys.defaults.keys, errors)?;
        }
        _ => return Err(list::unknown_key(&key, KEYS, "`#[mcp_tools]`")),
    }
    Ok(())
}
