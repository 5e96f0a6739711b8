//! The key that every call needs.

use mcp_tool_runtime::{BoxFuture, CallContext, CallToolRequest, Layer, Next, Output, ToolError};

/// The key that a request came with. A server over HTTP attaches it from a header.
#[derive(Clone)]
pub(crate) struct ApiKey(pub(crate) String);

/// Who calls, as far as the key tells.
pub(crate) struct User {
    pub(crate) name: String,
}

/// Lets a call through when its key is known, and attaches the user.
pub(crate) struct Access {
    users: Vec<(String, String)>,
    /// The key of a process that serves one user over stdio.
    own_key: Option<ApiKey>,
}

impl Access {
    pub(crate) fn new(users: &[(&str, &str)]) -> Self {
        let owned = |(key, name): &(&str, &str)| ((*key).to_owned(), (*name).to_owned());
        Self { users: users.iter().map(owned).collect(), own_key: None }
    }

    /// Over stdio the client starts the process, and gives it the key in `NOTES_KEY`.
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
                return Err(ToolError::new("these notes need an API key, and the call came without a known one"));
            };
            request.extensions.insert(User { name: name.clone() });
            next.run(request, cx).await
        })
    }
}
