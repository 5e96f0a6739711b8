//! The bodies of `ToolHandler::definition` and `ToolHandler::metadata`. The metadata is what `build` and calls need
//! beyond the definition.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{LitStr, Path};

use super::arguments::Arguments;
use super::call::{arguments_codec, return_codec};
use super::values::argument_type;
use super::{questions, values};
use crate::attr::compound::Icon;
use crate::attr::value::{OrOff, TaskKey};
use crate::attr::{Given as _, One, Role};
use crate::docs::Description;
use crate::errors::{located_at, variable};
use crate::model::Tool;
use crate::param::{Param, Passing};
use crate::{field_attributes, types};

pub(super) fn definition(tool: &Tool, arguments: &Arguments) -> TokenStream {
    let keys = &tool.keys;
    let name = &tool.name;
    let title = keys.title.value().map(|title| quote!(title: Some(#title),));
    let description = match (keys.description.value(), &tool.description) {
        (Some(Description::Expr(expr)), _) => {
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
    let allow_unknown = keys.allow_unknown.is_set().then(|| quote!(allow_unknown: true,));
    let always_load = keys.always_load.is_set().then(|| quote!(always_load: true,));
    let search_hint = keys.search_hint.value().map(|words| quote!(search_hint: Some(#words),));
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
                ..__mcp_tool::Default::default()
            },
            #input,
            #output,
        )
        #(#icons)*
        #(#meta)*
    }
}

fn input(tool: &Tool, arguments: &Arguments) -> TokenStream {
    if let Some(path) = tool.keys.input_schema.value() {
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

/// Emits the `SchemaSource` of the output schema.
fn output(tool: &Tool) -> TokenStream {
    match (tool.keys.output.value(), tool.keys.output_schema.value()) {
        (_, Some(path)) => hand_written(path),
        (Some(OrOff::Off), _) => {
            quote!(__mcp_tool::SchemaSource::Derived(&mut |_| __mcp_tool::Option::None))
        }
        (Some(OrOff::Value(ty)), _) => {
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
    let src = keys.src.value();
    let mime_type = keys.mime_type.value().map(|mime_type| quote!(.with_mime_type(#mime_type)));
    let sizes = (!sizes.is_empty()).then(|| quote!(.with_sizes([#(#sizes),*])));
    let theme = keys.theme.value().map(|theme| quote!(.with_theme(#theme)));
    quote!(.with_icon(__mcp_tool::Icon::new(#src) #mime_type #sizes #theme))
}

fn hand_written(path: &Path) -> TokenStream {
    let span = path.span();
    let schema = quote_spanned!(span=> __mcp_tool::WrittenSchema::schema(#path));
    quote!(__mcp_tool::SchemaSource::Written(#schema))
}

pub(super) fn metadata(tool: &Tool, arguments: &Arguments) -> TokenStream {
    let root_union = tool.keys.root_union.is_set();
    let aliases = tool.params.iter().flat_map(|param| {
        let name = &param.wire_name;
        param.other_names().map(move |alias| quote!((#alias, #name)))
    });
    let (has_input_schema, has_output_schema) = (tool.keys.input_schema.is_some(), tool.keys.output_schema.is_some());
    let has_needs = tool.params_with(Role::State).chain(tool.params_with(Role::Extension)).next().is_some();
    let needs = has_needs.then(|| {
        let (states, extensions) = (needs(tool, Role::State, true), needs(tool, Role::Extension, true));
        let optional_extensions = needs(tool, Role::Extension, false);
        quote!(.with_needs(#states, #extensions, #optional_extensions))
    });
    let constraints = tool.params.iter().filter(|param| !param.serde.is_flattened).flat_map(|param| {
        let name = &param.wire_name;
        field_attributes::constraints(&param.attrs).into_iter().map(move |constraint| quote!((#name, #constraint)))
    });
    let constraints: Vec<_> = constraints.collect();
    let constraints = (!constraints.is_empty()).then(|| quote!(.with_constraints(&[#(#constraints),*])));
    let labels = |given: &One<Vec<LitStr>>| {
        let labels = given.value().filter(|labels| !labels.is_empty())?;
        Some(quote!([#(#labels),*]))
    };
    let tags = labels(&tool.keys.tags).map(|tags| quote!(.with_tags(#tags)));
    let scopes = labels(&tool.keys.scopes).map(|scopes| quote!(.with_scopes(#scopes)));
    let former_names = labels(&tool.keys.formerly).map(|names| {
        let prefix = tool.service.as_ref().map(|_| quote!(.with_prefix(&self.prefix)));
        quote!(.with_former_names(#names) #prefix)
    });
    let duration = |millis: &u64| quote!(__mcp_tool::Duration::from_millis(#millis));
    let timeout = tool.keys.timeout.value().map(duration).map(|timeout| quote!(.with_timeout(#timeout)));
    let heartbeat = tool.keys.heartbeat.value().map(duration).map(|pause| quote!(.with_heartbeat(#pause)));
    let limit = tool.keys.limit.value().map(|rate| quote!(.with_limit(#rate)));
    let once = tool.keys.once.value().map(duration).map(|period| quote!(.with_once(#period)));
    let budget = tool.keys.budget.value().map(|tokens| quote!(.with_budget(#tokens)));
    let task = tool.keys.task.value().and_then(|task| match task {
        TaskKey::Off => None,
        TaskKey::Optional => Some(quote!(.with_task())),
        TaskKey::Required => Some(quote!(.with_required_task())),
    });
    let text = tool.keys.text.value().map(|text| match text {
        OrOff::Off => quote!(.with_text_off()),
        OrOff::Value(_) => quote!(.with_own_text()),
    });
    // Without the feature `tokio`, this constant does not compile, and rustc reports the error at the key that needs
    // the feature.
    let needs_tokio = tool.tokio_keys.iter().map(|key| {
        let span = located_at(key.span());
        quote_spanned!(span=> const _: () = __mcp_tool::require_tokio();)
    });
    let questions = questions::specs(tool);
    let codec = arguments_codec(tool, arguments);
    let accepted_aliases = tool.keys.accept_aliases.is_set().then(|| quote!(.with_accepted_aliases()));
    let argument_types = argument_types(tool);
    let result_types = result_types(tool);
    let method = tool.service.as_ref().map(|_| {
        let name = tool.function.sig.ident.unraw().to_string();
        quote!(.with_method(#name))
    });
    let registered = tool.service.as_ref().map_or_else(|| quote!(Self), |service| service.ty.to_token_stream());
    quote! {
        #(#needs_tokio)*
        __mcp_tool::ToolMetadata::derived(__mcp_tool::type_name::<#registered>(), #root_union, &[#(#aliases),*])
            .with_package(::core::option_env!("CARGO_PKG_NAME"), ::core::option_env!("CARGO_PKG_VERSION"))
            .with_hand_written(#has_input_schema, #has_output_schema)
            #method
            #needs
            .with_decode_check(__mcp_tool::ArgumentsCodec::decode_check(#codec))
            #accepted_aliases
            #argument_types
            #result_types
            #constraints
            #timeout
            #heartbeat
            #limit
            #budget
            #task
            #once
            #tags
            #scopes
            #former_names
            #text
            #questions
    }
}

/// Emits the call that adds argument types to the metadata, for the arguments whose types may come from another
/// library. Each entry is the name of an argument, and a function that returns the name of its type.
fn argument_types(tool: &Tool) -> Option<TokenStream> {
    let may_be_foreign = |param: &Param| param.keys.role() == Role::Argument && !types::is_plain(&param.ty);
    let types = tool.params.iter().enumerate().filter(|(_, param)| may_be_foreign(param)).map(|(index, param)| {
        let (name, ty) = (&param.wire_name, argument_type(tool, index, param));
        quote!((#name, __mcp_tool::type_name::<#ty> as fn() -> &'static str))
    });
    let types: Vec<_> = types.collect();
    (!types.is_empty()).then(|| quote!(.with_argument_types(const { &[#(#types),*] })))
}

/// Emits the call that adds the type names of the result and the error to the metadata, if the types may come from
/// another library or if there is no schema.
fn result_types(tool: &Tool) -> Option<TokenStream> {
    let has_schema = !matches!(tool.keys.output.value(), Some(OrOff::Off));
    let is_named = tool.returns.as_ref().is_some_and(|ty| !has_schema || !types::is_plain(ty));
    is_named.then(|| {
        let codec = return_codec(tool);
        let expose_errors = tool.keys.expose_errors.is_set();
        quote!(.with_result_types(__mcp_tool::result_types(#codec, #expose_errors)))
    })
}

/// Emits a list of the tool's states or extensions: with `required`, those that the tool requires, and otherwise those
/// that it takes in an `Option`.
fn needs(tool: &Tool, role: Role, required: bool) -> TokenStream {
    let params = tool.params_with(role).filter(|param| matches!(param.passing, Passing::Borrowed) == required);
    let needs = params.map(|param| {
        let ty = &param.ty;
        let span = ty.span();
        if role == Role::State {
            quote_spanned!(span=> <#ty as __mcp_tool::StateOfTools>::NEED)
        } else {
            quote_spanned!(span=> <#ty as __mcp_tool::ExtensionOfRequests>::NEED)
        }
    });
    quote!(const { &[#(#needs),*] })
}
