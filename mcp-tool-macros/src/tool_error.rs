//! `#[derive(IntoToolError)]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Attribute, Data, DeriveInput, Expr, Fields, LitStr, Path, Token};

use crate::attr::{flag, krate, unknown_key};
use crate::errors::Errors;
use crate::paths;

mod format;

const KEYS: [&str; 7] = [
    "can_retry",
    "retry_after_ms",
    "additional_prompt_content",
    "developer_message",
    "internal",
    "transparent",
    "crate",
];

/// What `#[tool_error(…)]` says of a variant.
#[derive(Default, Clone)]
struct Keys {
    can_retry: Option<(Ident, bool)>,
    retry_after_ms: Option<(Ident, Expr)>,
    additional_prompt_content: Option<(Ident, LitStr)>,
    developer_message: Option<(Ident, LitStr)>,
    internal: Option<(Ident, bool)>,
    transparent: Option<(Ident, bool)>,
    krate: Option<(Ident, Path)>,
}

impl Keys {
    /// What the type says counts where the variant says nothing.
    fn or(self, default: &Self) -> Self {
        let transparent = self.transparent.is_some();
        let default = if transparent { Self::default() } else { default.clone() };
        Self {
            can_retry: self.can_retry.or(default.can_retry),
            retry_after_ms: self.retry_after_ms.or(default.retry_after_ms),
            additional_prompt_content: self.additional_prompt_content.or(default.additional_prompt_content),
            developer_message: self.developer_message.or(default.developer_message),
            internal: self.internal.or(default.internal),
            transparent: self.transparent,
            krate: None,
        }
    }
}

pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut errors = Errors::default();
    let default = parse(&input.attrs, true, &mut errors);
    let of_all = default.transparent.as_ref().filter(|_| matches!(input.data, Data::Enum(_)));
    if let Some((key, _)) = of_all {
        let help = "put it on the variant that wraps an error";
        errors.help(key, "`transparent` is for one variant, not for all", help);
    }
    let krate = default.krate.as_ref().map_or_else(paths::default_crate, |(_, path)| path.clone());
    let arms: Vec<_> = match &input.data {
        Data::Struct(data) => vec![arm(&quote!(Self), &data.fields, &default, &mut errors)],
        Data::Enum(data) => {
            let arms = data.variants.iter().map(|variant| {
                let keys = parse(&variant.attrs, false, &mut errors).or(&default);
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
    let arms = if errors.is_empty() { quote!(#(#arms)*) } else { quote!(_ => ::core::unreachable!(),) };
    let errors = errors.to_compile_errors();
    let name = &input.ident;
    let (generics, types, bounds) = input.generics.split_for_impl();
    let displayed = quote_spanned!(name.span()=> __mcp_tool::ToString::to_string(&self));
    let body = match &input.data {
        // There is no value to show.
        Data::Enum(data) if data.variants.is_empty() => quote!(match self {}),
        Data::Struct(_) if default.transparent.is_some() => quote!(match self { #arms }),
        _ => quote! {
            let __message = #displayed;
            match self { #arms }
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

fn parse(attrs: &[Attribute], on_type: bool, errors: &mut Errors) -> Keys {
    let mut keys = Keys::default();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("tool_error")) {
        let read = attr.parse_args_with(|input: ParseStream<'_>| {
            while !input.is_empty() {
                key(input, on_type, &mut keys, errors)?;
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        });
        if let Err(error) = read {
            errors.syn(error);
        }
    }
    if let (Some((key, _)), Some(_)) = (&keys.internal, &keys.transparent) {
        errors.help(key, "`transparent` shows the inner error, `internal` hides it", "remove one of them");
    }
    keys
}

fn key(input: ParseStream<'_>, on_type: bool, keys: &mut Keys, errors: &mut Errors) -> syn::Result<()> {
    let key = input.call(Ident::parse_any)?;
    let name = key.to_string();
    match name.as_str() {
        "can_retry" => set(&mut keys.can_retry, key, flag(input)?, errors),
        "internal" => set(&mut keys.internal, key, flag(input)?, errors),
        "transparent" => set(&mut keys.transparent, key, flag(input)?, errors),
        "retry_after_ms" => {
            let value = value(input, &name, "a number of milliseconds, or an expression over the fields")?;
            set(&mut keys.retry_after_ms, key, value, errors);
        }
        "additional_prompt_content" => {
            let value = value(input, &name, "a format string over the fields")?;
            set(&mut keys.additional_prompt_content, key, value, errors);
        }
        "developer_message" => {
            let value = value(input, &name, "a format string over the fields")?;
            set(&mut keys.developer_message, key, value, errors);
        }
        "crate" if on_type => set(&mut keys.krate, key, krate(input)?, errors),
        "crate" => return Err(syn::Error::new(key.span(), "`crate` stands on the type, once for all variants")),
        _ => return Err(unknown_key(&key, &name, &KEYS, "tool_error")),
    }
    Ok(())
}

fn set<T>(slot: &mut Option<(Ident, T)>, key: Ident, value: T, errors: &mut Errors) {
    if slot.is_some() {
        errors.help(&key, format!("`{key}` is given twice"), "remove one of them");
    } else {
        *slot = Some((key, value));
    }
}

fn value<T: syn::parse::Parse>(input: ParseStream<'_>, key: &str, what: &str) -> syn::Result<T> {
    let expected = |span: Span| syn::Error::new(span, format!("`{key}` takes {what}\nhelp: write `{key} = …`"));
    if !input.peek(Token![=]) {
        return Err(expected(input.span()));
    }
    input.parse::<Token![=]>()?;
    let span = input.span();
    input.parse().map_err(|_| expected(span))
}

/// One arm of the match: the fields bound by their names, a tuple's as `_0`, `_1`.
fn arm(path: &TokenStream, fields: &Fields, keys: &Keys, errors: &mut Errors) -> TokenStream {
    let names: Vec<_> = match fields {
        Fields::Named(fields) => fields.named.iter().filter_map(|field| field.ident.clone()).collect(),
        Fields::Unnamed(fields) => (0..fields.unnamed.len()).map(|index| format_ident!("_{index}")).collect(),
        Fields::Unit => Vec::new(),
    };
    let pattern = match fields {
        Fields::Named(_) => quote!(#path { #(#names),* }),
        Fields::Unnamed(_) => quote!(#path(#(#names),*)),
        Fields::Unit => quote!(#path),
    };
    if let Some((key, true)) = &keys.transparent {
        let Some(field) = fields.iter().next().filter(|_| fields.len() == 1) else {
            errors.help(
                key,
                "`transparent` is for a variant with one field",
                "keep the inner error alone in the variant",
            );
            return TokenStream::new();
        };
        let inner = &names[0];
        let span = field.ty.span();
        let error = quote_spanned!(span=> __mcp_tool::IntoToolError::into_tool_error(#inner));
        return quote!(#pattern => #error,);
    }
    let base = if keys.internal.as_ref().is_some_and(|(_, internal)| *internal) {
        quote!(__mcp_tool::masked(__message))
    } else {
        quote!(__mcp_tool::ToolError::new(__message))
    };
    let can_retry = keys.can_retry.as_ref().map(|(_, can_retry)| quote!(.with_can_retry(#can_retry)));
    let retry_after = keys.retry_after_ms.as_ref().map(|(_, millis)| {
        let span = millis.span();
        let millis = quote_spanned!(span=> __mcp_tool::Milliseconds::milliseconds(#millis));
        quote!(.with_retry_after(__mcp_tool::Duration::from_millis(#millis)))
    });
    let mut text = |given: &Option<(Ident, LitStr)>, method: &str| {
        let (_, text) = given.as_ref()?;
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
