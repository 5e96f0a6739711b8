//! A tool's value as JSON text, written once.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::ToolError;

mod finite;

/// Writes a value as compact JSON.
///
/// `serde_json` writes a number that is not finite as `null` (rule R7 forbids it), so a text with a `null` in it, or
/// what looks like one, is looked through once more.
pub(crate) fn write<T: Serialize + ?Sized>(value: &T) -> Result<Box<RawValue>, ToolError> {
    let json = to_raw_value(value).map_err(|error| {
        ToolError::invalid_result("it cannot be written as JSON").with_developer_message(error.to_string())
    })?;
    if json.get().contains("null") {
        finite::check(value)?;
    }
    Ok(json)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;
    use serde_json::json;

    #[derive(Serialize)]
    struct Reading {
        name: &'static str,
        values: Vec<f32>,
        nested: Option<Box<Reading>>,
        kind: Kind,
    }

    #[derive(Serialize)]
    enum Kind {
        Unit,
        Newtype(f64),
        Tuple(u8, f64),
        Struct { at: (i8, f64) },
    }

    fn reading(values: &[f32], kind: Kind) -> Reading {
        Reading { name: "null", values: values.to_vec(), nested: None, kind }
    }

    fn fault(value: &impl Serialize) -> String {
        super::write(value).expect_err("not finite").message().to_owned()
    }

    #[test]
    fn a_number_that_is_not_finite_is_named_by_its_path() {
        assert_eq!(fault(&f64::NAN), "the value is not finite");
        assert_eq!(fault(&reading(&[0.5, f32::INFINITY], Kind::Unit)), "`values[1]` is not finite");
        assert_eq!(fault(&reading(&[], Kind::Newtype(f64::NAN))), "`kind.Newtype` is not finite");
        assert_eq!(fault(&reading(&[], Kind::Tuple(1, f64::NAN))), "`kind.Tuple[1]` is not finite");
        assert_eq!(fault(&reading(&[], Kind::Struct { at: (1, f64::NAN) })), "`kind.Struct.at[1]` is not finite");
        let mut outer = reading(&[], Kind::Unit);
        outer.nested = Some(Box::new(reading(&[f32::NAN], Kind::Unit)));
        assert_eq!(fault(&outer), "`nested.values[0]` is not finite");
        assert_eq!(fault(&BTreeMap::from([(7, f64::NEG_INFINITY)])), "`7` is not finite");
        assert_eq!(fault(&Some(Some(f64::NAN))), "the value is not finite");
    }

    #[test]
    fn a_true_null_is_no_fault() {
        let value = json!({"a": null, "b": [1.5, "null"], "c": {"d": 1, "e": true}});
        assert_eq!(super::write(&value).expect("finite").get(), value.to_string());
        let text = super::write(&reading(&[1.0], Kind::Struct { at: (1, 2.0) })).expect("finite");
        let expected = r#"{"name":"null","values":[1.0],"nested":null,"kind":{"Struct":{"at":[1,2.0]}}}"#;
        assert_eq!(text.get(), expected);
    }

    #[test]
    fn keys_that_json_cannot_write_are_a_fault() {
        assert_eq!(fault(&BTreeMap::from([((1, 2), 3)])), "it cannot be written as JSON");
    }
}
