//! The settings of questions, which the builder collects.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::ClientInfo;
use super::state::{Digest, Keys};
use crate::Extensions;

type Principal = Arc<dyn Fn(&Extensions) -> Option<String> + Send + Sync>;
type QuestionsOff = Arc<dyn Fn(&ClientInfo) -> bool + Send + Sync>;

#[derive(Clone)]
pub(crate) struct AskSettings {
    pub(crate) audience: String,
    /// Set by the author, or random: `build` creates a key if a tool asks.
    pub(crate) keys: Option<Keys>,
    pub(crate) has_own_keys: bool,
    pub(crate) ttl: Duration,
    pub(crate) principal: Option<Principal>,
    pub(crate) questions_off: Option<QuestionsOff>,
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
        }
    }
}

impl AskSettings {
    pub(super) fn principal(&self, extensions: &Extensions) -> Option<Digest> {
        let digest = |principal: &[u8]| Digest::of_parts("principal", &[principal]);
        match &self.principal {
            Some(principal) => principal(extensions).map(|principal| digest(principal.as_bytes())),
            #[cfg(any(feature = "http", feature = "rmcp"))]
            None => {
                let headers = extensions.get::<::http::HeaderMap>()?;
                headers.get(::http::header::AUTHORIZATION).map(|value| digest(value.as_bytes()))
            }
            #[cfg(not(any(feature = "http", feature = "rmcp")))]
            None => None,
        }
    }

    pub(super) fn is_off_for(&self, client: Option<&ClientInfo>) -> bool {
        matches!((&self.questions_off, client), (Some(is_off), Some(client)) if is_off(client))
    }
}

impl fmt::Debug for AskSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AskSettings").field("audience", &self.audience).field("ttl", &self.ttl).finish_non_exhaustive()
    }
}
