//! `hotset plan` with database servers: memory is divided between files, buffer pools and pins.

use serde_json::{Value, json};

use crate::support::Workplace;
use crate::support::schema::holds_to;

const PROBED: &str = include_str!("samples/probed-shop.json");
const MIB: u64 = 1 << 20;

const SCENARIO: &str = "[[node]]\nname = \"web1\"\nmemory = \"64MiB\"\n\
    [[store]]\nname = \"disk\"\nprofile = \"hdd\"\n\
    [[database]]\nname = \"shop-db\"\nnode = \"web1\"\nstore = \"disk\"\nprobe = \"shop.json\"\n\
    configuration = \"conf\"\n";

/// A log of files of 8 MiB together, and a server's tables.
fn place(scenario: &str, probed: &str) -> Workplace {
    let place = Workplace::new();
    let zipf = ["generate", "zipf", "--objects", "300", "--requests", "3000"];
    let rest = ["--working-set", "8MiB", "-o", "a.trace"];
    place.succeeds(zipf.iter().chain(&rest));
    place.write("scenario.toml", scenario.as_bytes());
    place.write("shop.json", probed.as_bytes());
    place
}

const PLAN: [&str; 4] = ["plan", "--scenario", "scenario.toml", "a.trace"];

fn plan(place: &Workplace) -> Value {
    place.json(PLAN.iter().chain(&["--json"]))
}

fn plan_file(place: &Workplace) -> Value {
    let text = std::fs::read(place.path("plan.json")).expect("a plan file");
    serde_json::from_slice(&text).expect("JSON")
}

fn server(plan: &Value) -> &Value {
    &plan["databases"]["servers"][0]
}

/// The same measurement with other figures.
fn probed(change: impl Fn(&mut Value)) -> String {
    let mut probed: Value = serde_json::from_str(PROBED).expect("JSON");
    change(&mut probed);
    probed.to_string()
}

#[test]
fn a_buffer_pool_gets_what_its_tables_read() {
    let place = place(SCENARIO, PROBED);
    let json = place.json(PLAN.iter().chain(&["--json", "-o", "plan.json"]));
    holds_to("plan.json", &json);
    let shop = server(&json);
    assert_eq!(shop["pool_bytes_now"], 16 * MIB);
    let pool = shop["pool_bytes"].as_u64().expect("a size");
    // The half of the items that is not in it.
    assert!((28 * MIB..=29 * MIB).contains(&pool), "{shop}");
    assert_eq!(json["databases"]["files_bytes"], 64 * MIB - pool);
    assert_eq!(
        json["memory_bytes"],
        64 * MIB - pool,
        "the plan is for the rest"
    );
    assert_eq!(json["verdict"], "hold");
    let reads = |key: &str| shop[key].as_f64().expect("reads");
    assert!(reads("store_reads_per_hour") < 0.1 * reads("store_reads_per_hour_now"));
    let text = place.succeeds(PLAN);
    assert!(text.contains("Give shop-db a buffer pool of 2"), "{text}");
    let file = plan_file(&place);
    holds_to("placement.json", &file);
    let placed = &file["databases"][0];
    assert_eq!(placed["pool_bytes"], pool);
    assert_eq!(placed["socket"], "/run/shop/mysqld.sock");
    assert_eq!(placed["pinned"], json!([]));
}

#[test]
fn a_plan_without_databases_says_nothing_of_them() {
    let (nodes, _) = SCENARIO.split_once("[[database]]").expect("a database");
    let json = plan(&place(nodes, PROBED));
    assert!(json.get("databases").is_none(), "{json}");
}

#[test]
fn a_server_that_counts_no_reads_is_left_and_told_what_to_set() {
    let uncounted = probed(|it| it["tables"][0]["page_reads_per_hour"] = Value::Null);
    let place = place(SCENARIO, &uncounted);
    let json = place.json(PLAN.iter().chain(&["--json", "-o", "plan.json"]));
    assert_eq!(server(&json)["pool_bytes"], 16 * MIB);
    let placed = &plan_file(&place)["databases"][0];
    assert_eq!(placed["database"], "shop-db");
    assert!(placed.get("pool_bytes").is_none(), "{placed}");
    assert_eq!(json["databases"]["is_left"], true);
    assert_eq!(json["memory_bytes"], 48 * MIB);
    let text = place.succeeds(PLAN).replace('\n', " ");
    assert!(text.contains("performance_schema=ON"), "{text}");
    assert!(text.contains("shop-db keeps its buffer pool"), "{text}");
}

#[test]
fn a_pin_past_the_page_cache_is_refused_by_the_setting() {
    let shared = |flush_method: &str, is_buffered: bool| {
        probed(|it| {
            it["flush_method"] = flush_method.into();
            it["reads_through_page_cache"] = is_buffered.into();
            it["tables"][0]["resident_bytes"] = (102 * 16_384).into();
            it["tables"][1] = json!({
                "name": "archive.line", "engine": "InnoDB", "bytes": 4_000 * MIB, "resident_bytes": 14 * MIB,
                "page_cache_bytes": 0, "page_reads_per_hour": 1e7, "rows_read_per_hour": 1e9,
            });
        })
    };
    let pinned = plan(&place(SCENARIO, &shared("fsync", true)));
    holds_to("plan.json", &pinned);
    assert_eq!(server(&pinned)["pinned"][0]["table"], "shop.item");
    let place = place(SCENARIO, &shared("O_DIRECT", false));
    let refused = plan(&place);
    assert_eq!(server(&refused)["pinned"], json!([]));
    let reason = &server(&refused)["refused_pins"][0]["reason"];
    let reason = reason.as_str().expect("a reason");
    assert!(reason.contains("innodb_flush_method=O_DIRECT"), "{reason}");
    let text = place.succeeds(PLAN).replace('\n', " ");
    assert!(text.contains("shop.item is not pinned"), "{text}");
}

#[test]
fn the_latest_of_several_measurements_scores() {
    let two = SCENARIO.replace("\"shop.json\"", "[\"shop.json\", \"later.json\"]");
    let place = place(&two, PROBED);
    place.write("later.json", PROBED.as_bytes());
    let scored = plan(&place);
    assert_eq!(scored["databases"]["held_out"]["is_given_up"], false);
    assert_eq!(scored["databases"]["is_left"], false);
    let larger = probed(|it| it["pool_bytes"] = (32 * MIB).into());
    place.write("later.json", larger.as_bytes());
    let predicted = plan(&place);
    holds_to("plan.json", &predicted);
    let division = &predicted["databases"];
    // There is one measurement with the pool that the server has now.
    assert!(division.get("held_out").is_none(), "{division}");
    let prediction = &division["predictions"][0];
    assert_eq!(prediction["from_pool_bytes"], 16 * MIB);
    assert_eq!(prediction["pool_bytes"], 32 * MIB);
    let reads = |key: &str| prediction[key].as_f64().expect("reads");
    assert!(reads("predicted_reads_per_hour") < 0.01 * reads("reads_per_hour"));
}

#[test]
fn what_cannot_be_divided_is_refused_with_its_place() {
    let node = "[[node]]\nname = \"web2\"\nmemory = \"64MiB\"\n";
    for (scenario, says) in [
        (
            SCENARIO.replace("64MiB", "16MiB"),
            "the buffer pools of shop-db and their tables in the page cache have 16777216 bytes of the node's 16777216",
        ),
        (
            format!("{node}{SCENARIO}"),
            "scenario.toml:11:8: database `shop-db`: memory is divided with databases on one node at a time",
        ),
        (
            SCENARIO.replace("\"64MiB\"", "\"64MiB\"\ngroups = true"),
            "memory groups of sites are not divided with databases",
        ),
        (
            format!("{SCENARIO}pool = \"8MiB\"\n"),
            "`pool` is 8388608 bytes, and it was measured with 16777216",
        ),
        (
            format!("{SCENARIO}flush_method = \"fsync\"\n"),
            "`flush_method` differs from O_DIRECT",
        ),
        (
            format!("{SCENARIO}{}", SCENARIO.replace("[[node]]\nname = \"web1\"\nmemory = \"64MiB\"\n[[store]]\nname = \"disk\"\nprofile = \"hdd\"\n", "").replace("shop-db", "other-db")),
            "another [[database]] was measured at the same socket",
        ),
    ] {
        let place = place(&scenario, PROBED);
        place.refuses(PLAN).has_code(1).says(says);
    }
}
