//! What one slice of a trace adds to its description, counted by dense ids.

use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
};

use hotset_trace::{Method, NO_OBJECT, Trace};

use serde::{Deserialize, Serialize};

use crate::{
    Methods, StatusClasses, TimeSpan,
    rates::{MinuteCounts, minute_of},
};

/// RFC 9110, 15.4.5.
pub(crate) const NOT_MODIFIED: u16 = 304;

/// Counts over a slice of a trace's requests, by the dense ids of the trace. Slices of one trace merge in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SliceCounts {
    /// Counts of each site, by site id.
    pub sites: Vec<SiteCounts>,
    /// Accesses of each object, by object id.
    pub accesses: Vec<u64>,
}

/// Counts over the requests of one site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteCounts {
    /// Requests.
    pub requests: u64,
    /// Requests that are not for a file.
    pub not_file_requests: u64,
    /// Requests answered 304.
    pub not_modified_requests: u64,
    /// Those of them that are not for a file.
    pub not_modified_without_file: u64,
    /// Sum of the response bytes.
    pub response_bytes: u64,
    /// Responses by class of status.
    pub status_classes: StatusClasses,
    /// Requests by method.
    pub methods: Methods,
    /// Requests by status.
    pub status_codes: BTreeMap<u16, u64>,
    /// What each client id asked for.
    pub clients: HashMap<u32, ClientCounts>,
    /// First and last request.
    pub span: Option<TimeSpan>,
    pub(crate) minutes: MinuteCounts,
}

/// What a client asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientCounts {
    /// Requests.
    pub requests: u64,
    /// Sum of the response bytes.
    pub response_bytes: u64,
}

impl SliceCounts {
    /// Counts the requests in `rows` of `trace`. Rows beyond the trace, and requests of a site or
    /// object that the trace does not list, are left out.
    pub fn of(trace: &Trace, rows: Range<usize>) -> Self {
        let mut counts = Self {
            sites: vec![SiteCounts::default(); trace.sites.len()],
            accesses: vec![0; trace.objects.len()],
        };
        let mut runs = MinuteRuns::new(trace.sites.len());
        for row in rows.start..rows.end.min(trace.requests.len()) {
            counts.count(trace, row, &mut runs);
        }
        runs.flush(&mut counts.sites);
        counts
    }

    fn count(&mut self, trace: &Trace, row: usize, runs: &mut MinuteRuns) {
        let requests = &trace.requests;
        let site = usize::from(requests.site[row]);
        let Some(counts) = self.sites.get_mut(site) else {
            return;
        };
        let time_us = requests.time_us[row];
        counts.requests += 1;
        counts.count_file(requests.object[row] != NO_OBJECT, requests.status[row]);
        counts.response_bytes = counts.response_bytes.saturating_add(requests.bytes[row]);
        counts.status_classes.count(requests.status[row], 1);
        *counts.status_codes.entry(requests.status[row]).or_default() += 1;
        counts.methods.count(requests.method[row]);
        counts.extend_span(TimeSpan {
            first_us: time_us,
            last_us: time_us,
        });
        runs.add(site, minute_of(time_us), counts);
        if !trace.clients.is_empty() {
            let client = counts.clients.entry(requests.client[row]).or_default();
            client.add(1, requests.bytes[row]);
        }
        if let Some(accesses) = self
            .accesses
            .get_mut(requests.object[row] as usize)
            .filter(|_| requests.access[row])
        {
            *accesses += 1;
        }
    }

    /// Adds the counts of `other`, of another slice of the same trace.
    pub fn merge(mut self, other: &Self) -> Self {
        self.sites
            .resize_with(self.sites.len().max(other.sites.len()), SiteCounts::default);
        self.accesses
            .resize(self.accesses.len().max(other.accesses.len()), 0);
        self.sites
            .iter_mut()
            .zip(&other.sites)
            .for_each(|(counts, more)| counts.merge(more));
        self.accesses
            .iter_mut()
            .zip(&other.accesses)
            .for_each(|(count, more)| *count += more);
        self
    }

    /// The counts of all sites together.
    pub fn total(&self) -> SiteCounts {
        let mut total = SiteCounts::default();
        self.sites.iter().for_each(|counts| total.merge(counts));
        total
    }
}

impl SiteCounts {
    fn count_file(&mut self, is_for_file: bool, status: u16) {
        let is_not_modified = status == NOT_MODIFIED;
        self.not_file_requests += u64::from(!is_for_file);
        self.not_modified_requests += u64::from(is_not_modified);
        self.not_modified_without_file += u64::from(is_not_modified && !is_for_file);
    }

    fn merge(&mut self, other: &Self) {
        self.requests += other.requests;
        self.not_file_requests += other.not_file_requests;
        self.not_modified_requests += other.not_modified_requests;
        self.not_modified_without_file += other.not_modified_without_file;
        self.response_bytes = self.response_bytes.saturating_add(other.response_bytes);
        self.status_classes.merge(&other.status_classes);
        self.methods.merge(&other.methods);
        for (status, requests) in &other.status_codes {
            *self.status_codes.entry(*status).or_default() += requests;
        }
        for (client, counts) in &other.clients {
            let known = self.clients.entry(*client).or_default();
            known.add(counts.requests, counts.response_bytes);
        }
        self.minutes.merge(&other.minutes);
        if let Some(span) = other.span {
            self.extend_span(span);
        }
    }

    fn extend_span(&mut self, span: TimeSpan) {
        self.span = Some(self.span.map_or(span, |known| known.union(span)));
    }
}

impl ClientCounts {
    pub(crate) fn add(&mut self, requests: u64, response_bytes: u64) {
        self.requests = self.requests.saturating_add(requests);
        self.response_bytes = self.response_bytes.saturating_add(response_bytes);
    }
}

impl Methods {
    fn count(&mut self, method: Method) {
        let requests = match method {
            Method::Get => &mut self.get,
            Method::Head => &mut self.head,
            Method::Post => &mut self.post,
            Method::Other => &mut self.other,
        };
        *requests += 1;
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.get = self.get.saturating_add(other.get);
        self.head = self.head.saturating_add(other.head);
        self.post = self.post.saturating_add(other.post);
        self.other = self.other.saturating_add(other.other);
    }
}

impl StatusClasses {
    pub(crate) fn count(&mut self, status: u16, requests: u64) {
        let class = match status / 100 {
            1 => &mut self.informational,
            2 => &mut self.success,
            3 => &mut self.redirection,
            4 => &mut self.client_error,
            5 => &mut self.server_error,
            _ => &mut self.other,
        };
        *class += requests;
    }

    fn merge(&mut self, other: &Self) {
        self.informational += other.informational;
        self.success += other.success;
        self.redirection += other.redirection;
        self.client_error += other.client_error;
        self.server_error += other.server_error;
        self.other += other.other;
    }
}

/// The minute each site is in: logs stay in a minute for many lines, so a map lookup a line is spared.
struct MinuteRuns(Vec<(i64, u64)>);

impl MinuteRuns {
    fn new(sites: usize) -> Self {
        Self(vec![(0, 0); sites])
    }

    fn add(&mut self, site: usize, minute: i64, counts: &mut SiteCounts) {
        let (current, requests) = &mut self.0[site];
        if *current != minute {
            if *requests > 0 {
                counts.minutes.add(*current, *requests);
            }
            (*current, *requests) = (minute, 0);
        }
        *requests += 1;
    }

    fn flush(self, counts: &mut [SiteCounts]) {
        for ((minute, requests), counts) in self.0.into_iter().zip(counts) {
            if requests > 0 {
                counts.minutes.add(minute, requests);
            }
        }
    }
}
