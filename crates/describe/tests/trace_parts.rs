//! Requests of logs, dealt to machines in any way and merged in any order, are the trace that one process reads.
use hotset_test_support::skip;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use hotset_describe::{MergedTrace, PartError, PartOptions, TracePart};
use hotset_trace::Trace;
use hotset_trace::read::{Order, ReadError, ReadOptions, ReadSummary, read};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::logs_of_machines::{dealt, logs, options, write};

fn whole(logs: &[PathBuf], options: &ReadOptions) -> Result<(Trace, ReadSummary), ReadError> {
    read(logs, options, &mut |_| ControlFlow::Continue(()))
}

fn part(logs: &[PathBuf], reading: &ReadOptions, node: Option<&str>) -> TracePart {
    let options = PartOptions { reading, node };
    TracePart::read(logs, &options, &mut |_| ControlFlow::Continue(())).expect("sound logs")
}

/// The requests of the logs of each shard, through their bytes, merged from `first` on.
fn merged(
    shards: &[Vec<PathBuf>],
    options: &ReadOptions,
    first: usize,
) -> Result<MergedTrace, PartError> {
    let filled: Vec<&Vec<PathBuf>> = shards.iter().filter(|shard| !shard.is_empty()).collect();
    let parts = (0..filled.len()).map(|index| {
        let logs = filled[(first + index) % filled.len()];
        let bytes = part(logs, options, None).to_bytes().expect("memory");
        let part = TracePart::of_bytes("a", &bytes).expect("what was written is read");
        (logs[0].display().to_string(), part)
    });
    TracePart::merge(parts.collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn any_shards_in_any_order_are_the_trace_that_one_process_reads(
        logs in logs(),
        shard_of in prop::collection::vec(0_usize..4, 7),
        first in 0_usize..4,
        by_rules in any::<bool>(),
        by_time in any::<bool>(),
    ) {
        let folder = TempDir::new().expect("a temporary folder");
        let files = write(folder.path(), &logs);
        let rules: &[&str] = if by_rules { &["img=/i/*", "one=host:h1.*", "all=/*"] } else { &[] };
        let order = if by_time { Order::Time } else { Order::Log };
        let options = ReadOptions { order, ..options(rules) };
        let mut shards = vec![Vec::new(); 4];
        files.iter().zip(&shard_of).for_each(|(file, &shard)| shards[shard].push(file.clone()));
        let all = merged(&shards, &options, first);
        match whole(&files, &options) {
            Ok((trace, summary)) => {
                let all = all.expect("what one process reads");
                prop_assert_eq!(all.trace, trace);
                prop_assert_eq!(all.summary, summary);
            }
            // A rule that met nothing is refused by both, in the same words.
            Err(error) => prop_assert_eq!(all.expect_err("an error").to_string(), error.to_string()),
        }
    }

    #[test]
    fn damaged_bytes_are_refused_or_merge(logs in logs(), place in any::<prop::sample::Index>(), bit in 0_u8..8) {
        let folder = TempDir::new().expect("a temporary folder");
        let files = write(folder.path(), &logs);
        let mut bytes = part(&files, &options(&[]), None).to_bytes().expect("memory");
        let cut = place.index(bytes.len());
        prop_assert!(TracePart::of_bytes("a", &bytes[..cut]).is_err());
        bytes[cut] ^= 1 << bit;
        if let Ok(read) = TracePart::of_bytes("a", &bytes) {
            prop_assert!(TracePart::merge(vec![("a".into(), read)]).is_ok());
        }
    }
}

#[test]
fn real_logs_in_eight_shards_are_the_trace_that_one_process_reads() {
    for name in ["semicomplete-2015.combined.log", "epa-http-1995.txt"] {
        let log = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../../shared/data")
            .join(name);
        if !log.exists() {
            skip(format_args!("{} is absent", log.display()));
            continue;
        }
        for in_runs in [true, false] {
            let folder = TempDir::new().expect("a temporary folder");
            let files = dealt(&log, folder.path(), 8, in_runs);
            let options = ReadOptions::default();
            let shards: Vec<Vec<PathBuf>> = files.iter().map(|file| vec![file.clone()]).collect();
            let all = merged(&shards, &options, 3).expect("sound logs");
            let (trace, summary) = whole(&files, &options).expect("sound logs");
            assert_eq!(all.summary, summary);
            assert!(all.trace == trace, "{name} differs");
        }
    }
}

#[test]
fn a_304_of_a_file_that_another_machine_has_read_gets_its_object() {
    let folder = TempDir::new().expect("a temporary folder");
    let files = write(
        folder.path(),
        &[vec![(0, 4, 0, 0, 0, 5_000)], vec![(0, 4, 5, 0, 5, 0)]],
    );
    let shards: Vec<Vec<PathBuf>> = files.iter().map(|file| vec![file.clone()]).collect();
    let all = merged(&shards, &options(&[]), 1).expect("sound logs");
    assert_eq!(all.trace.requests.object, [0, 0]);
    assert_eq!(all.trace.requests.access, [true, false]);
}

#[test]
fn a_log_given_twice_and_clients_of_another_key_are_refused_by_name() {
    let folder = TempDir::new().expect("a temporary folder");
    let files = write(
        folder.path(),
        &[vec![(0, 4, 0, 0, 0, 5_000)], vec![(0, 4, 5, 0, 0, 6_000)]],
    );
    let refusal = |one: TracePart, other: TracePart| {
        let parts = vec![("x".to_owned(), one), ("y".to_owned(), other)];
        TracePart::merge(parts).expect_err("a refusal").to_string()
    };
    let reading = options(&[]);
    let first = || part(&files[..1], &reading, None);
    let message = refusal(first(), first());
    assert!(message.contains("a.log is in x already"), "{message}");
    let other_key = ReadOptions {
        client_key: [1; 16],
        ..options(&[])
    };
    let message = refusal(first(), part(&files[1..], &other_key, None));
    assert!(
        message.starts_with("y: its clients have another key than those of x"),
        "{message}"
    );
}

#[test]
fn machines_with_logs_of_the_same_path_are_told_apart_by_their_names() {
    let folder = TempDir::new().expect("a temporary folder");
    let files = write(
        folder.path(),
        &[vec![(0, 4, 0, 0, 0, 5_000)], vec![(0, 4, 5, 0, 0, 6_000)]],
    );
    let reading = options(&[]);
    let first = part(&files[..1], &reading, Some("web1"));
    std::fs::copy(&files[1], &files[0]).expect("room for a log");
    let second = part(&files[..1], &reading, Some("web2"));
    let parts = vec![("x".to_owned(), first), ("y".to_owned(), second)];
    let all = TracePart::merge(parts).expect("two logs");
    assert_eq!(all.trace.requests.len(), 2);
    assert!(all.summary.sources[1].file.starts_with("web2:"));
}

#[test]
fn what_is_no_requests_is_refused() {
    let refusal = |bytes: &[u8]| {
        TracePart::of_bytes("a", bytes)
            .expect_err("a refusal")
            .to_string()
    };
    assert!(refusal(b"hotset part\n").contains("not a part"));
    assert!(refusal(b"hotset requests\n\x09\0\0\0").contains("version 9"));
    assert!(refusal(b"hotset req").contains("ends too early"));
}
