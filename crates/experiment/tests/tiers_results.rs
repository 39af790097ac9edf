//! Kept results of kind tiers: what is simulated beside them, and what they say of the costs of servers.

use serde_json::{Value, json};

use crate::place::{Place, says};

const NODES: &str = r#"[[client]]
name = "crowd"
asks = "front"
clients = 2

[[node]]
name = "front"
memory = "64MiB"
cpus = 0.5
server = "nginx-proxy"
upstream = ["one", "two"]

[[node]]
name = "one"
memory = "64MiB"
cpus = 0.5

[[node]]
name = "two"
memory = "64MiB"
cpus = 0.5

[[link]]
node = "one"
rate = "100Mbit"

[[store]]
name = "disk"
profile = "hdd"
kind = "ext4"
disk = { kind = "seeking", rate = "39MB" }
"#;

const CLOSED: &str = r#"name = "kept"
kind = "tiers"
scenario = "nodes.toml"

[tiers]
runs = 2
warm_up = 20
requests = 200

[[tiers.cell]]
name = "closed"
files = 20
file_bytes = "8KiB"
"#;

const SIZES: &str = r#"name = "costs"
kind = "tiers"
scenario = "nodes.toml"

[tiers]
runs = 1
warm_up = 20
requests = 200

[[tiers.cell]]
name = "small"
files = 20
file_bytes = "4KiB"
asks = "one"

[[tiers.cell]]
name = "large"
files = 20
file_bytes = "1MiB"
asks = "one"

[[tiers.cell]]
name = "opened"
files = 20
file_bytes = "4KiB"
asks = "one"
rate = 100
"#;

fn node(name: &str, server: &str, link_bits_per_s: Option<u64>) -> Value {
    json!({
        "name": name, "server": server, "memory_bytes": 64 << 20, "cpus": 0.5, "workers": null,
        "link_bits_per_s": link_bits_per_s,
    })
}

/// A run of a cell as it is kept: with so large files on average, asked so, and what came of it.
fn kept(cell: &str, run: u64, asked: (&str, Value), file_bytes: u64, measured: &Value) -> Value {
    let proxy = "NginxProxy { cache: false, upstream: [\"one\", \"two\"], balance: RoundRobin }";
    let (asks, arrivals) = asked;
    let mut result = json!({
        "experiment": "kept",
        "cell": cell,
        "run": run.to_string(),
        "settings": {
            "nodes": [
                node("front", proxy, None),
                node("one", "Nginx", Some(100_000_000)),
                node("two", "Nginx", None),
            ],
            "store": "ext4 on Seeking { bytes_per_s: 39000000 }",
            "asks": asks,
            "arrivals": arrivals,
            "files": 20,
            "file_bytes": file_bytes,
            "alpha": 0.9,
            "warm_up": 20,
            "requests": 200,
            "seed": 0,
        },
        "date": "2026-11-26",
        "files_bytes": 1,
        "server_memory_bytes": [16 << 20, 16 << 20],
        "quietness": null,
    });
    let (Some(result_of), Some(measured)) = (result.as_object_mut(), measured.as_object()) else {
        panic!("both are objects")
    };
    result_of.extend(measured.clone());
    result
}

fn closed() -> Value {
    json!({ "closed": { "clients": 2, "think_ns": 0 } })
}

/// What a run of the closed cell came to.
fn measured(per_s: f64) -> Value {
    json!({
        "server_us": { "front": 40.0 },
        "disk_read_bytes": 1000,
        "outcomes": [{
            "name": "asked",
            "provenance": { "kind": "measured" },
            "total": {
                "requests": 200,
                "bytes": 1_000_000,
                "throughput_per_s": per_s,
                "latencies": { "total": { "mean_us": 900.0, "p50_us": 800.0, "p95_us": 2000.0 } },
            },
            "resources": [
                { "name": "front processors", "utilisation": 0.5 },
                { "name": "one disk", "utilisation": 0.01 },
            ],
        }],
    })
}

fn place(nodes: &str, experiment: &str) -> Place {
    let place = Place::with(&[("nodes.toml", nodes), ("experiment.toml", experiment)]);
    for (run, per_s) in [(1, 1000.0), (2, 1100.0)] {
        let result = kept("closed", run, ("front", closed()), 8192, &measured(per_s));
        place.write(&format!("results/closed/{run}.json"), &result.to_string());
    }
    place
}

/// The figure of a kind, and of a resource where it is of one.
fn figure(prediction: &Value, metric: &str, resource: Option<&str>) -> Value {
    let figures = prediction["figures"].as_array().expect("figures");
    let mut own = figures
        .iter()
        .filter(|it| it["metric"] == metric && it["resource"].as_str() == resource);
    own.next().expect(metric).clone()
}

#[test]
fn kept_runs_are_simulated_beside_what_was_measured() {
    let report = place(NODES, CLOSED).show().expect("the results are whole");
    assert_eq!(report.points.len(), 2);
    let prediction = report.points[0].prediction.as_ref().expect("a prediction");
    let rate = figure(prediction, "requests_per_s", None);
    let of = |key: &str| rate[key].as_f64().expect(key);
    assert_eq!(
        [of("measured"), of("low"), of("high")],
        [1050.0, 1000.0, 1100.0]
    );
    let error = 100.0 * (of("simulated") / 1050.0 - 1.0);
    assert!((of("error") - error).abs() < 1e-6, "{rate}");
    let nearest = of("simulated").clamp(1000.0, 1100.0);
    let beyond = 100.0 * (of("simulated") / nearest - 1.0).abs();
    assert!((of("beyond") - beyond).abs() < 1e-6, "{rate}");
    let busy = figure(prediction, "processors", Some("front processors"));
    let simulated = busy["simulated"].as_f64().expect("a share");
    assert!((0.01..=1.0).contains(&simulated), "{busy}");
    assert!(figure(prediction, "disk", Some("one disk"))["simulated"].is_number());
    let names = report.outcomes.iter().map(|it| it.name.as_str());
    assert!(names.clone().any(|it| it == "closed 2, simulated"));
    let said = report.remarks.join(" ");
    assert!(said.contains("What servers cost is assumed"), "{said}");
    assert!(said.contains("Throughput is off by"), "{said}");
}

#[test]
fn runs_over_glusterfs_are_simulated_with_its_file_servers() {
    let server = |name: &str| {
        format!("[[node]]\nname = \"{name}\"\nmemory = \"64MiB\"\ncpus = 0.5\nserver = \"files\"\n")
    };
    let shared = "[[store]]\nname = \"shared\"\nprofile = \"nfs\"\nkind = \"glusterfs\"\nservers = [\"io1\", \"io2\"]\non = \"disk\"\n";
    let nodes = NODES.replace("kind = \"ext4\"\n", "");
    let nodes = nodes.replace("[[store]]\n", &format!("{shared}[[store]]\n"));
    let nodes = format!("{nodes}{}{}", server("io1"), server("io2"));
    let place = Place::with(&[("nodes.toml", &nodes), ("experiment.toml", CLOSED)]);
    for run in [1, 2] {
        let mut result = kept("closed", run, ("front", closed()), 8192, &measured(1000.0));
        let settings = &mut result["settings"];
        settings["store"] = json!("glusterfs on Plain, on disk of io1, io2");
        let of_nodes = settings["nodes"].as_array_mut().expect("nodes");
        of_nodes.extend(["io1", "io2"].map(|name| node(name, "Files", None)));
        result["outcomes"][0]["resources"][1]["name"] = json!("io1 disk");
        place.write(&format!("results/closed/{run}.json"), &result.to_string());
    }
    let report = place.show().expect("the results are whole");
    let prediction = report.points[0].prediction.as_ref().expect("a prediction");
    let rate = figure(prediction, "requests_per_s", None);
    assert!(rate["simulated"].as_f64() > Some(0.0), "{rate}");
    assert!(figure(prediction, "disk", Some("io1 disk"))["simulated"].is_number());
}

#[test]
fn servers_cost_what_the_server_profile_says() {
    let named = CLOSED.replace("runs = 2", "runs = 2\nserver_profile = \"servers.toml\"");
    let place = place(NODES, &named);
    says(place.show(), "servers.toml: cannot read");
    place.write(
        "servers.toml",
        "[nginx-proxy]\nrequest_us = 20000\nns_per_byte = 0.5\n",
    );
    let report = place.show().expect("the results are whole");
    let prediction = report.points[0].prediction.as_ref().expect("a prediction");
    let rate = figure(prediction, "requests_per_s", None);
    // 20 ms of half a processor.
    let per_s = rate["simulated"].as_f64().expect("a rate");
    assert!((20.0..30.0).contains(&per_s), "{per_s}");
}

#[test]
fn cells_whose_nodes_have_the_whole_machine_are_not_simulated() {
    let nodes = NODES.replacen("cpus = 0.5\nserver", "server", 1);
    let place = place(&nodes, CLOSED);
    for run in [1, 2] {
        let mut result = kept("closed", run, ("front", closed()), 8192, &measured(1000.0));
        result["settings"]["nodes"][0]["cpus"] = Value::Null;
        place.write(&format!("results/closed/{run}.json"), &result.to_string());
    }
    let report = place.show().expect("the results are whole");
    assert!(report.points.iter().all(|it| it.prediction.is_none()));
    let said = report.remarks.join(" ");
    assert!(said.contains("One cell is not simulated"), "{said}");
}

#[test]
fn requests_that_warm_caches_up_take_no_time_of_those_that_come_at_random_times() {
    let experiment = CLOSED.replace("runs = 2", "runs = 1");
    let experiment = experiment.replace("name = \"closed\"", "name = \"open\"\nrate = 100");
    let place = place(NODES, &experiment);
    let open = json!({ "open": { "rate_per_s": 100.0 } });
    let result = kept("open", 1, ("front", open), 8192, &measured(100.0));
    place.write("results/open/1.json", &result.to_string());
    let report = place.show().expect("the results are whole");
    let prediction = report.points[0].prediction.as_ref().expect("a prediction");
    let rate = figure(prediction, "requests_per_s", None);
    let per_s = rate["simulated"].as_f64().expect("a rate");
    assert!((70.0..140.0).contains(&per_s), "{per_s}");
}

/// What a run with files in memory came to: bytes of an answer, and processor time of a request.
fn served(bytes: u64, us: f64) -> Value {
    json!({
        "server_us": { "front": 1.0, "one": us, "two": 1.0 },
        "disk_read_bytes": 0,
        "outcomes": [{
            "name": "asked",
            "provenance": { "kind": "measured" },
            "total": { "requests": 200, "bytes": 200 * bytes },
        }],
    })
}

#[test]
fn what_a_server_costs_is_the_line_through_files_of_two_sizes() {
    let place = Place::with(&[("nodes.toml", NODES), ("experiment.toml", SIZES)]);
    let experiment = place.load().expect("an experiment");
    says(
        experiment.server_profile(),
        "experiment costs: its results do not tell what a server costs",
    );
    let open = json!({ "open": { "rate_per_s": 100.0 } });
    for (cell, arrivals, mean, bytes, us) in [
        ("small", closed(), 4096, 4000, 20.0 + 2.0),
        ("large", closed(), 1 << 20, 1_000_000, 20.0 + 500.0),
        ("opened", open, 4096, 6000, 20.0 + 3.0 + 15.0),
    ] {
        let result = kept(cell, 1, ("one", arrivals), mean, &served(bytes, us));
        place.write(&format!("results/{cell}/1.json"), &result.to_string());
    }
    let profile = experiment.server_profile().expect("costs");
    assert!(profile.nginx_proxy.is_none() && profile.apache.is_none());
    let costs = profile.nginx.expect("costs of nginx");
    for (figure, wanted) in [
        (costs.request_us, 20.0),
        (costs.ns_per_byte, 0.5),
        (costs.connection_us, 15.0),
    ] {
        assert!((figure - wanted).abs() < 1e-6, "{costs:?}");
    }
    assert_eq!(profile.source, "experiment kept, measured 2026-11-26");
}
