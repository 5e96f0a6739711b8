//! Finds the mistakes that can be seen in the source of a tool, without knowing its types.

use std::collections::HashSet;

use quote::ToTokens as _;
use syn::{FnArg, GenericParam, Ident, LitStr, Receiver, ReceiverKind};

use crate::attr::value::{OrOff, TaskKey};
use crate::attr::{Given as _, KeyValue, Keys as _, One, Role};
use crate::errors::Errors;
use crate::model::Tool;
use crate::param::Param;
use crate::{migration, types};

pub(crate) fn check(tool: &Tool, errors: &mut Errors) {
    check_signature(tool, errors);
    check_name(tool, errors);
    check_texts(tool, errors);
    check_hints(tool, errors);
    check_params(tool, errors);
    check_output(tool, errors);
    crate::questions::check(tool, errors);
}

fn check_signature(tool: &Tool, errors: &mut Errors) {
    let sig = &tool.function.sig;
    let name = &sig.ident;
    if let Some(second) = tool.function.find_mcp_tool() {
        let help = "write all keys into one: `#[mcp_tool(title = \"…\", read_only_hint)]`";
        errors.report(second, format!("tool `{name}` has `#[mcp_tool]` twice"), help);
    }
    if let Some(FnArg::Receiver(receiver)) = sig.inputs.first() {
        if tool.service.is_none() {
            // Report only this: the checks below would treat the method as a free function.
            return report_method(tool, receiver, errors);
        }
        check_receiver(name, receiver, errors);
    }
    if !check_asyncness(tool, errors) {
        return;
    }
    for param in &sig.generics.params {
        if !matches!(param, GenericParam::Lifetime(_)) {
            let help = "write a function with concrete types, and call the generic one from it";
            errors.report(param, format!("tool `{name}` cannot be generic: a client needs one schema"), help);
        }
    }
    if let syn::Safety::Unsafe(token) = &sig.safety {
        let message = format!("tool `{name}` cannot be `unsafe`: a client cannot uphold its safety conditions");
        errors.report(token, message, "write a safe function around the unsafe one");
    }
    if let Some(opaque) = tool.returns.as_ref().and_then(types::find_impl_trait) {
        let message = format!("the result of tool `{name}` must have a concrete type, so that it has a schema");
        errors.report(opaque, message, "write the concrete type instead of `impl …`");
    }
    check_handler(tool, errors);
}

/// Reports a method outside of an impl block with `#[mcp_tools]`.
fn report_method(tool: &Tool, receiver: &Receiver, errors: &mut Errors) {
    let name = &tool.function.sig.ident;
    let (message, help) = if tool.function.has_no_body() {
        (
            format!("tool `{name}` is a trait method without a body"),
            "write it as a method of a type, in an impl block with `#[mcp_tools]`",
        )
    } else {
        (
            format!("tool `{name}` is a method, and its impl block has no `#[mcp_tools]`"),
            "put `#[mcp_tools]` on the impl block, and register the object with `.service(…)`",
        )
    };
    errors.report(receiver, message, help);
}

/// Reports a `self` that calls cannot share. All calls use the same service.
fn check_receiver(name: &Ident, receiver: &Receiver, errors: &mut Errors) {
    const HELP: &str = "write `&self`, and keep what changes behind a lock";
    match &receiver.kind {
        ReceiverKind::Reference(_, _, Some(_)) => {
            let message = format!("tool `{name}` cannot take `&mut self`: calls run at the same time");
            errors.report(receiver, message, HELP);
        }
        ReceiverKind::Value => {
            let message = format!("tool `{name}` cannot take `self` by value: all calls share the service");
            errors.report(receiver, message, HELP);
        }
        ReceiverKind::Typed(_, ty)
            if !["Arc<Self>", "&Arc<Self>", "&Self"].iter().any(|known| types::written(ty).ends_with(known)) =>
        {
            let message = format!("tool `{name}` cannot take `self` as `{}`", types::written(ty));
            errors.report(ty, message, "write `&self` or `self: Arc<Self>`");
        }
        _ => {}
    }
}

/// Checks that the function is either `async` or `blocking`. Returns `false` if the other checks would repeat the
/// error.
fn check_asyncness(tool: &Tool, errors: &mut Errors) -> bool {
    let sig = &tool.function.sig;
    let name = &sig.ident;
    if tool.is_blocking() {
        if let Some(token) = &sig.asyncness {
            let message = format!("tool `{name}` is `async`, and `blocking` is for functions that are not");
            errors.report(token, message, "remove `async`, or `blocking`");
        }
    } else if tool.keys.may_be_wrong("blocking") || sig.asyncness.is_some() {
        // Nothing to report: the function is `async`, or one of the keys is wrong and may have been meant as
        // `blocking`.
    } else if let Some(token) = &sig.constness {
        errors.report(token, format!("tool `{name}` must be `async`, not `const`"), format!("write `async fn {name}`"));
    } else if let Some(output) = tool.returns.as_ref().and_then(types::future_output) {
        let message = format!("tool `{name}` must be `async` instead of returning a future");
        let help = format!("write `async fn {name}(…) -> {}`", types::written(output));
        errors.report(tool.returns.as_ref(), message, help);
        return false;
    } else {
        let help = format!("write `async fn {name}`, or `#[mcp_tool(blocking)]` if it blocks");
        errors.report(sig.fn_token, format!("tool `{name}` must be `async`"), help);
    }
    true
}

/// Reports a handle with the name of a primitive type: it would shadow the type, and the derives in generated code
/// would not compile.
fn check_handler(tool: &Tool, errors: &mut Errors) {
    let (name, handle_type) = (&tool.function.sig.ident, &tool.handle_type);
    if tool.service.is_none() && types::PRIMITIVES.iter().any(|primitive| handle_type == primitive) {
        let text = name.to_string();
        let mut letters = text.chars();
        let capitalised: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        let help = format!("name the handle: `#[mcp_tool(handler = {capitalised}Tool)]`");
        errors.report(handle_type, format!("the handle of tool `{name}` would hide the type `{handle_type}`"), help);
    }
}

/// The characters that the name of a tool can contain.
pub(crate) const NAME_CHARACTERS: &str = "A-Z a-z 0-9 _ . -";

/// Returns the first character of `name` that the name of a tool cannot contain.
pub(crate) fn find_invalid_character(name: &str) -> Option<char> {
    name.chars().find(|c| !c.is_ascii_alphanumeric() && !"_.-".contains(*c))
}

/// The help for a former name that equals the current one.
const FORMER_NAMES: &str = "write the names that it had before, or remove `formerly`";

/// Checks the name and the former names of the tool (rule T11).
fn check_name(tool: &Tool, errors: &mut Errors) {
    let help = format!("a name has 1 to 128 of the characters {NAME_CHARACTERS}");
    let ident = &tool.function.sig.ident;
    if let Some(problem) = problem_of_name(&tool.name) {
        let message = format!("the name of tool `{ident}` {problem}");
        match tool.keys.name.value() {
            Some(given) => errors.report(given, message, &help),
            None => errors.report(ident, message, format!("{help}; give it one with `#[mcp_tool(name = \"…\")]`")),
        }
    }
    for former in tool.keys.formerly.iter().flat_map(|given| &given.value) {
        if former.value() == tool.name {
            let message = format!("tool `{ident}` still has the name `{}`", tool.name);
            errors.report(former, message, FORMER_NAMES);
        } else if let Some(problem) = problem_of_name(&former.value()) {
            errors.report(former, format!("the former name of tool `{ident}` {problem}"), &help);
        }
    }
}

fn problem_of_name(name: &str) -> Option<String> {
    match (name.chars().count(), find_invalid_character(name)) {
        (0, _) => Some("is empty".to_owned()),
        (length @ 129.., _) => Some(format!("has {length} characters, but at most 128 are allowed")),
        (_, Some(c)) => Some(format!("has the character {c:?}")),
        (_, None) => None,
    }
}

/// Checks that the tool has a description, and that its description, search hint and title are not empty.
fn check_texts(tool: &Tool, errors: &mut Errors) {
    let name = &tool.function.sig.ident;
    match (&tool.keys.description, &tool.description) {
        (Some(given), Some(text)) if text.is_blank() => {
            let message = format!("the description of tool `{name}` is empty");
            errors.report(&given.key, message, "say what the tool does, for a model to read");
        }
        (None, _) if tool.keys.may_be_wrong("description") => {}
        (None, Some(text)) if text.is_blank() => {
            let message = format!("the doc comment of tool `{name}` has no text before its first section");
            let help = "start it with what the tool does, for a model to read: `/// What the tool does.`";
            errors.report(name, message, help);
        }
        (None, None) => {
            let message = format!("tool `{name}` has no description, so no model knows what it is for");
            errors.report(name, message, "write a doc comment above the function: `/// What the tool does.`");
        }
        _ => {}
    }
    let empty = |given: &One<LitStr>| given.value().filter(|text| text.value().trim().is_empty()).cloned();
    if let Some(words) = empty(&tool.keys.search_hint) {
        let help = "write words that people use for what the tool does, or remove `search_hint`";
        errors.report(words, format!("the search hint of tool `{name}` is empty"), help);
    }
    if let Some(title) = empty(&tool.keys.title) {
        let message = format!("the title of tool `{name}` is empty");
        errors.report(title, message, "remove `title`: it is then derived from the name");
    }
}

fn check_hints(tool: &Tool, errors: &mut Errors) {
    if tool.keys.destructive_hint.is_set() && tool.keys.read_only_hint.is_set() {
        let message = format!("tool `{}` cannot be both read-only and destructive", tool.function.sig.ident);
        errors.report(tool.keys.destructive_hint.key(), message, "remove `destructive_hint` or `read_only_hint`");
    }
}

fn check_params(tool: &Tool, errors: &mut Errors) {
    if let Some(whole) = tool.params_with(Role::AllArguments).next() {
        let others = tool.params.iter().filter(|param| param.keys.role().is_sent() && !std::ptr::eq(*param, whole));
        for other in others {
            let help = format!("make `{}` a field of that type, or remove `#[mcp_tool(arguments)]`", other.ident);
            errors.report(&other.source.pat, format!("`{}` already holds all arguments", whole.ident), help);
        }
    }
    let mut idents = HashSet::new();
    if !tool.params.iter().all(|param| idents.insert(&param.ident)) {
        return errors.leave_to_rustc();
    }
    let mut names = HashSet::new();
    for param in tool.params_with(Role::Argument).filter(|param| !param.serde.is_flattened) {
        let mut former = param.keys.formerly.iter().flat_map(|given| &given.value);
        if let Some(former) = former.find(|former| former.value() == param.wire_name) {
            let message = format!("argument `{}` still has the name `{}`", param.ident, param.wire_name);
            errors.report(former, message, FORMER_NAMES);
            continue;
        }
        for name in std::iter::once(param.wire_name.clone()).chain(param.other_names()) {
            if !names.insert(name.clone()) {
                let is_unused = |param: &Param| param.wire_name == name && param.ident == format!("_{name}");
                let reason = if tool.params.iter().any(is_unused) { ": a leading underscore is not sent" } else { "" };
                let message = format!("two arguments are named `{name}`{reason}");
                errors.report(&param.source.pat, message, "rename one of them: `#[serde(rename = \"…\")]`");
            }
        }
    }
    for param in tool.params_with(Role::Context).skip(1) {
        let message = format!("tool `{}` takes the context of the call twice", tool.function.sig.ident);
        errors.report(&param.source.pat, message, "remove one of them");
    }
    let mut headers = HashSet::new();
    for param in &tool.params {
        check_default(tool, param, errors);
        check_flattened(param, errors);
        check_header(param, &mut headers, errors);
    }
    let examples = tool.keys.example_call.iter().map(|call| &call.key);
    let of_derived = tool.keys.root_union.key().into_iter().chain(examples);
    if let Some(schema) = tool.keys.input_schema.key() {
        for key in of_derived {
            let message = format!("`{key}` has no effect beside `{schema}`, which is published untouched");
            errors.report(key, message, format!("remove `{key}`, or write it into that schema"));
        }
    }
}

fn check_default(tool: &Tool, param: &Param, errors: &mut Errors) {
    let named = |tokens| tool.service.as_ref()?.named_parameter(tokens);
    if (param.keys.default.is_some() || param.serde.has_default)
        && let Some(name) = named(param.ty.to_token_stream())
    {
        let message = format!("a type with `{name}`, a parameter of the impl block, cannot have a default");
        errors.report(name, message, "take an `Option` without a default, and write the default in the body");
    }
    let Some(default) = &param.keys.default else { return };
    if let Some(name) = named(default.value.to_token_stream()) {
        let message = format!("a default cannot use `{name}`, a parameter of the impl block");
        let help = format!("write another value, or take an `Option` and use `{name}` in the body");
        errors.report(name, message, help);
    }
    if param.serde.has_default {
        let help = "remove `#[serde(default)]`, or this one";
        errors.report(&default.key, format!("argument `{}` has two defaults", param.ident), help);
    } else if param.serde.has_other_keys {
        let message =
            format!("`default` does not work with keys of `#[serde]` that change how `{}` is read", param.ident);
        let help = "write `#[serde(default = \"function\")]` beside the other keys of serde";
        errors.report(&default.key, message, help);
    }
}

fn check_flattened(param: &Param, errors: &mut Errors) {
    if !param.serde.is_flattened {
        return;
    }
    let mut report = |key: &Ident, help| {
        let message = format!("`{key}` is for a single argument, and `{}` is flattened into several", param.ident);
        errors.report(key, message, help);
    };
    if let Some(key) = param.keys.default.key() {
        report(key, "write `#[serde(default = \"function\")]` on the fields that may be absent");
    }
    for key in [param.keys.header.key(), param.keys.formerly.key()].into_iter().flatten() {
        report(key, "make the field that it is for a parameter of its own");
    }
}

fn check_header(param: &Param, seen: &mut HashSet<String>, errors: &mut Errors) {
    let Some(header) = param.keys.header.value() else { return };
    if !seen.insert(header.value().to_ascii_lowercase()) {
        let message = format!("two arguments have the header `{}`", header.value());
        errors.report(header, message, "give one of them another name; case does not count");
    }
    if let Some(float) = types::float(&param.ty) {
        let message = "a header carries a string, an integer or a boolean, not a float";
        errors.report(&param.source.ty, message, format!("remove `header`, or use another type than `{float}`"));
    }
}

/// Checks that the tool does not have both `once` and `task`: a call to a tool with `once` is answered with the result,
/// never with a task.
fn check_once(tool: &Tool, errors: &mut Errors) {
    let Some(KeyValue { key, value: TaskKey::Optional | TaskKey::Required }) = &tool.keys.task else { return };
    if tool.keys.once.is_some() {
        let message = format!("a call with `once` is answered in place, so tool `{}` cannot be a task", tool.name);
        errors.report(key, message, "remove `once` or `task`");
    }
}

fn check_output(tool: &Tool, errors: &mut Errors) {
    if let Some(ty) = &tool.returns {
        migration::report_result(ty, errors);
        let item = types::find(ty, |ty| types::type_argument_of(ty, "Paged").cloned());
        if let Some(item) = item.filter(|item| types::is_spelt(item, &["Result"])) {
            let message = "a page sends each `Result` as an item, and shows the model its errors as they are";
            errors.report(
                item,
                message,
                "remove the `Result`, and call `Paged::try_stream`: an error then ends the page",
            );
        }
    }
    if let (Some(output), Some(schema)) = (tool.keys.output.key(), tool.keys.output_schema.key()) {
        let message = format!("the output schema is already given by `{output}`");
        errors.report(schema, message, format!("remove `{output}` or `{schema}`"));
    }
    check_once(tool, errors);
    // With `text = off`, the result is only the structured value, so there must be one.
    let Some(KeyValue { key, value: OrOff::Off }) = &tool.keys.text else { return };
    if let Some(OrOff::Off) = tool.keys.output.value() {
        let message = "`output = off` sends only text, and `text = off` sends none";
        errors.report(key, message, "remove one of them");
    } else if tool.returns.is_none() && !tool.keys.may_be_wrong("output") {
        let message = format!("`text = off` needs a structured value, and tool `{}` returns none", tool.name);
        errors.report(key, message, "remove `text`, or return a value");
    }
}
