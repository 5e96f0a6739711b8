//! Dates, times and durations of RFC 3339.

/// The minutes of a day.
const DAY: u32 = 24 * 60;

/// Reads a number of exactly `N` digits at the start.
fn digits<const N: usize>(text: &[u8]) -> Option<(u32, &[u8])> {
    let (digits, rest) = text.split_first_chunk::<N>()?;
    let number = digits
        .iter()
        .try_fold(0, |number, digit| digit.is_ascii_digit().then(|| number * 10 + u32::from(digit - b'0')))?;
    Some((number, rest))
}

/// Skips one byte.
fn skip(text: &[u8], expected: u8) -> Option<&[u8]> {
    text.split_first().filter(|(first, _)| **first == expected).map(|(_, rest)| rest)
}

pub(super) fn is_date(text: &str) -> bool {
    let date = || {
        let (year, rest) = digits::<4>(text.as_bytes())?;
        let (month, rest) = digits::<2>(skip(rest, b'-')?)?;
        let (day, rest) = digits::<2>(skip(rest, b'-')?)?;
        Some((year, month, day, rest))
    };
    let Some((year, month, day, [])) = date() else { return false };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(is_leap),
        _ => return false,
    };
    (1..=last).contains(&day)
}

pub(super) fn is_time(text: &str) -> bool {
    time(text.as_bytes()).unwrap_or(false)
}

fn time(text: &[u8]) -> Option<bool> {
    let (hour, rest) = digits::<2>(text)?;
    let (minute, rest) = digits::<2>(skip(rest, b':')?)?;
    let (second, mut rest) = digits::<2>(skip(rest, b':')?)?;
    if let Some(fraction) = skip(rest, b'.') {
        let count = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
        rest = fraction.get(count..).filter(|_| count > 0)?;
    }
    let (sign, offset) = rest.split_first()?;
    let (hours, minutes) = match (sign, offset) {
        (b'Z' | b'z', []) => (0, 0),
        (b'+' | b'-', offset) => {
            let (hours, rest) = digits::<2>(offset)?;
            let (minutes, rest) = digits::<2>(skip(rest, b':')?)?;
            if !rest.is_empty() {
                return None;
            }
            (hours, minutes)
        }
        _ => return None,
    };
    if hour > 23 || minute > 59 || second > 60 || hours > 23 || minutes > 59 {
        return None;
    }
    // A leap second is the last second of a day in UTC.
    let (local, offset) = (hour * 60 + minute, hours * 60 + minutes);
    let utc = if *sign == b'-' { local + offset } else { local + DAY - offset } % DAY;
    Some(second < 60 || utc == DAY - 1)
}

pub(super) fn is_date_time(text: &str) -> bool {
    text.split_once(['T', 't']).is_some_and(|(date, time)| is_date(date) && is_time(time))
}

/// The grammar of RFC 3339, appendix A: weeks alone, or units in order, none left out between the first and the last.
pub(super) fn is_duration(text: &str) -> bool {
    let Some(text) = text.strip_prefix('P') else { return false };
    let (date, time) = match text.split_once('T') {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    if time.is_none() && (date.is_empty() || has_units(date, "W")) {
        return !date.is_empty();
    }
    (date.is_empty() || has_units(date, "YMD")) && time.is_none_or(|time| !time.is_empty() && has_units(time, "HMS"))
}

/// Returns `true` if the text is a list of numbers, followed by successive units.
fn has_units(text: &str, units: &str) -> bool {
    let mut units = units.chars();
    let mut parts = text.split_inclusive(|c: char| !c.is_ascii_digit());
    let mut is_first = true;
    parts.all(|part| {
        let number = part.trim_end_matches(|c: char| !c.is_ascii_digit());
        let unit = &part[number.len()..];
        let is_next = |c: char| unit.chars().eq([c]);
        let found = if std::mem::take(&mut is_first) { units.any(is_next) } else { units.next().is_some_and(is_next) };
        found && !number.is_empty()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times() {
        for (accepts, valid, invalid) in [
            (
                is_date as fn(&str) -> bool,
                &["2024-02-29", "1998-12-31"][..],
                &["2023-02-29", "2024-13-01", "24-01-01", "2024-01-00", "2024-01-011"][..],
            ),
            (
                is_time,
                &["00:00:00Z", "23:59:60Z", "08:30:06.283185z", "15:59:60-08:00", "01:29:60+01:30"],
                &["24:00:00Z", "12:00:00", "12:00:00.Z", "22:59:60Z", "12:00:00+24:00", "12:00:00+1:00"],
            ),
            (
                is_date_time,
                &["1963-06-19T08:30:06Z", "1990-12-31t15:59:60-08:00"],
                &["1963-06-19 08:30:06Z", "1963-06-19T08:30:06"],
            ),
            (
                is_duration,
                &["P4DT12H30M5S", "P1W", "P1Y", "PT36H", "P1Y2M", "P1M2D", "PT1M2S", "P1YT1S"],
                &[
                    "P", "PT", "P1", "P1D2H", "P1YT", "P1Y2W", "P1Y2D", "PT1H2S", "P1WT1H", "P2D1Y", "1D", "P-1D",
                    "P1.5D", "P١D",
                ],
            ),
        ] {
            assert_eq!(valid.iter().find(|text| !accepts(text)), None);
            assert_eq!(invalid.iter().find(|text| accepts(text)), None);
        }
    }
}
