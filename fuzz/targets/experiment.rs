//! Experiment files are read or refused in words. The files that one may name are those of the experiments there are.
#![no_main]

use std::path::Path;

use hotset_experiment::Experiment;
use hotset_scenario::TomlFile;
use libfuzzer_sys::fuzz_target;

/// Where relative paths start.
const PLACE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../experiments/file-systems/fuzz.toml"
);

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let file = TomlFile::from_text(text, Path::new(PLACE));
    if let Err(error) = Experiment::parse(&file) {
        assert!(!error.to_string().is_empty());
    }
});
