//! The walk through JSON accepts what `serde_json` accepts, and descriptions of keys read any line. The first line is a
//! description, the rest the log.
#![no_main]

use hotset_trace::formats::json::{JsonKeys, Paths, ScanError};
use libfuzzer_sys::fuzz_target;
use serde::de::IgnoredAny;

fuzz_target!(|data: &[u8]| {
    let mut lines = data.split(|&byte| byte == b'\n');
    let description = lines.next().and_then(|line| std::str::from_utf8(line).ok());
    let keys: Option<JsonKeys> = description.and_then(|text| text.parse().ok());
    if let Some(keys) = &keys {
        assert_eq!(keys.to_string().parse().as_ref(), Ok(keys));
        let _ = keys.missing_in(data);
    }
    let mut parser = keys.map(|keys| keys.parser());
    for line in lines {
        agrees(line);
        if let Some(parser) = &mut parser {
            let _ = parser.parse(line);
        }
    }
});

/// Deeper documents than the walk allows do not fit the fuzzer's inputs with anything in them.
fn agrees(line: &[u8]) {
    let is_bounded = line.iter().filter(|byte| b"{[".contains(byte)).count() < 127;
    if line.first() == Some(&b'{') && std::str::from_utf8(line).is_ok() && is_bounded {
        let is_json = serde_json::from_slice::<IgnoredAny>(line).is_ok();
        let scanned = Paths::new(["a", "a.b", "b"]).scan(line, &mut Vec::new());
        assert_eq!(scanned != Err(ScanError::NotJson), is_json);
    }
}
