//! Detection decides on any bytes without a panic, and what it chooses reads something.
#![no_main]

use hotset_trace::formats::{Framing, detect};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(found) = detect(data, "fuzz.log", Some(data.len() as u64)) else {
        return;
    };
    let mut format = match &found.prefix {
        Some(prefix) => prefix.before(found.kind.parser()),
        None => found.kind.parser(),
    };
    let read = match format.framing() {
        Framing::Lines => data
            .strip_prefix("\u{feff}".as_bytes())
            .unwrap_or(data)
            .split(|&byte| byte == b'\n')
            .any(|line| matches!(format.parse(line), Ok(Some(_)))),
        Framing::Fixed(width) => data
            .chunks(width)
            .any(|record| matches!(format.parse(record), Ok(Some(_)))),
    };
    assert!(read, "{} reads nothing: {}", found.kind, found.why);
});
