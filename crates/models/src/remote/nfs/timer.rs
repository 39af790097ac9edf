//! When a timer of the kernel goes off: later than it was set to, at a tick that many timers share (`calc_index`, `kernel/time/timer.c` of
//! Linux 6.1).

/// Debian's kernel ticks 250 times in a second (`CONFIG_HZ`), nanoseconds.
const TICK_NS: u64 = 4_000_000;
/// Below so many ticks, a timer is set to the tick (`LVL_START`); below eight times as many to one of eight ticks, and so on.
const EXACT_TICKS: u64 = 63;

/// When a timer goes off that is set at `now_ns`.
pub(super) fn fires_ns(now_ns: u64, delay_ns: u64) -> u64 {
    let (mut most_ns, mut grain_ns) = (EXACT_TICKS * TICK_NS, TICK_NS);
    while delay_ns >= most_ns {
        most_ns = most_ns.saturating_mul(8);
        grain_ns *= 8;
    }
    (now_ns.saturating_add(delay_ns) / grain_ns + 1).saturating_mul(grain_ns)
}
