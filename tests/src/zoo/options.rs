//! `Option` in every position, and defaults.

#![allow(clippy::option_option, reason = "every position")]

use std::collections::BTreeMap;

use super::{specimens, types};

types! {
    struct Point { x: i32, y: i32 }
    struct Optional {
        number: Option<u8>,
        text: Option<String>,
        point: Option<Point>,
        twice: Option<Option<bool>>,
        list: Option<Vec<Option<u8>>>,
        #[serde(default)]
        defaulted: Option<i64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        skipped: Option<Point>,
        nothing: Option<()>,
    }
    struct Inside {
        list: Vec<Option<Point>>,
        map: BTreeMap<String, Option<u8>>,
        pair: (Option<u8>, Option<String>),
        boxed: Box<Option<bool>>,
        newtype: Maybe,
    }
    struct Maybe(Option<u8>);
    #[serde(default)]
    struct Defaults {
        number: u8,
        text: String,
        flag: bool,
        point: Spot,
        list: Vec<u8>,
        seven: u16,
    }
    #[derive(Default)]
    struct Spot { x: Option<f32>, y: Option<f32> }
    struct Some_ {
        #[serde(default = "three")]
        three: u8,
        #[serde(default)]
        spot: Spot,
        #[serde(default)]
        nullable: Null,
        required: Option<bool>,
    }
    #[derive(Default)]
    struct Null(Option<u8>);
}

impl Default for Defaults {
    fn default() -> Self {
        Self {
            number: 1,
            text: "text".to_owned(),
            flag: true,
            point: Spot { x: Some(1.5), y: None },
            list: vec![1],
            seven: 7,
        }
    }
}

fn three() -> u8 {
    3
}

specimens! {
    optional_properties: Optional;
    optional_arguments in Optional;
    options_inside: Inside;
    one_option: Option<Point>;
    option_of_option: Option<Option<u8>>;
    defaults: Defaults;
    default_arguments in Defaults;
    mixed_defaults: Some_;
    newtype_of_option: Maybe;
}
