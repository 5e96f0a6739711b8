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
    use __mcp_tool::traits::*;
    #[allow(unused_imports)]
    mod __imports {
        use super::*;
        use ::mcp_tool_runtime::__private::attributes::*;
        use self::mcp_tool as __mcp_tool;
    }
    impl __mcp_tool::ToolService<__mcp_tool::OnlyOneBlockWithoutPart> for Notes
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
                type __Service = Notes;
                type __Returns = Result<Note, NotesError>;
                type __Argument0 = String;
                fn __assert() {
                    <__Argument0 as __mcp_tool::ToolArgument>::assert();
                }
                fn __arguments_codec() -> impl __mcp_tool::ArgumentsCodec<
                    (__Argument0,),
                > {
                    (&&__mcp_tool::TupleType::<
                        (__Argument0,),
                    >::new(
                        &[
                            __mcp_tool::Parameter {
                                name: "body",
                                docs: "Its text.",
                                default: __mcp_tool::Option::None,
                            },
                        ],
                    ))
                        .__mcp_tool_arguments()
                }
                fn __return_codec() -> impl __mcp_tool::ReturnCodec<__Returns> {
                    {
                        let __returned = __mcp_tool::Returned::<__Returns>::new()
                            .__mcp_tool_split();
                        __returned
                            .codec(
                                (&&&&&&__returned.success())
                                    .__mcp_tool_output()
                                    .described(),
                                (&&&&&__returned.failure()).__mcp_tool_error().check(),
                            )
                    }
                }
                impl __mcp_tool::ToolHandler for __Handler
                where
                    Notes: __mcp_tool::SharedService,
                {
                    fn definition(&self) -> __mcp_tool::Tool {
                        __mcp_tool::define(
                            &__mcp_tool::Draft {
                                prefix: &self.prefix,
                                name: "create",
                                description: &__mcp_tool::description_of(" Create a note."),
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
                            move |(__argument0,)| {
                                <Notes>::create(&self.service, __argument0)
                            },
                        )
                    }
                    fn metadata(&self) -> __mcp_tool::ToolMetadata {
                        __mcp_tool::ToolMetadata::derived(
                                __mcp_tool::type_name::<Notes>(),
                                false,
                                &[],
                            )
                            .with_package(
                                ::core::option_env!("CARGO_PKG_NAME"),
                                ::core::option_env!("CARGO_PKG_VERSION"),
                            )
                            .with_hand_written(false, false)
                            .with_method("create")
                            .with_decode_check(
                                __mcp_tool::ArgumentsCodec::decode_check(
                                    __arguments_codec(),
                                ),
                            )
                            .with_result_types(
                                __mcp_tool::result_types(__return_codec(), false),
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
