//! A run of a net, firing by firing.

use hotset_petri::{Choice, Event, Net, RunError, Time};
use hotset_report::{NetTraceView, TracedFiring};

use super::named;
use crate::JobError;

/// Which net is followed, and how far.
#[derive(Clone)]
pub struct Options {
    /// The net.
    pub net: named::Options,
    /// Firings at most.
    pub firings: usize,
    /// Until when; nothing for as many firings as asked for.
    pub until: Option<Time>,
    /// Seed of every random choice.
    pub seed: u64,
}

/// The first firings of a run.
pub struct TraceResult {
    net: Net,
    seed: u64,
    events: Vec<Event>,
    end: Result<bool, RunError>,
    options: named::Options,
}

/// Follows a run.
///
/// # Errors
/// A net that cannot be built.
pub fn run(options: &Options) -> Result<TraceResult, JobError> {
    let net = options.net.build()?;
    let (events, end) = follow(&net, options);
    Ok(TraceResult {
        net,
        seed: options.seed,
        events,
        end,
        options: options.net.clone(),
    })
}

impl TraceResult {
    /// What reports show.
    pub fn view(&self) -> NetTraceView<'_> {
        let paths: Vec<&str> = self.net.transitions().collect();
        let firings = self.events.iter().map(|event| TracedFiring {
            seconds: event.time.secs(),
            transition: paths[event.transition],
            binding: &event.binding,
        });
        NetTraceView {
            net: self.net.name(),
            seed: self.seed,
            firings: firings.collect(),
            is_dead: self.end == Ok(true),
        }
    }

    /// Whether the run went as far as it was to be followed.
    ///
    /// # Errors
    /// What ended it, which is to be said after the report of what came before.
    pub fn check(self) -> Result<(), JobError> {
        let ended = self.end.map_err(|error| self.options.ended_by(error));
        ended.map(|_| ())
    }
}

/// The firings, and whether nothing could fire after them.
fn follow(net: &Net, options: &Options) -> (Vec<Event>, Result<bool, RunError>) {
    let mut run = net.simulate(options.seed, 0, Choice::Fair);
    let mut events = Vec::new();
    while events.len() < options.firings {
        match run.step() {
            Ok(Some(event)) if options.until.is_some_and(|until| event.time > until) => break,
            Ok(Some(event)) => events.push(event),
            Ok(None) => return (events, Ok(true)),
            Err(error) => return (events, Err(error)),
        }
    }
    (events, Ok(false))
}
