//! What is emitted for a tool without errors: the function, its handle, and one `const _` with everything else.

use arguments::Arguments;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use crate::errors::located_at;
use crate::model::{SERVICE, Tool};

mod arguments;
mod assertions;
mod call;
mod definition;
mod questions;
mod values;

/// Emits a free function, the handle of its tool, and the handle's implementation of `ToolHandler`.
pub(crate) fn emit(tool: &Tool) -> TokenStream {
    let Tool { function, handle_type, name, .. } = tool;
    let vis = &function.vis;
    let cfgs: Vec<_> = function.cfgs().collect();
    let emitted = function.emit();
    let doc = format!("The tool `{name}`, for `tools![…]` and a dispatcher's builder.");
    let handle_struct = handle_struct(handle_type);
    let imports = imports(&tool.runtime);
    let items = handler_items(tool);
    let allow_lints = allow_lints();
    quote! {
        #emitted

        #(#cfgs)*
        #[doc = #doc]
        #[allow(missing_copy_implementations, missing_debug_implementations, non_camel_case_types, clippy::exhaustive_structs)]
        #vis #handle_struct

        #(#cfgs)*
        #allow_lints
        const _: () = {
            #imports

            #items
        };
    }
}

/// Emits an `#[allow(…)]` for the lints that generated code may trigger in the author's crate.
pub(crate) fn allow_lints() -> TokenStream {
    quote! {
        #[allow(
            deprecated, non_camel_case_types, non_snake_case, unused_imports, unused_qualifications,
            clippy::all, clippy::nursery, clippy::pedantic
        )]
    }
}

/// Emits the imports that generated code uses. Every name could hide a name of the author's crate, so there are few
/// names, and traits are imported without names.
pub(crate) fn imports(runtime: &Path) -> TokenStream {
    quote! {
        use #runtime::__private as __mcp_tool;
        use __mcp_tool::Default;
        use __mcp_tool::Into;
        use __mcp_tool::Option::Some;
        use __mcp_tool::traits::*;
    }
}

/// Emits the impl of `ToolHandler`, with its helpers and the assertions about the tool.
pub(crate) fn handler_items(tool: &Tool) -> TokenStream {
    let handle_type = &tool.handle_type;
    let arguments = Arguments::new(tool);
    let arguments_items = &arguments.items;
    let forms = questions::forms(tool);
    let assertions = assertions::about_arguments(tool);
    let paging = assertions::about_pages(tool);
    let codecs = call::functions(tool, &arguments);
    let definition = definition::definition(tool, &arguments);
    let call = call::call(tool, &arguments);
    let metadata = definition::metadata(tool, &arguments);
    let (generics, type_generics, bounds) = match &tool.service {
        Some(service) => {
            let (generics, type_generics, _) = service.generics.split_for_impl();
            (Some(generics), Some(type_generics), Some(service.bounds()))
        }
        None => (None, None, None),
    };
    let service_alias = tool.service.as_ref().filter(|service| !service.is_generic()).map(|service| {
        let (name, ty) = (format_ident!("{}", SERVICE), &service.ty);
        quote!(type #name = #ty;)
    });
    let return_alias = (!tool.is_generic()).then(|| {
        let name = format_ident!("__Returns", span = tool.function.sig.ident.span());
        let ty = written_return_type(tool);
        quote!(type #name = #ty;)
    });
    let assumed = tool.function.assumed.iter().map(|condition| {
        let message = "this attribute of a parameter does not apply in this build, in which the function is a tool\n\
                       help: write the same condition on the tool";
        quote_spanned!(condition.span()=> const _: () = ::core::assert!(::core::cfg!(#condition), #message);)
    });
    quote! {
        #service_alias
        #return_alias
        #(#assumed)*
        #arguments_items
        #forms
        #assertions
        #paging
        #codecs

        impl #generics __mcp_tool::ToolHandler for #handle_type #type_generics #bounds {
            fn definition(&self) -> __mcp_tool::Tool {
                #definition
            }

            fn call<'__call>(
                &'__call self,
                __context: &'__call __mcp_tool::CallContext,
                __arguments: __mcp_tool::Arguments<'__call>,
            ) -> __mcp_tool::BoxFuture<
                '__call,
                __mcp_tool::Result<__mcp_tool::Output, __mcp_tool::ToolError>,
            > {
                #call
            }

            fn metadata(&self) -> __mcp_tool::ToolMetadata {
                #metadata
            }
        }
    }
}

/// Emits the struct of a handle. If its name is taken, rustc reports that where the author wrote the name: at the
/// function or at the value of the key `handler`.
pub(crate) fn handle_struct(handle_type: &Ident) -> TokenStream {
    let span = located_at(handle_type.span());
    let fields = quote_spanned!(span=> {});
    quote_spanned!(span=> struct #handle_type #fields)
}

/// Returns the alias of the return type, or the type itself in a generic service, whose parameters an alias cannot
/// name.
fn return_type(tool: &Tool) -> TokenStream {
    if tool.is_generic() { written_return_type(tool) } else { quote!(__Returns) }
}

fn written_return_type(tool: &Tool) -> TokenStream {
    tool.returns.as_ref().map_or_else(|| quote!(()), ToTokens::to_token_stream)
}
