//! The bytes of a part are read as one that can be described and written again, or refused in words. Inputs that do not begin
//! as a part does are tables: they get the head and the checksum that would keep damage from them.
#![no_main]

use std::io::Write;

use hotset_describe::{Part, Piece};
use hotset_trace::Zone;
use hotset_trace::read::ReadOptions;
use libfuzzer_sys::fuzz_target;

const HEAD: &[u8] = b"hotset part\n\x01\0\0\0";

fuzz_target!(|data: &[u8]| {
    let bytes = match data.starts_with(&HEAD[..6]) {
        true => data.to_vec(),
        false => wrapped(data),
    };
    let part = match Part::of_bytes("fuzz.part", &bytes) {
        Ok(part) => part,
        Err(error) => return assert!(error.to_string().starts_with("fuzz.part: ")),
    };
    let written = part.to_bytes().expect("memory");
    let again = Part::of_bytes("fuzz.part", &written).expect("what was written is read");
    assert_eq!(again, part);
    let twice = vec![("a".to_owned(), part.clone()), ("b".to_owned(), again)];
    assert!(Part::merge(twice).is_err(), "every log would count twice");
    joined(&written);
    match part.describe("fuzz.part", &Zone::UTC) {
        Ok((description, _)) => assert_eq!(description.total.requests, part.requests()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});

/// The part as two ranges of a log is joined, or refused in words.
fn joined(part: &[u8]) {
    // Behind the head: that there are no times.
    let bytes = [&b"hotset piece\n\0"[..], part].concat();
    let piece = Piece::of_bytes("fuzz.piece", &bytes).expect("a part is one");
    match Piece::join(vec![piece.clone(), piece], &ReadOptions::default()) {
        Ok(part) => drop(part.describe("fuzz.piece", &Zone::UTC)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Tables as the body of a part.
fn wrapped(tables: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(HEAD.to_vec(), 1).expect("memory");
    encoder.include_checksum(true).expect("a setting");
    encoder.write_all(tables).expect("memory");
    encoder.finish().expect("memory")
}
