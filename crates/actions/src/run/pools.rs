//! Buffer pools of the scenario's databases, which grow no faster than files may be moved.

use std::time::{Duration, Instant};

use hotset_live::WantedPool;
use hotset_machine::database_setting::number;
use hotset_scenario::{Database, Scenario};

use crate::plan::socket_of;

const SIZE: &str = "innodb_buffer_pool_size";
/// A pool grows by that at least, however little may be moved.
const LEAST_STEP: u64 = 1 << 20;

/// Pools that the scenario gives a size.
pub(super) struct Pools {
    pools: Vec<Pool>,
    /// Bytes that may be moved in a minute; none where that is not limited.
    churn: Option<u64>,
    interval: Duration,
    /// When a pool was resized last.
    resized: Option<Instant>,
}

/// A pool on its way.
struct Pool {
    wanted: WantedPool,
    /// What it is to have now, bytes.
    bytes: u64,
}

/// Pools that the file gives a size, of the databases on a node.
pub(super) fn wanted(scenario: &Scenario, node: &str) -> Vec<WantedPool> {
    let here = scenario.databases.iter().filter(|it| it.node == node);
    let wanted = here.filter_map(|database| {
        Some(WantedPool {
            bytes: database.said_pool_bytes?,
            socket: whole(&socket_of(database)),
            configuration: database.configuration.as_deref().map(whole),
        })
    });
    wanted.collect()
}

/// A path from the root of the file system: a guardian runs elsewhere.
fn whole(path: &std::path::Path) -> std::path::PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// What databases on a node have of its memory: their pools, and their tables in the page cache as they were measured last. Bytes.
pub(super) fn used_bytes(scenario: &Scenario, node: &str) -> u64 {
    let here = scenario.databases.iter().filter(|it| it.node == node);
    here.map(|database| {
        let cached = cached_bytes(database);
        database.pool_bytes().saturating_add(cached)
    })
    .fold(0, u64::saturating_add)
}

fn cached_bytes(database: &Database) -> u64 {
    let is_buffered = database.reads_through_page_cache();
    let tables = database.probes.last().into_iter().flat_map(|it| &it.tables);
    let cached = tables.filter(|it| is_buffered || !it.is_innodb());
    cached
        .map(|it| it.page_cache_bytes.unwrap_or(0).min(it.bytes))
        .fold(0, u64::saturating_add)
}

impl Pools {
    /// These pools, each as large as it is now. Of a server that cannot be asked yet, as large as it is to be.
    pub fn new(wanted: Vec<WantedPool>, churn: Option<u64>, interval: Duration) -> Self {
        let pool = |wanted: WantedPool| {
            let now = number(&wanted.socket, SIZE).ok().flatten();
            Pool {
                bytes: now.unwrap_or(wanted.bytes),
                wanted,
            }
        };
        Self {
            pools: wanted.into_iter().map(pool).collect(),
            churn,
            interval,
            resized: None,
        }
    }

    /// Lets pools grow by what may be moved in an interval, once in each, and shrink at once. Whether servers are to be told.
    pub fn step(&mut self) -> bool {
        let is_early = self.resized.is_some_and(|at| at.elapsed() < self.interval);
        let is_told = self.resized.is_some();
        let is_done = self.pools.iter().all(|it| it.bytes == it.wanted.bytes);
        if self.pools.is_empty() || is_early || is_told && is_done {
            return false;
        }
        self.resized = Some(Instant::now());
        let mut left = step_bytes(self.churn, self.interval);
        for pool in &mut self.pools {
            let before = pool.bytes;
            pool.bytes = pool.wanted.bytes.min(before.saturating_add(left));
            left -= pool.bytes.saturating_sub(before);
        }
        true
    }

    /// What they are to be now.
    pub fn now(&self) -> Vec<WantedPool> {
        let now = self.pools.iter().map(|pool| WantedPool {
            bytes: pool.bytes,
            ..pool.wanted.clone()
        });
        now.collect()
    }
}

/// Bytes by which all pools together may grow in an interval.
fn step_bytes(churn: Option<u64>, interval: Duration) -> u64 {
    churn.map_or(u64::MAX, |bytes| {
        let share = interval.as_secs_f64() / 60.0;
        ((bytes as f64 * share) as u64).max(LEAST_STEP)
    })
}
