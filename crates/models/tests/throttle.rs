//! The throttle of programs that write, beside a plain form of the kernel's own arithmetic.

use hotset_models::page_cache::UnwrittenPages;
use hotset_models::write_back::{Dirtier, Limits, Throttle};
use hotset_scenario::Writing;
use proptest::prelude::*;

/// What a writer is told.
trait Balances {
    /// The pause of `writer`, nanoseconds, and whether it is looked at again afterwards; nothing where it goes on.
    fn balance(&mut self, now_ns: u64, pages: UnwrittenPages, writer: usize)
    -> Option<(u64, bool)>;
    /// Pages that `writer` may make dirty before it is looked at.
    fn room(&self, writer: usize) -> u64;
    fn note_dirtied(&mut self, writer: usize, pages: u64);
}

/// The model's.
struct Modelled {
    throttle: Throttle,
    dirtiers: Vec<Dirtier>,
}

impl Balances for Modelled {
    fn balance(
        &mut self,
        now_ns: u64,
        pages: UnwrittenPages,
        writer: usize,
    ) -> Option<(u64, bool)> {
        let dirtier = &mut self.dirtiers[writer];
        let pause = self.throttle.balance(now_ns, pages, dirtier)?;
        Some((pause.ns, pause.again))
    }

    fn room(&self, writer: usize) -> u64 {
        self.throttle.room(&self.dirtiers[writer])
    }

    fn note_dirtied(&mut self, writer: usize, pages: u64) {
        self.dirtiers[writer].dirtied += pages;
    }
}

const HZ: i64 = 1000;
/// `RATELIMIT_CALC_SHIFT`.
const SHIFT: u32 = 10;
const INIT_BW: i64 = 25600;
/// `DIRTY_POLL_THRESH`.
const POLL: i64 = 32;

fn log2(value: i64) -> i64 {
    i64::from(value.max(1).ilog2())
}

#[derive(Clone, Copy)]
struct Task {
    nr_dirtied: i64,
    nr_dirtied_pause: i64,
    dirty_paused_when: i64,
}

/// As `mm/page-writeback.c` of Linux 6.18 computes it for one device: whole jiffies of a millisecond, whole pages.
struct Kernel {
    thresh: i64,
    bg_thresh: i64,
    write_bandwidth: i64,
    avg_write_bandwidth: i64,
    dirty_ratelimit: i64,
    balanced_dirty_ratelimit: i64,
    bw_time_stamp: i64,
    dirtied_stamp: i64,
    written_stamp: i64,
    dirty_exceeded: bool,
    tasks: Vec<Task>,
}

impl Kernel {
    fn new(limits: Limits, writers: usize) -> Self {
        let task = Task {
            nr_dirtied: 0,
            nr_dirtied_pause: POLL,
            dirty_paused_when: 0,
        };
        Self {
            thresh: limits.limit as i64,
            bg_thresh: limits.background as i64,
            write_bandwidth: INIT_BW,
            avg_write_bandwidth: INIT_BW,
            dirty_ratelimit: INIT_BW,
            balanced_dirty_ratelimit: INIT_BW,
            bw_time_stamp: 0,
            dirtied_stamp: 0,
            written_stamp: 0,
            dirty_exceeded: false,
            tasks: vec![task; writers],
        }
    }

    fn setpoint(&self) -> i64 {
        ((self.thresh + self.bg_thresh) / 2 + self.thresh) / 2
    }

    fn position_ratio(&self, dirty: i64) -> i64 {
        let (limit, setpoint) = (self.thresh, self.setpoint());
        if dirty >= limit {
            return 0;
        }
        let x = ((setpoint - dirty) << SHIFT) / ((limit - setpoint) | 1);
        let mut pos_ratio = x;
        pos_ratio = (pos_ratio * x) >> SHIFT;
        pos_ratio = (pos_ratio * x) >> SHIFT;
        pos_ratio = (pos_ratio + (1 << SHIFT)).clamp(0, 2 << SHIFT);
        // The device has the whole share: `x` of the control line is one.
        let span = 8 * self.avg_write_bandwidth;
        let x_intercept = setpoint + span;
        match dirty < x_intercept - span / 4 {
            true => pos_ratio * (x_intercept - dirty) / ((x_intercept - setpoint) | 1),
            false => pos_ratio / 4,
        }
    }

    fn update_bandwidth(&mut self, now: i64, pages: UnwrittenPages, pos_ratio: i64) {
        let elapsed = (now - self.bw_time_stamp).max(1);
        let (dirtied, written) = (pages.dirtied as i64, pages.written as i64);
        let dirty = (pages.dirty + pages.writing) as i64;
        // wb_update_dirty_ratelimit
        let write_bw = self.avg_write_bandwidth;
        let dirty_rate = (dirtied - self.dirtied_stamp) * HZ / elapsed;
        let task_ratelimit = ((self.dirty_ratelimit * pos_ratio) >> SHIFT) + 1;
        let balanced = (task_ratelimit * write_bw / (dirty_rate | 1)).min(write_bw);
        let mut step = 0;
        if dirty < self.setpoint() {
            let x = self
                .balanced_dirty_ratelimit
                .min(balanced)
                .min(task_ratelimit);
            if self.dirty_ratelimit < x {
                step = x - self.dirty_ratelimit;
            }
        } else {
            let x = self
                .balanced_dirty_ratelimit
                .max(balanced)
                .max(task_ratelimit);
            if self.dirty_ratelimit > x {
                step = self.dirty_ratelimit - x;
            }
        }
        let shift = self.dirty_ratelimit / (2 * step + 1);
        step = match shift < 64 {
            true => ((step >> shift.min(62)) + 7) / 8,
            false => 0,
        };
        match self.dirty_ratelimit < balanced {
            true => self.dirty_ratelimit += step,
            false => self.dirty_ratelimit -= step,
        }
        self.dirty_ratelimit = self.dirty_ratelimit.max(1);
        self.balanced_dirty_ratelimit = balanced;
        // wb_update_write_bandwidth
        let period = 4096;
        let (old, mut avg) = (self.write_bandwidth, self.avg_write_bandwidth);
        let mut bw = (written - self.written_stamp) * HZ;
        if elapsed > period {
            bw /= elapsed;
            avg = bw;
        } else {
            bw = (bw + old * (period - elapsed)) >> 12;
            if avg > old && old >= bw {
                avg -= (avg - old) >> 3;
            }
            if avg < old && old <= bw {
                avg += (old - avg) >> 3;
            }
        }
        (self.write_bandwidth, self.avg_write_bandwidth) = (bw, avg.max(1));
        (self.bw_time_stamp, self.dirtied_stamp, self.written_stamp) = (now, dirtied, written);
    }

    fn max_pause(&self, dirty: i64) -> i64 {
        let t = dirty / (1 + self.avg_write_bandwidth / 128) + 1;
        t.min(HZ / 5)
    }

    /// The least pause, and `nr_dirtied_pause`.
    fn min_pause(&self, max_pause: i64, task_ratelimit: i64) -> (i64, i64) {
        let (hi, lo) = (log2(self.avg_write_bandwidth), log2(self.dirty_ratelimit));
        let mut t = HZ / 100;
        if hi > lo {
            t += (hi - lo) * (10 * HZ) / 1024;
        }
        t = t.min(1 + max_pause / 2);
        let mut pages = self.dirty_ratelimit * t / 1024;
        if pages < POLL {
            t = max_pause;
            pages = self.dirty_ratelimit * t / 1024;
            if pages > POLL {
                pages = POLL;
                t = HZ * POLL / self.dirty_ratelimit;
            }
        }
        let pause = HZ * pages / (task_ratelimit + 1);
        if pause > max_pause {
            t = max_pause;
            pages = task_ratelimit * t / 1024;
        }
        let least = if pages >= POLL { 1 + t / 2 } else { t };
        (least, pages)
    }
}

impl Balances for Kernel {
    fn balance(
        &mut self,
        now_ns: u64,
        pages: UnwrittenPages,
        writer: usize,
    ) -> Option<(u64, bool)> {
        let mut now = (now_ns / 1_000_000) as i64;
        let dirty = (pages.dirty + pages.writing) as i64;
        self.dirty_exceeded = dirty > self.thresh;
        if dirty <= (self.thresh + self.bg_thresh) / 2 {
            let interval = match self.thresh > dirty {
                true => 1 << (log2(self.thresh - dirty) / 2),
                false => 1,
            };
            self.tasks[writer] = Task {
                nr_dirtied: 0,
                nr_dirtied_pause: interval,
                dirty_paused_when: now,
            };
            return None;
        }
        let pos_ratio = self.position_ratio(dirty);
        if now - self.bw_time_stamp > HZ / 5 {
            self.update_bandwidth(now, pages, pos_ratio);
        }
        let task_ratelimit = (self.dirty_ratelimit * pos_ratio) >> SHIFT;
        let max_pause = self.max_pause(dirty);
        let (min_pause, nr_dirtied_pause) = self.min_pause(max_pause, task_ratelimit);
        let task = &mut self.tasks[writer];
        let mut pause = max_pause;
        if task_ratelimit > 0 {
            let period = HZ * task.nr_dirtied / task_ratelimit;
            pause = period - (now - task.dirty_paused_when);
            if pause < min_pause {
                if pause < -HZ {
                    (task.dirty_paused_when, task.nr_dirtied) = (now, 0);
                } else if period > 0 {
                    task.dirty_paused_when += period;
                    task.nr_dirtied = 0;
                } else if task.nr_dirtied <= task.nr_dirtied_pause {
                    task.nr_dirtied_pause += task.nr_dirtied;
                }
                return None;
            }
            if pause > max_pause {
                now += (pause - max_pause).min(max_pause);
                pause = max_pause;
            }
            task.nr_dirtied = 0;
        }
        task.dirty_paused_when = now + pause;
        task.nr_dirtied_pause = nr_dirtied_pause;
        Some((pause as u64 * 1_000_000, task_ratelimit == 0))
    }

    fn room(&self, writer: usize) -> u64 {
        let task = self.tasks[writer];
        let after = match self.dirty_exceeded {
            true => task.nr_dirtied_pause.min(8),
            false => task.nr_dirtied_pause,
        };
        (after - task.nr_dirtied).max(1) as u64
    }

    fn note_dirtied(&mut self, writer: usize, pages: u64) {
        self.tasks[writer].nr_dirtied += pages as i64;
    }
}

/// What a minute of writers came to, of which the second half counts. It has pages a second that were written, the mean of dirty pages, and
/// how far these were beyond the limit at most.
#[derive(Debug)]
struct Minute {
    rate: f64,
    dirty: f64,
    beyond: u64,
    /// Pauses, and the longest of them, nanoseconds.
    pauses: u64,
    longest_ns: u64,
}

const END_NS: u64 = 60_000_000_000;
/// What a page takes a writer, nanoseconds: 8 GB/s.
const PAGE_NS: u64 = 500;

/// Writers that write as fast as they may, on a device that writes so many pages a second while more is dirty than the background limit.
fn minute(balances: &mut impl Balances, limits: Limits, writers: usize, device: f64) -> Minute {
    let mut next: Vec<(u64, usize)> = (0..writers).map(|it| (it as u64, it)).collect();
    let mut looked_at = vec![false; writers];
    let mut pages = UnwrittenPages::default();
    let (mut now_ns, mut owed) = (0, 0.0);
    let (mut sum, mut half, mut beyond) = (0.0, None, 0);
    let (mut pauses, mut longest_ns) = (0, 0);
    while now_ns < END_NS {
        next.sort_unstable();
        let (at_ns, writer) = next[0];
        if pages.dirty > limits.background {
            owed += device * (at_ns - now_ns) as f64 / 1e9;
        }
        let written = (owed as u64).min(pages.dirty);
        owed -= written as f64;
        pages.dirty -= written;
        pages.written += written;
        if at_ns > END_NS / 2 {
            half.get_or_insert(pages.written);
            sum += (at_ns - now_ns) as f64 * pages.dirty as f64;
        }
        now_ns = at_ns;
        let pause = match looked_at[writer] {
            true => balances.balance(now_ns, pages, writer),
            false => None,
        };
        if let Some((pause_ns, again)) = pause {
            pauses += 1;
            longest_ns = longest_ns.max(pause_ns);
            looked_at[writer] = again;
            next[0].0 = now_ns + pause_ns;
            continue;
        }
        let room = balances.room(writer).max(1);
        balances.note_dirtied(writer, room);
        pages.dirty += room;
        pages.dirtied += room;
        beyond = beyond.max(pages.dirty.saturating_sub(limits.limit));
        looked_at[writer] = true;
        next[0].0 = now_ns + room * PAGE_NS;
    }
    let counted_s = END_NS as f64 / 2e9;
    Minute {
        rate: (pages.written - half.unwrap_or(0)) as f64 / counted_s,
        dirty: sum / (END_NS as f64 / 2.0),
        beyond,
        pauses,
        longest_ns,
    }
}

fn both(limits: Limits, writers: usize, device: f64) -> [Minute; 2] {
    let mut modelled = Modelled {
        throttle: Throttle::new(limits),
        dirtiers: vec![Dirtier::default(); writers],
    };
    let mut kernel = Kernel::new(limits, writers);
    [
        minute(&mut modelled, limits, writers, device),
        minute(&mut kernel, limits, writers, device),
    ]
}

fn of(memory_bytes: u64, writing: Writing) -> Limits {
    Limits::of(&writing, memory_bytes / 4096)
}

#[test]
fn limits_are_shares_of_memory_or_bytes_and_the_lower_one_stays_below() {
    let limits = of(4096 * 1000, Writing::default());
    assert_eq!((limits.background, limits.limit), (100, 200));
    assert_eq!((limits.free_run(), limits.setpoint()), (150, 175));
    let bytes = Writing {
        dirty_limit_bytes: Some(4096 * 50),
        ..Writing::default()
    };
    let limits = of(4096 * 1000, bytes);
    assert_eq!((limits.background, limits.limit), (25, 50));
    let all = Writing {
        dirty_limit_bytes: Some(1 << 40),
        dirty_background_bytes: Some(4097),
        ..Writing::default()
    };
    let limits = of(4096 * 1000, all);
    assert_eq!((limits.background, limits.limit), (2, 1 << 28), "as told");
}

#[test]
fn a_program_runs_freely_up_to_the_middle_between_both_limits() {
    let limits = of(1 << 30, Writing::default());
    let mut throttle = Throttle::new(limits);
    let mut dirtier = Dirtier::default();
    let pages = |dirty| UnwrittenPages {
        dirty,
        dirtied: dirty,
        ..UnwrittenPages::default()
    };
    assert_eq!(throttle.room(&dirtier), 32);
    dirtier.dirtied = 32;
    let free = pages(limits.free_run());
    assert_eq!(throttle.balance(0, free, &mut dirtier), None);
    // About the root of what is left to the limit: 13108 pages.
    assert_eq!(throttle.room(&dirtier), 64);
    dirtier.dirtied = 64;
    let full = throttle
        .balance(1000, pages(limits.limit), &mut dirtier)
        .unwrap();
    assert!(full.again, "{full:?}");
    assert_eq!(full.ns, 200_000_000, "the longest pause");
}

#[test]
fn writers_get_the_devices_rate_with_the_dirty_pages_near_the_setpoint() {
    let limits = of(1 << 30, Writing::default());
    for (writers, device) in [(1, 10_000.0), (1, 60_000.0), (4, 10_000.0), (16, 2_500.0)] {
        let [modelled, kernel] = both(limits, writers, device);
        for minute in [&modelled, &kernel] {
            let share = minute.rate / device;
            assert!(
                (0.95..1.02).contains(&share),
                "{writers} × {device}: {minute:?}"
            );
            assert!(minute.longest_ns <= 201_000_000, "{minute:?}");
            assert!(minute.pauses > 100, "{minute:?}");
        }
        let apart = (modelled.dirty - kernel.dirty).abs() / limits.limit as f64;
        assert!(
            apart < 0.05,
            "{writers} × {device}: {modelled:?}, {kernel:?}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_model_holds_as_many_pages_dirty_as_the_kernels_arithmetic(
        mib in 64u64..4096,
        percent in 2.0f64..40.0,
        background in 0.2f64..0.9,
        writers in 1usize..9,
        device in 500.0f64..100_000.0,
    ) {
        let writing = Writing {
            dirty_limit_ratio: percent,
            dirty_background_ratio: percent * background,
            ..Writing::default()
        };
        let limits = of(mib << 20, writing);
        // What the device writes in 20 ms comes and goes between two looks of the writers: means differ by a seventh there.
        prop_assume!(limits.limit as f64 > 0.02 * device);
        let [modelled, kernel] = both(limits, writers, device);
        let apart = (modelled.dirty - kernel.dirty).abs() / limits.limit as f64;
        prop_assert!(apart < 0.12, "{limits:?}: {modelled:?}, {kernel:?}");
        let share = modelled.rate / kernel.rate.max(1.0);
        prop_assert!((0.9..1.1).contains(&share), "{limits:?}: {modelled:?}, {kernel:?}");
        // A writer's share before it is looked at: what it writes in its longest pause, at most.
        let chunk = (25_600.0 * 0.2) as u64 * writers as u64;
        prop_assert!(modelled.beyond <= chunk, "{limits:?}: {modelled:?}");
    }
}
