//! Documents of outcomes are read or refused in words; what is read is compared, written and read again.
#![no_main]

use hotset_outcome::{Bootstrap, compare, documents};
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
    for (again, outcome) in again.iter().zip(&outcomes) {
        assert_eq!(again.groups.len(), outcome.groups.len());
        assert!(
            outcome
                .groups
                .iter()
                .all(|of| again.score_of(&of.key).is_some())
        );
        assert_eq!(again.resources.len(), outcome.resources.len());
        assert_eq!(again.links.len(), outcome.links.len());
    }
});
