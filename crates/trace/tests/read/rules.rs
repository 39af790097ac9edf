//! What counts as access, object and size.

use super::support::{accesses, line, paths, read_text};
use hotset_trace::read::{CountingRule, QueryRule, ReadOptions};
use hotset_trace::{NO_OBJECT, Trace};

fn with_query(query: QueryRule) -> ReadOptions {
    ReadOptions {
        query,
        ..ReadOptions::default()
    }
}

const QUERIES: [&str; 5] = [
    "/style.css?v=1",
    "/style.css?v=2",
    "/page?id=3",
    "/plain",
    "/page",
];

fn read_queries(rule: QueryRule) -> Trace {
    let lines = QUERIES.iter().enumerate();
    let text: String = lines
        .map(|(i, path)| super::support::get(i as u32, path))
        .collect();
    read_text(&text, &with_query(rule)).0
}

#[test]
fn auto_strips_the_query_of_static_types_alone() {
    let trace = read_queries(QueryRule::Auto);
    assert_eq!(
        paths(&trace),
        ["/style.css", "/style.css", "/plain", "/page"]
    );
    assert_eq!(trace.requests.object, [0, 0, NO_OBJECT, 1, 2]);
}

#[test]
fn exclude_strip_and_keep_do_as_they_say() {
    assert_eq!(
        paths(&read_queries(QueryRule::Exclude)),
        ["/plain", "/page"]
    );
    let stripped = ["/style.css", "/style.css", "/page", "/plain", "/page"];
    assert_eq!(paths(&read_queries(QueryRule::Strip)), stripped);
    assert_eq!(paths(&read_queries(QueryRule::Keep)), QUERIES);
}

#[test]
fn only_get_answered_200_or_206_is_an_access() {
    let request = |second, method: &str, status| {
        line("c", second, &format!("{method} /f HTTP/1.1"), status, "5")
    };
    let text = [
        request(1, "HEAD", 200),
        request(2, "GET", 304),
        request(3, "GET", 200),
        request(4, "GET", 206),
        request(5, "GET", 304),
        request(6, "HEAD", 200),
        request(7, "POST", 200),
        request(8, "GET", 404),
        request(9, "GET", 416),
        request(10, "GET", 499),
    ];
    let (trace, summary) = read_text(&text.concat(), &ReadOptions::default());
    let (yes, no) = (0, NO_OBJECT);
    assert_eq!(
        trace.requests.object,
        [no, no, yes, yes, yes, yes, no, no, no, no]
    );
    let access: Vec<usize> = (0..10).filter(|&row| trace.requests.access[row]).collect();
    assert_eq!(access, [2, 3]);
    assert_eq!(summary.not_files.not_read_before, 2);
    assert_eq!(
        (
            summary.not_files.other_method,
            summary.not_files.other_status
        ),
        (1, 3)
    );
}

#[test]
fn size_is_the_largest_full_response_else_the_largest_partial_one_and_at_least_one() {
    let get = |second, path: &str, status, bytes: &str| {
        line("c", second, &format!("GET {path} HTTP/1.1"), status, bytes)
    };
    let text = [
        get(1, "/aborted", 200, "100"),
        get(2, "/aborted", 200, "70"),
        get(3, "/aborted", 206, "900"),
        get(4, "/part", 206, "30"),
        get(5, "/part", 206, "40"),
        get(6, "/empty", 200, "0"),
        get(7, "/unknown", 200, "-"),
        get(8, "/aborted", 404, "5000"),
    ];
    let (trace, _) = read_text(&text.concat(), &ReadOptions::default());
    assert_eq!(trace.objects.size, [100, 40, 1, 1]);
    assert_eq!(trace.requests.bytes, [100, 70, 900, 30, 40, 0, 0, 5000]);
}

#[test]
fn c1_takes_every_request_without_a_query_for_a_file_named_by_path_and_bytes() {
    let request = |second, request: &str, status, bytes: &str| {
        line("c", second, &format!("{request} HTTP/1.1"), status, bytes)
    };
    let text = [
        request(1, "GET /a", 200, "10"),
        request(2, "GET /a", 200, "20"),
        request(3, "GET /a?x=1", 200, "10"),
        request(4, "GET /%61", 304, "10"),
        request(5, "POST /b", 404, "-"),
    ];
    let options = ReadOptions {
        counting: CountingRule::C1,
        ..ReadOptions::default()
    };
    let (trace, summary) = read_text(&text.concat(), &options);
    let expected = [("/a@10", 10), ("/a@20", 20), ("/a@10", 10), ("/b@0", 1)];
    assert_eq!(
        accesses(&trace),
        expected.map(|(path, size)| (path.to_owned(), size))
    );
    assert_eq!(trace.requests.object, [0, 1, 0, 2]);
    assert_eq!(summary.dropped_with_parameters, 1);
    assert_eq!((summary.lines, summary.requests), (5, 4));
}

#[test]
fn spellings_of_one_path_are_one_object() {
    let spellings = [
        "/a%20b.html",
        "/a%20b.html#top",
        "http://www.example.com/a%20b.html",
        "HTTPS://example.com:443/%61%20b.html",
        "/a%20b.html?v=1",
    ];
    let lines = spellings.iter().enumerate();
    let text: String = lines
        .map(|(i, path)| super::support::get(i as u32, path))
        .collect();
    let (trace, _) = read_text(&text, &ReadOptions::default());
    assert_eq!(trace.requests.object, [0; 5]);
    assert_eq!(trace.objects.path.get(0), b"/a b.html");
}

#[test]
fn rules_are_stated_in_words() {
    let (_, summary) = read_text(&super::support::get(1, "/a"), &ReadOptions::default());
    assert!(summary.rules[0].starts_with("access: GET answered 200 or 206"));
    assert_eq!(summary.rules.len(), 3);
}

#[test]
fn a_log_without_sizes_says_so() {
    // The fields that IIS 6 logs by default.
    let fields = "#Fields: date time c-ip cs-username s-ip s-port cs-method cs-uri-stem cs-uri-query sc-status cs(User-Agent)\n";
    let row = "2024-03-05 14:30:15 192.0.2.7 - 198.51.100.9 80 GET /a.jpg - 200 Mozilla/5.0\n";
    let log = fields.to_owned() + &row.repeat(3);
    for counting in [CountingRule::Default, CountingRule::C1] {
        let options = ReadOptions {
            counting,
            ..ReadOptions::default()
        };
        let (trace, summary) = read_text(&log, &options);
        assert_eq!(trace.objects.size, [1]);
        assert_eq!(summary.rules.len(), 3);
        assert!(
            summary.rules[2].starts_with("size: not logged"),
            "{}",
            summary.rules[2]
        );
    }
}

#[test]
fn custom_format_string_is_read() {
    use hotset_trace::formats::custom::Pattern;
    use hotset_trace::read::FormatChoice;
    let pattern =
        Pattern::nginx(r#"$status $body_bytes_sent [$time_local] "$request""#, None).unwrap();
    let options = ReadOptions {
        format: Some(FormatChoice::Custom(pattern)),
        ..ReadOptions::default()
    };
    let line = "200 77 [17/May/2015:10:05:03 +0000] \"GET /x HTTP/1.1\"\n";
    let (trace, summary) = read_text(line, &options);
    assert_eq!(accesses(&trace), [("/x".to_owned(), 77)]);
    assert_eq!(summary.sources[0].format, "custom");
}

#[test]
fn rules_of_a_key_only_trace_speak_of_keys() {
    use hotset_trace::formats::FormatKind;
    use hotset_trace::read::FormatChoice;
    let options = ReadOptions {
        format: Some(FormatChoice::Known(FormatKind::CSV)),
        ..ReadOptions::default()
    };
    let (trace, summary) = read_text("1\n2\n1\n", &options);
    assert_eq!(summary.rules[0], "access: every record");
    assert_eq!(trace.objects.size, [4096, 4096]);
    let (_, of_log) = read_text(&super::support::get(1, "/a"), &ReadOptions::default());
    assert!(of_log.rules[0].starts_with("access: GET"));
}
