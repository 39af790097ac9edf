//! What a buffer pool of a size reads.

use super::heat::{Heat, Seen};
use super::measured::ServerUse;

/// A table with a smaller share of the reads says too little of how long pages stay.
const TELLING_SHARE: f64 = 0.05;
/// A pool of which tables fill less than this is not full: what it reads, it reads for the first time.
const FULL: f64 = 0.75;
/// What a pool needs beside the pages of tables, as a share of them: undo logs, the dictionary, free pages.
const BESIDE: f64 = 0.125;
/// The smallest pool that a plan gives; MariaDB takes 5 MiB with pages of 16 KiB.
const SMALLEST_BYTES: u64 = 8 << 20;
/// Steps of a search for a residence time.
const STEPS: usize = 200;

/// A server's buffer pool, and what its tables would read if it were of another size.
pub(super) struct Pool {
    bytes: u64,
    page_bytes: f64,
    /// Of each table; none of which nothing is known, and which reads the same whatever the pool's size.
    heats: Vec<Option<Heat>>,
    /// Reads of each table in an hour, as measured.
    measured: Vec<f64>,
    /// How long a page stays now, in hours; none where a larger pool saves nothing.
    hours: Option<f64>,
    /// The smallest that keeps all that is in it, bytes.
    pub fewest_bytes: u64,
}

impl Pool {
    /// Of a server that was measured.
    pub fn of(server: &ServerUse) -> Self {
        let hours = residence_hours(server).filter(|_| is_full(server));
        let seen = seen(server);
        let heat = |seen: &Option<Seen>| Heat::of((*seen)?, hours?);
        Self {
            bytes: server.pool_bytes,
            page_bytes: server.page_bytes as f64,
            heats: seen.iter().map(heat).collect(),
            measured: server.tables.iter().map(|it| it.reads_per_hour).collect(),
            hours,
            fewest_bytes: fewest_bytes(server),
        }
    }

    /// Pages of a table that are asked for, bytes; none where that is not known.
    pub fn hot_bytes(&self, table: usize) -> Option<f64> {
        self.heats[table].map(|heat| heat.pages * self.page_bytes)
    }

    /// Reads of each table in an hour with a pool of so many bytes.
    pub fn reads(&self, bytes: u64) -> Vec<f64> {
        let more = (bytes as f64 - self.bytes as f64) / self.page_bytes;
        let hours = match self.hours {
            Some(hours) if more > 0.0 => self.longer(hours, more),
            _ => return self.measured.clone(),
        };
        let reads = self.heats.iter().zip(&self.measured);
        let reads = reads.map(|(heat, measured)| match heat {
            Some(heat) => hours.map_or(0.0, |hours| heat.reads(hours)),
            None => *measured,
        });
        reads.collect()
    }

    /// How long a page stays with so many pages more; none where all that are asked for stay.
    fn longer(&self, hours: f64, more: f64) -> Option<f64> {
        let wanted = self.resident(hours) + more;
        let all: f64 = self.heats.iter().flatten().map(|heat| heat.pages).sum();
        if wanted >= all {
            return None;
        }
        let (mut low, mut high) = (hours, hours);
        for _ in 0..STEPS {
            if self.resident(high) >= wanted {
                break;
            }
            (low, high) = (high, high * 2.0);
        }
        for _ in 0..STEPS {
            let middle = f64::midpoint(low, high);
            match self.resident(middle) < wanted {
                true => low = middle,
                false => high = middle,
            }
        }
        Some(high)
    }

    fn resident(&self, hours: f64) -> f64 {
        let heats = self.heats.iter().flatten();
        heats.map(|heat| heat.resident(hours)).sum()
    }
}

/// Pages of each table; none of tables that are not in the pool, or of which nobody could look.
fn seen(server: &ServerUse) -> Vec<Option<Seen>> {
    let pages = |bytes: u64| bytes as f64 / server.page_bytes as f64;
    let tables = server.tables.iter();
    let seen = tables.map(|table| {
        let resident = table.resident_bytes.filter(|_| table.is_innodb)?;
        Some(Seen {
            pages: pages(table.bytes.max(resident)),
            resident: pages(resident),
            reads: table.reads_per_hour,
        })
    });
    seen.collect()
}

/// How long a page stays in the pool that is not asked for again: no table has fewer pages there than it reads in that time.
fn residence_hours(server: &ServerUse) -> Option<f64> {
    let seen = seen(server);
    let all: f64 = seen.iter().flatten().map(|it| it.reads).sum();
    let telling = seen.iter().flatten();
    let telling = telling.filter(|it| it.resident > 0.0 && it.reads > TELLING_SHARE * all);
    let hours = telling.map(|it| it.resident / it.reads);
    hours.min_by(f64::total_cmp)
}

/// What tables have in the pool, bytes; none where that is not known of all.
fn filled_bytes(server: &ServerUse) -> Option<u64> {
    let mut tables = server.tables.iter().filter(|it| it.is_innodb);
    tables.try_fold(0u64, |sum, it| Some(sum.saturating_add(it.resident_bytes?)))
}

fn is_full(server: &ServerUse) -> bool {
    let filled = filled_bytes(server).filter(|_| server.is_whole);
    filled.is_none_or(|filled| filled as f64 >= FULL * server.pool_bytes as f64)
}

fn fewest_bytes(server: &ServerUse) -> u64 {
    let filled = filled_bytes(server).filter(|_| server.is_whole && server.lacks.is_none());
    let needed = filled.map(|filled| filled.saturating_add((filled as f64 * BESIDE) as u64));
    let needed = needed.map_or(server.pool_bytes, |bytes| bytes.max(SMALLEST_BYTES));
    needed.min(server.pool_bytes)
}
