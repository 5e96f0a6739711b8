//! The questions of a tool: their order, and what is wrong with them.

use std::collections::HashSet;

use quote::quote;

use crate::attr::{Callee, Given as _, Question, Role, unraw};
use crate::errors::{Errors, nearest};
use crate::field_attributes;
use crate::model::Tool;
use crate::param::{Param, named};

impl Tool {
    /// Returns the asked parameters, each with its index among all parameters.
    pub(crate) fn asked(&self) -> impl Iterator<Item = (usize, &Param)> {
        self.params.iter().enumerate().filter(|(_, param)| param.keys.role() == Role::Asked)
    }

    /// Returns the asked parameters in the order of their questions.
    ///
    /// # Errors
    ///
    /// Returns the parameters whose questions form a cycle.
    pub(crate) fn questions_in_order(&self) -> Result<Vec<usize>, Vec<usize>> {
        let mut left: Vec<_> = self.asked().map(|(index, _)| index).collect();
        let mut ordered = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let is_ready =
                |index: &usize| self.answers_used_by(&self.params[*index]).iter().all(|needed| !left.contains(needed));
            let Some(ready) = left.iter().position(is_ready) else { return Err(self.cycle(left)) };
            ordered.push(left.remove(ready));
        }
        Ok(ordered)
    }

    /// Returns the questions that form a cycle. `left` also contains questions that are not in the cycle, but wait for
    /// its answers.
    fn cycle(&self, mut left: Vec<usize>) -> Vec<usize> {
        let is_unused = |index: &usize, left: &[usize]| {
            !left.iter().any(|other| self.answers_used_by(&self.params[*other]).contains(index))
        };
        while let Some(unused) = left.iter().position(|index| is_unused(index, &left)) {
            left.remove(unused);
        }
        left
    }

    /// Returns the asked parameters whose answers occur in the question of `param`.
    pub(crate) fn answers_used_by(&self, param: &Param) -> Vec<usize> {
        let names = param.keys.ask.value().map(Question::names).unwrap_or_default();
        let used: Vec<_> = names.iter().filter_map(|(name, _)| named(&self.params, name)).collect();
        self.asked().map(|(index, _)| index).filter(|index| used.contains(index)).collect()
    }
}

pub(crate) fn check(tool: &Tool, errors: &mut Errors) {
    let mut keys = HashSet::new();
    let mut is_valid = true;
    for (_, param) in tool.asked() {
        let Some(given) = &param.keys.ask else { continue };
        if !keys.insert(&*param.wire_name) {
            let message = format!("two questions are named `{}`", param.wire_name);
            errors.report(&param.source.pat, message, "rename one of them: `#[serde(rename = \"…\")]`");
        }
        check_serde(param, errors);
        if let Some(whole) = tool.params_with(Role::AllArguments).next() {
            let message = format!("a question cannot stand beside `{}`, which holds all arguments", whole.ident);
            let help = "write the arguments as parameters of their own, so that a question can name them";
            errors.report(&given.key, message, help);
            continue;
        }
        is_valid &= check_names(tool, param, &given.value, errors);
    }
    if is_valid {
        check_cycle(tool, errors);
    }
}

/// Reports serde keys that make no sense for an answer, because it is not part of the arguments.
fn check_serde(param: &Param, errors: &mut Errors) {
    for attr in param.attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
        for meta in field_attributes::metas(attr) {
            let Some(name) = ["default", "flatten"].into_iter().find(|name| meta.path().is_ident(name)) else {
                continue;
            };
            let message = format!("`{name}` is for an argument, and a parameter with `ask` is not one");
            let help = if name == "default" {
                "remove it; take an `Answer<…>`, and decide in the tool what is used without an answer"
            } else {
                "remove it: the fields of a struct are the fields of the form anyhow"
            };
            errors.report(&meta, message, help);
        }
    }
}

/// Reports the names that a question cannot use, and a `self` that the function does not have. Returns `true` if there
/// is nothing to report.
fn check_names(tool: &Tool, param: &Param, question: &Question, errors: &mut Errors) -> bool {
    let is_text = matches!(question, Question::Text { .. });
    let mut is_valid = true;
    let mut reported = HashSet::new();
    for (name, span) in question.names() {
        let tokens = proc_macro2::Ident::new("x", span);
        let tokens = quote!(#tokens);
        let found = named(&tool.params, &name).map(|index| &tool.params[index]);
        let Some(found) = found else {
            is_valid = false;
            if reported.insert(name.clone()) {
                let usable = tool
                    .params
                    .iter()
                    .filter(|other| !std::ptr::eq(*other, param) && (!is_text || can_be_shown(other)));
                let usable: Vec<_> = usable.map(|other| unraw(&other.ident)).collect();
                let help = match nearest(&name, &usable) {
                    Some(near) if !usable.is_empty() => format!("write `{near}`"),
                    _ if usable.is_empty() => "there are no other parameters; write plain text".to_owned(),
                    _ => format!("the other parameters are `{}`", usable.join("`, `")),
                };
                errors.report(tokens, format!("the question names `{name}`, which is not a parameter"), help);
            }
            continue;
        };
        if std::ptr::eq(found, param) {
            is_valid = false;
            let message = format!("the question of `{name}` names its own answer");
            errors.report(tokens, message, "name other parameters");
        } else if is_text && !can_be_shown(found) {
            is_valid = false;
            let help = format!("write a function: `ask = question({name})`");
            errors.report(tokens, format!("`{name}` is not an argument, so a question cannot show it"), help);
        }
    }
    if let (Question::Call(call), None) = (question, tool.function.self_kind())
        && let Callee::Method(receiver, _) = &call.callee
    {
        is_valid = false;
        let help = "call a function, or write `Self::name(…)` in a method's block";
        errors.report(receiver, "this function has no `self`", help);
    }
    is_valid
}

/// Returns `true` if a format string can show the parameter.
fn can_be_shown(param: &Param) -> bool {
    matches!(param.keys.role(), Role::Argument | Role::Asked)
}

fn check_cycle(tool: &Tool, errors: &mut Errors) {
    let Err(left) = tool.questions_in_order() else { return };
    let names: Vec<_> = left.iter().map(|index| format!("`{}`", tool.params[*index].ident)).collect();
    let first = left.first().and_then(|index| tool.params[*index].keys.ask.key());
    if let (Some(key), Some((last, others))) = (first, names.split_last()) {
        let message = format!("the questions of {} and {last} need each other's answers", others.join(", "));
        errors.report(key, message, "let one of them ask without the answer of the other");
    }
}
