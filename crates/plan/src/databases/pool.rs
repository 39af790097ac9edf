//! What a buffer pool of a size reads.

use super::heat::{Heat, Seen};
use super::measured::ServerUse;

/// A table with a smaller share of the reads says too little of how long pages stay.
const TELLING_SHARE: f64 = 0.05;
/// A pool of which tables fill less than this may still be filling. A pool that reads much is never full, as the server frees pages ahead
/// (`innodb_lru_scan_depth`).
const FULL: f64 = 0.75;
/// What a pool needs beside the pages of tables, as a share of them: undo logs, the dictionary, free pages.
const BESIDE: f64 = 0.125;
/// The smallest pool that a plan gives; MariaDB takes 5 MiB with pages of 16 KiB.
const SMALLEST_BYTES: u64 = 8 << 20;
/// Steps of a search for a residence time.
const STEPS: usize = 200;
const MEBIBYTE: u64 = 1 << 20;

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
    /// The largest that its tables fill, bytes.
    pub most_bytes: u64,
    /// Why a larger one saves nothing; none where it may.
    pub enough_because: Option<String>,
}

impl Pool {
    /// Of a server that was measured.
    pub fn of(server: &ServerUse) -> Self {
        let enough_because = why_enough(server);
        let hours = residence_hours(server).filter(|_| enough_because.is_none());
        let seen = seen(server);
        let heat = |seen: &Option<Seen>| Heat::of((*seen)?, hours?);
        Self {
            bytes: server.pool_bytes,
            page_bytes: server.page_bytes as f64,
            heats: seen.iter().map(heat).collect(),
            measured: server.tables.iter().map(|it| it.reads_per_hour).collect(),
            hours,
            fewest_bytes: fewest_bytes(server),
            most_bytes: most_bytes(server),
            enough_because,
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

/// Pages of each table that are asked for, by those in the pool and those that are read. Bytes; none where that is not known, or where a
/// table reads nothing.
#[must_use]
pub fn hot_bytes(server: &ServerUse) -> Vec<Option<u64>> {
    let pool = Pool::of(server);
    let tables = 0..server.tables.len();
    let hot = tables.map(|table| pool.hot_bytes(table).map(|bytes| bytes as u64));
    hot.collect()
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

/// Why a larger pool saves nothing, by what was measured.
fn why_enough(server: &ServerUse) -> Option<String> {
    if innodb_reads(server) <= 0.0 {
        return Some("no pages of InnoDB were read while it was measured".to_owned());
    }
    if let Some(filled) = still_filling(server) {
        return Some(format!(
            "tables fill {} of its {} pages, and no more than these were read while it was measured. So it is taken to be still \
             filling. Measure it for longer if it has run for long",
            filled / server.page_bytes,
            server.pool_bytes / server.page_bytes
        ));
    }
    let is_unknown = residence_hours(server).is_none();
    is_unknown.then(|| {
        "no table that reads much has pages in it, so that nobody knows how long a page stays"
            .to_owned()
    })
}

/// What tables have in a pool that is not full and may have read each of these pages once, bytes. None where it is full, or has read pages
/// again that it had dropped.
fn still_filling(server: &ServerUse) -> Option<u64> {
    let filled = filled_bytes(server).filter(|_| server.is_whole)?;
    let read_bytes = innodb_reads(server) * server.observed_hours * server.page_bytes as f64;
    (!is_full(server, filled) && read_bytes <= filled as f64).then_some(filled)
}

/// Whether tables with so many bytes in a pool fill it.
fn is_full(server: &ServerUse, filled_bytes: u64) -> bool {
    filled_bytes as f64 >= FULL * server.pool_bytes as f64
}

/// Pages of tables of InnoDB that are read in an hour.
fn innodb_reads(server: &ServerUse) -> f64 {
    let tables = server.tables.iter().filter(|it| it.is_innodb);
    tables.map(|it| it.reads_per_hour).sum()
}

/// All pages of its tables, and what there is beside them: as much as now, and an eighth at least. Any where not all tables are known.
fn most_bytes(server: &ServerUse) -> u64 {
    let Some(filled) = filled_bytes(server).filter(|_| server.is_whole) else {
        return u64::MAX;
    };
    let tables = server.tables.iter().filter(|it| it.is_innodb);
    let all = tables.map(|it| it.bytes).fold(0, u64::saturating_add);
    let beside = ((all as f64 * BESIDE) as u64).max(server.pool_bytes.saturating_sub(filled));
    let most = all.saturating_add(beside).max(server.pool_bytes);
    most.div_ceil(MEBIBYTE).saturating_mul(MEBIBYTE)
}

/// What its tables have in it, and what there is beside them. All of it where that is not known, and where a pool that is not full reads
/// pages: it may have more of them soon.
fn fewest_bytes(server: &ServerUse) -> u64 {
    let filled = filled_bytes(server).filter(|_| server.is_whole && server.lacks.is_none());
    let filled = filled.filter(|it| is_full(server, *it) || innodb_reads(server) <= 0.0);
    let needed = filled.map(|filled| filled.saturating_add((filled as f64 * BESIDE) as u64));
    let needed = needed.map_or(server.pool_bytes, |bytes| bytes.max(SMALLEST_BYTES));
    needed.min(server.pool_bytes)
}
