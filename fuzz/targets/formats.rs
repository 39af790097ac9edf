//! Every built-in format reads any bytes without a panic. The first byte chooses the format.
#![no_main]

use hotset_trace::formats::{FormatKind, Framing, RequestTarget};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&choice, input)) = data.split_first() else {
        return;
    };
    let kind = FormatKind::ALL[usize::from(choice) % FormatKind::ALL.len()];
    let mut format = kind.parser();
    let records: Vec<&[u8]> = match format.framing() {
        Framing::Lines => input.split_inclusive(|&byte| byte == b'\n').collect(),
        Framing::Fixed(width) => input.chunks(width).collect(),
    };
    for record in records {
        if let Ok(Some(request)) = format.parse(record) {
            assert!(request.status <= 999);
            assert!(
                !matches!(request.target, RequestTarget::Url(url) if url.len() > 2 * record.len() + 1)
            );
        }
    }
});
