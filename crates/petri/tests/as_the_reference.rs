//! The engine does what the plain reference allows, on random nets. `PETRI_NETS=10000` tries that many.

use crate::random::{Dice, OBJECTS, build};
use crate::reference::{Memory, Reference};
use hotset_petri::{Choice, Net, Stream};
use proptest::prelude::*;

const STEPS: usize = 60;

fn run_beside_the_reference(seed: u64) -> Result<(), TestCaseError> {
    let spec = Dice(Stream::named(seed, 0, "dice")).net();
    let net = build(&spec);
    let streams = net.transitions().map(|path| Stream::named(seed, 1, path));
    let objects = OBJECTS.map(|name| Memory::new(&mut Stream::named(seed, 1, name)));
    let mut reference = Reference::new(&spec, streams.collect(), objects.into());
    let mut engine = net.simulate(seed, 1, Choice::Fair);
    for step in 0..STEPS {
        prop_assert_eq!(
            engine.enabled(),
            reference.counts(),
            "step {} of {:?}",
            step,
            spec
        );
        let can_go_on = reference.advance();
        let event = engine.step().unwrap();
        prop_assert_eq!(event.is_some(), can_go_on, "step {} of {:?}", step, spec);
        let Some(event) = event else { break };
        if let Err(difference) = reference.follow(&event) {
            prop_assert!(false, "step {step}: {event:?}: {difference}: {spec:?}");
        }
        prop_assert_eq!(
            engine.marking(),
            reference.marking(),
            "step {} of {:?}",
            step,
            spec
        );
    }
    Ok(())
}

fn nets() -> u32 {
    let asked = std::env::var("PETRI_NETS").ok();
    asked.and_then(|asked| asked.parse().ok()).unwrap_or(500)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(nets()) })]

    #[test]
    fn the_engine_does_what_the_reference_allows(seed in any::<u64>()) {
        run_beside_the_reference(seed)?;
    }
}

/// Three tokens here and two there are five bindings: each is chosen in a fifth of runs.
#[test]
fn every_enabled_binding_is_as_likely_as_the_others() {
    let net = Net::build("competing", |page| {
        let three = page.bag("three", [0, 1, 2]);
        let two = page.bag("two", [3, 4]);
        for (name, place) in [("a", three), ("b", two)] {
            page.transition(name).take(&place).when(|_| true).done();
        }
    })
    .unwrap();
    let mut chosen = [0.0_f64; 5];
    for run in 0..5000 {
        let event = net.simulate(9, run, Choice::Fair).step().unwrap().unwrap();
        chosen[event.binding.parse::<usize>().unwrap()] += 1.0;
    }
    let squares: f64 = chosen
        .iter()
        .map(|count| (count - 1000.0).powi(2) / 1000.0)
        .sum();
    // The 99.9 % quantile of χ² with 4 degrees of freedom.
    assert!(squares < 18.5, "{chosen:?}");
}
