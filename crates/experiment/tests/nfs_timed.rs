//! Experiments of kind nfs-timed: their points, what they refuse, and kept results beside what is simulated.

use hotset_experiment::Selection;
use serde_json::{Value, json};

use crate::place::{Place, says};

const NODES: &str = include_str!("samples/nfs-timed/nodes.toml");
const EXPERIMENT: &str = include_str!("samples/nfs-timed/experiment.toml");

fn place(nodes: &str, experiment: &str) -> Place {
    Place::with(&[("nodes.toml", nodes), ("experiment.toml", experiment)])
}

#[test]
fn a_point_is_a_rate_of_links() {
    let items = place(NODES, EXPERIMENT).list(&Selection::default());
    let items = items.expect("points");
    let names: Vec<String> = items.iter().map(|item| item.point.to_string()).collect();
    assert_eq!(names, ["100Mbit", "1Gbit"]);
}

#[test]
fn what_cannot_be_measured_or_compared_is_refused_before_anything_is_made() {
    for (from, to, wanted) in [
        (
            "\"user-space\"",
            "\"kernel\"",
            "`kernel` is none of user-space",
        ),
        ("\"100Mbit\"", "\"100MB\"", "`100MB` is no rate"),
        ("\"100Mbit\"", "\"0.1Mbit\"", "`0.1Mbit` is no rate"),
        ("\"100Mbit\"", "\"1Gbit\"", "a value is there twice"),
        ("\"4KiB\"", "\"1000\"", "must be whole pages of 4 KiB"),
        ("\"1MiB\"", "\"2MiB\"", "must be at most 1 MiB each"),
        ("\"4KiB\"", "\"8KiB\"", "both in `records` and in `costs`"),
        (
            "[1, 2]",
            "[1, 3]",
            "has 2 nodes with server = \"none\", and 3 clients",
        ),
        ("[1, 2]", "[]", "the list is empty"),
        ("[1, 2]", "[0]", "must be from 1 to 64 each"),
        ("rounds = 5", "rounds = 4", "must be from 5 to 1000"),
        ("rounds = 5", "file = \"512KiB\"", "make `file` larger"),
        (
            "rounds = 5",
            "costs = [\"512KiB\", \"8KiB\"]",
            "must be a small size, then a large one",
        ),
    ] {
        assert!(EXPERIMENT.contains(from), "{from}");
        let place = place(NODES, &EXPERIMENT.replacen(from, to, 1));
        says(place.load(), wanted);
    }
}

#[test]
fn scenarios_that_cannot_be_stood_up_are_refused() {
    for (from, to, wanted) in [
        (
            "kind = \"nfs3\"",
            "kind = \"nfs4\"",
            "has no [[store]] of kind = \"nfs3\"",
        ),
        (
            "kind = \"tmpfs\"",
            "kind = \"ext4\"",
            "which is not in memory",
        ),
        (
            "on = \"memory\"",
            "on = \"memory\"\noptions = { rsize = \"64KiB\" }",
            "which a client in user space does not follow",
        ),
    ] {
        assert!(NODES.contains(from), "{from}");
        let place = place(&NODES.replacen(from, to, 1), EXPERIMENT);
        says(place.load(), wanted);
    }
}

/// Rounds of a cell that all came to the same.
fn rounds(cell: &str, calls_per_s: f64, mean_us: f64) -> Value {
    let round = json!({ "calls_per_s": calls_per_s, "mean_us": mean_us, "p99_us": mean_us });
    json!({ "cell": cell, "rounds": vec![round; 5] })
}

/// A result in which a megabyte takes the time that a link of 100 Mbit/s needs, and 4 KiB take as long as what calls cost.
fn kept() -> Value {
    let end = |call_us: f64| json!({ "call_us": call_us, "ns_per_byte": 0.0 });
    // 1 MiB and its answer in packets of 1448 bytes, each with 66 bytes of headers.
    let megabyte_us = (1_048_576.0 + 132.0 + 725.0 * 66.0) * 8.0 / 100.0;
    let page_us = (4096.0 + 132.0 + 3.0 * 66.0) * 8.0 / 100.0;
    let cells: Vec<Value> = ["read", "write"]
        .into_iter()
        .flat_map(|operation| {
            let sizes = [("4K", page_us), ("1M", megabyte_us)];
            sizes.into_iter().flat_map(move |(size, us)| {
                [1.0, 2.0].map(|clients| {
                    let cell = format!("{operation}-{size}-{clients}");
                    rounds(&cell, 1e6 / us, us * clients)
                })
            })
        })
        .collect();
    json!({
        "experiment": "smoke",
        "cell": "100Mbit",
        "settings": {
            "client": "user-space",
            "link_bits_per_s": 100_000_000,
            "export": "tmpfs",
            "server_memory_bytes": 512 << 20,
            "file_bytes": 16 << 20,
            "record_bytes": [4096, 1 << 20],
            "clients": [1, 2],
            "cost_bytes": [8 << 10, 512 << 10],
            "seconds": 1,
            "rounds": 5,
        },
        "date": "2026-11-27",
        "processors": 2,
        "costs": {
            "client_reads": end(20.0),
            "server_reads": end(30.0),
            "client_writes": end(20.0),
            "server_writes": end(30.0),
            "wake_us": 10.0,
        },
        "calls": cells,
        "quietness": null,
        "outcomes": [],
    })
}

#[test]
fn kept_cells_are_simulated_by_kept_costs() {
    let place = place(NODES, EXPERIMENT);
    place.write("results/100Mbit.json", &kept().to_string());
    let measured = place.list(&Selection::default()).expect("points");
    assert!(measured[0].measured && !measured[1].measured);
    let report = place.show().expect("a report");
    let prediction = report.points[0].prediction.as_ref().expect("a prediction");
    let figures = prediction["figures"].as_array().expect("figures");
    // Throughput, mean and 99th percentile of eight cells.
    assert_eq!(figures.len(), 24);
    for figure in figures.iter().filter(|it| it["metric"] != "p99_us") {
        let error = figure["error_percent"].as_f64().expect("an error");
        assert!(error.abs() < 5.0, "{figure}");
    }
    let remarks = report.remarks.join("\n");
    assert!(
        remarks.contains("Error over 8 cells of throughput"),
        "{remarks}"
    );
    assert!(remarks.contains("not the client of a kernel"), "{remarks}");
    assert!(remarks.contains("Not modelled"), "{remarks}");
    assert_eq!(report.tables.len(), 3);
    let costs = place.load().expect("an experiment").server_profile();
    let costs = costs.expect("costs").files.expect("of a file server");
    assert_eq!((costs.request_us, costs.ns_per_byte), (30.0, 0.0));
}
