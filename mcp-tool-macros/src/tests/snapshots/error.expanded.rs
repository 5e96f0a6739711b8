const _: () = {
    use ::mcp_tool_runtime::__private as __mcp_tool;
    #[automatically_derived]
    #[allow(
        unused_variables,
        unused_parens,
        deprecated,
        unused_qualifications,
        clippy::all,
        clippy::pedantic
    )]
    impl __mcp_tool::IntoToolError for WeatherError {
        fn into_tool_error(self) -> __mcp_tool::ToolError {
            let __message = <Self as __mcp_tool::DisplayedError>::displayed(&self);
            match self {
                Self::UnknownPlace(_0) => {
                    __mcp_tool::ToolError::new(__message)
                        .with_additional_prompt_content(
                            __mcp_tool::format!(
                                "ask for a city name or a zip code, not for {0}", _0
                            ),
                        )
                }
                Self::Busy => {
                    __mcp_tool::ToolError::new(__message)
                        .with_retry_after(
                            __mcp_tool::Duration::from_millis(
                                __mcp_tool::Milliseconds::milliseconds(500),
                            ),
                        )
                }
                Self::Http(_0) => __mcp_tool::masked(__message),
                Self::Place(_0) => {
                    <PlaceError as __mcp_tool::IntoToolError>::into_tool_error(_0)
                }
                Self::Forgotten(_0) => __mcp_tool::masked(__message),
            }
        }
    }
};
#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        mod __keys0 {
            use ::mcp_tool_runtime::__private::keys::error::*;
            use self::additional_prompt_content as _;
        }
        mod __keys1 {
            use ::mcp_tool_runtime::__private::keys::error::*;
            use self::retry_after_ms as _;
        }
        mod __keys2 {
            use ::mcp_tool_runtime::__private::keys::error::*;
            use self::internal as _;
        }
        mod __keys3 {
            use ::mcp_tool_runtime::__private::keys::error::*;
            use self::transparent as _;
        }
    }
};
