//! Nets of the library.

use hotset_petri::nets::{LENGTH, find};
use hotset_petri::{
    Answer, Choice, End, Event, Experiment, Exploration, Net, StoppingRule, Watcher,
};
use hotset_report::{Growth, NetCheckView};

struct Nobody;

impl Watcher for Nobody {}

pub fn net(name: &str, set: &[(&str, f64)]) -> Net {
    find(name).unwrap().build(set).unwrap()
}

/// Ten replications of a queue.
pub fn answer() -> Answer {
    let experiment = Experiment {
        length: LENGTH,
        enough: StoppingRule::Replications(4),
        seed: 7,
        ..Experiment::default()
    };
    experiment
        .run(&net("mm1", &[("rho", 0.5)]), &Nobody)
        .unwrap()
}

/// The first firings of a run.
pub fn firings(net: &Net, most: usize) -> Vec<Event> {
    let mut run = net.simulate(7, 0, Choice::Fair);
    let mut events = Vec::new();
    while events.len() < most {
        match run.step().unwrap() {
            Some(event) => events.push(event),
            None => break,
        }
    }
    events
}

/// What is found of a net by going through at most `max_markings`.
pub fn with_check<T>(net: &Net, max_markings: usize, then: impl FnOnce(&NetCheckView) -> T) -> T {
    let exploration = Exploration {
        max_markings,
        ..Exploration::default()
    };
    let mut space = exploration.explore(net, &|_| true).unwrap();
    let dead = space.dead().next();
    let growth = match *space.ended() {
        End::Unbounded { place, from, to } => {
            let first = space.path_to(from);
            let again = space.path_to(to).split_off(first.len());
            Some(Growth {
                place,
                first,
                again,
            })
        }
        _ => None,
    };
    then(&NetCheckView {
        dead_end: dead.map(|dead| (dead, space.path_to(dead))),
        growth,
        long_run: space.long_run(),
        place_invariants: net.place_invariants(),
        transition_invariants: net.transition_invariants(),
        stationary: net.stationary(&exploration, &|_| true).ok(),
        space: &space,
        seconds: 0.25,
    })
}
