//! Logs of the common family differ in the words before the time: which of them is the client and which the
//! virtual host is told from their shape, and where it cannot be, the detection says so.

use hotset_trace::formats::{Detection, FormatKind, detect};
use hotset_trace::read::{FormatChoice, ReadOptions, read};
use std::io::Write;
use std::ops::ControlFlow;

const ANSWER: &str =
    r#"[17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 512 "-" "Mozilla/5.0 (X11)""#;

/// A log of one line for each of the given beginnings.
fn log(beginnings: &[&str]) -> String {
    let line = |words: &&str| format!("{words} {ANSWER}\n");
    beginnings.iter().map(line).collect()
}

fn detected(log: &str) -> Detection {
    let length = Some(log.len() as u64);
    detect(log.as_bytes(), "some.log", length).unwrap_or_else(|error| panic!("{error}:\n{log}"))
}

/// Client and host of every line of a log, in the format that is detected.
fn names(log: &str) -> Vec<(String, String)> {
    let mut parser = detected(log).kind.parser();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    log.lines()
        .map(|line| {
            let record = parser.parse(line.as_bytes()).expect(line).expect(line);
            (text(record.client), text(record.host))
        })
        .collect()
}

fn pairs(names: &[(&str, &str)]) -> Vec<(String, String)> {
    names.iter().map(|&(a, b)| (a.into(), b.into())).collect()
}

#[test]
fn the_first_of_a_list_of_forwarded_addresses_is_the_client() {
    let log = log(&[
        "203.0.113.7, 198.51.100.2 - -",
        "203.0.113.8, 10.0.0.1, 10.0.0.2 - anna",
        "203.0.113.9 - -",
    ]);
    let found = detected(&log);
    assert_eq!((found.kind, found.doubt), (FormatKind::COMBINED, None));
    assert_eq!(
        names(&log),
        pairs(&[
            ("203.0.113.7", ""),
            ("203.0.113.8", ""),
            ("203.0.113.9", "")
        ])
    );
}

#[test]
fn a_line_without_a_forwarded_address_names_its_client_second() {
    let log = log(&[
        "- 203.0.113.7 - -",
        "198.51.100.1, 10.0.0.1 - -",
        "- 203.0.113.8 - -",
    ]);
    assert_eq!(detected(&log).kind, FormatKind::COMBINED);
    assert_eq!(
        names(&log),
        pairs(&[
            ("203.0.113.7", ""),
            ("198.51.100.1", ""),
            ("203.0.113.8", "")
        ])
    );
}

#[test]
fn a_user_of_two_words_is_no_reason_to_take_the_client_for_a_host() {
    let log = log(&[
        "203.0.113.7 - Anna Berg",
        "203.0.113.8 - -",
        "pc1.example - Carl van Dyk",
    ]);
    assert_eq!(detected(&log).kind, FormatKind::COMBINED);
    assert_eq!(names(&log)[0], ("203.0.113.7".into(), String::new()));
}

#[test]
fn of_two_addresses_the_one_of_more_values_is_the_client_and_the_other_reading_is_told() {
    let proxy_first = log(&[
        "10.0.0.5 203.0.113.7 - -",
        "10.0.0.5 203.0.113.8 - -",
        "10.0.0.5 - - -",
    ]);
    let found = detected(&proxy_first);
    assert_eq!(found.kind, FormatKind::PROXY_COMBINED);
    let doubt = found.doubt.expect("two readings");
    assert!(
        doubt.contains("combined") && doubt.contains("vhost-combined"),
        "{doubt}"
    );
    assert_eq!(
        names(&proxy_first),
        pairs(&[("203.0.113.7", ""), ("203.0.113.8", ""), ("10.0.0.5", "")])
    );
    let client_first = log(&["203.0.113.7 10.0.0.5 - -", "203.0.113.8 10.0.0.5 - -"]);
    let found = detected(&client_first);
    assert_eq!(found.kind, FormatKind::COMBINED);
    assert!(
        found
            .doubt
            .expect("two readings")
            .contains("proxy-combined")
    );
    assert_eq!(names(&client_first)[0].0, "203.0.113.7");
}

#[test]
fn a_list_behind_a_proxy_leaves_no_doubt() {
    let log = log(&[
        "10.0.0.5 203.0.113.7, 198.51.100.3 - -",
        "10.0.0.6 203.0.113.8, 198.51.100.3 - -",
    ]);
    let found = detected(&log);
    assert_eq!(
        (found.kind, found.doubt),
        (FormatKind::PROXY_COMBINED, None)
    );
    assert_eq!(names(&log)[0].0, "203.0.113.7");
}

#[test]
fn a_host_in_second_place_is_the_site() {
    let log = log(&[
        "203.0.113.7 www.shop.example -",
        "2001:db8::7 blog.example:8080 anna",
        "203.0.113.8 198.51.100.1 -",
        "203.0.113.9 - -",
        "203.0.113.9 www.shop.example -",
    ]);
    let found = detected(&log);
    assert_eq!((found.kind, found.doubt), (FormatKind::LIGHTTPD, None));
    let hosts: Vec<String> = names(&log).into_iter().map(|(_, host)| host).collect();
    assert_eq!(
        hosts,
        [
            "www.shop.example",
            "blog.example",
            "198.51.100.1",
            "",
            "www.shop.example"
        ]
    );
}

#[test]
fn a_host_in_first_place_needs_a_client_behind_it() {
    let log = log(&[
        "www.shop.example:443 203.0.113.7 - -",
        "www.shop.example 203.0.113.7 - Anna Berg",
        "198.51.100.1 203.0.113.8 - -",
        "- 203.0.113.8 - -",
    ]);
    let found = detected(&log);
    assert_eq!(
        (found.kind, found.doubt),
        (FormatKind::VHOST_COMBINED, None)
    );
    assert_eq!(
        names(&log),
        pairs(&[
            ("203.0.113.7", "www.shop.example"),
            ("203.0.113.7", "www.shop.example"),
            ("203.0.113.8", "198.51.100.1"),
            ("203.0.113.8", ""),
        ])
    );
}

#[test]
fn a_machines_name_in_first_place_may_be_no_virtual_host() {
    let log = log(&["web01 203.0.113.7 - -", "web02 203.0.113.8 - -"]);
    let found = detected(&log);
    assert_eq!(found.kind, FormatKind::VHOST_COMBINED);
    assert!(found.doubt.expect("two readings").contains("machine"));
}

#[test]
fn logs_that_begin_with_anything_else_are_not_of_the_family() {
    for words in [
        "2015-05-17 10:05:03 203.0.113.7 - -",
        "web1 nginx: 203.0.113.7 - -",
        "203.0.113.7:51234 - -",
        "client=203.0.113.7 - -",
        "[info] 203.0.113.7 - -",
    ] {
        let log = log(&[words; 30]);
        let found = detect(log.as_bytes(), "some.log", Some(log.len() as u64));
        assert!(found.is_err(), "{words}: {found:?}");
    }
}

#[test]
fn a_collectors_header_is_no_part_of_the_words() {
    for words in [
        "2015-05-17T10:05:03Z 203.0.113.7 - -",
        "May 17 10:05:03 web1 nginx: 203.0.113.7 - -",
    ] {
        let log = log(&[words; 30]);
        let found = detected(&log);
        let prefix = found.prefix.expect(words);
        let mut parser = prefix.before(found.kind.parser());
        let line = log.lines().next().expect("a line");
        let record = parser.parse(line.as_bytes()).expect(line).expect(line);
        assert_eq!(
            (record.client, record.host),
            (&b"203.0.113.7"[..], &b""[..])
        );
    }
}

#[test]
fn what_stands_between_time_and_request_is_not_passed_over() {
    let line =
        r#"203.0.113.7 - - [17/May/2015:10:05:03 +0000] shop.example "GET /a HTTP/1.1" 200 5"#;
    let log = format!("{line}\n").repeat(30);
    assert!(detect(log.as_bytes(), "some.log", None).is_err());
}

#[test]
fn a_duration_in_the_place_of_the_size_is_no_size() {
    let line = r#"203.0.113.7 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 0.005 512"#;
    let log = format!("{line}\n").repeat(30);
    assert!(detect(log.as_bytes(), "some.log", None).is_err());
}

#[test]
fn two_numbers_behind_the_status_leave_a_doubt() {
    let line = r#"203.0.113.7 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 512 731"#;
    let found = detected(&format!("{line}\n").repeat(30));
    assert_eq!(found.kind, FormatKind::COMMON);
    assert!(
        found
            .doubt
            .expect("two readings")
            .contains("two whole numbers")
    );
}

/// The sites and the doubts that reading `log` gives.
fn sites_and_doubt(log: &str, format: Option<FormatChoice>) -> (Vec<String>, Option<String>) {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(log.as_bytes()).expect("room for the log");
    let options = ReadOptions {
        format,
        ..ReadOptions::default()
    };
    let inputs = [file.path().to_path_buf()];
    let (trace, summary) =
        read(&inputs, &options, &mut |_| ControlFlow::Continue(())).expect("a log");
    (trace.sites, summary.sources[0].doubt.clone())
}

#[test]
fn hosts_of_absolute_urls_are_sites_where_most_requests_have_one() {
    let line = |url: &str| {
        format!("203.0.113.7 - - [17/May/2015:10:05:03 +0000] \"GET {url} HTTP/1.1\" 200 5\n")
    };
    let varnish = [
        line("http://a.example/x"),
        line("http://b.example:8080/x"),
        line("http://a.example"),
    ]
    .concat();
    let (mut sites, doubt) = sites_and_doubt(&varnish, None);
    sites.sort();
    assert_eq!(
        (sites, doubt),
        (vec!["a.example".to_string(), "b.example".to_string()], None)
    );
    let pattern =
        hotset_trace::formats::custom::Pattern::compile(r#"%h %l %u %t "%r" %>s %b"#, None);
    let pattern = FormatChoice::Custom(pattern.expect("a pattern"));
    let (sites, _) = sites_and_doubt(&varnish, Some(pattern));
    assert_eq!(sites.len(), 2);
    let probed = [line("/x"), line("/y"), line("http://proxy-judge.example/")].concat();
    let (sites, _) = sites_and_doubt(&probed, None);
    assert_eq!(sites, ["all"]);
}

#[test]
fn a_named_format_that_loses_what_another_would_find_is_doubted() {
    let vhost = log(&["www.shop.example 203.0.113.7 - -"; 5]);
    let named = |kind| Some(FormatChoice::Known(kind));
    let (_, doubt) = sites_and_doubt(&vhost, named(FormatKind::COMBINED));
    assert!(doubt.expect("another reading").contains("vhost-combined"));
    let (sites, doubt) = sites_and_doubt(&vhost, named(FormatKind::VHOST_COMBINED));
    assert_eq!((sites, doubt), (vec!["www.shop.example".to_string()], None));
    let combined = log(&["203.0.113.7 - -"; 5]);
    assert_eq!(
        sites_and_doubt(&combined, named(FormatKind::COMMON)).1,
        None
    );
    assert_eq!(sites_and_doubt(&combined, named(FormatKind::NGINX)).1, None);
}

/// A log of requests by three clients, with `answer` behind each request; `{client}` and `{host}` stand for others.
fn answered(answer: &str) -> Result<Detection, String> {
    let line = |at: usize| {
        let answer = answer.replace("{client}", &format!("203.0.113.{at}"));
        let answer = answer.replace("{host}", ["a.example", "b.example"][at % 2]);
        let proxy = 1 + at % 2;
        format!("10.0.0.{proxy} - - [17/May/2015:10:05:03 +0000] \"GET /a HTTP/1.1\" {answer}\n")
    };
    let log: String = (0..10).map(line).collect();
    detect(log.as_bytes(), "some.log", Some(log.len() as u64)).map_err(|error| error.to_string())
}

#[test]
fn clients_and_hosts_behind_the_size_are_doubted() {
    let doubt = |answer: &str| {
        answered(answer)
            .expect("a format")
            .doubt
            .unwrap_or_default()
    };
    for answer in [
        r#"200 512 "-" "curl" "{client}""#,
        r#"200 512 "-" "curl" "{client}, 10.0.0.9""#,
        r#"200 512 "-" "curl" X-Forwarded-For="{client}""#,
    ] {
        assert!(doubt(answer).contains("more addresses"), "{answer}");
    }
    assert!(doubt(r#"200 512 "-" "curl" "{host}" 0.001"#).contains("domains"));
    assert_eq!(
        doubt(r#"200 512 "-" "curl" "-" [shop-80] 10.42.0.1:8080"#),
        ""
    );
}

#[test]
fn numbers_in_place_of_status_and_size_are_not_read_as_such() {
    for answer in ["731 200 512", "200 304 512", "412 200 512 \"-\""] {
        answered(answer).expect_err(answer);
    }
    answered("200 512 12").expect("a duration may follow the size");
}

#[test]
fn words_that_hide_the_client_or_the_host_are_not_passed_over() {
    for words in [
        "www.example.org 443 203.0.113.7 - -",
        "10.0.0.1 (203.0.113.7, 10.0.0.9) - -",
        "10.0.0.1 (203.0.113.7) - -",
    ] {
        let log = log(&[words; 5]);
        detect(log.as_bytes(), "some.log", None).expect_err(words);
    }
    let before_request = ANSWER.replace("\"GET", "\"shop.example\" \"GET");
    let log = format!("203.0.113.7 - - {before_request}\n").repeat(5);
    detect(log.as_bytes(), "some.log", None).expect_err("a field before the request");
}
