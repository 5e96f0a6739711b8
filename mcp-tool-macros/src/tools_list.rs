//! `tools![…]`: a list of handles.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::parse::{ParseStream, Parser as _};
use syn::spanned::Spanned as _;
use syn::{Attribute, Ident, LitStr, Path, Token};

use crate::attr::next_span;
use crate::errors::{self, Errors, located_at};
use crate::types::{self, written};

/// The path of a handle, and the `#[cfg]`s on it.
struct Element {
    attrs: Vec<Attribute>,
    path: Path,
}

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let parser = |input: ParseStream<'_>| {
        // The path of the runtime is `$crate`, which stays a token because only rustc can resolve it.
        let runtime: TokenTree = input.parse()?;
        input.parse::<Token![;]>()?;
        let mut elements = Vec::new();
        while !input.is_empty() {
            elements.extend(element(input, &mut errors)?);
        }
        Ok((runtime, elements))
    };
    match parser.parse2(input) {
        Ok((runtime, elements)) => emit(&runtime, &elements, &errors),
        Err(error) => error.to_compile_error(),
    }
}

/// Parses one element and the comma after it, or reports what is wrong with the element.
fn element(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Option<Element>> {
    let attrs = input.call(Attribute::parse_outer)?;
    let (attrs, other_attrs): (Vec<_>, Vec<_>) = attrs.into_iter().partition(|attr| attr.path().is_ident("cfg"));
    for attr in other_attrs {
        errors.report(attr, "`tools![…]` accepts only `#[cfg(…)]` on its elements", "put it on the function");
    }
    let span = next_span(input);
    let reference: Option<Token![&]> = input.parse()?;
    let path = if input.peek(LitStr) { None } else { input.call(Path::parse_mod_style).ok() };
    if let (Some(path), true) = (&path, input.peek(Ident)) {
        let next: Ident = input.fork().parse()?;
        errors.report(&next, format!("a comma is missing before `{next}`"), format!("write `, {next}`"));
        return Ok(Some(Element { attrs, path: path.clone() }));
    }
    let mut rest = Vec::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        rest.push(input.parse::<TokenTree>()?);
    }
    input.parse::<Option<Token![,]>>()?;
    let Some(path) = path else {
        let token = rest.first().map(ToString::to_string).unwrap_or_default();
        let name = token.trim_matches('"');
        let is_name = name != token && syn::parse_str::<Ident>(name).is_ok();
        let help = if is_name { format!("write `{name}`") } else { "write `tools![add, module::search]`".to_owned() };
        errors.push(errors::error(span, "`tools![…]` takes the names of functions with `#[mcp_tool]`", help));
        return Ok(None);
    };
    let call = match rest.first() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => Some(group.stream()),
        _ => None,
    };
    let only_name_message = |path: &Path| format!("`tools![…]` takes only the name `{}`", written(path));
    let write_help = |path: &Path| format!("write `{}`", written(path));
    if let Some(reference) = reference {
        errors.report(reference, only_name_message(&path), write_help(&path));
        return Ok(None);
    }
    if let Some((ty, method)) = type_and_method(&path) {
        // This may be a wrapped tool, such as `Box::new(add)`, or a service, such as `Notes::new()`.
        if let Some(inner) = call.and_then(|call| Path::parse_mod_style.parse2(call).ok()) {
            errors.report(&path, only_name_message(&inner), write_help(&inner));
        } else {
            let message = format!("`{ty}::{method}` is a method, and methods are registered with their service");
            let help = format!(
                "put `#[mcp_tools]` on the impl block, and register the object: `.service({})`",
                if ty == "Self" { "object".to_owned() } else { types::snake_case(&ty.to_string()) }
            );
            errors.report(&path, message, help);
        }
        return Ok(None);
    }
    if let Some(first) = rest.first() {
        let message = match call {
            Some(_) => format!("`tools![…]` takes the function `{}` without calling it", written(&path)),
            None => only_name_message(&path),
        };
        errors.push(errors::error(first.span(), message, write_help(&path)));
    }
    Ok(Some(Element { attrs, path }))
}

/// Returns the type and the method of a path that is spelt `Type::method`.
///
/// Only the case of the letters decides, so a module in upper case is taken for a type. The author can rename it with
/// `use`.
fn type_and_method(path: &Path) -> Option<(&Ident, &Ident)> {
    let mut segments = path.segments.iter().rev().map(|segment| &segment.ident);
    let (method, ty) = (segments.next()?, segments.next()?);
    let starts = |ident: &Ident, case: fn(char) -> bool| ident.to_string().starts_with(case);
    (starts(ty, char::is_uppercase) && starts(method, char::is_lowercase)).then_some((ty, method))
}

fn emit(runtime: &TokenTree, elements: &[Element], errors: &Errors) -> TokenStream {
    let pushes = elements.iter().map(|Element { attrs, path }| {
        let span = located_at(path.span());
        // Write the author's path only once, in the alias, so that a path that does not resolve causes only one error.
        let (alias, handle) = (quote_spanned!(span=> __Handle), quote_spanned!(span=> __Handle {}));
        quote_spanned! {span=>
            #(#attrs)*
            {
                #[allow(unused_qualifications)]
                type #alias = #path;
                __mcp_tool::Vec::push(&mut __list, __mcp_tool::Box::new(#handle));
            }
        }
    });
    let count = elements.len();
    let errors = errors.to_compile_errors();
    quote! {{
        use #runtime::__private as __mcp_tool;
        #errors
        #[allow(unused_mut, unused_qualifications, clippy::vec_init_then_push)]
        let mut __list: __mcp_tool::Vec<__mcp_tool::Box<dyn __mcp_tool::ToolHandler>> =
            __mcp_tool::Vec::with_capacity(#count);
        #(#pushes)*
        __mcp_tool::of_package(
            __list,
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
        )
    }}
}
