//! A layer that requires an API key for every call.

use mcp_tool_runtime::{BoxFuture, CallContext, CallToolRequest, Layer, Next, Output, ToolError};

/// The API key of a request. An HTTP server takes it from a header and attaches it to the request.
#[derive(Clone)]
pub(crate) struct ApiKey(pub(crate) String);

/// The user that the API key belongs to.
pub(crate) struct User {
    pub(crate) name: String,
}

/// Checks the key of a call and attaches its user. A call without a known key fails.
pub(crate) struct Access {
    users: Vec<(String, String)>,
    /// The key of the one user of a process that serves over stdio.
    own_key: Option<ApiKey>,
}

impl Access {
    pub(crate) fn new(users: &[(&str, &str)]) -> Self {
        let owned = |(key, name): &(&str, &str)| ((*key).to_owned(), (*name).to_owned());
        Self { users: users.iter().map(owned).collect(), own_key: None }
    }

    /// Reads the key from `NOTES_KEY`: over stdio, the client starts the process and sets its environment.
    pub(crate) fn from_environment() -> Self {
        let own_key = std::env::var("NOTES_KEY").ok().map(ApiKey);
        let user = own_key.iter().map(|key| (key.0.clone(), "you".to_owned())).collect();
        Self { users: user, own_key }
    }
}

impl Layer for Access {
    fn call<'a>(
        &'a self,
        request: &'a mut CallToolRequest,
        cx: &'a CallContext,
        next: Next<'a>,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move {
            let key = request.extensions.get::<ApiKey>().or(self.own_key.as_ref());
            let user = key.and_then(|key| self.users.iter().find(|(known, _)| *known == key.0));
            let Some((_, name)) = user else {
                return Err(ToolError::new("the notes need a known API key"));
            };
            request.extensions.insert(User { name: name.clone() });
            next.run(request, cx).await
        })
    }
}
