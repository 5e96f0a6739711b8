//! The settings for questions, as the builder collects them.

use std::sync::{Arc, Once};
use std::time::Duration;

use super::ClientInfo;
use super::state::{Digest, Keys};
use crate::call::catch_panic::catch;
use crate::call::claims::Claims;
use crate::{Extensions, log};

type Principal = Arc<dyn Fn(&Extensions) -> Option<String> + Send + Sync>;
type QuestionsOff = Arc<dyn Fn(&ClientInfo) -> bool + Send + Sync>;

#[derive(Clone)]
pub(crate) struct AskSettings {
    pub(crate) audience: String,
    /// The keys that sign states: those that the author has set, or a random key that `build` creates if a tool asks.
    pub(crate) keys: Option<Keys>,
    pub(crate) has_own_keys: bool,
    pub(crate) ttl: Duration,
    pub(crate) principal: Option<Principal>,
    pub(crate) questions_off: Option<QuestionsOff>,
    /// Makes sure that the warning about an HTTP request whose caller is not known is logged only once. More warnings
    /// would only fill the log of a server that does not tell callers apart.
    warn_unbound: Arc<Once>,
    /// Makes sure that one warning is logged only once: unknown HTTP callers of a tool with `once` share its results.
    #[cfg(feature = "tasks")]
    warn_shared: Arc<Once>,
}

impl Default for AskSettings {
    fn default() -> Self {
        Self {
            audience: String::new(),
            keys: None,
            has_own_keys: false,
            ttl: Duration::from_secs(600),
            principal: None,
            questions_off: None,
            warn_unbound: Arc::new(Once::new()),
            #[cfg(feature = "tasks")]
            warn_shared: Arc::new(Once::new()),
        }
    }
}

/// The error for an author's function that has panicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Panicked;

impl AskSettings {
    /// Returns the digest of what identifies the caller of a request, or `None` if nothing does.
    ///
    /// # Errors
    ///
    /// If the author's function panics. In that case, the principal is unknown. This is not the same as a request
    /// without a principal.
    pub(super) fn principal(&self, extensions: &Extensions) -> Result<Option<Digest>, Panicked> {
        if let Some(caller) = self.task_principal(extensions)? {
            return Ok(Some(Digest::of_parts("caller", &[caller.as_bytes()])));
        }
        if self.principal.is_some() {
            return Ok(None);
        }
        // The label `principal` differs from `caller` above, so that a header never has the digest of a verified
        // caller.
        Ok(self.authorization(extensions).map(|header| Digest::of_parts("principal", &[header])))
    }

    /// Returns the value of the HTTP header `Authorization`. Logs the first HTTP request without that header.
    #[cfg(any(feature = "http", feature = "rmcp"))]
    fn authorization<'e>(&self, extensions: &'e Extensions) -> Option<&'e [u8]> {
        let headers = extensions.get::<::http::HeaderMap>()?;
        let header = headers.get(::http::header::AUTHORIZATION);
        if header.is_none() {
            self.warn_unbound.call_once(log::state_without_principal);
        }
        header.map(::http::HeaderValue::as_bytes)
    }

    #[cfg(not(any(feature = "http", feature = "rmcp")))]
    #[expect(clippy::unused_self, reason = "the signature is the same")]
    fn authorization(&self, _: &Extensions) -> Option<&'static [u8]> {
        None
    }

    /// Returns the principal of a task: what the author's function returns or, without such a function, the verified
    /// caller. The header `Authorization` is not used, because it can change before the task ends.
    #[inline]
    pub(crate) fn task_principal(&self, extensions: &Extensions) -> Result<Option<String>, Panicked> {
        if let Some(principal) = &self.principal {
            return catch(|| principal(extensions)).ok_or(Panicked);
        }
        Ok(extensions.get::<Claims>().map(Claims::principal))
    }

    /// Logs the first HTTP request from an unknown caller to a tool with `once`, unless the author has set a function
    /// that identifies callers.
    #[cfg(feature = "tasks")]
    #[cfg_attr(not(any(feature = "http", feature = "rmcp")), expect(unused_variables, clippy::unused_self))]
    pub(crate) fn warn_of_shared_acts(&self, extensions: &Extensions) {
        #[cfg(any(feature = "http", feature = "rmcp"))]
        if self.principal.is_none()
            && extensions.get::<Claims>().is_none()
            && extensions.get::<::http::HeaderMap>().is_some()
        {
            self.warn_shared.call_once(log::acts_without_principal);
        }
    }

    /// Returns `true` if this client must not be asked. If the author's function panics, the client is not asked, so a
    /// tool that needs an answer does not run.
    pub(super) fn is_off_for(&self, client: Option<&ClientInfo>) -> bool {
        let (Some(is_off), Some(client)) = (&self.questions_off, client) else { return false };
        catch(|| is_off(client)).unwrap_or(true)
    }
}

debug_struct!(AskSettings, settings => audience: settings.audience, ttl: settings.ttl);
