//! Nets in the Petri Net Markup Language: no panic, and what is read can be written and read again.
#![no_main]

use hotset_petri::Choice;
use hotset_petri_exchange::export::{Dot, Exporter, Pnml, Text};
use hotset_petri_exchange::import;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let Ok(net) = import::pnml(text) else {
        return;
    };
    Text.export(&net).expect("every net has a text");
    Dot.export(&net).expect("every net has a drawing");
    let written = Pnml.export(&net).expect("what was read can be written");
    let again = import::pnml(&written).expect("what was written can be read");
    assert_eq!(net.places().len(), again.places().len());
    assert!(net.transitions().eq(again.transitions()));
    let mut run = net.simulate(1, 0, Choice::Fair);
    for _ in 0..100 {
        match run.step() {
            Ok(Some(_)) => {}
            Ok(None) | Err(_) => break,
        }
    }
});
