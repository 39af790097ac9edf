//! Threads that send.

use std::num::NonZeroU64;
use std::thread::ScopedJoinHandle;
use std::time::Instant;

use rustix::thread::ClockId;

/// Does `work` on this thread, and the share of the time that it kept the thread busy.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    // Timers otherwise come up to 50 µs late, which is more than a short response takes.
    let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
    let (cpu, wall) = (processor_time(), Instant::now());
    let done = work();
    let wall = wall.elapsed().as_secs_f64();
    let share = ((processor_time() - cpu) / wall.max(1e-9)).clamp(0.0, 1.0);
    (done, share)
}

/// Seconds that this thread has run.
fn processor_time() -> f64 {
    let time = rustix::time::clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// What a thread gave; its panic goes on here.
pub fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    match thread.join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
