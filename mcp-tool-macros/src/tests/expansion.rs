//! Expands the macros of this crate in a token stream, in the same order as rustc.
//!
//! rustc expands a macro, then the macros in its output, then the macros after it, so errors are reported in the order
//! of a depth-first walk. Macros of other crates, `#[cfg]` and `macro_rules!` are not expanded: a case that needs them
//! belongs to `tests/ui/rustc`.

use proc_macro2::{Delimiter, Group, LineColumn, Span, TokenStream, TokenTree};
use quote::quote;
use syn::LitStr;

use crate::{service, tool, tool_error, tools_list};

/// A `compile_error!` in the output of a macro.
pub(super) struct CompileError {
    pub(super) message: String,
    pub(super) start: LineColumn,
    pub(super) end: LineColumn,
}

/// Expands all macros of this crate and returns their errors.
pub(super) fn errors(file: TokenStream) -> Vec<CompileError> {
    let mut expansion = Expansion { errors: Vec::new(), call_site: (Span::call_site(), Span::call_site()) };
    expansion.expand_stream(file);
    expansion.errors
}

/// Expands the first attribute of this crate on an item, but not the macros in its output. For a derive, the result
/// does not contain the item.
pub(super) fn expand_once(item: TokenStream) -> TokenStream {
    let tokens: Vec<_> = item.into_iter().collect();
    let Ok(invocation) = first_attribute(&tokens) else { panic!("the item has no attribute of this crate") };
    match invocation.attribute {
        Attribute::Derive => tool_error::derive(invocation.item),
        Attribute::Tool | Attribute::Tools => invocation.expand(),
    }
}

/// The attributes of this crate.
enum Attribute {
    Tool,
    Tools,
    Derive,
}

struct Expansion {
    errors: Vec<CompileError>,
    /// The first and last token of the macro call that is being expanded.
    call_site: (Span, Span),
}

impl Expansion {
    fn expand_stream(&mut self, tokens: TokenStream) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut position = 0;
        while position < tokens.len() {
            position += self.expand_next(&tokens[position..]);
        }
    }

    /// Expands the token tree or item at the start of the tokens, and returns its number of tokens.
    fn expand_next(&mut self, tokens: &[TokenTree]) -> usize {
        if let Some(length) = self.compile_error(tokens) {
            return length;
        }
        match tokens {
            [TokenTree::Punct(hash), TokenTree::Group(brackets), ..] if is_attribute(hash.as_char(), brackets) => {
                self.expand_item(tokens)
            }
            [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(input), ..]
                if name == "tools" && bang.as_char() == '!' =>
            {
                let input = input.stream();
                let outer = std::mem::replace(&mut self.call_site, (name.span(), tokens[2].span()));
                // `macro_rules! tools` puts the path of the runtime in front.
                self.expand_stream(tools_list::expand(quote!(mcp_tool_runtime; #input)));
                self.call_site = outer;
                3
            }
            [TokenTree::Group(group), ..] => {
                self.expand_stream(group.stream());
                1
            }
            _ => 1,
        }
    }

    /// Records `::core::compile_error! { "…" }` as an error, and returns its number of tokens. Returns `None` for other
    /// tokens.
    fn compile_error(&mut self, tokens: &[TokenTree]) -> Option<usize> {
        const PATH: [&str; 8] = [":", ":", "core", ":", ":", "compile_error", "!", "{"];
        let is_path = |(token, expected): (&TokenTree, &str)| match token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && expected == "{",
            token => token.to_string() == expected,
        };
        if tokens.len() < PATH.len() || !tokens.iter().zip(PATH).all(is_path) {
            return None;
        }
        let TokenTree::Group(group) = &tokens[PATH.len() - 1] else { return None };
        let message: LitStr = syn::parse2(group.stream()).ok()?;
        self.errors.push(CompileError {
            message: message.value(),
            start: self.located(tokens[0].span(), |call_site| call_site.0).start(),
            end: self.located(group.span(), |call_site| call_site.1).end(),
        });
        Some(PATH.len())
    }

    /// Returns a part of the macro call that is being expanded instead of `Span::call_site()`, which has no location
    /// here.
    fn located(&self, span: Span, call_site: impl Fn((Span, Span)) -> Span) -> Span {
        if span.byte_range().is_empty() { call_site(self.call_site) } else { span }
    }

    /// Expands the first attribute of this crate on an item. If there is none, expands the macros inside the item.
    fn expand_item(&mut self, tokens: &[TokenTree]) -> usize {
        let length = item_length(tokens);
        let item = &tokens[..length];
        match first_attribute(item) {
            Ok(invocation) => {
                let outer = std::mem::replace(&mut self.call_site, invocation.call_site);
                self.expand_stream(invocation.expand());
                self.call_site = outer;
            }
            Err(after_attributes) => self.expand_stream(item[after_attributes..].iter().cloned().collect()),
        }
        length
    }
}

/// An attribute of this crate, and the item without it.
struct Invocation {
    attribute: Attribute,
    arguments: TokenStream,
    item: TokenStream,
    call_site: (Span, Span),
}

impl Invocation {
    fn expand(self) -> TokenStream {
        let Self { attribute, arguments, item, .. } = self;
        match attribute {
            Attribute::Tool => tool::expand(arguments, &item),
            Attribute::Tools => service::expand(arguments, &item),
            Attribute::Derive => {
                let derived = tool_error::derive(item.clone());
                quote!(#item #derived)
            }
        }
    }
}

/// Returns the first attribute of this crate on an item.
///
/// # Errors
///
/// If there is none, returns the position after the item's attributes.
fn first_attribute(item: &[TokenTree]) -> Result<Invocation, usize> {
    let mut position = 0;
    while let [TokenTree::Punct(hash), TokenTree::Group(brackets), ..] = &item[position..] {
        if !is_attribute(hash.as_char(), brackets) {
            break;
        }
        if let Some((attribute, arguments)) = own_attribute(brackets) {
            let item = item[..position].iter().chain(&item[position + 2..]).cloned().collect();
            return Ok(Invocation { attribute, arguments, item, call_site: (hash.span(), brackets.span()) });
        }
        position += 2;
    }
    Err(position)
}

fn is_attribute(hash: char, brackets: &Group) -> bool {
    hash == '#' && brackets.delimiter() == Delimiter::Bracket
}

/// Returns the attribute in the brackets and its arguments, if it is one of this crate.
fn own_attribute(brackets: &Group) -> Option<(Attribute, TokenStream)> {
    let mut tokens = brackets.stream().into_iter().peekable();
    let mut name = None;
    while let Some(TokenTree::Ident(_) | TokenTree::Punct(_)) = tokens.peek() {
        name = tokens.next();
    }
    let arguments = match tokens.next() {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => TokenStream::new(),
    };
    let attribute = match name?.to_string().as_str() {
        "mcp_tool" => Attribute::Tool,
        "mcp_tools" => Attribute::Tools,
        "derive" if arguments.to_string().contains("IntoToolError") => Attribute::Derive,
        _ => return None,
    };
    Some((attribute, arguments))
}

/// Returns the length of the first item in the tokens, including its attributes.
fn item_length(tokens: &[TokenTree]) -> usize {
    let mut keyword = None;
    for (position, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(word) => {
                let word = word.to_string();
                let keywords = ["const", "enum", "fn", "impl", "mod", "static", "struct", "trait", "type", "use"];
                // A `const fn` is a function.
                if keywords.contains(&&*word) && matches!(keyword.as_deref(), None | Some("const")) {
                    keyword = Some(word);
                }
            }
            TokenTree::Punct(punct) if punct.as_char() == ';' => return position + 1,
            // A brace ends the item, unless it is an item that ends with a semicolon: in those, braces belong to a
            // `use` list or an expression.
            TokenTree::Group(group)
                if group.delimiter() == Delimiter::Brace
                    && !matches!(keyword.as_deref(), Some("const" | "static" | "type" | "use")) =>
            {
                return position + 1;
            }
            _ => {}
        }
    }
    tokens.len()
}
