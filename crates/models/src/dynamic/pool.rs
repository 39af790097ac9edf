//! Pages of tables: which is looked for, and what the buffer pool has of them.
//!
//! Simplified: the pool keeps pages in the order of their last use. InnoDB has those that were read once in the old sublist.

use hotset_cache::{Lru, Policy as _};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::site::{DynamicSite, Part};
use crate::tiers::CacheCounts;

/// A page of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TablePage {
    /// The table, by number.
    pub table: usize,
    /// The page's number within it.
    pub page: u64,
}

/// The pages of all tables, and those of them that are in the buffer pool.
pub(super) struct Pool {
    lru: Lru,
    parts: Vec<Part>,
    /// The number of each table's first page among those of all.
    firsts: Vec<u64>,
    page_bytes: u64,
    pub counts: CacheCounts,
}

impl Pool {
    /// Of an application's database, empty. Pages of all applications' tables have numbers.
    pub fn new(site: &DynamicSite, application: usize) -> Self {
        let mut firsts = Vec::with_capacity(site.tables.len());
        let mut pages = 0;
        for table in &site.tables {
            firsts.push(pages);
            pages += site.pages_of(table);
        }
        Self {
            lru: Lru::new(site.pool_pages(application), pages as usize),
            parts: site.parts(application),
            firsts,
            page_bytes: site.table_page_bytes,
            counts: CacheCounts::default(),
        }
    }

    /// Looks for a page that is drawn, and has it from then on; what has to be read where it was not there.
    pub fn look(&mut self, random: &mut Pcg64Mcg) -> Option<TablePage> {
        let wanted = self.draw(random);
        let number = self.firsts[wanted.table] + wanted.page;
        let is_hit = self.lru.access(number as u32, 1);
        self.counts.add(is_hit, self.page_bytes);
        (!is_hit).then_some(wanted)
    }

    fn draw(&self, random: &mut Pcg64Mcg) -> TablePage {
        let mut left = random.random::<f64>();
        let found = self.parts.iter().find(|part| {
            left -= part.share;
            left < 0.0
        });
        // What rounding leaves is the last part's; nobody draws without any.
        let part = found.or(self.parts.last());
        let Some(part) = part else {
            return TablePage { table: 0, page: 0 };
        };
        TablePage {
            table: part.table,
            page: part.first + random.random_range(0..part.pages),
        }
    }
}
