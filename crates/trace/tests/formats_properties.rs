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
        "[a-z0-9.:]{1,15}",
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

const LINES: [&str; 6] = [
    "a.b:80 a - - [17/May/2015:10:05:03 +0000] \"GET /a\\x41?b HTTP/1.1\" 200 5 \"-\" \"M\"",
    "a [30:10:05:03] \"GET /a HTTP/1.1\" 200 -",
    "2015-05-17 10:05:03 a /x 200",
    "1431857103.250 250 a TCP_HIT/200 512 GET http://u@h:80/a?b - NONE/- -",
    r#"{"ts":1431857103.25,"request":{"remote_addr":"a:1","method":"GET","host":"h","uri":"/a"},"size":5,"status":200}"#,
    r#"{"DownstreamStatus":200,"RequestMethod":"GET","RequestPath":"/a","StartUTC":"2015-05-17T10:05:03Z"}"#,
];
