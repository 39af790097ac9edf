//! A site whose pages an application makes with a database: on the node that clients ask, with the scenario's database server.

use std::sync::Arc;

use hotset_cache::PAGE_BYTES;
use hotset_models::dynamic::{DynamicSite, Images, Machine, Page, Table, Tier};
use hotset_models::tiers::{Processors, Traffic};
use hotset_plan::{ServerUse, hot_bytes};
use hotset_scenario::{
    ApplicationProfile, Database, Engine, Node, PageProfile, ProbedDatabase, ProbedTable, Profile,
    Scenario, TableProfile,
};
use hotset_trace::Trace;

use crate::TopologyError;
use crate::error::{refuse, refused};
use crate::nodes::{Nodes, quota};
use crate::stores::{is_memory, local_profile};

/// Requests that the application works on at a time where the node does not say. The configuration of PHP-FPM that `hotset generate tpcw`
/// writes has as many (`pm.max_children`).
pub const APPLICATION_WORKERS: u32 = 16;

/// Most bytes of a database that is followed page by page.
const MOST_BYTES: u64 = 1 << 40;

/// The application, its visitors, and what is beside them.
#[derive(Clone, Copy)]
pub struct Visited<'v> {
    /// What pages of the application take.
    pub profile: &'v ApplicationProfile,
    /// Names of the types of pages, in the order of the mix.
    pub pages: &'v [String],
    /// Tables of which all files are locked in the page cache.
    pub pinned: &'v [String],
    /// Files of other sites that are asked for by the clock, and the traffic that they are of.
    pub neighbour: Option<(&'v Arc<Traffic>, &'v Trace)>,
}

impl<'s> Nodes<'s> {
    /// Those that pages pass: as [`Nodes::of`], and the node of the database.
    ///
    /// # Errors
    /// As there, and a scenario without clients, without a database, or with several.
    pub fn of_pages(scenario: &'s Scenario) -> Result<Self, TopologyError> {
        let mut nodes = Self::of(scenario)?;
        if scenario.clients.is_empty() {
            refuse!(
                "there is no [[client]] to visit pages; add one with `clients`, as many as there are browsers"
            );
        }
        let database = database(scenario)?;
        let is_its = |node: &&Node| node.name == database.node;
        if !nodes.nodes.iter().any(is_its) {
            let all = scenario.nodes.iter();
            nodes.nodes.extend(all.filter(is_its));
            nodes.unasked.retain(|node| !is_its(node));
        }
        Ok(nodes)
    }

    /// The model of the site, with machines in the order of the nodes.
    ///
    /// # Errors
    /// Pages and tables of which nothing is known; clients who ask several nodes or a proxy; a store that is no local disk; too little memory.
    pub fn dynamic_site(&self, visited: Visited<'_>) -> Result<DynamicSite, TopologyError> {
        let scenario = self.scenario();
        let database = database(scenario)?;
        let web = self.asked(scenario)?;
        let place = |name: &str| self.nodes.iter().position(|node| node.name == name);
        let (web_place, database_place) = (place(&web.name), place(&database.node));
        let (Some(web_place), Some(database_place)) = (web_place, database_place) else {
            refuse!(
                "the node of database `{}` is not among those that are asked",
                database.name
            );
        };
        let tables = tables(scenario, database, visited)?;
        let store = store(scenario, database, &tables, visited)?;
        let machines = self.nodes.iter().enumerate();
        let pages = visited.pages.iter().map(|name| page(visited.profile, name));
        let workers = web
            .workers
            .map_or(Some(APPLICATION_WORKERS), |it| u32::try_from(it).ok());
        Ok(DynamicSite {
            pages: pages.collect::<Result<_, _>>()?,
            table_page_bytes: visited.profile.table_page_bytes,
            pool_bytes: pool_bytes(database),
            is_past_cache: database.engine == Engine::InnoDb
                && !database.reads_through_page_cache(),
            machines: machines
                .map(|(place, node)| machine(node, place, &store))
                .collect(),
            on: [web_place, web_place, database_place],
            workers,
            browsers: self.clients().clamp(1, u64::from(u32::MAX)) as u32,
            memory_bytes: memory_bytes(self.nodes[database_place], database, &tables)?,
            neighbour: visited.neighbour.map(|(traffic, _)| Arc::clone(traffic)),
            images: visited.profile.images.map(|it| Images {
                files: it.files,
                bytes: it.bytes,
            }),
            second: None,
            tables,
            store,
        })
    }

    /// The node that all clients ask.
    fn asked(&self, scenario: &'s Scenario) -> Result<&'s Node, TopologyError> {
        let mut asked = scenario.clients.iter().map(|client| client.asks.as_str());
        let first = asked.next().unwrap_or_default();
        if let Some(other) = asked.find(|it| *it != first) {
            refuse!(
                "clients ask `{first}` and `{other}`; visits to one node are simulated, so have all ask one"
            );
        }
        let node = scenario.nodes.iter().find(|node| node.name == first);
        let node = node.ok_or_else(|| refused(format!("there is no node `{first}`")))?;
        match node.reads_store() {
            true => Ok(node),
            false => refuse!(
                "clients ask `{first}`, which is no web server of its own; have them ask the node of the application"
            ),
        }
    }
}

/// The database of the scenario.
fn database(scenario: &Scenario) -> Result<&Database, TopologyError> {
    match &scenario.databases[..] {
        [database] => Ok(database),
        [] => refuse!("there is no [[database]] to ask; add one with `node`, `store` and `pool`"),
        [first, second, ..] => refuse!(
            "there are the databases `{}` and `{}`; pages that ask one are simulated so far, so leave the others out",
            first.name,
            second.name
        ),
    }
}

/// InnoDB alone has a buffer pool.
fn pool_bytes(database: &Database) -> u64 {
    match database.engine {
        Engine::InnoDb => database.pool_bytes(),
        Engine::MyIsam | Engine::Aria => 0,
    }
}

fn page(profile: &ApplicationProfile, name: &str) -> Result<Page, TopologyError> {
    let Some(of) = profile.page(name) else {
        let known = profile.pages.iter().map(|page| page.name.as_str());
        let known: Vec<&str> = known.collect();
        refuse!(
            "the application's profile does not say what a page `{name}` takes; add a [[page]] of that name (it has {})",
            known.join(", ")
        );
    };
    let ns = |us: f64| (us * 1e3) as u64;
    Ok(Page {
        name: name.to_owned(),
        work_ns: Tier::ALL.map(|tier| match tier {
            Tier::Web => ns(of.web_us),
            Tier::Application => ns(application_us(of)),
            Tier::Database => ns(of.database_us),
        }),
        reads: of.page_reads,
        flushes: of.log_flushes,
        bytes: of.bytes,
        images: of.images,
    })
}

fn application_us(page: &PageProfile) -> f64 {
    page.application_us + page.application_ns_per_byte * page.bytes as f64 / 1e3
}

/// The tables of the profile; without any those that were measured of the server.
fn tables(
    scenario: &Scenario,
    database: &Database,
    visited: Visited<'_>,
) -> Result<Vec<Table>, TopologyError> {
    let profile = visited.profile;
    let mut tables: Vec<Table> = match (&profile.tables[..], database.probes.last()) {
        ([], Some(probed)) => probed_tables(scenario, database, probed),
        (tables, _) => tables.iter().map(profile_table).collect(),
    };
    if tables.iter().all(|table| table.reads <= 0.0)
        && let Some(page) = profile.pages.iter().find(|page| page.page_reads > 0.0)
    {
        refuse!(
            "page `{}` looks for pages of tables, and no tables are known; add [[table]] to the application's profile, or `probe` to \
             database `{}`",
            page.name,
            database.name
        );
    }
    let bytes = tables
        .iter()
        .fold(0u64, |sum, it| sum.saturating_add(it.bytes));
    if bytes > MOST_BYTES {
        refuse!("tables of {bytes} bytes are too large to be followed; at most {MOST_BYTES} are");
    }
    for name in visited.pinned {
        let mut own = tables.iter_mut();
        match own.find(|table| table.name == *name) {
            Some(table) => table.is_pinned = true,
            None => refuse!("there is no table `{name}` to pin"),
        }
    }
    Ok(tables)
}

fn profile_table(table: &TableProfile) -> Table {
    Table {
        name: table.name.clone(),
        bytes: table.bytes,
        hot_bytes: table.hot_bytes.unwrap_or(table.bytes),
        hot_share: table.hot_share,
        reads: table.reads,
        is_pinned: false,
    }
}

/// Tables by what was measured: what is hot of them is what plans take for it, and they are read as often as their rows are.
fn probed_tables(scenario: &Scenario, database: &Database, probed: &ProbedDatabase) -> Vec<Table> {
    let server = ServerUse::of(scenario, database, std::slice::from_ref(probed));
    let hot = hot_bytes(&server);
    let tables = probed.tables.iter().zip(hot);
    let tables = tables.map(|(table, hot)| {
        let hot = hot.unwrap_or_else(|| unplanned_hot_bytes(probed, table));
        probed_table(table, hot)
    });
    tables.collect()
}

/// What is hot of a table where plans do not know: all of it where InnoDB has read more than is in the pool of it, else what is in memory.
fn unplanned_hot_bytes(probed: &ProbedDatabase, table: &ProbedTable) -> u64 {
    let reads = table.page_reads_per_hour.unwrap_or(0.0) * probed.observed_seconds / 3600.0;
    let page_bytes = probed.page_bytes as f64;
    match table.resident_bytes {
        Some(resident) if !table.is_innodb() || reads * page_bytes <= resident as f64 => resident,
        _ => table.bytes,
    }
}

/// A table of which this is hot.
fn probed_table(table: &ProbedTable, hot_bytes: u64) -> Table {
    let (_, name) = table
        .name
        .split_once('.')
        .unwrap_or(("", table.name.as_str()));
    Table {
        name: name.to_owned(),
        bytes: table.bytes,
        hot_bytes: hot_bytes.min(table.bytes),
        hot_share: 1.0,
        reads: table.rows_read_per_hour,
        is_pinned: false,
    }
}

/// The store that tables are on, with its disk; files of the neighbour are there too.
fn store(
    scenario: &Scenario,
    database: &Database,
    tables: &[Table],
    visited: Visited<'_>,
) -> Result<Profile, TopologyError> {
    let spec = scenario.stores.get(database.store);
    let spec = spec.ok_or_else(|| refused("there is no [[store]]; add one with a `profile`"))?;
    if spec.remote.is_some() || is_memory(spec) {
        refuse!(
            "database `{}` is on store `{}`, which is no local disk; pages are simulated with tables on one, such as ext4 or xfs",
            database.name,
            spec.name
        );
    }
    let mut bytes: u64 = tables.iter().map(|table| table.bytes).sum();
    if let Some((_, trace)) = visited.neighbour {
        for name in &trace.sites {
            let site = scenario.sites.iter().find(|site| site.name == *name);
            if site.map_or(0, |site| site.store) != database.store {
                refuse!(
                    "site `{name}` is on another store than database `{}`; pages and files are simulated beside each other on one",
                    database.name
                );
            }
        }
        let files = trace.objects.size.iter();
        let files = files.map(|size| size.div_ceil(PAGE_BYTES).saturating_mul(PAGE_BYTES));
        bytes = files.fold(bytes, u64::saturating_add);
    }
    if let Some(images) = visited.profile.images {
        let each = images.bytes.next_multiple_of(PAGE_BYTES);
        bytes = bytes.saturating_add(images.files.saturating_mul(each));
    }
    local_profile(spec, bytes.saturating_add(LOG_BYTES))
}

/// Room for the log on the disk, bytes: simulations write less of it round and round.
const LOG_BYTES: u64 = 64 << 20;

fn machine(node: &Node, place: usize, store: &Profile) -> Machine {
    let usual = store.reading.unwrap_or_default().processors as f64;
    let processors = Processors::of(Some(node.cpus.unwrap_or(usual)), node.cpu_speed, u32::MAX);
    Machine {
        name: node.name.clone(),
        processors: match processors.count.fract() > 0.0 {
            true => processors.under(quota(processors.count, place)),
            false => processors,
        },
    }
}

/// What is left of the database's node for pages of files.
fn memory_bytes(node: &Node, database: &Database, tables: &[Table]) -> Result<u64, TopologyError> {
    let all = node
        .memory
        .bytes(tables.iter().map(|table| table.bytes).sum());
    let server = node.server_memory_bytes.unwrap_or(0);
    let pool = pool_bytes(database);
    let pinned = tables.iter().filter(|table| table.is_pinned);
    let pinned: u64 = pinned.map(|table| table.bytes).sum();
    let taken = server.saturating_add(pool).saturating_add(pinned);
    match all.checked_sub(taken) {
        Some(left) if left >= PAGE_BYTES => Ok(left),
        _ => refuse!(
            "node `{}` has {all} bytes of memory: its servers take {server}, the buffer pool of `{}` {pool} and pinned tables {pinned}, \
             which leaves no page for files; give it more, or the pool less",
            node.name,
            database.name
        ),
    }
}
