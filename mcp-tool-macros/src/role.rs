//! The role of a parameter: where its value comes from.

/// Where the value of a parameter comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// One property of the arguments object.
    Argument,
    /// The whole arguments object.
    AllArguments,
    /// The context of the call.
    Context,
    /// A value registered with the builder.
    State,
    /// A value attached to the request.
    Extension,
    /// The answer of the user to a question.
    Asked,
}

impl Role {
    /// Returns `true` if clients send the value.
    pub(crate) fn is_sent(self) -> bool {
        matches!(self, Self::Argument | Self::AllArguments)
    }

    /// Returns `true` if the value is read from JSON: it has a schema, and can be passed by reference.
    pub(crate) fn is_read(self) -> bool {
        self.is_sent() || self == Self::Asked
    }
}
