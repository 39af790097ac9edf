//! What each type of page takes of the servers, by runs in which one browser asks at full speed, so that nobody waits for anybody.
//!
//! Processor times are known of each server for all pages together, and times of each type of page. The web server and the application
//! take as long for every page. What a page takes beyond both is the database's, and the log's where it commits. What it takes longer with
//! a small buffer pool that is read past the page cache is in proportion to the pages of tables that it reads.

use std::collections::BTreeMap;

use hotset_outcome::GroupKind;
use hotset_scenario::{ApplicationProfile, PageProfile, TableProfile};

use super::result::{DatabasesResult, Settings};
use super::section::{Arm, Background};
use crate::Axis;

/// A page of InnoDB, bytes.
const INNODB_PAGE_BYTES: u64 = 16 << 10;
/// Commits of the pages that change something, as their scripts make them. Of five who ask to buy in TPC-W one is new to the shop and
/// commits three times, and the others once.
const COMMITS: [(&str, &[(&str, f64)]); 3] = [
    (
        "tpcw",
        &[
            ("admin_confirm", 1.0),
            ("buy_confirm", 1.0),
            ("buy_request", 1.4),
            ("shopping_cart", 1.0),
        ],
    ),
    (
        "rubis",
        &[
            ("register_item", 1.0),
            ("register_user", 1.0),
            ("store_bid", 1.0),
            ("store_buy_now", 1.0),
            ("store_comment", 1.0),
        ],
    ),
    (
        "rubbos",
        &[
            ("accept_story", 1.0),
            ("register_user", 1.0),
            ("reject_story", 1.0),
            ("store_comment", 1.0),
            ("store_moderate_log", 1.0),
            ("store_story", 1.0),
        ],
    ),
];

/// Pages of a type, over several runs.
#[derive(Clone, Copy, Default)]
struct Pages {
    count: f64,
    all_us: f64,
    bytes: f64,
}

impl Pages {
    fn mean_us(self) -> f64 {
        self.all_us / self.count.max(1.0)
    }
}

/// Runs under an arm, all mixes together.
#[derive(Default)]
struct Sums {
    pages: BTreeMap<String, Pages>,
    /// Processor time of the web server, the application and the database.
    tiers_us: [f64; 3],
    disk_reads: f64,
}

impl Sums {
    /// Those of the runs under `arm` in which one browser asks at full speed beside nothing; nothing without any.
    fn of(kept: &[DatabasesResult], arm: Arm) -> Option<Self> {
        let mut sums = Self::default();
        let own = kept
            .iter()
            .filter(|it| it.point.on(Axis::Arm) == arm.name());
        for run in own.filter(|it| is_alone(&it.settings)) {
            sums.add(run);
        }
        (sums.count() > 0.0).then_some(sums)
    }

    fn add(&mut self, run: &DatabasesResult) {
        let Some(outcome) = run.compared() else {
            return;
        };
        let pages = outcome.total.requests.unwrap_or_default() as f64;
        for group in outcome.of_kind(GroupKind::Page) {
            let (score, times) = (&group.score, &group.score.latencies.total);
            let count = score.requests.unwrap_or_default() as f64;
            let mean_us = times.as_ref().and_then(|it| it.mean_us);
            let sum = self.pages.entry(group.key.name.clone()).or_default();
            sum.count += count;
            sum.all_us += count * mean_us.unwrap_or_default();
            sum.bytes += score.bytes.unwrap_or_default() as f64;
        }
        for (sum, tier) in self.tiers_us.iter_mut().zip(&run.measured.detail.tiers) {
            *sum += tier.ms_per_page.unwrap_or_default() * 1e3 * pages;
        }
        self.disk_reads += run.measured.detail.disk_reads as f64;
    }

    fn count(&self) -> f64 {
        self.pages.values().map(|it| it.count).sum()
    }

    /// Processor time of a tier for a page.
    fn tier_us(&self, tier: usize) -> f64 {
        self.tiers_us[tier] / self.count()
    }

    /// What a page of a type takes beyond the web server and the application.
    fn beyond_us(&self, pages: Pages) -> f64 {
        (pages.mean_us() - self.tier_us(0) - self.tier_us(1)).max(0.0)
    }

    /// Divides `whole` among pages in proportion to what `of` says of each; what one of each type has.
    fn divided(&self, whole: f64, of: impl Fn(&str, Pages) -> f64) -> BTreeMap<&str, f64> {
        let pages = self.pages.iter();
        let weighed = pages.map(|(name, pages)| (name.as_str(), pages.count, of(name, *pages)));
        let weighed: Vec<(&str, f64, f64)> = weighed.collect();
        let all: f64 = weighed
            .iter()
            .map(|(_, count, weight)| count * weight)
            .sum();
        let each = weighed.into_iter().map(|(name, _, weight)| {
            let share = match all > 0.0 {
                true => weight / all,
                false => 1.0 / self.count(),
            };
            (name, whole * share)
        });
        each.collect()
    }
}

/// Whether a run under these settings tells what pages take.
pub(super) fn tells_page_costs(settings: &Settings) -> bool {
    is_alone(settings) && tells_reads(settings)
}

fn is_alone(settings: &Settings) -> bool {
    let is_beside_none = settings.background == Background::None.to_string();
    settings.clients == 1 && settings.think_ms == 0 && is_beside_none
}

/// Whether each page of a table that is not in the pool is read from the disk.
fn tells_reads(settings: &Settings) -> bool {
    let method = settings.flush_method.to_ascii_uppercase();
    method.starts_with("O_DIRECT") && settings.engine == "innodb"
}

/// How often a page commits.
fn commits(settings: &Settings, page: &str) -> f64 {
    let own = COMMITS.iter().find(|it| it.0 == settings.application);
    let own = own.into_iter().flat_map(|it| it.1);
    let known = own.filter(|it| it.0 == page).map(|it| it.1);
    known.sum()
}

/// What these runs say of pages: those of the arm pool, where all is in memory, and those of the arm page-cache with a small pool that the
/// page cache is not behind. Nothing where one of both is missing.
pub(super) fn profile(kept: &[DatabasesResult]) -> Option<ApplicationProfile> {
    let settings = &kept.first()?.settings;
    if !tells_reads(settings) {
        return None;
    }
    let (warm, small) = (Sums::of(kept, Arm::Pool)?, Sums::of(kept, Arm::PageCache)?);
    let commits = |page: &str| commits(settings, page);
    // What no processor of the database is busy with is waited for the log.
    let beyond_us = warm.pages.values();
    let beyond_us: f64 = beyond_us.map(|it| it.count * warm.beyond_us(*it)).sum();
    let waited_us = (beyond_us - warm.tiers_us[2]).max(0.0);
    let made = warm.pages.iter();
    let made: f64 = made.map(|(name, it)| it.count * commits(name)).sum();
    let flush_us = if made > 0.0 { waited_us / made } else { 0.0 };
    let database_us = warm.divided(warm.tiers_us[2], |name, pages| {
        (warm.beyond_us(pages) - commits(name) * flush_us).max(0.0)
    });
    let reads = small.divided(small.disk_reads, |name, pages| {
        let warm = warm.pages.get(name).map_or(0.0, |it| it.mean_us());
        (pages.mean_us() - warm).max(0.0)
    });
    let waits = settings.durability == 1;
    let pages = warm.pages.iter().map(|(name, pages)| PageProfile {
        name: name.clone(),
        web_us: warm.tier_us(0),
        application_us: warm.tier_us(1),
        application_ns_per_byte: 0.0,
        database_us: database_us.get(name.as_str()).copied().unwrap_or_default(),
        page_reads: reads.get(name.as_str()).copied().unwrap_or_default(),
        log_flushes: if waits { commits(name) } else { 0.0 },
        bytes: (pages.bytes / pages.count.max(1.0)) as u64,
        // Browsers of experiments ask for none.
        images: 0.0,
    });
    let date = kept.iter().map(|run| run.date.as_str()).max();
    let first = kept.first().map(|run| run.experiment.as_str());
    Some(ApplicationProfile {
        source: first
            .zip(date)
            .map_or_else(String::new, |(experiment, date)| {
                format!("experiment {experiment}, measured {date}")
            }),
        table_page_bytes: INNODB_PAGE_BYTES,
        images: None,
        pages: pages.collect(),
        tables: tables(kept),
    })
}

/// What is known of a table over several runs.
#[derive(Clone, Copy, Default)]
struct TableSums {
    bytes: u64,
    /// In a pool that has all that is read.
    hot_bytes: u64,
    /// In an hour, with a pool that has next to nothing.
    reads: f64,
}

/// The tables that are read: as often, one beside another, as with the small pool, and as hot as the large pool has them.
fn tables(kept: &[DatabasesResult]) -> Vec<TableProfile> {
    let mut sums: BTreeMap<&str, TableSums> = BTreeMap::new();
    for run in kept.iter().filter(|it| is_alone(&it.settings)) {
        let arm = run.point.on(Axis::Arm);
        for table in &run.measured.detail.tables {
            let sum = sums.entry(&table.table).or_default();
            sum.bytes = sum.bytes.max(table.bytes);
            if arm == Arm::Pool.name() {
                let hot_bytes = table.resident_bytes.unwrap_or_default();
                sum.hot_bytes = sum.hot_bytes.max(hot_bytes);
            }
            if arm == Arm::PageCache.name() {
                sum.reads += table.page_reads_per_hour.unwrap_or_default();
            }
        }
    }
    let all: f64 = sums.values().map(|it| it.reads).sum();
    let read = sums.into_iter().filter(|(_, it)| it.reads > 0.0);
    let tables = read.map(|(name, it)| TableProfile {
        name: name.to_owned(),
        bytes: it.bytes.max(INNODB_PAGE_BYTES),
        hot_bytes: (it.hot_bytes > 0).then(|| it.hot_bytes.min(it.bytes)),
        hot_share: 1.0,
        reads: it.reads / all,
    });
    tables.collect()
}
