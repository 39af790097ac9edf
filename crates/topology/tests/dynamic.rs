//! A site whose pages an application makes with a database, as the model has it.

use std::path::Path;

use hotset_models::dynamic::{DynamicSite, Tier};
use hotset_scenario::{ApplicationProfile, ProbedDatabase, Scenario};
use hotset_topology::{APPLICATION_WORKERS, Nodes, TopologyError, Visited};

const SCENARIO: &str = r#"
[[client]]
name = "crowd"
asks = "web"
clients = 12

[[node]]
name = "web"
memory = "256MiB"
cpus = 2

[[node]]
name = "rows"
memory = "512MiB"
server_memory = "100MiB"
cpus = 0.5

[[store]]
name = "disk"
profile = "hdd"
disk = { kind = "seeking", rate = "39MB" }

[[database]]
name = "shop"
node = "rows"
store = "disk"
pool = "32MiB"
flush_method = "fsync"
"#;

const PAGES: &str = r#"
[[page]]
name = "home"
web_us = 80
application_us = 200
application_ns_per_byte = 10
database_us = 150
page_reads = 3
bytes = 10000

[[table]]
name = "item"
bytes = "64MiB"
hot_bytes = "16MiB"
reads = 1
"#;

fn site(scenario: &str, pages: &str, pinned: &[String]) -> Result<DynamicSite, TopologyError> {
    let scenario = Scenario::parse(scenario, Path::new("s.toml")).expect("a scenario");
    let profile = ApplicationProfile::parse(pages, Path::new("p.toml")).expect("a profile");
    Nodes::of_pages(&scenario)?.dynamic_site(Visited {
        profile: &profile,
        pages: &["home".to_owned()],
        pinned,
        neighbour: None,
    })
}

#[test]
fn the_database_may_be_on_a_node_of_its_own() {
    let site = site(SCENARIO, PAGES, &[]).expect("a site");
    let on = Tier::ALL.map(|tier| site.machines[site.machine_of(tier)].name.as_str());
    assert_eq!(on, ["web", "web", "rows"]);
    assert_eq!(site.pages[0].work_ns, [80_000, 300_000, 150_000]);
    assert_eq!(site.workers, Some(APPLICATION_WORKERS));
    assert_eq!((site.browsers, site.pool_bytes), (12, 32 << 20));
    assert_eq!(site.memory_bytes, (512 - 100 - 32) << 20);
    assert!(!site.is_past_cache);
    assert!(site.machines[1].processors.quota.is_some());
}

#[test]
fn pins_take_memory_of_the_page_cache() {
    let pinned = ["item".to_owned()];
    let pinned = site(SCENARIO, PAGES, &pinned).expect("a site");
    assert!(pinned.tables[0].is_pinned);
    assert_eq!(pinned.memory_bytes, (512 - 100 - 32 - 64) << 20);
}

/// A server of which 3 MiB are in a pool of 16 MiB, and that reads so many pages in an hour.
fn probed(page_reads_per_hour: f64) -> ProbedDatabase {
    let text = format!(
        r#"{{"socket": "/run/s", "version": "10.11.6-MariaDB", "pool_bytes": 16777216, "page_bytes": 16384, "flush_method": "O_DIRECT",
        "reads_through_page_cache": false, "observed_seconds": 60.0, "left_out": [], "tables": [{{"name": "shop.item",
        "engine": "InnoDB", "bytes": 25165824, "resident_bytes": 3145728, "page_cache_bytes": 0,
        "page_reads_per_hour": {page_reads_per_hour}, "rows_read_per_hour": 5e6}}]}}"#
    );
    ProbedDatabase::from_json(&text).expect("a probe")
}

#[test]
fn what_is_hot_of_measured_tables_is_what_plans_take_for_it() {
    let (pages, _) = PAGES.split_once("[[table]]").expect("a table");
    let profile = ApplicationProfile::parse(pages, Path::new("p.toml")).expect("a profile");
    let mut scenario = Scenario::parse(SCENARIO, Path::new("s.toml")).expect("a scenario");
    let mut hot = |page_reads_per_hour: f64| {
        scenario.databases[0].probes = vec![probed(page_reads_per_hour)];
        let site = Nodes::of_pages(&scenario)
            .expect("nodes")
            .dynamic_site(Visited {
                profile: &profile,
                pages: &["home".to_owned()],
                pinned: &[],
                neighbour: None,
            });
        site.expect("a site").tables[0].hot_bytes
    };
    // Pages are read over and over, so more are asked for than are in memory.
    assert_eq!(hot(2_150_000.0), 24 << 20);
    assert_eq!(hot(0.0), 3 << 20);
}

#[test]
fn other_engines_have_no_pool() {
    let scenario = SCENARIO.replace("flush_method = \"fsync\"", "engine = \"myisam\"");
    let site = site(&scenario, PAGES, &[]).expect("a site");
    assert_eq!(site.pool_bytes, 0);
    assert!(!site.is_past_cache);
}

#[test]
fn what_cannot_be_simulated_is_refused() {
    let (_, database) = SCENARIO.split_once("[[database]]").expect("a database");
    let two = format!(
        "{SCENARIO}[[database]]{}",
        database.replace("shop", "other")
    );
    let disk = "profile = \"hdd\"\ndisk = { kind = \"seeking\", rate = \"39MB\" }";
    let memory = SCENARIO.replace(disk, "profile = \"memory\"\nkind = \"tmpfs\"");
    let large = SCENARIO.replace("\"32MiB\"", "\"500MiB\"");
    let away = PAGES.replace("\"home\"", "\"away\"");
    let (bare, _) = PAGES.split_once("[[table]]").expect("a table");
    for (scenario, pages, wanted) in [
        (two.as_str(), PAGES, "`shop` and `other`"),
        (memory.as_str(), PAGES, "no local disk"),
        (large.as_str(), PAGES, "leaves no page for files"),
        (SCENARIO, away.as_str(), "what a page `home` takes"),
        (SCENARIO, bare, "no tables are known"),
    ] {
        let error = site(scenario, pages, &[]).expect_err(wanted).to_string();
        assert!(error.contains(wanted), "{error}");
    }
}
