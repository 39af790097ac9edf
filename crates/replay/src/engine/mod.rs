//! The event loops that send a schedule and receive its responses.

mod arrival;
mod client;
mod clock;
mod exchange;
mod failures;
mod glance;
mod limits;
mod load;
mod plan;
mod poller;
mod preflight;
mod recorder;
mod request;
mod result;
mod slot;
mod stamp;
mod timers;
mod tls;
mod wall_clock;
mod wire;
mod worker;

use std::sync::atomic::Ordering;
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use rustix::thread::ClockId;

pub use client::{Answer, Client, RequestError};

use crate::{Clients, Load, Observer, Options, Progress, ReplayError, Replayed, Schedule};
use limits::Connections;
use load::Feed;
use plan::{Plan, Shared};
use recorder::Recorder;
use result::{Circumstances, replayed};
use worker::Worker;

/// How often the observer is asked.
const OBSERVED_EVERY: Duration = Duration::from_millis(50);

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
) -> Result<Replayed, ReplayError> {
    check(schedule, options)?;
    let mut plan = Plan::new(schedule, options)?;
    let connections = Connections::allowed(schedule, options)?;
    let _stamps = stamp::hold().map_err(|error| ReplayError::System {
        what: "no socket can be opened",
        source: error,
    })?;
    let reached = preflight::preflight(&mut plan, observer)?;
    let shared = Shared::new(match &options.load {
        Load::Closed(closed) => match &closed.clients {
            Clients::Shared(_) => 1,
            Clients::PerSite(clients) => clients.len(),
        },
        Load::Open => 0,
    });
    shared.stop.store(!reached, Ordering::Relaxed);
    let recorders = send(&plan, &shared, connections, observer)?;
    let circumstances = Circumstances {
        connections,
        interrupted: shared.stop.load(Ordering::Relaxed),
        ended_ns: shared.clock().now_ns(),
    };
    Ok(replayed(&plan, recorders, &circumstances))
}

fn check(schedule: &Schedule, options: &Options) -> Result<(), ReplayError> {
    let fault = |name, why: String| Err(ReplayError::Option { name, why });
    if options.connections_max == Some(0) {
        return fault(
            "connections_max",
            "0 connections send nothing; allow at least 1".into(),
        );
    }
    if options.threads == 0 {
        return fault("threads", "0 threads send nothing; use at least 1".into());
    }
    let Load::Closed(closed) = &options.load else {
        return Ok(());
    };
    if closed.clients.count() == 0 {
        return fault("clients", "0 clients send nothing; use at least 1".into());
    }
    if let Some(most) = options.connections_max
        && most < closed.clients.count()
    {
        let why = format!(
            "{most} connections are too few for {} clients",
            closed.clients.count()
        );
        return fault("connections_max", why);
    }
    match &closed.clients {
        Clients::PerSite(clients) if clients.len() != schedule.sites.len() => {
            let why = format!(
                "{} numbers for {} sites",
                clients.len(),
                schedule.sites.len()
            );
            fault("clients", why)
        }
        _ => Ok(()),
    }
}

/// Runs the threads and watches them.
fn send(
    plan: &Plan<'_>,
    shared: &Shared,
    connections: Connections,
    observer: &dyn Observer,
) -> Result<Vec<Recorder>, ReplayError> {
    let threads = plan.options.threads.min(connections.most).max(1);
    let share =
        |index| connections.most / threads + usize::from(index < connections.most % threads);
    let workers: Result<Vec<_>, _> = (0..threads)
        .map(|index| {
            Worker::new(
                plan,
                shared,
                Feed::new(plan, shared, index, threads),
                share(index),
            )
        })
        .collect();
    let workers = workers?;
    thread::scope(|scope| {
        let threads: Vec<_> = workers
            .into_iter()
            .map(|worker| scope.spawn(|| timed(worker)))
            .collect();
        watch(plan, shared, observer, &threads);
        threads.into_iter().map(joined).collect()
    })
}

/// Runs a worker and takes its share of the processor.
fn timed(worker: Worker<'_>) -> Result<Recorder, ReplayError> {
    // Timers otherwise come up to 50 µs late, which is more than a short response takes.
    let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1));
    let (cpu, wall) = (processor_time(), std::time::Instant::now());
    let mut recorder = worker.run()?;
    let wall = wall.elapsed().as_secs_f64();
    recorder.busy_share = ((processor_time() - cpu) / wall.max(1e-9)).clamp(0.0, 1.0);
    Ok(recorder)
}

/// Seconds that this thread has run.
fn processor_time() -> f64 {
    let time = rustix::time::clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Tells the observer how far it is, until all threads have ended.
fn watch<T>(
    plan: &Plan<'_>,
    shared: &Shared,
    observer: &dyn Observer,
    threads: &[ScopedJoinHandle<'_, T>],
) {
    let requests = match &plan.options.load {
        Load::Closed(closed) if closed.duration.is_some() => None,
        _ => Some(plan.schedule.site.len() as u64),
    };
    while threads.iter().any(|thread| !thread.is_finished()) {
        observer.progress(&progress(shared, requests));
        if observer.interrupted() {
            shared.stop.store(true, Ordering::Relaxed);
        }
        thread::sleep(OBSERVED_EVERY);
    }
    observer.progress(&progress(shared, requests));
}

fn progress(shared: &Shared, requests: Option<u64>) -> Progress {
    Progress {
        elapsed: Duration::from_nanos(shared.clock().now_ns()),
        finished: shared.finished.load(Ordering::Relaxed),
        errors: shared.errors.load(Ordering::Relaxed),
        bytes: shared.bytes.load(Ordering::Relaxed),
        connections: shared.connections.load(Ordering::Relaxed),
        first_byte_p99_us: shared.first_bytes.p99_us(),
        requests,
    }
}

fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    match thread.join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
