//! Emulated browsers: a closed loop of visitors who follow a mix.
//!
//! | deed | place |
//! | --- | --- |
//! | what is asked for next, and when | `visitor.rs` |
//! | a request as bytes of a URL or a form | `form.rs` |
//! | open, send, receive | `crowd.rs` |
//! | what a thread measured, and all together | `measured.rs` |

mod crowd;
mod form;
mod measured;
mod setting;
mod visitor;

use std::sync::atomic::Ordering;
use std::thread;

use hotset_workload::sessions::Mix;

use super::shared::Shared;
use super::{descriptors, preflight, stamp, threads, watch};
use crate::{Observer, ReplayError, SessionOptions, SessionsResult};
use crowd::Crowd;
use measured::Measured;
use setting::Setting;

/// Lets visitors of `mix` ask a server for pages, each its next when it has read the last, and measures the answers.
///
/// One connection is made first and dropped, so that a server that is not there is one error.
///
/// # Errors
/// [`ReplayError`]: the replay did not start.
pub fn replay_sessions(
    mix: &Mix,
    options: &SessionOptions,
    observer: &dyn Observer,
) -> Result<SessionsResult, ReplayError> {
    options.check()?;
    descriptors::allow(options.clients)?;
    let _stamps = stamp::hold().map_err(|source| ReplayError::System {
        what: "no socket can be opened",
        source,
    })?;
    let mut addresses = options.endpoint.addresses.clone();
    let (url, timeout) = (&options.endpoint.url, options.connect_timeout);
    let reached = preflight::reach(&mut addresses, url, timeout, observer)?.is_some();
    let setting = Setting::new(mix, options, addresses[0])?;
    let shared = Shared::new();
    shared.stop.store(!reached, Ordering::Relaxed);
    let measured = send(&setting, &shared, observer)?;
    let stopped = shared.stop.load(Ordering::Relaxed);
    Ok(measured.result(&setting, stopped.then(|| shared.clock().now_ns())))
}

/// Runs the threads and watches them.
fn send(
    setting: &Setting<'_>,
    shared: &Shared,
    observer: &dyn Observer,
) -> Result<Measured, ReplayError> {
    let threads = setting.options.threads.min(setting.options.clients);
    let crowds = (0..threads).map(|index| Crowd::new(setting, shared, index, threads));
    let crowds: Vec<Crowd<'_>> = crowds.collect::<Result<_, _>>()?;
    thread::scope(|scope| {
        let running: Vec<_> = crowds
            .into_iter()
            .map(|crowd| scope.spawn(move || run(crowd)))
            .collect();
        watch::watch(None, shared, observer, &running);
        let mut all = Measured::new(setting);
        for thread in running {
            all.merge(&threads::joined(thread)?);
        }
        Ok(all)
    })
}

/// Runs a crowd and takes its share of the processor.
fn run(crowd: Crowd<'_>) -> Result<Measured, ReplayError> {
    let (measured, busy_share) = threads::timed(|| crowd.run());
    let mut measured = measured?;
    measured.busy_share = busy_share;
    Ok(measured)
}
