//! A progress report, and the traits of the arguments of `CallContext::progress`.

/// One progress report of a call.
///
/// ```
/// use mcp_tool_runtime::{json, CallToolRequest};
///
/// let request = CallToolRequest::new("import", json!({})).with_progress(|progress| {
///     println!("{} of {:?}: {:?}", progress.done, progress.total, progress.message);
/// });
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The amount done so far. It increases with each report.
    pub done: f64,
    /// The total amount, if known.
    pub total: Option<f64>,
    /// A message for people.
    pub message: Option<String>,
    /// `true` if the report comes from the server, not from the tool, and says only that the call is still running.
    pub(crate) is_heartbeat: bool,
}

/// An amount of work: a float or an integer. Integers above 2⁵³ may be rounded.
pub trait Amount {
    #[doc(hidden)]
    fn into_amount(self) -> f64;
}

/// The total amount of work: a float, an integer, or an `Option<f64>`, which is `None` if the total is not known.
pub trait Total {
    #[doc(hidden)]
    fn into_total(self) -> Option<f64>;
}

/// The message of a report: a `&str`, a `String` or an `Option<String>`.
pub trait Message {
    #[doc(hidden)]
    fn into_message(self) -> Option<String>;
}

macro_rules! amounts {
    ($($number:ty)*) => {$(
        #[allow(clippy::cast_precision_loss, clippy::cast_lossless, reason = "progress is for people")]
        impl Amount for $number {
            fn into_amount(self) -> f64 {
                self as f64
            }
        }

        impl Total for $number {
            fn into_total(self) -> Option<f64> {
                Some(self.into_amount())
            }
        }
    )*};
}

amounts!(f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

// `Total` and `Message` are each implemented for one `Option` type only, so that `None` needs no type annotation.
impl Total for Option<f64> {
    fn into_total(self) -> Self {
        self
    }
}

impl Message for Option<String> {
    fn into_message(self) -> Self {
        self
    }
}

impl Message for String {
    fn into_message(self) -> Option<Self> {
        Some(self)
    }
}

impl Message for &str {
    fn into_message(self) -> Option<String> {
        Some(self.to_owned())
    }
}
