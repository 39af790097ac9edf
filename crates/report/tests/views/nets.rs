//! Nets: what there are, their runs, their firings and their markings.

use super::pin::pin_text;
use crate::sample::nets;
use hotset_models::nets as file_systems;
use hotset_outcome::{Provenance, ProvenanceKind};
use hotset_petri::nets::LIBRARY;
use hotset_report::*;

#[test]
fn nets_of_the_library() {
    let entries: Vec<_> = LIBRARY.iter().chain(file_systems::LIBRARY).collect();
    pin_text("net-list", &NetsView { nets: &entries });
    let answer = nets::answer();
    let provenance = Provenance::new(ProvenanceKind::Simulated);
    pin_text(
        "net-run",
        &NetRunView {
            net: "mm1",
            answer: &answer,
            outcome: answer.outcome("mm1", provenance),
            seed: 7,
            seconds: 0.5,
        },
    );
}

#[test]
fn firings_and_markings_of_nets() {
    let philosophers = nets::net("philosophers", &[("n", 3.0)]);
    let events = nets::firings(&philosophers, 12);
    let paths: Vec<&str> = philosophers.transitions().collect();
    let firing = |event: &'_ hotset_petri::Event| {
        (event.time.secs(), event.transition, event.binding.clone())
    };
    let events: Vec<_> = events.iter().map(firing).collect();
    for (name, is_dead) in [("net-trace", false), ("net-trace-dead", true)] {
        let firings = events
            .iter()
            .map(|(seconds, transition, binding)| TracedFiring {
                seconds: *seconds,
                transition: paths[*transition],
                binding,
            });
        pin_text(
            name,
            &NetTraceView {
                net: "philosophers",
                seed: 7,
                firings: firings.collect(),
                is_dead,
            },
        );
    }
    for (name, net, set, most) in [
        ("net-check", "philosophers", &[("n", 3.0)][..], 10_000),
        ("net-check-in-part", "philosophers", &[("n", 12.0)], 100),
        ("net-check-unbounded", "mm1", &[], 10_000),
    ] {
        nets::with_check(&nets::net(net, set), most, |view| pin_text(name, view));
    }
}
