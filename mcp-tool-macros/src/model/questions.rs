//! The questions of a tool, and their order: a question that uses the answer to another one comes later.

use syn::{FnArg, Pat, parse_quote};

use super::Tool;
use crate::param::{Param, Question, Role, unraw};
use crate::parse::Function;

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

    /// Leaves out the questions whose answers no other one of these uses: they only come after a cycle.
    fn cycle(&self, mut left: Vec<usize>) -> Vec<usize> {
        let is_unused = |index: &usize, left: &[usize]| {
            !left.iter().any(|other| self.answers_used_by(&self.params[*other]).contains(index))
        };
        while let Some(unused) = left.iter().position(|index| is_unused(index, &left)) {
            left.remove(unused);
        }
        left
    }

    /// Returns the asked parameters whose answers the question of a parameter uses.
    pub(crate) fn answers_used_by(&self, param: &Param) -> Vec<usize> {
        let question = param.keys.ask.as_ref().map(|given| &given.value);
        let names = question.map(Question::names).unwrap_or_default();
        let used: Vec<_> = names.iter().filter_map(|(name, _)| named(&self.params, name)).collect();
        self.asked().map(|(index, _)| index).filter(|index| used.contains(index)).collect()
    }
}

/// Returns the index of the parameter that a question calls by this name. `{reason}` is also `_reason`.
pub(crate) fn named(params: &[Param], name: &str) -> Option<usize> {
    let find = |is: &dyn Fn(String) -> bool| params.iter().position(|param| is(unraw(&param.ident)));
    find(&|known| known == name).or_else(|| find(&|known| known.strip_prefix('_') == Some(name)))
}

/// Allows the parameters of questions to be unused in the body: the question uses them.
pub(super) fn mark_used(function: &mut Function, params: &[Param]) {
    let questions = params.iter().filter_map(|param| Some(&param.keys.ask.as_ref()?.value));
    let names = questions.flat_map(Question::names);
    let used = names.filter_map(|(name, _)| Some(&params[named(params, &name)?].ident));
    let used: Vec<_> = used.filter(|ident| !unraw(ident).starts_with('_')).collect();
    for input in &mut function.sig.inputs {
        if let FnArg::Typed(typed) = input
            && matches!(&*typed.pat, Pat::Ident(pat) if used.contains(&&pat.ident))
        {
            typed.attrs.push(parse_quote!(#[allow(unused_variables)]));
        }
    }
}
