//! All that is wrong with a tool, as far as its source shows.

use std::collections::HashSet;

use syn::{FnArg, GenericParam, ReceiverKind};

use crate::errors::Errors;
use crate::keys::Given;
use crate::marks::Role;
use crate::model::Tool;
use crate::paths;

pub(crate) fn check(tool: &Tool, errors: &mut Errors) {
    signature(tool, errors);
    name(tool, errors);
    description(tool, errors);
    hints(tool, errors);
    arguments(tool, errors);
    output(tool, errors);
}

/// Types that a handle of the same name would hide, so that the derives no longer compile.
const PRIMITIVES: [&str; 17] = [
    "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
    "f32", "f64",
];

fn signature(tool: &Tool, errors: &mut Errors) {
    let sig = &tool.function.sig;
    let name = &sig.ident;
    if let Some(again) = tool.function.again() {
        errors.help(
            again,
            format!("tool `{name}` has `#[mcp_tool]` twice"),
            "write all keys into one: `#[mcp_tool(title = \"…\", read_only_hint)]`",
        );
    }
    if let Some(FnArg::Receiver(receiver)) = sig.inputs.first() {
        if tool.host.is_none() {
            if tool.function.is_declared() {
                let help = "write it as a method of a type, in an impl block with `#[mcp_tools]`";
                errors.help(receiver, format!("tool `{name}` is a method of a trait, which has nothing to run"), help);
            } else {
                errors.help(
                    receiver,
                    format!("tool `{name}` is a method, and its impl block has no `#[mcp_tools]`"),
                    "put `#[mcp_tools]` on the impl block, and register the object with `.service(…)`",
                );
            }
            // The rest would be about a function that is not there.
            return;
        }
        self_parameter(name, receiver, errors);
    }
    if tool.is_blocking() {
        if let Some(token) = &sig.asyncness {
            errors.help(
                token,
                format!("tool `{name}` is `async`, and `blocking` is for functions that are not"),
                "remove `async`, or `blocking`",
            );
        }
    } else if tool.keys.is_misread("blocking") {
        // Whether it must be `async` is not yet said.
    } else if let (Some(token), None) = (&sig.constness, &sig.asyncness) {
        errors.help(token, format!("tool `{name}` must be `async`, not `const`"), format!("write `async fn {name}`"));
    } else if let (None, Some(output)) = (&sig.asyncness, tool.returns.as_ref().and_then(paths::future)) {
        let message = format!("tool `{name}` must be `async`, in place of returning a future");
        let help = format!("write `async fn {name}(…) -> {}`", paths::written(&output));
        errors.help(tool.returns.as_ref(), message, help);
        return;
    } else if sig.asyncness.is_none() {
        let help = format!("write `async fn {name}`, or `#[mcp_tool(blocking)]` if it blocks");
        errors.help(sig.fn_token, format!("tool `{name}` must be `async`"), help);
    }
    for param in &sig.generics.params {
        match param {
            GenericParam::Lifetime(_) => {}
            GenericParam::Type(_) | GenericParam::Const(_) => errors.help(
                param,
                format!("tool `{name}` cannot be generic: a client needs one schema"),
                "write a function with the types that clients use, and call the generic one from it",
            ),
        }
    }
    if let Some(variadic) = &sig.variadic {
        let message = format!("tool `{name}` cannot take a variable number of arguments");
        errors.help(variadic, message, "take a list: `values: Vec<…>`");
    }
    if let syn::Safety::Unsafe(token) = &sig.safety {
        errors.help(
            token,
            format!("tool `{name}` cannot be `unsafe`: clients can keep no promise"),
            "write a safe function around the unsafe one",
        );
    }
    if let Some(abi) = &sig.abi {
        errors.help(abi, format!("tool `{name}` must have Rust's own calling convention"), "remove `extern`");
    }
    if let Some(opaque) = tool.returns.as_ref().and_then(paths::opaque) {
        errors.help(
            opaque,
            format!("the result of tool `{name}` needs one type, to have a schema"),
            "name the type instead of `impl …`",
        );
    }
    let handler = &tool.handler;
    if tool.host.is_none() && PRIMITIVES.iter().any(|primitive| handler == primitive) {
        errors.help(
            handler,
            format!("the handle of tool `{name}` would hide the type `{handler}`"),
            format!("name the handle: `#[mcp_tool(handler = {}Tool)]`", capitalised(&name.to_string())),
        );
    }
}

/// A service is shared by all calls: a method gets it as `&self` or `self: Arc<Self>`.
fn self_parameter(name: &syn::Ident, receiver: &syn::Receiver, errors: &mut Errors) {
    const HELP: &str = "write `&self`, and keep what changes behind a lock";
    match &receiver.kind {
        ReceiverKind::Reference(_, _, Some(_)) => {
            errors.help(
                receiver,
                format!("tool `{name}` takes `&mut self`, and other calls run at the same time"),
                HELP,
            );
        }
        ReceiverKind::Value => {
            errors.help(receiver, format!("tool `{name}` takes `self` away from all other calls"), HELP);
        }
        ReceiverKind::Typed(_, ty)
            if !["Arc<Self>", "&Arc<Self>", "&Self"].iter().any(|known| paths::written(ty).ends_with(known)) =>
        {
            errors.help(
                ty,
                format!("tool `{name}` takes `self` in a way that a service does not have"),
                "write `&self` or `self: Arc<Self>`",
            );
        }
        _ => {}
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// Rule T11.
fn name(tool: &Tool, errors: &mut Errors) {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let problem = if tool.name.is_empty() {
        "is empty".to_owned()
    } else if tool.name.chars().count() > 128 {
        format!("has {} characters, and 128 are the most", tool.name.chars().count())
    } else if let Some(c) = tool.name.chars().find(|c| !allowed(*c)) {
        format!("has the character {c:?}")
    } else {
        return;
    };
    let help = "a name has 1 to 128 of the characters A-Z a-z 0-9 _ . -";
    let ident = &tool.function.sig.ident;
    match &tool.keys.name {
        Some(given) => errors.help(&given.value, format!("the name of tool `{ident}` {problem}"), help),
        None => errors.help(
            ident,
            format!("the name of tool `{ident}` {problem}"),
            format!("{help}; give it one with `#[mcp_tool(name = \"…\")]`"),
        ),
    }
}

fn description(tool: &Tool, errors: &mut Errors) {
    let name = &tool.function.sig.ident;
    match (&tool.keys.description, &tool.description) {
        (Some(given), Some(text)) if text.is_blank() => {
            let message = format!("the description of tool `{name}` is empty");
            errors.help(&given.key, message, "say what the tool does, for a model to read");
        }
        (None, _) if tool.keys.is_misread("description") => {}
        (None, Some(text)) if text.is_blank() => errors.help(
            name,
            format!("the doc comment of tool `{name}` says nothing before its first section"),
            "begin it with what the tool does, for a model to read: `/// What the tool does.`",
        ),
        (None, None) => errors.help(
            name,
            format!("tool `{name}` has no description, so no model knows what it is for"),
            "write a doc comment above the function: `/// What the tool does.`",
        ),
        _ => {}
    }
    if let Some(title) = tool.keys.title.as_ref().filter(|title| title.value.value().trim().is_empty()) {
        errors.help(
            &title.value,
            format!("the title of tool `{name}` is empty"),
            "remove `title`, and it is made of the name",
        );
    }
}

fn hints(tool: &Tool, errors: &mut Errors) {
    let set = |hint: &Option<Given<bool>>| hint.as_ref().is_some_and(|given| given.value);
    let destructive = tool.keys.destructive_hint.as_ref().filter(|given| given.value);
    if let Some(given) = destructive.filter(|_| set(&tool.keys.read_only_hint)) {
        let help = "remove `destructive_hint` or `read_only_hint`";
        let name = &tool.function.sig.ident;
        errors.help(&given.key, format!("tool `{name}` cannot both only read and destroy"), help);
    }
}

fn arguments(tool: &Tool, errors: &mut Errors) {
    if let Some(whole) = tool.params.iter().find(|param| param.marks.whole()) {
        let others = tool.params.iter().filter(|param| param.marks.is_sent() && !std::ptr::eq(*param, whole));
        for other in others {
            errors.help(
                &other.written.pat,
                format!("`{}` is already the whole of the arguments", whole.ident),
                format!("make `{}` a field of that type, or drop `#[mcp_tool(arguments)]`", other.ident),
            );
        }
    }
    let mut idents = HashSet::new();
    if !tool.params.iter().all(|param| idents.insert(&param.ident)) {
        return errors.leave_to_rustc();
    }
    let mut names = HashSet::new();
    for param in tool.params.iter().filter(|param| param.marks.role == Role::Argument && !param.flattened) {
        let name = param.wire_name.as_str();
        for name in std::iter::once(name).chain(param.aliases.iter().map(String::as_str)) {
            if !names.insert(name) {
                errors.help(
                    &param.written.pat,
                    format!("two arguments are named `{name}`"),
                    "rename one of them: `#[serde(rename = \"…\")]`",
                );
            }
        }
    }
    marks(tool, errors);
    if let (Some(given), Some(union)) = (&tool.keys.input_schema, &tool.keys.root_union) {
        errors.help(
            &union.key,
            format!("a schema written by hand (`{}`) may have any form", given.key),
            "remove `root_union`",
        );
    }
}

/// What the attributes of the parameters say together.
fn marks(tool: &Tool, errors: &mut Errors) {
    let contexts = tool.params.iter().filter(|param| param.marks.role == Role::Context);
    for param in contexts.skip(1) {
        errors.help(&param.written.pat, "there is one context of a call, and it is given twice", "remove one of them");
    }
    let mut headers = HashSet::new();
    for param in &tool.params {
        if let Some(default) = &param.marks.default {
            if param.has_default {
                let help = "remove `#[serde(default)]`, or this one";
                errors.help(&default.key, format!("argument `{}` has two defaults", param.ident), help);
            } else if !param.plain {
                let message =
                    format!("the default of `{}` is the attribute's, and how it is read is serde's", param.ident);
                let help = "write `#[serde(default = \"function\")]` beside the other keys of serde";
                errors.help(&default.key, message, help);
            }
        }
        if param.flattened {
            let refuse = |key: &syn::Ident, help: &str, errors: &mut Errors| {
                let message = format!("`{key}` is for one argument, and the fields of `{}` are several", param.ident);
                errors.help(key, message, help);
            };
            if let Some(given) = &param.marks.default {
                let help = "write `#[serde(default = \"function\")]` on the fields that may be absent";
                refuse(&given.key, help, errors);
            }
            if let Some(given) = &param.marks.header {
                refuse(&given.key, "make the field that it is for a parameter of its own", errors);
            }
        }
        let Some(header) = &param.marks.header else { continue };
        if !headers.insert(header.value.value().to_ascii_lowercase()) {
            let message = format!("two arguments have the header `{}`", header.value.value());
            errors.help(&header.value, message, "name one of them otherwise; case does not count");
        }
        if let Some(float) = paths::float(&param.ty) {
            let message = "a header carries a string, an integer or a boolean, and no float";
            errors.help(&param.written.ty, message, format!("remove `header`, or take another type than `{float}`"));
        }
    }
}

fn output(tool: &Tool, errors: &mut Errors) {
    if let Some(ty) = tool.returns.as_ref().and_then(paths::result_of_the_protocol) {
        let message = "`CallToolResult` is what a result is sent as: as a value it would be sent inside of another";
        let help = "return the value itself, or `Vec<Content>`; `Result<…, ToolError>` where it can fail";
        errors.help(ty, message, help);
    }
    if let (Some(output), Some(schema)) = (&tool.keys.output, &tool.keys.output_schema) {
        errors.help(
            &schema.key,
            format!("the output schema is already given by `{}`", output.key),
            format!("remove `{}` or `{}`", output.key, schema.key),
        );
    }
}
