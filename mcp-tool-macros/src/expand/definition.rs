//! The body of `ToolHandler::definition`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{GenericArgument, Path, PathArguments, Type};

use super::arguments::{self, Arguments};
use super::{example_call, return_type};
use crate::attr::OutputKey;
use crate::attr::icon::Icon;
use crate::attr::list::{KeyValue, is_set};
use crate::docs::Description;
use crate::model::Tool;
use crate::paths::{located_at, variable};
use crate::types;

pub(super) fn definition(tool: &Tool, arguments: &Arguments) -> TokenStream {
    let keys = &tool.keys;
    let name = &tool.name;
    let title = option(keys.title.as_ref().map(|given| &given.value));
    let description = match (&keys.description, &tool.description) {
        (Some(KeyValue { value: Description::Expr(expr), .. }), _) => {
            let span = expr.span();
            quote_spanned!(span=> __mcp_tool::Description::text(#expr))
        }
        (_, description) => description.to_token_stream(),
    };
    let [read_only, destructive, idempotent, open_world] =
        [&keys.read_only_hint, &keys.destructive_hint, &keys.idempotent_hint, &keys.open_world_hint]
            .map(|hint| option(hint.as_ref().map(|given| given.value)));
    let allow_unknown = is_set(keys.allow_unknown.as_ref());
    let deprecated = option(tool.deprecated.as_ref());
    let prefix = if tool.service.is_some() { quote!(&self.prefix) } else { quote!("") };
    let icons = keys.icons.iter().map(icon);
    let meta = keys.meta.iter().map(|entry| {
        let (key, value) = (&entry.key, &entry.value);
        quote_spanned!(value.span()=> .with_meta(#key, #value))
    });
    let return_type = return_type(tool);
    let spans = ReturnSpans::new(tool);
    let (output, check_output) = output(tool, spans.success);
    let input = input(tool, arguments);
    let span = spans.failure;
    let returned = variable("__returned", span);
    let check_error = quote_spanned!(span=> (&&&&&#returned.failure()).__mcp_tool_error().check(););
    quote! {
        let __returned = __mcp_tool::Returned::<#return_type>::new().__mcp_tool_split();
        #check_output
        #check_error
        __mcp_tool::define(
            &__mcp_tool::Draft {
                prefix: #prefix,
                name: #name,
                title: #title,
                description: #description,
                deprecated: #deprecated,
                read_only_hint: #read_only,
                destructive_hint: #destructive,
                idempotent_hint: #idempotent,
                open_world_hint: #open_world,
                allow_unknown: #allow_unknown,
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
    let ty = &arguments.ty;
    let publish_optionals = arguments::publish_optionals(tool);
    let publish_defaults = arguments::publish_defaults(tool);
    let publish_examples = example_call::publish(tool);
    let span = located_at(tool.function.sig.ident.span());
    let schema = quote_spanned!(span=> (&&__mcp_tool::ArgumentsType::<#ty>::new()).__mcp_tool_schema(__generator));
    quote! {
        __mcp_tool::SchemaSource::Derived(&mut |__generator| {
            #[allow(unused_mut)]
            let mut __schema = #schema;
            #publish_optionals
            #publish_defaults
            #publish_examples
            __schema
        })
    }
}

/// Returns the source of the output schema, and a check of the return type.
///
/// The check is emitted if the published schema is not derived from the return type. Then the type needs no schema, but its
/// value must still be a possible output.
fn output(tool: &Tool, span: Span) -> (TokenStream, Option<TokenStream>) {
    let returned = variable("__returned", span);
    // The receiver is not a variable: rustc points at its start if a trait is missing, and its span is that of the author's
    // type.
    let output = quote_spanned!(span=> (&&&&&&#returned.success()).__mcp_tool_output());
    let check = quote_spanned!(span=> #output.check(););
    match (&tool.keys.output, &tool.keys.output_schema) {
        (_, Some(KeyValue { value: path, .. })) => (hand_written(path), Some(check)),
        (Some(KeyValue { value: OutputKey::Off, .. }), _) => {
            (quote!(__mcp_tool::SchemaSource::Derived(&mut |_| __mcp_tool::Option::None)), Some(check))
        }
        (Some(KeyValue { value: OutputKey::Type(ty), .. }), _) => {
            let span = ty.span();
            let generator = variable("__generator", span);
            let schema = quote_spanned!(span=> <#ty as __mcp_tool::DescribedOutput>::describe(#generator));
            (quote!(__mcp_tool::SchemaSource::Derived(&mut |__generator| Some(#schema))), Some(check))
        }
        (None, None) => {
            let generator = variable("__generator", span);
            let schema = quote_spanned!(span=> #output.schema(#generator));
            (quote!(__mcp_tool::SchemaSource::Derived(&mut |__generator| #schema)), None)
        }
    }
}

fn icon(icon: &Icon) -> TokenStream {
    let Icon { src, mime_type, sizes, theme } = icon;
    let mime_type = mime_type.as_ref().map(|mime_type| quote!(.with_mime_type(#mime_type)));
    let sizes = (!sizes.is_empty()).then(|| quote!(.with_sizes([#(#sizes),*])));
    let theme = theme.as_ref().map(|theme| quote!(.with_theme(#theme)));
    quote!(.with_icon(__mcp_tool::Icon::new(#src) #mime_type #sizes #theme))
}

fn hand_written(path: &Path) -> TokenStream {
    let span = path.span();
    let schema = quote_spanned!(span=> __mcp_tool::WrittenSchema::schema(#path));
    quote!(__mcp_tool::SchemaSource::Written(#schema))
}

/// Where errors about the result and about the error of a tool point.
struct ReturnSpans {
    success: Span,
    failure: Span,
}

impl ReturnSpans {
    fn new(tool: &Tool) -> Self {
        let Some(ty) = &tool.returns else {
            let span = tool.function.sig.ident.span();
            return Self { success: span, failure: span };
        };
        let whole = ty.span();
        let element_span = |ty: &Type| types::element(ty).unwrap_or(ty).span();
        let Type::Path(path) = ty else { return Self { success: whole, failure: whole } };
        let last = path.path.segments.last().filter(|last| last.ident.to_string().ends_with("Result"));
        let Some(PathArguments::AngleBracketed(arguments)) = last.map(|last| &last.arguments) else {
            return Self { success: element_span(ty), failure: whole };
        };
        let mut types = arguments.args.iter().filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        });
        let success = types.next().map_or(whole, element_span);
        Self { success, failure: types.next().map_or(whole, syn::spanned::Spanned::span) }
    }
}

fn option(value: Option<impl ToTokens>) -> TokenStream {
    value.map_or_else(|| quote!(__mcp_tool::Option::None), |value| quote!(__mcp_tool::Option::Some(#value)))
}
