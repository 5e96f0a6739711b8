//! A file that holds a server to what it has published.
//!
//! Clients are written, and prompts tuned, against the tools of a server as they were. [`check`] in a test fails when a
//! tool has changed in a way that breaks them: it takes less than it did, it promises less of its result, or it is gone.
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
//! The file is written on request alone, and belongs into version control:
//!
//! ```console
//! $ MCP_TOOL_CONTRACT=write cargo test
//! ```
//!
//! # What breaks a client
//!
//! | change | of arguments | of results |
//! | --- | --- | --- |
//! | a tool is gone | breaks | breaks |
//! | a member becomes required | breaks | passes |
//! | a member becomes optional | passes | breaks |
//! | fewer values are admitted | breaks | passes |
//! | more values are admitted | passes | breaks |
//! | a new optional member, unless others were expressly admitted | passes | passes |
//! | other members than the described are no longer ignored | breaks | passes |
//! | the schema of the result is gone | | breaks |
//! | an argument is to be repeated in a header, or in another one (`x-mcp-header`) | breaks | |
//! | descriptions, titles, examples, defaults, hints, a new tool | passes | passes |
//!
//! A header breaks clients only until they list the tools again: until then a request of 2026-07-28 that has the argument
//! and not the header is refused over HTTP.
//!
//! Schemas are compared by what they admit, not by their text. Where that cannot be told (a pattern that became another
//! one, say, or a changed `if`) the change is a break to be looked at: written anew, the file accepts it.

mod canonical;
mod conjunction;
mod fingerprint;
mod keywords;
mod lock;
mod numbers;
mod references;
#[cfg(all(test, feature = "validate"))]
mod tests;
mod within;

use std::fmt;
use std::path::{Path, PathBuf};

pub use fingerprint::Fingerprint;

use crate::Dispatcher;
use lock::Lock;

/// What asks for the file to be written.
const VARIABLE: &str = "MCP_TOOL_CONTRACT";

/// Why [`check`] fails.
///
/// `Debug` shows the same words as `Display`, so that `check(…).unwrap()` in a test can be read.
#[derive(Clone, PartialEq, Eq)]
pub struct ContractError {
    message: String,
    breaks: Vec<String>,
}

impl ContractError {
    /// What breaks clients, each with the tool and the place; empty when the file could not be read.
    #[must_use]
    pub fn breaks(&self) -> &[String] {
        &self.breaks
    }

    fn of_file(path: &Path, problem: impl fmt::Display) -> Self {
        Self { message: format!("the contract `{}` {problem}", path.display()), breaks: Vec::new() }
    }
}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.breaks.iter().try_for_each(|one| write!(f, "\n- {one}"))?;
        if !self.breaks.is_empty() {
            write!(f, "\nto accept this, write the contract anew: {VARIABLE}=write cargo test")?;
        }
        Ok(())
    }
}

impl fmt::Debug for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for ContractError {}

/// Holds the tools against the contract in a file.
///
/// A relative path starts at the package whose test is running. With `MCP_TOOL_CONTRACT=write` in the environment the
/// file is written in place of being read.
///
/// # Errors
///
/// When a tool has changed in a way that breaks clients; when there is no such file, or it is not a contract.
pub fn check(dispatcher: &Dispatcher, path: impl AsRef<Path>) -> Result<(), ContractError> {
    if std::env::var_os(VARIABLE).is_some_and(|value| value == "write") {
        return write(dispatcher, path);
    }
    let path = located(path.as_ref());
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let problem = format!("does not exist; write it: {VARIABLE}=write cargo test");
            return Err(ContractError::of_file(&path, problem));
        }
        Err(error) => return Err(ContractError::of_file(&path, format!("cannot be read: {error}"))),
    };
    let then = Lock::parse(&text).map_err(|fault| ContractError::of_file(&path, fault))?;
    let breaks = then.breaks(&Lock::of(dispatcher.list()));
    if breaks.is_empty() {
        return Ok(());
    }
    Err(ContractError { breaks, ..ContractError::of_file(&path, "is broken:") })
}

/// Writes the contract as the tools are now.
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
/// assert_eq!(error.breaks(), ["tool `add`, argument `b`: it was optional and is required"]);
/// # std::fs::remove_file(path)?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// When the file cannot be written.
pub fn write(dispatcher: &Dispatcher, path: impl AsRef<Path>) -> Result<(), ContractError> {
    let path = located(path.as_ref());
    let text = Lock::of(dispatcher.list()).to_text();
    std::fs::write(&path, text).map_err(|error| ContractError::of_file(&path, format!("cannot be written: {error}")))
}

/// The path as seen from the package that is being tested.
fn located(path: &Path) -> PathBuf {
    match std::env::var_os("CARGO_MANIFEST_DIR") {
        Some(package) => Path::new(&package).join(path),
        None => path.to_owned(),
    }
}
