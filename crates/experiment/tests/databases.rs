//! Experiments of kind databases: their points, and what they refuse.

use std::path::Path;

use hotset_experiment::Selection;
use hotset_scenario::{ApplicationProfile, Scenario};
use serde_json::{Value, json};

use crate::place::{Place, says};

const NODES: &str = include_str!("samples/databases/node.toml");
pub const DATABASES: &str = include_str!("samples/databases/experiment.toml");

pub fn place(experiment: &str) -> Place {
    Place::with(&[("node.toml", NODES), ("experiment.toml", experiment)])
}

#[test]
fn a_point_is_a_mix_beside_a_background_under_an_arm_in_a_run() {
    let items = place(DATABASES).list(&Selection::default());
    let items = items.expect("points");
    let names: Vec<String> = items.iter().map(|item| item.point.to_string()).collect();
    let wanted = [
        "shopping-beside-none page-cache 1",
        "shopping-beside-none pool 1",
        "shopping-beside-none pin 1",
        "shopping-beside-tpcw-0 page-cache 1",
        "shopping-beside-tpcw-0 pool 1",
        "shopping-beside-tpcw-0 pin 1",
    ];
    assert_eq!(names[..6], wanted);
    assert_eq!(names.len(), 12);
}

#[test]
fn what_makes_no_comparison_is_refused() {
    for (from, to, wanted) in [
        ("[\"shopping\"]", "[]", "the list is empty"),
        (
            "\"shopping\"",
            "\"buying\"",
            "it has browsing, shopping, ordering",
        ),
        (
            "\"shopping\"",
            "\"shopping\", \"shopping\"",
            "is there twice",
        ),
        (
            "\"tpcw-0\"",
            "\"tpcw-5\"",
            "write none, or tpcw-0 to tpcw-4",
        ),
        (
            "large_pool = \"64MiB\"",
            "large_pool = \"32MiB\"",
            "not larger than `pool`",
        ),
        ("[\"item\", \"author\"]", "[]", "names nothing to pin"),
        (
            "runs = 2",
            "flush_method = \"O_DIRECT\"",
            "reads past the page cache",
        ),
        (
            "runs = 2",
            "arms = [\"tape\"]",
            "use page-cache, pool, pin, ramfs or plan",
        ),
        ("runs = 2", "arms = [\"ramfs\"]", "add `memory_store`"),
        (
            "runs = 2",
            "memory_store = \"disk\"",
            "is to be of kind ramfs",
        ),
        (
            "runs = 2",
            "engine = \"oracle\"",
            "use innodb, myisam or aria",
        ),
        ("class = 0", "class = 5", "not between 0 and 4"),
        (
            "store = \"disk\"",
            "store = \"tape\"",
            "has no store `tape`",
        ),
        (
            "store = \"disk\"",
            "store = \"memory\"",
            "is to lie on a local disk",
        ),
        (
            "kind = \"databases\"",
            "kind = \"databases\"\nscale = 2",
            "leave it out",
        ),
    ] {
        assert!(DATABASES.contains(from), "{from}");
        says(
            place(&DATABASES.replacen(from, to, 1)).list(&Selection::default()),
            wanted,
        );
    }
    let ramfs = "arms = [\"ramfs\"]\nmemory_store = \"memory\"";
    let ramfs = DATABASES.replacen("runs = 2", ramfs, 1);
    assert_eq!(
        place(&ramfs)
            .list(&Selection::default())
            .expect("points")
            .len(),
        6
    );
    let auctions = "application = \"rubis\"\nmixes = [\"bidding\"]";
    let auctions = DATABASES.replacen("mixes = [\"shopping\"]", auctions, 1);
    let items = place(&auctions)
        .list(&Selection::default())
        .expect("points");
    assert_eq!(
        items[0].point.to_string(),
        "bidding-beside-none page-cache 1"
    );
    let planned = DATABASES.replacen("runs = 2", "arms = [\"plan\"]", 1);
    let items = place(&planned).list(&Selection::default()).expect("points");
    assert_eq!(items[0].point.to_string(), "shopping-beside-none plan 1");
    // Without pins the page cache is not asked for anything.
    let direct = "flush_method = \"O_DIRECT\"\narms = [\"page-cache\", \"pool\"]";
    let direct = DATABASES.replacen("runs = 2", direct, 1);
    let items = place(&direct).list(&Selection::default()).expect("points");
    assert_eq!(items.len(), 2 * 2 * 3);
}

/// The kept result of a run in which one browser asked at full speed: 80 times for home, 20 times for the cart.
pub fn visited(arm: &str, pool_bytes: u64, disk_reads: u64, mean_us: [f64; 2]) -> Value {
    let scenario = Scenario::parse(NODES, Path::new("node.toml")).expect("a scenario");
    let disk = scenario.stores.iter().find(|it| it.name == "disk");
    let data = format!("ext4 on {:?}", disk.expect("a disk").disk);
    let tier = |tier: &str, ms: f64| json!({ "application": "foreground", "tier": tier, "ms_per_page": ms });
    let pages = |name: &str, requests: u64, mean_us: f64| {
        json!({
            "kind": "page",
            "name": name,
            "requests": requests,
            "bytes": requests * 4096,
            "latencies": { "total": { "mean_us": mean_us } },
        })
    };
    json!({
        "experiment": "smoke",
        "cell": "shopping-beside-none",
        "arm": arm,
        "run": "1",
        "settings": {
            "mix": "shopping",
            "background": "none",
            "application": "tpcw",
            "class": 0,
            "items": 1000,
            "engine": "innodb",
            "pool_bytes": pool_bytes,
            "background_pool_bytes": 32 << 20,
            "pinned": [],
            "in_memory": [],
            "flush_method": "O_DIRECT",
            "durability": 1,
            "clients": 1,
            "think_ms": 0,
            "warm_up_seconds": 1,
            "seconds": 2,
            "data": data,
            "memory_bytes": 512 << 20,
            "cpus": null,
            "seed": 1,
        },
        "date": "2026-11-27",
        "tiers": [tier("web", 0.1), tier("scripts", 0.2), tier("database", 0.5)],
        "disk_reads": disk_reads,
        "disk_read_bytes": disk_reads * 16384,
        "pinned_bytes": 0,
        "quietness": null,
        "outcomes": [{
            "name": "visited",
            "provenance": { "kind": "measured" },
            "total": { "requests": 100 },
            "groups": [pages("home", 80, mean_us[0]), pages("shopping_cart", 20, mean_us[1])],
        }],
    })
}

/// The database works for 450 µs and 700 µs, a sync of the log takes 3.3 ms, and pages read two and twelve pages of tables, each in 3 ms.
#[test]
fn what_pages_take_is_told_by_one_browser_with_a_large_and_a_small_pool() {
    let alone = "runs = 1\nflush_method = \"O_DIRECT\"\narms = [\"page-cache\", \"pool\"]";
    let experiment = DATABASES
        .replacen("runs = 2", alone, 1)
        .replacen("clients = 4", "clients = 1", 1)
        .replacen("name = \"smoke\"", "name = \"smoke\"\nseed = 1", 1);
    let place = place(&experiment);
    let experiment = place.load().expect("an experiment");
    says(
        experiment.application_profile(),
        "experiment smoke: its results do not tell what pages take",
    );
    for (arm, pool_bytes, disk_reads, mean_us) in [
        ("pool", 64 << 20, 0, [750.0, 4300.0]),
        ("page-cache", 32 << 20, 400, [6750.0, 40_300.0]),
    ] {
        let mut result = visited(arm, pool_bytes, disk_reads, mean_us);
        let (resident, reads) = match arm {
            "pool" => ([16 << 20, 4 << 20], [0.0, 0.0]),
            _ => ([1 << 20, 0], [900.0, 300.0]),
        };
        let table = |place: usize, table: &str, bytes: u64| {
            json!({
                "table": table,
                "bytes": bytes,
                "resident_bytes": resident[place],
                "page_reads_per_hour": reads[place],
            })
        };
        result["tables"] = json!([table(0, "item", 64 << 20), table(1, "author", 4 << 20)]);
        let file = format!("results/shopping-beside-none/{arm}/1.json");
        place.write(&file, &result.to_string());
    }
    let profile = experiment.application_profile().expect("pages");
    assert_eq!(profile.source, "experiment smoke, measured 2026-11-27");
    for (name, database_us, page_reads, log_flushes) in [
        ("home", 450.0, 2.0, 0.0),
        ("shopping_cart", 700.0, 12.0, 1.0),
    ] {
        let page = profile.page(name).expect(name);
        assert!((page.web_us - 100.0).abs() < 1e-6, "{page:?}");
        assert!((page.application_us - 200.0).abs() < 1e-6, "{page:?}");
        assert!((page.database_us - database_us).abs() < 1e-6, "{page:?}");
        assert!((page.page_reads - page_reads).abs() < 1e-6, "{page:?}");
        assert_eq!((page.log_flushes, page.bytes), (log_flushes, 4096));
    }
    let tables = profile.tables.iter();
    let tables = tables.map(|it| (it.name.as_str(), it.bytes >> 20, it.hot_bytes, it.reads));
    let tables: Vec<_> = tables.collect();
    assert_eq!(
        tables,
        [
            ("author", 4, Some(4 << 20), 0.25),
            ("item", 64, Some(16 << 20), 0.75)
        ]
    );
    let text = profile.to_toml().expect("TOML");
    let read = ApplicationProfile::parse(&text, Path::new("pages.toml")).expect("it is read back");
    assert_eq!(read, profile);
}

/// Names of all pages of the bookshop.
const PAGES: [&str; 14] = [
    "home",
    "new_products",
    "best_sellers",
    "product_detail",
    "search_request",
    "search_results",
    "shopping_cart",
    "customer_registration",
    "buy_request",
    "buy_confirm",
    "order_inquiry",
    "order_display",
    "admin_request",
    "admin_confirm",
];

/// A profile of pages that take a millisecond each, and find all in the pool.
fn costs() -> String {
    let costs = "web_us = 100\napplication_us = 200\ndatabase_us = 700\npage_reads = 2\n";
    let pages = PAGES.map(|name| format!("[[page]]\nname = \"{name}\"\n{costs}"));
    let tables = "[[table]]\nname = \"item\"\nbytes = \"20MiB\"\nreads = 1\n";
    format!("{}{tables}", pages.concat())
}

/// An experiment with one browser for each application, on two processors.
fn simulated(more: &str) -> Place {
    let alone = format!(
        "runs = 1\nflush_method = \"O_DIRECT\"\narms = [\"pool\"]\napplication_profile = \"pages.toml\"\n{more}"
    );
    let experiment = DATABASES
        .replacen("runs = 2", &alone, 1)
        .replacen("clients = 4", "clients = 1", 1)
        .replacen("name = \"smoke\"", "name = \"smoke\"\nseed = 1", 1);
    let nodes = NODES.replacen("memory = \"512MiB\"", "memory = \"512MiB\"\ncpus = 2", 1);
    Place::with(&[
        ("node.toml", nodes.as_str()),
        ("experiment.toml", experiment.as_str()),
    ])
}

/// The kept result of a run on two processors.
fn answered(background: &str) -> Value {
    let mut result = visited("pool", 64 << 20, 0, [1000.0, 1000.0]);
    result["settings"]["cpus"] = json!(2);
    result["settings"]["background"] = json!(background);
    result["cell"] = json!(format!("shopping-beside-{background}"));
    result["outcomes"][0]["total"]["throughput_per_s"] = json!(990.0);
    result
}

/// Pages of a millisecond each that find all in the pool: one browser has a thousand a second.
#[test]
fn runs_without_a_background_are_simulated_by_what_pages_take() {
    let place = simulated("");
    says(place.show(), "pages.toml: cannot read");
    place.write("pages.toml", &costs());
    let file = "results/shopping-beside-none/pool/1.json";
    place.write(file, &answered("none").to_string());
    let report = place.show().expect("the results are whole");
    let prediction = report.points[0].prediction.as_ref().expect("a prediction");
    let per_s = prediction["pages_per_s"].as_f64().expect("a rate");
    assert!((per_s - 1000.0).abs() < 20.0, "{per_s}");
    assert_eq!(prediction["pool_hit_ratio"], 1.0);
    assert!(prediction["background_pages_per_s"].is_null());
    let said = report.remarks.join(" ");
    assert!(
        said.contains("Pages a second: simulations are off by"),
        "{said}"
    );
    place.write("node.toml", NODES);
    let report = place.show().expect("the results are whole");
    assert!(report.points[0].prediction.is_none());
    assert!(report.remarks.join(" ").contains("has no `cpus`"));
}

/// Each of both has a processor of its own, and a pool that has all.
#[test]
fn runs_beside_a_background_are_simulated_by_what_its_pages_take() {
    let file = "results/shopping-beside-tpcw-0/pool/1.json";
    let place = simulated("");
    place.write("pages.toml", &costs());
    place.write(file, &answered("tpcw-0").to_string());
    let report = place.show().expect("the results are whole");
    assert!(
        report.points[0].prediction.is_none(),
        "nobody knows its pages"
    );
    let place = simulated("background_profile = \"pages.toml\"");
    place.write("pages.toml", &costs());
    place.write(file, &answered("tpcw-0").to_string());
    let report = place.show().expect("the results are whole");
    let prediction = report.points[0].prediction.as_ref().expect("a prediction");
    for rate in ["pages_per_s", "background_pages_per_s"] {
        let per_s = prediction[rate].as_f64().expect("a rate");
        assert!((per_s - 1000.0).abs() < 30.0, "{rate}: {per_s}");
    }
}

#[test]
fn profiles_that_nothing_is_simulated_by_are_refused() {
    let alone = DATABASES.replacen("runs = 2", "background_profile = \"pages.toml\"", 1);
    says(
        place(&alone).list(&Selection::default()),
        "add the foreground's `application_profile`",
    );
    let both = "application_profile = \"pages.toml\"\nbackground_profile = \"pages.toml\"";
    let several =
        DATABASES
            .replacen("runs = 2", both, 1)
            .replacen("\"tpcw-0\"", "\"tpcw-0\", \"tpcw-1\"", 1);
    says(
        place(&several).list(&Selection::default()),
        "`background_profile` for 2 backgrounds",
    );
}

/// The plan answers 990 of the 1000 pages that the large pool does, and each run more than the page cache alone.
#[test]
fn plans_are_laid_beside_the_best_arm_and_the_page_cache_alone() {
    let arms = "runs = 2\nflush_method = \"O_DIRECT\"\narms = [\"page-cache\", \"pool\", \"plan\"]";
    let experiment = DATABASES
        .replacen("runs = 2", arms, 1)
        .replacen("[\"none\", \"tpcw-0\"]", "[\"none\"]", 1)
        .replacen("clients = 4", "clients = 1", 1)
        .replacen("name = \"smoke\"", "name = \"smoke\"\nseed = 1", 1);
    let place = place(&experiment);
    let plan = json!([{
        "application": "foreground",
        "pool_bytes": 127 << 20,
        "pinned": [],
        "store_reads_per_hour_before": 720_000.0,
        "store_reads_per_hour": 3600.0,
    }]);
    for (arm, pool_bytes, rates) in [
        ("page-cache", 32 << 20, [700.0, 720.0]),
        ("pool", 64 << 20, [1000.0, 1010.0]),
        ("plan", 32 << 20, [990.0, 1000.0]),
    ] {
        for (run, per_s) in ["1", "2"].into_iter().zip(rates) {
            let mut result = visited(arm, pool_bytes, 0, [1000.0, 1000.0]);
            result["run"] = json!(run);
            result["outcomes"][0]["total"]["throughput_per_s"] = json!(per_s);
            if arm == "plan" {
                result["planned"] = plan.clone();
            }
            let file = format!("results/shopping-beside-none/{arm}/{run}.json");
            place.write(&file, &result.to_string());
        }
    }
    let said = place.show().expect("the results are whole").remarks;
    let wanted = [
        "shopping-beside-none: the plan gives the foreground a pool of 127 MiB.",
        "The plan is within 5 % of the best other arm in 1 of 1 cells.",
        "Under the plan no cell has all runs below those of the page cache alone.",
    ];
    for words in wanted {
        assert!(said.iter().any(|it| it == words), "{said:?}");
    }
}

#[test]
fn mixes_are_laid_beside_the_order_that_is_documented() {
    let mixes = ["browsing", "shopping", "ordering"];
    let arms = "runs = 1\nflush_method = \"O_DIRECT\"\narms = [\"pool\"]";
    let experiment = DATABASES
        .replacen("runs = 2", arms, 1)
        .replacen("[\"shopping\"]", &format!("{mixes:?}"), 1)
        .replacen("clients = 4", "clients = 1", 1)
        .replacen("name = \"smoke\"", "name = \"smoke\"\nseed = 1", 1);
    let place = place(&experiment);
    let said = |rates: [f64; 3]| {
        for (mix, per_s) in mixes.into_iter().zip(rates) {
            let mut result = visited("pool", 64 << 20, 0, [1000.0, 1000.0]);
            result["cell"] = json!(format!("{mix}-beside-none"));
            result["settings"]["mix"] = json!(mix);
            result["outcomes"][0]["total"]["throughput_per_s"] = json!(per_s);
            let file = format!("results/{mix}-beside-none/pool/1.json");
            place.write(&file, &result.to_string());
        }
        let report = place.show().expect("the results are whole");
        report.remarks.join(" ")
    };
    let fall = said([20.0, 19.0, 18.0]);
    let wanted = "Beside none, pool: browsing 20.0, shopping 19.0, ordering 18.0 pages/s. They fall as the documents report.";
    assert!(fall.contains(wanted), "{fall}");
    let rise = said([18.0, 19.0, 20.0]);
    assert!(
        rise.contains("They do not fall as the documents report."),
        "{rise}"
    );
}
