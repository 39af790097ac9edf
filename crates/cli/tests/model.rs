//! Calculated scenarios: what is printed keeps to its schemas, and is near what is simulated.

use crate::support::schema::holds_to;
use crate::support::{Failure, Workplace, combined_line};
use serde_json::Value;

const TIERS: &[u8] = b"[[client]]\nname = \"crowd\"\nasks = \"front\"\nclients = 8\nthink = \"20ms\"\n\
    [[client]]\nname = \"few\"\nasks = \"front\"\nclients = 2\nthink = \"5ms\"\n\
    [[node]]\nname = \"front\"\nmemory = \"64MiB\"\nserver = \"nginx-proxy\"\nupstream = [\"web1\", \"web2\"]\n\
    [[node]]\nname = \"web1\"\nmemory = \"4MiB\"\n[[node]]\nname = \"web2\"\nmemory = \"4MiB\"\n\
    [[link]]\nnode = \"web1\"\nrate = \"100Mbit\"\n\
    [[store]]\nname = \"disk\"\nprofile = \"hdd\"\ndisk = { kind = \"seeking\", rate = \"39MB\" }\n";

fn prepared() -> Workplace {
    let place = Workplace::new();
    let zipf = ["generate", "zipf", "--objects", "300", "--requests", "6000"];
    let more = ["--working-set", "8MiB", "-o", "a.trace", "--log", "a.log"];
    place.succeeds(zipf.iter().chain(&more));
    place.write("tiers.toml", TIERS);
    place
}

#[test]
fn calculated_scenarios_print_their_contract_and_are_near_simulations() {
    let place = prepared();
    let model = ["model", "tiers.toml", "a.log"];
    let json = |more: &[&str]| place.json(model.iter().chain(&["--json"]).chain(more).copied());
    let calculated = json(&[]);
    holds_to("model.json", &calculated);
    assert_eq!(calculated["method"], "exact-mva");
    assert_eq!(calculated["hit_ratio_method"], "exact");
    assert_eq!(
        calculated["outcomes"][0]["provenance"]["kind"],
        "calculated"
    );
    assert_eq!(calculated["bounds"][1]["client"], "few");
    assert_eq!(calculated["demands"][0]["node"], "front");
    let simulated = place.json(["simulate", "scenario", "tiers.toml", "a.log", "--json"]);
    for key in ["kind", "name"] {
        assert_eq!(calculated["bottleneck"][key], simulated["bottleneck"][key]);
    }
    let per_s = |it: &Value| it["outcomes"][0]["total"]["throughput_per_s"].as_f64();
    let ratio = per_s(&calculated).expect("a rate") / per_s(&simulated).expect("a rate");
    assert!((ratio - 1.0).abs() < 0.1, "{ratio}");
    let che = json(&["--hit-ratio-method", "che"]);
    holds_to("model.json", &che);
    assert_eq!(che["hit_ratio_method"], "che");
    let roomy = json(&["--set", "node.web1.memory=1GiB"]);
    let hits = |it: &Value| it["caches"][0]["hit_ratio"].as_f64();
    assert!(hits(&roomy) > hits(&calculated), "{roomy}");
    let impatient = json(&["--set", "client.few.timeout=30s"]);
    let not_modelled = impatient["not_modelled"].as_array().expect("keys");
    assert!(not_modelled.contains(&"client.few.timeout".into()));
    let shown = place.succeeds(model);
    for heading in ["Responses", "Busy", "Demands", "Bounds"] {
        assert!(shown.contains(&format!("\n{heading}\n")), "{shown}");
    }
    let widest = shown.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(100), "{shown}");
}

#[test]
fn files_that_are_large_beside_a_page_cache_are_warned_of() {
    let place = Workplace::new();
    let line = |request: u64| combined_line(&format!("/{}", request % 9), 1_000_000);
    place.write("a.log", (0..300).map(line).collect::<String>().as_bytes());
    place.write("tiers.toml", TIERS);
    let advice = |more: &[&str]| {
        let model = ["model", "tiers.toml", "a.log", "--json"];
        let calculated = place.json(model.iter().chain(more).copied());
        calculated["advice"].to_string()
    };
    let small = advice(&[]);
    assert!(small.contains("The page cache of web1 has"), "{small}");
    let roomy = [
        "--set",
        "node.web1.memory=64MiB",
        "--set",
        "node.web2.memory=64MiB",
    ];
    let large = advice(&roomy);
    assert!(!large.contains("The page cache of"), "{large}");
}

#[test]
fn links_of_nodes_that_clients_are_on_and_between_two_nodes_are_followed() {
    let place = Workplace::new();
    // Files of one size. Where one has most of all bytes, throughput is what of its answers ends while it is measured.
    let line = |request: u64| combined_line(&format!("/{}", request * request % 997 % 300), 20_000);
    place.write("a.log", (0..3_000).map(line).collect::<String>().as_bytes());
    let tiers = String::from_utf8_lossy(TIERS).replacen("think", "node = \"desk\"\nthink", 2)
        + "[[node]]\nname = \"desk\"\nmemory = \"64MiB\"\nserver = \"none\"\n[[link]]\nnode = \"desk\"\nrate = \"5Mbit\"\n"
        + "[[link]]\nbetween = [\"front\", \"web2\"]\nrate = \"100Mbit\"\n";
    place.write("desk.toml", tiers.as_bytes());
    let calculated = place.json(["model", "desk.toml", "a.log", "--json"]);
    let keys = calculated["not_modelled"].as_array().expect("keys");
    let is_link = |key: &Value| {
        let key = key.as_str().unwrap_or_default();
        key.starts_with("link.") || key.starts_with("client.")
    };
    assert!(!keys.iter().any(is_link), "{keys:?}");
    assert_eq!(calculated["bottleneck"]["kind"], "link");
    assert_eq!(calculated["bottleneck"]["name"], "desk");
    let demands = calculated["demands"].as_array().expect("demands");
    for node in ["desk", "front-web2"] {
        assert!(demands.iter().any(|it| it["node"] == node), "{calculated}");
    }
    let simulated = place.json(["simulate", "scenario", "desk.toml", "a.log", "--json"]);
    let per_s = |it: &Value| it["outcomes"][0]["total"]["throughput_per_s"].as_f64();
    let ratio = per_s(&calculated).expect("a rate") / per_s(&simulated).expect("a rate");
    assert!((ratio - 1.0).abs() < 0.05, "{ratio}");
}

#[test]
fn scenarios_that_cannot_be_calculated_are_refused() {
    let place = prepared();
    Failure::of(place.hotset(["model"]))
        .has_code(2)
        .says("<SCENARIO>");
    Failure::of(place.hotset(["model", "absent.toml", "a.log"]))
        .has_code(1)
        .says("absent.toml");
    Failure::of(place.hotset(["model", "tiers.toml", "a.log", "--hit-ratio-method", "lru"]))
        .has_code(2)
        .says("exact, che");
    Failure::of(place.hotset(["model", "tiers.toml", "a.log", "--set", "node.web3.cpus=1"]))
        .has_code(1)
        .says("there is no such [[node]]");
}

#[test]
fn specweb99s_connections_are_the_documents_and_those_of_any_disk() {
    let place = Workplace::new();
    let documented = place.json(["model", "specweb99", "--json"]);
    holds_to("model-specweb99.json", &documented);
    let of = |disk: usize, key: &str| documented["disks"][disk][key].as_f64().expect("a number");
    assert_eq!(
        [0, 1].map(|disk| of(disk, "connections").round()),
        [1032.0, 863.0]
    );
    assert_eq!(
        [0, 1].map(|disk| of(disk, "printed_connections")),
        [1734.0, 1450.0]
    );
    let loss = documented["loss"].as_f64().expect("two disks");
    assert_eq!((loss * 100.0).round(), 16.0);
    assert!(documented["best_loss"].as_f64() < Some(loss));
    let shown = place.succeeds(["model", "specweb99"]);
    assert!(
        shown.contains("1,032") && shown.contains("1,734"),
        "{shown}"
    );
    let own = [
        "model",
        "specweb99",
        "--memory",
        "1GiB",
        "--disk-rate",
        "60MB",
    ];
    let own = place.json(own.iter().chain(&["--json"]).copied());
    holds_to("model-specweb99.json", &own);
    assert_eq!(own["loss"], Value::Null);
    let best = own["disks"][0]["best"]["connections"].as_u64();
    assert!(best > own["connections_from_memory"].as_u64(), "{own}");
    let slow = [
        "model",
        "specweb99",
        "--disk-rate",
        "60MB",
        "--sequential-rate",
        "50MB",
    ];
    Failure::of(place.hotset(slow))
        .has_code(1)
        .says("exchange the two rates");
}
