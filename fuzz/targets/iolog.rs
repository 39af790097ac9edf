//! Logs of reads of fio are read or refused in words; what is read and written again is the same log.
#![no_main]

use std::path::Path;

use hotset_models::fio::Iolog;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let path = Path::new("fuzz.log");
    match Iolog::read(data, path) {
        Ok(mut log) => {
            let written = log.to_fio();
            let again = Iolog::read(written.as_bytes(), path).expect("what was written is read");
            // What was left out is not written, nor that time passed before the first action.
            log.left_out.clear();
            log.actions[0].after_us = again.actions[0].after_us;
            assert_eq!(log, again);
        }
        Err(error) => assert!(error.to_string().starts_with("fuzz.log:")),
    }
});
