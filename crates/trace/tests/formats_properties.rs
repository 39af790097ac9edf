//! What a server writes is read back, no bytes make a reader panic, and the quick path of the common log
//! format reads what the careful one does.

use hotset_trace::formats::custom::Pattern;
use hotset_trace::formats::{Format, FormatKind, RequestTarget, detect};
use hotset_trace::{Method, Protocol};
use proptest::prelude::*;

/// A request as a server knows it.
#[derive(Clone, Debug)]
struct Sent {
    client: String,
    seconds: i64,
    method: &'static str,
    target: Vec<u8>,
    protocol: &'static str,
    status: u16,
    bytes: Option<u64>,
    agent: Vec<u8>,
}

fn sent() -> impl Strategy<Value = Sent> {
    // A target is a word: raw spaces at its ends or in runs are not kept.
    let target = prop::collection::vec(
        prop_oneof![4 => 0x21..0x7fu8, 1 => any::<u8>().prop_filter("a space", |b| *b != b' ')],
        1..40,
    );
    (
        "[a-z0-9.:]{1,15}".prop_filter("an address and its port", |client| {
            let head = client.rsplit_once(':').map(|(head, _)| head);
            head.is_none_or(|head| head.parse::<std::net::IpAddr>().is_err())
        }),
        0i64..4_000_000_000,
        prop::sample::select(vec!["GET", "HEAD", "POST", "PUT"]),
        target,
        prop::sample::select(vec!["HTTP/1.0", "HTTP/1.1", "HTTP/2.0"]),
        100u16..600,
        prop::option::of(any::<u64>()),
        prop::collection::vec(any::<u8>(), 0..30),
    )
        .prop_map(
            |(client, seconds, method, target, protocol, status, bytes, agent)| Sent {
                client,
                seconds,
                method,
                target,
                protocol,
                status,
                bytes,
                agent,
            },
        )
}

/// What the formats of balancers, proxies and stores log of a request: addresses, words and numbers.
#[derive(Clone, Debug)]
struct Answered {
    address: std::net::IpAddr,
    micros: i64,
    path: String,
    status: u16,
    bytes: u64,
    took_ms: i64,
    agent: String,
}

fn answered() -> impl Strategy<Value = Answered> {
    (
        any::<std::net::IpAddr>(),
        0i64..4_000_000_000_000,
        "/[a-z0-9/._~-]{0,20}",
        100u16..600,
        any::<u64>(),
        0i64..100_000,
        "[ !#-Z^-z]{0,20}",
    )
        .prop_map(
            |(address, ms, path, status, bytes, took_ms, agent)| Answered {
                address,
                micros: ms * 1000,
                path,
                status,
                bytes,
                took_ms,
                agent,
            },
        )
}

/// `time_us` as strftime writes it.
fn written(time_us: i64, format: &str) -> String {
    let time = jiff::Timestamp::from_microsecond(time_us).expect("a time");
    time.to_zoned(jiff::tz::TimeZone::UTC)
        .strftime(format)
        .to_string()
}

/// Milliseconds as seconds.
fn seconds(ms: i64) -> String {
    format!("{}.{:03}", ms / 1000, ms % 1000)
}

/// The request as each format logs it, the time being that of arrival; whole seconds where it has no others.
fn logged(kind: FormatKind, sent: &Answered) -> String {
    const ISO: &str = "%Y-%m-%dT%H:%M:%S.%6fZ";
    const COMMON: &str = "%d/%b/%Y:%H:%M:%S %z";
    let Answered {
        address,
        micros,
        path,
        status,
        bytes,
        took_ms,
        agent,
    } = sent;
    let (arrival, completed) = (*micros, micros + took_ms * 1000);
    let balancer = |time_us: i64| {
        format!(
            "{} web {address}:80 - 0.000 {} 0.000 {status} - 0 {bytes} \"GET http://h.example:80{path} HTTP/1.1\" \"{agent}\" - -",
            written(time_us, ISO),
            seconds(*took_ms)
        )
    };
    match kind.name() {
        "alb" => format!("http {}", balancer(completed)),
        "elb" => balancer(arrival),
        "s3" => format!(
            "0a h.example [{}] {address} - 1 REST.GET.OBJECT {} \"GET {path} HTTP/1.1\" {status} - {bytes} - {took_ms} - \"-\" \"{agent}\" -",
            written(arrival, COMMON),
            path.replace('%', "%25"),
        ),
        "cloudfront" => [
            written(completed, "%Y-%m-%d").as_str(),
            &written(completed, "%H:%M:%S.%3f"),
            "FRA2",
            &bytes.to_string(),
            &address.to_string(),
            "GET",
            "h.example",
            path,
            &status.to_string(),
            "-",
            &agent.replace(' ', "%20"),
            "-\t-\tHit\tid\th.example\thttp\t0",
            &seconds(*took_ms),
            "-\t-\t-\tHit\tHTTP/1.1",
        ]
        .join("\t"),
        "haproxy" => format!(
            "{address}:80 [{}] in out/srv 0/0/0/0/{took_ms} {status} {bytes} - - ---- 1/1/1/1/0 0/0 {{h.example|{}}} \"GET {path} HTTP/1.1\"",
            written(arrival, "%d/%b/%Y:%H:%M:%S.%3f"),
            agent.replace('#', "#23"),
        ),
        "envoy" => format!(
            "[{}] \"GET {path} HTTP/1.1\" {status} - 0 {bytes} {took_ms} - \"{address}\" \"{agent}\" \"id\" \"h.example\" \"-\"",
            written(arrival, ISO)
        ),
        "ltsv" => format!(
            "ua:{agent}\tvhost:h.example\thost:{address}\tsize:{bytes}\tstatus:{status}\treq:GET {path} HTTP/1.1\ttime:[{}]",
            written(arrival, COMMON)
        ),
        other => panic!("{other} is written elsewhere"),
    }
}

/// Escapes as Apache does.
fn escaped(text: &[u8]) -> String {
    let escape = |&byte: &u8| match byte {
        b'"' => "\\\"".to_owned(),
        b'\\' => "\\\\".to_owned(),
        b'\n' => "\\n".to_owned(),
        b'\t' => "\\t".to_owned(),
        0x20..0x7f => char::from(byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    };
    text.iter().map(escape).collect()
}

fn combined_line(sent: &Sent) -> String {
    let time = jiff::Timestamp::from_second(sent.seconds)
        .expect("a time")
        .to_zoned(jiff::tz::TimeZone::UTC);
    format!(
        "{} - - [{}] \"{} {} {}\" {} {} \"-\" \"{}\"",
        sent.client,
        time.strftime("%d/%b/%Y:%H:%M:%S %z"),
        sent.method,
        escaped(&sent.target),
        sent.protocol,
        sent.status,
        sent.bytes.map_or("-".to_owned(), |bytes| bytes.to_string()),
        escaped(&sent.agent),
    )
}

fn assert_reads_back(format: &mut dyn Format, line: &str, sent: &Sent) {
    let record = format
        .parse(line.as_bytes())
        .expect(line)
        .expect("a request");
    assert_eq!(record.time_us, Some(sent.seconds * 1_000_000));
    assert_eq!(record.client, sent.client.as_bytes());
    assert_eq!(record.target, RequestTarget::Url(&sent.target), "{line}");
    assert_eq!((record.status, record.bytes), (sent.status, sent.bytes));
    let method = match sent.method {
        "GET" => Method::Get,
        "HEAD" => Method::Head,
        "POST" => Method::Post,
        _ => Method::Other,
    };
    let protocol = match sent.protocol {
        "HTTP/1.0" => Protocol::Http10,
        "HTTP/1.1" => Protocol::Http11,
        _ => Protocol::Http2,
    };
    assert_eq!((record.method, record.protocol), (method, protocol));
}

const CUSTOM: &str = r#"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent""#;

proptest! {
    #[test]
    fn combined_lines_are_read_back(requests in prop::collection::vec(sent(), 1..20)) {
        let mut combined = FormatKind::COMBINED.parser();
        let mut custom = Pattern::nginx(CUSTOM, None).expect("a pattern");
        for sent in &requests {
            let line = combined_line(sent);
            assert_reads_back(combined.as_mut(), &line, sent);
            assert_reads_back(&mut custom, &line, sent);
        }
    }

    #[test]
    fn lines_of_balancers_proxies_and_stores_are_read_back(requests in prop::collection::vec(answered(), 1..8)) {
        for kind in [
            FormatKind::ALB,
            FormatKind::ELB,
            FormatKind::S3,
            FormatKind::CLOUDFRONT,
            FormatKind::HAPROXY,
            FormatKind::ENVOY,
            FormatKind::LTSV,
        ] {
            let mut format = kind.parser();
            for sent in &requests {
                let line = logged(kind, sent);
                let record = format.parse(line.as_bytes()).expect(&line).expect("a request");
                let whole_seconds = matches!(kind.name(), "s3" | "ltsv");
                let unit_us = if whole_seconds { 1_000_000 } else { 1 };
                prop_assert_eq!(record.time_us, Some(sent.micros / unit_us * unit_us), "{}", line);
                let client = sent.address.to_string();
                prop_assert_eq!(record.client, client.as_bytes(), "{}", line);
                prop_assert_eq!(record.host, b"h.example", "{}", line);
                prop_assert_eq!(record.target, RequestTarget::Url(sent.path.as_bytes()), "{}", line);
                prop_assert_eq!((record.status, record.bytes), (sent.status, Some(sent.bytes)), "{}", line);
                prop_assert_eq!((record.method, record.protocol), (Method::Get, Protocol::Http11), "{}", line);
            }
        }
    }

    #[test]
    fn times_with_an_offset_are_instants(micros in 0i64..4_000_000_000_000_000, minutes in -1439i32..1440, digits in 0usize..7) {
        let instant = jiff::Timestamp::from_microsecond(micros).expect("a time");
        let offset = jiff::tz::Offset::from_seconds(minutes * 60).expect("an offset");
        let local = instant.to_zoned(offset.to_time_zone());
        let fraction = local.strftime(".%6f").to_string();
        let time = format!("{}{}{}", local.strftime("%Y-%m-%dT%H:%M:%S"), &fraction[..digits + usize::from(digits > 0)], local.strftime("%:z"));
        let line = format!("time:{time}\thost:a\treq:GET / HTTP/1.1\tstatus:200");
        let mut format = FormatKind::LTSV.parser();
        let record = format.parse(line.as_bytes()).expect(&line).expect("a request");
        let expected: jiff::Timestamp = time.parse().expect("an instant");
        prop_assert_eq!(record.time_us, Some(expected.as_microsecond()), "{}", time);
    }

    /// A second space before the protocol keeps a request off the quick path and changes nothing else.
    #[test]
    fn the_quick_path_reads_what_the_careful_one_does(target in r#"[!-~]{0,12}"#, end in r#"( -| [0-9]{1,3})?( ["a-z-]{0,9}){0,2}"#) {
        let line = |gap: &str| format!("a - - [17/May/2015:10:05:03 +0000] \"GET /{target}{gap}HTTP/1.1\" 200{end}");
        let (quick_line, careful_line) = (line(" "), line("  "));
        let (mut quick, mut careful) = (FormatKind::COMBINED.parser(), FormatKind::COMBINED.parser());
        prop_assert_eq!(quick.parse(quick_line.as_bytes()), careful.parse(careful_line.as_bytes()));
    }

    #[test]
    fn no_bytes_make_a_reader_panic(records in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 1..8)) {
        for kind in FormatKind::ALL {
            let mut format = kind.parser();
            for record in &records {
                let _ = format.parse(record);
            }
        }
        let log = records.concat();
        let _ = detect(&log, "any.csv", Some(log.len() as u64));
    }

    /// Lines cut and glued at random places get deeper into the readers than noise does.
    #[test]
    fn no_mangled_line_makes_a_reader_panic(cut in 0usize..200, glue in 0usize..200, byte in any::<u8>(), which in 0usize..LINES.len()) {
        let line = LINES[which].as_bytes();
        let (cut, glue) = (cut % line.len(), glue % line.len());
        let mangled = [&line[..cut], &[byte], &line[glue..]].concat();
        for kind in FormatKind::ALL {
            let mut format = kind.parser();
            let _ = format.parse(b"#Fields: date time c-ip cs-uri-stem sc-status");
            let _ = format.parse(&mangled);
        }
        let _ = Pattern::nginx(CUSTOM, None).expect("a pattern").parse(&mangled);
    }

    #[test]
    fn no_format_string_makes_the_compiler_panic(format in "[$%{}a-zA-Z_ \\\\é>!0-9,\"-]{0,30}", line in "\\PC{0,40}") {
        for pattern in [Pattern::nginx(&format, None), Pattern::apache(&format, Some(&format))] {
            let _ = pattern.map(|mut pattern| pattern.parse(line.as_bytes()).is_ok());
        }
    }
}

const LINES: [&str; 13] = [
    "a.b:80 a - - [17/May/2015:10:05:03 +0000] \"GET /a\\x41?b HTTP/1.1\" 200 5 \"-\" \"M\"",
    "a [30:10:05:03] \"GET /a HTTP/1.1\" 200 -",
    "2015-05-17 10:05:03 a /x 200",
    "1431857103.250 250 a TCP_HIT/200 512 GET http://u@h:80/a?b - NONE/- -",
    r#"{"ts":1431857103.25,"request":{"remote_addr":"a:1","method":"GET","host":"h","uri":"/a"},"size":5,"status":200}"#,
    r#"{"DownstreamStatus":200,"RequestMethod":"GET","RequestPath":"/a","StartUTC":"2015-05-17T10:05:03Z"}"#,
    r#"http 2015-05-17T10:05:03.25Z app/a [::1]:1 10.0.0.1:80 0.1 0.1 -1 200 - 3 5 "GET http://h:80/a HTTP/1.1" "M" - - arn "t" "-" "-" 0 2015-05-17T10:05:03Z "f""#,
    r#"2015-05-17T10:05:03.25Z lb 192.0.2.1:1 - -1 -1 -1 400 - 3 5 "- - - " "-" - -"#,
    r#"0a bucket [17/May/2015:10:05:03 +0000] ::1 - 1 REST.GET.OBJECT a%2520b "GET /a\"b HTTP/1.1" 200 - 5 - 7 - "-" "M" -"#,
    "2015-05-17\t10:05:03\tFRA2\t5\t::1\tGET\th\t/a%25\t200\t-\tM\t-\t-\tHit\ti\th\thttp\t0\t0.1",
    r#"h haproxy[1]: ::1:1 [17/May/2015:10:05:03.250] f b/s 0/0/0/0/+1 200 +5 - - ---- 1/1/1/1/0 0/0 {h.example|M} {} "GET /a#22 HTTP/1.1" 0/0 h.example/TLSv1.3/x"#,
    r#"[2015-05-17T10:05:03.25Z] "GET /a HTTP/2" 200 - via_upstream - "-" 0 5 1 - "::1, ::2" "M" "i" "h:80" "-" c a:1 b:1 [::1]:1 - r"#,
    "time:[17/May/2015:10:05:03 +0000]\thost:::1\treq:GET http://h/a HTTP/1.1\tstatus:200\tsize:-\tvhost:h",
];
