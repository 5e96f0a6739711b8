//! How many tokens a result may have, for which client.

use std::borrow::Cow;
use std::sync::Arc;

use crate::{CallContext, ClientInfo};

/// The budget of a page, if nobody sets another one.
const DEFAULT: u32 = 20_000;

/// A client that refuses results over a limit.
pub(crate) struct ResultLimit {
    /// The name that the client sends.
    pub(crate) client: &'static str,
    pub(crate) tokens: u32,
    /// The client limits characters too.
    characters: u32,
    pub(crate) source: &'static str,
    pub(crate) date: &'static str,
}

impl ResultLimit {
    /// Returns the budget of a page that stays below both limits. The estimate has at least three tokens for ten characters.
    fn page(&self) -> u32 {
        self.tokens.min(self.characters / 10 * 3)
    }
}

/// The limits of known clients. `lint` reads them too.
pub(crate) const LIMITS: &[ResultLimit] = &[ResultLimit {
    client: "claude-code",
    tokens: 25_000,
    // Its package 2.1.330 takes a result for small up to half the tokens, at 4 characters each, and does not count then. What is over the
    // limit it saves to a file that the model must read in pieces, or it cuts the text.
    characters: 50_000,
    source: "https://code.claude.com/docs/en/mcp#mcp-output-limits-and-warnings",
    date: "2026-11-24",
}];

type OfClient = Arc<dyn Fn(&ClientInfo) -> Option<u32> + Send + Sync>;

/// The settings about the size of results in tokens.
#[derive(Clone, Default)]
pub(crate) struct Budgets {
    pub(crate) of_results: Option<u32>,
    pub(crate) of_client: Option<OfClient>,
}

impl Budgets {
    /// Returns `true` if the author has set a budget for all tools.
    pub(crate) fn is_set(&self) -> bool {
        self.of_results.is_some() || self.of_client.is_some()
    }

    /// Returns the budget that the author has set for a result: that of the client or of all results, and at most that of the tool.
    pub(crate) fn by_author(&self, of_tool: Option<u32>, cx: &CallContext) -> Option<u32> {
        match self.of_client(cx) {
            Some(budget) => Some(of_tool.map_or(budget, |of_tool| of_tool.min(budget))),
            None => of_tool.or(self.of_results),
        }
    }

    /// Returns the budget of a page. A known client gets no more than it accepts, unless the author has set a budget for it.
    pub(crate) fn of_page(&self, of_tool: Option<u32>, cx: &CallContext) -> u32 {
        let budget = self.by_author(of_tool, cx).unwrap_or(DEFAULT);
        let client = if self.of_client(cx).is_some() { None } else { client(cx) };
        let limit = client.and_then(|client| LIMITS.iter().find(|limit| limit.client == client.name()));
        limit.map_or(budget, |limit| limit.page().min(budget))
    }

    fn of_client(&self, cx: &CallContext) -> Option<u32> {
        self.of_client.as_ref()?(&*client(cx)?)
    }
}

/// Returns the client of a call: what the session knows of it, or else what the request says.
fn client(cx: &CallContext) -> Option<Cow<'_, ClientInfo>> {
    match cx.extensions().get::<ClientInfo>() {
        Some(client) => Some(Cow::Borrowed(client)),
        None => ClientInfo::of_request(Some(cx.meta())).map(Cow::Owned),
    }
}
