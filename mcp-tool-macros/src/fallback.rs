//! What is emitted for a tool with mistakes: the function, and a handle that is there but has nothing to say.
//!
//! Nothing else then turns red: `tools![…]` finds the handle, and the body is checked by the compiler as ever.

use proc_macro2::TokenStream;
use quote::quote;

use crate::expand::structure;
use crate::model::Tool;

pub(crate) fn stub(tool: &Tool) -> TokenStream {
    let Tool { function, handler, krate, .. } = tool;
    let emitted = function.emit();
    if function.sig.receiver().is_some() || tool.host.is_some() {
        // Inside an impl block no struct can stand.
        return emitted;
    }
    let vis = &function.vis;
    let structure = structure(handler);
    let cfgs: Vec<_> = function.cfgs().collect();
    quote! {
        #emitted

        #(#cfgs)*
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #vis #structure

        #(#cfgs)*
        const _: () = {
            use #krate::__private as __mcp_tool;

            impl #handler {
                #[doc(hidden)]
                #[allow(dead_code)]
                #vis const __MCP_TOOL_NAME: &'static str = "";
            }

            impl __mcp_tool::ToolHandler for #handler {
                fn definition(&self) -> __mcp_tool::Tool {
                    ::core::unreachable!()
                }

                fn call<'a>(
                    &'a self,
                    _: &'a __mcp_tool::CallContext,
                    _: __mcp_tool::Arguments<'a>,
                ) -> __mcp_tool::BoxFuture<'a, __mcp_tool::Result<__mcp_tool::Output, __mcp_tool::ToolError>> {
                    ::core::unreachable!()
                }
            }
        };
    }
}
