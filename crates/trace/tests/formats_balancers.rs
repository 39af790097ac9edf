//! The formats of balancers, proxies and stores on hand-written lines, ordinary and hostile.

use hotset_trace::formats::{FormatKind, Record, Reject, RequestTarget, detect};
use hotset_trace::{Method, Protocol};

/// 2015-05-17T10:05:03Z
const TIME_US: i64 = 1_431_857_103_000_000;

#[track_caller]
fn record(kind: FormatKind, line: &str, check: impl FnOnce(Record<'_>)) {
    match kind.parser().parse(line.as_bytes()) {
        Ok(Some(record)) => check(record),
        other => panic!("{line}: {other:?}"),
    }
}

#[track_caller]
fn reject(kind: FormatKind, line: &str) -> Reject {
    let mut parser = kind.parser();
    parser.parse(line.as_bytes()).expect_err(line)
}

fn url<'a>(record: &Record<'a>) -> &'a str {
    match record.target {
        RequestTarget::Url(url) => std::str::from_utf8(url).expect("text"),
        RequestTarget::Key(key) => panic!("key {key}"),
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

/// An ALB line, `middle` between the time of the answer and the agent.
fn alb(middle: &str, end: &str) -> String {
    format!("http 2015-05-17T10:05:03.250000Z app/web/50dc {middle} \"M\"{end}")
}

const ALB_REQUEST: &str = "192.0.2.1:2817 10.0.0.1:80 0.050 0.100 0.100 200 200 34 366 \"GET http://www.example.org:80/a HTTP/1.1\"";

#[test]
fn alb_arrival_is_logged_or_follows_from_the_processing_times() {
    record(FormatKind::ALB, &alb(ALB_REQUEST, ""), |record| {
        assert_eq!(record.time_us, Some(TIME_US));
    });
    let end = " - - arn \"t\" \"-\" \"-\" 0 2015-05-17T10:05:01.000000Z \"forward\"";
    record(FormatKind::ALB, &alb(ALB_REQUEST, end), |record| {
        assert_eq!(record.time_us, Some(TIME_US - 2_000_000));
    });
    let not_sent = ALB_REQUEST.replace("0.050 0.100 0.100", "-1 -1 -1");
    record(FormatKind::ALB, &alb(&not_sent, ""), |record| {
        assert_eq!(record.time_us, Some(TIME_US + 250_000));
    });
}

#[test]
fn alb_clients_and_hosts_may_be_ipv6() {
    for client in ["2001:db8::1:2817", "[2001:db8::1]:2817"] {
        let line = alb(&ALB_REQUEST.replace("192.0.2.1:2817", client), "");
        record(FormatKind::ALB, &line, |record| {
            assert_eq!(text(record.client), "2001:db8::1");
        });
    }
    let line = alb(
        &ALB_REQUEST.replace("www.example.org:80", "[2001:db8::2]:80"),
        "",
    );
    record(FormatKind::ALB, &line, |record| {
        assert_eq!((text(record.host), url(&record)), ("[2001:db8::2]", "/a"));
    });
}

#[test]
fn malformed_requests_at_a_balancer_name_no_file() {
    for request in ["- - - ", "- http://www.example.org:80- -"] {
        let line = alb(
            &ALB_REQUEST.replace("GET http://www.example.org:80/a HTTP/1.1", request),
            "",
        );
        record(FormatKind::ALB, &line, |record| {
            assert_eq!((record.method, url(&record)), (Method::Other, ""));
            assert!(record.host.is_empty(), "{request}");
        });
    }
    let tcp = "2015-05-17T10:05:03.000000Z web 192.0.2.1:2817 10.0.0.1:80 0.001069 0.000028 0.000041 - - 82 305 \"- - - \" \"-\" - -";
    record(FormatKind::ELB, tcp, |record| {
        assert_eq!(
            (record.method, url(&record), record.status),
            (Method::Other, "", 0)
        );
    });
}

#[test]
fn a_balancer_logs_requests_that_no_target_answered() {
    let line = ALB_REQUEST.replace("10.0.0.1:80 0.050 0.100 0.100 200 200", "- -1 -1 -1 504 0");
    record(FormatKind::ALB, &alb(&line, ""), |record| {
        assert_eq!((record.status, url(&record)), (504, "/a"));
    });
}

#[test]
fn a_balancers_fields_are_checked() {
    let rejects =
        |from: &str, to: &str| reject(FormatKind::ALB, &alb(&ALB_REQUEST.replace(from, to), ""));
    assert_eq!(
        rejects("192.0.2.1:2817", "192.0.2.1"),
        Reject::BadField("client")
    );
    assert_eq!(
        rejects("192.0.2.1:2817", "somebody:80"),
        Reject::BadField("client")
    );
    assert_eq!(rejects("0.050", "x"), Reject::BadField("processing time"));
    assert_eq!(rejects(" 200 200", " 20 200"), Reject::BadStatus);
    assert_eq!(rejects("366", "many"), Reject::BadSize);
    assert_eq!(
        rejects("http://www.example.org:80", ""),
        Reject::BadField("URL")
    );
    assert_eq!(
        rejects("www.example.org", "<host>"),
        Reject::BadField("URL")
    );
    let line = alb(ALB_REQUEST, "");
    assert_eq!(
        reject(FormatKind::ALB, &line[5..]),
        Reject::BadField("type")
    );
    assert_eq!(reject(FormatKind::ELB, &line), Reject::BadField("client"));
    assert_eq!(
        reject(FormatKind::ELB, "2015-05-17T10:05:03Z web"),
        Reject::TooFewFields
    );
}

/// An S3 line of an operation on a key, answered as `answer` says.
fn s3(operation: &str, key: &str, answer: &str) -> String {
    format!(
        "79a59df900b949e5 assets [17/May/2015:10:05:03 +0000] 192.0.2.1 - 3E57427F {operation} {key} \
         \"GET /a HTTP/1.1\" {answer} 7 - \"-\" \"M\" -"
    )
}

#[test]
fn the_operation_says_whether_an_object_is_read() {
    for (operation, method, target) in [
        ("REST.GET.OBJECT", Method::Get, "/a/b"),
        ("WEBSITE.GET.OBJECT", Method::Get, "/a/b"),
        ("REST.HEAD.OBJECT", Method::Head, "/a/b"),
        ("REST.PUT.OBJECT", Method::Other, "/a/b"),
        ("REST.POST.UPLOAD", Method::Post, ""),
        ("REST.GET.BUCKET", Method::Get, ""),
        ("REST.GET.OBJECT_TAGGING", Method::Get, ""),
        ("REST.COPY.OBJECT_GET", Method::Other, ""),
        ("S3.EXPIRE.OBJECT", Method::Other, "/a/b"),
    ] {
        record(
            FormatKind::S3,
            &s3(operation, "a/b", "200 - 512 512"),
            |record| {
                assert_eq!(
                    (record.method, url(&record)),
                    (method, target),
                    "{operation}"
                );
            },
        );
    }
    let line = s3("GET", "a", "200 - 512 512");
    assert_eq!(reject(FormatKind::S3, &line), Reject::BadField("operation"));
}

#[test]
fn keys_of_s3_may_be_encoded_twice() {
    for (key, path) in [
        ("a%2520b", "/a%20b"),
        ("a%20b", "/a%20b"),
        ("%25E6%2597%25A5", "/%E6%97%A5"),
        ("100%25", "/100%25"),
        ("-", ""),
    ] {
        record(
            FormatKind::S3,
            &s3("REST.GET.OBJECT", key, "200 - 512 512"),
            |record| {
                assert_eq!(url(&record), path, "{key}");
            },
        );
    }
}

#[test]
fn bytes_of_s3_are_none_where_nothing_was_sent() {
    record(
        FormatKind::S3,
        &s3("REST.GET.OBJECT", "a", "206 - 12 512"),
        |record| {
            assert_eq!((record.bytes, record.size), (Some(12), Some(512)));
        },
    );
    record(
        FormatKind::S3,
        &s3("REST.GET.OBJECT", "a", "304 - - 512"),
        |record| {
            assert_eq!(
                (record.bytes, record.size, text(record.host)),
                (Some(0), Some(512), "assets")
            );
        },
    );
}

#[test]
fn work_of_s3_itself_has_no_client_and_no_request() {
    let line = "79a59df900b949e5 assets [17/May/2015:10:05:03 +0000] - AmazonS3 3E57427F S3.EXPIRE.OBJECT a - - - - 512 - - - - - -";
    record(FormatKind::S3, line, |record| {
        assert_eq!((record.client, record.status), (&b""[..], 0));
        assert_eq!(record.method, Method::Other);
    });
}

#[test]
fn a_quote_in_a_request_does_not_end_it() {
    let line = s3("REST.GET.OBJECT", "a", "200 - 512 512").replace("GET /a ", "GET /a\"b ");
    record(FormatKind::S3, &line, |record| {
        assert_eq!((record.status, record.bytes), (200, Some(512)));
    });
    record(
        FormatKind::ENVOY,
        &ENVOY.replace("/a?b", "/a\"b"),
        |record| {
            assert_eq!((url(&record), record.status), ("/a\"b", 200));
        },
    );
}

#[test]
fn cloudfront_without_a_header_is_told_by_its_columns() {
    let line = "2015-05-17\t10:05:03\tFRA2\t2390\t192.0.2.1\tGET\td1.cloudfront.net\t/a%2520b\t200\t-\tMozilla\t-";
    record(FormatKind::CLOUDFRONT, line, |record| {
        assert_eq!(
            (text(record.host), url(&record)),
            ("d1.cloudfront.net", "/a%20b")
        );
        assert_eq!((record.time_us, record.bytes), (Some(TIME_US), Some(2390)));
    });
    let rejects = |from: &str, to: &str| reject(FormatKind::CLOUDFRONT, &line.replace(from, to));
    assert_eq!(rejects("192.0.2.1", "client"), Reject::BadField("client"));
    assert_eq!(
        rejects("FRA2", "frankfurt"),
        Reject::BadField("edge location")
    );
    assert_eq!(rejects("\t200", "\tok"), Reject::BadStatus);
    assert_eq!(rejects("\tMozilla\t-", ""), Reject::TooFewFields);
    let with_header = format!(
        "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status\n{line}\n"
    );
    let found = detect(with_header.as_bytes(), "a.log", None).expect("a format");
    assert_eq!(found.kind, FormatKind::W3C);
}

const HAPROXY: &str = "192.0.2.1:41342 [17/May/2015:10:05:03.250] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 \"GET /a?b HTTP/1.1\"";

#[test]
fn haproxys_time_is_that_of_arrival() {
    record(FormatKind::HAPROXY, HAPROXY, |record| {
        assert_eq!(record.time_us, Some(TIME_US + 250_000));
        assert_eq!((text(record.client), url(&record)), ("192.0.2.1", "/a?b"));
        assert_eq!((record.bytes, record.host), (Some(2750), &b""[..]));
    });
}

#[test]
fn haproxy_is_read_behind_any_syslog_prefix() {
    for prefix in [
        "May 17 10:05:03 lb1 haproxy[14389]: ",
        "2015-05-17T10:05:03+02:00 lb1 haproxy[1]: ",
        "<134>1 2015-05-17T10:05:03Z lb1 haproxy 1 - [origin ip=\"10.0.0.1\"] ",
    ] {
        record(
            FormatKind::HAPROXY,
            &format!("{prefix}{HAPROXY}"),
            |record| {
                assert_eq!(
                    (text(record.client), url(&record)),
                    ("192.0.2.1", "/a?b"),
                    "{prefix}"
                );
            },
        );
    }
}

#[test]
fn haproxys_hosts_are_from_urls_captured_headers_or_tls() {
    let host = |from: &str, to: &str| {
        let line = HAPROXY.replace(from, to);
        let mut parser = FormatKind::HAPROXY.parser();
        let record = parser
            .parse(line.as_bytes())
            .expect(&line)
            .expect("a request");
        text(record.host).to_owned()
    };
    let captured = |headers: &str| host("0/0 \"", &format!("0/0 {headers} \""));
    assert_eq!(captured("{www.example.org:443}"), "www.example.org");
    assert_eq!(
        captured("{Mozilla/5.0 (X11; Linux)|www.example.org} {}"),
        "www.example.org"
    );
    assert_eq!(
        captured("{} {srv.example.org}"),
        "",
        "a header of the response"
    );
    assert_eq!(
        captured("{192.0.2.9|https://www.example.org/}"),
        "",
        "a client and a referrer"
    );
    assert_eq!(
        host("/a?b", "https://www.example.org:8443/a?b"),
        "www.example.org"
    );
    assert_eq!(
        host("1.1\"", "1.1\" 0/0/0/0/0 www.example.org/TLSv1.3/TLS_AES"),
        "www.example.org"
    );
    assert_eq!(host("1.1\"", "1.1\" 0/0/0/0/0 -/TLSv1.3/TLS_AES"), "");
}

#[test]
fn hosts_from_captured_headers_are_said() {
    let log = format!(
        "{}\n",
        HAPROXY.replace("0/0 \"", "0/0 {www.example.org} \"")
    )
    .repeat(3);
    let found = detect(log.as_bytes(), "a.log", None).expect("a format");
    assert_eq!(found.kind, FormatKind::HAPROXY);
    assert!(found.doubt.expect("a doubt").contains("captured header"));
}

#[test]
fn haproxy_writes_marks_and_escapes() {
    let line = HAPROXY
        .replace("/109 200 2750", "/+109 200 +2750")
        .replace("/a?b", "/a#22b#5");
    record(FormatKind::HAPROXY, &line, |record| {
        assert_eq!((url(&record), record.bytes), ("/a\"b#5", Some(2750)));
    });
    let line = HAPROXY
        .replace("GET /a?b HTTP/1.1", "<BADREQ>")
        .replace(" 200 ", " 400 ");
    record(FormatKind::HAPROXY, &line, |record| {
        assert_eq!((record.method, record.status), (Method::Other, 400));
    });
    let line = HAPROXY.replace("10/0/30/69/109 200", "10/-1/-1/-1/109 -1");
    record(FormatKind::HAPROXY, &line, |record| {
        assert_eq!(record.status, 0)
    });
}

#[test]
fn lines_of_haproxy_that_are_no_http_are_rejected() {
    let tcp =
        "192.0.2.1:41342 [17/May/2015:10:05:03.250] fnt bck/srv1 0/0/5007 212 -- 0/0/0/0/3 0/0";
    assert_eq!(reject(FormatKind::HAPROXY, tcp), Reject::TooFewFields);
    let notice = "May 17 10:05:03 lb1 haproxy[1]: Proxy web started.";
    assert_eq!(reject(FormatKind::HAPROXY, notice), Reject::BadTime);
    let rejects = |from: &str, to: &str| reject(FormatKind::HAPROXY, &HAPROXY.replace(from, to));
    assert_eq!(
        rejects("192.0.2.1:41342", "192.0.2.1"),
        Reject::BadField("client")
    );
    assert_eq!(
        rejects("10/0/30/69/109", "10/0/30/69"),
        Reject::BadField("timer or counter")
    );
    assert_eq!(rejects("static/srv1", "static"), Reject::BadField("server"));
    assert_eq!(
        rejects("HTTP/1.1\"", ""),
        Reject::MissingQuote,
        "cut off by syslog"
    );
}

const ENVOY: &str = "[2015-05-17T10:05:03.000Z] \"GET /a?b HTTP/2\" 200 - 0 512 226 100 \"192.0.2.1\" \"M\" \"id\" \"www.example.org\" \"10.0.2.1:80\"";

#[test]
fn envoys_client_is_the_first_forwarded_address() {
    for (forwarded, client) in [
        ("2001:db8::1, 10.0.0.1", "2001:db8::1"),
        ("192.0.2.9,10.0.0.1", "192.0.2.9"),
        ("-", ""),
        ("<script>", ""),
    ] {
        record(
            FormatKind::ENVOY,
            &ENVOY.replace("192.0.2.1", forwarded),
            |record| {
                assert_eq!(text(record.client), client);
                assert_eq!(record.protocol, Protocol::Http2);
            },
        );
    }
}

#[test]
fn an_agent_that_imitates_the_fields_behind_it_does_not_change_the_host() {
    let line = ENVOY.replace("\"M\"", "\"M\" \"id\" \"evil.example.com\" \"10.0.2.9:80\"");
    record(FormatKind::ENVOY, &line, |record| {
        assert_eq!(
            (text(record.host), text(record.client)),
            ("www.example.org", "192.0.2.1")
        );
    });
}

#[test]
fn envoy_logs_connections_and_failures() {
    let line = ENVOY.replace("200 - 0", "0 DC 0").replace("226 100", "6 -");
    record(FormatKind::ENVOY, &line, |record| {
        assert_eq!(record.status, 0)
    });
    let line = ENVOY.replace("GET /a?b HTTP/2", "- - -");
    record(FormatKind::ENVOY, &line, |record| {
        assert_eq!((record.method, url(&record)), (Method::Other, ""));
    });
    let rejects = |from: &str, to: &str| reject(FormatKind::ENVOY, &ENVOY.replace(from, to));
    assert_eq!(rejects("512", "many"), Reject::BadSize);
    assert_eq!(rejects("226", "slow"), Reject::BadField("duration"));
    assert_eq!(
        rejects("www.example.org", "a host"),
        Reject::BadField("authority")
    );
    assert_eq!(rejects("2015-05-17T", "17/May/2015:"), Reject::BadTime);
}

const LTSV: &str = "host:192.0.2.1\ttime:2015-05-17T12:05:03+02:00\treq:GET /a\\x22?b HTTP/1.1\tstatus:206\tsize:512\tua:a:b";

#[test]
fn ltsv_is_read_by_its_labels() {
    record(FormatKind::LTSV, LTSV, |record| {
        assert_eq!((record.time_us, record.status), (Some(TIME_US), 206));
        assert_eq!((url(&record), record.bytes), ("/a\"?b", Some(512)));
        assert_eq!((text(record.client), record.host), ("192.0.2.1", &b""[..]));
    });
    let apart = LTSV.replace(
        "req:GET /a\\x22?b HTTP/1.1",
        "method:HEAD\turi:/a\\x22?b\tprotocol:HTTP/2.0",
    );
    record(FormatKind::LTSV, &apart, |record| {
        assert_eq!((record.method, url(&record)), (Method::Head, "/a\"?b"));
        assert_eq!(record.protocol, Protocol::Http2);
    });
}

#[test]
fn the_site_of_ltsv_is_vhost_and_host_the_client() {
    let sites = |line: &str| {
        let mut parser = FormatKind::LTSV.parser();
        let record = parser
            .parse(line.as_bytes())
            .expect(line)
            .expect("a request");
        (text(record.client).to_owned(), text(record.host).to_owned())
    };
    let with = |label: &str| sites(&format!("{LTSV}\t{label}"));
    let pair = |client: &str, host: &str| (client.to_owned(), host.to_owned());
    assert_eq!(
        with("vhost:www.example.org:80"),
        pair("192.0.2.1", "www.example.org")
    );
    let named = LTSV.replace("host:192.0.2.1", "host:www.example.org");
    assert_eq!(
        sites(&format!("{named}\tremote_addr:192.0.2.7")),
        pair("192.0.2.7", "www.example.org")
    );
    let absolute = LTSV.replace("GET /a", "GET http://www.example.org/a");
    assert_eq!(sites(&absolute), pair("192.0.2.1", "www.example.org"));
}

#[test]
fn ltsv_says_which_label_is_missing() {
    let rejects = |from: &str, to: &str| reject(FormatKind::LTSV, &LTSV.replace(from, to));
    assert_eq!(rejects("host:", "h:"), Reject::LacksLabel("host"));
    assert_eq!(rejects("time:", "t:"), Reject::LacksLabel("time"));
    assert_eq!(rejects("req:", "r:"), Reject::LacksLabel("req"));
    assert_eq!(rejects("status:", "s:"), Reject::LacksLabel("status"));
    assert_eq!(rejects("192.0.2.1", "a b"), Reject::BadField("client"));
    assert_eq!(rejects("206", "2060"), Reject::BadStatus);
    assert_eq!(rejects("512", "x"), Reject::BadSize);
}
