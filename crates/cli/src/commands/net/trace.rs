//! `hotset net run --trace`: a run, firing by firing.

use anyhow::Result;
use hotset_petri::{Choice, Event, Net, RunError, Time};
use hotset_report::{NetTraceView, TracedFiring};

use crate::output;

/// How far a run is followed.
pub struct Trace {
    /// Firings at most.
    pub firings: usize,
    /// Until when; nothing for as many firings as asked for.
    pub until: Option<Time>,
    /// Seed of every random choice.
    pub seed: u64,
}

/// Lists the first firings of a run. What came before an error is listed, then it is the command's error.
pub fn run(net: &Net, trace: &Trace, json: bool) -> Result<()> {
    let (events, end) = follow(net, trace);
    let paths: Vec<&str> = net.transitions().collect();
    let firings = events.iter().map(|event| TracedFiring {
        seconds: event.time.secs(),
        transition: paths[event.transition],
        binding: &event.binding,
    });
    let view = NetTraceView {
        net: net.name(),
        seed: trace.seed,
        firings: firings.collect(),
        is_dead: end == Ok(true),
    };
    output::print_view(&view, json)?;
    end?;
    Ok(())
}

/// The firings, and whether nothing could fire after them.
fn follow(net: &Net, trace: &Trace) -> (Vec<Event>, Result<bool, RunError>) {
    let mut run = net.simulate(trace.seed, 0, Choice::Fair);
    let mut events = Vec::new();
    while events.len() < trace.firings {
        match run.step() {
            Ok(Some(event)) if trace.until.is_some_and(|until| event.time > until) => break,
            Ok(Some(event)) => events.push(event),
            Ok(None) => return (events, Ok(true)),
            Err(error) => return (events, Err(error)),
        }
    }
    (events, Ok(false))
}
