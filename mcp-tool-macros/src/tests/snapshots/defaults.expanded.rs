/// Search the notes.
#[allow(clippy::unused_async, clippy::single_call_fn)]
async fn search(
    query: String,
    limit: usize,
    order: Order,
    after: Option<String>,
) -> Vec<Note> {
    find(query, limit, order, after)
}
///The tool `search`, for `tools![…]` and a dispatcher's builder.
#[allow(
    missing_copy_implementations,
    missing_debug_implementations,
    non_camel_case_types,
    clippy::exhaustive_structs
)]
struct search {}
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
    type __Returns = Vec<Note>;
    type __Argument0 = String;
    type __Argument1 = usize;
    type __Argument2 = Order;
    type __Argument3 = Option<String>;
    fn __default1() -> __Argument1 {
        __mcp_tool::FromDefault::from_default(10)
    }
    fn __default2() -> __Argument2 {
        <__Argument2 as __mcp_tool::DefaultArgument>::default_argument()
    }
    #[derive(__mcp_tool::serde::Deserialize, __mcp_tool::schemars::JsonSchema)]
    #[serde(crate = ":: mcp_tool_runtime :: __private :: serde")]
    #[schemars(crate = ":: mcp_tool_runtime :: __private :: schemars")]
    struct __Arguments<__T0, __T1, __T2, __T3> {
        /// What to look for.
        #[schemars(length(min = 1))]
        query: __T0,
        /// The most notes to return.
        #[schemars(with = "__T1")]
        limit: __mcp_tool::Option<__T1>,
        #[serde(default)]
        #[schemars(default = "__default2")]
        order: __T2,
        after: __T3,
    }
    fn __assert() {
        <__Argument0 as __mcp_tool::ToolArgument>::assert();
        <__Argument1 as __mcp_tool::ToolArgument>::assert();
        <__Argument2 as __mcp_tool::ToolArgument>::assert();
        (&&&(&&&(&&&__mcp_tool::ProbedArgument::<__Argument3>::new())
            .__mcp_tool_offending_type())
            .__mcp_tool_offending_type())
            .__mcp_tool_offending_type()
            .check();
    }
    fn __arguments_codec() -> impl __mcp_tool::ArgumentsCodec<
        __Arguments<__Argument0, __Argument1, __Argument2, __Argument3>,
    > {
        (&&__mcp_tool::ArgumentsType::<
            __Arguments<__Argument0, __Argument1, __Argument2, __Argument3>,
        >::new())
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
    impl __mcp_tool::ToolHandler for search {
        fn definition(&self) -> __mcp_tool::Tool {
            __mcp_tool::define(
                &__mcp_tool::Draft {
                    name: "search",
                    description: &__mcp_tool::description_of(" Search the notes."),
                    ..__mcp_tool::Default::default()
                },
                __mcp_tool::SchemaSource::Derived(
                    &mut |__generator| {
                        let mut __schema = __mcp_tool::ArgumentsCodec::schema(
                            __arguments_codec(),
                            __generator,
                        );
                        use __mcp_tool::ProbeRequired as _;
                        __mcp_tool::set_optional(&mut __schema, "limit", true);
                        __mcp_tool::set_own_null(
                            &mut __schema,
                            "order",
                            __mcp_tool::ArgumentType::<
                                __Argument2,
                            >::__mcp_tool_tells_null(__default2()),
                        );
                        let __default = __default1();
                        let __default = (&&__mcp_tool::DefaultOf::of(&__default))
                            .__mcp_tool_default_json(&__default);
                        __mcp_tool::set_default(&mut __schema, "limit", __default);
                        __mcp_tool::add_example(
                            &mut __schema,
                            "limit",
                            __mcp_tool::example(5 as i128),
                        );
                        __schema
                    },
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
                move |
                    __Arguments {
                        query: __argument0,
                        limit: __argument1,
                        order: __argument2,
                        after: __argument3,
                    }|
                {
                    let __argument1 = __argument1.unwrap_or_else(__default1);
                    search(__argument0, __argument1, __argument2, __argument3)
                },
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
                .with_argument_types(const {
                    &[
                        (
                            "order",
                            __mcp_tool::type_name::<__Argument2> as fn() -> &'static str,
                        ),
                    ]
                })
                .with_result_types(__mcp_tool::result_types(__return_codec(), false))
                .with_constraints(&[("query", "length")])
        }
    }
};
#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        mod __keys0 {
            use ::mcp_tool_runtime::__private::keys::parameter::*;
            use self::{default as _, example as _};
        }
    }
};
