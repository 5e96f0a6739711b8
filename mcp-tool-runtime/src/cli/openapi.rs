//! `openapi`: the document of the tools over plain HTTP.

use super::{Cli, Io, message};
use crate::dispatcher::ApiInfo;

impl Cli {
    pub(super) fn openapi(&self, program: &str, io: &Io) -> u8 {
        let info = ApiInfo {
            title: self.name.as_deref().unwrap_or(program),
            version: self.version.as_deref().unwrap_or("0.0.0"),
            description: self.instructions.as_deref(),
        };
        let document = self.dispatcher.openapi_for(&self.extensions, false, info);
        message::print_json(io, &format!("{document:#}\n"))
    }
}
