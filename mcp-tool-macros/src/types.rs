//! Inspects types and rewrites them.
//!
//! The spelling of a type is mostly used for errors: it decides where they point, and what their help says. Traits in
//! the runtime decide what a type *is*, because an alias can hide any type.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Expr, GenericArgument, Lifetime, PathArguments, PathSegment, Type, TypeParamBound, TypeReference, parse_quote,
};

/// Replaces every lifetime, and adds the new lifetime to references without one.
pub(crate) fn with_lifetime(ty: &Type, lifetime: &str) -> Type {
    struct Replace<'l>(&'l str);

    impl VisitMut for Replace<'_> {
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            *lifetime = Lifetime::new(self.0, lifetime.span());
        }

        fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
            let span = reference.and_token.spans.first().copied().unwrap_or_else(Span::call_site);
            reference.lifetime.get_or_insert_with(|| Lifetime::new(self.0, span));
            visit_mut::visit_type_reference_mut(self, reference);
        }

        // Do not look inside a function pointer, which binds its own lifetimes.
        fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}
    }

    let mut ty = ty.clone();
    Replace(lifetime).visit_type_mut(&mut ty);
    ty
}

/// Returns the first lifetime that is not `'static`.
pub(crate) fn find_lifetime(ty: &Type) -> Option<Lifetime> {
    find(ty, |ty| match ty {
        Type::Reference(reference) => reference.lifetime.clone().filter(|lifetime| lifetime.ident != "static"),
        Type::Path(path) => path.path.segments.iter().find_map(lifetime_argument),
        _ => None,
    })
}

/// Returns the name of the first type with a lifetime that is not `'static`, and that lifetime. Skips a `Cow`, because
/// it owns what is read.
pub(crate) fn borrower(ty: &Type) -> Option<(Ident, Lifetime)> {
    find(ty, |ty| {
        let Type::Path(path) = ty else { return None };
        let mut segments = path.path.segments.iter().filter(|segment| segment.ident != "Cow");
        segments.find_map(|segment| Some((segment.ident.clone(), lifetime_argument(segment)?)))
    })
}

/// Returns the first generic argument that is a lifetime other than `'static`.
fn lifetime_argument(segment: &PathSegment) -> Option<Lifetime> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Lifetime(lifetime) if lifetime.ident != "static" => Some(lifetime.clone()),
        _ => None,
    })
}

/// Replaces `Self` with the type of the impl block, because generated code uses the type in an impl of the handle,
/// where `Self` would be the handle.
pub(crate) fn replace_self(ty: &Type, service: &Type) -> Type {
    struct Replace<'h>(&'h Type);

    impl VisitMut for Replace<'_> {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            visit_mut::visit_type_mut(self, ty);
            let Type::Path(path) = ty else { return };
            let segments = &path.path.segments;
            if path.qself.is_some() || segments.first().is_none_or(|first| first.ident != "Self") {
                return;
            }
            let (service, rest) = (self.0, segments.iter().skip(1));
            *ty = if segments.len() == 1 { service.clone() } else { parse_quote!(<#service>::#(#rest)::*) };
        }

        /// Replaces `Self` in the length of an array too.
        fn visit_expr_mut(&mut self, expr: &mut Expr) {
            visit_mut::visit_expr_mut(self, expr);
            let Expr::Path(path) = expr else { return };
            let segments = &path.path.segments;
            if path.qself.is_none() && segments.len() > 1 && segments[0].ident == "Self" {
                let (service, rest) = (self.0, segments.iter().skip(1));
                *expr = parse_quote!(<#service>::#(#rest)::*);
            }
        }
    }

    let mut ty = ty.clone();
    Replace(service).visit_type_mut(&mut ty);
    ty
}

/// Returns `true` for a type that is spelt like an unsized one.
pub(crate) fn is_unsized(ty: &Type) -> bool {
    match ungrouped(ty) {
        Type::Path(path) => path.path.is_ident("str"),
        ty => matches!(ty, Type::Slice(_) | Type::TraitObject(_)),
    }
}

/// Returns the text of the type that owns what a `&ty` borrows, such as `String` for `str`.
pub(crate) fn owned(ty: &Type) -> String {
    const UNSIZED: [(&str, &str); 4] =
        [("str", "String"), ("Path", "PathBuf"), ("OsStr", "OsString"), ("CStr", "CString")];
    match ungrouped(ty) {
        Type::Path(path) => match UNSIZED.iter().find(|(name, _)| path.path.is_ident(name)) {
            Some((_, owned)) => (*owned).to_owned(),
            None => written(path),
        },
        Type::Slice(slice) => format!("Vec<{}>", owned(&slice.elem)),
        Type::Reference(reference) => owned(&reference.elem),
        ty => written(ty),
    }
}

/// Returns the first `impl Trait` in a type.
pub(crate) fn find_impl_trait(ty: &Type) -> Option<Type> {
    find(ty, |ty| matches!(ty, Type::ImplTrait(_)).then(|| ty.clone()))
}

pub(crate) fn find_reference(ty: &Type) -> Option<TypeReference> {
    find(ty, |ty| if let Type::Reference(reference) = ty { Some(reference.clone()) } else { None })
}

/// Returns the `T` if the type is an `impl Future<Output = T>`.
pub(crate) fn future_output(ty: &Type) -> Option<&Type> {
    let Type::ImplTrait(opaque) = ungrouped(ty) else { return None };
    let bound = opaque.bounds.iter().find_map(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().filter(|last| last.ident == "Future"),
        _ => None,
    });
    let PathArguments::AngleBracketed(arguments) = &bound?.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::AssocType(output) if output.ident == "Output" => Some(&output.ty),
        _ => None,
    })
}

/// Removes parentheses, and the invisible groups around a type that another macro passed on.
pub(crate) fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Paren(inner) => ungrouped(&inner.elem),
        Type::Group(inner) => ungrouped(&inner.elem),
        _ => ty,
    }
}

/// Returns `true` for a path that ends with one of these names.
pub(crate) fn is_spelt(ty: &Type, names: &[&str]) -> bool {
    matches!(ungrouped(ty), Type::Path(path) if path.path.segments.last().is_some_and(|last| names.iter().any(|name| last.ident == name)))
}

pub(crate) const PRIMITIVES: [&str; 17] = [
    "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
    "f32", "f64",
];

/// Returns `true` for a type that is spelt like a simple type of the standard library, or like a container of one.
pub(crate) fn is_plain(ty: &Type) -> bool {
    let ty = element(ty).unwrap_or(ty);
    let name = written(ungrouped(ty));
    PRIMITIVES.contains(&name.as_str()) || ["()", "String", "Path"].contains(&name.as_str())
}

/// Returns `f32` or `f64` if the type is written so, or is an `Option` of such a type.
pub(crate) fn float(ty: &Type) -> Option<&'static str> {
    let text = written(type_argument_of(ty, "Option").unwrap_or(ty));
    ["f32", "f64"].into_iter().find(|float| *float == text)
}

/// Returns the type if it is a `dyn Trait`.
pub(crate) fn trait_object(ty: &Type) -> Option<&Type> {
    Some(ungrouped(ty)).filter(|ty| matches!(ty, Type::TraitObject(_)))
}

/// Returns the `T` if the type is a `&T`.
pub(crate) fn shared_reference(ty: &Type) -> Option<&Type> {
    match ungrouped(ty) {
        Type::Reference(reference) if reference.mutability.is_none() => Some(&reference.elem),
        _ => None,
    }
}

/// Returns the `T` if the type is an `Option<&T>` or an `Option<&mut T>`. The caller reports the `&mut`.
pub(crate) fn option_of_reference(ty: &Type) -> Option<&Type> {
    match ungrouped(type_argument_of(ty, "Option")?) {
        Type::Reference(reference) => Some(&reference.elem),
        _ => None,
    }
}

/// Returns the first generic argument of a type that is spelt like `name<T>`.
pub(crate) fn type_argument_of<'t>(ty: &'t Type, name: &str) -> Option<&'t Type> {
    let Type::Path(path) = ungrouped(ty) else { return None };
    type_argument(path.path.segments.last().filter(|last| last.ident == name)?, 0)
}

/// Returns the generic argument at `index`, if it is a type.
fn type_argument(segment: &PathSegment, index: usize) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    match arguments.args.iter().nth(index)? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

/// Returns the innermost element of nested containers of the standard library, such as `T` for `Option<Vec<T>>`.
pub(crate) fn element(ty: &Type) -> Option<&Type> {
    let inner = match ungrouped(ty) {
        Type::Slice(slice) => &*slice.elem,
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            match last.ident.to_string().as_str() {
                "Option" | "Vec" | "Box" => type_argument(last, 0)?,
                // Look inside a map only if its keys are strings. Other keys may be what is wrong with the type.
                "HashMap" | "BTreeMap" if written(type_argument(last, 0)?) == "String" => type_argument(last, 1)?,
                _ => return None,
            }
        }
        _ => return None,
    };
    if matches!(ungrouped(ty), Type::Path(_)) && trait_object(inner).is_some() {
        return None;
    }
    Some(element(inner).unwrap_or(inner))
}

/// Returns the text of tokens, without the spaces that people do not write.
pub(crate) fn written(tokens: impl ToTokens) -> String {
    let spaced = tokens.to_token_stream().to_string();
    let tokens = [" <", "< ", " >", " ::", ":: ", " ,", "& ", "[ ", " ]"];
    tokens.iter().fold(spaced, |text, token| text.replace(token, token.trim()))
}

/// Converts the name of a type to the name of a variable, such as `OpenNote` to `open_note`.
pub(crate) fn snake_case(name: &str) -> String {
    let mut variable = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !variable.is_empty() {
            variable.push('_');
        }
        variable.extend(letter.to_lowercase());
    }
    variable
}

/// Returns the first result of `look` for `ty` and the types inside it. Does not look into function pointers.
pub(crate) fn find<T>(ty: &Type, mut look: impl FnMut(&Type) -> Option<T>) -> Option<T> {
    let mut found = None;
    search(ty, &mut |ty| {
        found = look(ty);
        found.is_some()
    });
    found
}

/// Calls `is_found` for `ty` and the types inside it, until it returns `true`. It is not generic, because the compiler
/// builds the whole of `visit_mut` for each visitor.
fn search(ty: &Type, is_found: &mut dyn FnMut(&Type) -> bool) {
    struct Search<'f>(&'f mut dyn FnMut(&Type) -> bool, bool);

    impl VisitMut for Search<'_> {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            self.1 = self.1 || (self.0)(ty);
            if !self.1 {
                visit_mut::visit_type_mut(self, ty);
            }
        }

        fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}
    }

    Search(is_found, false).visit_type_mut(&mut ty.clone());
}
