//! Random values of types of other crates, over the whole range of each type unless the name says otherwise.

use arbitrary::{Arbitrary, Result, Unstructured};
use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};
use jiff::civil;
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Span, Timestamp, Zoned};
use rust_decimal::Decimal;
use semver::{BuildMetadata, Prerelease, Version};
use time::{OffsetDateTime, UtcOffset};
use url::Url;

pub(super) fn signed_duration(source: &mut Unstructured<'_>) -> Result<SignedDuration> {
    let seconds = i64::arbitrary(source)? / 4;
    let nanos = source.int_in_range(0..=999_999_999)?;
    Ok(SignedDuration::new(seconds, if seconds < 0 { -nanos } else { nanos }))
}

pub(super) fn span(source: &mut Unstructured<'_>) -> Result<Span> {
    let span = Span::new()
        .years(source.int_in_range(0..=19_998_i16)?)
        .months(source.int_in_range(0..=1_000)?)
        .weeks(source.int_in_range(0..=1_000)?)
        .days(source.int_in_range(0..=1_000)?)
        .hours(source.int_in_range(0..=100_000)?)
        .minutes(source.int_in_range(0..=1_000_i64)?)
        .seconds(source.int_in_range(0..=1_000_i64)?)
        .nanoseconds(source.int_in_range(0..=999_999_999_i64)?);
    Ok(if source.arbitrary()? { -span } else { span })
}

pub(super) fn timestamp(source: &mut Unstructured<'_>) -> Result<Timestamp> {
    let seconds = source.int_in_range(Timestamp::MIN.as_second()..=Timestamp::MAX.as_second())?;
    Ok(Timestamp::new(seconds, source.int_in_range(0..=999_999_999)?).unwrap_or_default())
}

pub(super) fn four_digit_timestamp(source: &mut Unstructured<'_>) -> Result<Timestamp> {
    let seconds = source.int_in_range(-62_135_596_800..=253_402_207_200_i64)?;
    Ok(Timestamp::new(seconds, source.int_in_range(0..=999_999_999)?).unwrap_or_default())
}

pub(super) fn four_digit_civil_date(source: &mut Unstructured<'_>) -> Result<civil::Date> {
    let (year, month) = (source.int_in_range(0..=9_999)?, source.int_in_range(1..=12)?);
    Ok(civil::Date::new(year, month, source.int_in_range(1..=28)?).unwrap_or_default())
}

pub(super) fn zoned(source: &mut Unstructured<'_>) -> Result<Zoned> {
    let offset = Offset::from_seconds(source.int_in_range(-93_599..=93_599)?).unwrap_or(Offset::UTC);
    let zone = if source.arbitrary()? { TimeZone::UTC } else { TimeZone::fixed(offset) };
    Ok(timestamp(source)?.to_zoned(zone))
}

pub(super) fn civil_date(source: &mut Unstructured<'_>) -> Result<civil::Date> {
    let (year, month) = (source.int_in_range(-9_999..=9_999)?, source.int_in_range(1..=12)?);
    Ok(civil::Date::new(year, month, source.int_in_range(1..=28)?).unwrap_or_default())
}

pub(super) fn civil_time(source: &mut Unstructured<'_>) -> Result<civil::Time> {
    let (hour, minute) = (source.int_in_range(0..=23)?, source.int_in_range(0..=59)?);
    let (second, nanos) = (source.int_in_range(0..=59)?, source.int_in_range(0..=999_999_999)?);
    Ok(civil::Time::new(hour, minute, second, nanos).unwrap_or_default())
}

pub(super) fn civil_datetime(source: &mut Unstructured<'_>) -> Result<civil::DateTime> {
    Ok(civil_date(source)?.to_datetime(civil_time(source)?))
}

/// Creates a URL that RFC 3986 allows, as the schema of an argument demands.
pub(super) fn plain_url(source: &mut Unstructured<'_>) -> Result<Url> {
    let text = format!("https://a.example/{}?q={}", source.arbitrary::<u16>()?, source.arbitrary::<u8>()?);
    Ok(parsed(&text))
}

/// Creates any URL.
pub(super) fn url(source: &mut Unstructured<'_>) -> Result<Url> {
    let start = *source.choose(&[
        "http://a.example/",
        "https://[::1]:8443/a?",
        "mailto:",
        "data:,",
        "file:///",
        "urn:a:",
        "ws://ü.example/#",
    ])?;
    let rest = String::arbitrary(source)?;
    let noise = *source.choose(&["", "|", "^`{}", "a b", "%", "%zz", "[]", "\\", "\"<>", "é"])?;
    Ok(parsed(&format!("{start}{noise}{rest}")))
}

fn parsed(text: &str) -> Url {
    Url::parse(text).unwrap_or_else(|_| Url::parse("about:blank").expect("a URL"))
}

pub(super) fn version(source: &mut Unstructured<'_>) -> Result<Version> {
    let pre = *source.choose(&["", "alpha", "alpha.1", "0.3.7", "x-y-z.0--", "0a"])?;
    let build = *source.choose(&["", "001", "exp.sha.5114f85", "21AF26D3--117B344092BD"])?;
    Ok(Version {
        major: source.arbitrary()?,
        minor: source.arbitrary()?,
        patch: source.arbitrary()?,
        pre: Prerelease::new(pre).unwrap_or_default(),
        build: BuildMetadata::new(build).unwrap_or_default(),
    })
}

pub(super) fn decimal(source: &mut Unstructured<'_>) -> Result<Decimal> {
    let scale = source.int_in_range(0..=28)?;
    let [low, middle, high] = [source.arbitrary()?, source.arbitrary()?, source.arbitrary()?];
    Ok(Decimal::from_parts(low, middle, high, source.arbitrary()?, scale))
}

/// Creates a moment in the years of RFC 3339.
pub(super) fn offset_date_time(source: &mut Unstructured<'_>) -> Result<OffsetDateTime> {
    let seconds = source.int_in_range(-62_100_000_000..=253_400_000_000_i64)?;
    let minutes: i32 = source.int_in_range(-23 * 60..=23 * 60)?;
    let offset = UtcOffset::from_whole_seconds(minutes * 60).unwrap_or(UtcOffset::UTC);
    Ok(OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH).to_offset(offset))
}

pub(super) fn naive_date(source: &mut Unstructured<'_>) -> Result<NaiveDate> {
    let days = source.int_in_range(NaiveDate::MIN.to_epoch_days()..=NaiveDate::MAX.to_epoch_days())?;
    Ok(NaiveDate::from_epoch_days(days).unwrap_or_default())
}

/// Creates a day that the format `date` can write.
pub(super) fn four_digit_date(source: &mut Unstructured<'_>) -> Result<NaiveDate> {
    let (year, month) = (source.int_in_range(0..=9_999)?, source.int_in_range(1..=12)?);
    Ok(NaiveDate::from_ymd_opt(year, month, source.int_in_range(1..=28)?).unwrap_or_default())
}

pub(super) fn naive_time(source: &mut Unstructured<'_>) -> Result<NaiveTime> {
    let seconds = source.int_in_range(0..=86_399)?;
    // From a thousand million on, the nanoseconds are those of a leap second.
    let nanos = source.int_in_range(0..=if seconds % 60 == 59 { 1_999_999_999 } else { 999_999_999 })?;
    Ok(NaiveTime::from_num_seconds_from_midnight_opt(seconds, nanos).unwrap_or_default())
}

pub(super) fn naive_date_time(source: &mut Unstructured<'_>) -> Result<NaiveDateTime> {
    Ok(naive_date(source)?.and_time(naive_time(source)?))
}

pub(super) fn four_digit_date_time(source: &mut Unstructured<'_>) -> Result<DateTime<Utc>> {
    // The format has a leap second only at the end of a day in UTC, while `chrono` writes one at the end of any minute.
    let time = NaiveTime::from_num_seconds_from_midnight_opt(
        source.int_in_range(0..=86_399)?,
        source.int_in_range(0..=999_999_999)?,
    );
    Ok(four_digit_date(source)?.and_time(time.unwrap_or_default()).and_utc())
}

pub(super) fn four_digit_fixed_date_time(source: &mut Unstructured<'_>) -> Result<DateTime<FixedOffset>> {
    // `chrono` rounds the offset to minutes, and the format has none of 24 hours.
    let offset =
        FixedOffset::east_opt(source.int_in_range(-86_340..=86_340)?).ok_or(arbitrary::Error::IncorrectFormat)?;
    // At either end of the range an offset could leave it.
    let seconds = source.int_in_range(-62_135_510_400..=253_402_207_200_i64)?;
    Ok(DateTime::from_timestamp(seconds, source.int_in_range(0..=999_999_999)?)
        .unwrap_or_default()
        .with_timezone(&offset))
}

pub(super) fn time_delta(source: &mut Unstructured<'_>) -> Result<TimeDelta> {
    let millis = i64::arbitrary(source)? / 2;
    Ok(TimeDelta::milliseconds(millis) + TimeDelta::nanoseconds(source.int_in_range(0..=999_999)?))
}
