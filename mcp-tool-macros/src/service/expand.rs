//! Emits the code that follows the impl block and implements the service, or one part of it. Also parses the keys of
//! `#[mcp_tools(…)]`: its own, and those that apply to all methods.
//!
//! The tags and scopes of a method are added to those of the block. Any other key on a method replaces the same key on
//! the block. A key of the main block does not apply to its parts, so a part without the same key is a compile error.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::parse::{ParseStream, Parser as _};
use syn::{GenericParam, LitStr, Token};

use crate::attr::compound::take_empty_list;
use crate::attr::keys::{self, OF_BLOCK, ServiceKeys, ToolKeys};
use crate::attr::{self, Given as _, KeyValue, Keys as _, One, Slot as _};
use crate::errors::{Errors, located_at};
use crate::expand::{allow_lints, handler_items, imports};
use crate::model::{Service, Tool};
use crate::{check, types};

/// Emits the service with one handler for each tool, or a stub if there are errors, in which case `tools` is `None`.
///
/// `may_import_attribute` is set if a method has `#[mcp_tool]` without a path. The author may then have imported the
/// attribute.
pub(super) fn registration(
    keys: &BlockKeys,
    keyword: Span,
    service: &Service,
    tools: Option<&[Tool]>,
    may_import_attribute: bool,
) -> TokenStream {
    let runtime = &service.runtime;
    let (imports, implementation) = if let Some(tools) = tools {
        let body = body(keys, service, tools);
        (imports(runtime), implementation(keys, keyword, service, &quote!(__prefix), &body))
    } else {
        let body = quote!(::core::unreachable!());
        let implementation = implementation(keys, keyword, &without_lifetimes(service), &quote!(_), &body);
        (quote!(use #runtime::__private as __mcp_tool;), implementation)
    };
    // The macro removes `#[mcp_tool]` from the methods, so rustc would call the author's import of the attribute
    // unused. The module `__imports` uses the import. If there is none, `attributes` provides the name.
    let use_import = may_import_attribute.then(|| {
        quote! {
            #[allow(unused_imports)]
            mod __imports {
                use super::*;
                use #runtime::__private::attributes::*;
                use self::mcp_tool as __mcp_tool;
            }
        }
    });
    // Check once for all methods, so that rustc reports a missing feature `tokio` only once, at the key of the block.
    let of_methods = &keys.of_methods;
    let time = of_methods.timeout.as_ref().or(of_methods.heartbeat.as_ref());
    let needs_tokio = time.filter(|_| tools.is_some()).map(|time| {
        let span = located_at(time.key.span());
        quote_spanned!(span=> const _: () = __mcp_tool::require_tokio();)
    });
    let allow_lints = allow_lints();
    quote! {
        #allow_lints
        const _: () = {
            #imports
            #needs_tokio
            #use_import
            #implementation
        };
    }
}

/// Emits the body of the method that returns the handlers of the service.
fn body(keys: &BlockKeys, service: &Service, tools: &[Tool]) -> TokenStream {
    let ty = &service.ty;
    let (impl_generics, _, _) = service.generics.split_for_impl();
    let bounds = service.bounds();
    let prefix = keys.prefix();
    let handlers = tools.iter().map(|tool| {
        let cfgs = tool.function.cfgs();
        let items = handler_items(tool);
        quote! {
            #(#cfgs)*
            {
                struct __Handler #impl_generics #bounds {
                    service: __mcp_tool::Arc<#ty>,
                    prefix: __mcp_tool::String,
                }

                #items

                __mcp_tool::Vec::push(&mut __list, __mcp_tool::Box::new(__Handler {
                    service: __mcp_tool::Clone::clone(&self),
                    prefix: __mcp_tool::format!("{__prefix}{}", #prefix),
                }));
            }
        }
    });
    let parts = keys.own.parts.iter().flat_map(|given| &given.value).map(|part| extend_by_part(keys, service, part));
    quote! {
        #[allow(unused_mut)]
        let mut __list: __mcp_tool::Vec<__mcp_tool::Box<dyn __mcp_tool::ToolHandler>> = __mcp_tool::Vec::new();
        #(#handlers)*
        #(#parts)*
        __list
    }
}

/// Emits the impl of `ToolService`. For a part, emits an inherent method instead, which the main block of the service
/// calls.
///
/// `prefix_param` is `__prefix`, the parameter that `body` reads, or `_` if `body` does not read it.
fn implementation(
    keys: &BlockKeys,
    keyword: Span,
    service: &Service,
    prefix_param: &TokenStream,
    body: &TokenStream,
) -> TokenStream {
    let ty = &service.ty;
    let (impl_generics, _, _) = service.generics.split_for_impl();
    let bounds = service.bounds();
    // If there are two blocks without `part`, both implement `ToolService`. With this span, rustc reports that at the
    // keyword `impl`.
    let span = located_at(keyword);
    let method = |name: &Ident| {
        quote_spanned! {span=>
            fn #name(
                self: __mcp_tool::Arc<Self>,
                #prefix_param: &str,
            ) -> __mcp_tool::Vec<__mcp_tool::Box<dyn __mcp_tool::ToolHandler>> {
                #body
            }
        }
    };
    if let Some(part) = &keys.own.part {
        let method = method(&part_method(&part.value));
        let (name, bits) = (part_keys(&part.value), keys.bits());
        return quote! {
            impl #impl_generics #ty #bounds {
                #[doc(hidden)]
                #[allow(non_upper_case_globals)]
                pub(crate) const #name: u32 = #bits;

                #[doc(hidden)]
                pub(crate) #method
            }
        };
    }
    let method = method(&Ident::new("__mcp_tools", Span::call_site()));
    let service_trait = quote_spanned!(span=> __mcp_tool::ToolService<__mcp_tool::OnlyOneBlockWithoutPart>);
    quote_spanned!(span=> impl #impl_generics #service_trait for #ty #bounds { #method })
}

/// Emits the statements that add the tools of a part, and that assert that the part has all keys of the main block.
///
/// The block of the part defines the inherent method and the inherent constant that these statements name. Without such
/// a block, the names resolve to the local trait `__Part`, and the return type of its method causes a compile error
/// with our message.
fn extend_by_part(keys: &BlockKeys, service: &Service, part: &Ident) -> TokenStream {
    let (method, part_keys) = (part_method(part), part_keys(part));
    let span = located_at(part.span());
    let tools = quote_spanned!(span=> Self::#method(__mcp_tool::Clone::clone(&self), __prefix));
    let bits = keys.bits();
    let assertion = (bits != 0).then(|| {
        let names: Vec<_> = keys.of_tools.iter().map(|key| format!("`{key}`")).collect();
        let message = format!(
            "the keys of the main block do not reach the part `{part}`: {}\n\
             help: write each of them on the block of the part too, the same or another, such as `prefix = \"\"` or `tags()`",
            names.join(", ")
        );
        let ty = &service.ty;
        let assert = |ty| quote_spanned!(span=> ::core::assert!(<#ty>::#part_keys & #bits == #bits, #message));
        if service.is_generic() {
            // A constant item cannot name the type parameters, so use a `const` block. rustc evaluates it for the
            // concrete type that the program registers.
            let assert = assert(quote!(Self));
            quote_spanned!(span=> const { #assert };)
        } else {
            let assert = assert(ty.to_token_stream());
            quote_spanned!(span=> const _: () = #assert;)
        }
    });
    quote_spanned! {span=> {
        struct #part;
        trait __Part {
            const #part_keys: u32 = !0;
            fn #method(self: __mcp_tool::Arc<Self>, _: &str) -> __mcp_tool::MissingPart<#part> {
                __mcp_tool::MissingPart::new()
            }
        }
        impl<__T> __Part for __T {}
        #assertion
        __mcp_tool::Vec::extend(&mut __list, __mcp_tool::ToolsOfPart::tools(#tools));
    }}
}

/// Returns the name of the method that returns the tools of a part.
fn part_method(part: &Ident) -> Ident {
    format_ident!("__mcp_tools_part_{}", part, span = located_at(part.span()))
}

/// Returns the name of the constant that says which keys a part has.
fn part_keys(part: &Ident) -> Ident {
    format_ident!("__mcp_keys_of_part_{}", part, span = located_at(part.span()))
}

/// Returns the service for a stub, without lifetimes: a service that borrows has already been reported.
fn without_lifetimes(service: &Service) -> Service {
    let mut stub = Service { ty: types::with_lifetime(&service.ty, "'static"), ..service.clone() };
    if types::find_lifetime(&service.ty).is_some() {
        let params = stub.generics.params.into_iter();
        stub.generics.params = params.filter(|param| !matches!(param, GenericParam::Lifetime(_))).collect();
        stub.generics.where_clause = None;
    }
    stub
}

#[derive(Default)]
pub(super) struct BlockKeys {
    pub(super) own: ServiceKeys,
    /// The values for all methods. Only keys of [`OF_BLOCK`] are set.
    pub(super) of_methods: ToolKeys,
    /// The given keys that apply to the tools of the block: `prefix`, and those of [`OF_BLOCK`].
    of_tools: Vec<Ident>,
}

impl BlockKeys {
    /// Parses all keys, and reports every wrong one.
    pub(super) fn parse(attribute: TokenStream, errors: &mut Errors) -> Self {
        let mut block = Self::default();
        let parse = |input: ParseStream<'_>| {
            attr::list(input, errors, |input, key, errors| {
                block.of_tools.extend(bit(key).map(|_| key.clone()));
                let labels = match key.to_string().as_str() {
                    "tags" => Some(&mut block.of_methods.tags),
                    "scopes" => Some(&mut block.of_methods.scopes),
                    _ => None,
                };
                // A part can opt out of the main block's tags or scopes with an empty list, such as `tags()`.
                let is_known = if let Some(labels) = labels.filter(|_| take_empty_list(input)) {
                    labels.put(key, Vec::new(), errors);
                    true
                } else if OF_BLOCK.iter().any(|of_methods| key == of_methods) {
                    block.of_methods.parse_value(key, input, errors)?
                } else {
                    let written = input.fork();
                    let parsed = block.own.parse_value(key, input, errors);
                    if parsed.is_err() && key == "part" {
                        // Without a name, the block would count as a second main block, which is another error.
                        let name = written.parse::<Token![=]>().and_then(|_| written.parse::<LitStr>()?.parse());
                        block.own.part.put(key, name.unwrap_or_else(|_| key.clone()), errors);
                    }
                    parsed?
                };
                if is_known {
                    return Ok(());
                }
                let [.., (_, table), _] = keys::tables();
                // Treat a misspelt key as the one that is meant. Otherwise, a block with a misspelt `part` would count
                // as a second main block, and rustc would report that too.
                if let Some(key) = attr::meant(key, &table) {
                    block.of_tools.extend(bit(&key).map(|_| key.clone()));
                    let _ = block.own.parse_value(&key, &input.fork(), &mut Errors::default());
                }
                Err(attr::unknown_key::<ServiceKeys>(key, &table))
            })
        };
        if let Err(error) = parse.parse2(attribute) {
            errors.push(error);
        }
        block.check(errors);
        block
    }

    /// Returns one bit for each key in `of_tools`.
    fn bits(&self) -> u32 {
        self.of_tools.iter().filter_map(bit).fold(0, |bits, bit| bits | 1 << bit)
    }

    pub(super) fn prefix(&self) -> String {
        self.own.prefix.value().map(LitStr::value).unwrap_or_default()
    }

    fn check(&mut self, errors: &mut Errors) {
        if let (Some(part), Some(_)) = (&self.own.part, &self.own.parts) {
            let message = "a block with `part` cannot have `parts`";
            errors.report(&part.key, message, "write `parts(…)` on the one block without `part`");
        }
        let keys = &mut self.of_methods;
        if let Some(destructive) = keys.destructive_hint.take_if(|given| given.value && keys.read_only_hint.is_set()) {
            // `take_if` has removed the hint from the keys, so the methods do not report it again.
            let message = "tools cannot be both read-only and destructive";
            errors.report(&destructive.key, message, "remove `destructive_hint` or `read_only_hint`");
        }
        if let (Some(prefix), Some(c)) = (&self.own.prefix, check::find_invalid_character(&self.prefix())) {
            let help = format!("the name of a tool has the characters {}", check::NAME_CHARACTERS);
            errors.report(&prefix.value, format!("the prefix has the character {c:?}"), help);
        }
    }

    /// For each key that the method does not set, copies the value from the block. Puts the block's tags and scopes
    /// before those of the method.
    pub(super) fn apply(&self, tool: &mut Tool, errors: &mut Errors) {
        self.check_contradiction(tool, errors);
        add_before(&mut tool.keys.tags, self.of_methods.tags.as_ref());
        add_before(&mut tool.keys.scopes, self.of_methods.scopes.as_ref());
        tool.keys.fill_from(&self.of_methods);
    }

    /// Reports a hint of the method that contradicts a hint of the block, and switches the block's hint off for this
    /// method, so that `check` does not report the contradiction again.
    fn check_contradiction(&self, tool: &mut Tool, errors: &mut Errors) {
        let name = &tool.function.sig.ident;
        let ToolKeys { read_only_hint, destructive_hint, .. } = &mut tool.keys;
        let mut check = |hint: &One<bool>, opposite: &mut One<bool>, of_block: &One<bool>| {
            if let (Some(KeyValue { key, value: true }), None, Some(default)) = (hint, &opposite, of_block)
                && default.value
            {
                let default = &default.key;
                *opposite = Some(KeyValue { key: default.clone(), value: false });
                let message = format!("tool `{name}` has `{key}`, and its block has `{default}`");
                errors.report(key, message, format!("write `{key}, {default} = false`"));
            }
        };
        check(read_only_hint, destructive_hint, &self.of_methods.destructive_hint);
        check(destructive_hint, read_only_hint, &self.of_methods.read_only_hint);
    }
}

/// Returns the position of a key's bit in [`bits`](BlockKeys::bits), or `None` for a key that does not apply to the
/// tools of a block.
fn bit(key: &Ident) -> Option<usize> {
    OF_BLOCK.iter().chain(&["prefix"]).position(|of_tools| key == of_tools)
}

/// Puts the labels of the block before those of the method, if both have some.
fn add_before(labels: &mut One<Vec<LitStr>>, of_block: Option<&KeyValue<Vec<LitStr>>>) {
    if let (Some(labels), Some(of_block)) = (labels, of_block) {
        labels.value.splice(0..0, of_block.value.iter().cloned());
    }
}
