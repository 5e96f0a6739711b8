//! Implements `Debug` for types whose fields are functions or hold values that no log should show, and for errors.
//! Implements `Display` for types that are shown as one text.

/// Implements `Debug` with the given values, as `Name { value: …, .. }`.
macro_rules! debug_struct {
    ($(#[$doc:meta])* $type:ident $(<$lifetime:lifetime>)? $(, $this:ident => $($name:ident: $value:expr),+ $(,)?)?) => {
        $(#[$doc])*
        impl std::fmt::Debug for $type $(<$lifetime>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut shown = f.debug_struct(stringify!($type));
                $(
                    let $this = self;
                    $(shown.field(stringify!($name), &$value);)+
                )?
                shown.finish_non_exhaustive()
            }
        }
    };
}

/// Implements `Display` with a text.
macro_rules! display {
    ($(#[$doc:meta])* $type:ident, $this:ident => $text:expr) => {
        $(#[$doc])*
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let $this = self;
                f.write_str($text)
            }
        }
    };
}

/// Implements `Debug` with the text of `Display`, because `main` and `unwrap` print `Debug`.
macro_rules! debug_by_display {
    ($type:ident) => {
        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}
