//! Outcomes survive a document, and a document that cannot be true is refused with its place.

use hotset_outcome::documents::{self, Fault};
use std::path::{Path, PathBuf};

use hotset_outcome::{
    Bootstrap, CostSeries, GroupKey, GroupKind, Link, Outcome, Provenance, ProvenanceKind,
    Recorder, Resource, Timeline, compare, ratio_interval,
};
use serde_json::{Value, json};

fn recorded(requests: u64, scale: f64) -> Outcome {
    let mut recorder = Recorder::default();
    for i in 0..requests {
        recorder.record(i % 3 == 0, 100 + i % 7, scale * (1 + i * i % 1009) as f64);
    }
    let mut provenance = Provenance::new(ProvenanceKind::Measured);
    provenance.seed = Some(7);
    provenance.settings = vec![("memory".into(), "512 MiB".into())];
    let score = recorder.score();
    Outcome::new("node", provenance, score.clone()).with_site("shop", score)
}

fn document(outcomes: &[Outcome]) -> Value {
    json!({ "anything": "else", "outcomes": outcomes })
}

fn parse(document: &Value) -> Result<Vec<Outcome>, Fault> {
    documents::parse(document.to_string().as_bytes())
}

fn refused(document: &Value) -> String {
    parse(document)
        .expect_err("it should be refused")
        .to_string()
}

/// A document of one outcome, changed at `pointer`.
fn changed(pointer: &str, value: Value) -> Value {
    let mut document = document(&[recorded(500, 1.0)]);
    *document.pointer_mut(pointer).expect("the key is there") = value;
    document
}

#[test]
fn an_outcome_survives_its_document() {
    let outcome = recorded(400, 1.0);
    assert_eq!(
        parse(&document(std::slice::from_ref(&outcome))).unwrap(),
        [outcome]
    );
}

/// An outcome with all that one can have.
fn full() -> Outcome {
    let outcome = recorded(400, 1.0);
    let mut score = outcome.total.clone();
    score.timeline = Some(Timeline {
        seconds: vec![1.0, 2.0, 3.5],
        requests: vec![100, 200, 100],
        errors: vec![0, 1, 0],
        bytes: vec![5_000, 0, 7],
        ..Timeline::default()
    });
    let size = |operation: &str| GroupKey::new(GroupKind::Size, "4K").with_operation(operation);
    let mut outcome = outcome
        .with_group(size("read cached"), score.clone())
        .with_group(size("open and close"), score.clone())
        .with_group(GroupKey::new(GroupKind::Store, "4K"), score);
    outcome.resources.push(Resource {
        name: "drive".into(),
        utilisation: Some(0.5),
        mean_queue_length: Some(3.25),
        timeline: Some(Timeline {
            seconds: vec![1.0, 2.0],
            utilisation: vec![0.0, 1.0],
            queue_length: vec![0.0, 6.5],
            ..Timeline::default()
        }),
    });
    outcome.links.push(Link {
        name: "web".into(),
        sent_bytes: Some(9_000),
        sent_packets: Some(7),
        received_bytes: Some(800),
        received_packets: Some(6),
        timeline: None,
    });
    outcome
}

#[test]
fn groups_resources_links_and_timelines_survive_their_document() {
    assert_eq!(parse(&document(&[full()])).unwrap(), [full()]);
}

#[test]
fn what_is_not_known_is_absent_and_sites_keep_their_key() {
    let written = serde_json::to_value(recorded(9, 1.0)).unwrap();
    let keys: Vec<&String> = written.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["name", "provenance", "sites", "total", "version"]);
    assert!(written["total"].get("timeline").is_none());
    assert_eq!(written["sites"][0]["site"], "shop");
    let written = serde_json::to_value(full()).unwrap();
    assert_eq!(written["sites"].as_array().unwrap().len(), 1);
    assert_eq!(written["groups"][0]["kind"], "size");
    assert_eq!(written["groups"][0]["operation"], "read cached");
    assert!(written["groups"][2].get("operation").is_none());
    assert!(written["links"][0].get("timeline").is_none());
}

#[test]
fn sites_that_older_documents_named_as_sizes_are_sizes() {
    let read = |sites: &[&str]| {
        let sites: Vec<Value> = sites.iter().map(|site| json!({ "site": site })).collect();
        let outcome = json!({ "name": "ext3", "provenance": { "kind": "measured" }, "total": {},
            "version": 1, "sites": sites });
        let outcomes = parse(&json!({ "outcomes": [outcome] })).unwrap();
        let keys = outcomes[0].groups.iter().map(|group| group.key.clone());
        keys.collect::<Vec<_>>()
    };
    let size = |name: &str| GroupKey::new(GroupKind::Size, name);
    assert_eq!(
        read(&["4K", "open and close uncached 1M"]),
        [
            size("4K"),
            size("1M").with_operation("open and close uncached")
        ]
    );
    let site = |name: &str| GroupKey::new(GroupKind::Site, name);
    assert_eq!(read(&["4K", "shop"]), [site("4K"), site("shop")]);
    let outcome = recorded(9, 1.0);
    let score = outcome.total.clone();
    let outcome = Outcome {
        groups: Vec::new(),
        ..outcome
    }
    .with_site("4K", score);
    assert_eq!(
        parse(&document(std::slice::from_ref(&outcome))).unwrap(),
        [outcome]
    );
    assert_eq!(read(&["K", "4 K", "shop.4K"]).len(), 3);
    assert!(
        read(&["shop.4K"])
            .iter()
            .all(|key| key.kind == GroupKind::Site)
    );
}

fn json_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| {
        if path.is_dir() {
            json_files(&path)
        } else {
            vec![path]
        }
    });
    files
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect()
}

/// Results that are kept, and what the commands printed before outcomes had groups.
#[test]
fn every_document_ever_written_is_read() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["../../experiments", "tests/older"].map(|folder| json_files(&here.join(folder)));
    let mut outcomes = 0;
    for file in folders.concat() {
        let bytes = std::fs::read(&file).unwrap();
        let whole: Value = serde_json::from_slice(&bytes).unwrap();
        let Some(written) = whole.get("outcomes").and_then(Value::as_array) else {
            continue;
        };
        if written.is_empty() {
            // A run that was refused keeps why, and no outcome.
            assert!(whole["refused"].is_string(), "{}", file.display());
            continue;
        }
        let read = documents::read(&file).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.len(), written.len(), "{}", file.display());
        for (read, written) in read.iter().zip(written) {
            let count = |key: &str| written[key].as_array().map_or(0, Vec::len);
            assert_eq!(read.groups.len(), count("sites") + count("groups"));
            let again = serde_json::to_value(read).unwrap();
            let [again] = &parse(&json!({ "outcomes": [again] })).unwrap()[..] else {
                panic!("one outcome");
            };
            assert_eq!(again.groups.len(), read.groups.len(), "{}", file.display());
            assert_eq!(again.total.requests, read.total.requests);
        }
        outcomes += read.len();
    }
    assert!(
        outcomes > 100,
        "{outcomes} outcomes are not all that is kept"
    );
}

#[test]
fn what_resources_links_and_timelines_cannot_have_is_named_with_its_place() {
    let timeline = "/outcomes/0/groups/0/timeline";
    for (pointer, value, says) in [
        (
            "/outcomes/0/resources/0/utilisation".to_owned(),
            json!(1.01),
            "resource `drive`: utilisation is 1.01; it must lie between 0 and 1.001",
        ),
        (
            "/outcomes/0/resources/0/mean_queue_length".to_owned(),
            json!(-0.5),
            "resource `drive`: mean_queue_length is -0.5",
        ),
        (
            "/outcomes/0/resources/0/timeline/utilisation/1".to_owned(),
            json!(1.2),
            "resource `drive`: utilisation is 1.2",
        ),
        (
            "/outcomes/0/resources/0/timeline/utilisation/1".to_owned(),
            json!(null),
            "invalid type: null",
        ),
        (
            "/outcomes/0/links/0/sent_bytes".to_owned(),
            json!(-9),
            "invalid value: integer `-9`",
        ),
        (
            format!("{timeline}/seconds/1"),
            json!(1.0),
            "size `read cached 4K`: seconds of the timeline do not ascend at 1",
        ),
        (
            format!("{timeline}/seconds/0"),
            json!(-1.0),
            "seconds is -1.0",
        ),
        (
            format!("{timeline}/requests"),
            json!([1, 2]),
            "the timeline has 2 requests at 3 points",
        ),
        (
            "/outcomes/0/groups/0/kind".to_owned(),
            json!("colour"),
            "unknown variant `colour`",
        ),
    ] {
        let mut document = document(&[full()]);
        *document.pointer_mut(&pointer).expect("the key is there") = value;
        let fault = refused(&document);
        assert!(fault.contains(says), "{pointer}: {fault}");
    }
    let rounded = full();
    let mut document = document(&[rounded]);
    document["outcomes"][0]["resources"][0]["utilisation"] = json!(1.0005);
    assert!(parse(&document).is_ok(), "two clocks differ by a little");
}

#[test]
fn groups_resources_and_links_of_one_name_are_refused() {
    for (key, says) in [
        ("groups", "size `read cached 4K`: is listed twice"),
        ("resources", "resource `drive`: is listed twice"),
        ("links", "link `web`: is listed twice"),
    ] {
        let mut document = document(&[full()]);
        let list = document["outcomes"][0][key].as_array_mut().unwrap();
        list.push(list[0].clone());
        let fault = refused(&document);
        assert!(fault.contains(says), "{fault}");
    }
}

#[test]
fn a_long_series_is_written_in_bounded_cells_that_still_pair() {
    let (a, b) = (recorded(60_000, 0.5), recorded(60_000, 1.0));
    let document = document(&[a.clone(), b.clone()]);
    let cells = document.pointer("/outcomes/0/total/latencies/response/series/sums_us");
    assert!(cells.unwrap().as_array().unwrap().len() <= 512);
    let read = parse(&document).unwrap();
    for (a, b) in [(&read[0], &read[1]), (&read[0], &b), (&a, &read[1])] {
        let compared = compare(&[b.clone(), a.clone()], &Bootstrap::seeded(1)).unwrap();
        let against = compared.compared[1].total.against_baseline.unwrap();
        let interval = against.mean_ratio_interval.unwrap();
        assert!(
            interval.contains(0.5) && interval.high - interval.low < 1e-3,
            "{interval:?}"
        );
    }
}

#[test]
fn costs_added_in_any_order_make_the_series_of_those_pushed_in_order() {
    for requests in [0, 1, 4096, 4097, 10_000, 16_385] {
        let mut pushed = CostSeries::default();
        let mut added = CostSeries::of_requests(requests);
        (0..requests).for_each(|i| pushed.push(i as f64));
        (0..requests).rev().for_each(|i| added.add(i, i as f64));
        assert_eq!(pushed, added, "{requests}");
    }
    let mut series = CostSeries::of_requests(2);
    series.add(2, 9.0);
    assert_eq!(series.mean(), Some(0.0));
}

#[test]
fn a_mean_alone_is_a_score() {
    let text = r#"{"outcomes": [{"name": "ext3", "provenance": {"kind": "reference", "machine": "table 5"},
        "sites": [{"site": "4K", "mean_us": 12500}], "total": {"throughput_per_s": 1488}}]}"#;
    let read = documents::parse(text.as_bytes()).unwrap();
    assert_eq!(read[0].groups[0].score.mean_us(), Some(12500.0));
    assert_eq!(read[0].total.throughput_per_s, Some(1488.0));
    assert_eq!(read[0].total.requests, None);
}

#[test]
fn what_is_no_document_is_refused() {
    for (text, says) in [
        ("", "is not JSON (line 1, column 0)"),
        ("GET / HTTP/1.1", "is not JSON (line 1, column 1)"),
        ("{\"outcomes\": [NaN]}", "is not JSON (line 1"),
        ("{\"outcomes\": [1e999]}", "number out of range"),
        ("[]", "has no \"outcomes\""),
        ("7", "has no \"outcomes\""),
        ("{\"requests\": 9}", "has no \"outcomes\""),
        ("{\"outcomes\": null}", "has no \"outcomes\""),
        ("{\"outcomes\": 7}", "cannot be read: invalid type"),
        ("{\"outcomes\": []}", "are empty"),
        (
            "{\"outcomes\": [{}]}",
            "cannot be read: missing field `name`",
        ),
    ] {
        let fault = documents::parse(text.as_bytes())
            .expect_err(text)
            .to_string();
        assert!(fault.contains(says), "{text}: {fault}");
    }
}

#[test]
fn a_newer_version_is_named_before_its_keys_are_looked_at() {
    let other = json!({ "outcomes": [{ "name": "new", "version": 9, "scores": {} }] });
    let fault = refused(&other);
    assert!(
        fault.contains("`new` is of version 9") && fault.contains("reads versions up to 1"),
        "{fault}"
    );
}

#[test]
fn figures_that_cannot_be_true_are_named_with_their_place() {
    let response = |key: &str| format!("/outcomes/0/sites/0/latencies/response/{key}");
    for (pointer, value, says) in [
        (
            "/outcomes/0/total/hits".into(),
            json!(501),
            "`node`, total: 501 hits of 500 requests",
        ),
        (
            "/outcomes/0/total/hits".into(),
            json!(-1),
            "invalid value: integer `-1`",
        ),
        (
            response("mean_us"),
            json!(-3.5),
            "`node`, site `shop`: response.mean_us is -3.5; it must lie between 0 and 1e18",
        ),
        (
            response("count"),
            json!(499),
            "holds 500 values, but its count is 499",
        ),
        (
            response("histogram/0/0"),
            json!(10_000_000),
            "not ascending",
        ),
        (
            response("histogram/0/1"),
            json!(u64::MAX),
            "but its count is 500",
        ),
        (
            response("p50_us"),
            json!(1e9),
            "p50_us of response is above its p95_us",
        ),
        (
            response("series/requests"),
            json!(400),
            "do not fit 400 requests",
        ),
        (
            response("series/cell_requests"),
            json!(3),
            "not a power of two",
        ),
        (
            response("series/sums_us/0"),
            json!(-1.0),
            "cannot be a cost",
        ),
        (
            "/outcomes/0/provenance/kind".into(),
            json!("guessed"),
            "unknown variant `guessed`",
        ),
    ] {
        let fault = refused(&changed(&pointer, value));
        assert!(fault.contains(says), "{pointer}: {fault}");
    }
}

#[test]
fn a_series_of_other_requests_than_counted_is_refused() {
    let mut document = document(&[recorded(500, 1.0)]);
    let response = document
        .pointer_mut("/outcomes/0/total/latencies/response")
        .unwrap();
    response["series"] = serde_json::to_value(CostSeries::of_requests(400)).unwrap();
    let fault = refused(&document);
    assert!(
        fault.contains("spans 400 requests, but its count is 500"),
        "{fault}"
    );
}

#[test]
fn an_interval_of_no_coverage_or_upside_down_is_refused() {
    for (interval, says) in [
        (
            json!({ "low": 2.0, "high": 1.0, "level": 0.95 }),
            "mean_interval.low of total is above",
        ),
        (
            json!({ "low": 1.0, "high": 2.0, "level": 95.0 }),
            "level 95",
        ),
    ] {
        let total =
            json!({ "latencies": { "total": { "mean_us": 1.5, "mean_interval": interval } } });
        let outcome = json!({ "name": "a", "provenance": { "kind": "measured" }, "total": total });
        let fault = refused(&json!({ "outcomes": [outcome] }));
        assert!(fault.contains(says), "{fault}");
    }
}

#[test]
fn a_site_twice_is_refused() {
    let outcome = recorded(9, 1.0);
    let score = outcome.total.clone();
    let fault = refused(&document(&[outcome.with_site("shop", score)]));
    assert!(fault.contains("site `shop`: is listed twice"), "{fault}");
}

#[test]
fn a_missing_file_is_named() {
    let error = documents::read(std::path::Path::new("nowhere.json")).unwrap_err();
    assert!(error.to_string().contains("nowhere.json"));
}

#[test]
fn series_of_unequal_length_have_no_paired_interval() {
    let (a, b) = (CostSeries::of_requests(10), CostSeries::of_requests(11));
    assert_eq!(ratio_interval(&a, &b, &Bootstrap::seeded(1)), None);
}
