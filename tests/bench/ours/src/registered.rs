//! The tools of the workloads: functions, and the same as a service.

use bench_workloads::orders::{Address, Item, Order};
use bench_workloads::searches::{Hits, Kind, Query, Sort};
use bench_workloads::{Conversion, Summands, Unit, orders, searches};
use mcp_tool_runtime::{
    Arguments, BoxFuture, CallContext, Output, ToolError, ToolHandler, ToolMetadata, mcp, mcp_tool, mcp_tools,
};

/// Add two numbers.
#[mcp_tool(read_only_hint)]
pub(crate) async fn add(
    /// The first.
    a: i64,
    /// The second.
    b: i64,
) -> i64 {
    bench_workloads::add(&Summands { a, b })
}

/// Place an order.
#[mcp_tool]
pub(crate) async fn order(
    /// Number of the order.
    id: String,
    /// Who orders.
    customer: String,
    /// Where to.
    ship_to: Address,
    /// What is ordered.
    items: Vec<Item>,
) -> Order {
    orders::order(orders::Arguments { id, customer, ship_to, items })
}

/// Search all files.
#[mcp_tool(read_only_hint)]
pub(crate) async fn search(
    /// Words to look for.
    #[schemars(length(min = 1))]
    query: String,
    /// How many hits at most.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
    /// What comes first.
    sort: Option<Sort>,
    /// Only these.
    kinds: Option<Vec<Kind>>,
    /// Only what was written since this day.
    since: Option<String>,
    /// Also what was put away.
    archived: Option<bool>,
) -> Hits {
    searches::search(&Query { query, limit, sort, kinds, since, archived })
}

/// Give a text back.
#[mcp_tool(read_only_hint)]
pub(crate) async fn text(
    /// The text.
    text: String,
) -> String {
    text
}

/// Convert a length.
#[mcp_tool(read_only_hint)]
pub(crate) async fn convert(
    /// How long.
    length: f64,
    /// The unit it is given in.
    from: Unit,
    /// The unit that is asked for.
    to: Unit,
) -> f64 {
    bench_workloads::convert(&Conversion { length, from, to })
}

/// The same tools as a service, which can be registered under many prefixes.
#[derive(Clone, Copy)]
pub(crate) struct Desk;

#[mcp_tools]
impl Desk {
    /// Add two numbers.
    #[mcp_tool(read_only_hint)]
    async fn add(
        &self,
        /// The first.
        a: i64,
        /// The second.
        b: i64,
    ) -> i64 {
        bench_workloads::add(&Summands { a, b })
    }

    /// Place an order.
    #[mcp_tool]
    async fn order(
        &self,
        /// Number of the order.
        id: String,
        /// Who orders.
        customer: String,
        /// Where to.
        ship_to: Address,
        /// What is ordered.
        items: Vec<Item>,
    ) -> Order {
        orders::order(orders::Arguments { id, customer, ship_to, items })
    }

    /// Search all files.
    #[mcp_tool(read_only_hint)]
    async fn search(&self, #[mcp_tool(arguments)] query: Query) -> Hits {
        searches::search(&query)
    }

    /// Give a text back.
    #[mcp_tool(read_only_hint)]
    async fn text(
        &self,
        /// The text.
        text: String,
    ) -> String {
        text
    }

    /// Convert a length.
    #[mcp_tool(read_only_hint)]
    async fn convert(
        &self,
        /// How long.
        length: f64,
        /// The unit it is given in.
        from: Unit,
        /// The unit that is asked for.
        to: Unit,
    ) -> f64 {
        bench_workloads::convert(&Conversion { length, from, to })
    }
}

/// A tool with a prefix and with schemas that no other tool has.
pub(crate) struct Apart {
    pub(crate) prefix: String,
    pub(crate) tool: Box<dyn ToolHandler>,
}

impl ToolHandler for Apart {
    fn definition(&self) -> mcp::Tool {
        let mut tool = self.tool.definition();
        tool.name.insert_str(0, &self.prefix);
        for schema in [Some(&mut tool.input_schema), tool.output_schema.as_mut()].into_iter().flatten() {
            schema["$comment"] = self.prefix.as_str().into();
        }
        tool
    }

    fn call<'a>(&'a self, cx: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        self.tool.call(cx, arguments)
    }

    fn metadata(&self) -> ToolMetadata {
        self.tool.metadata()
    }
}
