//! The definitions and the `tools/list` result of one protocol version.

use std::ops::Range;
use std::sync::Arc;

use super::list_cache::ListCache;
use crate::call::settings::Settings;
use crate::schema::project;
use crate::tool::selection::Selection;
use crate::{ProtocolVersion, mcp};

/// Converts the definitions to the format of one protocol version.
pub(super) fn project_definitions(
    definitions: &[mcp::Tool],
    version: ProtocolVersion,
    settings: &Settings,
) -> Vec<mcp::Tool> {
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

/// The bytes of a `tools/list` result with all tools. The result for a caller who sees only some tools is copied from it.
pub(super) struct PreparedList {
    bytes: Box<[u8]>,
    /// The position of each definition in `bytes`, and then the position after the closing bracket of the array. One byte is between
    /// a definition and the next position: a comma, or the closing bracket.
    starts: Box<[usize]>,
    cache: ListCache,
}

/// The minimum number of separate ranges that a list is copied from for the cache to be worth its cost.
const MIN_RUNS_TO_KEEP: usize = 16;

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
            // Serializing maps of strings and values cannot fail.
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
        Self { bytes: bytes.into_boxed_slice(), starts: starts.into_boxed_slice(), cache: ListCache::default() }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the byte range of the array of definitions, with its brackets.
    fn array(&self) -> Range<usize> {
        let end = self.starts[self.starts.len() - 1];
        self.starts.first().filter(|_| self.starts.len() > 1).map_or(end - 2, |first| first - 1)..end
    }

    /// Returns the bytes of the array of all definitions.
    #[cfg(feature = "http")]
    pub(super) fn array_bytes(&self) -> &[u8] {
        &self.bytes[self.array()]
    }

    /// Returns the byte ranges of the selected definitions. A definition includes the comma or the bracket after it, and adjacent
    /// definitions are one range.
    fn ranges(&self, selected: &Selection) -> impl Iterator<Item = Range<usize>> {
        selected.runs().map(|run| self.starts[run.start]..self.starts[run.end])
    }

    /// Returns the result with the selected definitions from the cache. Returns `None` if it is copied from few ranges or is not in the
    /// cache.
    pub(super) fn kept(&self, selected: &Selection) -> Option<Arc<[u8]>> {
        selected.runs().nth(MIN_RUNS_TO_KEEP - 1)?;
        let write = || {
            let mut bytes = Vec::new();
            self.write_selected(&mut bytes, selected);
            bytes
        };
        self.cache.get_or_admit(selected, || self.capacity_for(selected), write)
    }

    /// Returns the byte range of the array of definitions, with its brackets, in `result`, which has only some of the definitions.
    #[cfg(feature = "http")]
    pub(super) fn array_in(&self, result: &[u8]) -> Range<usize> {
        let array = self.array();
        array.start..result.len() - (self.bytes.len() - array.end)
    }

    /// Returns the capacity for the result with the selected definitions. It exceeds the number of bytes by at most one.
    pub(super) fn capacity_for(&self, selected: &Selection) -> usize {
        let definitions: usize = self.ranges(selected).map(|range| range.len()).sum();
        self.bytes.len() - self.array().len() + 2 + definitions
    }

    /// Appends the result with the definitions that are selected.
    pub(super) fn write_selected(&self, out: &mut Vec<u8>, selected: &Selection) {
        let array = self.array();
        out.reserve(self.capacity_for(selected));
        out.extend_from_slice(&self.bytes[..array.start]);
        self.write_array(out, selected);
        out.extend_from_slice(&self.bytes[array.end..]);
    }

    /// Appends an array of the definitions that are selected.
    pub(super) fn write_array(&self, out: &mut Vec<u8>, selected: &Selection) {
        out.push(b'[');
        let empty = out.len();
        for range in self.ranges(selected) {
            out.extend_from_slice(&self.bytes[range]);
        }
        // The last definition was copied with its comma or bracket.
        out.truncate(out.len() - usize::from(out.len() > empty));
        out.push(b']');
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
                    let mut selected = Selection::all(tools.len());
                    (0..tools.len()).filter(|index| !is_selected(*index)).for_each(|index| selected.remove(index));
                    let mut bytes = Vec::new();
                    list.write_selected(&mut bytes, &selected);
                    let mut expected = whole.clone();
                    let mut each = (0..tools.len()).map(is_selected);
                    expected["tools"].as_array_mut().expect("a list").retain(|_| each.next() == Some(true));
                    assert_eq!(serde_json::from_slice::<Value>(&bytes).expect("JSON"), expected);
                    assert!((bytes.len()..bytes.len() + 2).contains(&list.capacity_for(&selected)));
                    let mut array = Vec::new();
                    list.write_array(&mut array, &selected);
                    assert_eq!(serde_json::from_slice::<Value>(&array).expect("JSON"), expected["tools"]);
                }
            }
        }
    }
}
