//! Conditions and targets are read or refused in words; a target reads back as it is shown.
#![no_main]

use hotset_replay::Condition;
use hotset_scenario::Target;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(condition) = text.parse::<Condition>() {
        assert_eq!(condition.to_string(), text);
    }
    if let Ok(target) = text.parse::<Target>() {
        let again: Target = target.to_string().parse().expect("what is shown is read");
        assert_eq!(again.measure, target.measure);
        assert!((again.below_us / target.below_us - 1.0).abs() < 1e-12);
    }
});
