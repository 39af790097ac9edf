//! The event loops that send a schedule and receive its responses.
//!
//! A request's way: `load` says which one is next and when it is due, `worker/start` and `worker/next` take it,
//! `worker/open` opens a connection for it, `worker/send` sends it, `worker/receive` receives its response and
//! `worker/close` closes the connection. `exchange` does the work on the socket, for workers and for [`Client`] alike.
//! `recorder` counts what each thread measures, and `result` adds it up. `browsers` has what sessions do instead.

mod arrival;
mod browsers;
mod client;
mod client_rate;
mod clock;
mod coarse_histogram;
mod descriptors;
mod exchange;
mod load;
mod poller;
mod preflight;
mod recorder;
mod requests;
mod result;
mod shared;
mod slot;
mod stamp;
mod threads;
mod timers;
mod tls;
mod watch;
mod wire;
mod worker;

use std::sync::atomic::Ordering;
use std::thread;

use crate::{Load, Observer, Options, ReplayError, ReplayResult, Schedule};
pub use browsers::replay_sessions;
pub use client::{Answer, Client, RequestError};
use descriptors::ConnectionLimit;
use load::Feed;
use recorder::Recorder;
use requests::Requests;
use result::{EngineRun, replayed};
use shared::Shared;
use watch::watch;
use worker::Worker;

/// Sends `schedule` as `options` say and measures the responses.
///
/// One connection is made first and dropped, so that a server that is not there is one error.
/// Once requests are sent nothing ends the replay but its end or the observer; what fails is counted.
///
/// # Errors
/// [`ReplayError`]: the replay did not start.
pub fn replay(
    schedule: &Schedule,
    options: &Options,
    observer: &dyn Observer,
) -> Result<ReplayResult, ReplayError> {
    options.check()?;
    let mut requests = Requests::new(schedule, options)?;
    let connections = ConnectionLimit::allowed(schedule, options)?;
    let _stamps = stamp::hold().map_err(|error| ReplayError::System {
        what: "no socket can be opened",
        source: error,
    })?;
    let reached = preflight::preflight(&mut requests, observer)?;
    let shared = Shared::new();
    shared.stop.store(!reached, Ordering::Relaxed);
    let recorders = send(&requests, &shared, connections, observer)?;
    let run = EngineRun {
        connections,
        interrupted: shared.stop.load(Ordering::Relaxed),
        ended_ns: shared.clock().now_ns(),
    };
    Ok(replayed(&requests, recorders, &run))
}

/// Runs the threads and watches them.
fn send(
    requests: &Requests<'_>,
    shared: &Shared,
    connections: ConnectionLimit,
    observer: &dyn Observer,
) -> Result<Vec<Recorder>, ReplayError> {
    let threads = requests.options.threads.min(connections.most).max(1);
    let share =
        |index| connections.most / threads + usize::from(index < connections.most % threads);
    let workers: Result<Vec<_>, _> = (0..threads)
        .map(|index| {
            Worker::new(
                requests,
                shared,
                Feed::new(requests, shared, index, threads),
                share(index),
            )
        })
        .collect();
    let workers = workers?;
    thread::scope(|scope| {
        let running: Vec<_> = workers
            .into_iter()
            .map(|worker| scope.spawn(|| timed(worker)))
            .collect();
        watch(requests_in_all(requests), shared, observer, &running);
        running.into_iter().map(threads::joined).collect()
    })
}

/// Requests of the replay; nothing where they are sent over and over.
fn requests_in_all(requests: &Requests<'_>) -> Option<u64> {
    match &requests.options.load {
        Load::Closed(closed) if closed.duration.is_some() => None,
        _ => Some(requests.schedule.site.len() as u64),
    }
}

/// Runs a worker and takes its share of the processor.
fn timed(worker: Worker<'_>) -> Result<Recorder, ReplayError> {
    let (recorder, busy_share) = threads::timed(|| worker.run());
    let mut recorder = recorder?;
    recorder.busy_share = busy_share;
    Ok(recorder)
}
