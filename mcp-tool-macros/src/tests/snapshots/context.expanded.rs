/// List the notes of the user.
#[allow(clippy::unused_async, clippy::single_call_fn)]
async fn list(
    cx: &CallContext,
    db: &Db,
    user: Option<&User>,
    limit: usize,
) -> Result<Vec<Note>, DbError> {
    db.notes(user, limit, cx.deadline()).await
}
///The tool `list`, for `tools![…]` and a dispatcher's builder.
#[allow(
    missing_copy_implementations,
    missing_debug_implementations,
    non_camel_case_types,
    clippy::exhaustive_structs
)]
struct list {}
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
    use __mcp_tool::{
        IntoIterator as _, Iterator as _, ProbeArguments as _, ProbeContainer as _,
        ProbeDisplayError as _, ProbeElementArgument as _, ProbeIntoToolError as _,
        ProbeOffendingArgument as _, ProbePlain as _, ProbePointerToError as _,
        ProbeSerializable as _, ProbeSerializableContainer as _,
        ProbeSerializableDefault as _, ProbeStdError as _, ProbeStructured as _,
        ProbeToolOutput as _, ProbeUnlistedContent as _, ProbeUnserializableDefault as _,
        ProbeUnsupportedArguments as _, ProbeUnsupportedError as _,
        ProbeUnsupportedOutput as _, ProbeValidArgument as _,
    };
    impl list {
        #[doc(hidden)]
        #[allow(dead_code)]
        const __MCP_TOOL_NAME: &'static str = "list";
    }
    type __Returns = Result<Vec<Note>, DbError>;
    type __Argument0 = <CallContext as __mcp_tool::BorrowedArgument>::Owned;
    type __Argument1 = <Db as __mcp_tool::BorrowedArgument>::Owned;
    type __Argument2 = __mcp_tool::Option<<User as __mcp_tool::BorrowedArgument>::Owned>;
    type __Argument3 = usize;
    #[derive(__mcp_tool::serde::Deserialize, __mcp_tool::schemars::JsonSchema)]
    #[serde(crate = ":: mcp_tool_runtime :: __private :: serde")]
    #[schemars(crate = ":: mcp_tool_runtime :: __private :: schemars")]
    struct __Arguments<__T3> {
        limit: __T3,
    }
    #[allow(dead_code)]
    fn __assert() {
        <__Argument3 as __mcp_tool::ToolArgument>::assert();
    }
    impl __mcp_tool::ToolHandler for list {
        fn definition(&self) -> __mcp_tool::Tool {
            let __returned = __mcp_tool::Returned::<__Returns>::new().__mcp_tool_split();
            (&&&&&__returned.failure()).__mcp_tool_error().check();
            __mcp_tool::define(
                &__mcp_tool::Draft {
                    prefix: "",
                    name: "list",
                    title: __mcp_tool::Option::None,
                    description: &__mcp_tool::description_of(
                        " List the notes of the user.",
                    ),
                    deprecated: __mcp_tool::Option::None,
                    read_only_hint: __mcp_tool::Option::None,
                    destructive_hint: __mcp_tool::Option::None,
                    idempotent_hint: __mcp_tool::Option::None,
                    open_world_hint: __mcp_tool::Option::None,
                    allow_unknown: false,
                },
                __mcp_tool::SchemaSource::Derived(
                    &mut |__generator| {
                        #[allow(unused_mut)]
                        let mut __schema = (&&__mcp_tool::ArgumentsType::<
                            __Arguments<__Argument3>,
                        >::new())
                            .__mcp_tool_schema(__generator);
                        __schema
                    },
                ),
                __mcp_tool::SchemaSource::Derived(
                    &mut |__generator| {
                        (&&&&&&__returned.success())
                            .__mcp_tool_output()
                            .schema(__generator)
                    },
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
            __mcp_tool::boxed(async move {
                let __Arguments { limit: __argument3 } = (&&__mcp_tool::ArgumentsType::<
                    __Arguments<__Argument3>,
                >::new())
                    .__mcp_tool_decode(&__arguments)?;
                let __value = list(
                        <CallContext as __mcp_tool::ContextOfCall>::of(__context),
                        __mcp_tool::required(
                            <Db as __mcp_tool::StateOfTools>::find(__context),
                        )?,
                        <User as __mcp_tool::ExtensionOfRequests>::find(__context),
                        __argument3,
                    )
                    .await;
                let __returned = __mcp_tool::Returned::of(&__value).__mcp_tool_split();
                match __returned.take(__value) {
                    __mcp_tool::Result::Ok(__value) => {
                        (&&&&&&__returned.success()).__mcp_tool_output().output(__value)
                    }
                    __mcp_tool::Result::Err(__error) => {
                        __mcp_tool::Result::Err(
                            (&&&&&__returned.failure())
                                .__mcp_tool_error()
                                .error(__error, false),
                        )
                    }
                }
            })
        }
        fn __mcp_tool_metadata(&self) -> __mcp_tool::ToolMetadata {
            __mcp_tool::ToolMetadata::derived(
                    __mcp_tool::type_name::<Self>(),
                    false,
                    &[],
                )
                .with_hand_written(false, false)
                .with_needs(
                    const { &[<Db as __mcp_tool::StateOfTools>::NEED] },
                    const { &[] },
                )
                .with_decoder(|__arguments| {
                    (&&__mcp_tool::ArgumentsType::<__Arguments<__Argument3>>::new())
                        .__mcp_tool_decode(__arguments)
                        .map(|_| ())
                })
                .with_result_types(
                    {
                        let __returned = __mcp_tool::Returned::<__Returns>::new()
                            .__mcp_tool_split();
                        (&&&&&&__returned.success())
                            .__mcp_tool_output()
                            .structured_type()
                    },
                    {
                        let __returned = __mcp_tool::Returned::<__Returns>::new()
                            .__mcp_tool_split();
                        (&&&&&__returned.failure()).__mcp_tool_error().masked_type()
                    },
                )
        }
    }
};
#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        mod __keys0 {
            use ::mcp_tool_runtime::__private::keys::parameter::*;
            use self::context as _;
        }
        mod __keys1 {
            use ::mcp_tool_runtime::__private::keys::parameter::*;
            use self::state as _;
        }
        mod __keys2 {
            use ::mcp_tool_runtime::__private::keys::parameter::*;
            use self::extension as _;
        }
    }
};
