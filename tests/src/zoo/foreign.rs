//! Types of the standard library and of other crates.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::ops::{Bound, Range, RangeInclusive};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use arbitrary::{Result, Unstructured};
use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc, Weekday};
use serde_json::Value;
use uuid::Uuid;

use super::{specimens, types};

types! {
    struct Times {
        duration: Duration,
        #[arbitrary(with = system_time)]
        time: SystemTime,
    }
    struct Ranges { range: Range<u8>, inclusive: RangeInclusive<i16>, bound: Bound<u8>, optional: Option<Bound<bool>> }
    struct Results { result: std::result::Result<u8, String>, list: Vec<std::result::Result<bool, u8>> }
    struct Addresses { any: IpAddr, four: Ipv4Addr, six: Ipv6Addr, maybe: Option<IpAddr> }
    struct Sockets { any: SocketAddr, four: SocketAddrV4, six: SocketAddrV6 }
    struct Ids { id: Uuid, maybe: Option<Uuid> }
    struct Dates { #[arbitrary(with = date)] date: NaiveDate, weekday: Weekday }
    struct Moments { #[arbitrary(with = utc)] utc: DateTime<Utc>, #[arbitrary(with = fixed)] fixed: DateTime<FixedOffset> }
    struct Clocks { time: NaiveTime, #[arbitrary(with = moment)] moment: NaiveDateTime }
    struct Spans { span: TimeDelta }
    struct Paths { path: PathBuf, boxed: Box<str>, #[arbitrary(with = cow)] cow: Cow<'static, str> }
}

fn cow(source: &mut Unstructured<'_>) -> Result<Cow<'static, str>> {
    Ok(Cow::Owned(source.arbitrary()?))
}

fn system_time(source: &mut Unstructured<'_>) -> Result<SystemTime> {
    Ok(SystemTime::UNIX_EPOCH + Duration::new(source.arbitrary::<u32>()?.into(), source.int_in_range(0..=999_999_999)?))
}

// The formats of JSON Schema limit years to four digits and the hours of an offset to two. The types of chrono do not.

fn moment(source: &mut Unstructured<'_>) -> Result<NaiveDateTime> {
    let seconds = source.int_in_range(-62_135_596_800..=253_402_300_799)?;
    Ok(DateTime::from_timestamp(seconds, source.int_in_range(0..=999_999_999)?).unwrap_or_default().naive_utc())
}

fn date(source: &mut Unstructured<'_>) -> Result<NaiveDate> {
    Ok(moment(source)?.date())
}

fn utc(source: &mut Unstructured<'_>) -> Result<DateTime<Utc>> {
    Ok(moment(source)?.and_utc())
}

fn fixed(source: &mut Unstructured<'_>) -> Result<DateTime<FixedOffset>> {
    let minutes: i32 = source.int_in_range(-23 * 60..=23 * 60)?;
    let offset = FixedOffset::east_opt(minutes * 60).ok_or(arbitrary::Error::IncorrectFormat)?;
    let inside = moment(source)?.clamp(DateTime::UNIX_EPOCH.naive_utc(), date_of(9998));
    Ok(inside.and_utc().with_timezone(&offset))
}

fn date_of(year: i32) -> NaiveDateTime {
    NaiveDate::from_ymd_opt(year, 1, 1).unwrap_or_default().into()
}

/// Returns the number as an integer, also if it is written as `3.0`.
fn whole(number: &Value) -> u64 {
    number.as_u64().or_else(|| format!("{:.0}", number.as_f64()?).parse().ok()).unwrap_or_default()
}

/// Returns `true` if the nanoseconds make the seconds overflow: 64 bits for a duration, 63 for a time.
fn overflows(arguments: &Value) -> bool {
    let time = &arguments["value"];
    let overflows = |value: &Value, seconds: &str, nanos: &str, max: u64| {
        let carry = whole(&value[nanos]) / 1_000_000_000;
        value[seconds].as_u64().is_some_and(|seconds| max < seconds || max - seconds < carry)
    };
    overflows(&time["duration"], "secs", "nanos", u64::MAX)
        || overflows(&time["time"], "secs_since_epoch", "nanos_since_epoch", i64::MAX as u64)
}

fn is<T: FromStr>(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.parse::<T>().is_ok())
}

fn has_invalid_socket(arguments: &Value) -> bool {
    let all = &arguments["value"];
    !(is::<SocketAddr>(&all["any"]) && is::<SocketAddrV4>(&all["four"]) && is::<SocketAddrV6>(&all["six"]))
}

/// The pattern accepts 31 days in every month, and years that the type does not have.
fn has_invalid_day(arguments: &Value) -> bool {
    serde_json::from_value::<Clocks>(arguments["value"].clone()).is_err()
}

fn span_overflows(arguments: &Value) -> bool {
    let span = arguments["value"]["span"][0].as_i64().unwrap_or_default();
    let nanos = whole(&arguments["value"]["span"][1]);
    TimeDelta::new(span, u32::try_from(nanos).unwrap_or_default()).is_none()
}

specimens! {
    times: Times, stricter("the seconds overflow if the nanoseconds carry", overflows);
    ranges_and_bounds: Ranges;
    results: Results;
    addresses: Addresses;
    socket_addresses: Sockets, stricter("the schema of a socket address is only a string", has_invalid_socket);
    ids: Ids;
    dates: Dates;
    moments: Moments;
    clocks: Clocks, stricter("the pattern does not know the length of months", has_invalid_day);
    spans: Spans, stricter("the milliseconds of a span must fit into 64 bits", span_overflows);
    paths: Paths;
}
