//! The bytes of requests are read as those that can be merged and written again, or refused in words. Inputs that do not begin
//! as requests do are tables: they get the head and the checksum that would keep damage from them.
#![no_main]

use std::io::Write;

use hotset_describe::TracePart;
use libfuzzer_sys::fuzz_target;

const HEAD: &[u8] = b"hotset requests\n\x01\0\0\0";

fuzz_target!(|data: &[u8]| {
    let bytes = match data.starts_with(&HEAD[..6]) {
        true => data.to_vec(),
        false => wrapped(data),
    };
    let part = match TracePart::of_bytes("fuzz", &bytes) {
        Ok(part) => part,
        Err(error) => return assert!(error.to_string().starts_with("fuzz: ")),
    };
    let written = part.to_bytes().expect("memory");
    let again = TracePart::of_bytes("fuzz", &written).expect("what was written is read");
    assert_eq!(again.to_bytes().expect("memory"), written);
    match TracePart::merge(vec![("fuzz".into(), part)]) {
        Ok(merged) => assert_eq!(merged.trace.requests.len() as u64, merged.summary.requests),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});

/// Tables as the body of requests.
fn wrapped(tables: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(HEAD.to_vec(), 1).expect("memory");
    encoder.include_checksum(true).expect("a setting");
    encoder.write_all(tables).expect("memory");
    encoder.finish().expect("memory")
}
