//! `hotset compare`: which outcomes it takes, what it says of them, and what it refuses.

use crate::support::{Failure, Workplace};
use serde_json::{Value, json};

/// A document of outcomes by name, each with these sites.
fn document(names: &[&str], sites: &[&str]) -> Value {
    let score = |mean_us: f64| {
        json!({ "requests": 100, "latencies": { "first_byte": {
            "count": 100, "mean_us": mean_us, "p50_us": 800.0, "p95_us": 2000.0, "p99_us": 600000.0,
            "mean_interval": { "low": mean_us * 0.9, "high": mean_us * 1.1, "level": 0.95 },
            "histogram": [[800, 60], [2000, 38], [600000, 2]]
        } } })
    };
    let site = |name: &&str| {
        let mut site = score(1000.0);
        site["site"] = json!(name);
        site
    };
    let outcome = |(index, name): (usize, &&str)| {
        json!({
            "name": name,
            "provenance": { "kind": "measured", "machine": "test" },
            "sites": sites.iter().map(site).collect::<Vec<_>>(),
            "total": score(1000.0 / (1 + index) as f64)
        })
    };
    json!({ "outcomes": names.iter().enumerate().map(outcome).collect::<Vec<_>>() })
}

fn place(documents: &[(&str, Value)]) -> Workplace {
    let place = Workplace::new();
    for (file, document) in documents {
        place.write(file, document.to_string().as_bytes());
    }
    place
}

fn names(json: &Value) -> Vec<&str> {
    let compared = json["compared"].as_array().expect("outcomes");
    let names = compared.iter().map(|of| of["name"].as_str());
    names.map(|name| name.expect("a name")).collect()
}

#[test]
fn the_first_outcome_is_the_baseline_and_ratios_have_intervals() {
    let place = place(&[("a.json", document(&["slow", "fast"], &["shop", "blog"]))]);
    let text = place.succeeds(["compare", "a.json"]);
    assert!(text.starts_with("fast's mean is 0.500 (0.4"), "{text}");
    assert!(
        text.contains("independent runs") && text.contains("98.0 %"),
        "{text}"
    );
    assert!(
        text.lines().all(|line| line.chars().count() <= 100),
        "{text}"
    );
    let json = place.json(["compare", "--json", "a.json:fast", "a.json:slow"]);
    assert_eq!(json["baseline"], "fast");
    let against = &json["compared"][1]["total"]["against_baseline"];
    assert_eq!(against["mean_ratio"], 2.0);
    assert_eq!(against["mean_ratio_method"], "independent");
    assert_eq!(json["compared"][1]["sites"][1]["site"], "blog");
}

#[test]
fn simulations_of_the_same_requests_are_paired_through_their_documents() {
    let place = Workplace::new();
    let zipf = [
        "generate",
        "zipf",
        "--objects",
        "300",
        "--requests",
        "6000",
        "-o",
        "a.trace",
    ];
    place.succeeds(zipf);
    for policy in ["lru", "sieve"] {
        let scan = [
            "simulate", "trace", "--memory", "10%", "--json", "--policy", policy, "a.trace",
        ];
        let json = place.succeeds(scan);
        place.write(&format!("{policy}.json"), json.as_bytes());
    }
    let plan = place.succeeds(["plan", "--memory", "10%", "--json", "a.trace"]);
    place.write("plan.json", plan.as_bytes());
    let json = place.json(["compare", "--json", "lru.json", "sieve.json", "plan.json"]);
    assert_eq!(
        names(&json),
        ["lru", "sieve", "page_cache", "plan", "clairvoyant"]
    );
    let method =
        |of: usize| &json["compared"][of]["total"]["against_baseline"]["mean_ratio_method"];
    assert_eq!([method(1), method(3)], ["paired", "independent"]);
    let scored: Value = serde_json::from_str(&plan).expect("JSON");
    let gain = scored["total"]["held_out"]["plan"]["gain"].as_f64();
    let json = place.json(["compare", "--json", "plan.json"]);
    let ratio = json["compared"][1]["total"]["against_baseline"]["mean_ratio"].as_f64();
    assert!((gain.expect("a gain") + ratio.expect("a ratio") - 1.0).abs() < 1e-9);
}

#[test]
fn what_it_prints_as_json_can_be_compared_again() {
    let place = place(&[("a.json", document(&["one", "two"], &[]))]);
    let both = place.succeeds(["compare", "--json", "a.json"]);
    place.write("both.json", both.as_bytes());
    assert_eq!(
        names(&place.json(["compare", "--json", "both.json"])),
        ["one", "two"]
    );
}

#[test]
fn a_name_in_two_files_is_told_apart_by_file_and_in_one_file_by_place() {
    let place = place(&[
        ("a.json", document(&["plan"], &[])),
        ("b.json", document(&["plan", "plan", "other"], &[])),
    ]);
    let json = place.json(["compare", "--json", "a.json", "b.json"]);
    let expected = [
        "plan (a.json)",
        "plan (b.json) no. 1",
        "plan (b.json) no. 2",
        "other",
    ];
    assert_eq!(names(&json), expected);
}

#[test]
fn outcomes_that_all_have_one_name_go_by_their_files() {
    let place = place(&[
        ("a.json", document(&["plan"], &[])),
        ("b.json", document(&["plan", "plan"], &[])),
    ]);
    let json = place.json(["compare", "--json", "a.json", "b.json"]);
    assert_eq!(names(&json), ["a.json", "b.json no. 1", "b.json no. 2"]);
}

#[test]
fn colons_may_be_in_files_and_in_names() {
    let place = place(&[("12:30.json", document(&["a:b", "c"], &[]))]);
    let json = place.json(["compare", "--json", "12:30.json:c", "12:30.json:a:b"]);
    assert_eq!(names(&json), ["c", "a:b"]);
}

#[test]
fn the_page_has_its_plots_and_the_half_second_line() {
    let place = place(&[(
        "a.json",
        document(&["slow", "<script>fast"], &["shop", "blog"]),
    )]);
    place.succeeds(["compare", "a.json", "--html", "page.html"]);
    let page = std::fs::read_to_string(place.path("page.html")).expect("the page");
    assert_eq!(page.matches("<svg").count(), 2);
    assert!(page.contains("0.5 s") && page.contains("Time to the first byte"));
    assert!(!page.contains("<script>") && !page.contains("NaN"));
}

#[test]
fn figures_without_totals_are_compared_size_by_size() {
    let reference = |name: &str, rate: f64| {
        json!({ "name": name, "provenance": { "kind": "reference" }, "total": {},
            "sites": [{ "site": "4K", "throughput_per_s": rate }, { "site": "1M", "mean_us": rate }] })
    };
    let outcomes = [reference("ext3", 100.0), reference("ramfs", 250.0)];
    let place = place(&[("a.json", json!({ "outcomes": outcomes }))]);
    let text = place.succeeds(["compare", "a.json", "-o", "page.html"]);
    assert!(
        text.starts_with("1 outcome compared with ext3, size by size"),
        "{text}"
    );
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert!(
        rows.contains(&vec!["4K", "ramfs", "250/s", "2.50", "–", "–"]),
        "{text}"
    );
    assert!(text.contains("250 µs"), "{text}");
}

#[track_caller]
fn refused(place: &Workplace, args: &[&str]) -> Failure {
    let before = place.entries();
    let failure = Failure::of(place.hotset(["compare", "--html", "page.html"].iter().chain(args)));
    assert_eq!(place.entries(), before, "nothing is left behind");
    failure
}

#[test]
fn what_is_no_document_is_refused() {
    for (text, says) in [
        ("", "is not JSON"),
        ("127.0.0.1 - - [", "is not JSON (line 1"),
        ("{\"outcomes\": [NaN]}", "is not JSON (line 1"),
        ("{\"requests\": 7}", "has no \"outcomes\""),
        ("[1, 2]", "has no \"outcomes\""),
        ("{\"outcomes\": []}", "are empty"),
        (
            "{\"outcomes\": [{\"name\": \"x\", \"version\": 2}]}",
            "of version 2, this hotset reads versions up to 1",
        ),
        (
            "{\"outcomes\": [{\"name\": \"x\"}]}",
            "missing field `provenance`",
        ),
    ] {
        let place = place(&[("good.json", document(&["a", "b"], &[]))]);
        place.write("bad.json", text.as_bytes());
        let failure = refused(&place, &["good.json", "bad.json"]);
        failure.has_code(1).says("bad.json").says(says);
    }
}

#[test]
fn a_missing_document_and_a_folder_are_named() {
    let place = place(&[("a.json", document(&["a", "b"], &[]))]);
    refused(&place, &["nowhere.json:a"])
        .has_code(1)
        .says("nowhere.json:a: cannot be read");
    std::fs::create_dir(place.path("folder")).expect("a new folder");
    refused(&place, &["a.json", "folder"])
        .has_code(1)
        .says("folder: cannot be read");
}

#[test]
fn figures_that_contradict_themselves_are_refused_with_their_place() {
    let first_byte = "/outcomes/0/sites/0/latencies/first_byte";
    for (pointer, value, says) in [
        (
            "/count",
            json!(101),
            "holds 100 values, but its count is 101",
        ),
        ("/mean_us", json!(-1.0), "first_byte.mean_us is -1"),
        ("/p50_us", json!("fast"), "invalid type: string \"fast\""),
        ("/histogram/0/1", json!(-60), "invalid value: integer `-60`"),
    ] {
        let mut bad = document(&["a", "b"], &["shop"]);
        *bad.pointer_mut(&(first_byte.to_owned() + pointer))
            .expect("the key") = value;
        let place = place(&[("bad.json", bad)]);
        refused(&place, &["bad.json"])
            .has_code(1)
            .says("bad.json")
            .says(says);
    }
}

#[test]
fn one_outcome_alone_is_refused() {
    let place = place(&[("a.json", document(&["a", "b"], &[]))]);
    refused(&place, &["a.json:b"])
        .has_code(1)
        .says("only the outcome `b`")
        .says("at least two");
}

#[test]
fn an_unknown_name_gets_the_nearest() {
    let place = place(&[("a.json", document(&["page_cache", "plan"], &[]))]);
    let failure = refused(&place, &["a.json:pagecache"]);
    failure
        .has_code(1)
        .says("did you mean `page_cache`?")
        .says("page_cache, plan");
}

#[test]
fn the_same_outcome_twice_is_a_usage_error() {
    let place = place(&[("a.json", document(&["a", "b"], &[]))]);
    refused(&place, &["a.json", "a.json:b"])
        .has_code(2)
        .says("a.json:b is named twice");
}

#[test]
fn outcomes_without_a_common_site_are_refused() {
    let place = place(&[
        ("a.json", document(&["a"], &["shop", "blog"])),
        ("b.json", document(&["b"], &["static"])),
    ]);
    let failure = refused(&place, &["a.json", "b.json"]);
    failure
        .has_code(1)
        .says("`b` (sites static) and `a` (sites shop, blog) have no site in common");
}

#[test]
fn totals_of_other_sites_are_pointed_out() {
    let place = place(&[
        ("a.json", document(&["a"], &["shop", "blog"])),
        ("b.json", document(&["b"], &["shop"])),
    ]);
    let text = place.succeeds(["compare", "a.json", "b.json"]);
    assert!(
        text.contains("served different sites") && text.contains("only one has blog"),
        "{text}"
    );
}

#[test]
fn a_document_is_not_overwritten_by_the_page() {
    let place = place(&[("a.json", document(&["a", "b"], &[]))]);
    let failure = Failure::of(place.hotset(["compare", "a.json", "-o", "a.json"]));
    failure
        .has_code(2)
        .says("a.json: is read, and would be overwritten");
}

#[test]
fn outcomes_of_other_traffic_are_compared_with_a_word() {
    let place = Workplace::new();
    let plan = |seed: &str, trace: &str, json: &str| {
        let zipf = ["generate", "zipf", "--objects", "300", "--requests", "6000"];
        place.succeeds(zipf.iter().chain(&["--seed", seed, "-o", trace]));
        let plan = place.succeeds(["plan", "--memory", "10%", "--json", trace]);
        place.write(json, plan.as_bytes());
    };
    plan("1", "a.trace", "a.json");
    plan("2", "b.trace", "b.json");
    let says = "did not serve the same traffic";
    let same = place.succeeds(["compare", "a.json"]);
    assert!(!same.contains(says), "{same}");
    let other = place.succeeds(["compare", "a.json:plan", "b.json:plan"]);
    let other = other.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        other.contains(says) && other.contains("6,000 requests"),
        "{other}"
    );
    let json = place.json(["compare", "--json", "a.json:plan", "b.json:plan"]);
    assert_eq!(json["compared"][1]["same_traffic"], false);
    assert!(json["compared"][0].get("same_traffic").is_none());
}
