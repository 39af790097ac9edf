//! Responses read in any pieces are the same responses.

use hotset_replay::response::{MAX_HEAD_BYTES, Malformed, Response};
use proptest::prelude::*;

/// Reads `bytes` in pieces of the given lengths, over and over.
fn read(bytes: &[u8], pieces: &[usize]) -> Result<(Response, usize), Malformed> {
    let mut response = Response::default();
    let (mut at, mut lengths) = (0, pieces.iter().cycle());
    while at < bytes.len() && !response.is_complete() {
        let end = bytes
            .len()
            .min(at + *lengths.next().unwrap_or(&usize::MAX).min(&bytes.len()));
        at += response.read(&bytes[at..end])?;
    }
    Ok((response, at))
}

fn whole(bytes: &[u8]) -> (u16, u64, bool, bool, usize) {
    let (response, used) = read(bytes, &[usize::MAX]).unwrap();
    (
        response.status(),
        response.body_bytes(),
        response.keep_alive(),
        response.is_complete(),
        used,
    )
}

#[test]
fn the_end_of_a_body_is_found_by_the_standard_s_rules() {
    let cases: [(&[u8], _); 12] = [
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcd",
            (200, 3, true, true, 41),
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 3, 3\r\n\r\nabc",
            (200, 3, true, true, 44),
        ),
        (
            b"HTTP/1.1 204 No\r\nContent-Length: 3\r\n\r\n",
            (204, 0, true, true, 38),
        ),
        (
            b"HTTP/1.1 304 No\r\nContent-Length: 3\r\n\r\n",
            (304, 0, true, true, 38),
        ),
        (b"HTTP/1.1 200 OK\r\n\r\nabc", (200, 3, false, false, 22)),
        (
            b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
            (200, 0, false, true, 38),
        ),
        (
            b"HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n",
            (200, 0, true, true, 62),
        ),
        (
            b"HTTP/1.1 200 OK\r\nConnection: x, close\r\nContent-Length: 0\r\n\r\n",
            (200, 0, false, true, 60),
        ),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
            (200, 2, true, true, 65),
        ),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nContent-Length: 1\r\n\r\nab",
            (200, 2, false, false, 65),
        ),
        (
            b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
            (200, 0, true, true, 63),
        ),
        (
            b"HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1;x=\"y\"\na\n0\nTrailer: y\n\n",
            (200, 1, true, true, 68),
        ),
    ];
    for (bytes, expected) in cases {
        assert_eq!(whole(bytes), expected, "{}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn what_contradicts_itself_or_has_no_end_is_malformed() {
    let long = [
        b"HTTP/1.1 200 OK\r\nX: ".as_slice(),
        &[b'x'; MAX_HEAD_BYTES],
    ]
    .concat();
    let long_chunk = [
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;".as_slice(),
        &[b'x'; MAX_HEAD_BYTES],
    ]
    .concat();
    let cases: [&[u8]; 8] = [
        b"HTTP/1.1 101 Switching Protocols\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n11111111111111111\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
        &long,
        &long_chunk,
    ];
    for bytes in cases {
        for pieces in [&[usize::MAX][..], &[1000]] {
            assert!(
                read(bytes, pieces).is_err(),
                "{}",
                String::from_utf8_lossy(&bytes[..40.min(bytes.len())])
            );
        }
    }
}

/// Parts of responses, sensible or not, that are put together at random.
const PARTS: &[&str] = &[
    "HTTP/1.1 200 OK\r\n",
    "HTTP/1.1 103 Hints\r\n",
    "HTTP/1.0 404 \r\n",
    "Content-Length: 5\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Connection: close\r\n",
    "\r\n",
    "\n",
    "hello",
    "5\r\nhello\r\n",
    "0\r\n\r\n",
    "a;b\r\n0123456789\r\n",
    "X: y\r\n",
];

proptest! {
    #[test]
    fn pieces_make_no_difference(
        parts in prop::collection::vec(prop::sample::select(PARTS), 0..12),
        pieces in prop::collection::vec(1_usize..20, 1..5),
    ) {
        let bytes = parts.concat().into_bytes();
        let (all, parted) = (read(&bytes, &[usize::MAX]), read(&bytes, &pieces));
        let seen = |(response, used): &(Response, usize)| {
            (response.status(), response.body_bytes(), response.keep_alive(), response.is_complete(), *used)
        };
        match (&all, &parted) {
            (Ok(all), Ok(parted)) => prop_assert_eq!(seen(all), seen(parted)),
            // A broken head is seen at its end, if it has one.
            (Err(_), Ok((parted, _))) => prop_assert!(!parted.is_complete()),
            (Ok(_), Err(error)) => prop_assert!(false, "{}", error),
            (Err(_), Err(_)) => {}
        }
    }
}
