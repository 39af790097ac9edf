//! Ticks of the kernel's clock.

use std::hint;

use rustix::time::{ClockId, clock_gettime};

/// Works until the next tick has come. Times of change are those of the last tick (`ktime_get_coarse_real_ts64_mg`,
/// `kernel/time/timekeeping.c`), so a file's is new with the first write after it.
pub(crate) fn wait_for_tick() {
    let last = || {
        let time = clock_gettime(ClockId::RealtimeCoarse);
        (time.tv_sec, time.tv_nsec)
    };
    let before = last();
    while last() == before {
        hint::spin_loop();
    }
}
