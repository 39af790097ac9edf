//! Logs that are followed while servers write, rotate and damage them.

use hotset_trace::read::follow::{Follower, LogEvent, LoggedUse, Place, sites_without_hosts};
use hotset_trace::read::{ReadError, ReadOptions};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// A folder of logs, and whoever follows one of them.
struct Logs {
    folder: TempDir,
    name: String,
    follower: Option<Follower>,
    written: u32,
    events: Vec<LogEvent>,
}

impl Logs {
    fn new(name: &str) -> Logs {
        Logs {
            folder: TempDir::new().unwrap(),
            name: name.into(),
            follower: None,
            written: 0,
            events: Vec::new(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Appends so many lines, each for a file of its own.
    fn write(&mut self, name: &str, lines: u32) {
        let mut file = self.append(name);
        for _ in 0..lines {
            self.written += 1;
            writeln!(file, "{}", combined(self.written)).unwrap();
        }
    }

    fn append(&self, name: &str) -> File {
        let path = self.path(name);
        OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .unwrap()
    }

    fn follow_from(&mut self, places: &BTreeMap<String, Place>) {
        let name = self.path(&self.name);
        self.follower = Some(Follower::new(&[name], ReadOptions::default(), places).unwrap());
    }

    fn follow(&mut self) {
        self.follow_from(&BTreeMap::new());
    }

    /// Another process goes on where this one stopped.
    fn restart(&mut self) {
        let places = self.follower.take().unwrap().places();
        let json = serde_json::to_string(&places).unwrap();
        self.follow_from(&serde_json::from_str(&json).unwrap());
    }

    /// The numbers of the files that were requested since the last call.
    fn seen(&mut self) -> Vec<u32> {
        let (mut seen, events) = (Vec::new(), &mut self.events);
        let follower = self.follower.as_mut().unwrap();
        // A file that a server may still write is left at the second look.
        for _ in 0..3 {
            let take = |it: &hotset_trace::read::follow::LoggedRequest<'_>| {
                let digits: String = String::from_utf8_lossy(&it.path)
                    .chars()
                    .filter(char::is_ascii_digit)
                    .collect();
                seen.push(digits.parse().unwrap());
            };
            follower.poll(take, |_, event| events.push(event)).unwrap();
        }
        seen
    }
}

fn combined(number: u32) -> String {
    format!(
        "10.0.0.1 - - [17/May/2015:10:05:03 +0000] \"GET /file{number}.html HTTP/1.1\" 200 512 \"-\" \"agent\""
    )
}

/// File systems stamp files by a clock with steps of some milliseconds.
fn pass_time() {
    thread::sleep(Duration::from_millis(12));
}

fn gzip(path: &Path) {
    assert!(Command::new("gzip").arg(path).status().unwrap().success());
}

#[test]
fn lines_are_handed_over_once_and_those_before_the_start_are_not() {
    let mut logs = Logs::new("access.log");
    logs.write("access.log", 5);
    logs.follow();
    assert!(logs.seen().is_empty());
    logs.write("access.log", 3);
    assert_eq!(logs.seen(), [6, 7, 8]);
    assert!(logs.seen().is_empty());
    logs.write("access.log", 1);
    assert_eq!(logs.seen(), [9]);
}

#[test]
fn a_line_is_handed_over_when_its_end_is_written() {
    let mut logs = Logs::new("access.log");
    logs.write("access.log", 1);
    logs.follow();
    let line = combined(2);
    let (head, tail) = line.split_at(60);
    write!(logs.append("access.log"), "{head}").unwrap();
    assert!(logs.seen().is_empty());
    logs.restart();
    writeln!(logs.append("access.log"), "{tail}").unwrap();
    assert_eq!(logs.seen(), [2]);
}

#[test]
fn a_log_that_is_renamed_is_read_to_its_end_before_the_next() {
    let mut logs = Logs::new("access.log");
    logs.write("access.log", 2);
    logs.follow();
    logs.write("access.log", 2);
    fs::rename(logs.path("access.log"), logs.path("access.log.1")).unwrap();
    // The server writes on in the old file until it is told.
    logs.write("access.log.1", 2);
    pass_time();
    logs.write("access.log", 2);
    assert_eq!(logs.seen(), [3, 4, 5, 6, 7, 8]);
    logs.write("access.log", 1);
    assert_eq!(logs.seen(), [9]);
}

#[test]
fn a_log_that_is_copied_and_truncated_loses_no_line() {
    let mut logs = Logs::new("access.log");
    logs.write("access.log", 3);
    logs.follow();
    logs.write("access.log", 2);
    assert_eq!(logs.seen(), [4, 5]);
    logs.write("access.log", 2);
    fs::copy(logs.path("access.log"), logs.path("access.log.1")).unwrap();
    pass_time();
    File::options()
        .write(true)
        .open(logs.path("access.log"))
        .unwrap()
        .set_len(0)
        .unwrap();
    logs.write("access.log", 30);
    assert_eq!(logs.seen(), (6..=37).collect::<Vec<u32>>());
}

#[test]
fn lines_that_a_truncation_took_away_are_said_to_be_lost() {
    let mut logs = Logs::new("access.log");
    logs.write("access.log", 3);
    logs.follow();
    logs.write("access.log", 2);
    assert_eq!(logs.seen(), [4, 5]);
    File::create(logs.path("access.log")).unwrap();
    logs.write("access.log", 2);
    assert_eq!(logs.seen(), [6, 7]);
    assert!(logs.events.contains(&LogEvent::LostLines));
}

#[test]
fn a_log_with_the_day_in_its_name_goes_on_in_the_file_of_the_next_day() {
    let mut logs = Logs::new("access-*.log");
    logs.write("access-2026-11-21.log", 2);
    logs.follow();
    logs.write("access-2026-11-21.log", 1);
    pass_time();
    logs.write("access-2026-11-22.log", 1);
    pass_time();
    logs.write("access-2026-11-23.log", 1);
    assert_eq!(logs.seen(), [3, 4, 5]);
}

#[test]
fn after_a_restart_yesterdays_log_is_found_although_it_was_renamed_and_compressed() {
    let mut logs = Logs::new("access.log");
    logs.write("access.log", 4);
    logs.follow();
    logs.write("access.log", 400);
    assert_eq!(logs.seen().len(), 400);
    logs.write("access.log", 10);
    let places = logs.follower.take().unwrap().places();
    fs::rename(logs.path("access.log"), logs.path("access.log.1")).unwrap();
    pass_time();
    gzip(&logs.path("access.log.1"));
    logs.write("access.log", 5);
    logs.follow_from(&places);
    assert_eq!(logs.seen(), (405..=419).collect::<Vec<u32>>());
}

#[test]
fn two_rotations_while_nobody_followed_lose_no_line() {
    let mut logs = Logs::new("access.log");
    logs.write("access.log", 4);
    logs.follow();
    logs.write("access.log", 3);
    assert_eq!(logs.seen(), [5, 6, 7]);
    logs.write("access.log", 1);
    for _ in 0..2 {
        if logs.path("access.log.1").exists() {
            fs::rename(logs.path("access.log.1"), logs.path("access.log.2")).unwrap();
        }
        fs::rename(logs.path("access.log"), logs.path("access.log.1")).unwrap();
        pass_time();
        logs.write("access.log", 1);
    }
    logs.restart();
    assert_eq!(logs.seen(), [8, 9, 10]);
}

#[test]
fn a_log_that_is_not_there_yet_is_waited_for_and_one_that_vanishes_too() {
    let mut logs = Logs::new("access.log");
    logs.follow();
    assert!(logs.seen().is_empty());
    assert_eq!(logs.events, [LogEvent::Missing]);
    logs.write("access.log", 2);
    assert_eq!(logs.seen(), [1, 2]);
    fs::remove_file(logs.path("access.log")).unwrap();
    assert!(logs.seen().is_empty());
    logs.write("access.log", 2);
    assert_eq!(logs.seen(), [3, 4]);
    let missing = |event: &&LogEvent| **event == LogEvent::Missing;
    assert_eq!(logs.events.iter().filter(missing).count(), 2);
}

#[test]
fn a_log_that_turns_into_another_format_is_read_in_that_one() {
    let mut logs = Logs::new("access.log");
    logs.write("access.log", 10);
    logs.follow();
    logs.write("access.log", 300);
    assert_eq!(logs.seen().len(), 300);
    let mut file = logs.append("access.log");
    for number in 0..400 {
        writeln!(
            file,
            "time:2026-11-22T10:05:03+00:00\thost:10.0.0.1\tmethod:GET\turi:/file{number}.html\tstatus:200\tsize:512"
        )
        .unwrap();
    }
    let seen = logs.seen();
    assert_eq!(seen, (0..400).collect::<Vec<u32>>());
    assert!(
        logs.events.contains(&LogEvent::Format("ltsv")),
        "{:?}",
        logs.events
    );
}

#[test]
fn lines_that_are_no_requests_for_files_are_left_out() {
    let mut logs = Logs::new("access.log");
    logs.write("access.log", 1);
    logs.follow();
    let mut file = logs.append("access.log");
    let line = |request: &str, status: u16| {
        format!(
            "10.0.0.1 - - [17/May/2015:10:05:03 +0000] \"{request} HTTP/1.1\" {status} 512 \"-\" \"agent\""
        )
    };
    for text in [
        line("GET /missing1.html", 404),
        line("POST /form2", 200),
        line("GET /script3.php?x=1", 200),
        "noise".into(),
        line("GET /style4.css?v=3", 200),
        line("HEAD /file5.html", 200),
        line("GET /file%206.html", 206),
    ] {
        writeln!(file, "{text}").unwrap();
    }
    let mut found = Vec::new();
    let follower = logs.follower.as_mut().unwrap();
    let take = |it: &hotset_trace::read::follow::LoggedRequest<'_>| {
        found.push((String::from_utf8_lossy(&it.path).into_owned(), it.file_use));
    };
    follower.poll(take, |_, _| {}).unwrap();
    let expected = [
        ("/style4.css".to_owned(), LoggedUse::Read { whole: true }),
        ("/file5.html".to_owned(), LoggedUse::Checked),
        ("/file 6.html".to_owned(), LoggedUse::Read { whole: false }),
    ];
    assert_eq!(found, expected);
}

#[test]
fn logs_without_virtual_hosts_have_known_sites_and_other_logs_have_not() {
    let mut logs = Logs::new("access.log");
    logs.append("empty.log");
    logs.write("access.log", 2);
    logs.write("more.log", 2);
    let mut hosts = logs.append("hosts.log");
    writeln!(hosts, "example.org:80 {}", combined(3)).unwrap();
    let made = Command::new("mkfifo").arg(logs.path("pipe.log")).status();
    assert!(made.unwrap().success());
    let sites = |names: &[&str], rules: &[&str]| {
        let names: Vec<PathBuf> = names.iter().map(|name| logs.path(name)).collect();
        let options = ReadOptions {
            sites: rules.iter().map(|rule| rule.parse().unwrap()).collect(),
            ..ReadOptions::default()
        };
        sites_without_hosts(&names, &options).unwrap()
    };
    let known = |names: &[&str]| Some(names.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert_eq!(sites(&["access.log", "more.log"], &[]), known(&["all"]));
    let by_path = ["shop=/shop/*"];
    assert_eq!(sites(&["[am]*.log"], &by_path), known(&["shop", "other"]));
    let by_log = ["shop=log:*access*"];
    assert_eq!(sites(&["access.log"], &by_log), known(&["shop"]));
    for unknown in [
        "absent.log",
        "empty.log",
        "hosts.log",
        "pipe.log",
        "[ah]*.log",
    ] {
        assert_eq!(sites(&[unknown], &[]), None, "{unknown}");
    }
}

#[test]
fn a_pipe_without_a_writer_does_not_hold_up_the_others() {
    let mut logs = Logs::new("access.log");
    let pipe = logs.path("pipe.log");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    logs.write("access.log", 1);
    let both = [pipe.clone(), logs.path("access.log")];
    logs.follower = Some(Follower::new(&both, ReadOptions::default(), &BTreeMap::new()).unwrap());
    logs.write("access.log", 1);
    assert_eq!(logs.seen(), [2]);
    let mut writer = OpenOptions::new().write(true).open(&pipe).unwrap();
    for number in 100..150 {
        writeln!(writer, "{}", combined(number)).unwrap();
    }
    assert_eq!(logs.seen(), (100..150).collect::<Vec<u32>>());
}

#[test]
fn a_pattern_stands_for_several_logs_and_for_those_that_come() {
    let mut logs = Logs::new("*.log");
    logs.write("blog.log", 1);
    logs.write("shop.log", 1);
    logs.follow();
    logs.write("blog.log", 1);
    logs.write("shop.log", 1);
    assert_eq!(logs.seen(), [3, 4]);
    logs.write("new.log", 2);
    logs.follower.as_mut().unwrap().find_logs().unwrap();
    assert_eq!(logs.seen(), [5, 6]);
}

#[test]
fn a_folder_and_no_log_are_errors() {
    let folder = TempDir::new().unwrap();
    let follow =
        |logs: &[PathBuf]| Follower::new(logs, ReadOptions::default(), &BTreeMap::new()).err();
    assert!(matches!(follow(&[]), Some(ReadError::NoInput)));
    assert!(matches!(
        follow(&[folder.path().to_owned()]),
        Some(ReadError::Directory { .. })
    ));
}
