//! What the examples of the steps between a type's schema and the published one run on.

pub use serde_json::json;

use serde_json::Value;

use crate::schema::normalise::step;

/// Holds one step to an example.
pub fn holds(name: &str, before: Value, after: &Value) {
    assert_eq!(step::step(name, before).to_string(), after.to_string());
}

/// Holds the merging of two schemas to an example.
pub fn merges(site: Value, inner: Value, after: &Value) {
    assert_eq!(step::merged(site, inner).to_string(), after.to_string());
}

/// A step, and what it makes of schemas.
#[doc(hidden)]
#[macro_export]
macro_rules! __step {
    (merge: $(site $site:tt inner $inner:tt after $after:tt)+) => {
        $({
            use $crate::__private::step::json;
            $crate::__private::step::merges(json!($site), json!($inner), &json!($after));
        })+
    };
    ($step:ident: $(before $before:tt after $after:tt)+) => {
        $({
            use $crate::__private::step::json;
            $crate::__private::step::holds(stringify!($step), json!($before), &json!($after));
        })+
    };
}
