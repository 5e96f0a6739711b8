//! The body of `ToolHandler::metadata`: what `build` and calls need and the definition does not contain.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::LitStr;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;

use super::arguments::Arguments;
use super::codec::{arguments_codec, return_codec};
use super::questions;
use super::values::argument_type;
use crate::attr::Role;
use crate::attr::value::{OrOff, TaskKey};
use crate::attr::{KeyValue, is_set};
use crate::errors::located_at;
use crate::model::Tool;
use crate::param::{Param, Passing};
use crate::{field_attributes, types};

pub(super) fn metadata(tool: &Tool, arguments: &Arguments) -> TokenStream {
    let root_union = is_set(tool.keys.root_union.as_ref());
    let aliases = tool.params.iter().flat_map(|param| {
        let name = &param.wire_name;
        param.other_names().map(move |alias| quote!((#alias, #name)))
    });
    let (has_input_schema, has_output_schema) = (tool.keys.input_schema.is_some(), tool.keys.output_schema.is_some());
    let has_needs = tool.params_with(Role::State).chain(tool.params_with(Role::Extension)).next().is_some();
    let needs = has_needs.then(|| {
        let (states, extensions) = (needs(tool, Role::State), needs(tool, Role::Extension));
        quote!(.with_needs(#states, #extensions))
    });
    let is_optional = |param: &Param| !matches!(param.passing, Passing::Borrowed);
    let optional_extensions =
        tool.params_with(Role::Extension).any(is_optional).then(|| quote!(.with_optional_extensions()));
    let constraints = tool.params.iter().filter(|param| !param.serde.is_flattened).flat_map(|param| {
        let name = &param.wire_name;
        field_attributes::constraints(&param.attrs).into_iter().map(move |constraint| quote!((#name, #constraint)))
    });
    let constraints: Vec<_> = constraints.collect();
    let constraints = (!constraints.is_empty()).then(|| quote!(.with_constraints(&[#(#constraints),*])));
    let labels = |given: &Option<KeyValue<Vec<LitStr>>>| {
        let labels: Vec<_> = given.iter().flat_map(|given| &given.value).cloned().collect();
        (!labels.is_empty()).then(|| quote!([#(#labels),*]))
    };
    let tags = labels(&tool.keys.tags).map(|tags| quote!(.with_tags(#tags)));
    let scopes = labels(&tool.keys.scopes).map(|scopes| quote!(.with_scopes(#scopes)));
    let former_names = labels(&tool.keys.formerly).map(|names| {
        let prefix = tool.service.as_ref().map(|_| quote!(.with_prefix(&self.prefix)));
        quote!(.with_former_names(#names) #prefix)
    });
    let timeout = tool
        .keys
        .timeout
        .as_ref()
        .map(|KeyValue { value: millis, .. }| quote!(.with_timeout(__mcp_tool::Duration::from_millis(#millis))));
    let heartbeat = tool
        .keys
        .heartbeat
        .as_ref()
        .map(|KeyValue { value: millis, .. }| quote!(.with_heartbeat(__mcp_tool::Duration::from_millis(#millis))));
    let limit = tool.keys.limit.as_ref().map(|KeyValue { value: rate, .. }| quote!(.with_limit(#rate)));
    let once = tool
        .keys
        .once
        .as_ref()
        .map(|KeyValue { value: millis, .. }| quote!(.with_once(__mcp_tool::Duration::from_millis(#millis))));
    let budget = tool.keys.budget.as_ref().map(|KeyValue { value: tokens, .. }| quote!(.with_budget(#tokens)));
    let task = tool.keys.task.as_ref().and_then(|given| match given.value {
        TaskKey::Off => None,
        TaskKey::Optional => Some(quote!(.with_task())),
        TaskKey::Required => Some(quote!(.with_required_task())),
    });
    let text = tool.keys.text.as_ref().map(|text| match text.value {
        OrOff::Off => quote!(.with_text_off()),
        OrOff::Value(_) => quote!(.with_own_text()),
    });
    // Without the feature `tokio`, this constant does not compile, and rustc reports the error at the key.
    let needs_tokio = tool.tokio_keys.iter().map(|key| {
        let span = located_at(key.span());
        quote_spanned!(span=> const _: () = __mcp_tool::require_tokio();)
    });
    let questions = questions::specs(tool);
    let codec = arguments_codec(tool, arguments);
    let accepted_aliases = is_set(tool.keys.accept_aliases.as_ref()).then(|| quote!(.with_accepted_aliases()));
    let argument_types = argument_types(tool);
    let result_types = result_types(tool);
    let method = tool.service.as_ref().map(|_| {
        let name = tool.function.sig.ident.unraw().to_string();
        quote!(.with_method(#name))
    });
    quote! {
        #(#needs_tokio)*
        __mcp_tool::ToolMetadata::derived(__mcp_tool::type_name::<Self>(), #root_union, &[#(#aliases),*])
            .with_package(::core::option_env!("CARGO_PKG_NAME"), ::core::option_env!("CARGO_PKG_VERSION"))
            .with_hand_written(#has_input_schema, #has_output_schema)
            #method
            #needs
            #optional_extensions
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

/// Emits the names of the argument types that may come from another library, even behind an alias.
fn argument_types(tool: &Tool) -> Option<TokenStream> {
    let may_be_foreign = |param: &Param| param.keys.role() == Role::Argument && !types::is_plain(&param.ty);
    let types = tool.params.iter().enumerate().filter(|(_, param)| may_be_foreign(param)).map(|(index, param)| {
        let (name, ty) = (&param.wire_name, argument_type(tool, index, param));
        quote!((#name, __mcp_tool::type_name::<#ty> as fn() -> &'static str))
    });
    let types: Vec<_> = types.collect();
    (!types.is_empty()).then(|| quote!(.with_argument_types(const { &[#(#types),*] })))
}

/// Emits the names of the types of the result and the error, if they may come from another library or if there is no
/// schema.
fn result_types(tool: &Tool) -> Option<TokenStream> {
    let has_schema = !matches!(&tool.keys.output, Some(KeyValue { value: OrOff::Off, .. }));
    let is_named = tool.returns.as_ref().is_some_and(|ty| !has_schema || !types::is_plain(ty));
    is_named.then(|| {
        let codec = return_codec(tool);
        let expose_errors = is_set(tool.keys.expose_errors.as_ref());
        quote!(.with_result_types(__mcp_tool::result_types(#codec, #expose_errors)))
    })
}

/// Emits the list of the states or extensions that the tool requires, which does not include those in an `Option`.
fn needs(tool: &Tool, role: Role) -> TokenStream {
    let required = tool.params_with(role).filter(|param| matches!(param.passing, Passing::Borrowed));
    let needs = required.map(|param| {
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
