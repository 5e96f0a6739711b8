//! Parses the function under the attribute, and leaves its body to rustc.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, FnArg, Item, Meta, ReceiverKind, Signature, Visibility, parse_quote};

use crate::errors::Errors;
use crate::{field_attributes, migration};

/// A function or a method, whose body is not parsed.
pub(crate) struct Function {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    pub(crate) body: TokenStream,
    /// For each `cfg_attr` with `mcp_tool` on a method, a `#[cfg(…)]` with the same condition.
    tool_cfgs: Vec<Attribute>,
    /// For all parameters, the conditions of the `cfg_attr`s that contain attributes for the macro. The macro reads
    /// these attributes as if the conditions were true.
    pub(crate) assumed: Vec<Meta>,
}

/// How a method takes `self`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SelfKind {
    /// `&self`, `self: &Self` or `self: &Arc<Self>`
    Reference,
    /// `self: Arc<Self>`
    Arc,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let (attrs, vis, sig) = (input.call(Attribute::parse_outer)?, input.parse()?, input.parse()?);
        Ok(Self::new(attrs, vis, sig, input.parse()?))
    }
}

impl Function {
    /// Parses a method in an impl block. Its body ends at the closing brace, because other items follow.
    pub(crate) fn parse_method(input: ParseStream<'_>) -> syn::Result<Self> {
        let (attrs, vis, sig) = (input.call(Attribute::parse_outer)?, input.parse()?, input.parse()?);
        Ok(Self::new(attrs, vis, sig, input.parse::<Group>()?.into_token_stream()))
    }

    /// Creates a function. rustc expands a `cfg_attr` inside an item only after the macro on the item, so this macro
    /// has to read the `cfg_attr` itself.
    fn new(mut attrs: Vec<Attribute>, vis: Visibility, mut sig: Signature, body: TokenStream) -> Self {
        let tool_cfgs = take_conditional(&mut attrs, is_mcp_tool);
        let tool_cfgs = tool_cfgs.into_iter().map(|condition| parse_quote!(#[cfg(#condition)])).collect();
        let typed = sig.inputs.iter_mut().filter_map(|input| match input {
            FnArg::Typed(typed) => Some(&mut typed.attrs),
            FnArg::Receiver(_) => None,
        });
        let is_read = |attr: &Attribute| is_mcp_tool(attr) || field_attributes::is_field_attribute(attr);
        let assumed = typed.flat_map(|attrs| take_conditional(attrs, is_read)).collect();
        Self { attrs, vis, sig, body, tool_cfgs, assumed }
    }

    pub(crate) fn self_kind(&self) -> Option<SelfKind> {
        match self.sig.inputs.first()? {
            FnArg::Receiver(receiver) => Some(match receiver.kind {
                ReceiverKind::Typed(_, ref ty) if !matches!(**ty, syn::Type::Reference(_)) => SelfKind::Arc,
                _ => SelfKind::Reference,
            }),
            FnArg::Typed(_) => None,
        }
    }

    /// Removes the first `#[mcp_tool]` of a method and returns it.
    pub(crate) fn take_mcp_tool(&mut self) -> Option<Meta> {
        let index = self.attrs.iter().position(is_mcp_tool)?;
        Some(self.attrs.remove(index).meta)
    }

    /// Returns `true` if the function has a `#[tool]`, the attribute of rmcp.
    pub(crate) fn has_foreign_tool(&self) -> bool {
        self.attrs.iter().any(is_foreign_tool)
    }

    /// Removes the first `#[tool]`, the attribute of rmcp, and returns it.
    pub(crate) fn take_foreign_tool(&mut self) -> Option<Attribute> {
        let index = self.attrs.iter().position(is_foreign_tool)?;
        Some(self.attrs.remove(index))
    }

    /// Reports and removes a `#[tool]` next to `#[mcp_tool]`.
    pub(crate) fn report_foreign_tool(&mut self, errors: &mut Errors) {
        if let Some(attr) = self.take_foreign_tool() {
            let message = format!("`{}` is a tool twice, with `#[mcp_tool]` and `#[tool]`", self.sig.ident);
            let help = format!("remove `#[tool]`, and write only {}", migration::instead_of_tool(&attr));
            errors.report(attr.path(), message, help);
        }
    }

    /// Returns the first `#[mcp_tool]` among the attributes.
    ///
    /// On a free function this is the second one, because rustc has removed the one that it expands.
    pub(crate) fn find_mcp_tool(&self) -> Option<&Attribute> {
        self.attrs.iter().find(|attr| is_mcp_tool(attr))
    }

    /// Returns the `#[cfg]`s of the tool. The code that is generated for the function repeats them.
    pub(crate) fn cfgs(&self) -> impl Iterator<Item = &Attribute> {
        self.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).chain(&self.tool_cfgs)
    }

    /// Returns `true` if there is no body, as in a trait.
    pub(crate) fn has_no_body(&self) -> bool {
        matches!(self.body.clone().into_iter().next(), Some(TokenTree::Punct(end)) if end.as_char() == ';')
    }

    /// Returns the function with all of its attributes.
    pub(crate) fn emit_unchanged(&self) -> TokenStream {
        let Self { attrs, vis, sig, body, .. } = self;
        quote!(#(#attrs)* #vis #sig #body)
    }

    /// Returns the function of a tool, without the attributes that only this macro reads.
    pub(crate) fn emit(&self) -> TokenStream {
        let Self { attrs, vis, sig, body, .. } = self;
        let attrs = attrs.iter().filter(|attr| !is_mcp_tool(attr));
        let mut sig = sig.clone();
        for input in &mut sig.inputs {
            let attrs = match input {
                FnArg::Typed(typed) => &mut typed.attrs,
                FnArg::Receiver(receiver) => &mut receiver.attrs,
            };
            attrs.retain(|attr| !attr.path().is_ident("mcp_tool") && !field_attributes::is_field_attribute(attr));
        }
        // Do not let Clippy report that an `async` tool awaits nothing, or that only generated code calls the tool.
        let unused_async = sig.asyncness.map(|_| quote!(clippy::unused_async,));
        quote!(#(#attrs)* #[allow(#unused_async clippy::single_call_fn)] #vis #sig #body)
    }
}

/// Moves each attribute for which `is_read` returns `true` out of its `cfg_attr`. Returns the conditions of these
/// `cfg_attr`s.
fn take_conditional(attrs: &mut Vec<Attribute>, is_read: impl Fn(&Attribute) -> bool) -> Vec<Meta> {
    let mut conditions = Vec::new();
    for attr in std::mem::take(attrs) {
        let is_conditional = attr.path().is_ident("cfg_attr");
        let mut metas = field_attributes::metas(&attr).into_iter();
        let (Some(condition), true) = (metas.next(), is_conditional) else {
            attrs.push(attr);
            continue;
        };
        let (read, others): (Vec<Attribute>, Vec<_>) =
            metas.map(|meta| parse_quote!(#[#meta])).partition(|attr| is_read(attr));
        if read.is_empty() {
            attrs.push(attr);
            continue;
        }
        attrs.extend(read);
        attrs.extend(others.iter().map(|Attribute { meta, .. }| parse_quote!(#[cfg_attr(#condition, #meta)])));
        conditions.push(condition);
    }
    conditions
}

fn is_foreign_tool(attr: &Attribute) -> bool {
    migration::is_foreign(attr, "tool")
}

/// Returns `true` for `#[mcp_tool]`, with or without a path before it.
fn is_mcp_tool(attr: &Attribute) -> bool {
    attr.path().segments.last().is_some_and(|last| last.ident == "mcp_tool")
}

/// Removes every `#[mcp_tool]` inside an item that was itself reported, because each of them would add another error.
/// Items without methods, such as modules, stay as they are.
pub(crate) fn without_tools(item: &TokenStream) -> TokenStream {
    match item_kind(item) {
        Some((_, kind)) if kind != IMPL_BLOCK && kind != "a trait" => item.clone(),
        _ => without_mcp_tool(item.clone()),
    }
}

fn without_mcp_tool(item: TokenStream) -> TokenStream {
    let is_attribute = |token: Option<&TokenTree>| {
        let Some(TokenTree::Group(group)) = token else { return false };
        let path = group.stream().into_iter().take_while(|token| !matches!(token, TokenTree::Group(_)));
        group.delimiter() == Delimiter::Bracket
            && matches!(path.last(), Some(TokenTree::Ident(name)) if name == "mcp_tool")
    };
    let mut kept = TokenStream::new();
    let mut tokens = item.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' && is_attribute(tokens.peek()) => _ = tokens.next(),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), without_mcp_tool(group.stream()));
                inner.set_span(group.span());
                kept.extend([TokenTree::Group(inner)]);
            }
            token => kept.extend([token]),
        }
    }
    kept
}

/// Finds a default value in a signature, as in `limit: usize = 10`. Returns its `=` and the name of its parameter.
pub(crate) fn find_default_value(item: &TokenStream) -> Option<(TokenTree, Ident)> {
    let mut tokens =
        item.clone().into_iter().skip_while(|token| !matches!(token, TokenTree::Ident(word) if word == "fn"));
    let params = tokens.find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(group.stream()),
        _ => None,
    })?;
    let (mut name, mut depth) = (None, 0_usize);
    let mut tokens = params.into_iter().peekable();
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

/// The kind that [`item_kind`] returns for an impl block.
pub(crate) const IMPL_BLOCK: &str = "an impl block";

/// Returns the keyword and the kind of an item that is not a function.
pub(crate) fn item_kind(item: &TokenStream) -> Option<(TokenStream, &'static str)> {
    let item = syn::parse2(item.clone()).ok()?;
    let (keyword, kind): (&dyn ToTokens, _) = match &item {
        Item::Struct(item) => (&item.struct_token, "a struct"),
        Item::Enum(item) => (&item.enum_token, "an enum"),
        Item::Union(item) => (&item.union_token, "a union"),
        Item::Mod(item) => (&item.mod_token, "a module"),
        Item::Trait(item) => (&item.trait_token, "a trait"),
        Item::Impl(item) => (&item.impl_token, IMPL_BLOCK),
        Item::Const(item) => (&item.const_token, "a constant"),
        Item::Static(item) => (&item.static_token, "a static"),
        Item::Type(item) => (&item.type_token, "a type alias"),
        Item::Use(item) => (&item.use_token, "an import"),
        Item::ExternCrate(item) => (&item.extern_token, "an extern item"),
        Item::ForeignMod(item) => (&item.abi.extern_token, "an extern item"),
        Item::Macro(item) => (&item.mac.path, "a macro call"),
        _ => return None,
    };
    Some((keyword.to_token_stream(), kind))
}
