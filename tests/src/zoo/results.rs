//! Tools that return random values of types of other crates. What a type can write must be a valid result.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::{Duration, SystemTime};

use arbitrary::Unstructured;
use arrayvec::{ArrayString, ArrayVec};
use bytes::{Bytes, BytesMut};
use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc, Weekday};
use either::Either;
use fastrand::Rng;
use indexmap::{IndexMap, IndexSet};
use jiff::civil;
use jiff::{SignedDuration, Span, Timestamp, Zoned};
use mcp_tool_runtime::{ToolHandler, mcp_tool, tools};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use semver::Version;
use serde::Serialize;
use smallvec::SmallVec;
use time::OffsetDateTime;
use url::Url;
use uuid::Uuid;

use super::made;

/// Returns random bytes, the same for a seed.
fn bytes(seed: u64) -> Vec<u8> {
    let mut rng = Rng::with_seed(seed);
    std::iter::repeat_with(|| rng.u8(..)).take(256).collect()
}

/// Defines a tool for each type. Each takes a seed and returns a value.
macro_rules! results {
    ($($name:ident: $type:ty = $make:expr;)*) => {
        $(
            /// Return a value of the type.
            #[mcp_tool]
            async fn $name(seed: u64) -> $type {
                let bytes = bytes(seed);
                let make: fn(&mut Unstructured<'_>) -> arbitrary::Result<$type> = $make;
                // 256 bytes are enough for each type, and `Unstructured` returns zeros after them.
                make(&mut Unstructured::new(&bytes)).expect("a value")
            }
        )*

        /// Returns a tool for each type.
        #[must_use]
        pub fn results() -> Vec<Box<dyn ToolHandler>> {
            tools![$($name),*]
        }
    };
}

/// A moment of the crate `time`, which has no schema of its own.
#[derive(Serialize, JsonSchema)]
struct TimeMoment {
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    rfc3339: OffsetDateTime,
    #[serde(with = "time::serde::timestamp")]
    #[schemars(with = "i64")]
    seconds: OffsetDateTime,
}

results! {
    chrono_naive_date: NaiveDate = made::four_digit_date;
    chrono_naive_time: NaiveTime = made::naive_time;
    chrono_naive_date_time: NaiveDateTime = made::naive_date_time;
    chrono_utc: DateTime<Utc> = made::four_digit_date_time;
    chrono_fixed: DateTime<FixedOffset> = made::four_digit_fixed_date_time;
    chrono_delta: TimeDelta = made::time_delta;
    chrono_weekday: Weekday = |source| source.arbitrary();
    chrono_options: Vec<Option<DateTime<Utc>>> = |source| Ok(vec![Some(made::four_digit_date_time(source)?), None]);
    chrono_map: std::collections::BTreeMap<String, NaiveDate> = |source| Ok([("a".to_owned(), made::four_digit_date(source)?)].into());
    jiff_signed_duration: SignedDuration = made::signed_duration;
    jiff_span: Span = made::span;
    jiff_timestamp: Timestamp = made::four_digit_timestamp;
    jiff_zoned: Zoned = made::zoned;
    jiff_date: civil::Date = made::four_digit_civil_date;
    jiff_time: civil::Time = made::civil_time;
    jiff_date_time: civil::DateTime = made::civil_datetime;
    jiff_option: Option<SignedDuration> = |source| made::signed_duration(source).map(Some);
    jiff_tuple: (Timestamp, Span) = |source| Ok((made::four_digit_timestamp(source)?, made::span(source)?));
    time_moment: TimeMoment = |source| Ok(TimeMoment { rfc3339: made::offset_date_time(source)?, seconds: made::offset_date_time(source)? });
    any_url: Url = made::url;
    url_list: Vec<Url> = |source| Ok(vec![made::url(source)?, made::url(source)?]);
    url_option: Option<Url> = |source| made::url(source).map(Some);
    uuid_any: Uuid = |source| source.arbitrary();
    uuid_list: Vec<Uuid> = |source| Ok(vec![source.arbitrary()?, Uuid::nil(), Uuid::max()]);
    semver_version: Version = made::version;
    semver_list: Vec<Version> = |source| Ok(vec![made::version(source)?]);
    decimal_any: Decimal = made::decimal;
    decimal_pair: (Decimal, Option<Decimal>) = |source| Ok((made::decimal(source)?, None));
    byte_string: Bytes = |source| Ok(source.arbitrary::<Vec<u8>>()?.into());
    byte_buffer: BytesMut = |source| Ok(source.arbitrary::<Vec<u8>>()?.as_slice().into());
    index_map: IndexMap<String, u8> = |source| Ok([(source.arbitrary()?, 1)].into_iter().collect());
    index_map_of_numbers: IndexMap<u8, Url> = |source| Ok([(7, made::url(source)?)].into_iter().collect());
    index_map_of_signed: IndexMap<i32, bool> = |source| Ok([(source.arbitrary()?, true)].into_iter().collect());
    index_set: IndexSet<u16> = |source| Ok([source.arbitrary()?, 5].into_iter().collect());
    either_of_two: Either<u8, String> = |source| Ok(if source.arbitrary()? { Either::Left(1) } else { Either::Right(source.arbitrary()?) });
    either_of_foreign: Either<Url, Timestamp> = |source| Ok(if source.arbitrary()? { Either::Left(made::url(source)?) } else { Either::Right(made::four_digit_timestamp(source)?) });
    small_vec: SmallVec<[u8; 4]> = |source| Ok(source.arbitrary::<Vec<u8>>()?.into());
    small_vec_of_durations: SmallVec<[SignedDuration; 2]> = |source| Ok([made::signed_duration(source)?].into_iter().collect());
    array_vec: ArrayVec<i8, 3> = |source| Ok(source.arbitrary::<[i8; 3]>()?.into_iter().take(source.int_in_range(0..=3)?).collect());
    array_string: ArrayString<8> = |source| Ok(ArrayString::from(["", "a", "ü", "abcdefgh"][source.int_in_range(0..=3)?]).unwrap_or_default());
    ip_address: IpAddr = |source| Ok(if source.arbitrary()? { IpAddr::V4(source.arbitrary::<u32>()?.into()) } else { IpAddr::V6(source.arbitrary::<u128>()?.into()) });
    ip_four: Ipv4Addr = |source| Ok(source.arbitrary::<u32>()?.into());
    ip_six: Ipv6Addr = |source| Ok(source.arbitrary::<u128>()?.into());
    ip_mapped: Ipv6Addr = |source| Ok(Ipv4Addr::from(source.arbitrary::<u32>()?).to_ipv6_mapped());
    socket_any: SocketAddr = |source| Ok((Ipv6Addr::from(source.arbitrary::<u128>()?), source.arbitrary()?).into());
    std_duration: Duration = |source| Ok(Duration::new(source.arbitrary()?, source.int_in_range(0..=999_999_999)?));
    std_time: SystemTime = |source| Ok(SystemTime::UNIX_EPOCH + Duration::from_secs(source.arbitrary::<u32>()?.into()));
}
