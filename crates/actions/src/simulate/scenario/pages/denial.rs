//! Where visits find in the buffer pool what the server was measured to read.

use hotset_report::{CacheFigures, number};
use hotset_scenario::{ProbedDatabase, Scenario};

/// With a larger share of pages found, next to none are read.
const ALL_FOUND: f64 = 0.999;

/// What is said where next to no pages are read with the pool that the server was measured with, and it has read more in an hour than the
/// pool has.
pub(super) fn denial(scenario: &Scenario, caches: &[CacheFigures]) -> Option<String> {
    let database = scenario.databases.first()?;
    let last = database.probes.last()?;
    let reads = innodb_reads(last);
    let pool_pages = last.pool_bytes as f64 / last.page_bytes.max(1) as f64;
    let mut pools = caches.iter().filter(|it| it.kind == "buffer-pool");
    let finds_all = pools.any(|it| it.hit_ratio.is_some_and(|ratio| ratio > ALL_FOUND));
    let is_denied = finds_all && reads > pool_pages && database.pool_bytes() == last.pool_bytes;
    is_denied.then(|| {
        format!(
            "This denies what was measured: with this buffer pool {} has read {} pages an hour, and next to none are read here. Its tables \
             have more hot pages, or other visitors came then. Correct `hot_bytes` of [[table]] in the application's profile.",
            database.name,
            number::plain(reads)
        )
    })
}

/// Pages of tables of InnoDB that were read in an hour.
fn innodb_reads(probed: &ProbedDatabase) -> f64 {
    let tables = probed.tables.iter().filter(|it| it.is_innodb());
    tables.filter_map(|it| it.page_reads_per_hour).sum()
}
