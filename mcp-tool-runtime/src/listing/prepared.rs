//! The definitions and the `tools/list` results for each protocol version.

use std::sync::OnceLock;
use std::time::Duration;

use crate::mcp::CacheScope;
use crate::schema::project;
use crate::{ProtocolVersion, mcp};

/// The definitions of some tools, in the format of each protocol version. Each format is made when it is first needed.
pub(crate) struct Definitions {
    natural: Vec<mcp::Tool>,
    projected: [OnceLock<Vec<mcp::Tool>>; 3],
    lists: [OnceLock<PreparedList>; 3],
}

impl Definitions {
    pub(crate) fn new(natural: Vec<mcp::Tool>) -> Self {
        Self { natural, projected: Default::default(), lists: Default::default() }
    }

    /// Returns the definitions before they are converted to the format of a protocol version.
    pub(crate) fn natural(&self) -> &[mcp::Tool] {
        &self.natural
    }

    pub(crate) fn of_version(&self, version: ProtocolVersion) -> &[mcp::Tool] {
        self.projected[version.index()].get_or_init(|| definitions_for(&self.natural, version))
    }

    pub(crate) fn list(&self, version: ProtocolVersion, caching: (Duration, CacheScope)) -> &PreparedList {
        let list = || PreparedList::new(self.of_version(version), version, caching);
        self.lists[version.index()].get_or_init(list)
    }
}

/// Converts the definitions to the format of one protocol version.
fn definitions_for(definitions: &[mcp::Tool], version: ProtocolVersion) -> Vec<mcp::Tool> {
    let project = if version.is_legacy() { project::legacy } else { project::latest };
    let tools = definitions.iter().cloned().map(|mut tool| {
        tool.output_schema = tool.output_schema.as_ref().map(project);
        if version < ProtocolVersion::V2025_11_25 {
            tool.icons.clear();
        }
        tool
    });
    tools.collect()
}

/// The bytes of a `tools/list` result with all tools. Results with fewer tools are copied from these bytes.
pub(crate) struct PreparedList {
    bytes: Box<[u8]>,
    /// The start of each definition in `bytes`, and then the position after the closing bracket of the array. Each
    /// definition ends one byte before the next position, because a comma or the bracket follows it.
    starts: Box<[usize]>,
}

impl PreparedList {
    pub(crate) fn new(tools: &[mcp::Tool], version: ProtocolVersion, (ttl, scope): (Duration, CacheScope)) -> Self {
        let is_latest = !version.is_legacy();
        let mut bytes =
            if is_latest { br#"{"resultType":"complete","tools":["#.to_vec() } else { br#"{"tools":["#.to_vec() };
        let mut starts = Vec::with_capacity(tools.len() + 1);
        for (index, tool) in tools.iter().enumerate() {
            if index > 0 {
                bytes.push(b',');
            }
            starts.push(bytes.len());
            // This cannot fail, because every map in a definition has string keys.
            let _ = serde_json::to_writer(&mut bytes, tool);
        }
        bytes.push(b']');
        starts.push(bytes.len());
        if is_latest {
            let ttl = u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX);
            bytes.extend_from_slice(format!(r#","ttlMs":{ttl},"cacheScope":"#).as_bytes());
            let _ = serde_json::to_writer(&mut bytes, &scope);
        }
        bytes.push(b'}');
        Self { bytes: bytes.into_boxed_slice(), starts: starts.into_boxed_slice() }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Appends the result to `out`, with only the tools at the positions `selected`.
    pub(crate) fn write_selected(&self, out: &mut Vec<u8>, selected: &[usize]) {
        let (start, end) = self.array();
        out.reserve(self.bytes.len());
        out.extend_from_slice(&self.bytes[..start]);
        self.write_array(out, selected);
        out.extend_from_slice(&self.bytes[end..]);
    }

    /// Appends an array to `out`, with only the definitions at the positions `selected`.
    pub(crate) fn write_array(&self, out: &mut Vec<u8>, selected: &[usize]) {
        out.push(b'[');
        // Copy each run of adjacent definitions in one go.
        for run in selected.chunk_by(|tool, next| tool + 1 == *next) {
            // Leave out the comma or bracket after the run.
            out.extend_from_slice(&self.bytes[self.starts[run[0]]..self.starts[run[run.len() - 1] + 1] - 1]);
            out.push(b',');
        }
        out.pop_if(|last| *last == b',');
        out.push(b']');
    }

    /// Returns the positions in `bytes` at which the array of definitions starts and ends.
    fn array(&self) -> (usize, usize) {
        let end = self.starts[self.starts.len() - 1];
        (if self.starts.len() > 1 { self.starts[0] - 1 } else { end - 2 }, end)
    }
}

/// The `tools/list` result for one caller, to be written later.
pub(crate) struct CallerList<'d> {
    pub(crate) list: &'d PreparedList,
    /// The positions of the tools that the caller sees. `None` if all callers see all tools.
    pub(crate) seen: Option<Vec<usize>>,
}

impl CallerList<'_> {
    /// Returns the length of the result with all tools. No caller's result is longer.
    pub(crate) fn max_length(&self) -> usize {
        self.list.bytes.len()
    }

    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        match &self.seen {
            None => bytes.extend_from_slice(&self.list.bytes),
            Some(seen) => self.list.write_selected(bytes, seen),
        }
    }

    /// Appends only the array of definitions, without the rest of the result.
    pub(crate) fn write_tools(&self, bytes: &mut Vec<u8>) {
        let (start, end) = self.list.array();
        match &self.seen {
            None => bytes.extend_from_slice(&self.list.bytes[start..end]),
            Some(seen) => self.list.write_array(bytes, seen),
        }
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
                let list = PreparedList::new(&tools, version, (Duration::ZERO, CacheScope::Private));
                let whole: Value = serde_json::from_slice(list.bytes()).expect("JSON");
                for selection in 0..1_u32 << count {
                    let is_selected = |index: usize| selection >> index & 1 == 1;
                    let selected: Vec<_> = (0..tools.len()).filter(|index| is_selected(*index)).collect();
                    let mut bytes = Vec::new();
                    list.write_selected(&mut bytes, &selected);
                    let mut expected = whole.clone();
                    let mut each = (0..tools.len()).map(is_selected);
                    expected["tools"].as_array_mut().expect("a list").retain(|_| each.next() == Some(true));
                    assert_eq!(serde_json::from_slice::<Value>(&bytes).expect("JSON"), expected);
                    let mut array = Vec::new();
                    list.write_array(&mut array, &selected);
                    assert_eq!(serde_json::from_slice::<Value>(&array).expect("JSON"), expected["tools"]);
                }
            }
        }
    }
}
