//! Logs whose header names their columns, on hand-written lines.

use hotset_trace::formats::{FormatKind, Record, Reject};
use hotset_trace::{Method, Protocol};

use crate::formats_lines::{TIME_US, url};

fn w3c(fields: &str, row: &str, check: impl FnOnce(Record<'_>)) {
    let mut format = FormatKind::W3C.parser();
    assert_eq!(
        format.parse(format!("#Fields: {fields}\r\n").as_bytes()),
        Ok(None)
    );
    match format.parse(row.as_bytes()) {
        Ok(Some(record)) => check(record),
        other => panic!("{row}: {other:?}"),
    }
}

#[test]
fn iis_columns_are_found_by_name() {
    let fields = "date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) sc-status sc-substatus sc-bytes";
    let row =
        "2015-05-17 10:05:03 10.0.0.1 GET /a.gif x=1 80 - 192.0.2.1 Mozilla/5.0+(X) 200 0 512\r\n";
    w3c(fields, row, |record| {
        assert_eq!(record.time_us, Some(TIME_US));
        assert_eq!(
            (url(&record), record.client),
            ("/a.gif?x=1", &b"192.0.2.1"[..])
        );
        assert_eq!(
            (record.status, record.bytes, record.protocol),
            (200, Some(512), Protocol::Unknown)
        );
    });
}

#[test]
fn cloudfront_columns_are_tabs_and_the_viewers_host_counts() {
    let fields = "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs-uri-query x-host-header cs-protocol cs-protocol-version";
    let row = "2015-05-17\t10:05:03\tFRA2\t2390\t2001:db8::1\tHEAD\td1.cloudfront.net\t/a%20b\t000\t-\twww.example.org\thttps\tHTTP/2.0";
    w3c(fields, row, |record| {
        assert_eq!(
            (record.host, url(&record)),
            (&b"www.example.org"[..], "/a%20b")
        );
        assert_eq!(
            (record.method, record.status, record.protocol),
            (Method::Head, 0, Protocol::Http2)
        );
        assert_eq!(record.client, b"2001:db8::1");
    });
}

/// Windows Media Services logs the status that its player saw, and the time in whichever column.
#[test]
fn a_clients_status_counts_where_there_is_no_other() {
    let fields = "c-ip c-dns date cs-uri-stem c-status cs(User-Agent) sc-bytes x-duration time";
    let row = "192.0.2.1 - 2015-05-17 /films/one%20a.wmv 404 NSPlayer/12.0 65580 12 10:05:03";
    w3c(fields, row, |record| {
        assert_eq!((url(&record), record.status), ("/films/one%20a.wmv", 404));
        assert_eq!(
            (record.time_us, record.bytes),
            (Some(TIME_US), Some(65_580))
        );
    });
}

#[test]
fn a_uri_may_begin_with_its_host_and_without_a_scheme() {
    let fields = "date time c-ip cs-method cs-uri cs-uri-query sc-status";
    for (uri, host, path) in [
        ("www.example.org/a/b.gif", "www.example.org", "/a/b.gif"),
        ("https://www.example.org/a", "www.example.org", "/a"),
        ("/a/b.gif", "", "/a/b.gif"),
        ("images/b.gif", "", "images/b.gif"),
    ] {
        let row =
            format!("\"2015-05-17\" \"10:05:03\" \"192.0.2.1\" \"GET\" \"{uri}\" \"-\" \"200\"");
        w3c(fields, &row, |record| {
            assert_eq!(
                (record.host, url(&record)),
                (host.as_bytes(), path),
                "{uri}"
            );
        });
    }
}

#[test]
fn a_second_fields_directive_replaces_the_first() {
    let mut format = FormatKind::W3C.parser();
    assert_eq!(
        format.parse(b"2015-05-17 10:05:03 /x 200"),
        Err(Reject::NoFieldsDirective)
    );
    assert_eq!(
        format.parse(b"#Fields: date time cs-uri-stem sc-status"),
        Ok(None)
    );
    assert!(
        format
            .parse(b"2015-05-17 10:05:03 /x 200")
            .is_ok_and(|record| record.is_some())
    );
    assert_eq!(format.parse(b"#Date: 2015-05-18 00:00:00"), Ok(None));
    assert_eq!(
        format.parse(b"#Fields: time sc-status cs-uri-stem"),
        Ok(None)
    );
    let time = format
        .parse(b"10:05:03 404 /y")
        .expect("a request")
        .and_then(|record| record.time_us);
    assert_eq!(time, Some(TIME_US + 86_400_000_000));
    assert_eq!(format.parse(b"10:05:03 404"), Err(Reject::TooFewFields));
    assert_eq!(format.parse(b"#Fields: time c-ip"), Ok(None));
    assert_eq!(
        format.parse(b"10:05:03 a"),
        Err(Reject::LacksColumn("cs-uri-stem"))
    );
}

#[test]
fn a_fields_directive_that_lacks_a_column_names_it() {
    for (fields, missing) in [
        ("time cs-uri-stem sc-status", "date"),
        ("date cs-uri-stem sc-status", "time"),
        ("date time-local cs-uri-stem sc-status", "date-local"),
        ("date time sc-status", "cs-uri-stem"),
        ("date time cs-uri", "sc-status"),
    ] {
        let mut format = FormatKind::W3C.parser();
        let directive = format!("#Fields: {fields}");
        assert_eq!(format.parse(directive.as_bytes()), Ok(None));
        let row = format.parse(b"2015-05-17 10:05:03 /a 200");
        assert_eq!(row, Err(Reject::LacksColumn(missing)), "{fields}");
    }
}

#[test]
fn iis_advanced_logging_quotes_values() {
    let fields = "date time cs-uri-stem cs-uri-query s-contentpath sc-status sc-bytes c-ip cs(Host) cs-method";
    let row = "2015-05-17 10:05:03.5 /a b \"C:\\web root\\a\" 206 512 \"192.0.2.1\" \"www.example.org:80\" GET \r\n";
    w3c(fields, row, |record| {
        assert_eq!(record.time_us, Some(TIME_US + 500_000));
        assert_eq!((url(&record), record.status), ("/a?b", 206));
        assert_eq!(
            (record.bytes, record.client),
            (Some(512), &b"192.0.2.1"[..])
        );
        assert_eq!(
            (record.host, record.method),
            (&b"www.example.org"[..], Method::Get)
        );
    });
}

#[test]
fn quotes_in_logs_of_iis_itself_are_part_of_the_value() {
    let mut format = FormatKind::W3C.parser();
    for directive in [
        "#Software: Microsoft Internet Information Services 10.0",
        "#Fields: date time cs(User-Agent) cs-uri-stem sc-status cs(Referer)",
    ] {
        assert_eq!(format.parse(directive.as_bytes()), Ok(None));
    }
    let row = b"2015-05-17 10:05:03 \"M /a 404 x\"";
    let record = format.parse(row).expect("a row").expect("a request");
    assert_eq!((url(&record), record.status), ("/a", 404));
}

#[test]
fn local_times_count_where_there_are_no_others() {
    let row = "2015-05-17 10:05:03 2015-05-17 12:05:03 /a 200";
    w3c(
        "date-utc time-utc date-local time-local cs-uri-stem sc-status",
        row,
        |record| {
            assert_eq!(record.time_us, Some(TIME_US));
        },
    );
    w3c(
        "date-local time-local x y cs-uri-stem sc-status",
        row,
        |record| {
            assert_eq!(record.time_us, Some(TIME_US));
        },
    );
}

#[test]
fn absolute_uris_name_their_host() {
    for fields in [
        "date time cs-uri sc-status",
        "date time cs-uri-stem sc-status",
    ] {
        let row = "2015-05-17 10:05:03 https://www.example.org:443/a?b 200";
        w3c(fields, row, |record| {
            assert_eq!(
                (record.host, url(&record)),
                (&b"www.example.org"[..], "/a?b")
            );
        });
    }
    let row = "2015-05-17 10:05:03 http://www.example.org/a b=c www.example.com 200";
    w3c(
        "date time cs-uri-stem cs-uri-query cs-host sc-status",
        row,
        |record| {
            assert_eq!(
                (record.host, url(&record)),
                (&b"www.example.org"[..], "/a?b=c")
            );
        },
    );
}

#[test]
fn cloudfront_arrival_is_completion_less_the_time_it_took() {
    let fields = "date time x-edge-location cs-uri-stem cs-uri-query sc-status time-taken";
    let row = "2015-05-17\t10:05:03\tFRA2\t/a%2520b\tc=%2525d\t200\t0.250";
    w3c(fields, row, |record| {
        assert_eq!(record.time_us, Some(TIME_US - 250_000));
        assert_eq!(url(&record), "/a%20b?c=%25d", "encoded twice");
    });
}

#[test]
fn a_quoted_value_may_be_empty() {
    let fields =
        "date time cs-vid c-ip s-caip cs-uri cs-postbody cs-method cs-uri-query sc-status cs-rule";
    let row = r#""2015-05-17" "10:05:03" "a1f3" "192.0.2.1" "" "www.example.com/a.php" "" "GET" "b=c" "200" """#;
    w3c(fields, row, |record| {
        assert_eq!(
            (record.host, url(&record), record.status),
            (&b"www.example.com"[..], "/a.php?b=c", 200)
        );
    });
}
