//! How a function takes a parameter: by value or by reference.

use syn::{PatType, Type};

use super::Role;
use crate::errors::Errors;
use crate::types::{self, type_argument_of, written};

pub(crate) enum Passing {
    /// `T`
    Owned,
    /// `&T`
    Borrowed,
    /// `Option<&T>`
    BorrowedOption,
}

/// Returns the type without its reference, or reports why a parameter cannot be of this type.
pub(super) fn classify(typed: &PatType, role: Role, errors: &mut Errors) -> Option<(Type, Passing)> {
    let reference = match (types::ungrouped(&typed.ty), type_argument_of(&typed.ty, "Option").map(types::ungrouped)) {
        (Type::Reference(reference), _) | (_, Some(Type::Reference(reference))) => Some(reference),
        _ => None,
    };
    if let Some(lifetime) =
        reference.and_then(|reference| reference.lifetime.as_ref()).filter(|it| it.ident == "static")
    {
        errors.report(lifetime, "a tool borrows this value for one call only", "remove `'static`");
        return None;
    }
    if role.is_read() { classify_read(typed, errors) } else { classify_unsent(typed, role, errors) }
}

/// Classifies a parameter that is read from JSON: an argument, or the answer to a question.
fn classify_read(typed: &PatType, errors: &mut Errors) -> Option<(Type, Passing)> {
    const MESSAGE: &str = "an argument must have a concrete type, so that it has a schema";
    let (ty, passing) = match types::ungrouped(&typed.ty) {
        Type::Reference(reference) => (&*reference.elem, Passing::Borrowed),
        ty => match types::option_of_reference(ty) {
            Some(inner) => (inner, Passing::BorrowedOption),
            None => (ty, Passing::Owned),
        },
    };
    if matches!(ty, Type::Infer(_)) {
        errors.leave_to_rustc();
        return None;
    }
    if matches!(passing, Passing::Owned) && types::is_unsized(ty) {
        errors.leave_to_rustc();
        return None;
    }
    if let (Passing::Borrowed | Passing::BorrowedOption, Some(object)) = (&passing, types::trait_object(ty)) {
        errors.report(object, MESSAGE, "write the concrete type instead of `dyn …`");
        return None;
    }
    if let Some(opaque) = types::find_impl_trait(ty) {
        errors.report(opaque, MESSAGE, "write the concrete type instead of `impl …`");
        return None;
    }
    if let Some(reference) = types::find_reference(&typed.ty).filter(|reference| reference.mutability.is_some()) {
        let message = "an argument cannot be `&mut`: nobody would see the change";
        let owned = types::owned(&reference.elem);
        let help = if owned == written(&reference.elem) {
            "take it by value, and make the binding `mut`".to_owned()
        } else {
            format!("take it by value, as `{owned}`, and make the binding `mut`")
        };
        errors.report(reference, message, help);
        return None;
    }
    if let Some(inner) = types::find_reference(ty) {
        if let Some(object) = types::trait_object(&inner.elem) {
            errors.report(object, MESSAGE, "write the concrete type instead of `dyn …`");
            return None;
        }
        let owned = types::owned(&inner.elem);
        let message = format!(
            "the argument type `{}` contains a reference, and nothing owns what it borrows",
            written(&typed.ty)
        );
        errors.report(&inner, message, format!("write `{owned}` instead of `{}`", written(&inner)));
        return None;
    }
    if let Some((borrower, lifetime)) = types::borrower(ty) {
        let message =
            format!("the argument type `{}` has a lifetime, and nothing owns what it borrows", written(&typed.ty));
        let help = format!("give `{borrower}` fields that own their values, such as `String`, and remove its lifetime");
        errors.report(lifetime, message, help);
        return None;
    }
    Some((ty.clone(), passing))
}

/// Classifies a parameter that clients do not send: the context, a state or an extension. It must be a reference.
fn classify_unsent(typed: &PatType, role: Role, errors: &mut Errors) -> Option<(Type, Passing)> {
    let in_option = type_argument_of(&typed.ty, "Option");
    let found = match (types::shared_reference(&typed.ty), in_option.and_then(types::shared_reference)) {
        (Some(ty), _) => Some((ty, Passing::Borrowed)),
        (None, Some(inner)) if role != Role::Context => Some((inner, Passing::BorrowedOption)),
        _ => None,
    };
    if let Some((ty, passing)) = found {
        let is_valid = role == Role::Context || check_lookup_type(typed, ty, &passing, role, errors);
        return is_valid.then(|| (ty.clone(), passing));
    }
    let owned = match types::ungrouped(&typed.ty) {
        Type::Reference(reference) => &*reference.elem,
        ty => ty,
    };
    let help = match (role, type_argument_of(owned, "Option"), type_argument_of(owned, "Arc")) {
        (Role::Context, ..) => "write `&CallContext`".to_owned(),
        (_, Some(inner), _) => {
            let inner = types::option_of_reference(owned).unwrap_or(inner);
            format!("write `Option<&{}>`", written(inner))
        }
        (Role::State, _, Some(inner)) => {
            format!("write `&{}`: a state in an `Arc` is also found by the type inside", written(inner))
        }
        _ => {
            let ty = written(owned);
            format!("write `&{ty}`, or `Option<&{ty}>` if it may be missing")
        }
    };
    let what = if role == Role::Context { "the context of the call" } else { role_with_article(role) };
    errors.report(&typed.ty, format!("{what} is passed by reference"), help);
    None
}

fn role_with_article(role: Role) -> &'static str {
    if role == Role::State { "a state" } else { "an extension" }
}

/// Reports a type that is almost certainly not the type of the registered value. Returns `true` if there is nothing to
/// report.
fn check_lookup_type(typed: &PatType, ty: &Type, passing: &Passing, role: Role, errors: &mut Errors) -> bool {
    let what = role_with_article(role);
    if let Some(object) = types::trait_object(ty) {
        let object = written(object);
        let arc = format!("Arc<{object}>");
        let action = if role == Role::State { "register it with `.state(…)`" } else { "attach it to the request" };
        let param = if matches!(passing, Passing::Borrowed) { format!("&{arc}") } else { format!("Option<&{arc}>") };
        let message = format!("{what} is looked up by its concrete type, and `{object}` is not one");
        errors.report(&typed.ty, message, format!("write `{param}`; {action} as `{arc}`"));
        return false;
    }
    if let Some(inner) = type_argument_of(ty, "Option") {
        let inner = written(inner);
        let message = format!("{what} is looked up by its type, and `Option<{inner}>` is another type than `{inner}`");
        errors.report(&typed.ty, message, format!("write `Option<&{inner}>`, if it may be missing"));
        return false;
    }
    true
}
