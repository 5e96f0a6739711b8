//! Types of other crates, as arguments.

use std::collections::BTreeMap;

use arbitrary::Unstructured;
use arrayvec::{ArrayString, ArrayVec};
use bytes::{Bytes, BytesMut};
use chrono::{DateTime, Month, Utc, Weekday};
use either::Either;
use indexmap::{IndexMap, IndexSet};
use jiff::civil;
use jiff::{SignedDuration, Span, Timestamp, Zoned};
use rust_decimal::Decimal;
use semver::Version;
use serde::de::DeserializeOwned;
use serde_json::Value;
use smallvec::SmallVec;
use time::OffsetDateTime;
use url::Url;
use uuid::Uuid;

use super::made::{
    civil_date, civil_datetime, civil_time, decimal, four_digit_timestamp, offset_date_time, plain_url,
    signed_duration, span, version, zoned,
};
use super::{specimens, types};

types! {
    struct JiffDurations {
        #[arbitrary(with = signed_duration)]
        signed: SignedDuration,
        #[arbitrary(with = span)]
        span: Span,
    }
    struct JiffMoments {
        #[arbitrary(with = four_digit_timestamp)]
        timestamp: Timestamp,
        #[arbitrary(with = zoned)]
        zoned: Zoned,
    }
    struct JiffClocks {
        #[arbitrary(with = |source: &mut Unstructured<'_>| Ok(civil_date(source)?.with().year(source.int_in_range(1..=9_999)?).build().unwrap_or_default()))]
        date: civil::Date,
        #[arbitrary(with = civil_time)]
        time: civil::Time,
        #[arbitrary(with = civil_datetime)]
        moment: civil::DateTime,
    }
    struct Urls {
        #[arbitrary(with = plain_url)]
        url: Url,
    }
    struct Versions {
        #[arbitrary(with = version)]
        version: Version,
    }
    struct Decimals {
        #[arbitrary(with = decimal)]
        decimal: Decimal,
    }
    struct ByteLists {
        #[arbitrary(with = |source: &mut Unstructured<'_>| Ok(Vec::<u8>::arbitrary(source)?.into()))]
        bytes: Bytes,
        #[arbitrary(with = |source: &mut Unstructured<'_>| Ok(Vec::<u8>::arbitrary(source)?.as_slice().into()))]
        buffer: BytesMut,
    }
    struct Indexed {
        #[arbitrary(with = |source: &mut Unstructured<'_>| Ok(BTreeMap::arbitrary(source)?.into_iter().collect()))]
        map: IndexMap<String, i16>,
        #[arbitrary(with = |source: &mut Unstructured<'_>| Ok(BTreeMap::arbitrary(source)?.into_iter().collect()))]
        by_number: IndexMap<u8, bool>,
        #[arbitrary(with = |source: &mut Unstructured<'_>| Ok(Vec::<u8>::arbitrary(source)?.into_iter().collect()))]
        set: IndexSet<u8>,
    }
    struct Eithers {
        #[arbitrary(with = |source: &mut Unstructured<'_>| Ok(if source.arbitrary()? { Either::Left(source.arbitrary()?) } else { Either::Right(source.arbitrary()?) }))]
        either: Either<u8, String>,
        #[serde(with = "either::serde_untagged")]
        #[schemars(with = "serde_json::Value")]
        #[arbitrary(with = |source: &mut Unstructured<'_>| Ok(if source.arbitrary()? { Either::Left(source.arbitrary()?) } else { Either::Right(source.arbitrary()?) }))]
        untagged: Either<i32, bool>,
    }
    struct Small {
        #[arbitrary(with = |source: &mut Unstructured<'_>| Ok(Vec::<u8>::arbitrary(source)?.into_iter().collect()))]
        bytes: SmallVec<[u8; 4]>,
        #[arbitrary(with = |source: &mut Unstructured<'_>| Ok(Vec::<i8>::arbitrary(source)?.into_iter().take(3).collect()))]
        array: ArrayVec<i8, 3>,
        #[arbitrary(with = |source: &mut Unstructured<'_>| {
            let letters = source.int_in_range(0..=4)?;
            Ok(ArrayString::from(&"abcd"[..letters]).unwrap_or_default())
        })]
        text: ArrayString<4>,
    }
    struct TimeMoments {
        #[serde(with = "time::serde::rfc3339")]
        #[schemars(with = "String", extend("format" = "date-time"))]
        #[arbitrary(with = offset_date_time)]
        moment: OffsetDateTime,
        #[serde(with = "time::serde::timestamp")]
        #[schemars(with = "i64")]
        #[arbitrary(with = offset_date_time)]
        seconds: OffsetDateTime,
    }
    struct ChronoMore {
        #[arbitrary(with = |source: &mut Unstructured<'_>| Ok(Month::try_from(source.int_in_range(1..=12_u8)?).unwrap_or(Month::May)))]
        #[schemars(with = "String")]
        month: Month,
        weekday: Option<Weekday>,
        #[serde(with = "chrono::serde::ts_seconds")]
        #[schemars(with = "i64")]
        #[arbitrary(with = |source: &mut Unstructured<'_>| Ok(DateTime::from_timestamp(source.arbitrary::<i32>()?.into(), 0).unwrap_or_default()))]
        seconds: DateTime<Utc>,
    }
    struct Nested {
        #[arbitrary(with = |source: &mut Unstructured<'_>| Ok(vec![Some(plain_url(source)?), None]))]
        urls: Vec<Option<Url>>,
        ids: BTreeMap<String, Uuid>,
        #[arbitrary(with = |source: &mut Unstructured<'_>| Ok(Some(decimal(source)?)))]
        price: Option<Decimal>,
        #[arbitrary(with = |source: &mut Unstructured<'_>| Ok((version(source)?, signed_duration(source)?)))]
        pair: (Version, SignedDuration),
    }
}

/// Returns `true` if the type refuses the value. Where the type expects an integer, `3.0` is one.
fn refuses<T: DeserializeOwned>(arguments: &Value) -> bool {
    let mut value = arguments["value"].clone();
    let is_read = |value: &Value| serde_json::from_value::<T>(value.clone()).is_ok();
    if is_read(&value) {
        return false;
    }
    write_integers(&mut value);
    !is_read(&value)
}

fn write_integers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let integer = number
                .as_f64()
                .filter(|float| float.fract() == 0.0)
                .and_then(|float| format!("{:.0}", float + 0.0).parse().ok());
            if let Some(integer) = integer {
                *value = Value::Number(integer);
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(write_integers),
        Value::Object(properties) => properties.values_mut().for_each(write_integers),
        _ => {}
    }
}

specimens! {
    jiff_durations: JiffDurations, stricter("the units of a duration have limits", refuses::<JiffDurations>);
    jiff_moments: JiffMoments, stricter("the schema of a zoned time is only a string", refuses::<JiffMoments>);
    jiff_clocks: JiffClocks, stricter("the patterns do not know the length of months", refuses::<JiffClocks>);
    urls: Urls, stricter("a URL must have a valid host", refuses::<Urls>);
    versions: Versions, stricter("the numbers of a version have 64 bits", refuses::<Versions>);
    decimals: Decimals, stricter("a decimal has 96 bits", refuses::<Decimals>);
    byte_lists: ByteLists;
    indexed: Indexed, stricter("the schema does not limit the digits of a key", refuses::<Indexed>);
    eithers: Eithers, stricter("the schema of the untagged value accepts anything", refuses::<Eithers>);
    small_lists: Small, stricter("the schema does not limit the length of the text", refuses::<Small>);
    time_moments: TimeMoments, stricter("a moment has a range", refuses::<TimeMoments>);
    chrono_more: ChronoMore, stricter("the schema of a month is only a string", refuses::<ChronoMore>);
    nested_foreign: Nested, stricter("its parts are stricter", refuses::<Nested>);
}
