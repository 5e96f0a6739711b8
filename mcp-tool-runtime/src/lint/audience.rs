//! A matrix of callers and tools.

use std::fmt::{self, Write as _};

use serde::{Serialize, Serializer};

use crate::{Dispatcher, Extensions, Visibility, mcp};

/// Asks the rules of a dispatcher what each of these callers may do with each tool.
///
/// Compare the answer with an earlier one in a test, so that a change of a rule or a tag shows in the review:
///
/// ```
/// use mcp_tool_runtime::{json, lint, mcp_tool, serde_json, tools, Dispatcher, Extensions, Visibility};
///
/// struct Claims { plan: &'static str }
///
/// /// List orders.
/// #[mcp_tool]
/// async fn list_orders() {}
///
/// /// Export all orders.
/// #[mcp_tool(tags("pro"))]
/// async fn export_orders() {}
///
/// let dispatcher = Dispatcher::builder()
///     .tools(tools![list_orders, export_orders])
///     .visible_to::<Claims>(|tool, claims| match claims {
///         Some(claims) if tool.tags().contains("pro") && claims.plan != "pro" => Visibility::Refused("needs the plan Pro"),
///         _ => claims.is_some().into(),
///     })
///     .build()?;
///
/// let mut ann = Extensions::new();
/// ann.insert(Claims { plan: "free" });
/// let audience = lint::audience(&dispatcher, &[("ann", ann), ("nobody", Extensions::new())]);
/// assert_eq!(
///     audience.to_string(),
///     "\
/// tool           ann      nobody
/// list_orders    shown    hidden
/// export_orders  refused  hidden
/// ",
/// );
/// assert_eq!(
///     serde_json::to_value(&audience)?,
///     json!({
///         "list_orders": {"ann": "shown", "nobody": "hidden"},
///         "export_orders": {"ann": "refused: needs the plan Pro", "nobody": "hidden"},
///     }),
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn audience(dispatcher: &Dispatcher, callers: &[(impl AsRef<str>, Extensions)]) -> Audience {
    let row = |tool: &mcp::Tool| {
        let of_caller = |(_, extensions): &(_, Extensions)| dispatcher.visibility_of(&tool.name, extensions);
        (tool.name.clone(), callers.iter().map(of_caller).collect())
    };
    Audience {
        callers: callers.iter().map(|(caller, _)| caller.as_ref().to_owned()).collect(),
        rows: dispatcher.list().iter().map(row).collect(),
    }
}

/// What callers may do with the tools of a server. [`audience`] returns it.
///
/// `Display` writes a table with a row for each tool, in the order of registration. `Debug` writes the same, so that a failed
/// `assert_eq!` is readable. The serialized form is a map from tools to callers, and contains the texts of refusals.
#[derive(Clone, PartialEq, Eq)]
pub struct Audience {
    callers: Vec<String>,
    /// Each tool, with what each caller may do with it.
    rows: Vec<(String, Vec<Visibility>)>,
}

impl Audience {
    /// Returns what a caller may do with a tool, or `None` if there is no such caller or tool.
    #[must_use]
    pub fn get(&self, caller: &str, tool: &str) -> Option<&Visibility> {
        let caller = self.callers.iter().position(|known| known == caller)?;
        self.rows.iter().find(|(name, _)| name == tool)?.1.get(caller)
    }
}

/// Returns one word for a cell of the table.
fn word(visibility: &Visibility) -> &'static str {
    match visibility {
        Visibility::Shown => "shown",
        Visibility::Hidden => "hidden",
        Visibility::Refused(_) | Visibility::RefusedWith(_) => "refused",
    }
}

impl fmt::Display for Audience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |text: &str| text.chars().count();
        let tools = self.rows.iter().map(|(tool, _)| width(tool)).chain([4]).max().unwrap_or(0);
        // The last column is not padded.
        let mut line = |tool: &str, cells: &mut dyn Iterator<Item = &str>| {
            let mut line = format!("{tool:tools$}");
            for (caller, cell) in self.callers.iter().zip(cells) {
                // Writing to a string cannot fail.
                let _ = write!(line, "  {cell:width$}", width = width(caller).max(7));
            }
            writeln!(f, "{}", line.trim_end())
        };
        line("tool", &mut self.callers.iter().map(String::as_str))?;
        self.rows.iter().try_for_each(|(tool, row)| line(tool, &mut row.iter().map(word)))
    }
}

debug_by_display!(Audience);

impl Serialize for Audience {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = |visibility: &Visibility| match visibility.refusal() {
            Some(text) => format!("refused: {text}"),
            None => word(visibility).to_owned(),
        };
        serializer.collect_map(self.rows.iter().map(|(tool, row)| {
            let cells = self.callers.iter().zip(row).map(|(caller, cell)| (caller.clone(), text(cell).into()));
            (tool, cells.collect::<serde_json::Map<String, serde_json::Value>>())
        }))
    }
}
