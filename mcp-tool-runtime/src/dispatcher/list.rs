//! The definitions and the `tools/list` result of one protocol version.

use std::ops::Range;

use crate::call::settings::Settings;
use crate::schema::project;
use crate::{ProtocolVersion, mcp};

/// Returns the definitions in the shape of one version.
pub(super) fn projected(definitions: &[mcp::Tool], version: ProtocolVersion, settings: &Settings) -> Vec<mcp::Tool> {
    let project = if version.is_legacy() { project::legacy } else { project::latest };
    let tools = definitions.iter().cloned().map(|mut tool| {
        tool.output_schema = tool.output_schema.as_ref().map(project);
        if settings.compact_output_schemas {
            tool.output_schema.as_mut().map(project::remove_descriptions);
        }
        if version < ProtocolVersion::V2025_11_25 {
            tool.icons.clear();
        }
        tool
    });
    tools.collect()
}

/// The result of `tools/list`, from which the lists of single callers are cut.
pub(super) struct PreparedList {
    bytes: Box<[u8]>,
    /// Where each definition starts; its comma, or the closing bracket, is before the start of the next one. The last entry
    /// is the position after the closing bracket.
    starts: Box<[usize]>,
}

impl PreparedList {
    pub(super) fn new(tools: &[mcp::Tool], version: ProtocolVersion, settings: &Settings) -> Self {
        let is_latest = !version.is_legacy();
        let mut bytes =
            if is_latest { br#"{"resultType":"complete","tools":["#.to_vec() } else { br#"{"tools":["#.to_vec() };
        let mut starts = Vec::with_capacity(tools.len() + 1);
        for (index, tool) in tools.iter().enumerate() {
            if index > 0 {
                bytes.push(b',');
            }
            starts.push(bytes.len());
            // Serialising maps of strings and values cannot fail.
            let _ = serde_json::to_writer(&mut bytes, tool);
        }
        bytes.push(b']');
        starts.push(bytes.len());
        if is_latest {
            let ttl = u64::try_from(settings.list_ttl.as_millis()).unwrap_or(u64::MAX);
            bytes.extend_from_slice(format!(r#","ttlMs":{ttl},"cacheScope":"#).as_bytes());
            let _ = serde_json::to_writer(&mut bytes, &settings.list_scope);
        }
        bytes.push(b'}');
        Self { bytes: bytes.into_boxed_slice(), starts: starts.into_boxed_slice() }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Appends the result with the definitions that `is_selected` accepts. Neighbours are copied at once.
    pub(super) fn write_selected(&self, out: &mut Vec<u8>, is_selected: impl Fn(usize) -> bool) {
        let count = self.starts.len() - 1;
        let end = self.starts[count];
        let head = if count == 0 { end - 1 } else { self.starts[0] };
        out.reserve(self.bytes.len());
        out.extend_from_slice(&self.bytes[..head]);
        let empty = out.len();
        let mut run = 0..0;
        for index in (0..count).filter(|index| is_selected(*index)) {
            if run.end != index {
                self.append(out, &run);
                run.start = index;
            }
            run.end = index + 1;
        }
        self.append(out, &run);
        // Every definition was copied with its comma, or with the bracket.
        out.truncate(out.len() - usize::from(out.len() > empty));
        out.extend_from_slice(&self.bytes[end - 1..]);
    }

    fn append(&self, out: &mut Vec<u8>, tools: &Range<usize>) {
        out.extend_from_slice(&self.bytes[self.starts[tools.start]..self.starts[tools.end]]);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn every_selection_is_the_whole_list_without_the_other_tools() {
        for count in 0..5_u32 {
            let tools: Vec<_> =
                (0..count).map(|name| mcp::Tool::new(name.to_string(), "x", json!({"type": "object"}))).collect();
            for version in ProtocolVersion::ALL {
                let list = PreparedList::new(&tools, version, &Settings::default());
                let whole: Value = serde_json::from_slice(list.bytes()).expect("JSON");
                for selection in 0..1_u32 << count {
                    let is_selected = |index: usize| selection >> index & 1 == 1;
                    let mut bytes = Vec::new();
                    list.write_selected(&mut bytes, is_selected);
                    let mut expected = whole.clone();
                    let mut index = 0..;
                    expected["tools"].as_array_mut().expect("a list").retain(|_| index.next().is_some_and(is_selected));
                    assert_eq!(serde_json::from_slice::<Value>(&bytes).expect("JSON"), expected);
                }
            }
        }
    }
}
