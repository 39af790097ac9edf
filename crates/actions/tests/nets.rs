//! Nets that are checked.

use hotset_actions::NoWatch;
use hotset_actions::net::check::{Options, run};
use hotset_petri::nets;

#[test]
fn a_markov_chain_has_the_memory_that_markings_leave() {
    let entry = nets::find("philosophers").expect("it is in the library");
    let net = entry.build(&[]).expect("a net");
    let is_solved = |memory| {
        let options = Options {
            max_markings: 100_000,
            memory,
        };
        let mut checked = run(&net, &options, &NoWatch).expect("a state space");
        checked.check().expect("all markings fit");
        checked.view().stationary.is_some()
    };
    assert!(is_solved(1 << 20));
    // Markings take 8 KiB and little more, and so would the states of the chain.
    assert!(!is_solved(12 << 10));
}
