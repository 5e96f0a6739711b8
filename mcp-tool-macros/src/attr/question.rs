//! Parses the value of the key `ask`: a format string, a constant, a macro, or a call of a function or method.

use std::fmt::Display;

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, ExprPath, Lit, LitStr};

use super::value::{Expected, is_constant, split_format, ungrouped};
use crate::errors::{Errors, spanned};
use crate::types;

/// The opening quotes. If one of them stands right before a placeholder, the value counts as quoted, and the runtime
/// escapes the closing quote inside the value.
const OPENING_QUOTES: [char; 8] = ['"', '\'', '`', '“', '„', '‘', '«', '»'];

/// The value of the key `ask`.
#[derive(Clone)]
pub(crate) enum Question {
    Text {
        literal: LitStr,
        pieces: Vec<Piece>,
    },
    /// A constant or a macro such as `concat!(…)`: text without placeholders.
    Constant(Expr),
    Call(Call),
}

/// A piece of a format string.
#[derive(Clone)]
pub(crate) enum Piece {
    Text(String),
    /// A placeholder, and the name of its value.
    Value {
        format: String,
        name: String,
    },
}

/// A call of a function, or of a method of `self`. The arguments are names of parameters.
#[derive(Clone)]
pub(crate) struct Call {
    pub(crate) callee: Callee,
    pub(crate) arguments: Vec<Ident>,
    pub(crate) is_awaited: bool,
    pub(crate) span: Span,
}

#[derive(Clone)]
pub(crate) enum Callee {
    Function(ExprPath),
    /// A call of `self.method`: the token `self`, and the name of the method.
    Method(Ident, Ident),
}

impl Question {
    pub(crate) fn parse(expected: &Expected<'_>, input: ParseStream<'_>, _: &mut Errors) -> syn::Result<Self> {
        let value = ungrouped(expected.parse(input)?);
        if let Expr::Lit(ExprLit { lit: Lit::Str(literal), .. }) = value {
            let pieces = pieces(&literal)?;
            return Ok(Self::Text { literal, pieces });
        }
        let is_constant = match &value {
            Expr::Path(path) => is_constant(&path.path),
            Expr::Macro(call) => !call.mac.path.is_ident("format"),
            _ => false,
        };
        if is_constant {
            return Ok(Self::Constant(value));
        }
        call(value, expected).map(Self::Call)
    }

    /// Returns the names of the values that the text shows without quotes: such a value can pretend to be part of the
    /// question.
    pub(crate) fn unquoted(&self) -> impl Iterator<Item = &str> {
        let pieces: &[Piece] = if let Self::Text { pieces, .. } = self { pieces } else { &[] };
        pieces.iter().enumerate().filter_map(|(index, piece)| match piece {
            Piece::Value { format, name } if !format.ends_with("?}") => {
                let before = index.checked_sub(1).and_then(|before| pieces.get(before));
                let is_quoted = matches!(before, Some(Piece::Text(text)) if text.ends_with(OPENING_QUOTES));
                Some(name.as_str()).filter(|_| !is_quoted)
            }
            Piece::Value { .. } | Piece::Text(_) => None,
        })
    }

    /// Returns the names of the parameters that the question uses, each with the span for errors about it.
    pub(crate) fn names(&self) -> Vec<(String, Span)> {
        match self {
            Self::Text { literal, pieces } => {
                let names = pieces.iter().filter_map(|piece| match piece {
                    Piece::Text(_) => None,
                    Piece::Value { name, .. } => Some((name.clone(), literal.span())),
                });
                names.collect()
            }
            Self::Constant(_) => Vec::new(),
            Self::Call(call) => call.arguments.iter().map(|name| (super::unraw(name), name.span())).collect(),
        }
    }
}

fn call(value: Expr, expected: &Expected<'_>) -> syn::Result<Call> {
    let wrong =
        |tokens: &dyn ToTokens, help: &dyn Display| spanned(tokens, format!("`ask` takes {}", expected.takes), help);
    let span = value.span();
    let (value, is_awaited) = match value {
        Expr::Await(awaited) => (ungrouped(*awaited.base), true),
        value => (value, false),
    };
    let (callee, arguments) = match value {
        Expr::Call(call) => match ungrouped(*call.func) {
            Expr::Path(path) => (Callee::Function(path), call.args),
            other => return Err(wrong(&other, &"write the path of a function, as in `ask = which_day(table)`")),
        },
        Expr::MethodCall(call) => match ungrouped(*call.receiver) {
            Expr::Path(receiver) if receiver.path.is_ident("self") && call.turbofish.is_none() => {
                let receiver = Ident::new("self", receiver.span());
                (Callee::Method(receiver, call.method), call.args)
            }
            Expr::Path(receiver) => {
                let (method, arguments) = (&call.method, call.args.iter().map(types::written));
                let written: Vec<_> = std::iter::once(types::written(&receiver)).chain(arguments).collect();
                let help = format!("call a method of `self`, or a function: `ask = {method}({})`", written.join(", "));
                return Err(wrong(&receiver, &help));
            }
            other => return Err(wrong(&other, &"call a method of `self`, or a function")),
        },
        Expr::Path(path) => {
            let written = types::written(&path);
            let help = format!("write the call, as in `ask = {written}()` or `ask = {written}(id)`");
            return Err(wrong(&path, &help));
        }
        Expr::Macro(other) if other.mac.path.is_ident("format") => {
            return Err(wrong(&other, &format!("write the format string itself: `ask = {}`", expected.example)));
        }
        other => {
            let help = format!("write `ask = {}`, or `ask = which_day(table)`", expected.example);
            return Err(wrong(&other, &help));
        }
    };
    let mut names = Vec::new();
    let mut wrong: Option<syn::Error> = None;
    for argument in arguments {
        let error = match ungrouped(argument) {
            Expr::Path(path) if path.path.get_ident().is_some_and(|name| name != "self") => {
                names.extend(path.path.get_ident().cloned());
                continue;
            }
            Expr::Reference(reference) => {
                let help = format!("write `{}`: the function takes it by reference", reference.expr.to_token_stream());
                spanned(&reference, "`ask` lends the parameters itself", help)
            }
            Expr::Path(path) if path.path.is_ident("self") => {
                spanned(&path, "`ask` does not pass `self`", "call a method of it: `ask = self.question(id)`")
            }
            other => {
                let help = "write the names of parameters, and compute in the function";
                spanned(&other, "`ask` passes parameters by their names", help)
            }
        };
        match &mut wrong {
            Some(first) => first.combine(error),
            None => wrong = Some(error),
        }
    }
    wrong.map_or_else(|| Ok(Call { callee, arguments: names, is_awaited, span }), Err)
}

/// Splits a format string into text and placeholders, and checks the placeholders.
fn pieces(literal: &LitStr) -> syn::Result<Vec<Piece>> {
    let text = literal.value();
    if text.trim().is_empty() {
        return Err(spanned(literal, "the question is empty", "write what the user is asked"));
    }
    let unpaired = || spanned(literal, "a brace in the question is not paired", "write `{{` or `}}` for a brace");
    let mut pieces = Vec::new();
    for (text, placeholder) in split_format(&text).ok_or_else(unpaired)? {
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        let Some((name, format)) = placeholder else { continue };
        let is_word = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if name.is_empty() || !is_word || name.starts_with(|c: char| c.is_ascii_digit()) || format.contains('$') {
            let message = format!("`{{{name}{format}}}` in the question is not the name of a parameter");
            let help = "write the name of an argument, as in `{id}`; compute in a function";
            return Err(spanned(literal, message, help));
        }
        pieces.push(Piece::Value { format: format!("{{{name}{format}}}"), name: name.to_owned() });
    }
    Ok(pieces)
}
