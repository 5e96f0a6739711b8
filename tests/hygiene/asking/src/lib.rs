//! Tools that ask, in a crate without a prelude.

#![no_implicit_prelude]
#![deny(
    warnings,
    missing_docs,
    unsafe_code,
    unreachable_pub,
    unused_qualifications,
    single_use_lifetimes,
    clippy::pedantic,
    clippy::nursery
)]
#![allow(clippy::trivially_copy_pass_by_ref, reason = "a question function takes every parameter by reference")]

pub mod shadowed;

use ::mcp_tool_runtime::{Answer, Ask, CallContext, Consent, mcp_tool, mcp_tools};

/// An error.
#[derive(Debug, ::mcp_tool_runtime::IntoToolError)]
pub struct NoNote;

impl ::std::fmt::Display for NoNote {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str("there is no such note")
    }
}

async fn why(id: &u32, names: &::std::string::String) -> ::std::result::Result<Ask<::std::string::String>, NoNote> {
    ::std::future::ready(()).await;
    match id {
        0 => ::std::result::Result::Err(NoNote),
        _ => ::std::result::Result::Ok(Ask::new(::std::format!("Why delete {id} of {names}?"))),
    }
}

/// Delete a note.
///
/// # Errors
///
/// When there is no such note.
#[mcp_tool]
pub async fn delete(
    id: u32,
    r#type: &str,
    #[mcp_tool(ask = "Delete {id:>4} {type:?}, {reason}?")] _sure: Consent,
    #[mcp_tool(ask = why(id, names).await, sealed)] reason: &str,
    #[mcp_tool(ask = "How many?")]
    #[schemars(range(max = 9))]
    count: Answer<u8>,
    #[mcp_tool(state)] names: &::std::string::String,
    #[mcp_tool(context)] cx: &CallContext,
) -> ::std::result::Result<::std::string::String, NoNote> {
    ::std::result::Result::Ok(::std::format!("{id} {type} {reason} {count:?} {names} {}", cx.tool_name()))
}

const CLEAR: &str = "Clear everything?";

/// Clear everything.
#[mcp_tool]
pub async fn clear(
    reason: &str,
    _note: &str,
    #[mcp_tool(ask = "Because of {reason:?} and \"{note}\"?")] _because: Consent,
    #[mcp_tool(ask = CLEAR, title = "Yes, clear it")] _sure: Consent,
) {
}

/// A service.
#[derive(Debug)]
pub struct Shelf<S>(S);

#[mcp_tools(prefix = "shelf_")]
impl<S: ::std::fmt::Display + ::std::marker::Send + ::std::marker::Sync + 'static> Shelf<S> {
    fn question(&self, book: &str) -> Ask<Consent> {
        Ask::new(::std::format!("Take {book} from {}?", self.0))
    }

    /// Take a book.
    #[mcp_tool]
    pub async fn take(
        &self,
        book: &str,
        #[mcp_tool(ask = self.question(book))] _sure: Consent,
    ) -> ::std::string::String {
        ::std::format!("{book} from {}", self.0)
    }
}

#[cfg(test)]
mod tests {
    // `json!` of `serde_json` needs the trait.
    use ::std::convert::Into as _;

    use ::mcp_tool_runtime::{CallToolRequest, Dispatcher, json, tools, ask::{Reply, Scripted}};

    use super::Shelf;

    fn now<T>(future: impl ::std::future::Future<Output = T>) -> T {
        let mut future = ::std::pin::pin!(future);
        match future.as_mut().poll(&mut ::std::task::Context::from_waker(::std::task::Waker::noop())) {
            ::std::task::Poll::Ready(value) => value,
            ::std::task::Poll::Pending => ::std::panic!("the future waits"),
        }
    }

    #[test]
    fn every_tool_asks() {
        let dispatcher = Dispatcher::builder()
            .tools(tools![super::delete, super::shadowed::delete])
            .service(Shelf("the left"))
            .state(<::std::string::String as ::std::convert::From<&str>>::from("all"))
            .build()
            .expect("valid tools");
        for (name, arguments, expected) in [
            ("delete", json!({ "id": 7, "type": "old" }), "7 old dust Given(3) all delete"),
            ("shadowed", json!({ "id": 7 }), "7 dust Given(3)"),
            ("shelf_take", json!({ "book": "Emma" }), "Emma from the left"),
        ] {
            let user = Scripted::new()
                .reply("sure", Reply::yes())
                .reply("reason", Reply::accept("dust"))
                .reply("count", Reply::accept(3));
            let response =
                now(dispatcher.call(CallToolRequest::new(name, arguments).with_asker(user))).expect("a response");
            ::std::assert_eq!(response.deserialize::<::std::string::String>().expect("a text"), expected);
        }
    }
}
