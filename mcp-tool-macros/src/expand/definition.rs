//! The body of `ToolHandler::definition`.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use super::arguments::Arguments;
use super::codec::{arguments_codec, return_codec};
use super::values;
use crate::attr::compound::Icon;
use crate::attr::value::OrOff;
use crate::attr::{KeyValue, is_set};
use crate::docs::Description;
use crate::errors::variable;
use crate::model::Tool;

pub(super) fn definition(tool: &Tool, arguments: &Arguments) -> TokenStream {
    let keys = &tool.keys;
    let name = &tool.name;
    let title = keys.title.as_ref().map(|given| {
        let title = &given.value;
        quote!(title: Some(#title),)
    });
    let description = match (&keys.description, &tool.description) {
        (Some(KeyValue { value: Description::Expr(expr), .. }), _) => {
            let span = expr.span();
            quote_spanned!(span=> __mcp_tool::Description::text(#expr))
        }
        (_, description) => description.to_token_stream(),
    };
    let hints = [
        ("read_only_hint", &keys.read_only_hint),
        ("destructive_hint", &keys.destructive_hint),
        ("idempotent_hint", &keys.idempotent_hint),
        ("open_world_hint", &keys.open_world_hint),
    ];
    let hints = hints.into_iter().filter_map(|(name, hint)| {
        let (name, value) = (format_ident!("{name}"), hint.as_ref()?.value);
        Some(quote!(#name: Some(#value),))
    });
    let allow_unknown = is_set(keys.allow_unknown.as_ref()).then(|| quote!(allow_unknown: true,));
    let always_load = is_set(keys.always_load.as_ref()).then(|| quote!(always_load: true,));
    let search_hint = keys.search_hint.as_ref().map(|KeyValue { value: words, .. }| quote!(search_hint: Some(#words),));
    let deprecated = tool.deprecated.as_ref().map(|note| quote!(deprecated: Some(#note),));
    let prefix = tool.service.as_ref().map(|_| quote!(prefix: &self.prefix,));
    let icons = keys.icon.iter().map(|given| icon(&given.value));
    let meta = keys.meta.iter().map(|entry| {
        let (key, value) = (&entry.value.key, &entry.value.value);
        quote_spanned!(value.span()=> .with_meta(#key, #value))
    });
    let output = output(tool);
    let input = input(tool, arguments);
    quote! {
        __mcp_tool::define(
            &__mcp_tool::Draft {
                #prefix
                name: #name,
                #title
                description: #description,
                #deprecated
                #(#hints)*
                #allow_unknown
                #always_load
                #search_hint
                ..__mcp_tool::Draft::EMPTY
            },
            #input,
            #output,
        )
        #(#icons)*
        #(#meta)*
    }
}

fn input(tool: &Tool, arguments: &Arguments) -> TokenStream {
    if let Some(KeyValue { value: path, .. }) = &tool.keys.input_schema {
        return hand_written(path);
    }
    let codec = arguments_codec(tool, arguments);
    let (optionals, values) = (values::publish_optionals(tool, arguments.is_tuple), values::publish_values(tool));
    let changes = quote!(#optionals #values);
    if changes.is_empty() {
        return quote!(__mcp_tool::SchemaSource::Derived(&mut __mcp_tool::input_schema(#codec)));
    }
    quote! {
        __mcp_tool::SchemaSource::Derived(&mut |__generator| {
            let mut __schema = __mcp_tool::ArgumentsCodec::schema(#codec, __generator);
            #changes
            __schema
        })
    }
}

/// Returns the source of the output schema.
fn output(tool: &Tool) -> TokenStream {
    match (&tool.keys.output, &tool.keys.output_schema) {
        (_, Some(KeyValue { value: path, .. })) => hand_written(path),
        (Some(KeyValue { value: OrOff::Off, .. }), _) => {
            quote!(__mcp_tool::SchemaSource::Derived(&mut |_| __mcp_tool::Option::None))
        }
        (Some(KeyValue { value: OrOff::Value(ty), .. }), _) => {
            let span = ty.span();
            let generator = variable("__generator", span);
            let schema = quote_spanned!(span=> <#ty as __mcp_tool::DescribedOutput>::describe(#generator));
            quote!(__mcp_tool::SchemaSource::Derived(&mut |__generator| Some(#schema)))
        }
        (None, None) => {
            let codec = return_codec(tool);
            quote!(__mcp_tool::SchemaSource::Derived(&mut __mcp_tool::output_schema(#codec)))
        }
    }
}

fn icon(icon: &Icon) -> TokenStream {
    let Icon { keys, sizes } = icon;
    let [src, mime_type, theme] =
        [&keys.src, &keys.mime_type, &keys.theme].map(|given| given.as_ref().map(|given| &given.value));
    let mime_type = mime_type.map(|mime_type| quote!(.with_mime_type(#mime_type)));
    let sizes = (!sizes.is_empty()).then(|| quote!(.with_sizes([#(#sizes),*])));
    let theme = theme.map(|theme| quote!(.with_theme(#theme)));
    quote!(.with_icon(__mcp_tool::Icon::new(#src) #mime_type #sizes #theme))
}

fn hand_written(path: &Path) -> TokenStream {
    let span = path.span();
    let schema = quote_spanned!(span=> __mcp_tool::WrittenSchema::schema(#path));
    quote!(__mcp_tool::SchemaSource::Written(#schema))
}
