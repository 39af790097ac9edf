//! Job files of fio are read or refused in words; what is read and written again is the same jobs.
#![no_main]

use std::path::Path;

use hotset_models::fio::{Job, JobFile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let path = Path::new("fuzz.fio");
    match JobFile::parse(text, path) {
        Ok(file) => {
            let written: String = file.jobs.iter().map(Job::to_fio).collect();
            if !file.jobs.is_empty() {
                let again = JobFile::parse(&written, path).expect("what was written is read");
                let texts: String = again.jobs.iter().map(Job::to_fio).collect();
                assert_eq!(texts, written);
            }
        }
        Err(error) => assert!(error.to_string().starts_with("fuzz.fio:")),
    }
});
