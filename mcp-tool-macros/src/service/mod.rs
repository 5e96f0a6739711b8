//! Expands `#[mcp_tools]` on an impl block. A method with `#[mcp_tool]` goes through the same model and checks as a
//! function.

use proc_macro2::{Group, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::{Attribute, Generics, ImplItem, Token, Type, WhereClause};

use crate::attr::{Given as _, value};
use crate::editor::KeyImports;
use crate::errors::{self, Errors};
use crate::model::{Service, Tool};
use crate::parse::{self, Function};
use crate::{check, migration, types};

mod expand;

use expand::BlockKeys;

pub(crate) fn expand(attribute: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let block = match syn::parse2::<ImplBlock>(item.clone()) {
        Ok(block) => block,
        Err(error) => {
            report_other_item(item, &error, &mut errors);
            let errors = errors.to_compile_errors();
            let item = parse::without_tools(item);
            return quote!(#item #errors);
        }
    };
    let mut key_imports = KeyImports::default();
    key_imports.add_macro_keys("service", attribute.clone());
    let keys = BlockKeys::parse(attribute, &mut errors);
    if let Some(of_trait) = &block.of_trait {
        let message = "the methods of a trait impl cannot be tools: `#[mcp_tools]` takes an inherent impl block";
        let help = if types::written(of_trait).ends_with("ServerHandler") {
            "remove `#[mcp_tools]`; `mcp_tool_runtime::rmcp::Server::new(dispatcher)` is a `ServerHandler` with the dispatcher's tools"
        } else {
            "write the tools in an impl block of the type itself, and call the trait's methods from them"
        };
        errors.report(of_trait, message, help);
    }
    if let Some(lifetime) = types::find_lifetime(&block.ty) {
        let help = "use a type that owns its data, or shares it with an `Arc`";
        errors.report(lifetime, "a service lives as long as the server, so it cannot borrow", help);
    }
    let runtime = value::runtime(keys.own.crate_path.value());
    let service = Service { ty: block.ty.clone(), generics: block.generics.clone(), runtime };
    expand_block(block, &keys, &service, key_imports, errors)
}

fn report_other_item(item: &TokenStream, error: &syn::Error, errors: &mut Errors) {
    match parse::item_kind(item) {
        Some((keyword, kind)) if kind != parse::IMPL_BLOCK => {
            errors.report(keyword, format!("`#[mcp_tools]` is on {kind}"), "put it on an impl block");
        }
        _ => {
            if let Ok(function) = syn::parse2::<Function>(item.clone()) {
                let help = "put `#[mcp_tool]` on a function, and `#[mcp_tools]` on an impl block with methods";
                errors.report(function.sig.fn_token, "`#[mcp_tools]` is on a function", help);
            } else {
                let message = "`#[mcp_tools]` cannot parse the block from here on";
                errors.push(errors::error(error.span(), message, "complete the block; rustc says what is missing"));
            }
        }
    }
}

fn expand_block(
    block: ImplBlock,
    keys: &BlockKeys,
    service: &Service,
    mut key_imports: KeyImports,
    mut errors: Errors,
) -> TokenStream {
    let ImplBlock { mut attrs, keyword, generics, of_trait, ty, where_clause, items } = block;
    let mut emitted = Vec::new();
    let mut tools = Vec::new();
    // Set if a method has `#[mcp_tool]` without a path. In that case, the author may have imported the attribute.
    let mut may_import_attribute = false;
    let has_tools =
        items.iter().any(|item| matches!(item, BlockItem::Function(function) if function.find_mcp_tool().is_some()));
    let has_foreign_tools = items.iter().any(
        |item| matches!(item, BlockItem::Function(function) if function.has_foreign_tool() && function.find_mcp_tool().is_none()),
    );
    migration::report_on_block(&mut attrs, has_foreign_tools, &mut errors);
    for item in items {
        let mut function = match item {
            BlockItem::Function(function) => function,
            BlockItem::Other(tokens) => {
                emitted.push(tokens);
                continue;
            }
        };
        let Some(attribute) = function.take_mcp_tool() else {
            if let Some(foreign) = (!has_tools).then(|| function.take_foreign_tool()).flatten() {
                let path = foreign.path();
                let message = format!("`#[{}]` does not turn a method into a tool", types::written(path));
                errors.report(path, message, format!("write {}", migration::instead_of_tool(&foreign)));
            }
            emitted.push(function.emit_unchanged());
            continue;
        };
        function.report_foreign_tool(&mut errors);
        may_import_attribute |= attribute.path().get_ident().is_some();
        let attribute = match attribute {
            syn::Meta::List(list) => list.tokens,
            _ => TokenStream::new(),
        };
        key_imports.add_macro_keys("tool", attribute.clone());
        key_imports.add_parameters(&function.sig);
        let mut tool = Tool::from_method(attribute, *function, service, &mut errors);
        keys.apply(&mut tool, &mut errors);
        check::check(&tool, &mut errors);
        check_name(&tool, &tools, keys, &mut errors);
        emitted.push(tool.function.emit());
        tools.push(tool);
    }
    // A block with `parts(…)` need not contain a tool, because all tools may be in the parts.
    if tools.is_empty() && keys.own.parts.is_none() && errors.is_empty() {
        let help = "put `#[mcp_tool]` on the methods that clients may call";
        errors.report(keyword, "none of these methods is a tool", help);
    }
    let (impl_generics, _, _) = generics.split_for_impl();
    let of_trait = of_trait.map(|of_trait| quote!(#of_trait for));
    let block = quote!(#(#attrs)* #keyword #impl_generics #of_trait #ty #where_clause { #(#emitted)* });
    let tools = errors.is_empty().then_some(tools.as_slice());
    let registration = expand::registration(keys, keyword.span, service, tools, may_import_attribute);
    let key_imports = key_imports.emit(&service.runtime);
    let errors = errors.to_compile_errors();
    quote!(#block #registration #key_imports #errors)
}

/// Checks that a tool's name differs from the names of the tools before it, and that it is not too long with the
/// prefix.
fn check_name(tool: &Tool, before: &[Tool], keys: &BlockKeys, errors: &mut Errors) {
    let name = &tool.name;
    let tokens = match &tool.keys.name {
        Some(given) => given.value.to_token_stream(),
        None => tool.function.sig.ident.to_token_stream(),
    };
    // Methods with `#[cfg]` may be mutually exclusive, so they are allowed to share a name.
    let always_exists = |tool: &Tool| tool.function.cfgs().next().is_none();
    if before.iter().any(|other| other.name == *name && always_exists(other) && always_exists(tool)) {
        let help = "give one of them another name: `#[mcp_tool(name = \"…\")]`";
        errors.report(&tokens, format!("two tools of this service are named `{name}`"), help);
    }
    let (prefix, length) = (keys.prefix().chars().count(), name.chars().count());
    if length <= 128 && prefix + length > 128 {
        let length = prefix + length;
        let message =
            format!("the name of tool `{name}` has {length} characters with the prefix, but at most 128 are allowed");
        errors.report(&tokens, message, "shorten the name or the prefix");
    }
}

struct ImplBlock {
    attrs: Vec<Attribute>,
    keyword: Token![impl],
    generics: Generics,
    /// The trait, if this is a trait impl, which cannot be a service.
    of_trait: Option<Type>,
    ty: Type,
    /// The `where` clause as it was written. `generics` has a copy.
    where_clause: Option<WhereClause>,
    items: Vec<BlockItem>,
}

enum BlockItem {
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
