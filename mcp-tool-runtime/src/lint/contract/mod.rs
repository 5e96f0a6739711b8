//! Checks that changes to the tools do not break clients.
//!
//! Clients and prompts depend on the tools that a server has published. A test that calls [`check`] fails if a change
//! breaks them: a tool accepts fewer arguments than before, promises less about its result, or is gone.
//!
//! ```no_run
//! use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, contract};
//!
//! /// Add two numbers.
//! #[mcp_tool]
//! async fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! #[test]
//! fn no_client_is_broken() {
//!     let dispatcher = Dispatcher::builder().tools(tools![add]).build().unwrap();
//!     contract::check(&dispatcher, "tools.lock.json").unwrap();
//! }
//! # fn main() {}
//! ```
//!
//! Keep the file in version control. It is written only on request:
//!
//! ```console
//! $ MCP_TOOL_CONTRACT=write cargo test
//! ```
//!
//! # What breaks a client
//!
//! | change | in arguments | in results |
//! | --- | --- | --- |
//! | a tool is gone or renamed | breaks | breaks |
//! | a tool or an argument is renamed, and its old name is in `formerly` | passes | passes |
//! | a name is taken out of `formerly`, or leads to another argument now | breaks | |
//! | a tool now requires tasks (`task = "required"`) | breaks | breaks |
//! | a property becomes required | breaks | passes |
//! | a property becomes optional | passes | breaks |
//! | fewer values are accepted | breaks | passes |
//! | more values are accepted | passes | breaks |
//! | a new optional property, if the schema did not describe additional properties | passes | passes |
//! | additional properties are no longer ignored | breaks | passes |
//! | a described property is removed, and additional properties are still ignored or allowed | breaks | breaks |
//! | the schema of the result is removed | | breaks |
//! | for clients older than 2026-07-28, the result is now, or is no longer, wrapped in `result` | | breaks |
//! | an argument gets a header, or a different header (`x-mcp-header`) | breaks | |
//! | descriptions, titles, examples, defaults, hints, a new tool | passes | passes |
//!
//! | change to a question for the user (feature `ask`) | |
//! | --- | --- |
//! | a new question, even if it replaces an argument: a client that cannot ask can no longer use the tool | breaks |
//! | the answer to a question was optional for the tool, and is now required | breaks |
//! | a `Consent` becomes another type of answer, or another type becomes a `Consent` | breaks |
//! | the form accepts fewer answers than before, or clients that use version 2025-06-18 can no longer show it | breaks |
//! | a question is removed, or its answer is now optional for the tool | passes |
//! | the text of a question, `sealed`, the order of questions, a form that accepts more answers | passes |
//!
//! A new header breaks clients only until they list the tools again. Until then, they send the argument without the
//! header, and the server rejects such calls over HTTP with protocol version 2026-07-28.
//!
//! Schemas are compared keyword by keyword. A change that no rule covers, such as a different `pattern` or `if`, *may*
//! break clients: the error shows the old and the new value. Review these changes too. To accept them, write the file
//! again.

mod comparison;
mod lock;
mod rules;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::Dispatcher;
use lock::Lock;

/// The environment variable that makes [`check`] write the file.
const VARIABLE: &str = "MCP_TOOL_CONTRACT";

/// The error of [`check`] and [`write()`].
///
/// `Debug` writes the same text as `Display`, so that the output of `check(…).unwrap()` in a test is readable.
///
/// ```
/// use mcp_tool_runtime::{contract, Dispatcher};
///
/// let error = contract::check(&Dispatcher::builder().build()?, "/no/such/file.json").unwrap_err();
/// assert!(error.errors().is_empty());
/// assert!(error.to_string().contains("does not exist; write it: MCP_TOOL_CONTRACT=write cargo test"));
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ContractError {
    message: String,
    errors: Vec<String>,
}

impl ContractError {
    /// Returns the changes that break clients or may break them, each with the tool and the position. The slice is
    /// empty if the file could not be read or written.
    pub fn errors(&self) -> &[String] {
        &self.errors
    }

    fn of_file(path: &Path, problem: impl fmt::Display) -> Self {
        Self { message: format!("the contract `{}` {problem}", path.display()), errors: Vec::new() }
    }
}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.errors.iter().try_for_each(|one| write!(f, "\n- {one}"))?;
        if !self.errors.is_empty() {
            write!(f, "\nto accept this, write the contract again: {VARIABLE}=write cargo test")?;
        }
        Ok(())
    }
}

debug_by_display!(ContractError);

impl std::error::Error for ContractError {}

/// Checks the tools against the contract in a file.
///
/// A relative path is resolved from the package whose test is running. If the environment variable `MCP_TOOL_CONTRACT`
/// is `write`, the function writes the file instead of reading it.
///
/// ```no_run
/// # fn dispatcher() -> mcp_tool_runtime::Dispatcher { mcp_tool_runtime::Dispatcher::builder().build().unwrap() }
/// mcp_tool_runtime::contract::check(&dispatcher(), "tools.lock.json").unwrap();
/// ```
///
/// # Errors
///
/// Returns an error if a tool has changed in a way that breaks clients, if the file cannot be read or written, or if it
/// is not a contract.
pub fn check(dispatcher: &Dispatcher, path: impl AsRef<Path>) -> Result<(), ContractError> {
    if std::env::var_os(VARIABLE).is_some_and(|value| value == "write") {
        return write(dispatcher, path);
    }
    compare(dispatcher, &resolve_path(path.as_ref()))
}

/// Checks the tools against the contract in a file, and ignores the environment variable.
pub(crate) fn compare(dispatcher: &Dispatcher, path: &Path) -> Result<(), ContractError> {
    let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("does not exist; write it: {VARIABLE}=write cargo test"),
        _ => format!("cannot be read: {error}"),
    });
    let published =
        text.and_then(|text| Lock::parse(&text)).map_err(|problem| ContractError::of_file(path, problem))?;
    let errors = published.breaks(&Lock::of(dispatcher));
    if errors.is_empty() {
        return Ok(());
    }
    Err(ContractError { errors, ..ContractError::of_file(path, "is broken:") })
}

/// Writes the contract of the current tools to a file.
///
/// ```
/// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, contract};
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: i64, b: Option<i64>) -> i64 {
///     a + b.unwrap_or_default()
/// }
///
/// mod later {
///     /// Add two numbers.
///     #[mcp_tool_runtime::mcp_tool]
///     pub async fn add(a: i64, b: i64) -> i64 {
///         a + b
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let path = std::env::temp_dir().join(format!("tools-{}.lock.json", std::process::id()));
/// contract::write(&Dispatcher::builder().tools(tools![add]).build()?, &path)?;
///
/// let later = Dispatcher::builder().tools(tools![later::add]).build()?;
/// let error = contract::check(&later, &path).unwrap_err();
/// assert_eq!(error.errors(), ["tool `add`, argument `b`: it was optional and is required"]);
/// # std::fs::remove_file(path)?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Returns an error if the file cannot be written.
pub fn write(dispatcher: &Dispatcher, path: impl AsRef<Path>) -> Result<(), ContractError> {
    let path = resolve_path(path.as_ref());
    let text = Lock::of(dispatcher).to_text();
    std::fs::write(&path, text).map_err(|error| ContractError::of_file(&path, format!("cannot be written: {error}")))
}

/// Resolves a relative path from the package whose test is running.
pub(crate) fn resolve_path(path: &Path) -> PathBuf {
    // Without a package, the path stays relative.
    PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join(path)
}
