//! The environment variables that a server reads, declared once for help, `serve`, `install` and `package`.

use super::{Cli, Io};

/// An environment variable that the server reads. It is required unless [`optional`](Self::optional) says otherwise.
///
/// ```
/// use mcp_tool_runtime::{Dispatcher, cli::{Cli, Io, Variable}};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), mcp_tool_runtime::BuildError> {
/// let cli = Cli::new(Dispatcher::builder().build()?).variables([
///     Variable::secret("WEATHER_TOKEN").described("A key from weather.example/keys"),
///     Variable::new("WEATHER_UNITS").optional(),
/// ]);
/// let io = Io::captured("").with_variables([("WEATHER_UNITS", "metric")]);
/// cli.run_with(["serve"], &io).await;
/// assert!(io.errors().contains("WEATHER_TOKEN: A key from weather.example/keys"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use = "variables are declared with `Cli::variables`"]
pub struct Variable {
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) is_required: bool,
    pub(super) is_secret: bool,
}

impl Variable {
    /// Declares a variable.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), description: None, is_required: true, is_secret: false }
    }

    /// Declares a variable whose value must stay secret, such as a token. Clients hide it.
    pub fn secret(name: impl Into<String>) -> Self {
        Self { is_secret: true, ..Self::new(name) }
    }

    /// Says what the variable is for, and where people get its value.
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Lets the server run without the variable.
    pub fn optional(mut self) -> Self {
        self.is_required = false;
        self
    }

    /// Writes the name, and what the variable is for.
    pub(super) fn line(&self) -> String {
        let Self { name, description, is_required, .. } = self;
        let optional = if *is_required { "" } else { " (optional)" };
        description.as_ref().map_or_else(|| format!("{name}{optional}"), |text| format!("{name}{optional}: {text}"))
    }

    /// Asks for a value on the terminal. Returns `None` without a terminal, and for an empty answer.
    pub(super) fn ask(&self, io: &Io) -> Option<String> {
        if !io.can_ask() {
            return None;
        }
        io.tell(&format!("{}\n> ", self.line()));
        io.read_line().filter(|answer| !answer.is_empty())
    }
}

impl Cli {
    /// Declares the environment variables that the server reads.
    ///
    /// `--help` lists them. `serve` does not start without the required ones, and names all that are missing. `install`
    /// asks for them, and `package` tells registries and clients to.
    ///
    /// ```
    /// use mcp_tool_runtime::{Dispatcher, cli::{Cli, Variable}};
    ///
    /// let cli = Cli::new(Dispatcher::builder().build()?)
    ///     .variables([Variable::secret("WEATHER_TOKEN").described("A key from weather.example/keys")]);
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn variables(mut self, variables: impl IntoIterator<Item = Variable>) -> Self {
        self.variables.extend(variables);
        self
    }

    /// Returns an error if there are required variables without a value.
    pub(super) fn lack(&self, has_value: impl Fn(&Variable) -> bool) -> Option<String> {
        let lacking = self.variables.iter().filter(|variable| variable.is_required && !has_value(variable));
        let lines = lacking.fold(String::new(), |lines, variable| lines + "\n  " + &variable.line());
        (!lines.is_empty()).then(|| format!("these environment variables need a value:{lines}"))
    }

    /// Returns the section of the help about variables.
    pub(super) fn help_of_variables(&self) -> String {
        let lines = self.variables.iter().fold(String::new(), |lines, variable| lines + "\n  " + &variable.line());
        if lines.is_empty() { lines } else { format!("\n\nEnvironment variables of the server:{lines}") }
    }
}
