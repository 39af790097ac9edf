//! Logs of several machines: generated ones that meet every rule of reading, and real ones dealt to files.

use std::fs;
use std::path::{Path, PathBuf};

use hotset_trace::read::{FormatChoice, ReadOptions};
use proptest::prelude::*;

/// The lines of one log in vhost_combined: host, client, seconds, request, status, bytes.
pub type Line = (u8, u8, i64, u8, u8, u64);

pub fn line() -> impl Strategy<Value = Line> {
    (
        0_u8..3,
        0_u8..5,
        -4_i64..20,
        0_u8..12,
        0_u8..10,
        0_u64..6_000,
    )
}

pub fn logs() -> impl Strategy<Value = Vec<Vec<Line>>> {
    prop::collection::vec(prop::collection::vec(line(), 1..40), 1..7)
}

/// Paths that are equal once decoded, with and without queries, in several folders.
pub const TARGETS: [&str; 12] = [
    "/a.gif",
    "/%61.gif",
    "/a.gif?v=1",
    "/b c.html",
    "/b%20c.html",
    "/i/x.png",
    "/i/%78.png",
    "/",
    "/q.php?x=1",
    "/i/y.css",
    "http://h1.example/a.gif",
    "/%ff",
];

pub fn text(lines: &[Line], log: usize) -> String {
    let mut now = 0;
    let line = |&(host, client, step, target, answer, bytes): &Line| {
        now += step;
        let (method, status) = match answer {
            0..4 => ("GET", 200),
            4 => ("GET", 206),
            5..7 => ("GET", 304),
            7 => ("HEAD", 200),
            8 => ("GET", 404),
            _ => ("POST", 200),
        };
        let time = format!(
            "{:02}:{:02}:{:02}",
            12 + now.div_euclid(3600),
            now.rem_euclid(3600) / 60,
            now.rem_euclid(60)
        );
        // The log's own client keeps two logs from being the same.
        let client = if client == 4 {
            100 + log
        } else {
            usize::from(client)
        };
        let target = TARGETS[usize::from(target)].replace(' ', "%20");
        format!(
            "h{host}.example:80 192.0.2.{client} - - [17/May/2015:{time} +0000] \"{method} {target} HTTP/1.1\" {status} {bytes} \
             \"-\" \"agent {log}\"\n"
        )
    };
    lines.iter().map(line).collect()
}

pub fn write(folder: &Path, logs: &[Vec<Line>]) -> Vec<PathBuf> {
    let file = |(index, lines): (usize, &Vec<Line>)| {
        let path = folder.join(format!("{}.log", (b'a' + index as u8) as char));
        fs::write(&path, text(lines, index)).expect("room for a log");
        path
    };
    logs.iter().enumerate().map(file).collect()
}

pub fn options(sites: &[&str]) -> ReadOptions {
    ReadOptions {
        format: Some(FormatChoice::Known(
            "vhost-combined".parse().expect("a format"),
        )),
        sites: sites
            .iter()
            .map(|rule| rule.parse().expect("a rule"))
            .collect(),
        ..ReadOptions::default()
    }
}

/// The lines of a log, dealt one by one or in runs, into files that are logs of their own.
pub fn dealt(log: &Path, folder: &Path, files: usize, in_runs: bool) -> Vec<PathBuf> {
    let bytes = fs::read(log).expect("a log");
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    let of_file = |file: usize| {
        let number = |index: usize| {
            if in_runs {
                index * files / lines.len()
            } else {
                index % files
            }
        };
        let lines = lines
            .iter()
            .enumerate()
            .filter(move |(index, _)| number(*index) == file);
        let path = folder.join(format!("{}.log", (b'a' + file as u8) as char));
        fs::write(
            &path,
            lines.map(|(_, line)| *line).collect::<Vec<_>>().concat(),
        )
        .expect("room for a log");
        path
    };
    (0..files).map(of_file).collect()
}
