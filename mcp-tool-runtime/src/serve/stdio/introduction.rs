//! Reads what an `initialize` says about the client.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::mcp::message::ProtocolError;

/// The parts of an `initialize` that a session uses. A part is `null` if it is missing, or if no `Value` can hold it.
pub(super) struct Introduction {
    pub(super) version: Value,
    pub(super) capabilities: Value,
    pub(super) client: Value,
}

/// Each part is parsed on its own, so that an odd one does not hide the others.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params<'m> {
    #[serde(borrow)]
    protocol_version: Option<&'m RawValue>,
    #[serde(borrow)]
    capabilities: Option<&'m RawValue>,
    #[serde(borrow)]
    client_info: Option<&'m RawValue>,
}

#[derive(serde::Deserialize)]
struct Message<'m> {
    #[serde(borrow)]
    params: Params<'m>,
}

impl Introduction {
    pub(super) fn read(message: &[u8]) -> Result<Self, ProtocolError> {
        let Message { params } = serde_json::from_slice(message)
            .map_err(|_| ProtocolError::invalid_params("the parameters of `initialize` cannot be read"))?;
        let Params { protocol_version, capabilities, client_info } = params;
        let value =
            |part: Option<&RawValue>| part.and_then(|part| serde_json::from_str(part.get()).ok()).unwrap_or_default();
        Ok(Self { version: value(protocol_version), capabilities: value(capabilities), client: value(client_info) })
    }
}
