//! The run: caches warm up while the disk has no delays, then pages are counted.

use std::collections::BTreeMap;

use hotset_outcome::Resource;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::browser::Browser;
use super::counts::{Counts, FileUse};
use super::log::{BLOCK_BYTES, LOG_BYTES, Log};
use super::neighbour::Neighbour;
use super::pool::Pool;
use super::site::{DynamicSite, Table, Tier};
use super::state::{Event, Job, Run, Waiter};
use super::visits::Visits;
use super::workers::Workers;
use crate::calendar::{Calendar as _, EventQueue};
use crate::page_cache::StoredFile;
use crate::read_ahead::Advice;
use crate::storage::{Delivery, OpenFile, Storage, StorageError, System, Usage};
use crate::tiers::{NodeResult, Sharing, TiersError, TiersResult, request_ns};

/// Events between two questions whether to go on.
const PATIENCE: u64 = 1 << 16;
/// How many times as fast as usual the disk is while caches warm up: as good as without delays, as in the lab.
const NO_DELAYS: f64 = 1000.0;
/// One page in so many of those that warm the caches up is seen with delays, so that queues are as they will be.
const SETTLING_PART: usize = 5;
/// What would take longer, a hundred years, is not waited for, nanoseconds.
const LONGEST_NS: u64 = 100 * 365 * 86_400 * 1_000_000_000;

/// How many pages are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Pages that warm the caches up.
    pub warm_up: usize,
    /// Pages that are counted, more than none.
    pub pages: usize,
}

/// Pages that are counted, and that warm caches up at least and at most.
const COUNTED: usize = 20_000;
const MOST_WARM_UP: usize = 1_000_000;
/// How often each page of a table that fits into memory is looked for while caches warm up, on average.
const LOOKS: u64 = 3;

impl Measured {
    /// As many as it takes to warm caches up, and enough to be counted.
    #[must_use]
    pub fn of(site: &DynamicSite) -> Self {
        let table_pages: u64 = site.tables.iter().map(|table| site.pages_of(table)).sum();
        let cached_pages = site.memory_bytes / site.cached_page_bytes();
        let pool_pages = (0..site.applications()).map(|number| site.pool_pages(number));
        let kept = table_pages.min(pool_pages.fold(cached_pages, u64::saturating_add));
        let reads: f64 = site.pages.iter().map(|page| page.reads).sum();
        let reads = reads / site.pages.len().max(1) as f64;
        let needed = match reads > 0.0 {
            true => ((LOOKS * kept) as f64 / reads) as usize,
            false => 0,
        };
        Self {
            warm_up: needed.clamp(COUNTED, MOST_WARM_UP),
            pages: COUNTED,
        }
    }
}

/// Simulates `visits` to `site`. `seed` is for which pages of tables are looked for, and for what scatters; `goes_on` is asked now and then.
///
/// The result has the scores of each type of page in place of sites, then those of the neighbour's sites. Its nodes are the machines. Its total,
/// workers and buffer pool are those of the first application.
///
/// # Errors
/// Tables and files that cannot be followed, and an interrupt.
pub fn simulate(
    site: &DynamicSite,
    visits: &mut dyn Visits,
    measured: Measured,
    seed: u64,
    goes_on: &dyn Fn() -> bool,
) -> Result<TiersResult, TiersError> {
    let ended = visited((site, visits), measured, seed, goes_on, None)?;
    Ok(ended.0)
}

/// As [`simulate`], with what the database has asked of its files while pages were counted, in that order.
///
/// # Errors
/// As there.
pub fn simulate_with_uses(
    site: &DynamicSite,
    visits: &mut dyn Visits,
    measured: Measured,
    seed: u64,
    goes_on: &dyn Fn() -> bool,
) -> Result<(TiersResult, Vec<FileUse>), TiersError> {
    let kept = Some(Vec::new());
    visited((site, visits), measured, seed, goes_on, kept)
}

/// Simulates visits. Uses of files are added to `uses` where there is room for them.
fn visited(
    (site, visits): (&DynamicSite, &mut dyn Visits),
    measured: Measured,
    seed: u64,
    goes_on: &dyn Fn() -> bool,
    uses: Option<Vec<FileUse>>,
) -> Result<(TiersResult, Vec<FileUse>), TiersError> {
    let run = Run::new(site, visits, seed, goes_on);
    let mut run = run.map_err(|source| TiersError::Storage {
        node: site.machines[site.machine_of(Tier::Database)].name.clone(),
        source,
    })?;
    run.counts.uses = uses;
    let settling = measured.warm_up / SETTLING_PART;
    run.storage.set_speed(0, 0, NO_DELAYS);
    run.begin();
    run.until_ended(measured.warm_up - settling)?;
    run.storage.set_speed(run.now_ns, 0, 1.0);
    run.until_ended(measured.warm_up)?;
    let started_ns = run.now_ns;
    let read_bytes = run.storage.device_bytes();
    run.measure();
    let before = run.counts.ended;
    run.until_ended(before + measured.pages.max(1))?;
    run.counts.cache.device_bytes = run.storage.device_bytes() - read_bytes;
    let uses = run.counts.uses.take().unwrap_or_default();
    Ok((run.result(started_ns), uses))
}

/// What the storage has: the tables, the logs, the images, and the neighbour's files.
fn stored(site: &DynamicSite) -> Vec<StoredFile<'static>> {
    let file = |bytes: u64| StoredFile {
        store: 0,
        bytes,
        extents: None,
    };
    let tables = site.tables.iter();
    let tables = tables.map(|table| file(table_bytes(site, table)));
    let others = site.neighbour.iter().flat_map(|it| &it.files);
    let others = others.map(|it| file(it.bytes));
    let images = site.images.map_or((0, 0), |it| (it.files, it.bytes));
    let images = std::iter::repeat_n(file(images.1), images.0 as usize);
    tables
        .chain(std::iter::repeat_n(file(LOG_BYTES), site.applications()))
        .chain(images)
        .chain(others)
        .collect()
}

/// Bytes of whole pages of a table.
fn table_bytes(site: &DynamicSite, table: &Table) -> u64 {
    site.pages_of(table) * site.table_page_bytes
}

/// As the database reads a table, and writes its log.
fn usage(working_set_bytes: u64) -> Usage {
    Usage {
        process: 1,
        advice: Advice::Normal,
        mapped: false,
        delivery: Delivery::Kept,
        sequential: false,
        working_set_bytes,
    }
}

impl<'r> Run<'r> {
    fn new(
        site: &'r DynamicSite,
        visits: &'r mut dyn Visits,
        seed: u64,
        goes_on: &'r dyn Fn() -> bool,
    ) -> Result<Self, StorageError> {
        let system = System {
            profile: &site.store,
            memory_bytes: Some(site.memory_bytes),
            seed,
        };
        let unit_bytes = site.table_page_bytes.min(BLOCK_BYTES);
        let mut storage = Storage::new(&system, &stored(site), unit_bytes)?;
        let all_bytes: u64 = site.tables.iter().map(|it| table_bytes(site, it)).sum();
        let tables = site.tables.iter().zip(0..);
        let tables = tables.map(|(table, number)| {
            storage.open(number, table_bytes(site, table), usage(all_bytes))
        });
        let tables: Vec<OpenFile> = tables.collect();
        let first_log = tables.len() as u32;
        let applications = 0..site.applications();
        let logs = applications.clone().map(|number| {
            let file = first_log + number as u32;
            Log::new(storage.open(file, LOG_BYTES, usage(LOG_BYTES)))
        });
        let logs: Vec<Log> = logs.collect();
        let first_image = first_log + logs.len() as u32;
        let first_file = first_image + site.images.map_or(0, |it| it.files as u32);
        let pools = applications.clone().map(|number| Pool::new(site, number));
        let workers = applications.map(|number| Workers::new(site.workers_of(number)));
        let neighbour = site.neighbour.clone();
        let machines = site.machines.iter();
        Ok(Self {
            site,
            visits,
            random: Pcg64Mcg::seed_from_u64(seed),
            now_ns: 0,
            events: EventQueue::default(),
            processors: machines.map(|it| Sharing::new(it.processors)).collect(),
            storage,
            tables,
            first_image,
            logs,
            pools: pools.collect(),
            workers: workers.collect(),
            browsers: Vec::new(),
            neighbour: neighbour
                .and_then(|it| Neighbour::new(it, request_ns(&site.store), first_file)),
            counts: Counts::new(site),
            goes_on,
        })
    }

    /// Browsers come, each after a first time of thinking, and so do requests of the neighbour.
    fn begin(&mut self) {
        for number in 0..self.site.all_browsers() {
            let visit = self.visits.next(number, 0);
            self.browsers.push(Browser::new(visit.page));
            self.events.at(visit.think_ns, Event::Asks(number));
        }
        if let Some(neighbour) = &self.neighbour {
            self.events.at(neighbour.next_ns(), Event::Neighbour);
        }
    }

    /// Runs until so many pages were answered, or nothing more happens.
    fn until_ended(&mut self, pages: usize) -> Result<(), TiersError> {
        let mut patience = PATIENCE;
        while self.counts.ended < pages {
            patience -= 1;
            if patience == 0 {
                patience = PATIENCE;
                if !(self.goes_on)() {
                    return Err(TiersError::Interrupted);
                }
            }
            match self.events.pop() {
                Some((now_ns, event)) if now_ns <= LONGEST_NS => {
                    self.now_ns = now_ns;
                    self.take(event);
                }
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Device(event) => {
                let (storage, events) = (&mut self.storage, &mut self.events);
                let woken = storage.handle(self.now_ns, event, events);
                let woken: Vec<Waiter> = woken.collect();
                woken.into_iter().for_each(|waiter| self.wake(waiter));
            }
            Event::Flusher => {
                let (storage, events) = (&mut self.storage, &mut self.events);
                storage.wake_flusher(self.now_ns, events);
            }
            Event::Asks(number) => self.ask(number),
            Event::Processors(machine) => self.end_work(machine),
            Event::LogGoesOn(application) => self.write_log(application),
            Event::Neighbour => self.neighbour_comes(),
        }
    }

    fn end_work(&mut self, machine: usize) {
        let (ended, after_ns) = self.processors[machine].end(self.now_ns);
        if let Some(after_ns) = after_ns {
            let at_ns = self.now_ns.saturating_add(after_ns);
            self.events.at(at_ns, Event::Processors(machine));
        }
        for job in ended {
            match job {
                Job::Page(number) => self.go_on(number),
                Job::Request(number) => self.send(number),
                Job::Send(number) => self.sent(number),
            }
        }
    }

    /// Forgets what was counted while caches warmed up.
    fn measure(&mut self) {
        self.counts.measure();
        self.storage.count_anew();
        for pool in &mut self.pools {
            pool.counts = Default::default();
        }
        for workers in &mut self.workers {
            workers.count_anew(self.now_ns);
        }
        for processors in &mut self.processors {
            processors.count_anew(self.now_ns);
        }
    }

    fn result(mut self, started_ns: u64) -> TiersResult {
        let length_ns = self.now_ns - started_ns;
        let seconds = (length_ns as f64 / 1e9).max(1e-9);
        let machines = 0..self.site.machines.len();
        let nodes = machines.map(|machine| self.node(machine, length_ns));
        let nodes: Vec<NodeResult> = nodes.collect();
        let counts = &self.counts;
        TiersResult {
            seconds: length_ns as f64 / 1e9,
            warm_up_seconds: started_ns as f64 / 1e9,
            total: counts.total(seconds),
            sites: counts.parts(seconds),
            nodes,
            other_links: Vec::new(),
            asked_per_s: counts.asked_since() as f64 / seconds,
            under_way: counts.asked - counts.ended,
            asked: counts.asked,
            ended: counts.ended,
            has_warmed_up: true,
            stuck: 0,
            received_bytes: 0,
            firings: self.events.added(),
            batches: Vec::new(),
        }
    }

    fn node(&mut self, machine: usize, length_ns: u64) -> NodeResult {
        let processors = &mut self.processors[machine];
        processors.count_until(self.now_ns);
        let (busy, present) = processors.use_since(length_ns);
        let has = |tier: Tier| self.site.machine_of(tier) == machine;
        let (has_application, has_database) = (has(Tier::Application), has(Tier::Database));
        let workers = self.workers[0].resource(self.now_ns, length_ns);
        NodeResult {
            memory: None,
            processors: Resource {
                name: "processors".to_owned(),
                utilisation: Some(busy),
                mean_queue_length: Some(present),
                timeline: None,
            },
            workers: workers.filter(|_| has_application),
            disks: match has_database {
                true => self.disk(length_ns),
                false => Vec::new(),
            },
            link: None,
            cache: has_database.then_some(self.counts.cache),
            proxy_cache: None,
            held: None,
            calls: BTreeMap::new(),
            pool: has_database.then_some(self.pools[0].counts),
            tiers: self.counts.tiers(self.site, machine, length_ns),
        }
    }

    /// Parts of the disk, called as those of other nodes.
    fn disk(&self, length_ns: u64) -> Vec<Resource> {
        let parts = self.storage.resources(length_ns).into_iter();
        let named = parts.map(|it| Resource {
            name: format!("disk, {}", it.name.trim_start_matches("device, ")),
            ..it
        });
        named.collect()
    }
}
