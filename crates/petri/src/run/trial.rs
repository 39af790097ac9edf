//! Firings of single transitions on tokens that are laid before them: what a state space is explored with.
//!
//! The clock stands at 0, and whatever is given is ready at once.

use std::any::Any;

use super::choice::Choice;
use super::simulation::Simulation;
use crate::delay::Delay;
use crate::net::Net;
use crate::places::AnyShelf;
use crate::state::Firing;
use crate::stream::Decisions;

/// A net of which single transitions are fired. Only coloured tokens are laid before them: unit tokens are nothing that
/// guards and code see.
pub(crate) struct Trial<'n>(Simulation<'n>);

/// How a firing went.
pub(crate) struct Attempt {
    /// The tokens that it took, as text.
    pub binding: String,
    /// What its code decided.
    pub decisions: Decisions,
    /// Whether its code drew numbers whose outcomes cannot be gone through.
    pub drew: bool,
    /// Whether its code chose a delay.
    pub chose_delay: bool,
}

impl<'n> Trial<'n> {
    /// The initial tokens lie before the transitions until they are cleared.
    pub fn new(net: &'n Net) -> Self {
        let mut run = net.simulate(0, 0, Choice::Fair);
        run.core.is_untimed = true;
        Trial(run)
    }

    /// The tokens of a coloured place.
    pub fn shelf(&self, place: u32) -> Option<&dyn AnyShelf> {
        self.0.shelves[place as usize].as_deref()
    }

    /// Lays a token before the transitions.
    pub fn lay(&mut self, place: u32, token: &dyn Any) {
        if let Some(shelf) = &self.0.shelves[place as usize] {
            shelf.add(token);
            self.0.core.total[place as usize] += 1;
        }
    }

    /// Takes all tokens of a place away.
    pub fn clear(&mut self, place: u32) {
        if let Some(shelf) = &self.0.shelves[place as usize] {
            shelf.clear();
        }
        self.0.core.total[place as usize] = 0;
        self.0.core.ready[place as usize] = 0;
    }

    /// Bindings of a transition, as far as its coloured tokens go.
    pub fn bindings(&mut self, transition: u32) -> u64 {
        let body = &mut self.0.steps[transition as usize].body;
        let limit = u64::from(u32::MAX);
        body.as_mut().map_or(1, |body| body.count(limit))
    }

    /// Fires with the binding of a number, which must be below the last count.
    pub fn fire(&mut self, transition: u32, nth: u64, decisions: Decisions) -> Attempt {
        let Simulation {
            core,
            steps,
            shelves,
            ..
        } = &mut self.0;
        core.binding = Some(String::new());
        core.chose_delay = false;
        let step = &mut steps[transition as usize];
        let before = step.stream.clone();
        step.stream.follow(decisions);
        let mut firing = Firing {
            core,
            stream: &mut step.stream,
            law: &Delay::NONE,
            resets: &step.spec.resets,
            shelves,
            chosen: None,
        };
        if let Some(body) = &mut step.body {
            body.fire(nth, &mut firing);
        }
        Attempt {
            decisions: step.stream.decisions(),
            drew: !step.stream.drew_as(&before),
            binding: core.binding.take().unwrap_or_default(),
            chose_delay: core.chose_delay,
        }
    }
}
