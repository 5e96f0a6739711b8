//! Says whether the server tells its callers apart, and whether it knows who they are.

use crate::Dispatcher;
use crate::call::claims::Claims;

/// The help of findings about servers that do not know who their callers are.
pub(super) const NAME_THE_CALLER: &str =
    "call `principal` on the builder with what identifies the caller, unless `http::Bearer` checks the tokens";

impl Dispatcher {
    /// Returns `true` if a rule of visibility or a tool reads what is attached to a request, and the builder does not say who the caller
    /// is. The claims of `http::Bearer` are a principal.
    pub(super) fn lacks_principal(&self) -> bool {
        let has_callers = self.has_rules() || self.entries().iter().any(|entry| entry.depends_on_caller);
        let claims = std::any::type_name::<Claims>();
        let mut needs = self.entries().iter().flat_map(|entry| entry.extensions);
        let has_bearer = self.reads_scopes_of(claims) || needs.any(|need| (need.type_name)() == claims);
        has_callers && !has_bearer && self.settings().ask.principal.is_none()
    }
}
