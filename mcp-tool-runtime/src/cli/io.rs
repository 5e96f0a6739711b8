//! The streams of a command, and how answers and messages are written to them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Read, Write};
use std::sync::{Arc, Mutex};

use super::{FAILURE, SUCCESS, USAGE};
use crate::call::lock;

/// The assumed width of a terminal that does not report one.
const DEFAULT_COLUMNS: usize = 100;

/// The streams that a command reads from and writes to.
///
/// [`Cli::run`](super::Cli::run) uses the streams of the process. A test uses [`captured`](Self::captured):
///
/// ```
/// use mcp_tool_runtime::{Dispatcher, cli::{Cli, Io}};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let cli = Cli::new(Dispatcher::builder().info("weather", "1.0.0").build()?);
/// let io = Io::captured("");
/// cli.run_with(["--version"], &io).await;
/// assert_eq!(io.output(), "weather 1.0.0\n");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use]
pub struct Io {
    /// The streams of a test, or `None` for the streams of the process.
    captured: Option<Arc<Mutex<Captured>>>,
    /// The width of the terminal that standard output goes to, if any.
    pub(super) output_width: Option<usize>,
    /// The width of the terminal that standard error goes to, if any.
    pub(super) error_width: Option<usize>,
    pub(super) input_is_terminal: bool,
    pub(super) colors: Colors,
    /// Whether the terminal can move its cursor, so that progress can be drawn.
    pub(super) moves_cursor: bool,
    /// The environment variables of a test, or `None` to read those of the process.
    variables: Option<Arc<BTreeMap<String, String>>>,
}

/// Whether standard output and standard error get colors.
#[derive(Clone, Copy, Default)]
pub(super) struct Colors {
    pub(super) output: bool,
    pub(super) errors: bool,
}

#[derive(Default)]
struct Captured {
    input: io::Cursor<Vec<u8>>,
    output: Vec<u8>,
    errors: Vec<u8>,
}

impl Io {
    /// Returns the standard streams of the process.
    ///
    /// A terminal gets colors unless `NO_COLOR` has a value, `CLICOLOR` is `0` or `TERM` is `dumb`. With `TERM=dumb`,
    /// progress is not drawn either.
    pub fn process() -> Self {
        let columns = |size: Option<(terminal_size::Width, terminal_size::Height)>| {
            size.map_or(DEFAULT_COLUMNS, |(width, _)| usize::from(width.0).max(20))
        };
        let output_width = io::stdout().is_terminal().then(|| columns(terminal_size::terminal_size_of(io::stdout())));
        let error_width = io::stderr().is_terminal().then(|| columns(terminal_size::terminal_size_of(io::stderr())));
        let [no_color, cli_color, term] = ["NO_COLOR", "CLICOLOR", "TERM"].map(std::env::var_os);
        let moves_cursor = term.is_none_or(|term| term != "dumb");
        let is_off = no_color.is_some_and(|value| !value.is_empty()) || cli_color.is_some_and(|value| value == "0");
        let has_colors = moves_cursor && !is_off;
        Self {
            captured: None,
            output_width,
            error_width,
            input_is_terminal: io::stdin().is_terminal(),
            colors: Colors {
                output: has_colors && output_width.is_some(),
                errors: has_colors && error_width.is_some(),
            },
            moves_cursor,
            variables: None,
        }
    }

    /// Returns in-memory streams for tests. The command reads `input` as its standard input. None of the streams is a
    /// terminal.
    pub fn captured(input: impl Into<Vec<u8>>) -> Self {
        let captured = Captured { input: io::Cursor::new(input.into()), ..Captured::default() };
        Self {
            captured: Some(Arc::new(Mutex::new(captured))),
            output_width: None,
            error_width: None,
            input_is_terminal: false,
            colors: Colors::default(),
            moves_cursor: true,
            variables: None,
        }
    }

    /// Replaces the environment variables of the process, for tests of `install` and of [`Variable`](super::Variable)s.
    ///
    /// ```
    /// use mcp_tool_runtime::cli::Io;
    ///
    /// let io = Io::captured("").with_variables([("HOME", "/home/ann")]);
    /// ```
    pub fn with_variables<K: Into<String>, V: Into<String>>(self, variables: impl IntoIterator<Item = (K, V)>) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into()));
        Self { variables: Some(Arc::new(variables.collect())), ..self }
    }

    /// Returns the value of an environment variable.
    pub(super) fn variable(&self, name: &str) -> Option<String> {
        match &self.variables {
            Some(variables) => variables.get(name).cloned(),
            None => std::env::var(name).ok(),
        }
    }

    /// Treats all streams as a terminal of this width, without colors.
    ///
    /// ```
    /// use mcp_tool_runtime::cli::Io;
    ///
    /// let narrow = Io::captured("yes\n").with_terminal(40);
    /// ```
    pub fn with_terminal(mut self, columns: usize) -> Self {
        self.output_width = Some(columns);
        self.error_width = Some(columns);
        self.input_is_terminal = true;
        self
    }

    /// Returns what was written to the captured output. It is empty for the streams of the process.
    pub fn output(&self) -> String {
        self.captured_text(|captured| &captured.output)
    }

    /// Returns what was written to the captured error stream. It is empty for the streams of the process.
    pub fn errors(&self) -> String {
        self.captured_text(|captured| &captured.errors)
    }

    fn captured_text(&self, of: fn(&Captured) -> &Vec<u8>) -> String {
        let text = |captured: &Arc<_>| String::from_utf8_lossy(of(&lock(captured))).into_owned();
        self.captured.as_ref().map(text).unwrap_or_default()
    }

    pub(super) fn is_process(&self) -> bool {
        self.captured.is_none()
    }

    /// Returns a copy of these streams with the colors that `--color` asks for.
    pub(super) fn with_color(&self, when: Option<&str>) -> Self {
        let colors = match when {
            Some("always") => Colors { output: true, errors: true },
            Some("never") => Colors::default(),
            _ => self.colors,
        };
        Self { colors, ..self.clone() }
    }

    /// Returns `true` if a person can read a question on standard error and answer it on standard input.
    pub(super) fn can_ask(&self) -> bool {
        self.input_is_terminal && self.error_width.is_some()
    }

    /// Writes to standard output. It is not an error if the reader stops early, as `head` does.
    pub(super) fn write(&self, text: impl AsRef<[u8]>) -> io::Result<()> {
        let text = text.as_ref();
        let written = match &self.captured {
            None => {
                let mut output = io::stdout().lock();
                output.write_all(text).and_then(|()| output.flush())
            }
            Some(captured) => lock(captured).output.write_all(text),
        };
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            written => written,
        }
    }

    /// Writes a message to standard error. If that fails, there is nobody to tell.
    pub(super) fn tell(&self, text: &str) {
        match &self.captured {
            None => drop(io::stderr().write_all(text.as_bytes())),
            Some(captured) => lock(captured).errors.extend_from_slice(text.as_bytes()),
        }
    }

    /// Reads a line of the input, without its line break. Returns `None` at the end of the input or on a read error.
    pub(super) fn read_line(&self) -> Option<String> {
        let mut line = String::new();
        let length = match &self.captured {
            None => io::stdin().read_line(&mut line),
            Some(captured) => io::BufRead::read_line(&mut lock(captured).input, &mut line),
        };
        length.is_ok_and(|length| length > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())
    }

    /// Reads a line. On Unix, a terminal does not show the line. Returns `None` at the end of the input, on a read
    /// error, or if the terminal cannot hide the line.
    pub(super) fn read_secret(&self) -> Option<String> {
        #[cfg(unix)]
        if self.is_process() {
            use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
            let shown = tcgetattr(io::stdin()).ok()?;
            let mut hidden = shown.clone();
            hidden.local_modes.remove(LocalModes::ECHO);
            hidden.local_modes.insert(LocalModes::ECHONL);
            tcsetattr(io::stdin(), OptionalActions::Now, &hidden).ok()?;
            let line = self.read_line();
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &shown);
            return line;
        }
        self.read_line()
    }

    /// Reads standard input, or the captured input, to its end.
    pub(super) fn read_to_end(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        match &self.captured {
            None => io::stdin().lock().read_to_end(&mut bytes)?,
            Some(captured) => lock(captured).input.read_to_end(&mut bytes)?,
        };
        Ok(bytes)
    }

    /// Prints the answer of a command. Escapes control characters on a terminal.
    pub(super) fn print(&self, text: &str) -> u8 {
        self.print_styled(&escaped(text, self.output_width.is_some()))
    }

    /// Prints JSON, TOML or YAML. On a terminal, control characters become `\u` escapes, which mean the same.
    pub(super) fn print_json(&self, json: &str) -> u8 {
        let escape = |c: char| if is_control(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
        if self.output_width.is_none() || !json.contains(is_control) {
            return self.print_styled(json);
        }
        self.print_styled(&json.chars().map(escape).collect::<String>())
    }

    /// Prints an answer with colors. The caller must have passed all text from tools through [`escaped`].
    pub(super) fn print_styled(&self, text: &str) -> u8 {
        match self.write(text) {
            Ok(()) => SUCCESS,
            Err(error) => self.fail(&format!("the output cannot be written: {error}")),
        }
    }

    /// Reports a failure, and returns its exit code.
    pub(super) fn fail(&self, problem: &str) -> u8 {
        self.error(problem);
        FAILURE
    }

    /// Reports a wrong command line, and returns the exit code for it.
    pub(super) fn usage_error(&self, problem: &str) -> u8 {
        self.error(problem);
        USAGE
    }

    /// Writes an error to standard error.
    pub(super) fn error(&self, problem: &str) {
        self.tell(&format!("{} {}\n", self.label("error", "1;31"), escaped(problem, self.error_width.is_some())));
    }

    /// Writes a line of further information, such as how to fix an error.
    pub(super) fn note(&self, name: &str, text: &str) {
        let text = escaped(text, self.error_width.is_some()).replace('\n', "\n    ");
        self.tell(&format!("  {} {text}\n", self.label(name, "1")));
    }

    fn label(&self, name: &str, style: &str) -> String {
        if self.colors.errors { format!("\x1b[{style}m{name}:\x1b[0m") } else { format!("{name}:") }
    }
}

/// Escapes control characters, for example as `\u{1b}`, if the text is for a terminal. Otherwise, text from an
/// untrusted source could move the cursor, change the window title, write to the clipboard or reverse the order of the
/// letters.
pub(super) fn escaped(text: &str, is_for_terminal: bool) -> Cow<'_, str> {
    if !is_for_terminal || !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("\r\n", "\n");
    let letters = |c: char| if is_control(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(letters).collect()
}

/// Returns `true` for a character that controls a terminal or changes the direction of text.
pub(super) fn is_control(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Writes a number and a noun, such as `2 tools`.
pub(super) fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Says which values are accepted instead of `text`.
pub(super) fn expected_one_of(values: &[impl AsRef<str>], text: &str) -> String {
    let values: Vec<_> = values.iter().map(|value| format!("\"{}\"", value.as_ref())).collect();
    format!("expected one of {}, got \"{text}\"", values.join(", "))
}

debug_struct!(Io, io => is_process: io.is_process());
