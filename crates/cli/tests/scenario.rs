//! Scenario files as `hotset plan` uses them.

use crate::support::schema::holds_to;
use crate::support::{Failure, Workplace, combined_line};
use serde_json::Value;

/// A log of 3000 file reads, a few files taking most of them.
fn workload(place: &Workplace) {
    let zipf = ["generate", "zipf", "--objects", "300", "--requests", "3000"];
    let rest = ["--working-set", "8MiB", "-o", "a.trace"];
    place.succeeds(zipf.iter().chain(&rest));
}

fn plan(place: &Workplace, scenario: &str, options: &[&str]) -> Value {
    place.write("scenario.toml", scenario.as_bytes());
    let plan = ["plan", "--json", "--scenario", "scenario.toml", "a.trace"];
    place.json(plan.iter().chain(options))
}

/// All of a plan but what differs from run to run.
fn figures(mut json: Value) -> Value {
    let keys = json.as_object_mut().expect("an object");
    keys.remove("peak_memory_bytes");
    keys.remove("outcomes");
    json
}

#[test]
fn a_plan_is_made_from_the_scenarios_of_the_labs_experiments() {
    let place = Workplace::new();
    workload(&place);
    let experiments = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments");
    for (file, store) in [
        ("pollution/node.toml", "hdd"),
        ("file-systems/nodes.toml", "memory"),
    ] {
        let scenario = format!("{experiments}/{file}");
        let json = place.json([
            "plan",
            "--json",
            "--memory",
            "2MiB",
            "--scenario",
            &scenario,
            "a.trace",
        ]);
        assert_eq!(json["memory_bytes"], 2 << 20, "{file}");
        assert_eq!(json["sites"][0]["backing"], store, "{file}");
    }
}

const NODE: &str = "[[node]]\nname = \"web\"\nmemory = \"2MiB\"\n";
const STORE: &str = "[[store]]\nname = \"flash\"\nprofile = \"ssd\"\n";

#[test]
fn the_logs_of_the_scenario_are_those_that_nobody_names() {
    let place = Workplace::new();
    workload(&place);
    let without = format!("{NODE}{STORE}");
    let named = plan(&place, &without, &[]);
    let words = ["plan", "--json", "--scenario", "scenario.toml"];
    place
        .refuses(words)
        .has_code(1)
        .says("scenario.toml")
        .says("`log` at the top");
    let with = format!("log = \"a.trace\"\n{without}");
    place.write("scenario.toml", with.as_bytes());
    assert_eq!(figures(place.json(words)), figures(named));
}

#[test]
fn a_scenario_without_sites_is_one_site_on_its_first_store() {
    let place = Workplace::new();
    workload(&place);
    let backing = |scenario: &str, options: &[&str]| {
        let json = plan(&place, scenario, options);
        json["sites"][0]["backing"].as_str().map(str::to_owned)
    };
    let stores = format!("{NODE}{STORE}[[store]]\nname = \"filer\"\nprofile = \"nfs\"\n");
    assert_eq!(backing(&stores, &[]).as_deref(), Some("ssd"));
    assert_eq!(
        backing(&stores, &["--backing", "nfs"]).as_deref(),
        Some("nfs")
    );
    assert_eq!(backing(NODE, &[]).as_deref(), Some("hdd"));
}

#[test]
fn memory_of_the_server_means_the_same_as_a_key_and_as_an_option() {
    let place = Workplace::new();
    workload(&place);
    let key = format!("{NODE}server_memory = \"1MiB\"\n");
    let by_key = figures(plan(&place, &key, &[]));
    assert_eq!(by_key["memory_bytes"], 1 << 20);
    let by_option = plan(&place, NODE, &["--server-memory", "1MiB"]);
    assert_eq!(by_key, figures(by_option));
    let option_wins = plan(&place, &key, &["--server-memory", "512KiB"]);
    assert_eq!(option_wins["memory_bytes"], 3 << 19);
}

#[test]
fn a_root_that_is_not_there_is_refused_by_the_scenario_that_names_it() {
    let place = Workplace::new();
    place.write("access.log", combined_line("/a", 10).repeat(50).as_bytes());
    place.write("file", b"");
    for (root, why) in [
        ("gone", "No such file or directory"),
        ("file", "not a folder"),
    ] {
        let site = format!("[[site]]\nname = \"shop\"\nstore = \"flash\"\nroot = \"{root}\"\n");
        place.write("scenario.toml", format!("{NODE}{STORE}{site}").as_bytes());
        let failure = place.refuses(["plan", "--scenario", "scenario.toml", "access.log"]);
        let failure = failure.has_code(1).says(why);
        failure.says("scenario.toml: `root` of the [[site]] shop: ");
        // No option is named behind it.
        failure.says("name the folder of the site's files\n");
    }
}

#[test]
fn a_server_without_memory_for_files_is_refused_where_it_stands() {
    let place = Workplace::new();
    workload(&place);
    let scenario = format!("{NODE}server_memory = \"2MiB\"\n");
    place.write("scenario.toml", scenario.as_bytes());
    let failure = Failure::of(place.hotset(["plan", "--scenario", "scenario.toml", "a.trace"]));
    failure
        .has_code(1)
        .says("scenario.toml:4:17: `server_memory` in [[node]]");
}

/// Two web nodes behind a proxy.
fn two_nodes(memory: [&str; 2]) -> String {
    let [one, two] = memory;
    format!(
        "[[node]]\nname = \"a\"\nmemory = \"{one}\"\n[[node]]\nname = \"b\"\nmemory = \"{two}\"\n\
         [[node]]\nname = \"front\"\nmemory = \"1MiB\"\nserver = \"nginx-proxy\"\nupstream = [\"a\", \"b\"]\n"
    )
}

#[test]
fn each_of_several_nodes_has_a_plan_and_the_totals_are_theirs() {
    let place = Workplace::new();
    workload(&place);
    for memory in [["1MiB", "1MiB"], ["512KiB", "3MiB"]] {
        let json = plan(&place, &two_nodes(memory), &["-o", "plan.json"]);
        let nodes = json["nodes"].as_array().expect("nodes");
        assert_eq!(nodes.len(), 2, "{memory:?}");
        let sum = |part: &dyn Fn(&Value) -> f64| nodes.iter().map(part).sum::<f64>();
        let number = |value: &Value| value.as_f64().expect("a number");
        for key in ["memory_bytes", "page_cache_bytes", "training_accesses"] {
            assert_eq!(number(&json[key]), sum(&|node| number(&node[key])), "{key}");
        }
        let total = &json["total"]["held_out"];
        let accesses = number(&total["accesses"]);
        assert_eq!(accesses, sum(&|node| number(&node["held_out"]["accesses"])));
        for arm in ["page_cache", "plan", "clairvoyant"] {
            let us = |node: &Value| {
                let held_out = &node["held_out"];
                number(&held_out[arm]["mean_us"]) * number(&held_out["accesses"])
            };
            let mean = sum(&us) / accesses;
            let reported = number(&total[arm]["mean_us"]);
            assert!(
                (mean - reported).abs() < 1e-6 * mean,
                "{arm}: {mean} {reported}"
            );
        }
        assert!(total["plan"]["gain_interval"]["low"].is_number());
        let placement: Value =
            serde_json::from_slice(&std::fs::read(place.path("plan.json")).expect("written"))
                .expect("JSON");
        let files = placement["files"].as_array().expect("files");
        for node in nodes {
            let own = files.iter().filter(|file| file["node"] == node["name"]);
            assert_eq!(own.count() as f64, number(&node["held"]["objects"]));
        }
    }
}

#[test]
fn a_plan_in_force_on_several_nodes_is_kept_where_it_is() {
    let place = Workplace::new();
    workload(&place);
    let scenario = two_nodes(["1MiB", "2MiB"]);
    let first = plan(&place, &scenario, &["-o", "plan.json"]);
    assert!(first["moved_bytes"].as_u64() > Some(0));
    let again = plan(&place, &scenario, &["--previous", "plan.json"]);
    assert_eq!(again["moved_bytes"], 0);
}

#[test]
fn a_proxy_is_passed_over_and_named() {
    let place = Workplace::new();
    workload(&place);
    let front = "[[node]]\nname = \"front\"\nmemory = \"1MiB\"\nserver = \"nginx-proxy\"\nupstream = \"web\"\n";
    let with_proxy = plan(&place, &format!("{NODE}{front}"), &[]);
    assert_eq!(with_proxy["passed_over"], serde_json::json!(["front"]));
    let mut without = with_proxy.clone();
    without
        .as_object_mut()
        .expect("an object")
        .remove("passed_over");
    assert_eq!(figures(without), figures(plan(&place, NODE, &[])));
    place.write("scenario.toml", format!("{NODE}{front}").as_bytes());
    let text = place.succeeds(["plan", "--scenario", "scenario.toml", "a.trace"]);
    assert!(text.contains("no plan is made for front"), "{text}");
}

#[test]
fn a_scenario_without_a_node_is_planned_for_with_what_is_free() {
    let place = Workplace::new();
    workload(&place);
    let json = plan(&place, "", &[]);
    assert_eq!(json["proposal"]["free_bytes"], json["memory_bytes"]);
    let failure = Failure::of(place.hotset([
        "plan",
        "--scenario",
        "scenario.toml",
        "--exit-code",
        "a.trace",
    ]));
    failure
        .has_code(1)
        .says("scenario.toml: no [[node]] says how much memory there is");
}

const BACKUP: &str = "[[writer]]\nname = \"backup\"\nnode = \"web\"\nstore = \"flash\"\nrate = \"4MiB\"\nfile_bytes = \"1GiB\"\n";

#[test]
fn a_writer_takes_page_cache_and_hits() {
    let place = Workplace::new();
    workload(&place);
    let without = plan(&place, &format!("{NODE}{STORE}"), &[]);
    assert!(without.get("writers").is_none(), "{without}");
    let beside = plan(&place, &format!("{NODE}{STORE}{BACKUP}"), &[]);
    holds_to("plan.json", &beside);
    let writer = &beside["writers"][0];
    assert_eq!(
        (&writer["node"], &writer["writer"]),
        (&"web".into(), &"backup".into())
    );
    let hit_ratio = |plan: &Value| plan["total"]["held_out"]["page_cache"]["hit_ratio"].clone();
    assert_eq!(writer["hit_ratio"], hit_ratio(&beside));
    assert_eq!(writer["hit_ratio_without"], hit_ratio(&without));
    assert!(writer["hit_ratio"].as_f64() < writer["hit_ratio_without"].as_f64());
    assert!(writer["page_cache_bytes"].as_u64() <= Some(2 << 20));
    let text = place.succeeds(["plan", "--scenario", "scenario.toml", "a.trace"]);
    assert!(text.contains("Beside the writer backup: "), "{text}");
}

#[test]
fn what_follows_no_writers_is_refused_with_its_place() {
    let place = Workplace::new();
    workload(&place);
    place.write("scenario.toml", format!("{NODE}{STORE}{BACKUP}").as_bytes());
    let plan = ["plan", "--scenario", "scenario.toml", "a.trace"];
    for (option, says) in [
        (&["--page-cache", "whole-files"][..], "whole files"),
        (&["--groups"][..], "memory groups"),
    ] {
        Failure::of(place.hotset(plan.iter().chain(option)))
            .has_code(1)
            .says("scenario.toml:8:8: writer `backup`: ")
            .says(says);
    }
    place.write("keys", &[1u8, 0, 0, 0].repeat(20));
    let plan = ["plan", "--scenario", "scenario.toml", "--format"];
    Failure::of(place.hotset(plan.iter().chain(&["keys-u32le", "keys"])))
        .has_code(1)
        .says("scenario.toml:8:8: writer `backup`: it writes by the clock of the logs");
}
