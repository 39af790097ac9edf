//! Nets: what is shown on a terminal while they run, what Ctrl-C gives, and what their JSON holds.

use hotset_test_support::skip;
use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};

use crate::support::schema::holds_to;
use crate::support::{Failure, Workplace, hotset};
use serde_json::Value;

/// A command on a terminal of its own, which the program `script` makes.
struct OnTerminal {
    script: Child,
    shown: String,
}

impl OnTerminal {
    fn start(command: &str) -> Option<OnTerminal> {
        let command = format!("stty cols 200; '{}' {command}", hotset().display());
        let started = Command::new("script")
            .args([
                "--quiet",
                "--return",
                "--flush",
                "--command",
                &command,
                "/dev/null",
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let Ok(script) = started else {
            skip("the program `script` of util-linux is not installed");
            return None;
        };
        Some(OnTerminal {
            script,
            shown: String::new(),
        })
    }

    /// Waits until the terminal has shown this.
    fn shows(&mut self, text: &str) {
        self.shows_one_of(&[text]);
    }

    /// Waits until it has shown one of these.
    fn shows_one_of(&mut self, texts: &[&str]) {
        let mut bytes = [0; 4096];
        let stdout = self.script.stdout.as_mut().expect("it is piped");
        while !texts.iter().any(|text| self.shown.contains(text)) {
            let read = stdout.read(&mut bytes).expect("a terminal to read");
            assert!(read > 0, "ended before {texts:?}: {}", self.shown);
            self.shown += &String::from_utf8_lossy(&bytes[..read]);
        }
    }

    /// Presses Ctrl-C; all that was shown until the end, and how it ended.
    fn interrupted(mut self) -> (String, ExitStatus) {
        let mut keys = self.script.stdin.take().expect("it is piped");
        keys.write_all(b"\x03").expect("a terminal that takes keys");
        let mut rest = Vec::new();
        let stdout = self.script.stdout.as_mut().expect("it is piped");
        stdout.read_to_end(&mut rest).expect("a terminal to read");
        let ended = self.script.wait().expect("it ends");
        (self.shown + &String::from_utf8_lossy(&rest), ended)
    }
}

#[test]
fn a_long_run_shows_how_far_it_is_and_an_interrupt_gives_what_is_known() {
    let run = "net run mm1 --set rho=0.5 --until 500s --replications 1000";
    let Some(mut terminal) = OnTerminal::start(run) else {
        return;
    };
    terminal.shows("running replications");
    // Five pilot runs come before the first replications. A bar that is drawn now and then skips what passes between.
    terminal.shows_one_of(&[" 2 %", " 3 %", " 4 %", " 5 %"]);
    let (shown, ended) = terminal.interrupted();
    for part in [
        "in system",
        "utilisation",
        "interrupted; the report is about what was run",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    assert_eq!(ended.code(), Some(130), "{shown}");
}

#[test]
fn a_long_exploration_shows_that_it_lives_and_an_interrupt_gives_what_was_found() {
    let check = "net check philosophers --set n=60 --memory 64GiB --max-markings 4000000000";
    let Some(mut terminal) = OnTerminal::start(check) else {
        return;
    };
    terminal.shows("exploring markings");
    let (shown, ended) = terminal.interrupted();
    for part in [
        "philosophers: at least",
        "most tokens so far",
        "interrupted; the report is about",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    assert_eq!(ended.code(), Some(130), "{shown}");
}

#[test]
fn nets_hold_to_their_schemas_and_a_seed_gives_the_same_figures() {
    let place = Workplace::new();
    let list = place.json(["net", "list", "--json"]);
    holds_to("net-list.json", &list);
    assert!(list["nets"].as_array().expect("a list").len() >= 7);
    let run = || {
        let mut run = place.json([
            "net",
            "run",
            "mm1",
            "--until",
            "1s",
            "--replications",
            "4",
            "--set",
            "rho=0.5",
            "--json",
        ]);
        holds_to("net-run.json", &run);
        run["seconds"] = Value::Null;
        run
    };
    let first = run();
    assert_eq!(first["monitors"][0]["name"], "in system");
    assert_eq!(first, run());
    let times = &first["monitors"][2];
    assert_eq!(times["kind"], "times");
    assert!(times["p50"].as_f64() < times["p99"].as_f64(), "{times}");

    let trace = place.json(["net", "run", "--trace=5", "mm1", "--json"]);
    holds_to("net-trace.json", &trace);
    assert_eq!(trace["trace"].as_array().expect("a list").len(), 5);
    assert_eq!(trace["trace"][0]["transition"], "arrive");

    place.write("run.json", first.to_string().as_bytes());
    place.write("again.json", first.to_string().as_bytes());
    let compared = place.json(["compare", "run.json", "again.json", "--json"]);
    holds_to("compare.json", &compared);
    let rows = compared.to_string();
    assert!(rows.contains("waiting time"), "{rows}");
    let check = place.json(["net", "check", "philosophers", "--json"]);
    holds_to("net-check.json", &check);
    assert_eq!(check["markings"], 11);
    assert_eq!(check["bounds"]["fork 1"], 1);
    let sums = check["place_invariants"].as_array().expect("a list");
    assert!(
        sums.len() == 10 && sums.iter().all(|it| it["tokens"] == 1),
        "{check}"
    );
    assert_eq!(check["transition_invariants"][0]["philosopher 1/get up"], 1);
    let means = &check["stationary"];
    let of = |philosopher: &str| {
        means["rates"][format!("{philosopher}/get up")]
            .as_f64()
            .expect("a rate")
    };
    assert!(
        of("philosopher 1") > 0.0 && (of("philosopher 1") / of("philosopher 3") - 1.0).abs() < 1e-9,
        "{means}"
    );
    let coloured = place.json(["net", "check", "closed-network", "--set", "n=2", "--json"]);
    assert_eq!(coloured["stationary"], Value::Null);
}

#[test]
fn a_file_that_is_written_once_has_an_end_and_no_deadlock() {
    let place = Workplace::new();
    let set = "file_bytes=12288 block_bytes=4096 disk=0 flush_s=0 commit_s=0 repeats=0";
    let mut check = vec!["net", "check", "ext3-write"];
    check.extend(set.split(' ').flat_map(|it| ["--set", it]));
    let shown = String::from_utf8(place.hotset(&check).stdout).expect("UTF-8");
    assert!(shown.contains("(the net has ended)"), "{shown}");
    check.push("--json");
    let checked = place.json(&check);
    holds_to("net-check.json", &checked);
    assert_eq!(checked["ended"], "complete");
    assert_eq!(checked["deadlocks"], 0);
    assert!(checked["dead"].as_u64() > Some(0), "{checked}");
    let tokens = &checked["dead_end"]["tokens"];
    assert_eq!(tokens["application write/ended"], 1, "{tokens}");
}

#[test]
fn what_is_in_the_way_of_a_file_for_cpn_tools_has_a_line_each() {
    let output = Workplace::new().hotset(["net", "show", "ext3-read", "--cpn"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    let lines = Vec::from_iter(said.lines());
    assert!(
        lines.iter().all(|line| line.chars().count() <= 100),
        "{said}"
    );
    let first = "hotset: application read/fread next block: CPN Tools cannot express its code";
    assert!(lines[0].starts_with(first), "{said}");
    let at = |line: &str| lines.iter().position(|it| *it == line).expect(line);
    let code = at("  its code, which is a closure; write it with `fire_expr`:");
    assert!(at("    fread/gather data") > code);
    let head = |it: &&&str| it.starts_with("  tokens of the Rust type ") && it.ends_with(':');
    assert!(lines.iter().filter(head).count() > 1, "{said}");
    let paths = lines.iter().filter(|it| it.starts_with("    ")).count();
    let count = format!("; {paths} more places and transitions are in the way");
    let words = said.split_whitespace();
    assert!(Vec::from_iter(words).join(" ").contains(&count), "{said}");
}

#[test]
fn the_net_of_a_scenario_is_drawn_and_not_run() {
    let place = Workplace::new();
    let tiers = "[[client]]\nname = \"crowd\"\nasks = \"front\"\nclients = 8\n\
        [[node]]\nname = \"front\"\nmemory = \"10%\"\nserver = \"nginx-proxy\"\nupstream = \"web 1\"\n\
        [[node]]\nname = \"web 1\"\nmemory = \"10%\"\ncpus = 1\n[[link]]\nnode = \"web 1\"\nrate = \"1Gbit\"\n\
        [[event]]\nat = \"1s\"\nnode = \"web 1\"\nstate = \"down\"\n\
        [[store]]\nname = \"disk\"\nprofile = \"hdd\"\n";
    place.write("tiers.toml", tiers.as_bytes());
    let text = place.succeeds(["net", "show", "tiers.toml"]);
    let shown = [
        "transition ask",
        "page front",
        "page web 1",
        "transition share",
        "page link out",
        "transition let in",
        "transition go on",
        "transition read",
        "transition happen",
    ];
    for name in shown {
        assert!(text.contains(name), "{name} is not in {text}");
    }
    place.succeeds(["net", "show", "tiers.toml", "--svg", "-o", "tiers.svg"]);
    let svg = std::fs::read_to_string(place.path("tiers.svg")).expect("a picture");
    assert!(svg.starts_with("<svg") || svg.starts_with("<?xml"), "{svg}");
    assert!(svg.contains("web 1"), "{svg}");
    let refused = |words: &[&str]| Failure::of(place.hotset(words));
    refused(&["net", "run", "tiers.toml"]).has_code(2).says(
        "tiers.toml: the net of a scenario is shown only; `hotset simulate scenario` runs it",
    );
    refused(&["net", "show", "tiers.toml", "--set", "n=3"])
        .has_code(2)
        .says("a file has no parameters");
    refused(&["net", "show", "absent.toml"]).has_code(1);
    place.write(
        "tiers.toml",
        b"[[node]]\nname = \"web1\"\nmemory = \"1GiB\"\n",
    );
    refused(&["net", "show", "tiers.toml"])
        .has_code(1)
        .says("tiers.toml: no [[store]]");
}
