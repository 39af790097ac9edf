//! What `hotset generate` writes and prints: every workload, in every form, from every seed.

use crate::contract::workload;
use crate::support::schema::holds_to;
use crate::support::{Workplace, combined_line};
use serde_json::Value;

#[test]
fn generate_prints_its_contract() {
    let place = Workplace::new();
    let json = place.json([
        "generate",
        "zipf",
        "--requests",
        "100",
        "-o",
        "a.trace",
        "--json",
    ]);
    holds_to("generate.json", &json);
}

#[test]
fn every_workload_can_be_generated_stored_logged_and_laid_out_as_files() {
    let workloads: [&[&str]; 7] = [
        &["single-file", "--requests", "50"],
        &[
            "average-size",
            "--objects",
            "20",
            "--size",
            "2KiB",
            "--requests",
            "50",
        ],
        &[
            "zipf",
            "--objects",
            "50",
            "--working-set",
            "200KiB",
            "--requests",
            "500",
        ],
        &[
            "shifting",
            "--objects",
            "50",
            "--working-set",
            "200KiB",
            "--requests",
            "500",
            "--shift-every",
            "100",
        ],
        &["specweb99", "--connections", "1", "--requests", "200"],
        &["twin", "nyse", "--scale", "0.01"],
        &[
            "world-cup",
            "1998-05-02",
            "--scale",
            "0.001",
            "--alpha",
            "0.9",
            "--objects",
            "50",
            "--working-set",
            "200KiB",
        ],
    ];
    for workload in workloads {
        let place = Workplace::new();
        let output = [
            "-o", "a.trace", "--files", "files", "--log", "a.log", "--json",
        ];
        let json = place.json(["generate"].iter().chain(workload).chain(&output));
        assert!(json["requests"].as_u64() > Some(0), "{workload:?}");
        assert_eq!(
            place.entries(),
            ["a.log", "a.trace", "files"],
            "{workload:?}"
        );
        let described = place.json(["describe", "--json", "a.log"]);
        assert_eq!(
            described["total"]["requests"], json["requests"],
            "{workload:?}"
        );
    }
}

#[test]
fn a_day_of_the_world_cup_has_the_files_of_the_site_where_none_are_given() {
    let place = Workplace::new();
    let world_cup = ["world-cup", "1998-05-02", "--scale", "0.001"];
    let output = ["-o", "a.trace", "--log", "a.log", "--json"];
    let json = place.json(["generate"].iter().chain(&world_cup).chain(&output));
    assert_eq!(json["requests"], 751);
    assert_eq!(json["objects"], 2536);
    // Answers without a file are told apart from those with one.
    let accesses = json["accesses"].as_u64().expect("a number");
    assert!((500..751).contains(&accesses), "{accesses}");
    for input in ["a.log", "a.trace"] {
        let described = place.json(["describe", "--json", input]);
        let total = &described["total"];
        assert_eq!(total["requests"], 751, "{input}");
        assert_eq!(total["not_modified_requests"], 751 - accesses, "{input}");
    }
}

#[test]
fn trace_folders_mix_into_sites() {
    let place = Workplace::new();
    for name in ["shop.trace", "video.trace"] {
        place.succeeds(["generate", "zipf", "--requests", "500", "-o", name]);
    }
    place.succeeds([
        "generate",
        "mix",
        "shop=shop.trace",
        "video=video.trace",
        "-o",
        "both.trace",
    ]);
    let json = place.json(["describe", "--json", "both.trace"]);
    assert_eq!(json["sites"][0]["site"], "shop");
    assert_eq!(json["sites"][1]["site"], "video");
    assert_eq!(json["total"]["requests"], 1000);
    let plan = place.json(["plan", "--memory", "10%", "--json", "both.trace"]);
    let moved = |scope: &str| {
        let pointer = format!("{scope}/held_out/adaptive/moved_bytes");
        plan.pointer(&pointer)
            .and_then(Value::as_u64)
            .expect("a number")
    };
    assert_eq!(moved("/sites/0") + moved("/sites/1"), moved("/total"));
}

#[test]
fn a_trace_folder_of_another_counting_rule_is_not_mixed() {
    let place = Workplace::new();
    place.write("a.log", combined_line("/a", 10).repeat(20).as_bytes());
    place.succeeds(["import", "a.log", "-o", "usual.trace"]);
    place.succeeds(["import", "--rule", "c1", "a.log", "-o", "c1.trace"]);
    let mix = |other: &str| {
        let folders = ["usual=usual.trace".to_owned(), format!("other={other}")];
        let words = ["generate", "mix", "-o", "both.trace"].map(str::to_owned);
        words.into_iter().chain(folders)
    };
    place
        .refuses(mix("c1.trace"))
        .has_code(1)
        .says("c1.trace: was imported by --rule c1")
        .says("import its log without that");
    assert!(!place.path("both.trace").exists());
    place.succeeds(mix("usual.trace"));
}

#[test]
fn the_same_seed_gives_the_same_result() {
    let place = Workplace::new();
    workload(&place);
    let plan = || {
        let mut json = place.json(["plan", "--memory", "10%", "--seed", "7", "--json", "a.log"]);
        json.as_object_mut()
            .expect("an object")
            .remove("peak_memory_bytes");
        json
    };
    assert_eq!(plan(), plan());
}
