//! What of a trace is sent, and at which pace.

use std::ops::RangeInclusive;
use std::time::Duration;

use hotset_trace::read::CountingRule;

use super::Moment;

/// How far a time may step back behind an earlier line and still be sorted in: a public log of 2015
/// jitters by up to 59 seconds, because it notes when requests began and writes them when they end.
pub const DEFAULT_SORT_WINDOW: Duration = Duration::from_secs(60);

/// Scales that are more than slips of the pen.
pub const SCALES: RangeInclusive<f64> = 1e-3..=1e6;

/// When requests are sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// At the times of the trace, the time between connections divided by this.
    Trace(f64),
    /// As fast as they are answered: times are not needed, only an order.
    AsAnswered,
}

/// What of a trace is sent, and at which pace.
#[derive(Clone, Debug)]
pub struct ScheduleOptions {
    /// When requests are sent.
    pub pace: Pace,
    /// Requests before this are skipped.
    pub from: Option<Moment>,
    /// Requests at this moment and later are skipped.
    pub to: Option<Moment>,
    /// Names of the sites whose requests are sent; all where empty.
    pub sites: Vec<String>,
    /// How far a time may step back behind an earlier row; rows that do more are skipped.
    pub sort_window: Duration,
    /// Longest time between the starts of two connections, in the time of the trace; what is longer is
    /// cut to it.
    pub gap_max: Option<Duration>,
    /// How long the rate grows at the start, in the time of the replay: in proportion to the time that has passed, from
    /// none to that of `pace`. Requests that would be due in the first half of this time are spread over all of it.
    /// Nothing to a pace without times.
    pub ramp: Duration,
    /// The rule by which requests of the trace are accesses. By [`CountingRule::C1`] all of them are sent, whatever their
    /// method and status, and each file is as long as its name says.
    pub counting: CountingRule,
    /// Whether operations of SPECweb99 are sent as such: POSTs too, and answers that a script makes out of a file
    /// ([`Trace::is_scripted`](hotset_trace::Trace::is_scripted)) by the URL of the script.
    pub specweb99: bool,
    /// Whether a `?` in a path begins a query (the rule `keep`) rather than being part of a name.
    pub queries: bool,
}

impl Default for ScheduleOptions {
    fn default() -> ScheduleOptions {
        ScheduleOptions {
            pace: Pace::Trace(1.0),
            from: None,
            to: None,
            sites: Vec::new(),
            sort_window: DEFAULT_SORT_WINDOW,
            gap_max: None,
            ramp: Duration::ZERO,
            counting: CountingRule::Default,
            specweb99: false,
            queries: false,
        }
    }
}
