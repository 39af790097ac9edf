//! Scenarios, profiles, placements and sizes are read or refused in words. Every input is tried as each.
#![no_main]

use std::path::Path;

use hotset_scenario::{
    Handover, MemorySize, Placement, ProbedDatabase, Profile, Scenario, Variation, parse_bytes,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(placement) = said(Placement::from_json(data)) {
        let written = serde_json::to_vec(&placement).expect("a placement is JSON");
        said(Placement::from_json(&written)).expect("what was written is read");
    }
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let path = Path::new("fuzz.toml");
    said(Scenario::parse(text, path));
    if let Some(probed) = said(ProbedDatabase::from_json(text)) {
        assert!(probed.observed_seconds > 0.0);
    }
    if let Some(profile) = said(Profile::parse(text, path)) {
        for bytes in [0, 1, 4096, 1 << 30] {
            assert!(profile.copy_us(bytes, true, bytes) >= 0.0);
            assert!(
                profile
                    .mapped_us(bytes, false, bytes)
                    .is_none_or(|us| us >= 0.0)
            );
            assert!(
                profile
                    .send_us(bytes, Handover::Sent)
                    .is_none_or(|us| us >= 0.0)
            );
        }
        let written = profile.to_toml().expect("costs are finite");
        let again = said(Profile::parse(&written, path)).expect("what was written is read");
        assert_eq!(again, profile);
    }
    if let Some(variation) = said(text.parse::<Variation>()) {
        assert!(!variation.values().is_empty());
    }
    if let Some(bytes) = said(parse_bytes(text)) {
        assert!(bytes > 0);
    }
    if let Some(size) = said(text.parse::<MemorySize>()) {
        size.bytes(u64::MAX);
        said(size.to_string().parse::<MemorySize>()).expect("what is shown is read");
    }
});

/// The value; an error has something to say.
fn said<T, E: std::fmt::Display>(result: Result<T, E>) -> Option<T> {
    result
        .inspect_err(|error| assert!(!error.to_string().is_empty()))
        .ok()
}
