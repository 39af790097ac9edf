//! Formats given as nginx `log_format` or Apache `LogFormat` strings.

use hotset_trace::formats::custom::{Pattern, PatternError};
use hotset_trace::formats::{Format, FormatKind, Record, Reject, RequestTarget};
use hotset_trace::{Method, Protocol};

/// 2015-05-17T10:05:03Z
const TIME_US: i64 = 1_431_857_103_000_000;

fn compile(format: &str) -> Pattern {
    Pattern::compile(format, None).unwrap_or_else(|error| panic!("{format}: {error}"))
}

fn parse(mut pattern: Pattern, line: &[u8], check: impl FnOnce(Record<'_>)) {
    match pattern.parse(line) {
        Ok(Some(record)) => check(record),
        other => panic!("{}: {other:?}", String::from_utf8_lossy(line)),
    }
}

const APACHE_COMBINED: &str = r#"%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\""#;
const NGINX_COMBINED: &str = r#"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent""#;

#[test]
fn the_combined_format_as_a_string_reads_what_the_built_in_one_reads() {
    let lines: [&[u8]; 6] = [
        b"192.0.2.1 - - [17/May/2015:10:05:03 +0000] \"GET /a HTTP/1.1\" 200 5 \"-\" \"M\"\r\n",
        b"192.0.2.1 - - [17/May/2015:10:05:04 +0000] \"GET /a\"b HTTP/1.1\" 200 - \"-\" \"M",
        b"192.0.2.1 - - [17/May/2015:10:05:05 +0000] \"-\" 408 - \"-\" \"-\"",
        b"192.0.2.1 - - [17/May/2015:10:05:05 +0000] \"GET /\\x41  b HTTP/1.1\" 206 7 \"-\" \"-\" \"extra\"",
        b"192.0.2.1 - bob smith [17/May/2015:10:05:05 +0200] \"HEAD /old\" 304 0 \"-\" \"-\"",
        b"",
    ];
    for format in [APACHE_COMBINED, NGINX_COMBINED] {
        let (mut custom, mut combined) = (compile(format), FormatKind::COMBINED.parser());
        for line in lines {
            assert_eq!(
                custom.parse(line),
                combined.parse(line),
                "{}",
                String::from_utf8_lossy(line)
            );
        }
    }
}

#[test]
fn a_format_with_a_host_the_whole_url_and_iso_time_is_read() {
    let format = "$time_iso8601|$scheme://$host$request_uri|$request_method|$server_protocol|$status|$bytes_sent|$http_x_forwarded_for|$remote_addr";
    let line = b"2015-05-17T12:05:03+02:00|https://www.example.org/a?b|GET|HTTP/2.0|200|512|192.0.2.1, 10.0.0.2|10.0.0.1";
    parse(compile(format), line, |record| {
        assert_eq!(
            record,
            Record {
                time_us: Some(TIME_US),
                client: b"192.0.2.1",
                host: b"www.example.org",
                method: Method::Get,
                target: RequestTarget::Url(b"/a?b"),
                protocol: Protocol::Http2,
                status: 200,
                bytes: Some(512),
                size: None,
                took_us: None,
            }
        );
    });
}

#[test]
fn a_proxy_that_names_no_client_leaves_the_connections() {
    let format = "$remote_addr $http_x_forwarded_for $uri$is_args$args ${status}";
    parse(compile(format), b"10.0.0.1 - /a?b 200", |record| {
        assert_eq!(
            (record.client, record.target),
            (&b"10.0.0.1"[..], RequestTarget::Url(b"/a?b"))
        );
        assert_eq!((record.method, record.time_us), (Method::Get, None));
    });
}

#[test]
fn a_peers_address_is_the_clients_only_where_no_other_is_logged() {
    for (format, line, client) in [
        (
            "$remote_addr $realip_remote_addr $uri $status",
            "192.0.2.1 10.0.0.1 /x 200",
            "192.0.2.1",
        ),
        (
            "$realip_remote_addr $remote_addr $uri $status",
            "10.0.0.1 192.0.2.1 /x 200",
            "192.0.2.1",
        ),
        (
            "$realip_remote_addr $uri $status",
            "10.0.0.1 /x 200",
            "10.0.0.1",
        ),
        ("%a %{c}a %U %s", "192.0.2.1 10.0.0.1 /x 200", "192.0.2.1"),
        ("%{c}a %h %U %s", "10.0.0.1 192.0.2.1 /x 200", "192.0.2.1"),
        ("%{c}a %U %s", "10.0.0.1 /x 200", "10.0.0.1"),
    ] {
        parse(compile(format), line.as_bytes(), |record| {
            assert_eq!(record.client, client.as_bytes(), "{format}");
        });
    }
}

#[test]
fn apache_directives_apart_from_each_other_are_joined_to_a_request() {
    let format = r"%V\t%{X-Forwarded-For}i\t%{%Y-%m-%d %H:%M:%S}t\t%m\t%U%q\t%H\t%>s\t%B\t%D";
    let line = b"www.example.org\t-\t2015-05-17 10:05:03\tPOST\t/a\\x41?c=d\tHTTP/1.0\t404\t0\t99";
    parse(compile(format), line, |record| {
        assert_eq!(
            (record.host, record.time_us),
            (&b"www.example.org"[..], Some(TIME_US))
        );
        assert_eq!(
            (record.method, record.target),
            (Method::Post, RequestTarget::Url(b"/aA?c=d"))
        );
        assert_eq!(
            (record.protocol, record.status, record.bytes),
            (Protocol::Http10, 404, Some(0))
        );
    });
}

#[test]
fn apache_times_since_the_epoch_are_read_in_their_unit() {
    for (unit, text) in [
        ("sec", "1431857103"),
        ("begin:msec", "1431857103000"),
        ("usec", "1431857103000000"),
    ] {
        let line = format!("{text} /x 200");
        parse(
            compile(&format!("%{{{unit}}}t %U %>s")),
            line.as_bytes(),
            |record| {
                assert_eq!(record.time_us, Some(TIME_US), "{unit}");
            },
        );
    }
}

#[test]
fn a_time_format_of_its_own_replaces_the_one_of_the_field() {
    let pattern = Pattern::nginx("$time_local $uri $status", Some("%d.%m.%Y %H:%M:%S %z"))
        .expect("a pattern");
    parse(pattern, b"17.05.2015 12:05:03 +0200 /x 200", |record| {
        assert_eq!(record.time_us, Some(TIME_US))
    });
    let pattern = Pattern::apache("%t %U %s", Some("%F %T")).expect("a pattern");
    parse(pattern, b"[2015-05-17 10:05:03] /x 200", |record| {
        assert_eq!(record.time_us, Some(TIME_US))
    });
}

#[test]
fn lines_of_another_shape_are_rejected() {
    let mut pattern = compile("<$msec> $request_uri $status $body_bytes_sent");
    assert_eq!(
        pattern.parse(b"1431857103.0 /x 200 5"),
        Err(Reject::NoMatch)
    );
    assert_eq!(pattern.parse(b"<yesterday> /x 200 5"), Err(Reject::BadTime));
    assert_eq!(pattern.parse(b"<1.0> /x ok 5"), Err(Reject::NoMatch));
    assert_eq!(pattern.parse(b"<1.0> /x 2000 5"), Err(Reject::BadStatus));
    assert_eq!(pattern.parse(b"<1.0> /x 200 5 more"), Err(Reject::BadSize));
    assert!(
        pattern
            .parse(b"<1.0> /x y 200 5")
            .is_ok_and(|record| record.is_some())
    );
}

fn refused(format: &str, time_format: Option<&str>) -> String {
    Pattern::compile(format, time_format)
        .expect_err(format)
        .to_string()
}

#[test]
fn unusable_strings_are_refused_with_the_place_and_the_fix() {
    for (format, parts) in [
        ("combined?", &["combined?", "$remote_addr"][..]),
        ("$remote_addr $status", &["no request path", "$request_uri"]),
        ("%h %>s", &["no request path", "%U%q"]),
        ("$request", &["no status", "$status"]),
        ("%r %b", &["no status", "%>s"]),
        ("$request $", &["'$'", "column 10"]),
        ("$request ${status", &["column 10", "nginx variable"]),
        ("%r %", &["'%'", "column 4", "%%"]),
        ("%r %{Host %s", &["column 4", "Apache directive"]),
        (
            "$remote_addr$status $request",
            &["'$remote_addr'", "'$status'", "column 13"],
        ),
        ("%h%l %r %s", &["'%h'", "'%l'", "column 3"]),
    ] {
        let message = refused(format, None);
        for part in parts {
            assert!(message.contains(part), "{format}: {message} lacks {part}");
        }
    }
}

#[test]
fn a_time_format_that_names_no_instant_is_refused() {
    for time_format in ["%H:%M", "%Q%%%", "%Y"] {
        let error = Pattern::compile("$time_local $request $status", Some(time_format))
            .expect_err(time_format);
        assert!(matches!(error, PatternError::TimeFormat { .. }), "{error}");
    }
}

#[test]
fn a_time_format_without_a_time_in_the_string_is_refused_with_the_place_for_it() {
    for (format, place) in [
        ("$remote_addr $request $status", "log $time_local"),
        ("%h %r %s", "log %t"),
    ] {
        let message = refused(format, Some("%F %T"));
        assert!(message.ends_with(place), "{format}: {message}");
        assert!(Pattern::compile(format, None).is_ok(), "{format}");
    }
}

#[test]
fn directives_pasted_from_a_configuration_are_understood() {
    let line = b"192.0.2.1 - - [17/May/2015:10:05:03 +0000] \"GET /a HTTP/1.1\" 200 5 \"-\" \"M\"";
    for pasted in [
        "log_format main '$remote_addr - $remote_user [$time_local] \"$request\" '\n    \
         '$status $body_bytes_sent \"$http_referer\" '\n    '\"$http_user_agent\"';\n",
        "  log_format main escape=default '$remote_addr - $remote_user [$time_local] \"$request\" '\
         '$status $body_bytes_sent \"$http_referer\"';",
        r#"log_format main "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent \"$http_referer\"";"#,
        "'$remote_addr - $remote_user [$time_local] \"$request\" '\n'$status $body_bytes_sent \"$http_referer\"'",
        r#"LogFormat "%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\"" combined"#,
        r#"logformat "%h %l %u %t \"%r\" %>s %b \"%{Referer}i\"""#,
        r#""%h %l %u %t \"%r\" %>s %b \"%{Referer}i\"""#,
        r#"LogFormat '%h %l %u %t "%r" %>s %b "%{Referer}i"' nick"#,
    ] {
        parse(compile(pasted), line, |record| {
            assert_eq!(record.target, RequestTarget::Url(b"/a"), "{pasted}");
            assert_eq!((record.status, record.bytes), (200, Some(5)), "{pasted}");
            assert_eq!(record.time_us, Some(TIME_US), "{pasted}");
        });
    }
}

#[test]
fn a_format_whose_fields_are_quoted_is_no_pasted_string() {
    let pattern = compile("\"$remote_addr\" \"$request\" \"$status\"");
    parse(
        pattern,
        b"\"192.0.2.1\" \"GET /a HTTP/1.1\" \"200\"",
        |record| {
            assert_eq!(
                (record.client, record.status),
                (b"192.0.2.1".as_slice(), 200)
            );
        },
    );
}

#[test]
fn fields_in_single_quotes_are_no_pieces_of_a_pasted_string() {
    let line = b"'17/May/2015:10:05:03 +0000' '192.0.2.1' 'GET /a HTTP/1.1' '200' '5'";
    let format = "'$time_local' '$remote_addr' '$request' '$status' '$body_bytes_sent'";
    for format in [format, &format!(" {format}\n")] {
        parse(compile(format), line, |record| {
            assert_eq!(record.target, RequestTarget::Url(b"/a"));
            assert_eq!(
                (record.client, record.status, record.bytes),
                (b"192.0.2.1".as_slice(), 200, Some(5))
            );
            assert_eq!(record.time_us, Some(TIME_US));
        });
    }
    // On several lines they are pieces, which nginx joins.
    let message = refused("'$remote_addr'\n'$request $status'", None);
    assert!(message.contains("nothing separates"), "{message}");
}

#[test]
fn a_directive_pasted_in_part_is_refused() {
    for pasted in [
        "log_format",
        "log_format main",
        "log_format main;",
        "log_format main '$request $status",
        "LogFormat \"%r %>s",
        "LogFormat  ",
    ] {
        let error = Pattern::compile(pasted, None).expect_err(pasted);
        assert!(!error.to_string().contains('\n'), "{error}");
    }
    let error = Pattern::compile("LogFormat \"%r %>s", None).expect_err("no end");
    assert!(matches!(error, PatternError::Directive { .. }), "{error:?}");
}

#[test]
fn a_duration_is_read_where_it_is_logged_and_lines_without_it_are_read_too() {
    let took = |format: &str, line: &[u8]| {
        let mut took_us = None;
        parse(compile(format), line, |record| took_us = record.took_us);
        took_us
    };
    let timed = "$remote_addr [$time_local] \"$request\" $status $body_bytes_sent \"$http_user_agent\" $request_time $pipe";
    let line =
        b"192.0.2.1 [17/May/2015:10:05:03 +0000] \"GET /a HTTP/1.1\" 200 512 \"agent\" 0.012 .";
    assert_eq!(took(timed, line), Some(12_000));
    let cut = b"192.0.2.1 [17/May/2015:10:05:03 +0000] \"GET /a HTTP/1.1\" 200 512 \"agen";
    assert_eq!(took(timed, cut), None);
    assert_eq!(
        took(
            "%h %D %T %t \"%r\" %>s %b",
            b"192.0.2.1 1234 0 [17/May/2015:10:05:03 +0000] \"GET /a HTTP/1.1\" 200 512"
        ),
        Some(1234)
    );
    assert_eq!(took("%{ms}T %U %s", b"7 /a 200"), Some(7000));
    assert_eq!(
        took("%T%{x}o %U %s", b"7- /a 200"),
        None,
        "what runs together is not read"
    );
}
