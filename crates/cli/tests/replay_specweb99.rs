//! SPECweb99's operations, sent to a server.

use serde_json::Value;

use crate::support::Workplace;
use crate::support::server::{Answer, Server};

/// A small workload of five connections.
fn generated() -> Workplace {
    let place = Workplace::new();
    place.succeeds([
        "generate",
        "specweb99",
        "--connections",
        "5",
        "--requests",
        "400",
        "-o",
        "spec.trace",
    ]);
    place
}

fn replay(place: &Workplace, url: &str, options: &[&str]) -> Value {
    let fixed = ["replay", "--json", "spec.trace", url, "--clients", "5"];
    place.json(fixed.iter().chain(options))
}

#[test]
fn the_mix_of_operations_is_sent_and_connections_are_held_to_their_rate() {
    let (place, server) = (generated(), Server::start(Answer::Bytes(1000)));
    let json = replay(&place, &server.url, &["--specweb99"]);
    let heads = server.requests();
    let count = |wanted: &dyn Fn(&str) -> bool| {
        heads
            .iter()
            .filter(|head| wanted(head.lines().next().expect("a line")))
            .count() as u64
    };
    let operations = &json["schedule"]["operations"];
    assert_eq!(json["requests"], 400);
    assert_eq!(json["errors"], 0);
    let posts = count(&|line| line == "POST /post HTTP/1.1");
    let dynamic =
        count(&|line| line.starts_with("GET /file_set/") && line.contains(".html?dynamic "));
    let plain = count(&|line| line.starts_with("GET /file_set/") && line.contains(".html HTTP"));
    assert_eq!(operations["posts"], posts);
    assert_eq!(operations["dynamic_gets"], dynamic);
    assert_eq!(operations["static_gets"], plain);
    assert_eq!(posts + dynamic + plain, 400);
    assert!((280 - 40..280 + 40).contains(&plain) && (101 - 35..101 + 35).contains(&dynamic));
    let conforming = &json["conforming"];
    assert_eq!(conforming["connections"], 5);
    let mean = conforming["mean_bytes_per_second"]
        .as_f64()
        .expect("a rate");
    assert!(mean <= 50_001.0, "{mean}");
    // 400 kB at 50 kB/s for each of five.
    assert!(json["elapsed_seconds"].as_f64().expect("a time") > 1.0);
}

#[test]
fn without_the_option_files_are_asked_for_and_nothing_is_said_of_connections() {
    let (place, server) = (generated(), Server::start(Answer::Bytes(10)));
    let json = replay(&place, &server.url, &[]);
    assert_eq!(
        (&json["conforming"], &json["schedule"]["operations"]),
        (&Value::Null, &Value::Null)
    );
    let posts = json["skipped"]["post"].as_u64().expect("a count");
    assert_eq!(json["requests"].as_u64().expect("a count") + posts, 400);
    assert!(
        !server
            .requests()
            .iter()
            .any(|head| head.contains("dynamic"))
    );
}

#[test]
fn the_rule_is_for_closed_loops_without_a_pause_of_their_own() {
    let place = Workplace::new();
    let url = "http://127.0.0.1:1";
    let alone = place.refuses(["replay", "a.log", url, "--specweb99"]);
    alone.has_code(2).says("--clients");
    let both = [
        "replay",
        "a.log",
        url,
        "--clients",
        "1",
        "--specweb99",
        "--think",
        "1s",
    ];
    place.refuses(both).has_code(2).says("--think");
}
