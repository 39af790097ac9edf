//! Logs as requests for files, with their times where they come by the clock.

use std::sync::Arc;

use hotset_models::tiers::{File, Traffic};
use hotset_plan::PlanOptions;
use hotset_report::number;
use hotset_trace::{NO_OBJECT, TraceOrigin};

use crate::error::{refuse, refused};
use crate::input::no_access;
use crate::{Input, JobError};

/// Requests that are to be left when caches are warm: a rate is between two.
const LEAST_MEASURED: usize = 2;

/// The requests of each replication.
pub(super) struct Replayed<'i> {
    input: &'i Input,
    name: String,
    are_timed: bool,
    seed: u64,
    /// Those of the first, and of all where nothing is rebuilt.
    first: Arc<Traffic>,
}

impl<'i> Replayed<'i> {
    /// As [`requests`].
    ///
    /// # Errors
    /// As there.
    pub fn new(
        input: &'i Input,
        name: String,
        are_timed: bool,
        seed: u64,
    ) -> Result<Self, JobError> {
        let first = Arc::new(requests(input, &name, are_timed, seed)?);
        Ok(Self::with(input, name, are_timed, seed, first))
    }

    /// The same where those of the first replication are known already.
    pub fn with(
        input: &'i Input,
        name: String,
        are_timed: bool,
        seed: u64,
        first: Arc<Traffic>,
    ) -> Self {
        Self {
            input,
            name,
            are_timed,
            seed,
            first,
        }
    }

    /// Those of the replication of this number.
    ///
    /// # Errors
    /// As [`requests`].
    pub fn of(&self, number: u64) -> Result<Arc<Traffic>, JobError> {
        if number == 0 || !self.are_timed {
            return Ok(Arc::clone(&self.first));
        }
        let seed = self.seed.wrapping_add(number);
        requests(self.input, &self.name, self.are_timed, seed).map(Arc::new)
    }

    /// Whether replications differ in them: where times are finer than a second, nothing is rebuilt.
    ///
    /// # Errors
    /// As [`requests`].
    pub fn are_random(&self) -> Result<bool, JobError> {
        Ok(self.are_timed && self.of(1)? != self.first)
    }
}

/// The requests of `input`, called `name` in messages: in the order of the log, or by the clock where they `are_timed`. The first part
/// warms caches up: as much of them as a plan learns from.
///
/// # Errors
/// No request that reads a file, and requests without times where they are needed.
pub(super) fn requests(
    input: &Input,
    name: &str,
    are_timed: bool,
    seed: u64,
) -> Result<Traffic, JobError> {
    let trace = &input.trace;
    let all = &trace.requests;
    let is_read = |&row: &usize| all.access[row] && all.object[row] != NO_OBJECT;
    let mut rows: Vec<usize> = (0..all.len()).filter(is_read).collect();
    if rows.is_empty() {
        return Err(refused(no_access(name, &input.summary)));
    }
    if trace.objects.size.iter().all(|&bytes| bytes <= 1) {
        refuse!(
            "{name}: its requests do not tell how large files are, so what disks and links do cannot be simulated; have the server \
             log the bytes that it sends"
        );
    }
    let (times_ns, connections) = match are_timed {
        true => times_and_connections(input, name, &mut rows, seed)?,
        false => <(Vec<u64>, Vec<u32>)>::default(),
    };
    let warm_up = (rows.len() as f64 * PlanOptions::new(0).training_share) as usize;
    if rows.len() - warm_up < LEAST_MEASURED {
        refuse!(
            "{name}: {} too few: the first ones warm the caches up, and {LEAST_MEASURED} at least are to be measured; name a longer log",
            number::counted(rows.len() as u64, "request is", "requests are")
        );
    }
    let objects = trace.objects.site.iter().zip(&trace.objects.size);
    Ok(Traffic {
        sites: trace.sites.clone(),
        files: objects
            .map(|(&site, &bytes)| File { site, bytes })
            .collect(),
        requests: rows.iter().map(|&row| all.object[row]).collect(),
        times_ns,
        connections,
        warm_up,
    })
}

/// When requests come, nanoseconds from the first, and on which connection each, as `hotset replay` has them; `rows` are put into the order of their
/// times.
fn times_and_connections(
    input: &Input,
    name: &str,
    rows: &mut [usize],
    seed: u64,
) -> Result<(Vec<u64>, Vec<u32>), JobError> {
    if input.trace.origin == TraceOrigin::Untimed {
        refuse!(
            "{name}: its requests have no times, so they cannot come by the clock; give the scenario a [[client]]"
        );
    }
    let sessions = input.sessions(seed);
    let times_us = sessions.time_us;
    rows.sort_by_key(|&row| times_us[row]);
    let first_us = rows.first().map_or(0, |&row| times_us[row]);
    let since = |&row: &usize| times_us[row].abs_diff(first_us).checked_mul(1000);
    let times_ns: Option<Vec<u64>> = rows.iter().map(since).collect();
    let Some(times_ns) = times_ns else {
        refuse!(
            "{name}: its requests are more than 584 years apart, which no simulated clock has; leave those with a wrong date out with --from and --to"
        );
    };
    // Without clients in a log all requests would be of one.
    let connections = match input.trace.clients.is_empty() {
        true => Vec::new(),
        false => {
            let connection = |&row: &usize| sessions.connection[row];
            rows.iter().map(connection).collect()
        }
    };
    Ok((times_ns, connections))
}
