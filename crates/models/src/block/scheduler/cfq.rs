//! CFQ, complete fairness: slices of time for processes (`block/cfq-iosched.c`, Linux 2.6.18 to 4.20; here for reads of one
//! priority).

use super::choice::{Choice, Scheduler};
use super::readers::Readers;
use crate::block::Request;

/// A process's slice (`cfq_slice_sync`, HZ / 10).
const SLICE_NS: u64 = 100_000_000;
/// The longest that it waits for the process's next read (`cfq_slice_idle`, HZ / 125).
const WAITS_NS: u64 = 8_000_000;
/// How far it goes back (`cfq_back_max`, 16 * 1024 KiB).
const BACK_BYTES: u64 = 16 << 20;

/// The process whose slice it is.
#[derive(Clone, Copy, Debug)]
struct Slice {
    reader: u32,
    since_ns: u64,
    /// Requests that the disk has of it.
    handed_over: u32,
    /// When the last of them was served.
    served_ns: u64,
}

/// Processes take turns.
#[derive(Debug, Default)]
pub(super) struct Cfq {
    readers: Readers,
    slice: Option<Slice>,
}

impl Cfq {
    /// What is done in the slice, unless it is over.
    fn go_on(&mut self, now_ns: u64) -> Option<Choice> {
        let slice = self.slice.as_mut()?;
        let end_ns = slice.since_ns + SLICE_NS;
        if now_ns >= end_ns {
            return None;
        }
        if let Some(request) = self.readers.take(slice.reader, BACK_BYTES) {
            slice.handed_over += 1;
            return Some(Choice::Serve(request));
        }
        if slice.handed_over > 0 {
            return Some(Choice::None);
        }
        let until_ns = end_ns.min(slice.served_ns + WAITS_NS);
        let waits = now_ns < until_ns && self.readers.asks_within(slice.reader, WAITS_NS);
        waits.then_some(Choice::Idle { until_ns })
    }

    fn end_slice(&mut self, now_ns: u64) {
        if let Some(slice) = self.slice.take() {
            let used_ns = now_ns - slice.since_ns;
            self.readers.give(slice.reader, used_ns as f64);
        }
    }
}

impl Scheduler for Cfq {
    fn add(&mut self, now_ns: u64, request: Request) {
        self.readers.add(now_ns, request);
    }

    fn next(&mut self, now_ns: u64) -> Choice {
        if let Some(choice) = self.go_on(now_ns) {
            return choice;
        }
        self.end_slice(now_ns);
        let Some(reader) = self.readers.least_given() else {
            return Choice::None;
        };
        self.readers.begin(reader);
        self.slice = Some(Slice {
            reader,
            since_ns: now_ns,
            handed_over: 0,
            served_ns: now_ns,
        });
        self.go_on(now_ns).unwrap_or(Choice::None)
    }

    fn served(&mut self, now_ns: u64, request: &Request) {
        self.readers.answered(now_ns, request.reader);
        let slice = self.slice.as_mut().filter(|it| it.reader == request.reader);
        if let Some(slice) = slice {
            slice.handed_over = slice.handed_over.saturating_sub(1);
            slice.served_ns = now_ns;
        }
    }
}
