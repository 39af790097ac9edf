//! How long programs that write are paused (`balance_dirty_pages`, `mm/page-writeback.c` of Linux 6.18).

use super::limits::Limits;
use crate::page_cache::UnwrittenPages;

/// The rate that a device is taken to write at before anything is known of it, pages a second (`INIT_BW`): 100 MiB/s.
const FIRST_RATE: f64 = 25_600.0;
/// Rates are estimated anew after so long (`BANDWIDTH_INTERVAL`), nanoseconds.
const INTERVAL_NS: u64 = 200_000_000;
/// Over how long the rate of the device is averaged (`wb_update_write_bandwidth`: three seconds, rounded up to a power of two of jiffies),
/// seconds.
const PERIOD_S: f64 = 4.096;
/// The longest pause (`MAX_PAUSE`), seconds.
const LONGEST_S: f64 = 0.2;
/// The pause that is aimed at for one program (`wb_min_pause`), seconds.
const AIMED_S: f64 = 0.01;
/// How much longer it is for each doubling of programs that write (`wb_min_pause`: 10 * HZ / 1024), seconds.
const LONGER_S: f64 = 10.0 / 1024.0;
/// Pages that a program may write before it is looked at, at first and where that is enough (`DIRTY_POLL_THRESH`, 128 KiB).
const FIRST_PAGES: u64 = 32;
/// The same where too much is dirty (`balance_dirty_pages_ratelimited_flags`: 32 KiB).
const FEW_PAGES: u64 = 8;
/// Least pages that the flusher writes of a file at a time (`MIN_WRITEBACK_PAGES`, 4 MiB).
const LEAST_CHUNK: u64 = 1024;
/// A pause that lies so far back that it is forgotten, seconds.
const FORGOTTEN_S: f64 = 1.0;

/// A program that writes (`struct task_struct`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dirtier {
    /// Pages that it has made dirty since it was looked at (`nr_dirtied`).
    pub dirtied: u64,
    /// How many it may before it is looked at again (`nr_dirtied_pause`).
    after: u64,
    /// Until when its pages so far are paid for (`dirty_paused_when`); nothing before it is looked at.
    paid_ns: Option<u64>,
}

impl Default for Dirtier {
    fn default() -> Self {
        Self {
            dirtied: 0,
            after: FIRST_PAGES,
            paid_ns: None,
        }
    }
}

/// A pause of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    /// How long, nanoseconds.
    pub ns: u64,
    /// Whether it is looked at again afterwards, before it goes on: too much was dirty.
    pub again: bool,
}

/// What is known of a device that is written to, and of all who have it written to (`struct bdi_writeback`). Rates are in pages a second.
#[derive(Clone, Debug)]
pub struct Throttle {
    limits: Limits,
    /// What the device writes (`write_bandwidth`), and the same smoother (`avg_write_bandwidth`).
    device_rate: f64,
    mean_device_rate: f64,
    /// What each program may write where the number of dirty pages is right (`dirty_ratelimit`), and what it would be by the last
    /// interval alone (`balanced_dirty_ratelimit`).
    base_rate: f64,
    balanced_rate: f64,
    /// When rates were estimated, and what had become dirty and been written by then.
    seen_ns: u64,
    seen: UnwrittenPages,
    /// Whether more is dirty than may be (`dirty_exceeded`).
    is_exceeded: bool,
}

impl Throttle {
    /// Of a device of which nothing is known.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            device_rate: FIRST_RATE,
            mean_device_rate: FIRST_RATE,
            base_rate: FIRST_RATE,
            balanced_rate: FIRST_RATE,
            seen_ns: 0,
            seen: UnwrittenPages::default(),
            is_exceeded: false,
        }
    }

    /// How much may be dirty.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Pages that a program may make dirty before it is looked at.
    #[inline]
    #[must_use]
    pub fn room(&self, dirtier: &Dirtier) -> u64 {
        let after = match self.is_exceeded {
            true => dirtier.after.min(FEW_PAGES),
            false => dirtier.after,
        };
        after.saturating_sub(dirtier.dirtied)
    }

    /// Looks at a program that has made its share of pages dirty; how long it is paused (`balance_dirty_pages`).
    pub fn balance(
        &mut self,
        now_ns: u64,
        pages: UnwrittenPages,
        dirtier: &mut Dirtier,
    ) -> Option<Pause> {
        let dirty = pages.dirty + pages.writing;
        self.is_exceeded = dirty > self.limits.limit;
        if dirty <= self.limits.free_run() {
            *dirtier = Dirtier {
                dirtied: 0,
                after: free_pages(dirty, self.limits.limit),
                paid_ns: Some(now_ns),
            };
            return None;
        }
        let ratio = self.position_ratio(dirty);
        if now_ns.saturating_sub(self.seen_ns) > INTERVAL_NS {
            self.update_base_rate(now_ns, pages, ratio);
            self.update_device_rate(now_ns, pages);
        }
        let rate = self.base_rate * ratio;
        let longest_s = self.longest_s(dirty);
        let (least_s, after) = self.least_s(longest_s, rate);
        // The kernel counts whole pages.
        if rate < 1.0 {
            return self.pause(now_ns, longest_s, (after, true), dirtier);
        }
        let period_s = dirtier.dirtied as f64 / rate;
        let paid_ns = dirtier.paid_ns.unwrap_or(now_ns);
        let pause_s = period_s - seconds(now_ns) + seconds(paid_ns);
        if pause_s >= least_s {
            // What is beyond the longest is owed no longer, as far as it is as long again.
            let forgiven_s = (pause_s - longest_s).clamp(0.0, longest_s);
            let from_ns = now_ns + nanoseconds(forgiven_s);
            return self.pause(from_ns, pause_s.min(longest_s), (after, false), dirtier);
        }
        let paid_ns = match pause_s < -FORGOTTEN_S {
            true => now_ns,
            false => paid_ns + nanoseconds(period_s),
        };
        *dirtier = Dirtier {
            dirtied: 0,
            after: dirtier.after,
            paid_ns: Some(paid_ns),
        };
        None
    }

    fn pause(
        &self,
        from_ns: u64,
        pause_s: f64,
        (after, again): (u64, bool),
        dirtier: &mut Dirtier,
    ) -> Option<Pause> {
        let ns = nanoseconds(pause_s).max(1);
        dirtier.paid_ns = Some(from_ns + ns);
        dirtier.after = after;
        if !again {
            dirtier.dirtied = 0;
        }
        Some(Pause { ns, again })
    }

    /// How many times the base rate a program may write, by how much is dirty (`wb_position_ratio`, `pos_ratio_polynom`). It is a cubic
    /// through 1 at the setpoint and 0 at the limit, times a line that falls with what is dirty.
    fn position_ratio(&self, dirty: u64) -> f64 {
        let (setpoint, limit) = (self.limits.setpoint() as f64, self.limits.limit as f64);
        let dirty = dirty as f64;
        if dirty >= limit {
            return 0.0;
        }
        let x = (setpoint - dirty) / (limit - setpoint).max(1.0);
        let cubic = (1.0 + x * x * x).clamp(0.0, 2.0);
        let span = 8.0 * self.mean_device_rate;
        match dirty < setpoint + span * 0.75 {
            true => cubic * (setpoint + span - dirty) / span.max(1.0),
            false => cubic / 4.0,
        }
    }

    /// The longest pause: an eighth of what the device takes for what is dirty, so that it is not left without work (`wb_max_pause`).
    fn longest_s(&self, dirty: u64) -> f64 {
        (dirty as f64 / 8.0 / self.mean_device_rate.max(1.0)).clamp(1e-3, LONGEST_S)
    }

    /// The shortest pause, and the pages after which a program that may write at `rate` is looked at again (`wb_min_pause`).
    fn least_s(&self, longest_s: f64, rate: f64) -> (f64, u64) {
        let doublings =
            self.mean_device_rate.max(1.0).log2().floor() - self.base_rate.max(1.0).log2().floor();
        let aimed_s = AIMED_S + doublings.max(0.0) * LONGER_S;
        let mut aimed_s = aimed_s.min(longest_s / 2.0 + 1e-3);
        let mut pages = (self.base_rate * aimed_s) as u64;
        if pages < FIRST_PAGES {
            aimed_s = longest_s;
            pages = (self.base_rate * aimed_s) as u64;
            if pages > FIRST_PAGES {
                pages = FIRST_PAGES;
                aimed_s = FIRST_PAGES as f64 / self.base_rate;
            }
        }
        if pages as f64 / (rate + 1.0) > longest_s {
            aimed_s = longest_s;
            pages = (rate * aimed_s) as u64;
        }
        let least_s = match pages >= FIRST_PAGES {
            true => aimed_s / 2.0,
            false => aimed_s,
        };
        (least_s, pages.max(1))
    }

    /// Brings the base rate nearer to what would have made as much dirty as the device has written (`wb_update_dirty_ratelimit`).
    fn update_base_rate(&mut self, now_ns: u64, pages: UnwrittenPages, ratio: f64) {
        let elapsed_s = seconds(now_ns - self.seen_ns);
        let dirty = pages.dirty + pages.writing;
        let dirtied = pages.dirtied - self.seen.dirtied;
        let dirty_rate = (dirtied as f64 / elapsed_s).max(1.0);
        let rate = self.base_rate * ratio + 1.0;
        let balanced = (rate * self.mean_device_rate / dirty_rate).min(self.mean_device_rate);
        // Both this interval and the last one must agree on the direction.
        let step = match dirty < self.limits.setpoint() {
            true => self.balanced_rate.min(balanced).min(rate) - self.base_rate,
            false => self.base_rate - self.balanced_rate.max(balanced).max(rate),
        };
        let step = step.max(0.0);
        // The nearer the slower: `step >> shift`, and an eighth of that.
        let shift = (self.base_rate / (2.0 * step + 1.0)).floor();
        let step = match shift < 64.0 {
            true => step / shift.exp2() / 8.0,
            false => 0.0,
        };
        let moved = match self.base_rate < balanced {
            true => self.base_rate + step,
            false => self.base_rate - step,
        };
        self.base_rate = moved.max(1.0);
        self.balanced_rate = balanced;
    }

    /// Takes what was written since the last time into the mean (`wb_update_write_bandwidth`).
    fn update_device_rate(&mut self, now_ns: u64, pages: UnwrittenPages) {
        let elapsed_s = seconds(now_ns - self.seen_ns);
        let written = (pages.written - self.seen.written) as f64;
        let (before, mean) = (self.device_rate, self.mean_device_rate);
        let (rate, mean) = match elapsed_s > PERIOD_S {
            true => (written / elapsed_s, written / elapsed_s),
            false => {
                let rate = (written + before * (PERIOD_S - elapsed_s)) / PERIOD_S;
                // One more level of smoothing, for sudden spikes.
                let follows = mean > before && before >= rate || mean < before && before <= rate;
                let step = if follows { (mean - before) / 8.0 } else { 0.0 };
                (rate, mean - step)
            }
        };
        (self.device_rate, self.mean_device_rate) = (rate, mean.max(1.0));
        (self.seen_ns, self.seen) = (now_ns, pages);
    }

    /// Write-back goes on: the device's rate is estimated anew where that is due (`wb_update_bandwidth`).
    pub fn note_writing(&mut self, now_ns: u64, pages: UnwrittenPages) {
        if now_ns.saturating_sub(self.seen_ns) > INTERVAL_NS {
            self.update_device_rate(now_ns, pages);
        }
    }

    /// Write-back begins where none was under way: what came before says nothing of the device (`wb_bandwidth_estimate_start`).
    pub fn note_start(&mut self, now_ns: u64, pages: UnwrittenPages) {
        if now_ns.saturating_sub(self.seen_ns) > INTERVAL_NS {
            (self.seen_ns, self.seen) = (now_ns, pages);
        }
    }

    /// Pages of a file that the flusher writes before it looks for another. They are half a second's, an eighth of the limit at most, and
    /// up to 4 MiB more, in steps of 4 MiB (`writeback_chunk_size`, `fs/fs-writeback.c`).
    #[must_use]
    pub fn chunk_pages(&self) -> u64 {
        let pages = (self.mean_device_rate as u64 / 2).min(self.limits.limit / 8);
        (pages + LEAST_CHUNK) / LEAST_CHUNK * LEAST_CHUNK
    }
}

/// Pages that a program may write without being looked at where nobody is slowed down. They are about the root of what is left to the limit
/// (`dirty_poll_interval`).
fn free_pages(dirty: u64, limit: u64) -> u64 {
    let left = limit.saturating_sub(dirty);
    left.checked_ilog2().map_or(1, |log| 1 << (log / 2))
}

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

fn nanoseconds(s: f64) -> u64 {
    (s * 1e9) as u64
}
