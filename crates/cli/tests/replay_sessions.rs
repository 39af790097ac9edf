//! Sessions of emulated browsers, sent to a server.

use crate::support::Workplace;
use crate::support::schema::holds_to;
use crate::support::server::{Answer, Server};

const MIX: &str = "name = \"two\"\n\
    [think]\nmean = \"7s\"\nmost = \"70s\"\n\
    [[page]]\nname = \"home\"\npath = \"/home.php\"\nnext = [{ to = \"item\", share = 1 }]\n\
    [[page]]\nname = \"item\"\npath = \"/item.php\"\nfields = [{ name = \"id\", numbers = [4, 4] }]\n\
    next = [{ to = \"home\", share = 0.5 }, { to = \"end\", share = 0.5 }]\n";

fn with_mix() -> Workplace {
    let place = Workplace::new();
    place.write("two.toml", MIX.as_bytes());
    place
}

#[test]
fn sessions_are_replayed_and_reported_by_page() {
    let (place, server) = (with_mix(), Server::start(Answer::Bytes(100)));
    let sessions = [
        "replay",
        "--sessions",
        "two.toml",
        "--think",
        "0s",
        "--json",
    ];
    let load = ["--clients", "2", "--duration", "2s", "-o", "result.json"];
    let json = place.json(sessions.iter().chain(&load).chain(&[&*server.url]));
    holds_to("replay-sessions.json", &json);
    assert_eq!(json["mix"], "two");
    assert_eq!(json["is_paced"], false);
    let pages = json["pages"].as_array().expect("pages");
    let names: Vec<&str> = pages
        .iter()
        .filter_map(|page| page["page"].as_str())
        .collect();
    assert_eq!(names, ["home", "item"]);
    let counts = pages.iter().filter_map(|page| page["count"].as_u64());
    assert_eq!(Some(counts.sum()), json["requests"].as_u64());
    assert!(json["pages_per_s"].as_f64().expect("a rate") > 0.0);
    // The server's bodies have no links.
    let made_up = json["sessions"]["without_link"].as_u64().expect("a count");
    assert!(made_up > 0, "{json}");
    let heads = server.requests();
    let is_item = |head: &String| head.starts_with("GET /item.php?id=4 HTTP/1.1");
    assert!(heads.iter().any(is_item));
    assert!(place.path("result.json").exists());
}

#[test]
fn conditions_are_of_pages() {
    let (place, server) = (with_mix(), Server::start(Answer::Bytes(100)));
    let asked = [
        "replay",
        "--sessions",
        "two.toml",
        "--think=0s",
        "--clients=1",
    ];
    let more = ["--duration=2s", "--fail-if", "rate>0/s", &server.url];
    let output = place.hotset(asked.iter().chain(&more));
    assert_eq!(output.status.code(), Some(3));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("rate>0/s"), "{errors}");
}

#[test]
fn sessions_need_a_load_and_take_no_log() {
    let place = with_mix();
    let url = "http://127.0.0.1:1";
    let sessions = ["replay", "--sessions", "two.toml"];
    let refuses = |more: &[&str], says: &str| {
        let args = sessions.iter().chain(more);
        place.refuses(args).has_code(2).says(says);
    };
    refuses(&[url], "--duration");
    refuses(&["--duration=1s", url], "--clients");
    refuses(&["--duration=1s", "--clients=1", "a.log", url], "LOG");
    refuses(
        &["--duration=1s", "--clients=1", "--scale=2", url],
        "--scale",
    );
    refuses(
        &["--duration=1s", "--clients=1", "--warm-up=9", url],
        "--warm-up",
    );
    refuses(
        &["--duration=1s", "--clients=1", "--ramp=1s", url],
        "duration",
    );
}

#[test]
fn a_bad_file_of_sessions_is_refused_with_its_place() {
    let place = with_mix();
    place.write(
        "bad.toml",
        MIX.replace("to = \"item\"", "to = \"itme\"").as_bytes(),
    );
    let load = ["--duration=1s", "--clients=1", "http://127.0.0.1:1"];
    let bad = ["replay", "--sessions", "bad.toml"];
    place
        .refuses(bad.iter().chain(&load))
        .has_code(1)
        .says("bad.toml:8:16: there is no page `itme`; there are: home, item");
    let missing = ["replay", "--sessions", "no.toml"];
    place
        .refuses(missing.iter().chain(&load))
        .has_code(1)
        .says("no.toml");
}
