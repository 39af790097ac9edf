//! The requests that are sent: those of the trace that the plan was not made from.

use crate::Costs;
use hotset_plan::PlanOptions;
use hotset_replay::Schedule;
use hotset_trace::{Trace, encoded_path};
use std::ops::Range;

/// Time that they may take before the plan is applied, as predicted, microseconds. With all that goes around them the demo stays
/// below a minute.
const MOST_US: f64 = 12e6;

/// Requests in the order of the trace.
pub struct Requests<'a> {
    pub(crate) trace: &'a Trace,
    rows: Range<usize>,
}

impl<'a> Requests<'a> {
    /// The first requests behind the part of the trace that plans are made from: as many as there is time for, and at most so
    /// many.
    pub fn unseen(trace: &'a Trace, costs: &Costs, most: Option<usize>) -> Self {
        let all = trace.requests.len();
        let first = (all as f64 * PlanOptions::new(0).training_share).ceil() as usize;
        let end = first.saturating_add(most.unwrap_or(all)).min(all);
        let mut left_us = MOST_US;
        let has_time = |row: &usize| {
            left_us -= costs.disk.us(size(trace, *row));
            left_us > 0.0
        };
        let rows = (first..end).take_while(has_time).count();
        Self {
            trace,
            rows: first..first + rows,
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Site and file of each.
    pub fn iter(&self) -> impl Iterator<Item = (usize, u32)> {
        let requests = &self.trace.requests;
        let of = |row: usize| (usize::from(requests.site[row]), requests.object[row]);
        self.rows.clone().map(of)
    }

    /// One after the other, on one connection.
    pub(crate) fn schedule(&self) -> Schedule {
        let (trace, rows) = (self.trace, self.rows.clone());
        let target = |path| encoded_path(path).collect::<String>().into_bytes().into();
        Schedule {
            posts_to: None,
            sites: trace.sites.clone(),
            targets: trace.objects.path.iter().map(target).collect(),
            site: trace.requests.site[rows.clone()].to_vec(),
            target: trace.requests.object[rows.clone()].to_vec(),
            connection: vec![0; rows.len()],
            start_us: vec![0],
            offset_us: vec![0; rows.len()],
            expected_bytes: rows.map(|row| size(trace, row)).collect(),
        }
    }
}

fn size(trace: &Trace, row: usize) -> u64 {
    trace.objects.size[trace.requests.object[row] as usize]
}
