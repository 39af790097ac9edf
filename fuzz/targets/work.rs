//! Works are read or refused in words with their line.
#![no_main]

use std::path::Path;

use hotset_models::files::Work;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    match Work::parse(text, Path::new("fuzz.work")) {
        Ok(work) => assert!(work.steps.len() + work.on_server.len() <= text.lines().count()),
        Err(error) => assert!(error.to_string().starts_with("fuzz.work:")),
    }
});
