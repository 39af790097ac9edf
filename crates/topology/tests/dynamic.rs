//! A site whose pages an application makes with a database, as the model has it.

use std::path::Path;

use hotset_models::dynamic::{DynamicSite, Tier};
use hotset_scenario::{ApplicationProfile, Scenario};
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
