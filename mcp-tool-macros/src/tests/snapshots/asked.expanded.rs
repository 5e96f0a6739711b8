/// Delete notes.
#[allow(clippy::unused_async, clippy::single_call_fn)]
async fn delete(
    #[allow(unused_variables)]
    id: u32,
    _sure: Consent,
    #[allow(unused_variables)]
    reason: &str,
    count: Answer<u8>,
    #[allow(unused_variables)]
    db: &Db,
) -> Result<(), DbError> {
    db.delete(id, reason, count).await
}
///The tool `delete`, for `tools![…]` and a dispatcher's builder.
#[allow(
    missing_copy_implementations,
    missing_debug_implementations,
    non_camel_case_types,
    clippy::exhaustive_structs
)]
struct delete {}
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
    type __Returns = Result<(), DbError>;
    type __Argument0 = u32;
    type __Argument1 = Consent;
    type __Argument2 = <str as __mcp_tool::BorrowedArgument>::Owned;
    type __Argument3 = Answer<u8>;
    type __Argument4 = <Db as __mcp_tool::BorrowedArgument>::Owned;
    use __mcp_tool::{ProbeAsked as _, ProbeUnaskable as _};
    #[derive(__mcp_tool::serde::Deserialize, __mcp_tool::schemars::JsonSchema)]
    #[serde(crate = ":: mcp_tool_runtime :: __private :: serde")]
    #[schemars(crate = ":: mcp_tool_runtime :: __private :: schemars")]
    struct __Asked1<__T> {
        #[serde(rename(deserialize = "sure"))]
        _sure: __T,
    }
    #[derive(__mcp_tool::serde::Deserialize, __mcp_tool::schemars::JsonSchema)]
    #[serde(crate = ":: mcp_tool_runtime :: __private :: serde")]
    #[schemars(crate = ":: mcp_tool_runtime :: __private :: schemars")]
    struct __Asked2<__T> {
        reason: __T,
    }
    #[derive(__mcp_tool::serde::Deserialize, __mcp_tool::schemars::JsonSchema)]
    #[serde(crate = ":: mcp_tool_runtime :: __private :: serde")]
    #[schemars(crate = ":: mcp_tool_runtime :: __private :: schemars")]
    struct __Asked3<__T> {
        #[schemars(range(max = 9))]
        count: __T,
    }
    fn __assert() {
        <__Argument0 as __mcp_tool::ToolArgument>::assert();
        <__Argument1 as __mcp_tool::AskedParameter>::assert();
        <__Argument2 as __mcp_tool::AskedParameter>::assert();
        <__Argument3 as __mcp_tool::AskedParameter>::assert();
    }
    fn __arguments_codec() -> impl __mcp_tool::ArgumentsCodec<(__Argument0,)> {
        (&&__mcp_tool::TupleType::<
            (__Argument0,),
        >::new(
            &[
                __mcp_tool::Parameter {
                    name: "id",
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
    impl __mcp_tool::ToolHandler for delete {
        fn definition(&self) -> __mcp_tool::Tool {
            __mcp_tool::define(
                &__mcp_tool::Draft {
                    name: "delete",
                    description: &__mcp_tool::description_of(" Delete notes."),
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
                let (__argument0,) = __mcp_tool::ArgumentsCodec::read(
                    __arguments_codec(),
                    &__arguments,
                )?;
                let mut __asking = __mcp_tool::Asking::new(__context);
                let __answers = loop {
                    let __question = Some({
                        let __returned_question = why(
                                &__argument0,
                                __mcp_tool::required(
                                    <Db as __mcp_tool::StateOfTools>::find(__context),
                                )?,
                            )
                            .await;
                        let __returned = __mcp_tool::Returned::of(&__returned_question)
                            .__mcp_tool_split();
                        (&&&&&__returned.failure()).__mcp_tool_error().check();
                        match __returned.take(__returned_question) {
                            __mcp_tool::Result::Ok(__question) => {
                                (&&__mcp_tool::AskedType::<__Argument2>::new())
                                    .__mcp_tool_asked()
                                    .into_ask(__question)
                            }
                            __mcp_tool::Result::Err(__error) => {
                                let __codec = (&&&&&__returned.failure())
                                    .__mcp_tool_error();
                                return __mcp_tool::Result::Err(
                                    __mcp_tool::FailureCodec::error(__codec, __error, false),
                                );
                            }
                        }
                    });
                    let __answer2 = match __question {
                        Some(__question) => {
                            (&&__mcp_tool::AskedType::<__Argument2>::new())
                                .__mcp_tool_asked()
                                .ask(
                                    &mut __asking,
                                    1usize,
                                    __question,
                                    |__form: __Asked2<_>| __form.reason,
                                )?
                        }
                        _ => __mcp_tool::Option::None,
                    };
                    let __question = match (&__answer2,) {
                        (Some(__argument2),) => {
                            Some(
                                __mcp_tool::Message::new()
                                    .text("Delete ")
                                    .value(&__mcp_tool::format!("{id:>4}", id = __argument0))
                                    .text(", ")
                                    .value(
                                        &__mcp_tool::format!("{reason}", reason = __argument2),
                                    )
                                    .text("?")
                                    .question(),
                            )
                        }
                        _ => __mcp_tool::Option::None,
                    };
                    let __answer1 = match __question {
                        Some(__question) => {
                            (&&__mcp_tool::AskedType::<__Argument1>::new())
                                .__mcp_tool_asked()
                                .ask(
                                    &mut __asking,
                                    0usize,
                                    __question,
                                    |__form: __Asked1<_>| __form._sure,
                                )?
                        }
                        _ => __mcp_tool::Option::None,
                    };
                    let __question = Some(
                        __mcp_tool::Message::new().text("How many?").question(),
                    );
                    let __answer3 = match __question {
                        Some(__question) => {
                            (&&__mcp_tool::AskedType::<__Argument3>::new())
                                .__mcp_tool_asked()
                                .ask(
                                    &mut __asking,
                                    2usize,
                                    __question,
                                    |__form: __Asked3<_>| __form.count,
                                )?
                        }
                        _ => __mcp_tool::Option::None,
                    };
                    if let Some(__output) = __asking.finish().await? {
                        return __mcp_tool::Result::Ok(__output);
                    }
                    if !__asking.repeats() {
                        break (__answer2, __answer1, __answer3);
                    }
                };
                let (Some(__argument2), Some(__argument1), Some(__argument3)) = __answers
                else {
                    return __mcp_tool::Result::Err(__mcp_tool::unanswered());
                };
                let __value = delete(
                        __argument0,
                        __argument1,
                        <str as __mcp_tool::BorrowedArgument>::borrow(&__argument2),
                        __argument3,
                        __mcp_tool::required(
                            <Db as __mcp_tool::StateOfTools>::find(__context),
                        )?,
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
                    const { &[] },
                )
                .with_decode_check(
                    __mcp_tool::ArgumentsCodec::decode_check(__arguments_codec()),
                )
                .with_result_types(__mcp_tool::result_types(__return_codec(), false))
                .with_constraints(&[("count", "range")])
                .with_questions([
                    (&&__mcp_tool::AskedType::<__Argument1>::new())
                        .__mcp_tool_asked()
                        .spec("sure", false, |__form: __Asked1<_>| __form._sure)
                        .with_unquoted(&["id"]),
                    (&&__mcp_tool::AskedType::<__Argument2>::new())
                        .__mcp_tool_asked()
                        .spec("reason", true, |__form: __Asked2<_>| __form.reason),
                    (&&__mcp_tool::AskedType::<__Argument3>::new())
                        .__mcp_tool_asked()
                        .spec("count", false, |__form: __Asked3<_>| __form.count),
                ])
        }
    }
};
#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        mod __keys0 {
            use ::mcp_tool_runtime::__private::keys::parameter::*;
            use self::ask as _;
        }
        mod __keys1 {
            use ::mcp_tool_runtime::__private::keys::parameter::*;
            use self::{ask as _, sealed as _};
        }
        mod __keys2 {
            use ::mcp_tool_runtime::__private::keys::parameter::*;
            use self::ask as _;
        }
        mod __keys3 {
            use ::mcp_tool_runtime::__private::keys::parameter::*;
            use self::state as _;
        }
    }
};
