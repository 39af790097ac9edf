//! `hotset run`: logs are followed, and what is worth holding is held.

use std::fs::{self, OpenOptions};
use std::io::{BufRead as _, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::followed::{Followed, PATIENCE};
use crate::support::schema::holds_to;
use serde_json::Value;

#[test]
fn what_is_asked_for_is_held_and_other_files_when_others_are_asked_for() {
    let mut site = Followed::new(20, 5);
    site.start(&[]);
    site.comes_to_hold(0..5);
    site.comes_to_hold(10..15);
    let printed = site.stop();
    assert!(
        printed.contains("event=held files=5 left_out=0"),
        "{printed}"
    );
    assert!(printed.ends_with("event=stopped\n"), "{printed}");
    assert!(!site.place.path("state").exists(), "everything is released");
}

#[test]
fn files_that_are_not_in_memory_are_held_as_well() {
    let mut site = Followed::new(20, 5);
    for number in 0..20 {
        let file = fs::File::open(site.place.path(&format!("www/{number}.html"))).unwrap();
        file.sync_all().unwrap();
        rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed).unwrap();
    }
    site.start(&[]);
    site.comes_to_hold(0..5);
    site.comes_to_hold(10..15);
    let printed = site.stop();
    assert!(
        printed.contains("event=held files=5 left_out=0"),
        "{printed}"
    );
}

#[test]
fn it_is_told_once_why_files_that_are_asked_for_are_not_held() {
    let mut site = Followed::new(20, 5);
    let outside = site.place.path("outside");
    fs::write(&outside, b"of somebody else").unwrap();
    for number in 0..2 {
        let file = site.place.path(&format!("www/{number}.html"));
        fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink(&outside, &file).unwrap();
    }
    site.start(&[]);
    site.log(0..2, 3);
    site.comes_to_hold(5..10);
    site.log(0..1, 3);
    site.comes_to_hold(12..17);
    let printed = site.stop();
    let told: Vec<&str> = printed.matches("leads out of the site's root").collect();
    assert_eq!(told.len(), 1, "{printed}");
    assert!(
        printed.contains("event=\"not held\" files=2 why=\"leads out"),
        "{printed}"
    );
}

#[test]
fn what_was_learnt_and_is_damaged_is_set_aside() {
    let mut site = Followed::new(20, 5);
    site.place.write("state.learnt", b"{\"version\":");
    site.start(&[]);
    site.comes_to_hold(0..5);
    let printed = site.stop();
    assert!(printed.contains("event=\"learns anew\""), "{printed}");
    assert!(site.place.path("state.learnt.damaged").exists());
}

#[test]
fn what_was_learnt_survives_a_restart() {
    let mut site = Followed::new(20, 5);
    site.start(&[]);
    site.comes_to_hold(3..8);
    site.stop();
    // What was logged meanwhile is read as well, and it is not enough to change anything.
    site.log(12..13, 1);
    site.start(&[]);
    let started = Instant::now();
    while site.held().len() < 5 {
        assert!(started.elapsed() < PATIENCE);
        thread::sleep(Duration::from_millis(100));
    }
    assert!(
        site.held().iter().all(|path| path != "/12.html"),
        "{:?}",
        site.held()
    );
}

#[test]
fn status_tells_what_holding_has_come_to_as_long_as_the_daemon_lives() {
    let mut site = Followed::new(20, 5);
    site.start(&[]);
    assert_eq!(site.status()["hit_ratio"], Value::Null);
    site.comes_to_hold(0..5);
    let status = site.comes_to_tell(0..6, |status| {
        status["hit_ratio"]
            .as_f64()
            .is_some_and(|ratio| 0.5 < ratio && ratio < 1.0)
    });
    holds_to("status.json", &status);
    assert_eq!(
        status["mean_us"],
        Value::Null,
        "the log has no request times"
    );
    assert_eq!(status["moved_bytes"], 50_000);
    assert_eq!(
        status["staleness_ms"], 0,
        "a pinned file is the file itself"
    );
    assert_eq!(status["sites"][0]["since_start"]["moved_bytes"], 50_000);
    let printed = site.place.hotset(["status", "--state", "state"]);
    let printed = String::from_utf8_lossy(&printed.stdout).into_owned();
    assert!(printed.contains("were of held files"), "{printed}");

    site.kill();
    let status = site.status();
    assert_eq!(status["daemon"]["is_alive"], false);
    assert_eq!(
        (&status["hit_ratio"], &status["moved_bytes"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(status["state"], "degraded");
    let held = &status["sites"][0]["held"]["objects"];
    assert_eq!(*held, 5, "what was held stays held");
}

#[test]
fn a_killed_daemon_goes_on_with_what_it_held_although_nothing_may_be_moved() {
    let mut site = Followed::new(20, 5);
    site.start(&[]);
    site.comes_to_hold(3..8);
    let before = site.held();
    site.kill();
    site.start(&["--churn", "1"]);
    site.comes_to_tell(10..15, |status| {
        status["daemon"]["predicted_hit_ratio"].is_number()
    });
    assert_eq!(site.held(), before);
    site.stop();
}

#[test]
fn the_mean_time_is_the_one_that_the_server_logs() {
    let mut site = Followed::new(2, 2);
    site.place.write("sites.toml", &{
        let text = fs::read(site.place.path("sites.toml")).unwrap();
        String::from_utf8(text)
            .unwrap()
            .replace("access.log", "nginx.log")
            .into_bytes()
    });
    site.place.write("nginx.log", b"");
    site.start(&[]);
    let started = Instant::now();
    loop {
        let mut log = OpenOptions::new()
            .append(true)
            .open(site.place.path("nginx.log"))
            .unwrap();
        writeln!(
            log,
            r#"{{"time_iso8601":"2024-03-05T14:30:15+00:00","remote_addr":"192.0.2.7","request_method":"GET","request_uri":"/0.html","server_protocol":"HTTP/1.1","status":200,"body_bytes_sent":10000,"request_time":0.25}}"#
        )
        .unwrap();
        let status = site.status();
        if status["mean_us"] == 250_000.0 {
            break;
        }
        assert!(started.elapsed() < PATIENCE, "{status}");
        thread::sleep(Duration::from_millis(100));
    }
    site.stop();
}

/// What is answered on the daemon's socket: the status code, and the body.
fn ask(site: &Followed, path: &str) -> (String, String) {
    let mut stream = UnixStream::connect(site.place.path("state.socket")).unwrap();
    exchange(
        &mut stream,
        &format!("GET {path} HTTP/1.1\r\nHost: hotset\r\n\r\n"),
    )
}

fn exchange(stream: &mut (impl Read + Write), question: &str) -> (String, String) {
    stream.write_all(question.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let code = head.split(' ').nth(1).unwrap();
    (code.to_owned(), body.to_owned())
}

#[test]
fn the_socket_answers_with_a_page_json_and_metrics() {
    let mut site = Followed::new(20, 5);
    site.start(&[]);
    let (code, page) = ask(&site, "/");
    assert!(
        code == "200" && page.contains("Following the logs."),
        "{page}"
    );
    site.comes_to_tell(0..6, |status| {
        status["hit_ratio"]
            .as_f64()
            .is_some_and(|ratio| ratio > 0.5)
    });
    let (_, page) = ask(&site, "/");
    assert!(
        page.contains("Live heat") && page.contains("/0.html"),
        "{page}"
    );
    assert!(page.contains("each read from memory saves"), "{page}");
    let (_, metrics) = ask(&site, "/metrics");
    assert!(
        metrics.contains("hotset_held_files{site=\"shop\"} 5"),
        "{metrics}"
    );
    assert!(
        metrics.contains("hotset_moved_bytes_total{site=\"shop\"} 50000"),
        "{metrics}"
    );
    assert!(metrics.ends_with("# EOF\n"), "{metrics}");
    let (_, status) = ask(&site, "/status");
    holds_to("status.json", &serde_json::from_str(&status).unwrap());
    assert_eq!(ask(&site, "/else").0, "404");
    for private in ["state.socket", "state.figures", "state.learnt"] {
        let metadata = fs::metadata(site.place.path(private)).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600, "{private}");
    }
    site.stop();
    assert!(!site.place.path("state.socket").exists());
}

/// A file with a token that nobody else may read.
fn write_token(site: &Followed, text: &str) {
    site.place.write("token", text.as_bytes());
    let mode = fs::Permissions::from_mode(0o600);
    fs::set_permissions(site.place.path("token"), mode).unwrap();
}

#[test]
fn what_cannot_be_used_is_refused_before_anything_has_started() {
    let site = Followed::new(1, 1);
    let text = fs::read_to_string(site.place.path("sites.toml")).unwrap();
    let refused = |text: &str, more: &[&str], said: &str| {
        site.place.write("other.toml", text.as_bytes());
        let run = ["run", "other.toml", "--state", "state"].iter();
        let output = site.place.hotset(run.chain(more));
        assert_eq!(output.stdout, b"", "{said}");
        crate::support::Failure::of(output).has_code(1).says(said);
        assert!(!site.place.path("state.figures").exists(), "{said}");
    };
    write_token(&site, "0123456789abcdef\n");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().to_string();
    let listen = ["--listen", &port, "--token-file", "token"];
    refused(&text, &listen, "cannot listen on 127.0.0.1:");
    let is_open = fs::Permissions::from_mode(0o644);
    fs::set_permissions(site.place.path("token"), is_open).unwrap();
    refused(&text, &listen, "`chmod 600 token`");
    fs::remove_file(site.place.path("token")).unwrap();
    refused(&text, &listen, "cannot read token");

    let memory = text.find("memory = ").unwrap();
    let end = memory + text[memory..].find('\n').unwrap();
    let much = text[..memory].to_owned() + "memory = \"4096TiB\"" + &text[end..];
    refused(&much, &[], "`memory` of the node `web` leaves ");
    let of_file = text.replace("root = \"www\"", "root = \"access.log\"");
    refused(&of_file, &[], "access.log, is a file");
}

#[test]
fn patterns_that_match_nothing_are_named_at_the_start() {
    let mut site = Followed::new(2, 1);
    let text = fs::read_to_string(site.place.path("sites.toml")).unwrap();
    let patterns =
        "match = [\"/1.*\", \"/imgs/*\", \"log:acess*\", \"log:*.log\", \"host:unknown\"]";
    let text = text.replace("match = \"/*\"", patterns);
    site.place.write("sites.toml", text.as_bytes());
    site.start(&[]);
    let printed = site.stop();
    let unused = "event=\"pattern matches nothing\" pattern=";
    assert_eq!(printed.matches(unused).count(), 2, "{printed}");
    for pattern in ["shop=/imgs/*", "shop=log:acess*"] {
        assert!(
            printed.contains(&format!("{unused}\"{pattern}\" why=")),
            "{printed}"
        );
    }
}

#[test]
fn requests_beyond_a_clients_share_are_shown_with_the_reason_until_the_site_lets_them_count() {
    let mut site = Followed::new(3, 3);
    site.start(&[]);
    let line = |number: usize| {
        let file = number % 2;
        format!(
            "10.0.0.1 - - [22/Nov/2026:10:05:03 +0000] \"GET /{file}.html HTTP/1.1\" 200 10000 \"-\" \"agent\""
        )
    };
    let passed_over = |status: &Value| {
        let last = &status["sites"][0]["last_interval"];
        last["passed_over"]["client_share"].as_u64().unwrap_or(0)
    };
    let goes_on_until = |wanted: &dyn Fn(&Value) -> bool| {
        let started = Instant::now();
        loop {
            site.log_lines((0..3000).map(line));
            let status = site.status();
            if wanted(&status) {
                return status;
            }
            assert!(started.elapsed() < PATIENCE, "{status}");
            thread::sleep(Duration::from_millis(100));
        }
    };
    let status = goes_on_until(&|status| passed_over(status) > 0);
    holds_to("status.json", &status);
    let (_, metrics) = ask(&site, "/metrics");
    let metric = "hotset_passed_over_total{site=\"shop\",reason=\"client_share\"} ";
    assert!(
        metrics.contains(metric) && !metrics.contains(&format!("{metric}0\n")),
        "{metrics}"
    );
    let (_, page) = ask(&site, "/");
    assert!(page.contains("raise `client_share`"), "{page}");
    let printed = site.place.hotset(["status", "--state", "state"]);
    let printed = String::from_utf8_lossy(&printed.stdout).into_owned();
    assert!(printed.contains("raise `client_share`"), "{printed}");

    let text = fs::read_to_string(site.place.path("sites.toml")).unwrap();
    let text = text + "client_share = \"100%\"\n";
    site.place.write("sites.toml", text.as_bytes());
    site.signal("-HUP");
    goes_on_until(&|status| passed_over(status) == 0);
    let printed = site.stop();
    assert!(
        printed.contains("event=\"clients passed over\" site=shop requests="),
        "{printed}"
    );
}

#[test]
fn a_port_answers_whoever_knows_the_token_and_nobody_else() {
    let mut site = Followed::new(1, 1);
    let refused = site.place.hotset([
        "run",
        "sites.toml",
        "--listen",
        "0.0.0.0:1",
        "--token-file",
        "token",
    ]);
    assert_eq!(refused.status.code(), Some(2));
    write_token(&site, "short\n");
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let options = ["--listen", &port.to_string(), "--token-file", "token"];
    let refused = site.place.hotset(
        ["run", "sites.toml", "--state", "state"]
            .iter()
            .chain(&options),
    );
    assert!(String::from_utf8_lossy(&refused.stderr).contains("at least 16 characters"));
    write_token(&site, "0123456789abcdef\n");
    site.start(&options);
    let ask = |header: &str| {
        let started = Instant::now();
        let mut stream = loop {
            match std::net::TcpStream::connect(port) {
                Ok(stream) => break stream,
                Err(error) => assert!(started.elapsed() < PATIENCE, "{error}"),
            }
        };
        exchange(
            &mut stream,
            &format!("GET /metrics HTTP/1.1\r\n{header}\r\n"),
        )
        .0
    };
    assert_eq!(ask(""), "401");
    assert_eq!(ask("Authorization: Bearer 0123456789abcdeg\r\n"), "401");
    assert_eq!(ask("Authorization: Bearer 0123456789abcdef\r\n"), "200");
    site.stop();
}

#[test]
fn a_hang_up_reloads_the_scenario_and_nonsense_leaves_the_old_one() {
    let mut site = Followed::new(20, 5);
    site.start(&[]);
    site.comes_to_hold(0..5);
    let scenario = fs::read_to_string(site.place.path("sites.toml")).unwrap();
    site.place.write("sites.toml", b"this is nonsense");
    site.signal("-HUP");
    site.comes_to_hold(10..15);

    let other = scenario.replace("name = \"shop\"", "name = \"blog\"");
    site.place.write("sites.toml", other.as_bytes());
    site.signal("-HUP");
    let started = Instant::now();
    while !site.held().is_empty() {
        assert!(started.elapsed() < PATIENCE, "{:?} held", site.held());
        thread::sleep(Duration::from_millis(50));
    }
    site.comes_to_hold(3..8);
    let printed = site.stop();
    assert!(
        printed.contains("event=\"goes on with the old scenario\""),
        "{printed}"
    );
    assert!(printed.contains("event=reloaded"), "{printed}");
}

#[test]
fn files_are_held_again_after_their_folder_was_away() {
    let mut site = Followed::new(5, 5);
    site.start(&[]);
    site.comes_to_hold(0..5);
    fs::rename(site.place.path("www"), site.place.path("away")).unwrap();
    let started = Instant::now();
    let is_told = || {
        site.status()["faults"]
            .to_string()
            .contains("the root of site shop")
    };
    while !site.held().is_empty() || !is_told() {
        assert!(started.elapsed() < PATIENCE, "{:?} held", site.held());
        thread::sleep(Duration::from_millis(50));
    }
    fs::rename(site.place.path("away"), site.place.path("www")).unwrap();
    site.comes_to_hold(0..5);
    while is_told() {
        assert!(started.elapsed() < PATIENCE, "{}", site.status());
        thread::sleep(Duration::from_millis(50));
    }
    site.stop();
}

#[test]
fn a_log_that_vanishes_is_waited_for() {
    let mut site = Followed::new(10, 5);
    site.start(&[]);
    site.comes_to_hold(0..5);
    fs::remove_file(site.place.path("access.log")).unwrap();
    thread::sleep(Duration::from_millis(1500));
    assert_eq!(site.held().len(), 5);
    site.place.write("access.log", b"");
    site.comes_to_hold(5..10);
    site.stop();
}

#[test]
fn a_watched_status_is_told_again_and_again() {
    let site = Followed::new(1, 1);
    let mut watch = Command::new(env!("CARGO_BIN_EXE_hotset"))
        .args(["status", "--state", "state", "--watch"])
        .current_dir(site.place.path("."))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    for _ in 0..2 {
        assert_eq!(lines.next().unwrap().unwrap(), "Nothing is held.");
    }
    watch.kill().unwrap();
    watch.wait().unwrap();
}

#[test]
fn no_more_is_moved_than_the_churn_allows() {
    let mut site = Followed::new(20, 10);
    site.start(&["--churn", "30000"]);
    let started = Instant::now();
    while site.held().len() < 3 {
        assert!(started.elapsed() < PATIENCE);
        site.log(0..10, 20);
        thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(site.held().len(), 3);
}

#[test]
fn names_of_no_files_and_requests_that_read_none_make_nothing_hot() {
    let mut site = Followed::new(4, 4);
    fs::remove_file(site.place.path("www/3.html")).unwrap();
    site.start(&[]);
    site.comes_to_hold(0..2);
    site.log(3..4, 2000);
    let mut log = OpenOptions::new()
        .append(true)
        .open(site.place.path("access.log"))
        .unwrap();
    for _ in 0..500 {
        writeln!(
            log,
            "10.0.0.1 - - [22/Nov/2026:10:05:03 +0000] \"HEAD /2.html HTTP/1.1\" 200 10000 \"-\" \"agent\""
        )
        .unwrap();
    }
    thread::sleep(Duration::from_millis(2500));
    assert_eq!(site.held(), ["/0.html", "/1.html"]);
}

#[test]
fn a_second_daemon_with_the_same_state_and_scenarios_without_logs_are_refused() {
    let mut site = Followed::new(1, 1);
    site.start(&[]);
    let second = site.place.hotset(["run", "sites.toml", "--state", "state"]);
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(
        !second.status.success() && said.contains("another `hotset run`"),
        "{said}"
    );
    site.stop();
    let text = fs::read_to_string(site.place.path("sites.toml")).unwrap();
    site.place.write(
        "silent.toml",
        text.replace("log = \"access.log\"\n", "").as_bytes(),
    );
    let silent = site
        .place
        .hotset(["run", "silent.toml", "--state", "state"]);
    let said = String::from_utf8_lossy(&silent.stderr).into_owned();
    assert!(
        !silent.status.success() && said.contains("no logs to follow"),
        "{said}"
    );
}

#[test]
fn what_run_cannot_heed_is_refused_by_name() {
    let site = Followed::new(1, 1);
    let text = fs::read_to_string(site.place.path("sites.toml")).unwrap();
    let refused = |from: &str, to: &str, said: &str| {
        assert!(text.contains(from));
        site.place
            .write("other.toml", text.replacen(from, to, 1).as_bytes());
        let run = ["run", "other.toml", "--state", "other"];
        site.place.refuses(run).says(said);
    };
    refused(
        "memory =",
        "groups = true\nmemory =",
        "makes no memory groups",
    );
    refused(
        "log =",
        "objective = \"targets\"\nlog =",
        "no site has a target",
    );
    refused(
        "root =",
        "reservation = \"1GiB\"\nroot =",
        "`reservation` in [[site]]",
    );
    refused(
        "memory =",
        "server_memory = \"1GiB\"\nmemory =",
        "leave nothing",
    );
    let start = text.find("[[site]]").unwrap();
    refused(&text[start..], "", "no [[site]]");
    // As a plan for the same log, which names no virtual hosts.
    site.log(0..1, 3);
    let said = "no request belongs to site `shop` of the scenario; there are: all; say with";
    refused("match = \"/*\"\n", "", said);
    let plan = ["plan", "--scenario", "other.toml"];
    site.place.refuses(plan).says("the sites are all");
}

#[test]
fn a_site_of_several_hosts_that_is_matched_by_its_paths_has_its_files_held() {
    let mut site = Followed::new(4, 2);
    site.start(&[]);
    let started = Instant::now();
    while site.held() != ["/0.html", "/1.html"] {
        assert!(started.elapsed() < PATIENCE, "{:?} held", site.held());
        let path = site.place.path("access.log");
        let mut log = OpenOptions::new().append(true).open(path).unwrap();
        for number in 0..40 {
            let (host, file) = (number % 2, number / 2 % 2);
            writeln!(
                log,
                "h{host}.test:80 10.0.0.{number} - - [22/Nov/2026:10:05:03 +0000] \"GET /{file}.html HTTP/1.1\" 200 10000 \"-\" \"agent\""
            )
            .unwrap();
        }
        thread::sleep(Duration::from_millis(100));
    }
    site.stop();
}
