//! Where the runtime lives, and types without the lifetimes of one call.

use proc_macro2::Span;
use syn::visit_mut::{self, VisitMut};
use syn::{Lifetime, Path, Type, parse_quote};

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
