//! Moments of a trace, as people write them.

use std::str::FromStr;
use std::time::Duration;

use hotset_scenario::parse_duration;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// A moment of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Microseconds since 1970-01-01 UTC.
    At(i64),
    /// So long after the first request of the trace.
    After(Duration),
}

/// Times as access logs write them.
const OF_LOGS: &str = "%d/%b/%Y:%H:%M:%S %z";

impl Moment {
    /// Microseconds since 1970-01-01 UTC in a trace that begins at `start_us`.
    pub(super) fn resolve(self, start_us: i64) -> i64 {
        match self {
            Moment::At(time_us) => time_us,
            Moment::After(time) => start_us.saturating_add(micros(time)),
        }
    }
}

/// Whole microseconds, at most what fits.
pub(super) fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

impl FromStr for Moment {
    type Err = String;

    /// Reads `2015-05-17T10:05:00Z`, `2015-05-17 10:05` (UTC), `17/May/2015:10:05:03 +0200`, or a
    /// duration such as `1h30m`.
    fn from_str(text: &str) -> Result<Moment, String> {
        let text = text.trim_matches(['[', ']', ' ']);
        let timestamp = || {
            let with_zone = text
                .parse::<Timestamp>()
                .or_else(|_| Timestamp::strptime(OF_LOGS, text));
            with_zone.or_else(|_| {
                let civil = text.parse::<DateTime>()?;
                Ok::<_, jiff::Error>(civil.to_zoned(TimeZone::UTC)?.timestamp())
            })
        };
        if let Ok(duration) = parse_duration(text) {
            return Ok(Moment::After(duration));
        }
        timestamp().map(|at| Moment::At(at.as_microsecond())).map_err(|_| {
            "write a time (2015-05-17T10:05:00Z or 2015-05-17 10:05) or a duration from the first request \
             (90s, 1h30m)"
                .into()
        })
    }
}
