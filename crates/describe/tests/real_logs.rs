//! Two real logs, described, against a plain reading of their lines.
use hotset_test_support::skip;
use std::{
    collections::{BTreeMap, HashMap},
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use hotset_describe::{DescribeOptions, SiteDescription, describe};
use hotset_trace::read::{QueryRule, ReadOptions, read};

fn log(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data")
        .join(name);
    if !path.exists() {
        skip(format_args!("{} is absent", path.display()));
        return None;
    }
    Some(path)
}

fn total(path: &Path) -> SiteDescription {
    let options = ReadOptions {
        query: QueryRule::Exclude,
        ..ReadOptions::default()
    };
    let (trace, _) = read(&[path.to_path_buf()], &options, &mut |_| {
        ControlFlow::Continue(())
    })
    .unwrap();
    describe(&trace, &DescribeOptions::default()).total
}

/// The request, status and size of a line: the last quote that a status and a size follow ends the request.
fn fields(line: &str) -> Option<(&str, &str, &str)> {
    let start = line.find('"')? + 1;
    let ends = line
        .match_indices("\" ")
        .map(|(at, _)| at)
        .filter(|&at| at >= start)
        .collect::<Vec<_>>();
    ends.into_iter().rev().find_map(|end| {
        let (status, rest) = line.get(end + 2..)?.split_once(' ')?;
        let size = rest
            .split(|c: char| !c.is_ascii_digit() && c != '-')
            .next()?;
        let is_status = status.len() == 3 && status.bytes().all(|b| b.is_ascii_digit());
        let is_size = size == "-" || (!size.is_empty() && size.bytes().all(|b| b.is_ascii_digit()));
        (is_status && is_size).then_some((&line[start..end], status, size))
    })
}

fn unquoted(path: &str) -> Vec<u8> {
    let (bytes, mut plain) = (path.as_bytes(), Vec::new());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes
            .get(at + 1..at + 3)
            .and_then(|two| std::str::from_utf8(two).ok());
        match hex
            .and_then(|two| u8::from_str_radix(two, 16).ok())
            .filter(|_| bytes[at] == b'%')
        {
            Some(byte) => {
                plain.push(byte);
                at += 3;
            }
            None => {
                plain.push(bytes[at]);
                at += 1;
            }
        }
    }
    plain
}

/// Accesses and size of every object: GET answered 200 or 206 without a query, the largest 200 response.
fn objects(path: &Path) -> HashMap<Vec<u8>, (u64, u64)> {
    let text: String = fs::read(path)
        .unwrap()
        .iter()
        .map(|&byte| byte as char)
        .collect();
    let (mut counts, mut sizes) = (HashMap::new(), HashMap::new());
    for (request, status, size) in text.split('\n').filter_map(fields) {
        let mut words: Vec<&str> = request.split_whitespace().collect();
        if words.len() > 1 && words.last().is_some_and(|word| word.starts_with("HTTP/")) {
            words.pop();
        }
        if words.len() < 2 || words[0] != "GET" || !["200", "206"].contains(&status) {
            continue;
        }
        let url = words[1..].join(" ");
        if url.contains('?') {
            continue;
        }
        let name = unquoted(&url);
        if status == "200" {
            let largest = sizes.entry(name.clone()).or_insert(1);
            *largest = size.parse().unwrap_or(0).max(*largest);
        }
        *counts.entry(name).or_insert(0) += 1;
    }
    counts
        .into_iter()
        .map(|(name, count)| (name.clone(), (count, *sizes.get(&name).unwrap_or(&1))))
        .collect()
}

fn agrees_with_a_plain_reading(name: &str) {
    let Some(path) = log(name) else { return };
    let (total, objects) = (total(&path), objects(&path));
    assert_eq!(total.objects, objects.len() as u64);
    assert_eq!(
        total.accesses,
        objects.values().map(|(count, _)| count).sum::<u64>()
    );
    assert_eq!(
        total.object_bytes,
        objects.values().map(|(_, size)| size).sum::<u64>()
    );
    assert_eq!(
        total.one_timers.objects,
        objects.values().filter(|(count, _)| *count == 1).count() as u64
    );
    let mut ranked: BTreeMap<_, Vec<u64>> = BTreeMap::new();
    objects
        .values()
        .for_each(|&(count, size)| ranked.entry(u64::MAX - count).or_default().push(size));
    let (mut covered, mut bytes) = (0, 0);
    for (key, sizes) in &mut ranked {
        sizes.sort_unstable();
        for size in sizes {
            if covered * 100 < total.accesses * 97 {
                covered += u64::MAX - key;
                bytes += *size;
            }
        }
    }
    assert_eq!(total.bytes_for_percent_of_requests.p97, bytes);
    let fit = total.zipf.unwrap();
    assert!(fit.low < fit.alpha && fit.alpha < fit.high, "{fit:?}");
}

#[test]
fn the_combined_log_agrees_with_a_plain_reading() {
    agrees_with_a_plain_reading("semicomplete-2015.combined.log");
}

#[test]
fn the_common_log_agrees_with_a_plain_reading() {
    agrees_with_a_plain_reading("epa-http-1995.txt");
}
