//! Parts of logs, dealt to machines in any way and merged in any order, give what one process gives.
use hotset_test_support::skip;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use hotset_describe::{DescribeOptions, Description, Part, PartError, PartOptions, describe};
use hotset_trace::Zone;
use hotset_trace::read::{ReadOptions, ReadSummary, read};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::logs_of_machines::{dealt, logs, options, text, write};

/// What one process gives, without the curve, which parts do not have.
fn whole(logs: &[PathBuf], options: &ReadOptions) -> (Description, ReadSummary) {
    let (trace, summary) =
        read(logs, options, &mut |_| ControlFlow::Continue(())).expect("sound logs");
    let describing = DescribeOptions {
        rejected_lines: summary.rejected_lines,
        not_found: Some(&summary.not_found),
        curve_points: 0,
        ..DescribeOptions::default()
    };
    (describe(&trace, &describing), summary)
}

fn part(logs: &[PathBuf], reading: &ReadOptions) -> Result<Part, PartError> {
    Part::read(
        logs,
        &PartOptions {
            reading,
            node: None,
        },
        &mut |_| ControlFlow::Continue(()),
    )
}

/// The part through its bytes, as a file would carry it.
fn carried(part: &Part) -> Part {
    let bytes = part.to_bytes().expect("memory");
    Part::of_bytes("a.part", &bytes).expect("what was written is read")
}

/// Parts of the logs of each shard, merged one after the other from `first` on.
fn merged(shards: &[Vec<PathBuf>], options: &ReadOptions, first: usize) -> Part {
    let filled: Vec<&Vec<PathBuf>> = shards.iter().filter(|shard| !shard.is_empty()).collect();
    let parts = (0..filled.len()).map(|index| {
        let logs = filled[(first + index) % filled.len()];
        (
            logs[0].display().to_string(),
            carried(&part(logs, options).expect("sound logs")),
        )
    });
    let merge = |all: Vec<(String, Part)>| Part::merge(all).expect("different logs");
    let mut parts: Vec<(String, Part)> = parts.collect();
    // Some grouping of them: the first half alone, then with each of the others.
    let rest = parts.split_off(parts.len().div_ceil(2));
    let mut all = merge(parts);
    for (name, part) in rest {
        all = merge(vec![(name, part), ("merged.part".into(), carried(&all))]);
    }
    all
}

fn assert_whole(part: &Part, logs: &[PathBuf], options: &ReadOptions) {
    let (mut description, summary) = part
        .describe("a.part", &Zone::UTC)
        .expect("all rules are met");
    assert_eq!(description.left_out, ["miss_ratio_curve"]);
    description.left_out.clear();
    let (wanted, wanted_summary) = whole(logs, options);
    assert_eq!(summary, wanted_summary);
    assert_eq!(description, wanted);
    let json = |description: &Description| serde_json::to_string(description).expect("JSON");
    assert_eq!(json(&description), json(&wanted));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn any_shards_in_any_order_give_what_one_process_gives(
        logs in logs(),
        shard_of in prop::collection::vec(0_usize..4, 7),
        first in 0_usize..4,
        by_rules in any::<bool>(),
    ) {
        let folder = TempDir::new().expect("a temporary folder");
        let files = write(folder.path(), &logs);
        let rules: &[&str] = if by_rules { &["img=/i/*", "one=host:h1.*", "all=/*"] } else { &[] };
        let options = options(rules);
        let mut shards = vec![Vec::new(); 4];
        files.iter().zip(&shard_of).for_each(|(file, &shard)| shards[shard].push(file.clone()));
        let one = part(&files, &options).expect("sound logs");
        let all = merged(&shards, &options, first);
        prop_assert_eq!(all.to_bytes().expect("memory"), one.to_bytes().expect("memory"));
        match read(&files, &options, &mut |_| ControlFlow::Continue(())) {
            Ok(_) => assert_whole(&all, &files, &options),
            // A rule that met nothing is refused by both, in the same words.
            Err(error) => {
                let refused = all.describe("a.part", &Zone::UTC).expect_err("an error");
                prop_assert_eq!(refused.to_string(), error.to_string());
            }
        }
    }

    #[test]
    fn damaged_bytes_are_refused_or_describe_something(logs in logs(), place in any::<prop::sample::Index>(), bit in 0_u8..8) {
        let folder = TempDir::new().expect("a temporary folder");
        let files = write(folder.path(), &logs);
        let part = part(&files, &options(&[])).expect("sound logs");
        let mut bytes = part.to_bytes().expect("memory");
        let cut = place.index(bytes.len());
        prop_assert!(Part::of_bytes("a.part", &bytes[..cut]).is_err());
        bytes[cut] ^= 1 << bit;
        // The checksum of the tables finds every such damage; a flag of the frame may still mean the same.
        if let Ok(read) = Part::of_bytes("a.part", &bytes) {
            prop_assert_eq!(read, part);
        }
    }
}

#[test]
fn real_logs_in_eight_shards_give_what_one_process_gives() {
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
            let all = merged(&shards, &options, 3);
            let one = part(&files, &options).expect("sound logs");
            assert_eq!(
                all.to_bytes().expect("memory"),
                one.to_bytes().expect("memory")
            );
            assert_whole(&all, &files, &options);
        }
    }
}

/// Two logs, each with a line of its own client.
fn two_logs(folder: &Path) -> Vec<PathBuf> {
    write(
        folder,
        &[vec![(0, 4, 0, 0, 0, 5_000)], vec![(0, 4, 1, 0, 4, 9_000)]],
    )
}

fn refusal(parts: Vec<(&str, Part)>) -> String {
    let parts = parts
        .into_iter()
        .map(|(name, part)| (name.to_owned(), part))
        .collect();
    Part::merge(parts).expect_err("a refusal").to_string()
}

#[test]
fn a_full_response_in_one_log_outweighs_a_larger_partial_one_in_another() {
    let folder = TempDir::new().expect("a temporary folder");
    let logs = two_logs(folder.path());
    let shards: Vec<Vec<PathBuf>> = logs.iter().map(|log| vec![log.clone()]).collect();
    let (description, _) = merged(&shards, &options(&[]), 1)
        .describe("a.part", &Zone::UTC)
        .expect("sound parts");
    assert_eq!(description.total.object_bytes, 5_000);
}

#[test]
fn a_304_of_a_file_that_another_machine_has_read_is_for_a_file() {
    let folder = TempDir::new().expect("a temporary folder");
    let read_first = write(
        folder.path(),
        &[vec![(0, 4, 0, 0, 0, 5_000)], vec![(0, 4, 5, 0, 5, 0)]],
    );
    let shards: Vec<Vec<PathBuf>> = read_first.iter().map(|log| vec![log.clone()]).collect();
    let whole = merged(&shards, &options(&[]), 0);
    let (description, _) = whole.describe("a.part", &Zone::UTC).expect("sound parts");
    assert_eq!(description.total.not_file_requests, 0);
    let (alone, _) = part(&read_first[1..], &options(&[]))
        .expect("a sound log")
        .describe("b.part", &Zone::UTC)
        .expect("a sound part");
    assert_eq!(alone.total.not_modified_without_file, 1);
}

#[test]
fn other_rules_and_other_keys_are_refused_with_both_files() {
    let folder = TempDir::new().expect("a temporary folder");
    let logs = two_logs(folder.path());
    let one = || part(&logs[..1], &options(&[])).expect("a sound log");
    let by_rule = part(&logs[1..], &options(&["img=/i/*"])).expect("a sound log");
    let message = refusal(vec![("a.part", one()), ("b.part", by_rule)]);
    assert_eq!(
        message,
        "b.part: made with --query auto --site img=/i/*, and a.part with --query auto; make both with the same options"
    );
    let other_key = ReadOptions {
        client_key: [1; 16],
        ..options(&[])
    };
    let message = refusal(vec![
        ("a.part", one()),
        ("b.part", part(&logs[1..], &other_key).expect("a sound log")),
    ]);
    assert!(
        message.starts_with("b.part: its clients have another key than those of a.part"),
        "{message}"
    );
}

#[test]
fn a_log_in_two_parts_is_refused_by_name_content_and_rotation() {
    let folder = TempDir::new().expect("a temporary folder");
    let logs = two_logs(folder.path());
    let of = |log: &Path| part(&[log.to_path_buf()], &options(&[])).expect("a sound log");
    let message = refusal(vec![("x.part", of(&logs[0])), ("y.part", of(&logs[0]))]);
    assert!(message.contains("a.log is in x.part already"), "{message}");
    let copy = folder.path().join("copy.log");
    fs::copy(&logs[0], &copy).expect("room for a log");
    let message = refusal(vec![("x.part", of(&logs[0])), ("y.part", of(&copy))]);
    assert!(
        message.contains("copy.log is in x.part already"),
        "{message}"
    );
    let rotated = folder.path().join("a.log.1");
    fs::copy(&logs[1], &rotated).expect("room for a log");
    let message = refusal(vec![("x.part", of(&logs[0])), ("y.part", of(&rotated))]);
    assert!(message.contains("files of one log"), "{message}");
}

#[test]
fn logs_of_two_machines_may_have_the_same_path() {
    let folder = TempDir::new().expect("a temporary folder");
    let log = two_logs(folder.path()).remove(0);
    let reading = options(&[]);
    let of_node = |node| {
        let options = PartOptions {
            reading: &reading,
            node: Some(node),
        };
        Part::read(std::slice::from_ref(&log), &options, &mut |_| {
            ControlFlow::Continue(())
        })
        .expect("a sound log")
    };
    let first = of_node("web1");
    fs::write(&log, text(&[(0, 3, 2, 0, 0, 7_000)], 7)).expect("room for a log");
    let parts = vec![
        ("x.part".to_owned(), first),
        ("y.part".to_owned(), of_node("web2")),
    ];
    let (description, summary) = Part::merge(parts)
        .and_then(|all| all.describe("x.part", &Zone::UTC))
        .expect("two logs");
    assert_eq!(description.total.requests, 2);
    assert!(
        summary.sources[1].file.starts_with("web2:"),
        "{:?}",
        summary.sources[1].file
    );
}

#[test]
fn what_cannot_be_merged_is_refused_by_name() {
    let folder = TempDir::new().expect("a temporary folder");
    let logs = two_logs(folder.path());
    let c1 = ReadOptions {
        counting: "c1".parse().expect("a rule"),
        ..options(&[])
    };
    let message = part(&logs, &c1).expect_err("a refusal").to_string();
    assert!(
        message.starts_with("--rule c1 cannot be merged exactly"),
        "{message}"
    );
    let keys = folder.path().join("keys.txt");
    fs::write(&keys, "1\n2\n3\n1\n").expect("room for a log");
    let message = part(&[keys], &ReadOptions::default())
        .expect_err("a refusal")
        .to_string();
    assert!(message.contains("holds keys of a cache"), "{message}");
}

#[test]
fn bytes_of_something_else_and_of_another_version_are_refused() {
    let folder = TempDir::new().expect("a temporary folder");
    let bytes = part(&two_logs(folder.path()), &options(&[]))
        .expect("sound logs")
        .to_bytes()
        .expect("memory");
    let refusal = |bytes: &[u8]| {
        Part::of_bytes("a.part", bytes)
            .expect_err("a refusal")
            .to_string()
    };
    assert_eq!(
        refusal(b"{}"),
        "a.part: not a part; make one with `hotset part LOG… -o PART`"
    );
    assert!(refusal(&bytes[..bytes.len() - 1]).starts_with("a.part: ends too early"));
    assert!(refusal(&bytes[..3]).starts_with("a.part: ends too early"));
    let mut newer = bytes.clone();
    newer[12] = 9;
    assert!(refusal(&newer).starts_with("a.part: a part in version 9 of the format"));
    let longer = [bytes.as_slice(), b"x"].concat();
    assert!(refusal(&longer).starts_with("a.part: "));
}
