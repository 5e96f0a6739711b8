//! Emits the questions: the struct that each form is read into, and the code that asks before the function is called.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::LitStr;
use syn::spanned::Spanned as _;

use super::arguments::{given, passed};
use super::values::{argument_type, binding};
use crate::attr::{Call, Callee, Given as _, Piece, Question, Role, unraw};
use crate::errors::{located_at, variable};
use crate::model::Tool;
use crate::param::{Param, named};

/// Emits the structs that the forms are read into.
pub(super) fn forms(tool: &Tool) -> TokenStream {
    let forms = tool.asked().map(|(index, param)| {
        let Param { ident, attrs, serde, .. } = param;
        let name = form_name(index);
        // Where serde allows it, use a type parameter as the type of the field. The derives then put no bound on the
        // author's type, so a missing trait causes only one error.
        let (generics, ty) = if serde.has_other_keys {
            (None, form_type(tool, index, param))
        } else {
            (Some(quote!(<__T>)), quote!(__T))
        };
        let runtime = &tool.runtime;
        let serde = quote!(#runtime::__private::serde).to_string();
        let schemars = quote!(#runtime::__private::schemars).to_string();
        quote! {
            #[derive(__mcp_tool::serde::Deserialize, __mcp_tool::schemars::JsonSchema)]
            #[serde(crate = #serde)]
            #[schemars(crate = #schemars)]
            struct #name #generics { #(#attrs)* #ident: #ty }
        }
    });
    let forms: Vec<_> = forms.collect();
    // Import the traits that `asked_type` needs for its probe.
    let probes = (!forms.is_empty()).then(|| quote! { use __mcp_tool::{ProbeAsked as _, ProbeUnaskable as _}; });
    quote!(#probes #(#forms)*)
}

fn form_name(index: usize) -> Ident {
    format_ident!("__Asked{index}")
}

/// Returns the type of the field that holds the answer in the form.
fn form_type(tool: &Tool, index: usize, param: &Param) -> TokenStream {
    let ty = argument_type(tool, index, param);
    let span = param.ty.span();
    quote_spanned!(span=> <#ty as __mcp_tool::AskedParameter>::Form)
}

/// Returns the closure that takes the answer out of the form.
fn field(index: usize, param: &Param) -> TokenStream {
    let (name, ident) = (form_name(index), &param.ident);
    let generics = (!param.serde.has_other_keys).then(|| quote!(<_>));
    quote!(|__form: #name #generics| __form.#ident)
}

/// Returns the probe of an asked parameter's type. It compiles even without the required traits, so that the failed
/// assertion is the only error.
fn asked_type(tool: &Tool, index: usize, param: &Param) -> TokenStream {
    let ty = argument_type(tool, index, param);
    quote!((&&__mcp_tool::AskedType::<#ty>::new()).__mcp_tool_asked())
}

/// Emits the call that adds the questions to the metadata of the tool.
pub(super) fn specs(tool: &Tool) -> Option<TokenStream> {
    let specs = tool.asked().map(|(index, param)| {
        let (ty, field, key) = (asked_type(tool, index, param), field(index, param), &param.wire_name);
        let is_sealed = param.keys.sealed.is_set();
        let title = param.keys.title.value().map(|title| quote!(.with_title(#title)));
        let unquoted = param.keys.ask.value().into_iter().flat_map(Question::unquoted).filter_map(|name| {
            let shown = &tool.params[named(&tool.params, name)?];
            (shown.keys.role() == Role::Argument).then_some(&shown.wire_name)
        });
        let unquoted: Vec<_> = unquoted.collect();
        let unquoted = (!unquoted.is_empty()).then(|| quote!(.with_unquoted(&[#(#unquoted),*])));
        quote!(#ty.spec(#key, #is_sealed, #field) #title #unquoted)
    });
    let specs: Vec<_> = specs.collect();
    (!specs.is_empty()).then(|| quote!(.with_questions([#(#specs),*])))
}

/// Emits the statements that ask the questions and bind the answers.
pub(super) fn ask(tool: &Tool) -> Option<TokenStream> {
    let order = tool.questions_in_order().ok().filter(|order| !order.is_empty())?;
    let statements = order.iter().map(|index| ask_one(tool, *index, &tool.params[*index]));
    let bindings = order.iter().map(|index| binding(*index));
    let answers = order.iter().map(|index| answer(*index));
    Some(quote! {
        let mut __asking = __mcp_tool::Asking::new(__context);
        // If the user was asked while the call was running, create all questions again after the answer. Consent is
        // valid only for the question that the user saw, and by now the tool may have to ask a different one.
        let __answers = loop {
            #(#statements)*
            if let Some(__output) = __asking.finish().await? {
                return __mcp_tool::Result::Ok(__output);
            }
            if !__asking.repeats() {
                break (#(#answers,)*);
            }
        };
        let (#(Some(#bindings),)*) = __answers else {
            return __mcp_tool::Result::Err(__mcp_tool::unanswered());
        };
    })
}

/// Returns the variable that holds an answer in generated code. Its value is `None` until there is an answer.
fn answer(index: usize) -> Ident {
    format_ident!("__answer{index}")
}

fn ask_one(tool: &Tool, index: usize, param: &Param) -> TokenStream {
    let (ty, field) = (asked_type(tool, index, param), field(index, param));
    let position = tool.asked().position(|(other, _)| other == index).unwrap_or_default();
    let question = param.keys.ask.as_ref().map(|given| &given.value);
    let question = match question {
        Some(Question::Text { literal, pieces }) => text(tool, literal, pieces),
        // Emit a constant. `cargo check` evaluates it, unlike a `const` block, and reports an invalid text.
        Some(Question::Constant(constant)) => quote_spanned! {constant.span()=> {
            const __QUESTION: &str = __mcp_tool::plain_question(#constant);
            __mcp_tool::Message::new().text(__QUESTION).question()
        }},
        Some(Question::Call(written)) => call(tool, index, param, written),
        None => return TokenStream::new(),
    };
    let needed = tool.answers_used_by(param);
    let question = if needed.is_empty() {
        quote!(Some(#question))
    } else {
        let answers = needed.iter().map(|index| answer(*index));
        let bindings = needed.iter().map(|index| binding(*index));
        quote! {
            match (#(&#answers,)*) {
                (#(Some(#bindings),)*) => Some(#question),
                _ => __mcp_tool::Option::None,
            }
        }
    };
    let answer = answer(index);
    quote! {
        let __question = #question;
        let #answer = match __question {
            Some(__question) => {
                #ty.ask(&mut __asking, #position, __question, #field)?
            }
            _ => __mcp_tool::Option::None,
        };
    }
}

/// Emits the `Ask` of a format string. Placeholders are formatted one by one, because the runtime truncates and escapes
/// each value.
fn text(tool: &Tool, literal: &LitStr, pieces: &[Piece]) -> TokenStream {
    let span = located_at(literal.span());
    let pieces = pieces.iter().map(|piece| match piece {
        Piece::Text(text) => quote!(.text(#text)),
        Piece::Value { format, name } => {
            let format = LitStr::new(format, literal.span());
            let value = named(&tool.params, name).map(|index| {
                let mut value = binding(index);
                value.set_span(value.span().located_at(literal.span()));
                let is_keyword = syn::parse_str::<Ident>(name).is_err();
                let name = if is_keyword { Ident::new_raw(name, span) } else { Ident::new(name, span) };
                quote_spanned!(span=> #name = #value)
            });
            quote_spanned!(span=> .value(&__mcp_tool::format!(#format, #value)))
        }
    });
    quote!(__mcp_tool::Message::new() #(#pieces)* .question())
}

/// Emits the expression that calls a question function and evaluates to its `Ask`. An error of that function becomes
/// the error of the tool.
fn call(tool: &Tool, index: usize, param: &Param, written: &Call) -> TokenStream {
    let span = located_at(written.span);
    let needed = tool.answers_used_by(param);
    let arguments = written.arguments.iter().filter_map(|name| {
        let index = named(&tool.params, &unraw(name))?;
        // With this span, rustc reports a wrong type at the name.
        let at_name = |mut token: TokenTree| {
            token.set_span(token.span().located_at(name.span()));
            token
        };
        Some(
            lent(&tool.params[index], index, needed.contains(&index)).into_iter().map(at_name).collect::<TokenStream>(),
        )
    });
    let call = match &written.callee {
        Callee::Function(path) => quote!(#path(#(#arguments),*)),
        Callee::Method(_, method) => quote!(self.service.#method(#(#arguments),*)),
    };
    let awaited = written.is_awaited.then(|| quote_spanned!(written.span=> .await));
    let ty = asked_type(tool, index, param);
    let expose_errors = tool.keys.expose_errors.is_set();
    let question = variable("__question", span);
    let into_ask = quote!(#ty.into_ask(#question));
    let check = quote_spanned!(span=> (&&&&&__returned.failure()).__mcp_tool_error().check(););
    quote! {{
        let __returned_question = #call #awaited;
        let __returned = __mcp_tool::Returned::of(&__returned_question).__mcp_tool_split();
        #check
        match __returned.take(__returned_question) {
            __mcp_tool::Result::Ok(#question) => #into_ask,
            __mcp_tool::Result::Err(__error) => {
                let __codec = (&&&&&__returned.failure()).__mcp_tool_error();
                return __mcp_tool::Result::Err(__mcp_tool::FailureCodec::error(__codec, __error, #expose_errors));
            }
        }
    }}
}

/// Emits an argument of a question function: a reference to a parameter. `is_reference` is set for an answer, whose
/// binding is already a reference.
fn lent(param: &Param, index: usize, is_reference: bool) -> TokenStream {
    if !param.keys.role().is_read() {
        return passed(param, index);
    }
    let binding = binding(index);
    let reference = if is_reference { quote!(#binding) } else { quote!(&#binding) };
    given(param, &reference, &reference)
}
