//! Each format on hand-written lines, ordinary and hostile.

use hotset_trace::formats::{Format, FormatKind, Framing, Record, Reject, RequestTarget};
use hotset_trace::{Method, Protocol};

/// 2015-05-17T10:05:03Z
pub const TIME_US: i64 = 1_431_857_103_000_000;

fn record(kind: FormatKind, line: &[u8], check: impl FnOnce(Record<'_>)) {
    let mut format = kind.parser();
    match format.parse(line) {
        Ok(Some(record)) => check(record),
        other => panic!("{}: {other:?}", String::from_utf8_lossy(line)),
    }
}

pub fn reject(kind: FormatKind, line: &[u8]) -> Reject {
    kind.parser()
        .parse(line)
        .expect_err(&String::from_utf8_lossy(line))
}

pub fn url<'a>(record: &Record<'a>) -> &'a str {
    match record.target {
        RequestTarget::Url(url) => std::str::from_utf8(url).expect("text"),
        RequestTarget::Key(key) => panic!("key {key}"),
    }
}

/// Method, target and protocol of a quoted request in an otherwise plain common log line.
fn request(request: &[u8], check: impl FnOnce(Record<'_>)) {
    let line = [
        b"a - - [17/May/2015:10:05:03 +0000] \"",
        request,
        b"\" 200 5",
    ]
    .concat();
    record(FormatKind::COMMON, &line, check);
}

#[test]
fn a_common_line_is_read_field_by_field() {
    let line =
        b"192.0.2.1 - frank [17/May/2015:12:05:03 +0200] \"GET /a/b?c=d HTTP/1.1\" 206 512\r\n";
    record(FormatKind::COMMON, line, |record| {
        assert_eq!(
            record,
            Record {
                time_us: Some(TIME_US),
                client: b"192.0.2.1",
                host: b"",
                method: Method::Get,
                target: RequestTarget::Url(b"/a/b?c=d"),
                protocol: Protocol::Http11,
                status: 206,
                bytes: Some(512),
                size: None,
                took_us: None,
            }
        );
    });
}

#[test]
fn blank_lines_carry_no_request() {
    for kind in FormatKind::ALL {
        let mut format = kind.parser();
        if format.framing() == Framing::Lines {
            assert_eq!(format.parse(b"\r\n"), Ok(None), "{kind}");
            assert_eq!(format.parse(b""), Ok(None), "{kind}");
        }
    }
}

#[test]
fn a_combined_line_survives_a_lost_last_quote_and_further_fields() {
    let line = b"a - - [17/May/2015:10:05:03 +0000] \"GET /x HTTP/1.0\" 200 1 \"-\" \"Mozilla";
    record(FormatKind::COMBINED, line, |record| {
        assert_eq!((url(&record), record.bytes), ("/x", Some(1)))
    });
    let line = b"a - - [17/May/2015:10:05:03 +0000] \"GET /x HTTP/1.0\" 200 1 \"-\" \"M\" \"10.0.0.1\" 200 7";
    record(FormatKind::COMBINED, line, |record| {
        assert_eq!((url(&record), record.bytes), ("/x", Some(1)))
    });
}

#[test]
fn an_agent_that_imitates_the_end_of_a_request_is_not_taken_for_it() {
    let line =
        b"a - - [17/May/2015:10:05:03 +0000] \"GET /x HTTP/1.0\" 404 1 \"-\" \"evil\" 200 99\"";
    record(FormatKind::COMBINED, line, |record| {
        assert_eq!((url(&record), record.status), ("/x", 404))
    });
}

#[test]
fn users_may_hold_spaces_and_quotes() {
    let line = b"a - \"bob [x\" [17/May/2015:10:05:03 +0000] \"GET /x HTTP/1.0\" 200 1";
    assert_eq!(reject(FormatKind::COMMON, line), Reject::BadTime);
    let line = b"a - \"bob smith\" [17/May/2015:10:05:03 +0000] \"GET /x HTTP/1.0\" 200 1";
    record(FormatKind::COMMON, line, |record| {
        assert_eq!(url(&record), "/x")
    });
}

#[test]
fn requests_without_protocol_are_http_0_9() {
    request(b"GET /old", |record| {
        assert_eq!((url(&record), record.protocol), ("/old", Protocol::Http10))
    });
}

#[test]
fn requests_that_name_no_file_are_never_a_get() {
    for (text, target) in [
        ("-", ""),
        ("", ""),
        ("GET", "GET"),
        ("GET  HTTP/1.0", "GET"),
        ("\\x16\\x03", "\x16\x03"),
    ] {
        request(text.as_bytes(), |record| {
            assert_eq!(
                (record.method, url(&record)),
                (Method::Other, target),
                "{text}"
            );
        });
    }
}

#[test]
fn quotes_and_spaces_inside_a_request_belong_to_it() {
    request(b"GET /a\"b HTTP/1.0", |record| {
        assert_eq!(url(&record), "/a\"b")
    });
    request(b"GET /gif/x.gifalt=\" HTTP/1.0", |record| {
        assert_eq!(url(&record), "/gif/x.gifalt=\"")
    });
    request(b"GET /a\" 200 5 b HTTP/1.0", |record| {
        assert_eq!(url(&record), "/a\" 200 5 b")
    });
    request(b"GET  /a  b   c  HTTP/1.0", |record| {
        assert_eq!(url(&record), "/a b c")
    });
}

#[test]
fn escapes_of_the_log_are_undone_and_raw_bytes_kept() {
    request(br#"GET /a\"b\\c\x41\x7f HTTP/1.1"#, |record| {
        assert_eq!(url(&record), "/a\"b\\cA\x7f")
    });
    request(br"GET /w\innt\x4 HTTP/1.1", |record| {
        assert_eq!(url(&record), r"/w\innt\x4")
    });
    request(b"GET /\x01\xff\x00 HTTP/1.1", |record| {
        assert_eq!(record.target, RequestTarget::Url(b"/\x01\xff\x00"))
    });
}

#[test]
fn sizes_may_be_missing_whatever_the_status() {
    for status in [200, 206, 304, 416, 499] {
        let line = format!(
            "a - - [17/May/2015:10:05:03 +0000] \"GET /x HTTP/1.1\" {status} - \"-\" \"-\""
        );
        record(FormatKind::COMBINED, line.as_bytes(), |record| {
            assert_eq!((record.status, record.bytes), (status, None));
        });
    }
}

#[test]
fn protocols_are_told_apart() {
    for (word, protocol) in [
        ("HTTP/1.0", Protocol::Http10),
        ("HTTP/2.0", Protocol::Http2),
        ("HTTP/3", Protocol::Http2),
        ("HTTP/9.9", Protocol::Unknown),
    ] {
        request(format!("HEAD /x {word}").as_bytes(), |record| {
            assert_eq!(
                (record.method, record.protocol),
                (Method::Head, protocol),
                "{word}"
            );
        });
    }
}

#[test]
fn broken_common_lines_say_what_is_broken() {
    let rejects = |rest: &str| reject(FormatKind::COMMON, format!("a - - {rest}").as_bytes());
    assert_eq!(reject(FormatKind::COMMON, b"orphan"), Reject::NoRequestLine);
    assert_eq!(rejects("GET / 200 5"), Reject::BadTime);
    assert_eq!(
        rejects("[17/Foo/2015:10:05:03 +0000] \"GET / HTTP/1.0\" 200 5"),
        Reject::BadTime
    );
    assert_eq!(
        rejects("[17/May/2015:10:61:03 +0000] \"GET / HTTP/1.0\" 200 5"),
        Reject::BadTime
    );
    assert_eq!(
        rejects("[17/May/2015:10:05:03 +0000] GET / 200 5"),
        Reject::NoRequestLine
    );
    assert_eq!(
        rejects("[17/May/2015:10:05:03 +0000] \"GET / HTTP/1.0 200 5"),
        Reject::MissingQuote
    );
    assert_eq!(
        rejects("[17/May/2015:10:05:03 +0000] \"GET / HTTP/1.0\" x00 5"),
        Reject::BadStatus
    );
    assert_eq!(
        rejects("[17/May/2015:10:05:03 +0000] \"GET / HTTP/1.0\" 200 x"),
        Reject::BadSize
    );
    let huge = "[17/May/2015:10:05:03 +0000] \"GET / HTTP/1.0\" 200 99999999999999999999999";
    assert_eq!(rejects(huge), Reject::BadSize);
}

#[test]
fn a_reject_does_not_disturb_the_line_after_it() {
    let mut format = FormatKind::COMBINED.parser();
    let good = b"a - - [17/May/2015:10:05:03 +0000] \"GET /x HTTP/1.0\" 200 1";
    assert!(format.parse(good).is_ok());
    assert!(
        format
            .parse(b"a - - [17/May/2015:10:99:03 +0000] \"GET /x HTTP/1.0\" 200 1")
            .is_err()
    );
    let time = format
        .parse(good)
        .expect("a request")
        .and_then(|record| record.time_us);
    assert_eq!(time, Some(TIME_US));
}

#[test]
fn zones_and_hours_change_the_time_even_when_minutes_repeat() {
    let mut format = FormatKind::COMMON.parser();
    let mut time = |text: &str| {
        let line = format!("a - - [{text}] \"GET /x HTTP/1.0\" 200 1");
        format
            .parse(line.as_bytes())
            .expect("a request")
            .and_then(|record| record.time_us)
    };
    assert_eq!(time("17/May/2015:10:05:03 +0000"), Some(TIME_US));
    assert_eq!(
        time("17/May/2015:10:05:03 -0130"),
        Some(TIME_US + 5_400_000_000)
    );
    assert_eq!(
        time("17/May/2015:11:05:03 -0130"),
        Some(TIME_US + 9_000_000_000)
    );
    assert_eq!(time("17/May/2015:10:05:03"), Some(TIME_US));
}

#[test]
fn days_without_a_month_roll_over_into_the_next() {
    let mut format = FormatKind::COMMON.parser();
    let mut day = |text: &str| {
        let line = format!("a [{text}] \"GET /x HTTP/1.0\" 200 1");
        let time_us = format
            .parse(line.as_bytes())
            .expect("a request")
            .and_then(|record| record.time_us);
        time_us.expect("a time") / 86_400_000_000
    };
    assert_eq!(day("29:23:59:59"), 28);
    assert_eq!(day("30:00:00:00"), 29);
    assert_eq!(day("29:23:59:58"), 28, "a late line");
    assert_eq!(day("30:00:00:01"), 29);
    assert_eq!(day("01:00:00:00"), 30, "the month had 30 days");
    assert_eq!(day("30:23:59:59"), 29, "a late line of the month before");
    assert_eq!(day("02:00:00:00"), 31);
}

#[test]
fn a_virtual_host_comes_before_the_client() {
    let line = b"www.example.org:443 192.0.2.1 - - [17/May/2015:10:05:03 +0000] \"GET /x HTTP/1.1\" 200 1 \"-\" \"-\"";
    record(FormatKind::VHOST_COMBINED, line, |record| {
        assert_eq!(
            (record.host, record.client),
            (&b"www.example.org"[..], &b"192.0.2.1"[..])
        );
    });
    let line =
        b"www.example.org 192.0.2.1 - - [17/May/2015:10:05:03 +0000] \"GET /x HTTP/1.1\" 200 1";
    record(FormatKind::VHOST_COMBINED, line, |record| {
        assert_eq!(record.host, b"www.example.org")
    });
    let line = b"2001:db8::1 - - [17/May/2015:10:05:03 +0000] \"GET /x HTTP/1.1\" 200 1";
    assert_eq!(
        reject(FormatKind::VHOST_COMBINED, line),
        Reject::NoVirtualHost
    );
}

#[test]
fn squid_arrival_is_completion_less_the_time_it_took() {
    let line = b"1431857103.250    250 192.0.2.1 TCP_CF_REFRESH_MODIFIED_ABORTED/206 512 GET http://user@www.example.org:8080/a?b - HIER_DIRECT/10.0.0.1 text/html";
    record(FormatKind::SQUID, line, |record| {
        assert_eq!(
            (record.time_us, record.status, record.bytes),
            (Some(TIME_US), 206, Some(512))
        );
        assert_eq!(
            (record.host, url(&record)),
            (&b"www.example.org"[..], "/a?b")
        );
    });
}

#[test]
fn times_past_the_year_9999_are_no_times() {
    for (kind, line) in [
        (
            FormatKind::SQUID,
            "9223372036854.0 0 a TCP_HIT/200 7 GET / - NONE/- -",
        ),
        (
            FormatKind::SQUID,
            "1.0 9223372036854775 a TCP_HIT/200 7 GET / - NONE/- -",
        ),
        (FormatKind::CSV, "9223372036854,1,1"),
        (
            FormatKind::CADDY,
            r#"{"ts":1e30,"request":{"method":"GET","uri":"/"},"status":200}"#,
        ),
        (
            FormatKind::CADDY,
            r#"{"ts":1,"duration":1e30,"request":{"method":"GET","uri":"/"},"status":200}"#,
        ),
    ] {
        assert_eq!(reject(kind, line.as_bytes()), Reject::BadTime, "{line}");
    }
}

#[test]
fn squid_oddities_are_survived() {
    let line = b"1431857103.000 -1 - NONE/000 0 CONNECT www.example.org:443 - HIER_NONE/- -";
    record(FormatKind::SQUID, line, |record| {
        assert_eq!(
            (record.time_us, record.status, record.method),
            (Some(TIME_US), 0, Method::Other)
        );
        assert_eq!(
            (record.client, url(&record)),
            (&b""[..], "www.example.org:443")
        );
    });
    record(
        FormatKind::SQUID,
        b"1431857103.000 0 a TCP_HIT/200 7 GET http://h - NONE/- -",
        |record| assert_eq!(url(&record), "/"),
    );
    assert_eq!(
        reject(
            FormatKind::SQUID,
            b"1431857103.000 0 a TCP_HIT 7 GET / - NONE/- -"
        ),
        Reject::BadStatus
    );
    assert_eq!(
        reject(FormatKind::SQUID, b"x 0 a TCP_HIT/200 7 GET / - NONE/- -"),
        Reject::BadTime
    );
    assert_eq!(
        reject(FormatKind::SQUID, b"1431857103.000 0 a TCP_HIT/200"),
        Reject::TooFewFields
    );
}

fn caddy(ts: &str, check: impl FnOnce(Record<'_>)) {
    let line = format!(
        r#"{{"level":"info","ts":{ts},"logger":"http.log.access","msg":"handled request","request":{{"remote_ip":"10.0.0.1","client_ip":"192.0.2.1","proto":"HTTP/2.0","method":"GET","host":"www.example.org:8443","uri":"/a\u0020b?c=\"d\"","headers":{{"Accept":["*/*"]}}}},"bytes_read":0,"duration":0.25,"size":512,"status":200}}"#
    );
    record(FormatKind::CADDY, line.as_bytes(), check);
}

#[test]
fn caddy_times_are_read_in_every_encoding() {
    for ts in [
        "1431857103.25",
        "1431857103250.0",
        "1431857103250000000",
        "\"2015-05-17T10:05:03.250Z\"",
        "\"2015-05-17T12:05:03.250+0200\"",
        "\"2015/05/17 10:05:03.250\"",
    ] {
        caddy(ts, |record| {
            assert_eq!(record.time_us, Some(TIME_US), "{ts}")
        });
    }
}

#[test]
fn a_caddy_entry_is_read_field_by_field() {
    caddy("1431857103.25", |record| {
        assert_eq!(
            (record.client, record.host),
            (&b"192.0.2.1"[..], &b"www.example.org"[..])
        );
        assert_eq!(
            (url(&record), record.protocol),
            ("/a b?c=\"d\"", Protocol::Http2)
        );
        assert_eq!((record.status, record.bytes), (200, Some(512)));
    });
}

#[test]
fn json_that_is_no_request_is_told_from_text_that_is_no_json() {
    for kind in [FormatKind::CADDY, FormatKind::TRAEFIK] {
        assert_eq!(
            reject(kind, br#"{"level":"info","ts":1,"msg":"serving"}"#),
            Reject::NotARequest
        );
        assert_eq!(reject(kind, br#"{"level":"info","ts""#), Reject::NotJson);
        assert_eq!(reject(kind, b"plain text"), Reject::NotJson);
    }
}

#[test]
fn a_traefik_entry_is_read_field_by_field() {
    let line = br#"{"ClientAddr":"192.0.2.1:5000","ClientHost":"192.0.2.1","DownstreamContentSize":512,"DownstreamStatus":304,"Duration":1000,"RequestHost":"www.example.org","RequestMethod":"HEAD","RequestPath":"/a?b","RequestProtocol":"HTTP/1.1","StartUTC":"2015-05-17T10:05:03.000000001Z","time":"2015-05-17T10:05:04Z"}"#;
    record(FormatKind::TRAEFIK, line, |record| {
        assert_eq!(
            record,
            Record {
                time_us: Some(TIME_US),
                client: b"192.0.2.1",
                host: b"www.example.org",
                method: Method::Head,
                target: RequestTarget::Url(b"/a?b"),
                protocol: Protocol::Http11,
                status: 304,
                bytes: Some(512),
                size: None,
                took_us: Some(1),
            }
        );
    });
}

fn world_cup(size: u32, method: u8, status: u8) -> Vec<u8> {
    let words = [894_000_000u32, 7, 4711, size].map(u32::to_be_bytes);
    [words.concat(), vec![method, status, 1, 0x25]].concat()
}

#[test]
fn world_cup_codes_are_those_of_its_format() {
    record(
        FormatKind::WORLDCUP98,
        &world_cup(512, 0, 0b0100_0010),
        |record| {
            assert_eq!(
                (record.client, record.target),
                (&b"7"[..], RequestTarget::Key(4711))
            );
            assert_eq!(
                (record.status, record.protocol, record.bytes),
                (200, Protocol::Http10, Some(512))
            );
            assert_eq!(record.time_us, Some(894_000_000_000_000));
        },
    );
    for (code, status) in [
        (0, 100),
        (8, 206),
        (9, 300),
        (13, 304),
        (15, 400),
        (19, 404),
        (30, 415),
        (31, 500),
        (36, 505),
        (37, 0),
    ] {
        record(
            FormatKind::WORLDCUP98,
            &world_cup(u32::MAX, 1, code),
            |record| {
                assert_eq!(
                    (record.status, record.bytes, record.method),
                    (status, None, Method::Head),
                    "{code}"
                );
            },
        );
    }
    assert_eq!(
        reject(FormatKind::WORLDCUP98, &world_cup(1, 0, 38)),
        Reject::BadStatus
    );
    assert_eq!(
        reject(FormatKind::WORLDCUP98, &world_cup(1, 9, 2)),
        Reject::BadMethod
    );
    assert_eq!(reject(FormatKind::WORLDCUP98, &[0; 19]), Reject::Truncated);
}

#[test]
fn binary_keys_have_their_width_and_byte_order() {
    for (kind, bytes) in [
        (FormatKind::KEYS_U32LE, &[2, 1, 0, 0][..]),
        (FormatKind::KEYS_U32BE, &[0, 0, 1, 2]),
        (FormatKind::KEYS_U64LE, &[2, 1, 0, 0, 0, 0, 0, 0]),
        (FormatKind::KEYS_U64BE, &[0, 0, 0, 0, 0, 0, 1, 2]),
    ] {
        assert_eq!(kind.parser().framing(), Framing::Fixed(bytes.len()));
        record(kind, bytes, |record| {
            assert_eq!(
                (record.target, record.time_us, record.size),
                (RequestTarget::Key(0x102), None, None)
            );
        });
        assert_eq!(reject(kind, &bytes[1..]), Reject::Truncated);
    }
}

#[test]
fn oracle_general_records_carry_time_key_and_size() {
    let bytes = [
        &7u32.to_le_bytes()[..],
        &4711u64.to_le_bytes(),
        &512u32.to_le_bytes(),
        &(-1i64).to_le_bytes(),
    ]
    .concat();
    record(FormatKind::ORACLE_GENERAL, &bytes, |record| {
        assert_eq!(
            (record.time_us, record.target, record.size),
            (Some(7_000_000), RequestTarget::Key(4711), Some(512))
        );
    });
    assert_eq!(
        reject(FormatKind::ORACLE_GENERAL, &bytes[..23]),
        Reject::Truncated
    );
}

fn csv(lines: &[&str], check: impl FnOnce(Record<'_>)) {
    let mut format = FormatKind::CSV.parser();
    let (last, before) = lines.split_last().expect("lines");
    for line in before {
        assert_eq!(format.parse(line.as_bytes()), Ok(None), "{line}");
    }
    check(
        format
            .parse(last.as_bytes())
            .expect("a row")
            .expect("a request"),
    );
}

#[test]
fn csv_columns_come_from_the_header_or_from_their_number() {
    csv(&["42"], |record| {
        assert_eq!((record.target, record.size), (RequestTarget::Key(42), None))
    });
    csv(&["42,512"], |record| {
        assert_eq!(
            (record.target, record.size),
            (RequestTarget::Key(42), Some(512))
        )
    });
    csv(&["1.5, 42, 512\r\n"], |record| {
        assert_eq!(
            (record.time_us, record.target, record.size),
            (Some(1_500_000), RequestTarget::Key(42), Some(512))
        );
    });
    csv(&["size,time_ms,\"Key\"", "512,3,\"/a.gif\""], |record| {
        assert_eq!(
            (record.time_us, record.target),
            (Some(3_000), RequestTarget::Url(b"/a.gif"))
        );
    });
    assert_eq!(reject(FormatKind::CSV, b"1,2,x"), Reject::BadSize);
    assert_eq!(reject(FormatKind::CSV, b"x,2,3"), Reject::BadTime);
    assert_eq!(reject(FormatKind::CSV, b",5"), Reject::BadKey);
}

#[test]
fn names_are_read_back_and_unknown_ones_list_the_known() {
    for kind in FormatKind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(*kind));
        assert_eq!(kind.to_string(), kind.name());
    }
    let error = "combned"
        .parse::<FormatKind>()
        .expect_err("no such format")
        .to_string();
    assert!(
        error.contains("'combned'") && error.contains("combined"),
        "{error}"
    );
}

#[test]
fn every_format_is_an_object_that_threads_can_take() {
    fn takes(_: Box<dyn Format + Send>) {}
    takes(FormatKind::COMBINED.parser());
}
