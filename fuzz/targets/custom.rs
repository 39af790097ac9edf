//! Format strings compile or are refused, and what compiles reads any line. The first line is the format
//! string, the second the time format (none when empty), the rest the log.
#![no_main]

use hotset_trace::formats::Format;
use hotset_trace::formats::custom::Pattern;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut lines = data.split(|&byte| byte == b'\n');
    let mut text = || std::str::from_utf8(lines.next().unwrap_or(b"")).ok();
    let (Some(format), Some(time_format)) = (text(), text()) else {
        return;
    };
    let time_format = Some(time_format).filter(|format| !format.is_empty());
    for compiled in [
        Pattern::nginx(format, time_format),
        Pattern::apache(format, time_format),
    ] {
        match compiled {
            Ok(mut pattern) => lines.clone().for_each(|line| {
                let _ = pattern.parse(line);
            }),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});
