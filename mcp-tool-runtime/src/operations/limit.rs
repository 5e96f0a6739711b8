//! Limits how many calls each caller can make in a period of time.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::output::error_kind::wait_text;
use crate::{ToolError, call::lock};

/// The largest number of calls in a rate. Up to this number, nanoseconds are precise enough.
const MAX_CALLS: u32 = 1_000_000;

/// The number of later rounds that a caller may send for each call that the limit allows. In a later round, the client
/// answers a question of the tool, and a call has at most eight such rounds. A client can send the state of a question
/// more than once, so later rounds need a limit too.
const ROUNDS: u32 = 8;

/// While fewer callers than this are stored, none is dropped, not even one who can make all calls of a period again.
const MANY: usize = 1_024;

/// A number of calls in a period of time, such as `20/min`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rate {
    calls: u32,
    per: Duration,
    unit: &'static str,
}

impl Rate {
    /// Reads a rate such as `20/min`.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the text.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (calls, unit) = text.split_once('/').unwrap_or((text, ""));
        let (seconds, unit) = match unit {
            "s" => (1, "second"),
            "min" => (60, "minute"),
            "h" => (3_600, "hour"),
            "day" => (86_400, "day"),
            _ => {
                return Err(format!(
                    "`{text}` is not a rate: write a number of calls and one of `/s`, `/min`, `/h`, `/day`, as in `20/min`"
                ));
            }
        };
        match calls.parse() {
            Ok(calls @ 1..=MAX_CALLS) => Ok(Self { calls, per: Duration::from_secs(seconds), unit }),
            _ => Err(format!("`{text}` is not a rate: the number of calls is a whole number from 1 to {MAX_CALLS}")),
        }
    }
}

/// Writes the rate as a model reads it, such as `20 calls a minute`.
impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (calls, article) =
            (if self.calls == 1 { "call" } else { "calls" }, if self.unit == "hour" { "an" } else { "a" });
        write!(f, "{} {calls} {article} {}", self.calls, self.unit)
    }
}

/// A limit on the calls of each caller. It uses the generic cell rate algorithm: a caller may make all calls of a
/// period at once, and then gets them back one by one.
pub(crate) struct Limit {
    rate: Rate,
    /// The words in the error's text that say which calls the limit counts. Empty if it counts the calls of one tool.
    of: &'static str,
    callers: Mutex<Callers>,
}

/// The caller's principal, if there is one, and whether the entry counts later rounds instead of calls.
type Key = (Option<Box<str>>, bool);

#[derive(Default)]
struct Callers {
    /// When each caller will have all calls back. From then on, the caller is treated like a new one.
    full_at: HashMap<Key, Instant>,
    /// Once there are this many callers, the next call drops the callers who have all their calls back. A number below
    /// [`MANY`] counts as [`MANY`].
    drop_from: usize,
}

impl Limit {
    pub(crate) fn of_tool(rate: Rate) -> Self {
        Self { rate, of: "", callers: Mutex::default() }
    }

    pub(crate) fn of_caller(rate: Rate) -> Self {
        Self { rate, of: " of all tools together", callers: Mutex::default() }
    }

    /// Counts a call if all these limits allow it. If one of them refuses it, none of them counts it.
    ///
    /// # Errors
    ///
    /// Returns the error of the call, with the time after which the limit allows it.
    pub(crate) fn admit<const N: usize>(
        limits: [Option<&Self>; N],
        caller: Option<&str>,
        is_later: bool,
        now: Instant,
    ) -> Result<(), ToolError> {
        let key: Key = (caller.map(Into::into), is_later);
        let mut counted: [Option<(MutexGuard<'_, Callers>, Instant)>; N] = [const { None }; N];
        for (limit, counted) in limits.into_iter().zip(&mut counted) {
            let Some(limit) = limit else { continue };
            let mut callers = lock(&limit.callers);
            callers.drop_absent(now);
            let full_at = limit.next(callers.full_at.get(&key).copied(), is_later, now)?;
            *counted = Some((callers, full_at));
        }
        for (mut callers, full_at) in counted.into_iter().flatten() {
            callers.full_at.insert(key.clone(), full_at);
        }
        Ok(())
    }

    /// Returns when the caller will have all calls back after making one more call. Fails if the limit refuses that
    /// call.
    fn next(&self, full_at: Option<Instant>, is_later: bool, now: Instant) -> Result<Instant, ToolError> {
        let one = self.rate.per / if is_later { self.rate.calls * ROUNDS } else { self.rate.calls };
        let used = full_at.map_or(Duration::ZERO, |full_at| full_at.saturating_duration_since(now));
        match used.checked_sub(self.rate.per.saturating_sub(one)).filter(|wait| !wait.is_zero()) {
            None => Ok(now + used + one),
            Some(wait) => Err(self.error(wait)),
        }
    }

    fn error(&self, wait: Duration) -> ToolError {
        // Round up, because a caller that tries again before `wait` is over would be refused again.
        let milliseconds = u64::try_from(wait.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX);
        let Self { rate, of, .. } = self;
        let text = format!("at most {rate}{of}; try again in {}", wait_text(milliseconds));
        ToolError::limited(text, Duration::from_millis(milliseconds))
    }
}

impl Callers {
    /// Drops the callers who have all their calls back. Does so only if there are at least [`MANY`] callers, and at
    /// least twice as many as this function left the last time.
    fn drop_absent(&mut self, now: Instant) {
        if self.full_at.len() >= self.drop_from.max(MANY) {
            self.full_at.retain(|_, full_at| *full_at > now);
            self.drop_from = self.full_at.len() * 2;
        }
    }
}

debug_struct!(Limit, limit => rate: limit.rate);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_a_number_and_a_unit() {
        for (text, written) in [
            ("20/min", "20 calls a minute"),
            ("1/s", "1 call a second"),
            ("5/h", "5 calls an hour"),
            ("2/day", "2 calls a day"),
        ] {
            assert_eq!(Rate::parse(text).map(|rate| rate.to_string()).as_deref(), Ok(written));
        }
        for text in ["", "20", "/min", "0/min", "-1/s", "1.5/s", "20/m", "20 /min", "1000001/s", "20/min/s"] {
            assert!(
                Rate::parse(text).is_err_and(|error| error.starts_with(&format!("`{text}` is not a rate"))),
                "{text}"
            );
        }
    }

    /// Tests five callers with a clock that the test moves: at any time, each caller has made exactly as many calls as
    /// the rate allows.
    #[test]
    fn exactly_the_calls_of_the_rate_pass() {
        for text in ["1/s", "7/s", "20/min", "120/min", "1000/h", "9/day"] {
            let rate = Rate::parse(text).expect("a rate");
            let (tool, whole) = (Limit::of_tool(rate), Limit::of_caller(Rate::parse("1000000/s").expect("a rate")));
            let start = Instant::now();
            let one = rate.per / rate.calls;
            for caller in ["ann", "bob", "cid", "dan", "eve"] {
                let mut passed = 0;
                for step in 0..1_000_u32 {
                    // Make eleven calls in the time it takes to earn back one.
                    let now = start + one * step / 11;
                    let admitted = Limit::admit([Some(&tool), Some(&whole)], Some(caller), false, now);
                    let allowed = rate.calls + step / 11;
                    assert_eq!(admitted.is_ok(), passed < allowed, "{text} {caller} {step}");
                    passed += u32::from(admitted.is_ok());
                    if let Err(error) = admitted {
                        let after = now + Duration::from_millis(error.retry_after_ms().expect("a time"));
                        assert!(tool.next(tool.full_at(caller), false, after).is_ok());
                        assert_eq!(error.code(), Some("limited"));
                    }
                }
                assert_eq!(passed, 1_000.min(rate.calls + 999 / 11), "{text}");
            }
        }
    }

    impl Limit {
        fn full_at(&self, caller: &str) -> Option<Instant> {
            self.callers.lock().expect("no panic").full_at.get(&(Some(caller.into()), false)).copied()
        }
    }

    #[test]
    fn a_call_that_one_limit_refuses_counts_for_none() {
        let limit = |text| Limit::of_tool(Rate::parse(text).expect("a rate"));
        let (wide, narrow) = (limit("3/h"), limit("1/h"));
        let now = Instant::now();
        let admit = |limits| Limit::admit(limits, None, false, now).is_ok();
        assert!(admit([Some(&wide), Some(&narrow)]) && !admit([Some(&wide), Some(&narrow)]));
        assert!(admit([Some(&wide), None]) && admit([Some(&wide), None]) && !admit([Some(&wide), None]));
        // Later rounds, in which a client sends its answers to a call's questions, are counted separately: 8 for each
        // call.
        assert!((0..24).all(|_| Limit::admit([Some(&wide)], None, true, now).is_ok()));
        assert!(Limit::admit([Some(&wide)], None, true, now).is_err());
    }

    #[test]
    fn callers_that_went_away_are_dropped() {
        let limit = Limit::of_tool(Rate::parse("2/s").expect("a rate"));
        let start = Instant::now();
        for second in 0..100_u32 {
            for caller in 0..100 {
                let caller = format!("{second}-{caller}");
                assert!(
                    Limit::admit([Some(&limit)], Some(&caller), false, start + Duration::from_secs(1) * second).is_ok()
                );
            }
        }
        assert!(limit.callers.lock().expect("no panic").full_at.len() <= MANY + 100);
    }
}
