//! `hotset lab up` leaves a data-centre for people to try, `hotset lab down` takes it away again.
use crate::support;
use hotset_test_support::{alone, skip};

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::schema::holds_to;
use crate::support::{Failure, Workplace};
use hotset_lab::LEDGERS;
use hotset_machine::{Directories, Requirements};
use hotset_scenario::Scenario;
use serde_json::Value;

const SCENARIO: &str = r#"[[node]]
name = "web"
memory = "64MiB"

[[node]]
name = "front"
memory = "64MiB"
server = "nginx-proxy"
upstream = "web"
cache = true

[[store]]
name = "disk"
profile = "hdd"
kind = "ext4"
size = "64MiB"

[[site]]
name = "shop"
store = "disk"
root = "shop"
"#;

fn place(scenario: &str) -> Workplace {
    let place = Workplace::new();
    place.write("scenario.toml", scenario.as_bytes());
    fs::create_dir(place.path("shop")).expect("a folder");
    place.write("shop/index.html", b"the shop");
    place
}

/// A data-centre that is taken down whatever the test finds.
struct Up<'p> {
    place: &'p Workplace,
    json: Value,
}

impl<'p> Up<'p> {
    fn new(place: &'p Workplace) -> Self {
        let up = ["lab", "up", "scenario.toml", "--work", "work", "--json"];
        let json = place.json(up);
        Self { place, json }
    }

    fn tag(&self) -> &str {
        self.json["tag"].as_str().expect("a tag")
    }

    fn url(&self, node: usize) -> &str {
        self.json["nodes"][node]["url"].as_str().expect("a url")
    }

    fn home(&self) -> String {
        get(self.url(0), "shop")
    }
}

impl Drop for Up<'_> {
    fn drop(&mut self) {
        let _gone = self.place.hotset(["lab", "down", self.tag()]);
    }
}

fn get(url: &str, host: &str) -> String {
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect((address, 80)).expect("it listens");
    let patience = Some(Duration::from_secs(120));
    stream.set_read_timeout(patience).expect("a timeout");
    let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("it answers");
    response
}

/// Whether this machine has what the scenario needs.
fn is_possible() -> bool {
    let scenario = Scenario::parse(SCENARIO, Path::new("scenario.toml")).expect("a scenario");
    let directories = Directories {
        ledgers: LEDGERS.into(),
        work: "work".into(),
    };
    let needs = hotset_lab::needs(&scenario, &directories).expect("the lab builds it");
    let checked = Requirements::check(&needs);
    match &checked {
        Ok(()) => alone(),
        Err(error) => skip(error),
    }
    checked.is_ok()
}

#[test]
fn a_data_centre_stays_up_beside_others_until_it_is_taken_down() {
    if !is_possible() {
        return;
    }
    let place = place(SCENARIO);
    let first = Up::new(&place);
    holds_to("lab-up.json", &first.json);
    assert!(first.home().ends_with("the shop"));

    let second = Up::new(&place);
    assert!(first.home().ends_with("the shop"), "another start left it");
    let list = place.json(["lab", "list", "--json"]);
    holds_to("lab-list.json", &list);
    let listed = list["data_centres"].as_array().expect("a list").iter();
    let ours: Vec<_> = listed
        .filter(|it| it["tag"] == first.tag() || it["tag"] == second.tag())
        .collect();
    assert_eq!(ours.len(), 2, "{list}");
    assert_eq!(ours[0]["inventory"]["nodes"][0]["url"], first.url(0));
    Failure::of(place.hotset(["lab", "down"]))
        .has_code(1)
        .says("name one of them");
    let down = place.json(["lab", "down", second.tag(), "--json"]);
    holds_to("lab-down.json", &down);
    assert_eq!(down["left"], Value::Array(Vec::new()));
    let namespace = second.json["nodes"][0]["namespace"].as_str();
    let namespace = Path::new("/run/netns").join(namespace.expect("a namespace"));
    assert!(!namespace.exists(), "{}", namespace.display());
    Failure::of(place.hotset(["lab", "down", second.tag()])).has_code(1);

    assert!(first.home().ends_with("the shop"));
    let text = place.succeeds(["lab", "down", first.tag()]);
    assert!(text.contains("is down"), "{text}");
    assert_eq!(images(&place), 0, "images are left");
}

/// Folders of disk images.
fn images(place: &Workplace) -> usize {
    fs::read_dir(place.path("work")).map_or(0, Iterator::count)
}

#[test]
fn a_killed_start_is_undone_by_the_next() {
    if !is_possible() {
        return;
    }
    let place = place(SCENARIO);
    let mut killed = Command::new(support::hotset())
        .args(["lab", "up", "scenario.toml", "--work", "work"])
        .current_dir(place.folder())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("hotset runs");
    let steps = BufReader::new(killed.stderr.take().expect("a pipe"));
    let mut steps = steps.lines().map_while(Result::ok);
    assert!(steps.any(|step| step.contains("making store disk")));
    killed.kill().expect("it runs");
    killed.wait().expect("it ends");

    let next = Up::new(&place);
    assert_eq!(images(&place), 1, "images of the killed start are left");
    drop(next);
    assert_eq!(images(&place), 0);
}

#[test]
fn what_cannot_be_built_is_refused_and_nothing_is_made() {
    let place = place(&SCENARIO.replacen("kind = \"ext4\"", "", 1));
    let up = ["lab", "up", "scenario.toml", "--work", "work"];
    let failure = Failure::of(place.hotset(up));
    let wanted = "site `shop` has no store in the lab";
    failure.has_code(1).says("scenario.toml").says(wanted);
    assert_eq!(images(&place), 0);
}

#[test]
fn keys_that_the_lab_does_not_follow_are_refused_where_that_is_asked() {
    let link = "[[link]]\nnode = \"web\"\nrate = \"1Gbit\"\ndelay = \"1ms\"\n";
    let place = place(&format!("{SCENARIO}{link}"));
    let up = [
        "lab",
        "up",
        "scenario.toml",
        "--work",
        "work",
        "--strict-keys",
    ];
    let failure = Failure::of(place.hotset(up));
    let failure = failure.has_code(1).says("scenario.toml");
    failure.says("link.web.delay").says("--strict-keys");
    assert_eq!(images(&place), 0);
}
