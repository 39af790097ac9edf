//! `hotset part` and `hotset merge`: what many machines read is described as if one had read it, or refused by name.

use std::fs;

use crate::support::schema::holds_to;
use crate::support::{Failure, Workplace};
use serde_json::{Value, json};

const KEY: &str = "000102030405060708090a0b0c0d0e0f";

/// A place with logs of two machines.
fn two_logs() -> Workplace {
    let place = Workplace::new();
    for (seed, name) in [("1", "a"), ("2", "b")] {
        let (trace, log) = (format!("{name}.trace"), format!("{name}.log"));
        place.succeeds([
            "generate",
            "zipf",
            "--requests",
            "3000",
            "--objects",
            "200",
            "--seed",
            seed,
            "-o",
            &trace,
            "--log",
            &log,
        ]);
    }
    place
}

/// Such a place with a part of each log.
fn two_parts() -> Workplace {
    let place = two_logs();
    for name in ["a", "b"] {
        part(&place, name, &[]);
    }
    place
}

fn part(place: &Workplace, name: &str, options: &[&str]) -> String {
    let (output, log) = (format!("{name}.part"), format!("{name}.log"));
    let args = ["part", "--client-key", KEY, "-o", &output, &log];
    place.succeeds(args.iter().chain(options))
}

#[test]
fn merged_parts_print_what_describe_prints_of_all_logs() {
    let place = two_parts();
    let mut described = place.json(["describe", "--json", "a.log", "b.log"]);
    let mut merged = place.json(["merge", "--json", "b.part", "a.part"]);
    holds_to("describe.json", &merged);
    assert_eq!(merged["left_out"], json!(["miss_ratio_curve"]));
    for document in [&mut described, &mut merged] {
        document
            .as_object_mut()
            .expect("an object")
            .remove("left_out");
        let sites = document["sites"].as_array_mut().expect("sites").iter_mut();
        sites.for_each(|site| site["miss_ratio_curve"] = Value::Null);
        document["total"]["miss_ratio_curve"] = Value::Null;
    }
    assert_eq!(merged.to_string(), described.to_string());
    let text = place.succeeds(["merge", "a.part", "b.part"]);
    assert!(text.contains("without the miss-ratio curve"), "{text}");
}

#[test]
fn addresses_are_shown_where_parts_keep_them() {
    let place = two_logs();
    for name in ["a", "b"] {
        let (output, log) = (format!("{name}.part"), format!("{name}.log"));
        place.succeeds(["part", "--keep-clients", "-o", &output, &log]);
    }
    let described = place.json(["describe", "--json", "--keep-clients", "a.log", "b.log"]);
    let merged = place.json(["merge", "--json", "a.part", "b.part"]);
    assert_eq!(
        merged["total"]["top_clients"],
        described["total"]["top_clients"]
    );
}

#[test]
fn a_merged_part_has_the_bytes_of_one_process() {
    let place = two_parts();
    place.succeeds([
        "part",
        "--client-key",
        KEY,
        "-o",
        "all.part",
        "a.log",
        "b.log",
    ]);
    place.succeeds(["merge", "-o", "ab.part", "a.part", "b.part"]);
    place.succeeds(["merge", "-o", "ba.part", "b.part", "a.part"]);
    let bytes = |name: &str| fs::read(place.path(name)).expect("it was written");
    assert_eq!(bytes("ab.part"), bytes("all.part"));
    assert_eq!(bytes("ba.part"), bytes("all.part"));
}

#[test]
fn machines_with_logs_of_the_same_path_are_told_apart_by_name() {
    let place = two_logs();
    for node in ["web1", "web2"] {
        let output = format!("{node}.part");
        place.succeeds([
            "part",
            "--client-key",
            KEY,
            "--node",
            node,
            "-o",
            &output,
            "a.log",
        ]);
        fs::rename(place.path("b.log"), place.path("a.log")).unwrap_or_default();
    }
    let merged = place.json(["merge", "--json", "web1.part", "web2.part"]);
    assert_eq!(merged["total"]["requests"], 6000);
    assert_eq!(merged["reading"]["sources"][0]["file"], "web1:a.log");
}

#[test]
fn a_missing_cut_or_foreign_part_is_refused_with_its_name() {
    let place = two_parts();
    let refused = |name: &str| {
        let before = place.entries();
        let failure = Failure::of(place.hotset(["merge", "-o", "new.part", "a.part", name]));
        assert_eq!(place.entries(), before, "nothing is left behind");
        failure
    };
    refused("nowhere.part")
        .has_code(1)
        .says("nowhere.part: cannot be read")
        .says("check the path");
    let bytes = fs::read(place.path("b.part")).expect("it was written");
    place.write("cut.part", &bytes[..bytes.len() / 2]);
    refused("cut.part")
        .has_code(1)
        .says("cut.part: ends too early; copy it again");
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    place.write("damaged.part", &damaged);
    refused("damaged.part")
        .has_code(1)
        .says("damaged.part: damaged")
        .says("make it again");
    let mut newer = bytes;
    newer[12] += 1;
    place.write("newer.part", &newer);
    refused("newer.part")
        .has_code(1)
        .says("newer.part: a part in version 2")
        .says("this hotset reads version 1");
    refused("b.log")
        .has_code(1)
        .says("b.log: not a part")
        .says("hotset part");
}

#[test]
fn a_log_that_would_count_twice_is_refused() {
    let place = two_parts();
    let refused = |parts: [&str; 2]| Failure::of(place.hotset(["merge"].iter().chain(&parts)));
    refused(["a.part", "a.part"])
        .has_code(1)
        .says("a.log is in a.part already")
        .says("--node");
    fs::rename(place.path("b.log"), place.path("a.log.1")).expect("a log");
    place.succeeds(["part", "--client-key", KEY, "-o", "old.part", "a.log.1"]);
    refused(["a.part", "old.part"])
        .has_code(1)
        .says("a.log.1 and a.log in a.part")
        .says("files of one log");
}

#[test]
fn other_rules_and_other_keys_are_refused() {
    let place = two_parts();
    part(&place, "b", &["--query", "strip"]);
    let refused = || Failure::of(place.hotset(["merge", "a.part", "b.part"]));
    refused()
        .has_code(1)
        .says("b.part: made with --query strip, and a.part with --query auto")
        .says("same options");
    let other_key = "ff0102030405060708090a0b0c0d0e0f";
    place.succeeds(["part", "--client-key", other_key, "-o", "b.part", "b.log"]);
    refused()
        .has_code(1)
        .says("b.part: its clients have another key than those of a.part")
        .says("--client-key");
    place.succeeds(["part", "--keep-clients", "-o", "b.part", "b.log"]);
    refused()
        .has_code(1)
        .says("another key")
        .says("--keep-clients");
}

#[test]
fn what_parts_cannot_carry_is_refused() {
    let place = two_logs();
    let refused = |options: &[&str]| {
        let part = ["part", "--client-key", KEY, "-o", "a.part"];
        let failure = Failure::of(place.hotset(part.iter().chain(options)));
        assert!(!place.path("a.part").exists());
        failure
    };
    refused(&["--rule", "c1", "a.log"])
        .has_code(1)
        .says("--rule c1 cannot be merged exactly")
        .says("leave it out");
    refused(&["a.trace"])
        .has_code(2)
        .says("a.trace: is a trace folder");
    place.write("keys.txt", b"1\n2\n1\n");
    refused(&["keys.txt"])
        .has_code(1)
        .says("keys.txt: holds keys of a cache");
    Failure::of(place.hotset(["part", "-o", "a.part", "a.log"]))
        .has_code(2)
        .says("--client-key");
    Failure::of(place.hotset(["part", "--client-key", KEY, "-o", "a.log", "a.log"]))
        .has_code(2)
        .says("name another file");
}

#[test]
fn a_rule_that_meets_nothing_is_refused_only_where_all_logs_are_known() {
    let place = two_logs();
    let rules = ["--site", "shop=log:*a.log", "--site", "video=log:*b.log"];
    for name in ["a", "b"] {
        part(&place, name, &rules);
    }
    Failure::of(place.hotset(["merge", "a.part"]))
        .has_code(1)
        .says("video=log:*b.log")
        .says("--site");
    let merged = place.json(["merge", "--json", "a.part", "b.part"]);
    assert_eq!(merged["sites"][1]["site"], "video");
}
