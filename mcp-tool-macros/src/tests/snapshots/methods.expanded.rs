impl Notes {
    /// Create a note.
    #[allow(clippy::unused_async, clippy::single_call_fn)]
    async fn create(&self, body: String) -> Result<Note, NotesError> {
        self.store(body).await
    }
    async fn store(&self, body: String) -> Result<Note, NotesError> {
        todo!()
    }
}
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
    #[allow(unused_imports)]
    mod __imports {
        use super::*;
        use ::mcp_tool_runtime::__private::attributes::*;
        use self::mcp_tool as __mcp_tool;
    }
    impl __mcp_tool::ToolService<__mcp_tool::OneBlockWithItsParts> for Notes
    where
        Notes: __mcp_tool::SharedService,
    {
        fn __mcp_tools(
            self: __mcp_tool::Arc<Self>,
            __prefix: &str,
        ) -> __mcp_tool::Vec<__mcp_tool::Box<dyn __mcp_tool::ToolHandler>> {
            #[allow(unused_mut)]
            let mut __list: __mcp_tool::Vec<
                __mcp_tool::Box<dyn __mcp_tool::ToolHandler>,
            > = __mcp_tool::Vec::new();
            {
                struct __Handler
                where
                    Notes: __mcp_tool::SharedService,
                {
                    service: __mcp_tool::Arc<Notes>,
                    prefix: __mcp_tool::String,
                }
                #[allow(dead_code)]
                type __Service = Notes;
                type __Returns = Result<Note, NotesError>;
                type __Argument0 = String;
                #[derive(
                    __mcp_tool::serde::Deserialize,
                    __mcp_tool::schemars::JsonSchema
                )]
                #[serde(crate = ":: mcp_tool_runtime :: __private :: serde")]
                #[schemars(crate = ":: mcp_tool_runtime :: __private :: schemars")]
                struct __Arguments<__T0> {
                    /// Its text.
                    body: __T0,
                }
                #[allow(dead_code)]
                fn __assert() {
                    <__Argument0 as __mcp_tool::ToolArgument>::assert();
                }
                impl __mcp_tool::ToolHandler for __Handler
                where
                    Notes: __mcp_tool::SharedService,
                {
                    fn definition(&self) -> __mcp_tool::Tool {
                        let __returned = __mcp_tool::Returned::<__Returns>::new()
                            .__mcp_tool_split();
                        (&&&&&__returned.failure()).__mcp_tool_error().check();
                        __mcp_tool::define(
                            &__mcp_tool::Draft {
                                prefix: &self.prefix,
                                name: "create",
                                title: __mcp_tool::Option::None,
                                description: &__mcp_tool::description_of(" Create a note."),
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
                                        __Arguments<__Argument0>,
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
                            let __Arguments { body: __argument0 } = (&&__mcp_tool::ArgumentsType::<
                                __Arguments<__Argument0>,
                            >::new())
                                .__mcp_tool_decode(&__arguments)?;
                            let __value = <Notes>::create(&self.service, __argument0)
                                .await;
                            let __returned = __mcp_tool::Returned::of(&__value)
                                .__mcp_tool_split();
                            match __returned.take(__value) {
                                __mcp_tool::Result::Ok(__value) => {
                                    (&&&&&&__returned.success())
                                        .__mcp_tool_output()
                                        .output(__value)
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
                            .with_decoder(|__arguments| {
                                (&&__mcp_tool::ArgumentsType::<
                                    __Arguments<__Argument0>,
                                >::new())
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
                __mcp_tool::Vec::push(
                    &mut __list,
                    __mcp_tool::Box::new(__Handler {
                        service: __mcp_tool::Clone::clone(&self),
                        prefix: __mcp_tool::format!("{__prefix}{}", "notes_"),
                    }),
                );
            }
            __list
        }
    }
};
#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        mod __keys0 {
            use ::mcp_tool_runtime::__private::keys::service::*;
            use self::prefix as _;
        }
    }
};
