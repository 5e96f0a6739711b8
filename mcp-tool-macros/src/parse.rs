//! The function under the attribute. Its body is never looked into.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Signature, Visibility};

/// A function as it was written, with its body as tokens.
pub(crate) struct Function {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    pub(crate) body: TokenStream,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let sig = input.parse()?;
        let body = input.parse()?;
        Ok(Self { attrs, vis, sig, body })
    }
}

impl Function {
    /// The `#[cfg]`s of the function, which its handle shares.
    pub(crate) fn cfgs(&self) -> impl Iterator<Item = &Attribute> {
        self.attrs.iter().filter(|attr| attr.path().is_ident("cfg"))
    }

    /// The function without what only the attribute reads.
    pub(crate) fn emit(&self) -> TokenStream {
        let Self { attrs, vis, sig, body } = self;
        let mut sig = sig.clone();
        for input in &mut sig.inputs {
            let attrs = match input {
                syn::FnArg::Typed(typed) => &mut typed.attrs,
                syn::FnArg::Receiver(receiver) => &mut receiver.attrs,
            };
            attrs.retain(|attr| !is_ours(attr));
        }
        // A tool is async even where it has nothing to wait for.
        let allow = sig.asyncness.is_some().then(|| quote!(#[allow(clippy::unused_async)]));
        quote!(#(#attrs)* #allow #vis #sig #body)
    }
}

/// Whether an attribute of a parameter is for the macro, or for the field that the parameter becomes.
fn is_ours(attr: &Attribute) -> bool {
    ["doc", "mcp_tool", "serde", "schemars", "validate", "garde"].iter().any(|name| attr.path().is_ident(name))
}

/// What was under the attribute, when it was no function.
pub(crate) fn item_kind(item: &TokenStream) -> &'static str {
    const KINDS: [(&str, &str); 9] = [
        ("struct", "a struct"),
        ("enum", "an enum"),
        ("mod", "a module"),
        ("trait", "a trait"),
        ("impl", "an impl block"),
        ("const", "a constant"),
        ("static", "a static"),
        ("type", "a type alias"),
        ("use", "an import"),
    ];
    let words = item.clone().into_token_stream().into_iter().filter_map(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    });
    let found = words.take(4).find_map(|word| KINDS.iter().find(|(keyword, _)| *keyword == word));
    found.map_or("something else", |(_, kind)| kind)
}
