//! What a database server costs with so much memory: a buffer pool of a size, and tables that are pinned.

use super::measured::{ServerUse, TableUse};
use super::pool::Pool;

/// Tables that may be pinned: a bit each.
const MOST_PINS: usize = u64::BITS as usize;

/// A way to use memory for a server.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Choice {
    /// What reads take in an hour, by weight of the sites. Microseconds.
    pub us: f64,
    /// Its buffer pool, bytes.
    pub pool_bytes: u64,
    /// Tables that are pinned, by their place in [`Priced::pins`].
    pins: u64,
}

/// A server whose ways are priced.
pub(super) struct Priced<'a> {
    pub server: &'a ServerUse,
    pool: Pool,
    /// Tables that may be pinned.
    pins: Vec<usize>,
}

impl<'a> Priced<'a> {
    pub fn new(server: &'a ServerUse) -> Self {
        Self {
            pool: Pool::of(server),
            pins: pins(server),
            server,
        }
    }

    /// As it is.
    pub fn now(&self) -> Choice {
        self.choice(self.server.pool_bytes, 0)
    }

    /// With this pool and these pins.
    pub fn choice(&self, pool_bytes: u64, pins: u64) -> Choice {
        let reads = self.pool.reads(pool_bytes);
        let tables = self.server.tables.iter().enumerate();
        let us = tables.map(|(table, it)| match self.is_pinned(table, pins) {
            true => self.pinned_us(it, reads[table]),
            false => self.unpinned_us(table, reads[table]),
        });
        Choice {
            us: us.sum(),
            pool_bytes,
            pins,
        }
    }

    /// The same way, of what was measured at another time. Tables go by their names.
    pub fn translated(&self, other: &Priced<'_>, choice: Choice) -> Choice {
        let is_pinned = |name: &str| other.pinned(choice).any(|it| it.name == name);
        let places = self.pins.iter().enumerate();
        let pins = places.filter(|(_, table)| is_pinned(&self.server.tables[**table].name));
        let pins = pins.fold(0u64, |bits, (place, _)| bits | (1u64 << place));
        self.choice(choice.pool_bytes, pins)
    }

    /// The least that each number of `units` up to `most` costs, each of `unit` bytes.
    pub fn ways(&self, unit: u64, most: usize) -> Vec<Option<Choice>> {
        let mut ways: Vec<Option<Choice>> = vec![None; most + 1];
        for pool_bytes in self.pool_sizes(unit, most) {
            self.add_ways(pool_bytes, unit, &mut ways);
        }
        ways
    }

    /// Why a larger pool saves nothing; none where it may.
    pub fn enough_because(&self) -> Option<&str> {
        self.pool.enough_because.as_deref()
    }

    /// Sizes of the pool, the one that it has among them, and none that its tables do not fill.
    fn pool_sizes(&self, unit: u64, most: usize) -> Vec<u64> {
        let now = self.server.pool_bytes;
        if self.server.lacks.is_some() {
            return vec![now];
        }
        let smaller = (1u64..).map(|step| now.checked_sub(step * unit));
        let smaller = smaller.map_while(|bytes| bytes.filter(|it| *it >= self.pool.fewest_bytes));
        let larger = (0..=most as u64).map(|step| now.saturating_add(step * unit));
        let larger = larger.take_while(|bytes| bytes / unit <= most as u64);
        let larger = larger.map(|bytes| bytes.min(self.pool.most_bytes.max(now)));
        let mut sizes: Vec<u64> = smaller.chain(larger).collect();
        sizes.dedup();
        sizes
    }

    /// All ways with a pool of this size: which tables are pinned beside it is a knapsack.
    fn add_ways(&self, pool_bytes: u64, unit: u64, ways: &mut [Option<Choice>]) {
        let reads = self.pool.reads(pool_bytes);
        let without = self.choice(pool_bytes, 0);
        let units = |bytes: u64| bytes.div_ceil(unit) as usize;
        let base = units(self.bytes_with(&reads, without));
        let Some(room) = (ways.len() - 1).checked_sub(base) else {
            return;
        };
        let mut saved = vec![(0.0, 0u64); room + 1];
        for (place, &table) in self.pins.iter().enumerate() {
            let it = &self.server.tables[table];
            let gain = self.unpinned_us(table, reads[table]) - self.pinned_us(it, reads[table]);
            let more = it.bytes.saturating_sub(self.cached_bytes(table, &reads));
            let (more, bit) = (units(more), 1u64 << place);
            for at in (more..=room).rev() {
                let (before, pins) = saved[at - more];
                if gain > 0.0 && before + gain > saved[at].0 && pins & bit == 0 {
                    saved[at] = (before + gain, pins | bit);
                }
            }
        }
        for (at, (saved, pins)) in saved.into_iter().enumerate() {
            let way = &mut ways[base + at];
            let us = without.us - saved;
            if way.is_none_or(|known| us < known.us) {
                *way = Some(Choice {
                    us,
                    pool_bytes,
                    pins,
                });
            }
        }
    }

    /// Memory that a way takes: the pool, pinned tables, and what the page cache has of the others. Bytes.
    pub fn bytes(&self, choice: Choice) -> u64 {
        self.bytes_with(&self.pool.reads(choice.pool_bytes), choice)
    }

    fn bytes_with(&self, reads: &[f64], choice: Choice) -> u64 {
        let tables = self.server.tables.iter().enumerate();
        let of_tables = tables.map(|(table, it)| match self.is_pinned(table, choice.pins) {
            true => it.bytes,
            false => self.cached_bytes(table, reads),
        });
        of_tables.fold(choice.pool_bytes, u64::saturating_add)
    }

    /// Tables that are pinned.
    pub fn pinned(&self, choice: Choice) -> impl Iterator<Item = &'a TableUse> {
        let places = self.pins.iter().enumerate();
        let pinned = places.filter(move |(place, _)| choice.pins & (1u64 << *place) != 0);
        let server = self.server;
        pinned.map(move |(_, &table)| &server.tables[table])
    }

    /// Reads of each table in an hour that are not served from memory: neither from the pool nor from the page cache.
    pub fn store_reads(&self, choice: Choice) -> Vec<f64> {
        let reads = self.pool.reads(choice.pool_bytes);
        let tables = reads.iter().enumerate();
        let from_store = tables.map(|(table, reads)| match self.is_pinned(table, choice.pins) {
            true => 0.0,
            false => reads * (1.0 - self.cached_share(table)),
        });
        from_store.collect()
    }

    /// What each table's reads take in an hour, microseconds, without weights.
    pub fn table_us(&self, choice: Choice) -> Vec<f64> {
        let reads = self.pool.reads(choice.pool_bytes);
        let tables = self.server.tables.iter().enumerate();
        let us = tables.map(|(table, it)| {
            let us = match self.is_pinned(table, choice.pins) {
                true => self.pinned_us(it, reads[table]),
                false => self.unpinned_us(table, reads[table]),
            };
            us / it.weight
        });
        us.collect()
    }

    fn is_pinned(&self, table: usize, pins: u64) -> bool {
        let place = self.pins.iter().position(|it| *it == table);
        place.is_some_and(|place| pins & (1u64 << place) != 0)
    }

    fn pinned_us(&self, table: &TableUse, reads: f64) -> f64 {
        table.weight * reads * self.server.cached_us
    }

    fn unpinned_us(&self, table: usize, reads: f64) -> f64 {
        let (server, cached) = (self.server, self.cached_share(table));
        let us = cached * server.cached_us + (1.0 - cached) * server.read_us;
        server.tables[table].weight * reads * us
    }

    /// What of the pages that a table reads is in the page cache: they are read alike.
    fn cached_share(&self, table: usize) -> f64 {
        let it = &self.server.tables[table];
        let bytes = self.pool.hot_bytes(table).unwrap_or(it.bytes as f64);
        match self.server.is_in_page_cache(it) && bytes > 0.0 {
            true => (it.page_cache_bytes as f64 / bytes).min(1.0),
            false => 0.0,
        }
    }

    /// What the page cache has of a table with so many reads, bytes: the more is read, the more.
    fn cached_bytes(&self, table: usize, reads: &[f64]) -> u64 {
        let it = &self.server.tables[table];
        if !self.server.is_in_page_cache(it) {
            return 0;
        }
        let share = match it.reads_per_hour > 0.0 {
            true => (reads[table] / it.reads_per_hour).min(1.0),
            false => 1.0,
        };
        (it.page_cache_bytes.min(it.bytes) as f64 * share) as u64
    }
}

/// Tables that may be pinned, those with most reads first: those of engines without a pool, and where several databases share a pool that
/// reads through the page cache, those of InnoDB.
fn pins(server: &ServerUse) -> Vec<usize> {
    if server.lacks.is_some() {
        return Vec::new();
    }
    let shares_pool = server.is_buffered && server.has_several_databases();
    let tables = server.tables.iter().enumerate();
    let mut pins: Vec<usize> = tables
        .filter(|(_, it)| it.reads_per_hour > 0.0 && (shares_pool || !it.is_innodb))
        .map(|(table, _)| table)
        .collect();
    let reads = |table: usize| server.tables[table].reads_per_hour;
    pins.sort_by(|one, other| reads(*other).total_cmp(&reads(*one)));
    pins.truncate(MOST_PINS);
    pins
}
