//! A service whose tools are in several files: the main block lists the parts, and has no tool of its own.

use mcp_tool_runtime::{CallToolRequest, Dispatcher, mcp_tools};
use serde_json::json;

use crate::run::{built, exact, now, value};

pub(crate) struct Office {
    pub(crate) name: &'static str,
}

#[mcp_tools(parts(sheets, calendar))]
impl Office {
    fn greeting(&self) -> String {
        format!("hello from {}", self.name)
    }
}

mod sheets {
    use super::{Office, mcp_tools};

    #[mcp_tools(part = sheets, tags("sheets"))]
    impl Office {
        /// Greet from the sheets.
        #[mcp_tool]
        async fn sheets_greet(&self) -> String {
            self.greeting()
        }
    }
}

mod calendar {
    use super::{Office, mcp_tools};

    #[mcp_tools(part = calendar, tags("calendar"))]
    impl Office {
        /// Greet from the calendar.
        #[mcp_tool]
        async fn calendar_greet(&self) -> String {
            self.greeting()
        }
    }
}

fn names(dispatcher: &Dispatcher) -> Vec<&str> {
    dispatcher.list().iter().map(|tool| tool.name.as_str()).collect()
}

#[test]
fn the_main_block_of_a_service_needs_no_tool_beside_its_parts() {
    let dispatcher = built(exact().service(Office { name: "Kiel" }));
    assert_eq!(names(&dispatcher), ["sheets_greet", "calendar_greet"]);
    assert_eq!(value(&dispatcher, "calendar_greet", json!({})), json!("hello from Kiel"));
}

#[test]
fn a_setting_of_the_server_hides_the_parts_that_are_off() {
    let enabled = ["sheets"];
    let office = Office { name: "Kiel" };
    let builder = exact().service(office);
    let dispatcher = built(builder.visible(move |tool, _| enabled.iter().any(|tag| tool.tags().contains(tag))));
    let request = CallToolRequest::new("calendar_greet", json!({}));
    assert!(now(dispatcher.call(request)).is_err());
    assert_eq!(value(&dispatcher, "sheets_greet", json!({})), json!("hello from Kiel"));
}

struct Ledger<T>(T);

#[mcp_tools(
    prefix = "ledger_",
    tags("admin"),
    scopes("ledger"),
    limit = "1/min",
    read_only_hint = false,
    parts(open, closed)
)]
impl<T: Send + Sync + 'static> Ledger<T> {
    /// Delete the ledger.
    #[mcp_tool]
    async fn delete(&self) {}
}

#[mcp_tools(part = open, prefix = "", tags(), scopes(), limit = "5/s", read_only_hint)]
impl<T: Send + Sync + 'static> Ledger<T> {
    /// Read the ledger.
    #[mcp_tool]
    async fn read(&self) -> usize {
        size_of_val(&self.0)
    }
}

#[mcp_tools(part = closed, prefix = "old_", tags("admin"), scopes("old"), limit = "1/min", read_only_hint = false)]
impl<T: Send + Sync + 'static> Ledger<T> {
    /// Delete an old ledger.
    #[mcp_tool]
    async fn delete_old(&self) {}
}

#[test]
fn a_part_repeats_the_keys_of_the_main_block_or_differs_from_them() {
    let builder = || exact().service(Ledger(7_u8)).scopes_are_read();
    let all = built(builder().visible(|_, _| true));
    assert_eq!(names(&all), ["ledger_delete", "read", "old_delete_old"]);
    let open = built(builder().visible(|tool, _| tool.tags().is_empty() && tool.scopes().is_empty()));
    assert_eq!(names(&open), ["read"]);
}
