//! Parses the impl block under `#[mcp_tools]`. The bodies of its methods stay unparsed.

use proc_macro2::{Group, TokenStream};
use quote::ToTokens as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::{Attribute, Generics, ImplItem, Token, Type, WhereClause};

use crate::parse::Function;

pub(super) struct ImplBlock {
    pub(super) attrs: Vec<Attribute>,
    pub(super) keyword: Token![impl],
    pub(super) generics: Generics,
    /// The trait of a trait impl, which cannot be a service.
    pub(super) of_trait: Option<Type>,
    pub(super) ty: Type,
    /// The `where` clause as it was written. `generics` has a copy.
    pub(super) where_clause: Option<WhereClause>,
    pub(super) items: Vec<BlockItem>,
}

pub(super) enum BlockItem {
    Function(Box<Function>),
    Other(TokenStream),
}

impl Parse for ImplBlock {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let keyword = input.parse()?;
        let mut generics: Generics = if input.peek(Token![<]) { input.parse()? } else { Generics::default() };
        let first: Type = input.parse()?;
        let (of_trait, ty) = match input.parse::<Option<Token![for]>>()? {
            Some(_) => (Some(first), input.parse()?),
            None => (None, first),
        };
        let where_clause: Option<WhereClause> = input.parse()?;
        generics.where_clause.clone_from(&where_clause);
        let body: Group = input.parse()?;
        let items = |input: ParseStream<'_>| {
            let mut items = Vec::new();
            while !input.is_empty() {
                items.push(input.parse()?);
            }
            Ok(items)
        };
        Ok(Self { attrs, keyword, generics, of_trait, ty, where_clause, items: items.parse2(body.stream())? })
    }
}

impl Parse for BlockItem {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if Function::parse_method(&input.fork()).is_ok() {
            return Ok(Self::Function(Box::new(Function::parse_method(input)?)));
        }
        Ok(Self::Other(input.parse::<ImplItem>()?.into_token_stream()))
    }
}
