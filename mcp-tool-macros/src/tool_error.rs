//! `#[derive(IntoToolError)]`.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Data, DeriveInput, Fields, LitStr};

use crate::errors::Errors;
use crate::keys::Given;
use crate::paths;

mod format;
mod keys;

use keys::Keys;

pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut errors = Errors::default();
    let default = keys::parse(&input.attrs, true, &mut errors);
    let of_all = default.transparent.as_ref().filter(|_| matches!(input.data, Data::Enum(_)));
    if let Some(given) = of_all {
        let help = "put it on the variant that wraps an error";
        errors.help(&given.key, "`transparent` is for one variant, not for all", help);
    }
    let krate = default.krate.as_ref().map_or_else(paths::default_crate, |given| given.value.clone());
    let arms: Vec<_> = match &input.data {
        Data::Struct(data) => vec![arm(&quote!(Self), &data.fields, &default, &mut errors)],
        Data::Enum(data) => {
            let arms = data.variants.iter().map(|variant| {
                let keys = keys::parse(&variant.attrs, false, &mut errors).or(&default);
                let name = &variant.ident;
                arm(&quote!(Self::#name), &variant.fields, &keys, &mut errors)
            });
            arms.collect()
        }
        Data::Union(data) => {
            errors.help(data.union_token, "a union cannot be the error of a tool", "write an enum");
            Vec::new()
        }
    };
    let name = &input.ident;
    let (generics, types, bounds) = input.generics.split_for_impl();
    let sound = errors.is_empty();
    let errors = errors.to_compile_errors();
    let error = paths::variable("self", name.span());
    let displayed = quote_spanned!(name.span()=> <Self as __mcp_tool::DisplayedError>::displayed(&#error));
    let body = match &input.data {
        // One mistake is one error: nothing more is asked of the type.
        _ if !sound => quote!(::core::unreachable!()),
        // There is no value to show.
        Data::Enum(data) if data.variants.is_empty() => quote!(match self {}),
        Data::Struct(_) if default.is_transparent() => quote!(match self { #(#arms)* }),
        _ => quote! {
            let __message = #displayed;
            match self { #(#arms)* }
        },
    };
    quote! {
        const _: () = {
            use #krate::__private as __mcp_tool;

            #[automatically_derived]
            #[allow(unused_variables, deprecated, unused_qualifications, clippy::all, clippy::pedantic)]
            impl #generics __mcp_tool::IntoToolError for #name #types #bounds {
                fn into_tool_error(self) -> __mcp_tool::ToolError {
                    #body
                }
            }
        };
        #errors
    }
}

/// One arm of the match: the fields bound by their names, a tuple's as `_0`, `_1`.
fn arm(path: &TokenStream, fields: &Fields, keys: &Keys, errors: &mut Errors) -> TokenStream {
    let names: Vec<_> = match fields {
        Fields::Named(fields) => fields.named.iter().filter_map(|field| field.ident.clone()).collect(),
        Fields::Unnamed(fields) => (0..fields.unnamed.len()).map(|index| format_ident!("_{index}")).collect(),
        Fields::Unit => Vec::new(),
    };
    for field in fields {
        keys::refuse(&field.attrs, errors);
    }
    let pattern = match fields {
        Fields::Named(_) => quote!(#path { #(#names),* }),
        Fields::Unnamed(_) => quote!(#path(#(#names),*)),
        Fields::Unit => quote!(#path),
    };
    if let (Some(given), true) = (&keys.transparent, keys.is_transparent()) {
        let Some(field) = fields.iter().next().filter(|_| fields.len() == 1) else {
            errors.help(
                &given.key,
                "`transparent` is for a variant with one field",
                "keep the inner error alone in the variant",
            );
            return TokenStream::new();
        };
        let inner = &names[0];
        let ty = &field.ty;
        let error = quote_spanned!(ty.span()=> <#ty as __mcp_tool::IntoToolError>::into_tool_error(#inner));
        return quote!(#pattern => #error,);
    }
    let base = if keys.is_internal() {
        quote!(__mcp_tool::masked(__message))
    } else {
        quote!(__mcp_tool::ToolError::new(__message))
    };
    let can_retry = keys.can_retry.as_ref().map(|Given { value, .. }| quote!(.with_can_retry(#value)));
    let retry_after = keys.retry_after_ms.as_ref().map(|Given { value: millis, .. }| {
        let span = millis.span();
        let millis = quote_spanned!(span=> __mcp_tool::Milliseconds::milliseconds(#millis));
        quote!(.with_retry_after(__mcp_tool::Duration::from_millis(#millis)))
    });
    let mut text = |given: &Option<Given<LitStr>>, method: &str| {
        let text = &given.as_ref()?.value;
        let method = format_ident!("{method}");
        let formatted = format::over_fields(text, fields, &names, errors)?;
        Some(quote!(.#method(#formatted)))
    };
    let prompt = text(&keys.additional_prompt_content, "with_additional_prompt_content");
    let developer = text(&keys.developer_message, "with_developer_message");
    // `retry_after_ms` before `can_retry`: what the author says of retrying counts.
    let chain = [retry_after, can_retry, prompt, developer].into_iter().flatten().map(ToTokens::into_token_stream);
    quote!(#pattern => #base #(#chain)*,)
}
