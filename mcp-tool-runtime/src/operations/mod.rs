//! What the operator of a server needs: a record of each call, limits, and a selection of the tools to serve.
//!
//! A function for [`DispatcherBuilder::on_call`](crate::DispatcherBuilder::on_call) gets a [`CallRecord`] for each
//! call, and a [`Selection`] keeps some of the tools. The guide [`operating`](crate::guide::operating) has recipes for
//! metrics and audit logs.

// `record` has the record that an operator reads. `open` has the record of a call that has not ended yet: if it is
// dropped, the call counts as ended. `limit` counts the calls of each caller.
//
// Imports from `arguments`, `ask`, `call`, `json`, `log` and `output`.

mod limit;
pub(crate) mod open;
mod record;
mod selection;

pub(crate) use limit::{Limit, Rate};
pub(crate) use open::{Observers, OpenRecord};
pub(crate) use record::RecordedTool;
pub use record::{CallRecord, Carrier, Outcome};
pub use selection::{Selection, SelectionError};
