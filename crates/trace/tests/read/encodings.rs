//! Text that is not plain ASCII lines: byte order marks, UTF-16, other line ends.

use super::support::{get, read_good, read_text, read_with, write};
use hotset_trace::formats::DetectError;
use hotset_trace::read::{ReadError, ReadOptions};

fn lines(count: u32) -> String {
    (0..count).map(|i| get(i, &format!("/{}", i % 5))).collect()
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_client() {
    let log = lines(20);
    let options = ReadOptions {
        keep_clients: true,
        ..ReadOptions::default()
    };
    let plain = read_text(&log, &options);
    let marked = read_text(&format!("\u{feff}{log}"), &options);
    assert_eq!(marked.0.requests, plain.0.requests);
    assert_eq!(marked.0.clients, plain.0.clients);
    assert_eq!(marked.1.rejected_lines, 0);
}

#[test]
fn a_byte_order_mark_hides_no_directive_and_no_json() {
    let w3c = "\u{feff}#Fields: date time c-ip cs-method cs-uri-stem sc-status sc-bytes\n\
               2015-05-17 10:05:03 192.0.2.1 GET /a 200 7\n";
    let caddy = "\u{feff}{\"ts\":1.5,\"request\":{\"remote_ip\":\"1.2.3.4\",\"proto\":\"HTTP/2.0\",\
                 \"method\":\"GET\",\"host\":\"a\",\"uri\":\"/a\"},\"size\":7,\"status\":200}\n";
    for text in [w3c, caddy] {
        let (trace, summary) = read_text(text, &ReadOptions::default());
        assert_eq!((trace.requests.len(), summary.rejected_lines), (1, 0));
    }
}

#[test]
fn text_whose_lines_cannot_be_told_apart_is_refused_with_the_conversion() {
    let folder = tempfile::tempdir().unwrap();
    let little: Vec<u8> = lines(20)
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let big: Vec<u8> = lines(20)
        .encode_utf16()
        .flat_map(u16::to_be_bytes)
        .collect();
    let marked = [b"\xff\xfe".as_slice(), &little].concat();
    let old_mac = lines(20).replace('\n', "\r").into_bytes();
    for (name, content, fix) in [
        ("little.log", little, "iconv"),
        ("big.log", big, "iconv"),
        ("marked.log", marked, "iconv"),
        ("mac.log", old_mac, "tr"),
    ] {
        let path = write(folder.path(), name, content);
        let error = read_with(&[path], &ReadOptions::default()).expect_err(name);
        assert!(
            matches!(error, ReadError::Format(DetectError::Encoding { .. })),
            "{error:?}"
        );
        let text = error.to_string();
        assert!(text.contains(name) && text.contains(fix), "{text}");
    }
}

#[test]
fn a_single_line_that_ends_in_cr_lf_or_not_at_all_is_a_line() {
    let line = get(1, "/a");
    for text in [
        line.replace('\n', "\r\n"),
        line.replace('\n', "\r"),
        line.replace('\n', ""),
    ] {
        let (trace, _) = read_text(&text, &ReadOptions::default());
        assert_eq!(trace.requests.len(), 1, "{text:?}");
    }
}

#[test]
fn numbers_of_two_bytes_are_not_taken_for_utf_16() {
    let folder = tempfile::tempdir().unwrap();
    let keys: Vec<u8> = (0..4000_u32).flat_map(|i| (i % 97).to_le_bytes()).collect();
    let path = write(folder.path(), "keys.bin", keys);
    let (trace, summary) = read_good(&[path], &ReadOptions::default());
    assert_eq!((trace.requests.len(), summary.rejected_lines), (4000, 0));
}
