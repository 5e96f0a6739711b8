// schemars puts the default into a function of its own, which cannot name the type parameter.
// Write: `#[serde(default, deserialize_with = "Nullable::<T>::deserialize")] #[schemars(with = "Nullable::<T>")]`.

use mcp_tool_runtime::Nullable;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
#[serde(bound = "T: serde::de::DeserializeOwned")]
struct Change<T> {
    #[serde(default, with = "Nullable::<T>")]
    due: Option<Option<T>>,
}

fn main() {
    let _: Option<Change<u8>> = None;
}
