//! `tools![…]`: a list of handles, in which no name stands twice.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::parse::{ParseStream, Parser as _};
use syn::spanned::Spanned as _;
use syn::{Attribute, Ident, LitStr, Path, Token};

use crate::errors::Errors;
use crate::value::next_span;

/// A handle, and the `#[cfg]`s on it.
struct Element {
    attrs: Vec<Attribute>,
    path: Path,
}

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let parser = |input: ParseStream<'_>| {
        // `$crate`, which only the compiler can read.
        let krate: TokenTree = input.parse()?;
        input.parse::<Token![;]>()?;
        let mut elements = Vec::new();
        while !input.is_empty() {
            elements.extend(element(input, &mut errors)?);
        }
        Ok((krate, elements))
    };
    match parser.parse2(input) {
        Ok((krate, elements)) => emit(&krate, &elements, &errors),
        Err(error) => error.to_compile_error(),
    }
}

/// Reads one element and the comma after it, or reports what stands there.
fn element(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Option<Element>> {
    let attrs = input.call(Attribute::parse_outer)?;
    for attr in attrs.iter().filter(|attr| !attr.path().is_ident("cfg")) {
        let help = "put it on the function";
        errors.help(attr, "only `#[cfg(…)]` can stand on an element of `tools![…]`", help);
    }
    let attrs = attrs.into_iter().filter(|attr| attr.path().is_ident("cfg")).collect();
    let at = next_span(input);
    let lent: Option<Token![&]> = input.parse()?;
    let path = if input.peek(LitStr) { None } else { input.call(Path::parse_mod_style).ok() };
    if path.is_some() && input.peek(Ident) {
        let next: Ident = input.fork().parse()?;
        errors.help(&next, format!("a comma is missing before `{next}`"), format!("write `, {next}`"));
        return Ok(path.map(|path| Element { attrs, path }));
    }
    if let (Some(lent), Some(path)) = (lent, &path) {
        let written = path.to_token_stream().to_string().replace(' ', "");
        errors.help(lent, format!("`tools![…]` takes the name `{written}` alone"), format!("write `{written}`"));
        return Ok(None);
    }
    let mut rest = Vec::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        rest.push(input.parse::<TokenTree>()?);
    }
    let called = match rest.first() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => Some(group.stream()),
        _ => None,
    };
    let inner = called.as_ref().and_then(|inner| Path::parse_mod_style.parse2(inner.clone()).ok());
    if let (Some(inner), Some(_)) = (&inner, path.as_ref().and_then(method)) {
        let written = inner.to_token_stream().to_string().replace(' ', "");
        errors.help(&path, format!("`tools![…]` takes the name `{written}` alone"), format!("write `{written}`"));
        input.parse::<Option<Token![,]>>()?;
        return Ok(None);
    }
    if let Some((ty, method)) = path.as_ref().and_then(method) {
        let message = format!("`{ty}::{method}` is a method, and methods are listed with their object");
        let help = format!("register the object, with `#[mcp_tools]` on its impl block: `.service({})`", variable(ty));
        errors.help(&path, message, help);
        input.parse::<Option<Token![,]>>()?;
        return Ok(None);
    }
    let Some(path) = path else {
        let written = rest.first().map(ToString::to_string).unwrap_or_default();
        let name = written.trim_matches('"');
        let is_name = name != written && syn::parse_str::<Ident>(name).is_ok();
        let help = if is_name { format!("write `{name}`") } else { "write `tools![add, module::search]`".to_owned() };
        let message = "`tools![…]` takes the names of functions with `#[mcp_tool]`";
        errors.syn(syn::Error::new(at, format!("{message}\nhelp: {help}")));
        input.parse::<Option<Token![,]>>()?;
        return Ok(None);
    };
    if let Some(first) = rest.first() {
        let written = path.to_token_stream().to_string().replace(' ', "");
        let message = match first {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                format!("`tools![…]` takes the function `{written}` without calling it\nhelp: write `{written}`")
            }
            _ => format!("`tools![…]` takes the name `{written}` alone\nhelp: write `{written}`"),
        };
        errors.syn(syn::Error::new(first.span(), message));
    }
    input.parse::<Option<Token![,]>>()?;
    Ok(Some(Element { attrs, path }))
}

/// The type and the method, of a path that is spelt like one. No module is spelt like a type, and one that is can be
/// given another name with `use`.
fn method(path: &Path) -> Option<(&Ident, &Ident)> {
    let mut segments = path.segments.iter().rev().map(|segment| &segment.ident);
    let (method, ty) = (segments.next()?, segments.next()?);
    let starts = |ident: &Ident, wanted: fn(char) -> bool| ident.to_string().starts_with(wanted);
    (starts(ty, char::is_uppercase) && starts(method, char::is_lowercase)).then_some((ty, method))
}

/// A variable that would hold a value of the type.
fn variable(ty: &Ident) -> String {
    if ty == "Self" {
        return "object".to_owned();
    }
    let mut name = String::new();
    for letter in ty.to_string().chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

fn emit(krate: &TokenTree, elements: &[Element], errors: &Errors) -> TokenStream {
    // Each path is written once, so that one that leads nowhere is one error.
    let handles: Vec<_> = (0..elements.len()).map(|place| format_ident!("__Handle{place}")).collect();
    let elements = || elements.iter().zip(&handles).enumerate();
    let spanned = |path: &Path| Span::call_site().located_at(path.span());
    let aliases = elements().map(|(_, (Element { attrs, path }, handle))| {
        let span = spanned(path);
        quote_spanned!(span=> #(#attrs)* #[allow(unused_qualifications)] type #handle = #path;)
    });
    let names = elements().map(|(place, (Element { attrs, .. }, handle))| {
        quote!(#(#attrs)* (#place, __mcp_tool::hash(<#handle>::__MCP_TOOL_NAME)))
    });
    let checks = elements().skip(1).map(|(place, (Element { attrs, path }, handle))| {
        let span = spanned(path);
        quote_spanned! {span=>
            #(#attrs)*
            const _: () = if !__mcp_tool::is_first(__NAMES, #place, <#handle>::__MCP_TOOL_NAME) {
                ::core::panic!("{}", __mcp_tool::SecondOfOneName::new(<#handle>::__MCP_TOOL_NAME).message())
            };
        }
    });
    let pushes = elements().map(|(_, (Element { attrs, path }, handle))| {
        let span = spanned(path);
        let handle = quote_spanned!(span=> #handle {});
        quote_spanned!(span=> #(#attrs)* __mcp_tool::Vec::push(&mut __list, __mcp_tool::Box::new(#handle));)
    });
    let count = handles.len();
    let errors = errors.to_compile_errors();
    quote! {{
        use #krate::__private as __mcp_tool;
        #[allow(unused_imports)]
        use __mcp_tool::Named as _;
        #errors
        #(#aliases)*
        #[allow(dead_code)]
        const __NAMES: &[(usize, u64)] = &[#(#names),*];
        #(#checks)*
        #[allow(unused_mut, unused_qualifications, clippy::vec_init_then_push)]
        let mut __list: __mcp_tool::Vec<__mcp_tool::Box<dyn __mcp_tool::ToolHandler>> =
            __mcp_tool::Vec::with_capacity(#count);
        #(#pushes)*
        __list
    }}
}
