//! Visits to an application with a database, simulated and calculated from files alone.

use serde_json::{Value, json};

use crate::simulate_scenario::workload;
use crate::support::schema::holds_to;
use crate::support::{Failure, Workplace};

const SCENARIO: &[u8] = b"[[client]]\nname = \"crowd\"\nasks = \"web1\"\nclients = 8\n\
    [[node]]\nname = \"web1\"\nmemory = \"48MiB\"\ncpus = 2\nworkers = 6\n\
    [[store]]\nname = \"disk\"\nprofile = \"hdd\"\ndisk = { kind = \"seeking\", rate = \"39MB\" }\n\
    [[database]]\nname = \"shop\"\nnode = \"web1\"\nstore = \"disk\"\npool = \"8MiB\"\nflush_method = \"O_DIRECT\"\n";

const MIX: &[u8] = b"name = \"two\"\n[think]\nmean = \"100ms\"\nmost = \"1s\"\n\
    [[page]]\nname = \"home\"\npath = \"/home.php\"\nnext = [{ to = \"home\", share = 0.5 }, { to = \"buy\", share = 0.5 }]\n\
    [[page]]\nname = \"buy\"\npath = \"/buy.php\"\nnext = [{ to = \"home\", share = 1.0 }]\n";

const PAGES: &[u8] = b"source = \"a test\"\n\
    [[page]]\nname = \"home\"\nweb_us = 80\napplication_us = 220\ndatabase_us = 500\npage_reads = 4\nbytes = \"8KiB\"\n\
    [[page]]\nname = \"buy\"\nweb_us = 80\napplication_us = 400\ndatabase_us = 900\npage_reads = 6.5\nlog_flushes = 1\n\
    [[table]]\nname = \"item\"\nbytes = \"24MiB\"\nhot_bytes = \"10MiB\"\nhot_share = 0.95\nreads = 0.8\n\
    [[table]]\nname = \"author\"\nbytes = \"4MiB\"\nreads = 0.2\n";

const VISITS: [&str; 4] = ["--sessions", "two.toml", "--application", "pages.toml"];

fn prepared() -> Workplace {
    let place = Workplace::new();
    place.write("shop.toml", SCENARIO);
    place.write("two.toml", MIX);
    place.write("pages.toml", PAGES);
    place
}

fn json(place: &Workplace, command: &[&str], more: &[&str]) -> Value {
    let all = [command, &["shop.toml"], &VISITS, &["--json"], more].concat();
    place.json(all)
}

fn simulated(place: &Workplace, more: &[&str]) -> Value {
    json(place, &["simulate", "scenario"], more)
}

fn per_s(document: &Value) -> f64 {
    let rate = document["outcomes"][0]["total"]["throughput_per_s"].as_f64();
    rate.expect("a rate")
}

fn hits(document: &Value, kind: &str) -> f64 {
    let caches = document["caches"].as_array().expect("caches");
    let mut own = caches.iter().filter(|it| it["kind"] == kind);
    let hits = own.next().and_then(|it| it["hit_ratio"].as_f64());
    hits.expect(kind)
}

#[test]
fn visits_are_simulated_from_a_mix_and_what_pages_take() {
    let place = prepared();
    let visited = simulated(&place, &["--replications", "1"]);
    holds_to("simulate-scenario.json", &visited);
    let pages = visited["pages"].as_array().expect("pages");
    let names: Vec<&Value> = pages.iter().map(|it| &it["page"]).collect();
    assert_eq!(names, ["home", "buy"]);
    let count = |place: usize| pages[place]["count"].as_f64().expect("a count");
    assert!((count(0) / count(1) - 2.0).abs() < 0.1, "{pages:?}");
    let mean = |place: usize| pages[place]["mean_us"].as_f64().expect("a mean");
    assert!(
        mean(1) > mean(0),
        "a page that waits for the log takes longer"
    );
    let resources = visited["outcomes"][0]["resources"].as_array();
    let names = resources.into_iter().flatten().map(|it| &it["name"]);
    let names: Vec<&Value> = names.collect();
    for name in ["web1 processors", "web1 workers", "web1 database tier"] {
        assert!(names.iter().any(|it| **it == name), "{name}: {names:?}");
    }
    assert_eq!(
        visited,
        simulated(&place, &["--replications", "1"]),
        "the seed decides"
    );
    let shown = place.succeeds([&["simulate", "scenario", "shop.toml"][..], &VISITS].concat());
    assert!(shown.contains("\nPages\n"), "{shown}");
    let widest = shown.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(100), "{shown}");
}

#[test]
fn a_larger_pool_has_more_hits_and_formulas_say_the_same() {
    let place = prepared();
    let more = ["--replications", "1", "--set", "database.shop.pool=24MiB"];
    let (small, large) = (simulated(&place, &more[..2]), simulated(&place, &more));
    assert!(hits(&large, "buffer-pool") > hits(&small, "buffer-pool"));
    assert!(per_s(&large) > per_s(&small));
    let none: &[&str] = &[];
    for (set, simulated) in [(none, &small), (&more[2..], &large)] {
        let calculated = json(&place, &["model"], set);
        holds_to("model.json", &calculated);
        let difference = hits(&calculated, "buffer-pool") - hits(simulated, "buffer-pool");
        assert!(difference.abs() < 0.02, "{difference}");
        let ratio = per_s(&calculated) / per_s(simulated);
        assert!((ratio - 1.0).abs() < 0.3, "{ratio}");
    }
}

#[test]
fn visits_that_deny_what_was_measured_say_so() {
    let place = prepared();
    let advice = |hot: &str| {
        let pages = String::from_utf8_lossy(PAGES).replace("4MiB\"\nreads", "1MiB\"\nreads");
        let pages = pages.replace("\"10MiB\"\nhot_share = 0.95", hot);
        place.write("pages.toml", pages.as_bytes());
        json(&place, &["model"], &[])["advice"].to_string()
    };
    // A pool of 8 MiB that reads a million pages in an hour.
    let probed = include_str!("samples/probed-shop.json");
    let probed = probed.replace("16777216", "8388608");
    let probed = probed.replace("12582912", "4194304");
    place.write("probed.json", probed.as_bytes());
    let scenario = String::from_utf8_lossy(SCENARIO) + "probe = \"probed.json\"\n";
    place.write("shop.toml", scenario.as_bytes());
    let small = advice("\"1MiB\"");
    assert!(small.contains("This denies what was measured"), "{small}");
    let large = advice("\"20MiB\"");
    assert!(!large.contains("This denies"), "{large}");
}

#[test]
fn images_take_time_with_their_pages_and_formulas_leave_them_out() {
    let place = prepared();
    let without = simulated(&place, &["--replications", "1"]);
    let pages = String::from_utf8_lossy(PAGES).replace("log_flushes", "images = 4\nlog_flushes");
    let pages = format!("{pages}[images]\nfiles = 20000\nbytes = \"4KiB\"\n");
    place.write("pages.toml", pages.as_bytes());
    let with = simulated(&place, &["--replications", "1"]);
    let mean = |of: &Value| of["pages"][1]["mean_us"].as_f64().expect("a mean");
    assert!(
        mean(&with) > mean(&without) + 4.0 * 1000.0,
        "half of the images are not in memory"
    );
    let calculated = json(&place, &["model"], &[]);
    let shown = calculated.to_string();
    assert!(shown.contains("application.images"), "{shown}");
}

#[test]
fn files_of_other_sites_are_asked_for_beside_the_pages() {
    let place = prepared();
    workload(&place);
    let alone = simulated(&place, &["--replications", "1"]);
    let beside = simulated(&place, &["--replications", "1", "a.log"]);
    let sites = beside["outcomes"][0]["sites"].as_array();
    assert_eq!(sites.map(Vec::len), Some(1), "{beside}");
    assert!(per_s(&beside) <= per_s(&alone) * 1.02);
    let all = [&["model", "shop.toml", "a.log"][..], &VISITS].concat();
    Failure::of(place.hotset(all))
        .has_code(1)
        .says("are simulated, not calculated");
}

/// A plan file that gives database `shop` a pool, pins these tables, and holds a file of 1 MiB.
fn plan(pool_bytes: u64, pinned: &[&str]) -> Vec<u8> {
    let file = json!({
        "site": "default", "path": "a.html", "size_bytes": 1 << 20, "mtime_ns": null, "store": "memory", "node": "web1", "order": 0,
        "reason": { "requests_per_hour": null, "requests": 9, "size_bytes": 1 << 20, "saved_us_per_byte": 0.1 },
    });
    let database = json!({
        "node": "web1", "database": "shop", "socket": "/run/shop.sock", "pool_bytes": pool_bytes, "pinned": pinned,
    });
    let plan = json!({
        "version": 1, "memory_bytes": 24 << 20, "held_pages": 256, "databases": [database], "files": [file],
    });
    plan.to_string().into_bytes()
}

#[test]
fn a_plan_gives_the_database_its_pool_and_pins_its_tables() {
    let place = prepared();
    let more = ["--replications", "1", "--plan", "plan.json"];
    place.write("plan.json", &plan(24 << 20, &[]));
    let (small, planned) = (simulated(&place, &more[..2]), simulated(&place, &more));
    assert!(hits(&planned, "buffer-pool") > hits(&small, "buffer-pool"));
    let settings = planned["outcomes"][0]["provenance"]["settings"].to_string();
    assert!(settings.contains(&(24 << 20).to_string()), "{settings}");
    place.write("plan.json", &plan(8 << 20, &["site.item"]));
    let visit = [&["simulate", "scenario", "shop.toml"][..], &VISITS, &more].concat();
    Failure::of(place.hotset(&visit))
        .has_code(1)
        .says("reads past the page cache here");
    let scenario = String::from_utf8_lossy(SCENARIO).replace("O_DIRECT", "fsync");
    place.write("shop.toml", scenario.as_bytes());
    let pinned = simulated(&place, &more);
    let settings = pinned["outcomes"][0]["provenance"]["settings"].to_string();
    assert!(
        settings.contains("pinned") && settings.contains("item"),
        "{settings}"
    );
    // Four of five reads are of the pinned table.
    assert!(hits(&pinned, "page-cache") > 0.8);
    place.write(
        "shop.toml",
        scenario.replace("\"shop\"", "\"news\"").as_bytes(),
    );
    Failure::of(place.hotset(&visit))
        .has_code(1)
        .says("is a plan without database `news` (it has shop)");
    place.write("plan.json", b"{}");
    Failure::of(place.hotset(&visit))
        .has_code(1)
        .says("plan.json");
}

/// A parallel file system of this kind on two servers.
fn shared(kind: &str) -> String {
    let server = |name: &str| {
        format!("[[node]]\nname = \"{name}\"\nmemory = \"1GiB\"\nserver = \"files\"\n")
    };
    format!(
        "[[node]]\nname = \"web1\"\nmemory = \"1GiB\"\n{}{}[[store]]\nname = \"brick\"\nprofile = \"ssd\"\n\
         [[store]]\nname = \"shared\"\nprofile = \"nfs\"\nkind = \"{kind}\"\nservers = [\"io1\", \"io2\"]\non = \"brick\"\n",
        server("io1"),
        server("io2")
    )
}

/// What is hot of a table stays as it is when the table grows.
#[test]
fn packets_of_a_database_on_file_servers_do_not_grow_with_its_tables() {
    let place = prepared();
    let more = ["--replications", "1", "--files-work", "shop.work"];
    let packets = |kind: &str| {
        simulated(&place, &more);
        place.write("files.toml", shared(kind).as_bytes());
        let files = ["simulate", "files", "shop.work", "--scenario", "files.toml"];
        let counted = place.json(files.iter().chain(&["--store", "shared", "--json"]));
        let packets = &counted["link_packets"];
        packets["received"].as_u64().expect("packets") as f64
    };
    for kind in ["pvfs1", "lustre"] {
        place.write("pages.toml", PAGES);
        let small = packets(kind);
        assert!(small > 1000.0, "{kind}: {small}");
        let pages = String::from_utf8_lossy(PAGES).replace("24MiB", "192MiB");
        place.write("pages.toml", pages.as_bytes());
        let large = packets(kind);
        assert!(large < 1.3 * small, "{kind}: {small}, then {large}");
    }
    let over = [
        &["simulate", "scenario", "shop.toml"][..],
        &VISITS,
        &["--files-work", "pages.toml"],
    ];
    Failure::of(place.hotset(over.concat()))
        .has_code(2)
        .says("would be overwritten");
}

#[test]
fn clients_who_do_not_think_are_no_clients_without_a_say() {
    let place = prepared();
    let of_mix = json(&place, &["model"], &[]);
    let without = json(&place, &["model"], &["--set", "client.crowd.think=0s"]);
    assert!(per_s(&without) > per_s(&of_mix), "{without}");
}

#[test]
fn what_visits_do_not_follow_is_listed() {
    let place = prepared();
    let scenario = String::from_utf8_lossy(SCENARIO);
    let scenario = scenario.replace("clients = 8", "clients = 8\ntimeout = \"30s\"");
    let more = "[network]\ntopology = \"torus\"\nsize = [2, 2]\nrate = \"1Gbit\"\n\
        [[site]]\nname = \"www\"\nmatch = \"/*\"\nstore = \"disk\"\ntarget = \"p95 < 1ms\"\n";
    place.write("shop.toml", [&scenario[..], more].concat().as_bytes());
    let visited = simulated(&place, &["--replications", "1"]);
    let listed = json!(["client.crowd.timeout", "network", "site.www.target"]);
    assert_eq!(visited["not_modelled"], listed);
}

#[test]
fn what_cannot_be_visited_is_refused() {
    let place = prepared();
    let visit = [&["simulate", "scenario", "shop.toml"][..], &VISITS].concat();
    let without = &visit[..5];
    Failure::of(place.hotset(without))
        .has_code(2)
        .says("--application");
    let pages = String::from_utf8_lossy(PAGES);
    place.write(
        "pages.toml",
        pages.replace("\"buy\"", "\"sell\"").as_bytes(),
    );
    Failure::of(place.hotset(&visit))
        .has_code(1)
        .says("does not say what a page `buy` takes");
    place.write("pages.toml", PAGES);
    let scenario = String::from_utf8_lossy(SCENARIO);
    let (nodes, _) = scenario.split_once("[[database]]").expect("a database");
    place.write("shop.toml", nodes.as_bytes());
    Failure::of(place.hotset(&visit))
        .has_code(1)
        .says("there is no [[database]]");
    let small = scenario.replace("48MiB", "8MiB");
    place.write("shop.toml", small.as_bytes());
    Failure::of(place.hotset(&visit))
        .has_code(1)
        .says("leaves no page for files");
}
