//! The requests of a stretch of time.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Requests, Trace, TraceOrigin};

/// A stretch of time from which requests are taken; by default all time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Period {
    /// Its beginning; requests before it are left out.
    pub from: Option<Timestamp>,
    /// Its end; requests at it or after it are left out.
    pub to: Option<Timestamp>,
}

impl Period {
    /// Whether it leaves nothing out.
    pub fn is_all(&self) -> bool {
        self.from.is_none() && self.to.is_none()
    }
}

/// A period and the requests outside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct LeftOut {
    /// Beginning of the period; null where it has none.
    pub from: Option<Timestamp>,
    /// End of the period, which is outside it; null where it has none.
    pub to: Option<Timestamp>,
    /// Requests before it.
    pub before: u64,
    /// Requests at its end or after it.
    pub after: u64,
    /// Requests whose time is not known.
    pub without_time: u64,
}

impl LeftOut {
    /// Whether it leaves any request out.
    pub fn leaves_any_out(&self) -> bool {
        self.before + self.after + self.without_time > 0
    }
}

/// Earliest and latest time, microseconds since 1970-01-01 UTC.
#[derive(Clone, Copy, Debug)]
struct Span {
    first_us: i64,
    last_us: i64,
}

impl Span {
    const EMPTY: Span = Span {
        first_us: i64::MAX,
        last_us: i64::MIN,
    };

    #[inline]
    fn note(&mut self, time_us: i64) {
        self.first_us = self.first_us.min(time_us);
        self.last_us = self.last_us.max(time_us);
    }

    fn times(self) -> (Option<Timestamp>, Option<Timestamp>) {
        if self.first_us > self.last_us {
            return (None, None);
        }
        let time = |us| Timestamp::from_microsecond(us).ok();
        (time(self.first_us), time(self.last_us))
    }
}

/// Takes the requests of a period and keeps the times of all.
#[derive(Debug)]
pub(crate) struct TimeFilter {
    period: Period,
    from_us: i64,
    /// The last microsecond of the period.
    last_us: i64,
    taken: Span,
    left: Span,
    left_out: LeftOut,
}

impl TimeFilter {
    pub(crate) fn new(period: Period) -> TimeFilter {
        let before_end = |to: Timestamp| to.as_microsecond().saturating_sub(1);
        TimeFilter {
            period,
            from_us: period.from.map_or(i64::MIN, Timestamp::as_microsecond),
            last_us: period.to.map_or(i64::MAX, before_end),
            taken: Span::EMPTY,
            left: Span::EMPTY,
            left_out: LeftOut {
                from: period.from,
                to: period.to,
                ..LeftOut::default()
            },
        }
    }

    /// Whether a request at `time_us` is to be taken.
    #[inline]
    pub(crate) fn takes(&mut self, time_us: Option<i64>) -> bool {
        match time_us {
            Some(time) if (self.from_us..=self.last_us).contains(&time) => self.taken.note(time),
            None if self.period.is_all() => {}
            _ => {
                self.leave_out(time_us);
                return false;
            }
        }
        true
    }

    #[cold]
    fn leave_out(&mut self, time_us: Option<i64>) {
        match time_us {
            Some(time) => {
                self.left.note(time);
                self.left_out.before += u64::from(time < self.from_us);
                self.left_out.after += u64::from(time > self.last_us);
            }
            None => self.left_out.without_time += 1,
        }
    }

    /// First and last time of the requests taken.
    pub(crate) fn taken(&self) -> (Option<Timestamp>, Option<Timestamp>) {
        self.taken.times()
    }

    /// First and last time of the requests left out.
    pub(crate) fn left(&self) -> (Option<Timestamp>, Option<Timestamp>) {
        self.left.times()
    }

    /// What is left out; nothing where no period was set.
    pub(crate) fn left_out(&self) -> Option<LeftOut> {
        (!self.period.is_all()).then_some(self.left_out)
    }
}

impl Trace {
    /// First and last time of its requests; nothing where it has no times.
    pub fn span(&self) -> (Option<Timestamp>, Option<Timestamp>) {
        if self.origin == TraceOrigin::Untimed {
            return (None, None);
        }
        let mut span = Span::EMPTY;
        self.requests.time_us.iter().for_each(|&us| span.note(us));
        span.times()
    }

    /// Leaves out the requests outside `period`; which rows were kept, and what was left out.
    pub fn cut(&mut self, period: Period) -> (Vec<usize>, LeftOut) {
        let timed = self.origin == TraceOrigin::Timed;
        let mut filter = TimeFilter::new(period);
        let times = self.requests.time_us.iter().enumerate();
        let kept: Vec<usize> = times
            .filter(|(_, time)| filter.takes(timed.then_some(**time)))
            .map(|(row, _)| row)
            .collect();
        let mut requests = Requests::default();
        kept.iter()
            .for_each(|&row| requests.push(self.requests.get(row)));
        self.requests = requests;
        (kept, filter.left_out().unwrap_or_default())
    }
}
