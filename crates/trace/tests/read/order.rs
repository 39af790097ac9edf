//! Rows keep the order of the lines; several logs are merged by the running maximum of their times.

use super::support::{get, line, paths, read_good, read_text, write};
use hotset_trace::read::{Order, ReadOptions, StepsBack, files_by_log};
use proptest::prelude::*;
use std::path::PathBuf;

fn by_time() -> ReadOptions {
    ReadOptions {
        order: Order::Time,
        ..ReadOptions::default()
    }
}

#[test]
fn lines_keep_their_order_and_steps_back_are_counted() {
    let text = [get(10, "/a"), get(5, "/b"), get(20, "/c"), get(18, "/d")].concat();
    let (trace, summary) = read_text(&text, &ReadOptions::default());
    assert_eq!(paths(&trace), ["/a", "/b", "/c", "/d"]);
    assert_eq!(
        summary.steps_back,
        StepsBack {
            count: 2,
            largest_us: 5_000_000
        }
    );
}

#[test]
fn order_by_time_is_stable() {
    let text = [get(10, "/a"), get(5, "/b"), get(10, "/c"), get(5, "/d")].concat();
    let (trace, _) = read_text(&text, &by_time());
    assert_eq!(paths(&trace), ["/b", "/d", "/a", "/c"]);
}

#[test]
fn shuffled_days_of_one_log_read_as_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let lines: Vec<String> = (0..300)
        .map(|i| get(i * 100, &format!("/{}", i % 17)))
        .collect();
    let (whole, _) = read_text(&lines.concat(), &ReadOptions::default());
    let names = [
        "access-20150517.log",
        "access-20150518.log",
        "access-20150519.log",
    ];
    let mut inputs: Vec<PathBuf> = lines
        .chunks(100)
        .zip(names)
        .map(|(part, name)| write(folder.path(), name, part.concat()))
        .collect();
    for turn in 0..3 {
        inputs.rotate_left(1);
        let (trace, summary) = read_good(&inputs, &ReadOptions::default());
        assert_eq!(trace, whole, "turn {turn}");
        assert_eq!(summary.logs, 1);
    }
    let (by_pattern, _) = read_good(&[folder.path().join("*.log")], &ReadOptions::default());
    assert_eq!(by_pattern, whole);
}

#[test]
fn merge_of_several_logs_keeps_each_in_its_order() {
    let folder = tempfile::tempdir().unwrap();
    let a = [
        get(1, "/a1"),
        get(10, "/a10"),
        get(4, "/a4"),
        get(12, "/a12"),
    ]
    .concat();
    let b = [get(3, "/b3"), get(5, "/b5"), get(11, "/b11")].concat();
    let inputs = [
        write(folder.path(), "b.log", b),
        write(folder.path(), "a.log", a),
    ];
    let (trace, summary) = read_good(&inputs, &ReadOptions::default());
    assert_eq!(
        paths(&trace),
        ["/a1", "/b3", "/b5", "/a10", "/a4", "/b11", "/a12"]
    );
    assert_eq!(summary.logs, 2);
    assert_eq!(summary.sources[0].file, inputs[0].display().to_string());
}

/// The merge, word for word: repeatedly the log whose running maximum is smallest, the log that
/// starts first on a tie.
fn merged(logs: &[Vec<u32>]) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..logs.len())
        .filter(|&log| !logs[log].is_empty())
        .collect();
    order.sort_by_key(|&log| (logs[log][0], log));
    let mut at = vec![0; logs.len()];
    let mut rows = Vec::new();
    while rows.len() < logs.iter().map(Vec::len).sum() {
        let left = order.iter().filter(|&&log| at[log] < logs[log].len());
        let next = left
            .min_by_key(|&&log| logs[log][..=at[log]].iter().max())
            .unwrap();
        rows.push((*next, at[*next]));
        at[*next] += 1;
    }
    rows
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn merge_equals_its_definition(
        logs in prop::collection::vec(prop::collection::vec(0u32..40, 1..30), 1..5),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let inputs: Vec<PathBuf> = logs.iter().enumerate().map(|(log, times)| {
            let lines = times.iter().enumerate();
            let text: String = lines.map(|(row, &time)| get(time, &format!("/{log}/{row}"))).collect();
            write(folder.path(), &format!("log{}.txt", (b'a' + log as u8) as char), text)
        }).collect();
        let (trace, _) = read_good(&inputs, &ReadOptions::default());
        let expected: Vec<String> =
            merged(&logs).into_iter().map(|(log, row)| format!("/{log}/{row}")).collect();
        prop_assert_eq!(paths(&trace), expected);
        // Ids are given in the order of the rows.
        let ids: Vec<u32> = (0..trace.requests.len() as u32).collect();
        prop_assert_eq!(&trace.requests.object, &ids);
    }
}

#[test]
fn merged_logs_with_rejected_lines_lose_none_of_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let log = |name: &str, shift: u32| {
        let lines: String = (0..200)
            .map(|i| match i % 50 {
                7 => "orphan\n".into(),
                _ => line(
                    name,
                    2 * i + shift,
                    &format!("GET /{name}/{i} HTTP/1.1"),
                    200,
                    "9",
                ),
            })
            .collect();
        write(folder.path(), &format!("{name}.log"), lines)
    };
    let (trace, summary) = read_good(&[log("x", 0), log("y", 1)], &ReadOptions::default());
    assert_eq!(
        (trace.requests.len(), summary.rejected_lines, summary.lines),
        (392, 8, 400)
    );
    assert!(trace.requests.time_us.is_sorted());
    assert_eq!(summary.sources[1].lines, 200);
}

#[test]
fn rotated_parts_belong_to_one_log_and_numbered_sites_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let logs = |names: &[&str]| {
        let path = |name: &&str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "").unwrap();
            path
        };
        let names: Vec<PathBuf> = names.iter().map(path).collect();
        files_by_log(&names).unwrap().len()
    };
    let rotated = [
        "access.log.1",
        "access.log.2.gz",
        "access.log-20240501",
        "access.log",
    ];
    assert_eq!(logs(&rotated), 1);
    assert_eq!(logs(&["u_ex240501.log", "u_ex240502.log.xz"]), 1);
    assert_eq!(logs(&["a-2024-05-01.log", "a-2024-05-02.log"]), 1);
    assert_eq!(logs(&["u_ex24050112.log", "u_ex24050113.log"]), 1);
    assert_eq!(logs(&["a-202404.log", "a-202405.log"]), 1);
    assert_eq!(logs(&["a_20240501_120000.log", "a_20240502_000000.log"]), 1);
    assert_eq!(logs(&["a-1714521600.log", "a-1714608000.log"]), 1);
    assert_eq!(logs(&["site1.log", "site2.log"]), 2);
    // Customers and addresses.
    assert_eq!(logs(&["web123456.log", "web123457.log"]), 2);
    assert_eq!(logs(&["192-168-100-200.log", "192-168-100-201.log"]), 2);
    assert_eq!(logs(&["a/access.log", "b/access.log"]), 2);
}
