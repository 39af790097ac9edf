//! Documents of outcomes are read or refused in words; what is read is compared, written and read again.
#![no_main]

use hotset_outcome::{Bootstrap, documents, compare};
use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|data: &[u8]| {
    let outcomes = match documents::parse(data) {
        Ok(outcomes) => outcomes,
        Err(fault) => {
            assert!(!fault.to_string().is_empty());
            return;
        }
    };
    let bootstrap = Bootstrap {
        resamples: 20,
        ..Bootstrap::seeded(1)
    };
    match compare(&outcomes, &bootstrap) {
        Ok(compared) => assert_eq!(compared.compared.len(), outcomes.len()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    let written = json!({ "outcomes": outcomes }).to_string();
    let again = documents::parse(written.as_bytes()).expect("what was written is read");
    // Not equal to the last digit: serde_json reads a number to within one unit in its last place.
    assert_eq!(again.len(), outcomes.len());
});
