//! `tools![…]`: a list of handles, in which no name stands twice.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Attribute, Path, Token};

/// A handle, and the `#[cfg]`s on it.
struct Element {
    attrs: Vec<Attribute>,
    path: Path,
}

impl Parse for Element {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        if let Some(attr) = attrs.iter().find(|attr| !attr.path().is_ident("cfg")) {
            let message = "only `#[cfg(…)]` can stand on an element of `tools![…]`";
            return Err(syn::Error::new_spanned(attr, message));
        }
        let at = input.span();
        let path: Path = input.call(Path::parse_mod_style).map_err(|_| {
            syn::Error::new(
                at,
                "expected the path of a function with `#[mcp_tool]`\nhelp: write `tools![add, module::search]`",
            )
        })?;
        if !input.is_empty() && !input.peek(Token![,]) {
            let message =
                "expected `,` after the path of a function\nhelp: name the function alone, without calling it";
            return Err(syn::Error::new(input.span(), message));
        }
        Ok(Self { attrs, path })
    }
}

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let parser = |input: ParseStream<'_>| {
        // `$crate`, which only the compiler can read.
        let krate: proc_macro2::TokenTree = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok((krate, input.call(Punctuated::<Element, Token![,]>::parse_terminated)))
    };
    match parser.parse2(input) {
        Ok((krate, Ok(elements))) => emit(&krate, &elements.into_iter().collect::<Vec<_>>()),
        Ok((krate, Err(error))) => {
            let error = error.to_compile_error();
            quote!({ #error #krate::__private::Vec::<#krate::__private::Box<dyn #krate::ToolHandler>>::new() })
        }
        Err(error) => error.to_compile_error(),
    }
}

fn emit(krate: &proc_macro2::TokenTree, elements: &[Element]) -> TokenStream {
    let names = elements.iter().enumerate().map(
        |(place, Element { attrs, path })| quote!(#(#attrs)* (#place, __mcp_tool::hash(<#path>::__MCP_TOOL_NAME))),
    );
    let checks = elements.iter().enumerate().skip(1).map(|(place, Element { attrs, path })| {
        let span = Span::call_site().located_at(path.span());
        quote_spanned! {span=>
            #(#attrs)*
            const _: () = if !__mcp_tool::is_first(__NAMES, #place, <#path>::__MCP_TOOL_NAME) {
                ::core::panic!("two tools of this list have the same name")
            };
        }
    });
    let pushes = elements.iter().map(|Element { attrs, path }| {
        let span = Span::call_site().located_at(path.span());
        quote_spanned!(span=> #(#attrs)* #[allow(unused_qualifications)] __list.push(__mcp_tool::Box::new(#path {}));)
    });
    let count = elements.len();
    quote! {{
        use #krate::__private as __mcp_tool;
        #[allow(unused_imports)]
        use __mcp_tool::Named as _;
        #[allow(dead_code)]
        const __NAMES: &[(usize, u64)] = &[#(#names),*];
        #(#checks)*
        #[allow(unused_mut, unused_qualifications, clippy::vec_init_then_push)]
        let mut __list: __mcp_tool::Vec<__mcp_tool::Box<dyn __mcp_tool::ToolHandler>> =
            __mcp_tool::Vec::with_capacity(#count);
        #(#pushes)*
        __list
    }}
}
