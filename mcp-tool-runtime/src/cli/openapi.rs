//! `openapi`: the document of the tools over plain HTTP.

use super::{Cli, Io, message};
use crate::dispatcher::Access;

impl Cli {
    pub(super) fn openapi(&self, io: &Io) -> u8 {
        let document = self.dispatcher.openapi_for(&self.extensions, Access::default());
        message::print_json(io, &format!("{document:#}\n"))
    }
}
