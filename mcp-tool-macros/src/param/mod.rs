//! A parameter of a tool: its keys, its type and how it is passed.

use proc_macro2::Ident;
use syn::{Attribute, FnArg, LitStr, Pat, PatType, Type, parse_quote, parse_quote_spanned};

use crate::attr::keys::ParamKeys;
use crate::attr::{Question, Role, unraw};
use crate::errors::{Errors, located_at};
use crate::field_attributes::{self, SerdeKeys};
use crate::parse::Function;
use crate::types::{self, type_argument_of, written};
use crate::{docs, migration};

/// A parameter, and the argument, if any, that clients send for it.
pub(crate) struct Param {
    pub(crate) ident: Ident,
    /// The attributes of the field in the derived struct: those that the author wrote, and those that the macro adds.
    pub(crate) attrs: Vec<Attribute>,
    /// The type without the `&` of a borrowed parameter.
    pub(crate) ty: Type,
    pub(crate) passing: Passing,
    pub(crate) keys: ParamKeys,
    pub(crate) serde: SerdeKeys,
    /// Whether `#[schemars(with)]` or `#[schemars(schema_with)]` replaces the schema of the type.
    pub(crate) has_own_schema: bool,
    /// Whether the macro adds a default, because serde would require the argument although its type is an `Option`.
    pub(crate) is_made_optional: bool,
    /// The name of the property that clients send for this parameter.
    pub(crate) wire_name: String,
    /// The parameter as it was written, for the spans of errors.
    pub(crate) source: PatType,
}

/// Parses a parameter, or reports why a tool cannot have it.
pub(crate) fn parse(typed: PatType, errors: &mut Errors) -> Option<Param> {
    let found = errors.len();
    let keys = ParamKeys::of_parameter(&typed.attrs, errors);
    // If a key is wrong, it may be the one that gives the parameter its role, so do not report the type.
    let mut unreported = Errors::default();
    let are_keys_valid = errors.len() == found;
    let of_type = if are_keys_valid { &mut *errors } else { &mut unreported };
    let role = keys.role();
    if role.is_sent() && migration::report_parameter(&typed, role == Role::AllArguments, of_type) {
        return None;
    }
    let ident = name(&typed, errors)?;
    let (ty, passing) = classify(&typed, keys.role(), if are_keys_valid { errors } else { &mut unreported })?;
    for attr in &typed.attrs {
        if attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr") {
            let message = "a parameter of a tool cannot depend on `cfg`: each build would publish a different tool";
            errors.report(attr, message, "put `#[cfg]` on the function, and write one function for each case");
        }
    }
    let mut attrs: Vec<_> =
        typed.attrs.iter().filter(|attr| field_attributes::is_field_attribute(attr)).map(docs::shown).collect();
    if let Some(attr) = attrs.iter().find(|attr| !attr.path().is_ident("doc")) {
        if keys.role() == Role::AllArguments {
            let help = "put this attribute on the type, or remove `#[mcp_tool(arguments)]`";
            errors.report(attr, "a parameter with `#[mcp_tool(arguments)]` cannot have attributes of a field", help);
        } else if !keys.role().is_read() {
            let message = "clients do not send this parameter, so it cannot have attributes of a field";
            errors.report(attr, message, "remove this attribute");
        }
    }
    field_attributes::check(&attrs, errors);
    let mut serde = SerdeKeys::parse(&attrs);
    let ty = types::with_lifetime(&ty, "'static");
    let wire_name = serde.rename.take().unwrap_or_else(|| published_name(&ident));
    let span = located_at(ident.span());
    let has_field = matches!(keys.role(), Role::Argument | Role::Asked);
    if wire_name != unraw(&ident) && has_field && !serde.is_renamed && !serde.is_flattened {
        attrs.push(parse_quote_spanned!(span=> #[serde(rename(deserialize = #wire_name))]));
    }
    let has_own_schema = field_attributes::schemars_has(&attrs, &["with", "schema_with"]);
    let mut param = Param {
        ident,
        attrs,
        ty,
        passing,
        keys,
        serde,
        has_own_schema,
        is_made_optional: false,
        wire_name,
        source: typed,
    };
    if param.is_double_option() && !param.serde.is_read_by_function && param.keys.default.is_none() && has_field {
        // On its own, serde would read a `null` as the outer `None`, which stands for an absent argument.
        param.attrs.push(parse_quote_spanned!(span=> #[serde(deserialize_with = "__mcp_tool::present")]));
        param.serde.is_read_by_function = true;
        param.serde.has_other_keys = true;
    }
    if param.option_inner().is_some() && param.serde.is_read_by_function && !param.serde.has_any_default {
        // serde requires every field that a function reads, even an `Option`, unless the field has a default. To
        // publish that default, schemars would call the function that serializes the field. That function may not
        // exist, so tell schemars not to serialize the field.
        param.attrs.push(parse_quote_spanned!(span=> #[serde(default)]));
        param.attrs.push(parse_quote_spanned!(span=> #[schemars(skip_serializing)]));
        param.serde.has_any_default = true;
        param.is_made_optional = true;
    }
    Some(param)
}

impl Param {
    /// Returns `true` if the parameter is the whole arguments object.
    pub(crate) fn is_whole(&self) -> bool {
        self.keys.role() == Role::AllArguments
    }

    /// Returns the names that a call may use instead of the published name.
    pub(crate) fn other_names(&self) -> impl Iterator<Item = String> {
        let former = self.keys.formerly.iter().flat_map(|given| &given.value).map(LitStr::value);
        self.serde.aliases.iter().cloned().chain(former)
    }

    /// Returns `T` if the author wrote the type as `Option<T>` or `Option<&T>`. An alias of such a type is not
    /// recognized.
    pub(crate) fn option_inner(&self) -> Option<&Type> {
        match self.passing {
            Passing::BorrowedOption => Some(&self.ty),
            Passing::Borrowed => None,
            Passing::Owned => type_argument_of(&self.ty, "Option"),
        }
    }

    /// Returns `true` if the author wrote the type as `Option<Option<T>>`, which distinguishes `null` from absence.
    /// Returns `false` for a flattened parameter.
    fn is_double_option(&self) -> bool {
        let inner = self.option_inner().filter(|_| !self.serde.is_flattened);
        inner.is_some_and(|inner| type_argument_of(inner, "Option").is_some())
    }

    /// Returns the innermost element if the author wrote the type as a container, such as `T` for `Option<Vec<T>>`.
    pub(crate) fn element(&self) -> Option<&Type> {
        types::element(&self.ty).or_else(|| matches!(self.passing, Passing::BorrowedOption).then_some(&self.ty))
    }
}

/// Returns the name of the property: the name of the parameter without a leading underscore. The underscore marks a
/// parameter as unused in Rust, and means nothing to a client.
fn published_name(ident: &Ident) -> String {
    let name = unraw(ident);
    name.strip_prefix('_').filter(|rest| !rest.is_empty()).map_or(name.clone(), str::to_owned)
}

fn name(typed: &PatType, errors: &mut Errors) -> Option<Ident> {
    const NEEDS_NAME: &str = "a parameter of a tool needs a name, which is the name of the argument";
    match &*typed.pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => return Some(pat.ident.clone()),
        Pat::Ident(pat) if pat.subpat.is_none() => {
            let message = format!("parameter `{}` cannot be bound with `ref`", pat.ident);
            errors.report(&typed.pat, message, format!("write `{}`, and borrow it in the body", pat.ident));
        }
        Pat::Wild(_) => errors.report(&typed.pat, NEEDS_NAME, "give it a name, or remove it"),
        _ => errors.report(&typed.pat, NEEDS_NAME, "give it a name, and destructure it in the body"),
    }
    None
}

/// Returns the index of the parameter that a question names. `{reason}` also finds `_reason`.
pub(crate) fn named(params: &[Param], name: &str) -> Option<usize> {
    let find = |is: &dyn Fn(String) -> bool| params.iter().position(|param| is(unraw(&param.ident)));
    find(&|known| known == name).or_else(|| find(&|known| known.strip_prefix('_') == Some(name)))
}

/// Silences the lint about unused variables for the parameters that a question uses.
pub(crate) fn mark_used(function: &mut Function, params: &[Param]) {
    let questions = params.iter().filter_map(|param| Some(&param.keys.ask.as_ref()?.value));
    let names = questions.flat_map(Question::names);
    let used = names.filter_map(|(name, _)| Some(&params[named(params, &name)?].ident));
    let used: Vec<_> = used.filter(|ident| !unraw(ident).starts_with('_')).collect();
    for input in &mut function.sig.inputs {
        if let FnArg::Typed(typed) = input
            && matches!(&*typed.pat, Pat::Ident(pat) if used.contains(&&pat.ident))
        {
            typed.attrs.push(parse_quote!(#[allow(unused_variables)]));
        }
    }
}

pub(crate) enum Passing {
    /// `T`
    Owned,
    /// `&T`
    Borrowed,
    /// `Option<&T>`
    BorrowedOption,
}

/// Returns the type without its reference, and how the parameter is passed. Reports an error and returns `None` if a
/// parameter cannot be of this type.
fn classify(typed: &PatType, role: Role, errors: &mut Errors) -> Option<(Type, Passing)> {
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
    if matches!(ty, Type::Infer(_)) || matches!(passing, Passing::Owned) && types::is_unsized(ty) {
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

/// Classifies a parameter that clients do not send: the context, a state or an extension. The context must be a `&T`. A
/// state or an extension may also be an `Option<&T>`.
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

/// Reports a type if almost certainly no value of this type is registered or attached. Returns `true` if there is
/// nothing to report.
fn check_lookup_type(typed: &PatType, ty: &Type, passing: &Passing, role: Role, errors: &mut Errors) -> bool {
    let what = role_with_article(role);
    let ty = types::ungrouped(ty);
    if types::is_unsized(ty) {
        let sized = if types::trait_object(ty).is_some() { format!("Arc<{}>", written(ty)) } else { types::owned(ty) };
        let action = if role == Role::State { "register it with `.state(…)`" } else { "attach it to the request" };
        let param =
            if matches!(passing, Passing::Borrowed) { format!("&{sized}") } else { format!("Option<&{sized}>") };
        let message = format!("{what} is looked up by its concrete type, and `{}` is not one", written(ty));
        errors.report(&typed.ty, message, format!("write `{param}`; {action} as `{sized}`"));
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
