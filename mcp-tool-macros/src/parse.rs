//! The function under the attribute. Its body is never looked into.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, FnArg, ReceiverKind, Signature, Visibility};

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

/// How a method takes its service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Receiver {
    /// `&self`
    Lent,
    /// `self: Arc<Self>`
    Shared,
}

impl Function {
    /// How the function takes its service, if it does.
    pub(crate) fn receiver(&self) -> Option<Receiver> {
        match self.sig.inputs.first()? {
            FnArg::Receiver(receiver) => Some(match receiver.kind {
                ReceiverKind::Typed(_, ref ty) if !matches!(**ty, syn::Type::Reference(_)) => Receiver::Shared,
                _ => Receiver::Lent,
            }),
            FnArg::Typed(_) => None,
        }
    }

    /// A method in an impl block, with its body.
    pub(crate) fn parse_method(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let sig = input.parse()?;
        let body: proc_macro2::Group = input.parse()?;
        Ok(Self { attrs, vis, sig, body: quote!(#body) })
    }

    /// Takes the first `#[mcp_tool]` off a method.
    pub(crate) fn take_attribute(&mut self) -> Option<syn::Meta> {
        let at = self.attrs.iter().position(is_tool)?;
        Some(self.attrs.remove(at).meta)
    }

    /// Takes off what other libraries call the attribute of a tool.
    pub(crate) fn take_other(&mut self) -> Option<syn::Path> {
        let at =
            self.attrs.iter().position(|attr| attr.path().segments.last().is_some_and(|last| last.ident == "tool"))?;
        Some(self.attrs.remove(at).path().clone())
    }

    /// The `#[cfg]`s of the function, which its handle shares.
    pub(crate) fn cfgs(&self) -> impl Iterator<Item = &Attribute> {
        self.attrs.iter().filter(|attr| attr.path().is_ident("cfg"))
    }

    /// Whether there is no body, as in a trait.
    pub(crate) fn is_declared(&self) -> bool {
        matches!(self.body.clone().into_iter().next(), Some(TokenTree::Punct(end)) if end.as_char() == ';')
    }

    /// A second `#[mcp_tool]` on the function, which has been read by the first.
    pub(crate) fn again(&self) -> Option<&Attribute> {
        self.attrs.iter().find(|attr| is_tool(attr))
    }

    /// A function that is no tool, as it was written.
    pub(crate) fn emit_plain(&self) -> TokenStream {
        let Self { attrs, vis, sig, body } = self;
        quote!(#(#attrs)* #vis #sig #body)
    }

    /// The function without what only the attribute reads.
    pub(crate) fn emit(&self) -> TokenStream {
        let Self { attrs, vis, sig, body } = self;
        let attrs = attrs.iter().filter(|attr| !is_tool(attr));
        let mut sig = sig.clone();
        for input in &mut sig.inputs {
            let attrs = match input {
                FnArg::Typed(typed) => &mut typed.attrs,
                FnArg::Receiver(receiver) => &mut receiver.attrs,
            };
            attrs.retain(|attr| !is_ours(attr));
        }
        // A tool is async even where it has nothing to wait for, and only its handle may call it.
        let unused_async = sig.asyncness.map(|_| quote!(clippy::unused_async,));
        quote!(#(#attrs)* #[allow(#unused_async clippy::single_call_fn)] #vis #sig #body)
    }
}

/// The `=` and the parameter, of a function that cannot be read because of a default as in `limit: usize = 10`.
pub(crate) fn default_of_parameter(item: &TokenStream) -> Option<(TokenTree, Ident)> {
    let mut tokens =
        item.clone().into_iter().skip_while(|token| !matches!(token, TokenTree::Ident(word) if word == "fn"));
    let parameters = tokens.find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(group.stream()),
        _ => None,
    })?;
    let (mut name, mut depth) = (None, 0_usize);
    let mut tokens = parameters.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match &token {
            TokenTree::Ident(word) if matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == ':') => {
                name = Some(word.clone());
            }
            TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
            TokenTree::Punct(punct) if punct.as_char() == '>' => depth = depth.saturating_sub(1),
            TokenTree::Punct(punct) if punct.as_char() == '=' && depth == 0 => return Some((token, name?)),
            _ => {}
        }
    }
    None
}

/// `#[mcp_tool]`, or the same under its path.
fn is_tool(attr: &Attribute) -> bool {
    attr.path().segments.last().is_some_and(|last| last.ident == "mcp_tool")
}

/// Whether an attribute of a parameter is for the macro, or for the field that the parameter becomes.
fn is_ours(attr: &Attribute) -> bool {
    ["doc", "mcp_tool", "serde", "schemars", "validate", "garde"].iter().any(|name| attr.path().is_ident(name))
}
