//! The settings of the lists of tools.

use std::time::Duration;

use super::DispatcherBuilder;
use crate::CacheScope;

impl DispatcherBuilder {
    /// Sets how long a client may cache the list of tools (`ttlMs`, from protocol version 2026-07-28 on); 5 minutes by
    /// default.
    pub fn list_ttl(mut self, ttl: Duration) -> Self {
        self.setting("list_ttl").list_ttl = ttl;
        self
    }

    /// Sets who may cache the list of tools (`cacheScope`, from protocol version 2026-07-28 on); [`CacheScope::Private`]
    /// by default.
    pub fn list_scope(mut self, scope: CacheScope) -> Self {
        self.setting("list_scope").list_scope = scope;
        self
    }

    /// Removes the descriptions from the output schemas in lists; off by default.
    ///
    /// A list is part of every conversation of a client that passes output schemas on to its model. Without descriptions it is
    /// shorter, and results are checked as before. [`Dispatcher::list`](crate::Dispatcher::list) and
    /// [`Dispatcher::describe`](crate::Dispatcher::describe) keep the descriptions.
    ///
    /// ```
    /// use mcp_tool_runtime::schemars::JsonSchema;
    /// use mcp_tool_runtime::serde::Serialize;
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, ProtocolVersion};
    ///
    /// /// Current conditions at one place.
    /// #[derive(Serialize, JsonSchema)]
    /// # #[serde(crate = "mcp_tool_runtime::serde")]
    /// # #[schemars(crate = "mcp_tool_runtime::schemars")]
    /// struct Weather {
    ///     /// In degrees Celsius.
    ///     temperature: f64,
    /// }
    ///
    /// /// Get the current weather.
    /// #[mcp_tool]
    /// async fn get_weather() -> Weather {
    ///     Weather { temperature: 21.5 }
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![get_weather]).compact_output_schemas(true).build()?;
    /// let listed = dispatcher.list_for(ProtocolVersion::LATEST)[0].output_schema.as_ref().unwrap();
    /// assert!(listed["properties"]["temperature"].get("description").is_none());
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn compact_output_schemas(mut self, compact: bool) -> Self {
        self.setting("compact_output_schemas").compact_output_schemas = compact;
        self
    }
}
