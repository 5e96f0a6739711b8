//! Checks the documented example of each step in `schema/normalise`, which doc tests can reach only through a public path.

pub use serde_json::json;

use serde_json::Value;

use crate::schema::normalise::step;

/// Asserts that the step turns `before` into `after`, with the same order of keys.
pub fn assert_step(name: &str, before: Value, after: &Value) {
    assert_eq!(step::step(name, before).to_string(), after.to_string());
}

/// Asserts that the schema `inner` merged into the schema `site` is `after`.
pub fn assert_merged(site: Value, inner: Value, after: &Value) {
    assert_eq!(step::merged(site, inner).to_string(), after.to_string());
}

/// Shows what a step does to schemas, and asserts it.
#[doc(hidden)]
#[macro_export]
macro_rules! __step {
    (merge: $(site $site:tt inner $inner:tt after $after:tt)+) => {
        $({
            use $crate::__private::step_example::json;
            $crate::__private::step_example::assert_merged(json!($site), json!($inner), &json!($after));
        })+
    };
    ($step:ident: $(before $before:tt after $after:tt)+) => {
        $({
            use $crate::__private::step_example::json;
            $crate::__private::step_example::assert_step(stringify!($step), json!($before), &json!($after));
        })+
    };
}
