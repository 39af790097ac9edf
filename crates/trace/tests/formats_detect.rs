//! A log's format is told from its content, and what is unclear is refused with the fix.

use hotset_trace::formats::{DetectError, Detection, FormatKind, detect};

const CLF: &str = "192.0.2.1 - - [17/May/2015:10:05:03 +0000] \"GET /a HTTP/1.1\" 200 5";

fn whole(log: &[u8], name: &str) -> Result<Detection, DetectError> {
    detect(log, name, Some(log.len() as u64))
}

fn lines(line: &str, count: usize) -> Vec<u8> {
    format!("{line}\n").repeat(count).into_bytes()
}

fn chosen(log: &[u8]) -> FormatKind {
    whole(log, "some.log")
        .unwrap_or_else(|error| panic!("{error}"))
        .kind
}

#[test]
fn text_formats_are_told_by_their_lines() {
    let combined = format!("{CLF} \"-\" \"Mozilla\"");
    let caddy = r#"{"ts":1431857103.25,"request":{"method":"GET","host":"h","uri":"/a"},"size":5,"status":200}"#;
    let traefik = r#"{"DownstreamStatus":200,"RequestMethod":"GET","RequestPath":"/a","StartUTC":"2015-05-17T10:05:03Z"}"#;
    for (line, kind) in [
        (CLF, FormatKind::COMMON),
        (&combined, FormatKind::COMBINED),
        (
            &format!("www.example.org:80 {combined}"),
            FormatKind::VHOST_COMBINED,
        ),
        (
            "1431857103.250 250 a TCP_HIT/200 512 GET http://h/a - NONE/- -",
            FormatKind::SQUID,
        ),
        (caddy, FormatKind::CADDY),
        (traefik, FormatKind::TRAEFIK),
        ("4711", FormatKind::CSV),
        ("4711,512", FormatKind::CSV),
        ("1.5,4711,512", FormatKind::CSV),
    ] {
        assert_eq!(chosen(&lines(line, 3)), kind, "{line}");
    }
    let w3c =
        "#Version: 1.0\n#Fields: date time cs-uri-stem sc-status\n2015-05-17 10:05:03 /x 200\n";
    assert_eq!(chosen(w3c.as_bytes()), FormatKind::W3C);
    assert_eq!(chosen(b"time,key,size\n1,2,3\n4,5,6\n"), FormatKind::CSV);
}

#[test]
fn one_line_without_its_line_end_is_enough() {
    assert_eq!(chosen(CLF.as_bytes()), FormatKind::COMMON);
}

#[test]
fn a_line_that_the_first_block_cuts_off_does_not_count() {
    let mut log = lines(CLF, 2);
    log.extend_from_slice(b"192.0.2.1 - - [17/M");
    let found = detect(&log, "some.log", Some(1 << 30)).expect("a format");
    assert!(
        found
            .why
            .starts_with("2 of the first 2 lines read as common"),
        "{}",
        found.why
    );
}

#[test]
fn some_noise_leaves_the_choice_and_shows_in_the_reason() {
    let log = [lines(CLF, 98), lines("orphan line", 2)].concat();
    let found = whole(&log, "some.log").expect("a format");
    assert_eq!(found.kind, FormatKind::COMMON);
    assert_eq!(found.why, "98 of the first 100 lines read as common");
}

#[test]
fn a_mixed_log_is_refused_and_the_best_candidate_named() {
    let squid = "1431857103.250 250 a TCP_HIT/200 512 GET http://h/a - NONE/- -";
    let log = [lines(squid, 6), lines(CLF, 4)].concat();
    let error = whole(&log, "mixed.log").expect_err("mixed");
    assert!(
        matches!(
            error,
            DetectError::Unclear {
                best,
                read: 6,
                lines: 10,
                ..
            } if best == FormatKind::SQUID
        ),
        "{error}"
    );
    let message = error.to_string();
    assert!(
        message.starts_with("mixed.log: ") && message.contains("the best, squid, reads 6"),
        "{message}"
    );
}

#[test]
fn what_is_no_log_is_refused() {
    let prose = lines("It was the best of times, it was the worst of times", 20);
    assert!(matches!(
        whole(&prose, "prose"),
        Err(DetectError::Unknown { .. })
    ));
    assert!(matches!(
        whole(b"", "empty"),
        Err(DetectError::Empty { .. })
    ));
    assert!(matches!(
        whole(b"\n \r\n\n", "blank"),
        Err(DetectError::Empty { .. })
    ));
    let zeros = vec![0; 4096];
    assert!(matches!(
        whole(&zeros, "zeros"),
        Err(DetectError::Unknown { .. })
    ));
}

#[test]
fn text_keys_are_a_trace_only_where_the_file_is_called_csv() {
    let log = lines("/a/b.gif", 20);
    assert!(whole(&log, "keys.txt").is_err());
    assert_eq!(
        whole(&log, "keys.csv").expect("a format").kind,
        FormatKind::CSV
    );
}

fn keys(layout: impl Fn(u64) -> Vec<u8>) -> Vec<u8> {
    (0..4001u64)
        .flat_map(|index| layout(index * index % 3001))
        .collect()
}

#[test]
fn key_layouts_are_told_by_their_dense_keys() {
    assert_eq!(
        chosen(&keys(|key| (key as u32).to_le_bytes().to_vec())),
        FormatKind::KEYS_U32LE
    );
    assert_eq!(
        chosen(&keys(|key| (key as u32).to_be_bytes().to_vec())),
        FormatKind::KEYS_U32BE
    );
    assert_eq!(
        chosen(&keys(|key| key.to_le_bytes().to_vec())),
        FormatKind::KEYS_U64LE
    );
    assert_eq!(
        chosen(&keys(|key| key.to_be_bytes().to_vec())),
        FormatKind::KEYS_U64BE
    );
}

#[test]
fn keys_that_count_up_are_not_taken_for_next_requests() {
    let count = |layout: fn(u64) -> Vec<u8>| (0..3000).flat_map(layout).collect::<Vec<u8>>();
    assert_eq!(
        chosen(&count(|key| key.to_le_bytes().to_vec())),
        FormatKind::KEYS_U64LE
    );
    assert_eq!(
        chosen(&count(|key| key.to_be_bytes().to_vec())),
        FormatKind::KEYS_U64BE
    );
    assert_eq!(
        chosen(&count(|key| (key as u32).to_le_bytes().to_vec())),
        FormatKind::KEYS_U32LE
    );
}

#[test]
fn records_that_do_not_divide_the_length_are_no_keys() {
    let mut log = keys(|key| (key as u32).to_le_bytes().to_vec());
    log.push(0);
    assert!(whole(&log, "keys").is_err());
}

#[test]
fn oracle_general_is_told_by_its_next_requests() {
    let record = |index: u32| {
        let next = if index < 90 {
            i64::from(index) + 10
        } else {
            -1
        };
        let id = u64::from(index % 10).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        [
            &(100 + index).to_le_bytes()[..],
            &id.to_le_bytes(),
            &512u32.to_le_bytes(),
            &next.to_le_bytes(),
        ]
        .concat()
    };
    let log: Vec<u8> = (0..100).flat_map(record).collect();
    assert_eq!(chosen(&log), FormatKind::ORACLE_GENERAL);
}

#[test]
fn world_cup_logs_are_told_by_the_summer_of_1998() {
    let record = |index: u32| {
        let words = [897_000_000 + index / 7, index % 13, index % 29, 512].map(u32::to_be_bytes);
        [words.concat(), vec![0, 0x42, 1, 0x25]].concat()
    };
    let log: Vec<u8> = (0..100).flat_map(record).collect();
    assert_eq!(chosen(&log), FormatKind::WORLDCUP98);
}

#[test]
fn a_w3c_log_that_lacks_a_column_is_refused_with_its_name() {
    let log = "#Version: 1.0\n#Fields: date time c-ip cs-method cs-uri-stem\n2015-05-17 10:05:03 a GET /a\n";
    let error = whole(log.as_bytes(), "a.log").expect_err("no status");
    let expected = "a.log: its #Fields: line lacks sc-status: have the server log that field";
    assert_eq!(error.to_string(), expected);
}

/// A line in each way that collectors put something in front of it.
fn collected(line: &str) -> Vec<String> {
    let quoted = line.replace('"', "\\\"");
    let headers = [
        "<190>May 17 10:05:03 web1 nginx: ",
        "<190>1 2015-05-17T10:05:03Z web1 nginx 77 - [a b=\"]\"] ",
        "2015-05-17T12:05:03+0200 web1 nginx[77]: ",
        "Sun 2015-05-17 12:05:03 CEST web1 nginx[77]: ",
        "[  4711.123456] web1 nginx[77]: ",
        "1431857103.123456 web1 nginx[77]: ",
        "2015-05-17T10:05:03.123456789Z stdout F ",
        "\u{1b}[36mweb-1  | \u{1b}[0m",
        "web-1  | 2015-05-17T10:05:03Z ",
        "[pod/web-7bf8/nginx] ",
        "/var/log/access.log.1:",
    ];
    let headed = headers.iter().map(|header| format!("{header}{line}"));
    let keys = [
        "log",
        "message",
        "MESSAGE",
        "short_message",
        "textPayload",
        "line",
    ];
    let wrapped = keys
        .iter()
        .map(|key| format!(r#"{{"{key}":"{quoted}\n","stream":"stdout"}}"#));
    headed
        .chain(wrapped)
        .chain([format!("\"{line}\"")])
        .collect()
}

#[test]
fn what_collectors_put_in_front_of_lines_is_cut_off_and_named() {
    for line in collected(&format!("{CLF} \"-\" \"curl\"")) {
        let found = whole(&lines(&line, 5), "some.log").unwrap_or_else(|error| panic!("{error}"));
        let prefix = found.prefix.expect("a prefix");
        assert_eq!(found.kind, FormatKind::COMBINED, "{line}");
        assert!(
            found
                .why
                .ends_with(&format!("behind {prefix}, which is cut off")),
            "{}",
            found.why
        );
        let mut parser = prefix.before(found.kind.parser());
        let record = parser
            .parse(line.as_bytes())
            .expect("a request")
            .expect("a request");
        assert_eq!(
            (record.client, record.status, record.bytes),
            (&b"192.0.2.1"[..], 200, Some(5))
        );
        assert!(
            parser.parse(CLF.as_bytes()).is_err(),
            "a line without its prefix"
        );
    }
}

#[test]
fn words_that_no_collector_writes_are_not_cut_off() {
    for words in ["www.example.org 443", "some words", "a b c d"] {
        let log = lines(&format!("{words} {CLF}"), 5);
        assert!(whole(&log, "some.log").is_err(), "{words}");
    }
}

#[test]
fn a_w3c_column_of_forwarded_clients_is_named() {
    let log = "#Fields: date time cs-uri-stem sc-status c-ip X-Forwarded-For\n\
               2015-05-17 10:05:03 /a 200 10.0.0.1 203.0.113.7:4711,+10.0.0.9\n";
    let found = whole(log.as_bytes(), "a.log").expect("a format");
    assert!(found.doubt.expect("a doubt").contains("X-Forwarded-For"));
    let same = log.replace("10.0.0.1 ", "203.0.113.7 ");
    assert_eq!(
        whole(same.as_bytes(), "a.log").expect("a format").doubt,
        None
    );
}

/// The guess at a log of `lines`, in words.
fn guess(log: &str) -> String {
    let error = whole(log.as_bytes(), "some.log").expect_err("no known format");
    let guess = error.guess().map(ToString::to_string);
    guess.unwrap_or_else(|| panic!("no guess: {error}"))
}

fn each(lines: impl Fn(u32) -> String) -> String {
    (1..=12).map(lines).collect()
}

#[test]
fn a_guess_says_what_else_its_lines_may_say() {
    let days = |last: u32| {
        each(|day| {
            let day = day.min(last);
            format!("{day:02}/04/2026 08:00:00 192.0.2.1 GET /a{day} 200 {day}5\n")
        })
    };
    let swapped = "days and months could be the other way round";
    assert!(guess(&days(12)).contains(swapped));
    let later = days(12).replace("12/04", "13/04").replace("11/04", "23/04");
    assert!(!guess(&later).contains(swapped), "{}", guess(&later));
    let rival = "another column of numbers could be the size";
    let two = each(|i| format!("2026-04-02T08:00:{i:02}Z 192.0.2.1 GET /a{i} 200 {i}5 {i}99\n"));
    assert!(guess(&two).contains(rival));
    let named = "time client method path status bytes_in bytes_out\n".to_owned() + &two;
    assert!(!guess(&named).contains(rival));
    assert!(
        guess(&named).contains("/a1, 200, 199 bytes"),
        "{}",
        guess(&named)
    );
}

#[test]
fn a_column_called_bytes_holds_the_sizes_however_they_change() {
    let rows = each(|i| format!("{i}7,GET,/a,200,2026-04-02T08:00:{i:02}Z\n"));
    let log = "bytes,method,path,status,time\n".to_owned() + &rows;
    assert!(guess(&log).contains("/a, 200, 17 bytes"), "{}", guess(&log));
    let unnamed = guess(&rows);
    assert!(unnamed.contains("no size"), "{unnamed}");
}

#[test]
fn a_time_of_twelve_hours_is_not_guessed_without_its_half() {
    let log = |half: &str| {
        each(|i| format!("2026.04.02-08:00:{i:02} {half} 192.0.2.1 GET /a{i} 200 {i}5\n"))
    };
    assert!(whole(log("PM").as_bytes(), "a.log").is_err_and(|error| error.guess().is_none()));
    let known = each(|i| format!("04/02/2026 08:00:{i:02} pm 192.0.2.1 GET /a{i} 200 {i}5\n"));
    assert!(
        guess(&known).contains("2026-04-02T20:00:01Z"),
        "{}",
        guess(&known)
    );
}

#[test]
fn a_file_of_hotsets_own_is_named_with_what_reads_it() {
    let part = b"hotset part\n\x01\0\0\0rest";
    let plan =
        b"{\n  \"version\": 1,\n  \"memory_bytes\": 5,\n  \"held_pages\": 2,\n  \"files\": []\n}\n";
    for (head, words) in [
        (
            &part[..],
            "is a part, and no log: give it to `hotset merge`",
        ),
        (
            plan,
            "is a plan file, and no log: give it to `hotset apply`",
        ),
    ] {
        let error = whole(head, "a.log").unwrap_err().to_string();
        assert_eq!(error, format!("a.log: {words}"));
    }
    let log = each(|i| format!("{{\"version\": 1, \"uri\": \"/a{i}\"}}\n"));
    let error = whole(log.as_bytes(), "a.log").unwrap_err().to_string();
    assert!(error.contains("log format"), "{error}");
}
