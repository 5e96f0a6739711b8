//! The questions of a tool, and their order: a question that uses the answer to another one comes later.

use super::Tool;
use crate::param::{Param, Question, unraw};
use crate::role::Role;

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
        let question = param.keys.ask.as_ref().and_then(|given| given.value.as_ref());
        let names = question.map(Question::names).unwrap_or_default();
        self.asked()
            .filter(|(_, other)| names.iter().any(|(name, _)| unraw(&other.ident) == *name))
            .map(|(index, _)| index)
            .collect()
    }
}
