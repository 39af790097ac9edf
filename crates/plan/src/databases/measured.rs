//! What was measured of a database server, as plans take it.

use std::collections::BTreeSet;

use hotset_scenario::{Database, ProbedDatabase, ProbedTable, Profile, Scenario};

/// Bytes of a read of an engine that has no buffer pool: a page of Aria.
const OTHER_READ_BYTES: u64 = 8192;
const SECONDS_IN_HOUR: f64 = 3600.0;

/// A table of a server.
#[derive(Clone, Debug, PartialEq)]
pub struct TableUse {
    /// Its database and its name, with a point between.
    pub name: String,
    /// Its database.
    pub database: String,
    /// The site whose pages ask it, where that is known.
    pub site: Option<String>,
    /// How much a microsecond counts there.
    pub weight: f64,
    /// Whether the buffer pool has its pages.
    pub is_innodb: bool,
    /// Its rows and indexes, bytes.
    pub bytes: u64,
    /// Of these in the buffer pool, bytes; where the engine has none, in the page cache.
    pub resident_bytes: Option<u64>,
    /// Bytes of its files in the page cache.
    pub page_cache_bytes: u64,
    /// Reads of its files in an hour.
    pub reads_per_hour: f64,
}

/// A server and its tables, over one stretch of time.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerUse {
    /// Its name.
    pub name: String,
    /// Its buffer pool, bytes.
    pub pool_bytes: u64,
    /// A page of InnoDB, bytes.
    pub page_bytes: u64,
    /// Whether pages that InnoDB reads pass the page cache.
    pub is_buffered: bool,
    /// How InnoDB reads and writes files, as the server calls it.
    pub flush_method: String,
    /// What a page takes from the store, microseconds.
    pub read_us: f64,
    /// What it takes from the page cache, microseconds.
    pub cached_us: f64,
    /// How long its reads were counted at a time, hours.
    pub observed_hours: f64,
    /// Whether all that may be in its buffer pool is among the tables.
    pub is_whole: bool,
    /// What the measurement lacks, and how it is had; then nothing of the server is changed.
    pub lacks: Option<String>,
    /// Its tables.
    pub tables: Vec<TableUse>,
}

/// What is said where reads of files were not counted.
const WITHOUT_READS: &str = "page reads were not counted, so nothing is changed here: set performance_schema=ON in its \
     configuration, restart it, and measure it again (it takes about 105 MB of memory)";
/// What is said where nothing was measured.
const WITHOUT_PROBE: &str = "nothing was measured of it, so nothing is changed here: name what `hotset probe database --json` \
     has written as `probe` of the [[database]]";

impl ServerUse {
    /// What `probes` say of `database`, which are some of its own: what is in memory as the last has it, reads as the mean of all.
    #[must_use]
    pub fn of(scenario: &Scenario, database: &Database, probes: &[ProbedDatabase]) -> Self {
        let profile = &scenario.stores[database.store].profile;
        let Some(last) = probes.last() else {
            return Self::unmeasured(database, profile);
        };
        let tables = last.tables.iter();
        let table = |table| table_use(scenario, database, table, probes);
        let counts = probes.iter().all(ProbedDatabase::counts_page_reads);
        let has_innodb = last.tables.iter().any(ProbedTable::is_innodb);
        Self {
            name: database.name.clone(),
            pool_bytes: last.pool_bytes,
            page_bytes: last.page_bytes.max(1),
            is_buffered: last.reads_through_page_cache,
            flush_method: last.flush_method.clone(),
            read_us: profile.uncached.us(read_bytes(last, has_innodb)),
            cached_us: profile.cached.us(read_bytes(last, has_innodb)),
            observed_hours: last.observed_seconds / SECONDS_IN_HOUR,
            is_whole: last.left_out.is_empty(),
            lacks: (!counts).then(|| WITHOUT_READS.to_owned()),
            tables: tables.map(table).collect(),
        }
    }

    fn unmeasured(database: &Database, profile: &Profile) -> Self {
        Self {
            name: database.name.clone(),
            pool_bytes: database.pool_bytes(),
            page_bytes: OTHER_READ_BYTES,
            is_buffered: database.reads_through_page_cache(),
            flush_method: String::new(),
            read_us: profile.uncached.us(OTHER_READ_BYTES),
            cached_us: profile.cached.us(OTHER_READ_BYTES),
            observed_hours: 0.0,
            is_whole: false,
            lacks: Some(WITHOUT_PROBE.to_owned()),
            tables: Vec::new(),
        }
    }

    /// Whether several of its databases are read, so that one can take the pool from another.
    pub(super) fn has_several_databases(&self) -> bool {
        let read = self.tables.iter().filter(|it| it.reads_per_hour > 0.0);
        let databases: BTreeSet<&str> = read.map(|it| it.database.as_str()).collect();
        databases.len() > 1
    }

    /// What of its tables the page cache has, bytes.
    pub(super) fn page_cache_bytes(&self) -> u64 {
        let cached = self.tables.iter().filter(|it| self.is_in_page_cache(it));
        cached
            .map(|it| it.page_cache_bytes.min(it.bytes))
            .fold(0, u64::saturating_add)
    }

    /// Whether the page cache serves reads of a table.
    pub(super) fn is_in_page_cache(&self, table: &TableUse) -> bool {
        self.is_buffered || !table.is_innodb
    }
}

fn read_bytes(probe: &ProbedDatabase, has_innodb: bool) -> u64 {
    match has_innodb {
        true => probe.page_bytes,
        false => OTHER_READ_BYTES,
    }
}

fn table_use(
    scenario: &Scenario,
    database: &Database,
    table: &ProbedTable,
    probes: &[ProbedDatabase],
) -> TableUse {
    let sites = || database.sites.iter().map(|&site| &scenario.sites[site]);
    let site = match sites().count() {
        1 => sites().next(),
        _ => sites().find(|site| site.name == table.database()),
    };
    TableUse {
        name: table.name.clone(),
        database: table.database().to_owned(),
        site: site.map(|site| site.name.clone()),
        weight: site.map_or(1.0, |site| site.weight),
        is_innodb: table.is_innodb(),
        bytes: table.bytes,
        resident_bytes: table.resident_bytes.map(|bytes| bytes.min(table.bytes)),
        page_cache_bytes: table.page_cache_bytes.unwrap_or(0),
        reads_per_hour: mean_reads(&table.name, probes),
    }
}

/// Reads of a table in an hour over all of these, each as long as it was.
fn mean_reads(table: &str, probes: &[ProbedDatabase]) -> f64 {
    let (mut reads, mut seconds) = (0.0, 0.0);
    for probe in probes {
        let found = probe.tables.iter().find(|it| it.name == table);
        let per_hour = found.and_then(|it| it.page_reads_per_hour).unwrap_or(0.0);
        reads += per_hour * probe.observed_seconds;
        seconds += probe.observed_seconds;
    }
    match seconds > 0.0 {
        true => reads / seconds,
        false => 0.0,
    }
}

/// What these servers have of their node's memory: their buffer pools, and their tables in the page cache. Bytes.
#[must_use]
pub fn used_bytes(servers: &[ServerUse]) -> u64 {
    let used = servers.iter();
    used.map(|it| it.pool_bytes.saturating_add(it.page_cache_bytes()))
        .fold(0, u64::saturating_add)
}
