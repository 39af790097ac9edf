//! Why nothing can be sent.

use super::SCALES;

/// Why a trace gives no schedule. Every message says what helps.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScheduleError {
    /// A key-only trace.
    #[error(
        "the trace has no times to send requests at: use a closed loop, which sends the next request when \
         the last is answered"
    )]
    NoTimes,
    /// Every request at the same time.
    #[error(
        "all {requests} requests have the same time, {}: is the log read in the right format? To send \
         them as fast as they are answered use a closed loop", in_words(*time_us)
    )]
    EqualTimes {
        /// Requests of the trace.
        requests: u64,
        /// Their time, microseconds since 1970-01-01 UTC.
        time_us: i64,
    },
    /// A scale that is none.
    #[error(
        "{0:?} is not a scale: write how many times as often connections are to start, from {low} to {high}; \
         to send as fast as the server answers use a closed loop", low = SCALES.start(), high = SCALES.end()
    )]
    Scale(f64),
    /// A range of times that ends before it begins.
    #[error("the start {} is not before the end {}: swap them", in_words(*from_us), in_words(*to_us))]
    EmptyRange {
        /// First moment, microseconds since 1970-01-01 UTC.
        from_us: i64,
        /// The moment after the last.
        to_us: i64,
    },
    /// A site that the trace does not have.
    #[error("site `{site}` is not in the trace{}: its sites are {known}", did_you_mean(nearest.as_deref()))]
    UnknownSite {
        /// The site as named.
        site: String,
        /// The most similar name.
        nearest: Option<String>,
        /// Some of the sites of the trace.
        known: String,
    },
    /// Nothing is left of the trace.
    #[error("none of {requests} requests can be sent: {why}")]
    Nothing {
        /// Requests of the trace.
        requests: u64,
        /// What became of them, and what to try.
        why: String,
    },
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| {
        format!(" (did you mean `{nearest}`?)")
    })
}

/// A time of the trace as people read it.
pub(super) fn in_words(time_us: i64) -> String {
    let time = jiff::Timestamp::from_microsecond(time_us);
    time.map_or_else(
        |_| format!("{time_us} µs after 1970"),
        |time| time.to_string(),
    )
}
