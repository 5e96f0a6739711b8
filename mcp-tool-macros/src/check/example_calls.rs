//! Checks the calls of the key `example_call` against the parameters.

use crate::attr::list;
use crate::errors::{Errors, nearest};
use crate::model::Tool;

/// Checks that each name is a parameter that clients send, and that the tool has no schema of the author's own.
pub(super) fn check(tool: &Tool, errors: &mut Errors) {
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
