//! `list`: a table of the tools.

use clap::ArgMatches;
use serde_json::json;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::command::first_line;
use super::io::{counted, escaped};
use super::{Cli, Io};
use crate::call::add_property;
use crate::json::violation::{hint, quote_name};
use crate::{ToolInfo, mcp};

impl Cli {
    pub(super) fn list(&self, matches: &ArgMatches, program: &str, io: &Io) -> u8 {
        let tags: Vec<_> = matches.get_many::<String>("tag").into_iter().flatten().collect();
        let is_chosen = |info: &ToolInfo| tags.is_empty() || tags.iter().any(|tag| info.tags().contains(tag));
        let sought = matches.get_one::<String>("text").map(|text| text.to_lowercase()).unwrap_or_default();
        let has_text = |tool: &mcp::Tool| {
            let texts = [Some(&tool.name), tool.title.as_ref(), tool.description.as_ref()];
            texts.into_iter().flatten().any(|text| text.to_lowercase().contains(&sought))
        };
        let tools = self.tools().filter(|(info, tool)| is_chosen(info) && has_text(tool));
        let tools: Vec<_> = tools.map(|(_, tool)| tool).collect();
        if matches.get_flag("json") {
            return io.print_json(&format!("{:#}\n", json!(tools)));
        }
        if let Some(name) = matches.get_one::<String>("schema") {
            return self.print_schemas(name, io);
        }
        let has_bytes = matches.get_flag("bytes");
        let bytes: Vec<_> = tools.iter().map(|tool| json!(tool).to_string().len()).collect();
        let digits = bytes.iter().max().map_or(0, |most| most.to_string().len());
        let rows = tools.iter().zip(&bytes).map(|(tool, bytes)| {
            // Escape before measuring, because an escape is wider than its character.
            let description = first_line(tool.description.as_deref().unwrap_or_default());
            let description = escaped(description, io.output_width.is_some()).into_owned();
            let mut hints = tool.annotations.as_ref().map(mcp::ToolAnnotations::words).unwrap_or_default();
            hints
                .extend(self.dispatcher.gate(&tool.name, &self.extensions).into_verdict().refusal().map(|_| "refused"));
            let bytes = has_bytes.then(|| format!("{bytes:>digits$} B"));
            [tool.name.clone()].into_iter().chain(bytes).chain([hints.join(" "), description]).collect()
        });
        let code = io.print(&table(&rows.collect::<Vec<_>>(), io.output_width));
        if has_bytes {
            let all: usize = bytes.iter().sum();
            io.tell(&format!("{all} bytes in {}\n", counted(tools.len(), "tool")));
        }
        if tools.is_empty() {
            let which = match (tags.is_empty(), sought.is_empty()) {
                (true, true) => "",
                (false, true) => " with such a tag",
                _ => " like this",
            };
            io.tell(&format!("{program} has no tools{which}\n"));
        }
        code
    }

    /// Reports an unknown name. Never suggests a hidden tool.
    pub(super) fn report_unknown(&self, name: &str, io: &Io) -> u8 {
        let hint = hint(name, self.tools().map(|(_, tool)| tool.name.as_str()));
        io.usage_error(&format!("unknown tool {}{hint}", quote_name(name)))
    }

    fn print_schemas(&self, name: &str, io: &Io) -> u8 {
        let Some(tool) = self.tool(name) else {
            return self.report_unknown(name, io);
        };
        let mut schemas = json!({"inputSchema": tool.input_schema});
        add_property(&mut schemas, "outputSchema", tool.output_schema.clone());
        io.print_json(&format!("{schemas:#}\n"))
    }
}

/// Aligns rows in columns. The last column is truncated to fit the width of the terminal. On a narrow terminal, the
/// column before the last is left out.
fn table(rows: &[Vec<String>], columns: Option<usize>) -> String {
    let last = rows.first().map_or(0, |row| row.len().saturating_sub(1));
    let mut widths: Vec<_> = (0..last).map(|at| rows.iter().map(|row| row[at].width()).max().unwrap_or(0)).collect();
    let left = |widths: &[usize]| {
        let used: usize = widths.iter().filter(|width| **width > 0).map(|width| width + 2).sum();
        columns.map(|columns| columns.saturating_sub(used))
    };
    if left(&widths).is_some_and(|left| left < 30)
        && let [_, .., hints] = widths.as_mut_slice()
    {
        *hints = 0;
    }
    let left = left(&widths);
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths).filter(|(_, width)| **width > 0);
        let line: String =
            cells.flat_map(|(cell, width)| [cell.clone(), " ".repeat(width - cell.width() + 2)]).collect();
        (line + &cut(&row[last], left)).trim_end().to_owned() + "\n"
    });
    lines.collect()
}

/// Truncates text that is wider than this many columns, and ends it with `…`.
pub(super) fn cut(text: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns.filter(|columns| text.width() > *columns) else { return text.to_owned() };
    let mut width = 1;
    let fits = |c: &char| {
        width += c.width().unwrap_or(0);
        width <= columns
    };
    text.chars().take_while(fits).chain(['…']).collect()
}
