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
    use __mcp_tool::traits::*;
    type __Returns = Result<Vec<Note>, DbError>;
    type __Argument0 = <CallContext as __mcp_tool::BorrowedArgument>::Owned;
    type __Argument1 = <Db as __mcp_tool::BorrowedArgument>::Owned;
    type __Argument2 = __mcp_tool::Option<<User as __mcp_tool::BorrowedArgument>::Owned>;
    type __Argument3 = usize;
    fn __assert() {
        <__Argument3 as __mcp_tool::ToolArgument>::assert();
    }
    fn __arguments_codec() -> impl __mcp_tool::ArgumentsCodec<(__Argument3,)> {
        (&&__mcp_tool::TupleType::<
            (__Argument3,),
        >::new(
            &[
                __mcp_tool::Parameter {
                    name: "limit",
                    docs: "",
                    default: __mcp_tool::Option::None,
                },
            ],
        ))
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
    impl __mcp_tool::ToolHandler for list {
        fn definition(&self) -> __mcp_tool::Tool {
            __mcp_tool::define(
                &__mcp_tool::Draft {
                    name: "list",
                    description: &__mcp_tool::description_of(
                        " List the notes of the user.",
                    ),
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
            __mcp_tool::boxed(async move {
                let (__argument3,) = __mcp_tool::ArgumentsCodec::read(
                    __arguments_codec(),
                    &__arguments,
                )?;
                let __value = list(
                        <CallContext as __mcp_tool::ContextOfCall>::of(__context),
                        __mcp_tool::required(
                            <Db as __mcp_tool::StateOfTools>::find(__context),
                        )?,
                        <User as __mcp_tool::ExtensionOfRequests>::find(__context),
                        __argument3,
                    )
                    .await;
                __mcp_tool::ReturnCodec::write(__return_codec(), __value, false)
            })
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
                .with_needs(
                    const { &[<Db as __mcp_tool::StateOfTools>::NEED] },
                    const { &[] },
                    const { &[<User as __mcp_tool::ExtensionOfRequests>::NEED] },
                )
                .with_decode_check(
                    __mcp_tool::ArgumentsCodec::decode_check(__arguments_codec()),
                )
                .with_result_types(__mcp_tool::result_types(__return_codec(), false))
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
