//! Pages, tables and what they run on, as plain values.

use std::ops::Range;
use std::sync::Arc;

use hotset_cache::PAGE_BYTES;
use hotset_scenario::Profile;

use crate::tiers::{Processors, Traffic};

/// A site whose pages an application makes with a database, and the machines of the tiers.
#[derive(Clone, Debug)]
pub struct DynamicSite {
    /// Types of pages.
    pub pages: Vec<Page>,
    /// Tables that pages read; there is one at least if pages read any.
    pub tables: Vec<Table>,
    /// What the database reads of a table at a time, bytes.
    pub table_page_bytes: u64,
    /// The buffer pool, bytes.
    pub pool_bytes: u64,
    /// Whether the database reads tables past the page cache (`O_DIRECT`).
    pub is_past_cache: bool,
    /// Nodes: all of them, whether a tier is there or not.
    pub machines: Vec<Machine>,
    /// The machine of each tier, by number.
    pub on: [usize; Tier::COUNT],
    /// Requests that the application works on at a time; any number where not given.
    pub workers: Option<u32>,
    /// Emulated browsers, at least one.
    pub browsers: u32,
    /// Costs of the store that tables, the log and the neighbour's files are on.
    pub store: Profile,
    /// Memory for pages of files on the database's machine, bytes.
    pub memory_bytes: u64,
    /// Files of other sites that are asked for by the clock beside it, on the web server's processors and the database's disk. They come
    /// again and again as long as it is simulated.
    pub neighbour: Option<Arc<Traffic>>,
    /// Images that pages have with them, on the same store; simulations follow them, and formulas do not.
    pub images: Option<Images>,
    /// A second application beside it; simulations follow it, and formulas do not.
    pub second: Option<Second>,
}

/// Files that pages have with them, such as pictures of products. All are as likely as each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Images {
    /// How many there are.
    pub files: u64,
    /// Bytes of each.
    pub bytes: u64,
}

/// A second application on the same machines, with workers, visitors and a database server of its own. Its types of pages come behind
/// those of the first one in [`DynamicSite::pages`], its tables in [`DynamicSite::tables`], and its browsers have the numbers behind those of the
/// first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Second {
    /// Its first type of pages, by number.
    pub first_page: usize,
    /// Its first table, by number.
    pub first_table: usize,
    /// Its buffer pool, bytes.
    pub pool_bytes: u64,
    /// Requests that it works on at a time; any number where not given.
    pub workers: Option<u32>,
    /// Its emulated browsers.
    pub browsers: u32,
}

/// A node.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// Its processors, which all that work there share.
    pub processors: Processors,
}

/// A part of the way of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// The web server.
    Web,
    /// The application.
    Application,
    /// The database.
    Database,
}

impl Tier {
    /// How many there are.
    pub const COUNT: usize = 3;
    /// All, in the order of a page's way.
    pub const ALL: [Self; Self::COUNT] = [Self::Web, Self::Application, Self::Database];

    /// As results call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::Application => "application",
            Self::Database => "database",
        }
    }
}

/// What a page of a type takes, on average.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Its name.
    pub name: String,
    /// Processor time of each tier, nanoseconds of a measured processor.
    pub work_ns: [u64; Tier::COUNT],
    /// Pages of tables that it looks for.
    pub reads: f64,
    /// How often it waits for the log.
    pub flushes: f64,
    /// Its bytes.
    pub bytes: u64,
    /// Images that a browser asks for with it.
    pub images: f64,
}

/// A table, whose pages are all as likely to be looked for within its hot part, and within the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub bytes: u64,
    /// Bytes that are read over and over.
    pub hot_bytes: u64,
    /// The share of its reads that are of those.
    pub hot_share: f64,
    /// How often it is read, as against the other tables.
    pub reads: f64,
    /// Whether its files are locked in the page cache. That takes their bytes of the machine's memory, which
    /// [`DynamicSite::memory_bytes`] no longer has then.
    pub is_pinned: bool,
}

/// Pages of a table that are as likely as each other to be looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Part {
    /// The table, by number.
    pub table: usize,
    /// The first page of it.
    pub first: u64,
    /// Pages, at least one.
    pub pages: u64,
    /// The share of all reads that are of these.
    pub share: f64,
}

impl DynamicSite {
    /// Both applications on the machines of this one, which have this one's memory but for the other's pool and pins. Nothing where that
    /// leaves no page for files, where there are two already, and where one has images.
    #[must_use]
    pub fn with_second(mut self, other: DynamicSite) -> Option<Self> {
        let has_more = |site: &Self| site.second.is_some() || site.images.is_some();
        if has_more(&self) || has_more(&other) {
            return None;
        }
        let pinned = other.tables.iter().filter(|table| table.is_pinned);
        let pinned: u64 = pinned.map(|table| table.bytes).sum();
        let taken = other.pool_bytes.saturating_add(pinned);
        let left = self.memory_bytes.checked_sub(taken);
        self.memory_bytes = left.filter(|left| *left >= PAGE_BYTES)?;
        self.second = Some(Second {
            first_page: self.pages.len(),
            first_table: self.tables.len(),
            pool_bytes: other.pool_bytes,
            workers: other.workers,
            browsers: other.browsers,
        });
        self.pages.extend(other.pages);
        self.tables.extend(other.tables);
        Some(self)
    }

    /// How many applications there are.
    pub(crate) fn applications(&self) -> usize {
        1 + usize::from(self.second.is_some())
    }

    /// Which application a browser visits.
    pub(crate) fn application_of(&self, browser: u32) -> usize {
        usize::from(self.second.is_some() && browser >= self.browsers.max(1))
    }

    /// All browsers.
    pub(crate) fn all_browsers(&self) -> u32 {
        let second = self.second.map_or(0, |it| it.browsers);
        self.browsers.max(1).saturating_add(second)
    }

    /// Types of pages that are the first application's: they come first.
    pub(crate) fn first_pages(&self) -> usize {
        self.second.map_or(self.pages.len(), |it| it.first_page)
    }

    /// The workers of an application.
    pub(crate) fn workers_of(&self, application: usize) -> Option<u32> {
        match (application, self.second) {
            (1, Some(second)) => second.workers,
            _ => self.workers,
        }
    }

    /// Tables of an application, by number.
    fn tables_of(&self, application: usize) -> Range<usize> {
        let first = self.second.map_or(self.tables.len(), |it| it.first_table);
        match application {
            0 => 0..first,
            _ => first..self.tables.len(),
        }
    }

    /// The machine that a tier is on.
    #[must_use]
    pub fn machine_of(&self, tier: Tier) -> usize {
        self.on[tier as usize]
    }

    /// Pages that a table has.
    pub(crate) fn pages_of(&self, table: &Table) -> u64 {
        table.bytes.div_ceil(self.table_page_bytes.max(1)).max(1)
    }

    /// Pages that fit into the buffer pool of an application.
    pub(crate) fn pool_pages(&self, application: usize) -> u64 {
        let bytes = match (application, self.second) {
            (1, Some(second)) => second.pool_bytes,
            _ => self.pool_bytes,
        };
        bytes / self.table_page_bytes.max(1)
    }

    /// What the page cache keeps of a page of a table, bytes.
    pub(crate) fn cached_page_bytes(&self) -> u64 {
        self.table_page_bytes.next_multiple_of(PAGE_BYTES)
    }

    /// The hot part of each table that an application reads, and the rest.
    pub(crate) fn parts(&self, application: usize) -> Vec<Part> {
        let own = self.tables_of(application);
        let all: f64 = self.tables[own.clone()].iter().map(|it| it.reads).sum();
        let mut parts = Vec::new();
        for number in own {
            let table = &self.tables[number];
            if table.reads <= 0.0 {
                continue;
            }
            let pages = self.pages_of(table);
            let hot = table.hot_bytes.div_ceil(self.table_page_bytes.max(1));
            let hot = hot.clamp(1, pages);
            // Where all of it is hot, there is no rest that could be read.
            let hot_share = if hot == pages { 1.0 } else { table.hot_share };
            for (first, pages, share) in [(0, hot, hot_share), (hot, pages - hot, 1.0 - hot_share)]
            {
                if share > 0.0 {
                    parts.push(Part {
                        table: number,
                        first,
                        pages,
                        share: table.reads / all * share,
                    });
                }
            }
        }
        parts
    }
}
