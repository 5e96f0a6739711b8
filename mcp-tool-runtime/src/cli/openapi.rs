//! `openapi`: the document of the tools over plain HTTP.

use super::{Cli, Io, message};

impl Cli {
    pub(super) fn openapi(&self, program: &str, io: &Io) -> u8 {
        let name = self.name.as_deref().unwrap_or(program);
        let version = self.version.as_deref().unwrap_or("0.0.0");
        let document = self.dispatcher.openapi_for(&self.extensions, name, version);
        message::print_json(io, &format!("{document:#}\n"))
    }
}
