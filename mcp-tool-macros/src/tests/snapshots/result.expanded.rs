/// Get the current weather for a place.
#[allow(clippy::unused_async, clippy::single_call_fn)]
pub async fn get_weather(location: String) -> Result<Weather, WeatherError> {
    service::weather(&location).await
}
///The tool `get_weather`, for `tools![…]` and a dispatcher's builder.
#[allow(
    missing_copy_implementations,
    missing_debug_implementations,
    non_camel_case_types,
    clippy::exhaustive_structs
)]
pub struct get_weather {}
#[allow(
    deprecated,
    non_camel_case_types,
    non_snake_case,
    unused_imports,
    unused_qualifications,
    clippy::all,
    clippy::nursery,
    clippy::pedantic
)]
const _: () = {
    use ::mcp_tool_runtime::__private as __mcp_tool;
    use __mcp_tool::Default;
    use __mcp_tool::Into;
    use __mcp_tool::Option::Some;
    use __mcp_tool::traits::*;
    type __Returns = Result<Weather, WeatherError>;
    type __Argument0 = String;
    #[derive(__mcp_tool::serde::Deserialize, __mcp_tool::schemars::JsonSchema)]
    #[serde(crate = ":: mcp_tool_runtime :: __private :: serde")]
    #[schemars(crate = ":: mcp_tool_runtime :: __private :: schemars")]
    struct __Arguments<__T0> {
        /// City name or zip code.
        #[schemars(length(min = 1))]
        location: __T0,
    }
    fn __assert() {
        <__Argument0 as __mcp_tool::ToolArgument>::assert();
    }
    fn __arguments_codec() -> impl __mcp_tool::ArgumentsCodec<__Arguments<__Argument0>> {
        (&&__mcp_tool::ArgumentsType::<__Arguments<__Argument0>>::new())
            .__mcp_tool_arguments()
    }
    fn __return_codec() -> impl __mcp_tool::ReturnCodec<__Returns> {
        {
            let __returned = __mcp_tool::Returned::<__Returns>::new().__mcp_tool_split();
            __returned
                .codec(
                    (&&&&&&__returned.success()).__mcp_tool_output().described(),
                    (&&&&&__returned.failure()).__mcp_tool_error().check(),
                )
        }
    }
    impl __mcp_tool::ToolHandler for get_weather {
        fn definition(&self) -> __mcp_tool::Tool {
            __mcp_tool::define(
                &__mcp_tool::Draft {
                    name: "get_weather",
                    title: Some("Weather"),
                    description: &__mcp_tool::description_of(
                        " Get the current weather for a place.",
                    ),
                    read_only_hint: Some(true),
                    ..__mcp_tool::Default::default()
                },
                __mcp_tool::SchemaSource::Derived(
                    &mut __mcp_tool::input_schema(__arguments_codec()),
                ),
                __mcp_tool::SchemaSource::Derived(
                    &mut __mcp_tool::output_schema(__return_codec()),
                ),
            )
        }
        fn call<'__call>(
            &'__call self,
            __context: &'__call __mcp_tool::CallContext,
            __arguments: __mcp_tool::Arguments<'__call>,
        ) -> __mcp_tool::BoxFuture<
            '__call,
            __mcp_tool::Result<__mcp_tool::Output, __mcp_tool::ToolError>,
        > {
            __mcp_tool::call(
                __arguments,
                __arguments_codec(),
                __return_codec(),
                false,
                move |__Arguments { location: __argument0 }| { get_weather(__argument0) },
            )
        }
        fn metadata(&self) -> __mcp_tool::ToolMetadata {
            __mcp_tool::ToolMetadata::derived(
                    __mcp_tool::type_name::<Self>(),
                    false,
                    &[],
                )
                .with_package(
                    ::core::option_env!("CARGO_PKG_NAME"),
                    ::core::option_env!("CARGO_PKG_VERSION"),
                )
                .with_hand_written(false, false)
                .with_decode_check(
                    __mcp_tool::ArgumentsCodec::decode_check(__arguments_codec()),
                )
                .with_result_types(__mcp_tool::result_types(__return_codec(), false))
                .with_constraints(&[("location", "length")])
        }
    }
};
#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        mod __keys0 {
            use ::mcp_tool_runtime::__private::keys::tool::*;
            use self::{title as _, read_only_hint as _};
        }
    }
};
