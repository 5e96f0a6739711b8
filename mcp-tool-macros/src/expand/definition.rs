//! The body of `definition`: what clients are told of the tool.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{GenericArgument, PathArguments, Type};

use super::arguments::{self, Arguments};
use super::{is_set, returns};
use crate::attr::Output;
use crate::docs::Text;
use crate::extras::Icon;
use crate::keys::Given;
use crate::model::Tool;
use crate::paths::{self, variable};

pub(super) fn definition(tool: &Tool, arguments: &Arguments) -> TokenStream {
    let keys = &tool.keys;
    let name = &tool.name;
    let title = option(keys.title.as_ref().map(|given| &given.value));
    let description = match (&keys.description, &tool.description) {
        (Some(Given { value: Text::Expr(expr), .. }), _) => {
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
    let prefix = if tool.host.is_some() { quote!(&self.prefix) } else { quote!("") };
    let icons = keys.icons.iter().map(icon);
    let meta = keys.meta.iter().map(|meta| {
        let (key, value) = (&meta.key, &meta.value);
        quote_spanned!(value.span()=> .with_meta(#key, #value))
    });
    let returns = returns(tool);
    let spans = Spans::new(tool);
    let (output, check_output) = output(tool, &spans);
    let input = input(tool, arguments);
    let span = spans.failure;
    let returned = variable("__returned", span);
    let check_error = quote_spanned!(span=> (&&&&&#returned.failure()).__mcp_tool_error().check(););
    quote! {
        let __returned = __mcp_tool::Returned::<#returns>::new().__mcp_tool_split();
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
    if let Some(Given { value: path, .. }) = &tool.keys.input_schema {
        return written(path);
    }
    let ty = &arguments.ty;
    let defaults = arguments::published_defaults(tool);
    let span = Span::call_site().located_at(tool.function.sig.ident.span());
    let schema = quote_spanned!(span=> (&&__mcp_tool::Decoded::<#ty>::new()).__mcp_tool_schema(__generator));
    quote! {
        __mcp_tool::Source::Derived(&mut |__generator| {
            #[allow(unused_mut)]
            let mut __schema = #schema;
            #defaults
            __schema
        })
    }
}

/// Where the output schema comes from. Of a result whose own schema is not published only its value is asked for.
fn output(tool: &Tool, spans: &Spans) -> (TokenStream, Option<TokenStream>) {
    let span = spans.success;
    let returned = variable("__returned", span);
    // Not a variable: what is at fault is said of where the receiver begins, which has to be a token at the author's type.
    let output = quote_spanned!(span=> (&&&&&&#returned.success()).__mcp_tool_output());
    let check = quote_spanned!(span=> #output.check(););
    match (&tool.keys.output, &tool.keys.output_schema) {
        (_, Some(Given { value: path, .. })) => (written(path), Some(check)),
        (Some(Given { value: Output::Off, .. }), _) => {
            (quote!(__mcp_tool::Source::Derived(&mut |_| __mcp_tool::Option::None)), Some(check))
        }
        (Some(Given { value: Output::Type(ty), .. }), _) => {
            let span = ty.span();
            let generator = variable("__generator", span);
            let schema = quote_spanned!(span=> <#ty as __mcp_tool::DescribedOutput>::describe(#generator));
            (quote!(__mcp_tool::Source::Derived(&mut |__generator| Some(#schema))), Some(check))
        }
        (None, None) => {
            let generator = variable("__generator", span);
            let schema = quote_spanned!(span=> #output.schema(#generator));
            (quote!(__mcp_tool::Source::Derived(&mut |__generator| #schema)), None)
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
        let within = |ty: &Type| paths::element(ty).map_or_else(|| ty.span(), syn::spanned::Spanned::span);
        let Type::Path(path) = ty else { return Self { success: whole, failure: whole } };
        let last = path.path.segments.last().filter(|last| last.ident.to_string().ends_with("Result"));
        let Some(PathArguments::AngleBracketed(arguments)) = last.map(|last| &last.arguments) else {
            return Self { success: within(ty), failure: whole };
        };
        let mut types = arguments.args.iter().filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        });
        let success = types.next().map_or(whole, within);
        Self { success, failure: types.next().map_or(whole, syn::spanned::Spanned::span) }
    }
}

fn option(value: Option<impl ToTokens>) -> TokenStream {
    value.map_or_else(|| quote!(__mcp_tool::Option::None), |value| quote!(__mcp_tool::Option::Some(#value)))
}
