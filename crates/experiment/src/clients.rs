//! Clients that each ask, wait for the response and ask again: the replay engine's closed loop, held to answers that are
//! right.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use hotset_outcome::Score;
use hotset_replay::{
    ClientLimit, ClosedLoad, Endpoint, HostHeader, Load, Observer, Options, Pause, Progress,
    ReplayResult, Schedule, replay,
};

use crate::ExperimentError;
use hotset_lab::Control;

/// The longest a response may take: 16 files of 64 MiB, the largest of the workload classes, through a disk of 4 MB/s.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// Who asks whom for what.
#[derive(Clone, Debug)]
pub struct Clients<'a> {
    /// What it is, for messages.
    pub name: &'a str,
    /// Whom they ask.
    pub server: SocketAddr,
    /// What they call it.
    pub host: HostHeader,
    /// Its times do not matter.
    pub schedule: &'a Schedule,
    /// Clients, which take rows in order, each the next one that is free.
    pub clients: usize,
    /// Over and over until it has passed; every row once where there is none.
    pub duration: Option<Duration>,
}

impl Clients<'_> {
    /// Asks. Loops that share `watch` end together: when the run is to end, and when a request of one of them fails, since
    /// what is measured beside a failure is of no use.
    ///
    /// # Errors
    /// When a response is not what was asked for. An interruption is none here, since it may be another loop's failure:
    /// see [`ReplayResult::interrupted`].
    pub fn run(&self, watch: &Watch<'_>) -> Result<ReplayResult, ExperimentError> {
        let asked = self.ask(watch);
        asked.map_err(|problem| {
            watch.end();
            ExperimentError::Unusable(format!("{}, http://{}: {problem}", self.name, self.server))
        })
    }

    fn ask(&self, watch: &Watch<'_>) -> Result<ReplayResult, String> {
        let endpoint = Endpoint::resolve(&format!("http://{}", self.server));
        let options = Options {
            host: self.host.clone(),
            load: Load::Closed(ClosedLoad {
                clients: self.clients,
                pause: Pause::NONE,
                duration: self.duration,
            }),
            response_timeout: PATIENCE,
            ..Options::new(endpoint.map_err(|error| error.to_string())?)
        };
        let replayed = replay(self.schedule, &options, watch).map_err(|error| error.to_string())?;
        match problem(&replayed) {
            Some(problem) => Err(problem),
            None => Ok(replayed),
        }
    }
}

/// Why answers cannot be used: requests that failed, answers of another length than their files.
pub(crate) fn problem(replayed: &ReplayResult) -> Option<String> {
    let total = &replayed.total;
    if let Some((kind, count)) = total.errors.iter().next() {
        let requests = total.requests;
        return Some(format!(
            "{count} of {requests} requests failed: {}",
            kind.name()
        ));
    }
    let wrong = total.wrong_length;
    (wrong > 0).then(|| format!("{wrong} responses have another length than their files"))
}

/// Why the client could not send in time.
pub(crate) fn limit_in_words(limit: &ClientLimit) -> String {
    match limit {
        ClientLimit::Busy { share } => format!(
            "a thread of the client was busy for {:.0} % of the time",
            share * 100.0
        ),
        ClientLimit::Late { p99_us } => {
            format!("1 % of the requests were sent {p99_us} µs late or later")
        }
        ClientLimit::FileDescriptors { connections } => {
            format!("the client may open no more than {connections} connections")
        }
        _ => "the client was the limit".to_owned(),
    }
}

/// What clients got, failed requests counted.
pub(crate) fn score(replayed: &ReplayResult) -> Score {
    let total = &replayed.total;
    Score {
        requests: Some(total.answered()),
        errors: Some(total.errors.total()),
        bytes: Some(total.bytes),
        throughput_per_s: Some(replayed.achieved_rate),
        latencies: total.latencies(),
        ..Score::default()
    }
}

/// Does something for all `items` at once, each in a thread of its own, and waits for all; `broken`: what is said of one that panics.
pub(crate) fn at_once<I: Sync, T: Send>(
    items: &[I],
    broken: &str,
    run: impl Fn(&I) -> Result<T, ExperimentError> + Sync,
) -> Result<Vec<T>, ExperimentError> {
    let run = &run;
    let done: Vec<Result<T, ExperimentError>> = thread::scope(|scope| {
        let threads = items.iter().map(|item| scope.spawn(move || run(item)));
        let threads: Vec<_> = threads.collect();
        let broke = |_| Err(ExperimentError::Unusable(broken.to_owned()));
        let done = threads.into_iter();
        done.map(|it| it.join().unwrap_or_else(broke)).collect()
    });
    done.into_iter().collect()
}

/// Ends closed loops.
pub struct Watch<'c> {
    control: &'c dyn Control,
    failed: AtomicBool,
    /// When they end whatever is under way.
    end: Option<Instant>,
}

/// What a loop takes to begin, so that none is ended before its time.
const BEGINNING: Duration = Duration::from_millis(250);

impl<'c> Watch<'c> {
    /// Ends them when `control` says so.
    pub fn new(control: &'c dyn Control) -> Self {
        Self {
            control,
            failed: AtomicBool::new(false),
            end: None,
        }
    }

    /// Ends them soon after this time even where answers are still awaited. The loops count as interrupted then.
    pub fn until(self, duration: Duration) -> Self {
        Self {
            end: Some(Instant::now() + duration + BEGINNING),
            ..self
        }
    }

    fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    fn end(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }
}

impl Observer for Watch<'_> {
    fn progress(&self, progress: &Progress) {
        if progress.errors > 0 {
            self.end();
        }
    }

    fn interrupted(&self) -> bool {
        self.failed.load(Ordering::Relaxed) || self.is_over() || self.control.interrupted()
    }
}
