//! What is guessed of logs whose labels, columns and keys are nobody's, and of logs with stray lines.

use hotset_trace::formats::{DetectError, detect, detect_among};

const PATHS: [&str; 4] = ["/", "/a.css", "/img/logo.png", "/dl/file.zip"];

/// Forty lines, each by its number, its time of day, its path and its bytes.
fn log(line: impl Fn(usize, &str, &str, usize) -> String) -> String {
    let line = |number: usize| {
        let path = PATHS[number * 7 % 4];
        let time = format!("10:{:02}:{:02}", number, number * 7 % 60);
        line(number, &time, path, 500 + 97 * path.len()) + "\n"
    };
    (0..40).map(line).collect()
}

/// The guess at `log`, of which the share `max_rejected` may be left out.
fn guess(log: &str, max_rejected: f64) -> String {
    let length = Some(log.len() as u64);
    let error = detect_among(log.as_bytes(), "some.log", length, max_rejected);
    let error = error.expect_err("no known format");
    let guess = error.guess().unwrap_or_else(|| panic!("{error}\n{log}"));
    guess.to_string()
}

/// The first request of every log here.
const FIRST: &str = "2024-03-01T10:00:00Z, client 203.0.113.7, no host: GET /, 200, 597 bytes";

#[test]
fn ltsv_with_other_labels_is_guessed() {
    let log = log(|number, time, path, bytes| {
        format!(
            "timestamp:2024-03-01T{time}+00:00\tip:203.0.113.{}\tverb:GET\tpath:{path}\tcode:200\tlength:{bytes}\tua:x",
            7 + number % 3
        )
    });
    let guess = guess(&log, 0.0);
    assert!(guess.contains(FIRST), "{guess}");
}

#[test]
fn json_with_a_day_and_a_time_of_day_is_guessed() {
    let log = log(|number, time, path, bytes| {
        format!(
            r#"{{"date":"2024-03-01","time":"{time}","c-ip":"203.0.113.{}","cs-method":"GET","cs-uri-stem":"{path}","cs-uri-query":"{}","sc-status":200,"sc-bytes":{bytes}}}"#,
            7 + number % 3,
            if number % 4 == 1 { "v=2" } else { "-" },
        )
    });
    let guess = guess(&log, 0.0);
    assert!(guess.contains(FIRST), "{guess}");
    assert!(
        guess.contains("date=date") && guess.contains("query=cs-uri-query"),
        "{guess}"
    );
    assert!(guess.contains("GET /dl/file.zip?v=2"), "{guess}");
}

#[test]
fn json_with_other_words_is_guessed() {
    let log = log(|number, time, path, bytes| {
        format!(
            r#"{{"when":"2024-03-01 {time}","visitor":"203.0.113.{}","resource":"{path}","result":200,"octets":{bytes}}}"#,
            7 + number % 3
        )
    });
    let guess = guess(&log, 0.0);
    assert!(guess.contains(FIRST), "{guess}");
}

#[test]
fn columns_of_iis_without_their_header_are_guessed() {
    let log = log(|number, time, path, bytes| {
        format!(
            "2024-03-01 {time} 192.168.0.10 GET {path} - 80 - 203.0.113.{} Mozilla/5.0+(X11) - 200 0 0 {bytes} 412 {}",
            7 + number % 3,
            number * 13 % 89
        )
    });
    let guess = guess(&log, 0.0);
    assert!(guess.contains(FIRST), "{guess}");
}

#[test]
fn the_bytes_that_bitbucket_wrote_are_told_from_those_it_read() {
    let log = log(|number, time, path, bytes| {
        let answered = match number % 2 {
            0 => format!("200 | 0 | {bytes} | - | {} | 1j3m8xk", number * 13 % 89),
            _ => "- | - | - | - | - | -".to_owned(),
        };
        format!(
            "203.0.113.{},172.16.1.1 | https | o1K{number:03}x1 | - | 2024-03-01 {time},000 | \"GET {path} HTTP/1.1\" | \"\" \"git/2.39\" | {answered} | ",
            7 + number % 3
        )
    });
    let guess = guess(&log, 0.0);
    assert!(guess.contains(FIRST), "{guess}");
}

fn combined(number: usize, time: &str, path: &str, bytes: usize) -> String {
    match number % 3 {
        0 => format!("worker {number} says something odd"),
        _ => format!(
            "203.0.113.7 - - [01/Mar/2024:{time} +0000] \"GET {path} HTTP/1.1\" 200 {bytes} \"-\" \"x\""
        ),
    }
}

#[test]
fn stray_lines_that_may_be_rejected_do_not_keep_a_format_from_being_chosen() {
    let log = log(combined);
    let choose = |max_rejected| detect_among(log.as_bytes(), "some.log", None, max_rejected);
    assert!(matches!(choose(0.0), Err(DetectError::Unclear { .. })));
    assert!(choose(0.3).is_err(), "more than a third are stray");
    let found = choose(0.4).expect("combined");
    assert_eq!(found.kind.name(), "combined");
    assert_eq!(found.why, "26 of the first 40 lines read as combined");
}

#[test]
fn stray_lines_behind_a_prefix_may_be_rejected_too() {
    let log = log(|number, time, path, bytes| {
        format!("web-1  | {}", combined(number, time, path, bytes))
    });
    let found = detect_among(log.as_bytes(), "some.log", None, 0.4).expect("combined");
    assert_eq!(found.kind.name(), "combined");
    assert!(found.prefix.is_some());
}

#[test]
fn a_guess_leaves_out_as_many_stray_lines() {
    let log = log(|number, time, path, bytes| match number % 3 {
        1 => format!("worker {number} says something odd"),
        _ => format!("2024-03-01T{time}Z|203.0.113.7|GET|{path}|200|{bytes}"),
    });
    assert!(guess(&log, 0.4).contains(FIRST));
    let refused = detect(log.as_bytes(), "some.log", None).expect_err("stray lines");
    assert_eq!(refused.guess(), None);
}

#[test]
fn the_error_of_an_unknown_format_begins_with_its_remedy() {
    let log = log(|_, time, path, _| format!("{time} asks for {path}"));
    let error = detect(log.as_bytes(), "some.log", None).expect_err("no format");
    let error = error.to_string();
    assert!(
        error.starts_with("some.log: name its format, or give"),
        "{error}"
    );
}
