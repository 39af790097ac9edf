//! Names that any file system and web server take, for paths that may hold anything.
//!
//! Two paths never get one name, but for long ones of which only a hash of 64 bits tells them apart.

use std::fmt::Write as _;

/// Longest name of a file or folder, bytes. File systems of Linux allow 255 (`NAME_MAX`); the rest is for a size and for
/// what programs append to temporary names.
const LONGEST_NAME: usize = 200;

/// Longest path, bytes. Servers take request lines of 8 KiB (nginx's `large_client_header_buffers`, Apache's
/// `LimitRequestLine`), in which a byte may take three, and Linux paths of 4 KiB (`PATH_MAX`).
const LONGEST_PATH: usize = 2000;

/// What stands between the path and the bytes in the name of a file that is both.
const BEFORE_SIZE: char = '@';

/// The name of the file (path, bytes), where a path that is answered with another number of bytes is another file ("A
/// Study of the Performance of Diskless Web Servers", §3.3: "all file names are augmented with the size of the file
/// returned"). No folder that such names are in has an `@`, so that none is a file as well.
///
/// ```
/// let name = hotset_trace::sized_path("/news/a b.html".as_bytes(), 1200);
/// assert_eq!(name, "/news/a b.html@1200");
/// assert_eq!(hotset_trace::sized_path(b"/", 0), "/@0");
/// assert_eq!(hotset_trace::sized_path(b"/a/../../b%", 7), "/a/%2E%2E/%2E%2E/b%25@7");
/// ```
pub fn sized_path(path: &[u8], bytes: u64) -> String {
    let path = path.strip_prefix(b"/").unwrap_or(path);
    let mut name = String::with_capacity(path.len() + 8);
    let mut rest = Some(path);
    while let Some(path) = rest {
        name.push('/');
        let end = memchr::memchr(b'/', path).filter(|end| name.len() + end < LONGEST_PATH);
        match end {
            Some(end) => name += &folder_name(&path[..end]),
            // An empty last part stands for a folder; the size makes it a name.
            None if path.is_empty() => {}
            None => name += &file_name(path),
        }
        rest = end.map(|end| &path[end + 1..]);
    }
    let _infallible = write!(name, "{BEFORE_SIZE}{bytes}");
    name
}

/// A name for one part of a path, or for a site, that holds no `/` and leads nowhere else: bytes that are no text, control
/// characters, `/` and `%` are percent-encoded, and so are `.` and `..`; an empty name is `%`. A long one ends with a hash.
///
/// ```
/// assert_eq!(hotset_trace::file_name(b"www.example.com:80"), "www.example.com:80");
/// assert_eq!(hotset_trace::file_name(b".."), "%2E%2E");
/// ```
pub fn file_name(part: &[u8]) -> String {
    let mut name = match part {
        b"" => "%".to_owned(),
        b"." | b".." => part.iter().map(|_| "%2E").collect(),
        _ => escaped(part),
    };
    if name.len() > LONGEST_NAME {
        let hash = format!("~{:016x}", fnv_1a(part));
        let mut end = LONGEST_NAME - hash.len();
        while !name.is_char_boundary(end) {
            end -= 1;
        }
        name.truncate(end);
        name += &hash;
    }
    name
}

/// A [`file_name`] that no file (path, bytes) has.
fn folder_name(part: &[u8]) -> String {
    file_name(part).replace(BEFORE_SIZE, "%40")
}

fn escaped(part: &[u8]) -> String {
    let mut name = String::with_capacity(part.len());
    for chunk in part.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '%' | '/' => push_encoded(&mut name, &[c as u8]),
                c if c.is_control() => {
                    push_encoded(&mut name, c.encode_utf8(&mut [0; 4]).as_bytes())
                }
                c => name.push(c),
            }
        }
        push_encoded(&mut name, chunk.invalid());
    }
    name
}

fn push_encoded(name: &mut String, bytes: &[u8]) {
    for byte in bytes {
        let _infallible = write!(name, "%{byte:02X}");
    }
}

/// FNV-1a of 64 bits (draft-eastlake-fnv): names must be the same in every run and version.
fn fnv_1a(bytes: &[u8]) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let add = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(PRIME);
    bytes.iter().fold(OFFSET, add)
}
