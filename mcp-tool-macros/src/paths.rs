//! Where the runtime lives, and types without the lifetimes of one call.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::visit_mut::{self, VisitMut};
use syn::{GenericArgument, Lifetime, Path, PathArguments, Type, TypeParamBound, parse_quote};

/// The runtime, unless `crate = …` says otherwise.
pub(crate) fn default_crate() -> Path {
    parse_quote!(::mcp_tool_runtime)
}

/// Whether a path names the same crate from everywhere: `::x` or `crate::x`.
pub(crate) fn is_absolute(path: &Path) -> bool {
    path.leading_colon.is_some() || path.segments.first().is_some_and(|first| first.ident == "crate")
}

/// The type with every lifetime as this one.
pub(crate) fn with_lifetime(ty: &Type, lifetime: &str) -> Type {
    struct Replace<'l>(&'l str);

    impl VisitMut for Replace<'_> {
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            *lifetime = Lifetime::new(self.0, lifetime.span());
        }

        fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
            let span = reference.and_token.spans.first().copied().unwrap_or_else(Span::call_site);
            reference.lifetime.get_or_insert_with(|| Lifetime::new(self.0, span));
            visit_mut::visit_type_reference_mut(self, reference);
        }

        // A function pointer binds its own lifetimes.
        fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}
    }

    let mut ty = ty.clone();
    Replace(lifetime).visit_type_mut(&mut ty);
    ty
}

/// The first lifetime in a type that is not `'static`.
pub(crate) fn lifetime(ty: &Type) -> Option<Lifetime> {
    struct Search(Option<Lifetime>);

    impl VisitMut for Search {
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            if self.0.is_none() && lifetime.ident != "static" {
                self.0 = Some(lifetime.clone());
            }
        }

        fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}
    }

    let mut search = Search(None);
    search.visit_type_mut(&mut ty.clone());
    search.0
}

/// A variable of generated code, at a place of the author's. A place alone would take it into the scope of who wrote what
/// stands there, and not where it is declared: a macro of the author's passes names on from another scope than its own.
pub(crate) fn variable(name: &str, place: Span) -> Ident {
    Ident::new(name, Span::call_site().located_at(place))
}

/// Whether a parameter is `self` with a type.
pub(crate) fn is_receiver(typed: &syn::PatType) -> bool {
    matches!(&*typed.pat, syn::Pat::Ident(pat) if pat.ident == "self")
}

/// The type with the type of the impl block in place of `Self`, which means another type where the tool is described.
pub(crate) fn without_self(ty: &Type, host: &Type) -> Type {
    struct Replace<'h>(&'h Type);

    impl VisitMut for Replace<'_> {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            visit_mut::visit_type_mut(self, ty);
            let Type::Path(path) = ty else { return };
            let segments = &path.path.segments;
            if path.qself.is_some() || segments.first().is_none_or(|first| first.ident != "Self") {
                return;
            }
            let (host, rest) = (self.0, segments.iter().skip(1));
            *ty = if segments.len() == 1 { host.clone() } else { parse_quote!(<#host>::#(#rest)::*) };
        }
    }

    let mut ty = ty.clone();
    Replace(host).visit_type_mut(&mut ty);
    ty
}

/// The name of the type of an impl block, where `Self` is another type.
pub(crate) const HOST: &str = "__Service";

/// The first `Self` among tokens.
pub(crate) fn find_self(tokens: TokenStream) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) => Some(ident).filter(|ident| ident == "Self"),
        TokenTree::Group(group) => find_self(group.stream()),
        _ => None,
    })
}

/// Tokens with [`HOST`] in place of `Self`.
pub(crate) fn with_host(tokens: TokenStream) -> TokenStream {
    let replace = |token| match token {
        TokenTree::Ident(ident) if ident == "Self" => Ident::new(HOST, ident.span()).into(),
        TokenTree::Group(group) => {
            let mut replaced = Group::new(group.delimiter(), with_host(group.stream()));
            replaced.set_span(group.span());
            replaced.into()
        }
        token => token,
    };
    tokens.into_iter().map(replace).collect()
}

/// The first `impl Trait` in a type.
pub(crate) fn opaque(ty: &Type) -> Option<Type> {
    first(ty, |ty| matches!(ty, Type::ImplTrait(_)))
}

/// The protocol's own form of a result in a type, of whatever library. An author's own type of that name is written with
/// the path to it.
pub(crate) fn result_of_the_protocol(ty: &Type) -> Option<Type> {
    first(ty, |ty| {
        let Type::Path(path) = ty else { return false };
        let segments = &path.path.segments;
        let own = |first: &syn::PathSegment| ["crate", "self", "super"].iter().any(|word| first.ident == word);
        segments.last().is_some_and(|last| last.ident == "CallToolResult") && !segments.first().is_some_and(own)
    })
}

/// What the future gives, of an `impl Future<Output = T>`.
pub(crate) fn future(ty: &Type) -> Option<Type> {
    let Type::ImplTrait(opaque) = ungrouped(ty) else { return None };
    let bound = opaque.bounds.iter().find_map(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().filter(|last| last.ident == "Future"),
        _ => None,
    });
    let PathArguments::AngleBracketed(arguments) = &bound?.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::AssocType(output) if output.ident == "Output" => Some(output.ty.clone()),
        _ => None,
    })
}

/// The type without parentheses, and without the invisible ones around what a macro passes on.
pub(crate) fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Paren(inner) => ungrouped(&inner.elem),
        Type::Group(inner) => ungrouped(&inner.elem),
        _ => ty,
    }
}

/// The name of a float, bare or in an `Option`.
pub(crate) fn float(ty: &Type) -> Option<&'static str> {
    let text = written(ty);
    let bare = text.strip_prefix("Option<").and_then(|text| text.strip_suffix('>')).unwrap_or(&text);
    ["f32", "f64"].into_iter().find(|float| *float == bare)
}

/// A trait object.
pub(crate) fn object(ty: &Type) -> Option<&Type> {
    Some(ungrouped(ty)).filter(|ty| matches!(ty, Type::TraitObject(_)))
}

/// The first reference in a type.
pub(crate) fn reference(ty: &Type) -> Option<syn::TypeReference> {
    match first(ty, |ty| matches!(ty, Type::Reference(_))) {
        Some(Type::Reference(reference)) => Some(reference),
        _ => None,
    }
}

/// A type as one would write it.
pub(crate) fn written(ty: &Type) -> String {
    let spaced = ty.to_token_stream().to_string();
    [
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ::", "::"),
        (":: ", "::"),
        (" ,", ","),
        ("& ", "&"),
        ("[ ", "["),
        (" ]", "]"),
    ]
    .iter()
    .fold(spaced, |text, (spaced, plain)| text.replace(spaced, plain))
}

/// What a container of the standard library holds, as far as the type is spelt as one: of `Option<Vec<T>>` it is `T`.
pub(crate) fn element(ty: &Type) -> Option<&Type> {
    let inner = match ungrouped(ty) {
        Type::Slice(slice) => &*slice.elem,
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let place = match last.ident.to_string().as_str() {
                "Option" | "Vec" | "Box" => 0,
                "HashMap" | "BTreeMap" => 1,
                _ => return None,
            };
            let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
            // JSON has only texts for keys: another key is at fault itself.
            if place == 1 && !matches!(arguments.args.first()?, GenericArgument::Type(key) if written(key) == "String")
            {
                return None;
            }
            match arguments.args.iter().nth(place)? {
                GenericArgument::Type(inner) if object(inner).is_none() => inner,
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(element(inner).unwrap_or(inner))
}

/// The first type inside another, or itself, of a certain form. What a function pointer takes and gives is its own.
fn first(ty: &Type, wanted: fn(&Type) -> bool) -> Option<Type> {
    struct Search(fn(&Type) -> bool, Option<Type>);

    impl VisitMut for Search {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            if self.1.is_none() && self.0(ty) {
                self.1 = Some(ty.clone());
            }
            visit_mut::visit_type_mut(self, ty);
        }

        fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}
    }

    let mut search = Search(wanted, None);
    search.visit_type_mut(&mut ty.clone());
    search.1
}
