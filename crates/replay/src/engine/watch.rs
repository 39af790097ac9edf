//! Telling whoever watches how far a replay is, and ending it when asked to.

use std::sync::atomic::Ordering;
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use super::shared::Shared;
use crate::{Observer, Progress};

/// How often the observer is asked.
const OBSERVED_EVERY: Duration = Duration::from_millis(50);

/// Tells the observer how far it is, until all threads have ended; `count` are the requests in all, where that is known.
pub fn watch<T>(
    count: Option<u64>,
    shared: &Shared,
    observer: &dyn Observer,
    threads: &[ScopedJoinHandle<'_, T>],
) {
    while threads.iter().any(|thread| !thread.is_finished()) {
        observer.progress(&progress(shared, count));
        if observer.interrupted() {
            shared.stop.store(true, Ordering::Relaxed);
        }
        thread::sleep(OBSERVED_EVERY);
    }
    observer.progress(&progress(shared, count));
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
