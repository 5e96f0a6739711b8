//! What a rule decides about a tool and a caller.

use super::info::ToolInfo;

/// What a rule of [`visible_to`](crate::DispatcherBuilder::visible_to) decides. `true` means [`Shown`](Self::Shown), and `false`
/// means [`Hidden`](Self::Hidden).
///
/// If a tool has several rules, one that hides the tool wins over one that refuses it, and the first one that refuses it wins over
/// those that show it.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher, Visibility};
///
/// struct Claims { is_pro: bool }
///
/// /// Export all orders.
/// #[mcp_tool(tags("pro"))]
/// async fn export_orders() -> &'static str {
///     "done"
/// }
///
/// let dispatcher = Dispatcher::builder()
///     .tools(tools![export_orders])
///     .visible_to::<Claims>(|tool, claims| match claims {
///         None => Visibility::Hidden,
///         Some(claims) if tool.tags().contains("pro") && !claims.is_pro => Visibility::Refused("needs the plan Pro"),
///         Some(_) => Visibility::Shown,
///     })
///     .build()?;
///
/// let request = CallToolRequest::new("export_orders", json!({})).with_extension(Claims { is_pro: false });
/// assert_eq!(dispatcher.call(request).await?.error().unwrap().message(), "needs the plan Pro");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Visibility {
    /// The caller sees the tool and can call it.
    Shown,
    /// For this caller, the tool does not exist.
    Hidden,
    /// The caller sees the tool. A call does not run, and gets an error result with this text and the code `refused`.
    Refused(&'static str),
    /// The same as [`Refused`](Self::Refused), with a text that the rule writes for this caller.
    RefusedWith(String),
}

/// The code of the error of a refused call.
pub(crate) const REFUSED: &str = "refused";

impl Visibility {
    /// Returns the text of a refusal.
    pub(crate) fn refusal(&self) -> Option<&str> {
        match self {
            Self::Shown | Self::Hidden => None,
            Self::Refused(text) => Some(text),
            Self::RefusedWith(text) => Some(text),
        }
    }
}

impl From<bool> for Visibility {
    fn from(is_shown: bool) -> Self {
        if is_shown { Self::Shown } else { Self::Hidden }
    }
}

/// A rule about the claims of a caller: a function that returns a [`Visibility`] or a `bool`. See
/// [`DispatcherBuilder::visible_to`](crate::DispatcherBuilder::visible_to).
// The function is a supertrait, so that rustc knows the types of a closure's parameters.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a rule about a tool and its caller",
    note = "help: write `|tool, claims| …`, and return a `bool` or a `Visibility`"
)]
pub trait VisibilityRule<C>:
    Fn(&ToolInfo, Option<&C>) -> <Self as VisibilityRule<C>>::Decision + Send + Sync + 'static
{
    #[doc(hidden)]
    type Decision: Into<Visibility>;
}

#[diagnostic::do_not_recommend]
impl<C, F, D> VisibilityRule<C> for F
where
    F: Fn(&ToolInfo, Option<&C>) -> D + Send + Sync + 'static,
    D: Into<Visibility>,
{
    type Decision = D;
}
