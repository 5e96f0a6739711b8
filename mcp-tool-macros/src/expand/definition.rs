//! The body of `definition`: what clients are told of the tool.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{GenericArgument, PathArguments, Type};

use super::arguments::Arguments;
use super::is_set;
use crate::attr::Output;
use crate::keys::Given;
use crate::model::Tool;

pub(super) fn definition(tool: &Tool, arguments: &Arguments) -> TokenStream {
    let keys = &tool.keys;
    let name = &tool.name;
    let title = option(keys.title.as_ref().map(|given| &given.value));
    let description = tool.description.to_token_stream();
    let [read_only, destructive, idempotent, open_world] =
        [&keys.read_only_hint, &keys.destructive_hint, &keys.idempotent_hint, &keys.open_world_hint]
            .map(|hint| option(hint.as_ref().map(|given| given.value)));
    let allow_unknown = is_set(keys.allow_unknown.as_ref());
    let spans = Spans::new(tool);
    let (output, check_output) = output(tool, &spans);
    let input = input(tool, arguments);
    let span = spans.failure;
    let check_error = quote_spanned!(span=> (&&&&&__returned.failure()).__mcp_tool_error().check(););
    quote! {
        let __returned = __mcp_tool::Returned::<__Returns>::new().__mcp_tool_split();
        let __output = (&&&&__returned.success()).__mcp_tool_output();
        #check_output
        #check_error
        __mcp_tool::define(
            &__mcp_tool::Draft {
                prefix: "",
                name: #name,
                title: #title,
                description: #description,
                deprecated: __mcp_tool::Option::None,
                read_only_hint: #read_only,
                destructive_hint: #destructive,
                idempotent_hint: #idempotent,
                open_world_hint: #open_world,
                allow_unknown: #allow_unknown,
            },
            #input,
            #output,
        )
    }
}

fn input(tool: &Tool, arguments: &Arguments) -> TokenStream {
    if let Some(Given { value: path, .. }) = &tool.keys.input_schema {
        return written(path);
    }
    let ty = &arguments.ty;
    quote! {
        __mcp_tool::Source::Derived(&mut |__generator| {
            (&&__mcp_tool::Decoded::<#ty>::new()).__mcp_tool_schema(__generator)
        })
    }
}

/// Where the output schema comes from. Of a result whose own schema is not published only its value is asked for.
fn output(tool: &Tool, spans: &Spans) -> (TokenStream, Option<TokenStream>) {
    let span = spans.success;
    let check = quote_spanned!(span=> __output.check(););
    match (&tool.keys.output, &tool.keys.output_schema) {
        (_, Some(Given { value: path, .. })) => (written(path), Some(check)),
        (Some(Given { value: Output::Off, .. }), _) => {
            (quote!(__mcp_tool::Source::Derived(&mut |_| __mcp_tool::Option::None)), Some(check))
        }
        (Some(Given { value: Output::Type(ty), .. }), _) => {
            let span = ty.span();
            let schema = quote_spanned!(span=> <#ty as __mcp_tool::DescribedOutput>::describe(__generator));
            (quote!(__mcp_tool::Source::Derived(&mut |__generator| Some(#schema))), Some(check))
        }
        (None, None) => {
            let schema = quote_spanned!(span=> __output.schema(__generator));
            (quote!(__mcp_tool::Source::Derived(&mut |__generator| #schema)), None)
        }
    }
}

fn written(path: &syn::Path) -> TokenStream {
    let span = path.span();
    let schema = quote_spanned!(span=> __mcp_tool::WrittenSchema::schema(#path));
    quote!(__mcp_tool::Source::Written(#schema))
}

/// Where to point when the result or the error of the tool lacks something. The spelling decides the place of an
/// error here, never what is made of a type.
struct Spans {
    success: Span,
    failure: Span,
}

impl Spans {
    fn new(tool: &Tool) -> Self {
        let Some(ty) = &tool.returns else {
            let span = tool.function.sig.ident.span();
            return Self { success: span, failure: span };
        };
        let whole = ty.span();
        let Type::Path(path) = ty else { return Self { success: whole, failure: whole } };
        let last = path.path.segments.last().filter(|last| last.ident.to_string().ends_with("Result"));
        let Some(PathArguments::AngleBracketed(arguments)) = last.map(|last| &last.arguments) else {
            return Self { success: whole, failure: whole };
        };
        let mut types = arguments.args.iter().filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty.span()),
            _ => None,
        });
        let success = types.next().unwrap_or(whole);
        Self { success, failure: types.next().unwrap_or(whole) }
    }
}

fn option(value: Option<impl ToTokens>) -> TokenStream {
    value.map_or_else(|| quote!(__mcp_tool::Option::None), |value| quote!(__mcp_tool::Option::Some(#value)))
}

