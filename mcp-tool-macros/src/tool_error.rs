//! Expands `#[derive(IntoToolError)]`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Attribute, Data, DeriveInput, Fields, LitStr};

use crate::attr::keys::ErrorKeys;
use crate::attr::{Given as _, KeyValue, Keys as _, One, unraw, value};
use crate::editor::KeyImports;
use crate::errors::{Errors, variable};
use crate::field_attributes::metas;

impl ErrorKeys {
    fn of_type(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let names: Vec<_> = Self::TABLE.iter().map(|key| key.name).collect();
        let help = format!("write keys between parentheses: `{}`", names.join("`, `"));
        let keys = Self::parse_attributes(attrs, "tool_error", &help, errors);
        if keys.internal.is_set() && keys.transparent.is_set() {
            let message = "`transparent` shows the inner error, `internal` hides it";
            errors.report(keys.internal.key(), message, "remove one of them");
        }
        keys
    }

    /// Parses the keys of a variant, and takes missing keys from the type.
    ///
    /// A transparent variant takes no keys from the type, because it returns the error of its field.
    fn of_variant(attrs: &[Attribute], of_type: &Self, errors: &mut Errors) -> Self {
        let mut keys = Self::of_type(attrs, errors);
        if let Some(key) = keys.crate_path.key() {
            errors.report(key, "`crate` is for the whole error, not for a variant", "put it above the type");
        }
        if !keys.transparent.is_set() {
            let of_type = Self { transparent: None, ..of_type.clone() };
            keys.fill_from(&of_type);
        }
        keys.masked_if_foreign(attrs)
    }

    /// Masks an error that has `#[error(transparent)]` or `#[snafu(transparent)]`, because such an error shows the text
    /// of another error, and nobody wrote that text for models. An error with the key `internal` or `transparent` stays
    /// as it is.
    fn masked_if_foreign(mut self, attrs: &[Attribute]) -> Self {
        let transparent = attrs.iter().find(|attr| {
            let is_derive = ["error", "snafu"].iter().any(|name| attr.path().is_ident(name));
            is_derive && metas(attr).iter().any(|meta| meta.path().is_ident("transparent"))
        });
        if let (Some(attr), None, false) = (transparent, &self.internal, self.transparent.is_set()) {
            self.internal = Some(KeyValue { key: Ident::new("internal", attr.span()), value: true });
        }
        self
    }
}

pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut errors = Errors::default();
    let mut key_imports = KeyImports::default();
    key_imports.add_attributes("error", "tool_error", &input.attrs);
    let default = ErrorKeys::of_type(&input.attrs, &mut errors);
    if let (Some(key), Data::Enum(_)) = (default.transparent.key(), &input.data) {
        let help = "put it on the variant that wraps an error";
        errors.report(key, "`transparent` is for one variant, not for all", help);
    }
    let arms: Vec<_> = match &input.data {
        Data::Struct(data) => {
            let keys = default.clone().masked_if_foreign(&input.attrs);
            vec![arm(&quote!(Self), &data.fields, &keys, &mut errors)]
        }
        Data::Enum(data) => {
            let arms = data.variants.iter().map(|variant| {
                key_imports.add_attributes("error", "tool_error", &variant.attrs);
                let keys = ErrorKeys::of_variant(&variant.attrs, &default, &mut errors);
                let name = &variant.ident;
                arm(&quote!(Self::#name), &variant.fields, &keys, &mut errors)
            });
            arms.collect()
        }
        Data::Union(data) => {
            errors.report(data.union_token, "a union cannot be the error of a tool", "write an enum");
            Vec::new()
        }
    };
    let runtime = value::runtime(default.crate_path.value());
    let name = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let this = variable("self", name.span());
    let message = quote_spanned!(name.span()=> <Self as __mcp_tool::DisplayedError>::displayed(&#this));
    let body = match &input.data {
        // There is an error already, so do not let rustc ask for `Display` as well.
        _ if !errors.is_empty() => quote!(::core::unreachable!()),
        Data::Enum(data) if data.variants.is_empty() => quote!(match self {}),
        Data::Struct(_) if default.transparent.is_set() => quote!(match self { #(#arms)* }),
        _ => quote! {
            let __message = #message;
            match self { #(#arms)* }
        },
    };
    let key_imports = key_imports.emit(&runtime);
    let errors = errors.to_compile_errors();
    quote! {
        const _: () = {
            use #runtime::__private as __mcp_tool;

            #[automatically_derived]
            #[allow(unused_variables, unused_parens, deprecated, unused_qualifications, clippy::all, clippy::pedantic)]
            impl #impl_generics __mcp_tool::IntoToolError for #name #ty_generics #where_clause {
                fn into_tool_error(self) -> __mcp_tool::ToolError {
                    #body
                }
            }
        };
        #key_imports
        #errors
    }
}

/// Emits the arm of the `match` for one variant or struct. Named fields are bound to their names, and the fields of a
/// tuple to `_0`, `_1` and so on.
fn arm(path: &TokenStream, fields: &Fields, keys: &ErrorKeys, errors: &mut Errors) -> TokenStream {
    let bindings: Vec<_> = match fields {
        Fields::Named(fields) => fields.named.iter().filter_map(|field| field.ident.clone()).collect(),
        Fields::Unnamed(fields) => (0..fields.unnamed.len()).map(|index| format_ident!("_{index}")).collect(),
        Fields::Unit => Vec::new(),
    };
    for field in fields {
        for attr in field.attrs.iter().filter(|attr| attr.path().is_ident("tool_error")) {
            let help = "put it above the variant, or above the struct";
            errors.report(attr, "`#[tool_error]` cannot be on a field", help);
        }
    }
    let pattern = match fields {
        Fields::Named(_) => quote!(#path { #(#bindings),* }),
        Fields::Unnamed(_) => quote!(#path(#(#bindings),*)),
        Fields::Unit => quote!(#path),
    };
    if keys.transparent.is_set() {
        let (Some(field), 1) = (fields.iter().next(), fields.len()) else {
            let message = "`transparent` is for a variant with exactly one field";
            errors.report(keys.transparent.key(), message, "keep the inner error alone in the variant");
            return TokenStream::new();
        };
        let inner = &bindings[0];
        let ty = &field.ty;
        let error = quote_spanned!(ty.span()=> <#ty as __mcp_tool::IntoToolError>::into_tool_error(#inner));
        return quote!(#pattern => #error,);
    }
    let error = if keys.internal.is_set() {
        quote!(__mcp_tool::masked(__message))
    } else {
        quote!(__mcp_tool::ToolError::new(__message))
    };
    let can_retry = keys.can_retry.value().map(|value| quote!(.with_can_retry(#value)));
    let retry_after = keys.retry_after_ms.value().map(|millis| {
        let span = millis.span();
        let millis = quote_spanned!(span=> __mcp_tool::Milliseconds::milliseconds(#millis));
        quote!(.with_retry_after(__mcp_tool::Duration::from_millis(#millis)))
    });
    // Borrow the values, because `code` and `data` may use the same field.
    let code = keys.code.value().map(|code| {
        let code = quote_spanned!(code.span()=> __mcp_tool::ErrorCode::code(&(#code)));
        quote!(.with_code(#code))
    });
    let data = keys.data.value().map(|data| {
        let data = quote_spanned!(data.span()=> &(#data));
        quote!(.with_data(#data))
    });
    let mut text = |given: &One<LitStr>, method: &str| {
        let method = format_ident!("{method}");
        let formatted = format_fields(given.value()?, fields, &bindings, errors)?;
        Some(quote!(.#method(#formatted)))
    };
    let prompt = text(&keys.additional_prompt_content, "with_additional_prompt_content");
    let developer = text(&keys.developer_message, "with_developer_message");
    // `retry_after_ms` implies `can_retry`. An explicit `can_retry` comes later in the chain, so that its `false` wins.
    let chain =
        [code, data, retry_after, can_retry, prompt, developer].into_iter().flatten().map(ToTokens::into_token_stream);
    quote!(#pattern => #error #(#chain)*,)
}

/// Emits a `format!` over the bindings of the fields. The field `{0}` of a tuple is bound as `_0`.
fn format_fields(text: &LitStr, fields: &Fields, bindings: &[Ident], errors: &mut Errors) -> Option<TokenStream> {
    let value = text.value();
    let Some(pieces) = value::split_format(&value) else {
        errors.report(text, "a brace in the format string is not paired", "write `{{` or `}}` for a brace");
        return None;
    };
    let mut format = String::new();
    let mut used = Vec::new();
    for (plain, placeholder) in pieces {
        format += &plain.replace('{', "{{").replace('}', "}}");
        let Some((name, spec)) = placeholder else { continue };
        let field = if name.parse::<usize>().is_ok() { format!("_{name}") } else { name.to_owned() };
        let Some(binding) = bindings.iter().find(|binding| unraw(binding) == field) else {
            report_unknown_field(text, name, fields, errors);
            return None;
        };
        // Use a positional argument, because the name of a field may be a keyword.
        let position = used.iter().position(|used| *used == binding).unwrap_or(used.len());
        if position == used.len() {
            used.push(binding);
        }
        format.extend(["{", &position.to_string(), spec, "}"]);
    }
    let literal = LitStr::new(&format, text.span());
    // With this span, rustc reports a field without `Display` at the format string.
    let used = used.into_iter().cloned().map(|mut field| {
        field.set_span(field.span().located_at(text.span()));
        field
    });
    Some(quote_spanned!(text.span()=> __mcp_tool::format!(#literal, #(#used),*)))
}

fn report_unknown_field(text: &LitStr, name: &str, fields: &Fields, errors: &mut Errors) {
    let known = fields.members().map(|member| match member {
        syn::Member::Named(name) => format!("`{{{}}}`", unraw(&name)),
        syn::Member::Unnamed(index) => format!("`{{{}}}`", index.index),
    });
    let known: Vec<_> = known.collect();
    let help = match known.as_slice() {
        [] => "there are no fields; write plain text".to_owned(),
        known => format!("the fields are {}", known.join(", ")),
    };
    errors.report(text, format!("the format string names `{name}`, which is not a field"), help);
}
