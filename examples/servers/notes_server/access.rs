//! A layer that requires an API key for every call.

use mcp_tool_runtime::{BoxFuture, CallContext, CallToolRequest, Middleware, Next, Output, ToolError};

/// The API key of a request. An HTTP server takes it from a header and attaches it to the request; a process of one user takes it
/// from its environment.
#[derive(Clone)]
pub(crate) struct ApiKey(pub(crate) String);

/// The user that the API key belongs to.
pub(crate) struct User {
    pub(crate) name: String,
}

/// Checks the key of a call and attaches its user. A call without a known key fails.
pub(crate) struct Access {
    users: Vec<(String, String)>,
}

impl Access {
    pub(crate) fn new(users: &[(&str, &str)]) -> Self {
        let owned = |(key, name): &(&str, &str)| ((*key).to_owned(), (*name).to_owned());
        Self { users: users.iter().map(owned).collect() }
    }
}

impl Middleware for Access {
    fn call<'a>(
        &'a self,
        request: &'a mut CallToolRequest,
        cx: &'a CallContext,
        next: Next<'a>,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move {
            let key = request.extensions.get::<ApiKey>();
            let user = key.and_then(|key| self.users.iter().find(|(known, _)| *known == key.0));
            let Some((_, name)) = user else {
                return Err(ToolError::new("the notes need a known API key"));
            };
            request.extensions.insert(User { name: name.clone() });
            next.run(request, cx).await
        })
    }
}
