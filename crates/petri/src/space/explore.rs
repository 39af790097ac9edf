//! Breadth first through all markings.

use super::colours::Trouble;
use super::error::SpaceError;
use super::paths::in_words;
use super::rules::Stop;
use super::skeleton::Skeleton;
use super::state_space::{End, Scratch, StateSpace};
use crate::net::Net;

/// How far a state space is explored.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// No more markings than this.
    pub max_markings: usize,
    /// No more memory than this, in bytes.
    pub memory_bytes: u64,
}

impl Default for Exploration {
    /// Ten million markings in at most 1 GiB.
    fn default() -> Self {
        Exploration {
            max_markings: 10_000_000,
            memory_bytes: 1 << 30,
        }
    }
}

impl Exploration {
    /// Explores a net from its initial marking. Now and then, `goes_on` is told how many markings there are, and says
    /// whether to go on.
    ///
    /// # Errors
    /// Transitions that borrow objects, code that panics, or that draws numbers whose outcomes cannot be gone through.
    pub fn explore<'n>(
        &self,
        net: &'n Net,
        goes_on: &dyn Fn(usize) -> bool,
    ) -> Result<StateSpace<'n>, SpaceError> {
        if let Some(it) = net.transitions.iter().find(|it| it.borrows) {
            let path = it.path.clone();
            return Err(SpaceError::Borrows { path });
        }
        let mut chooses_delay = vec![false; net.transitions.len()];
        loop {
            let mut space = StateSpace::new(net, Skeleton::of(net, chooses_delay.clone()));
            match self.fill(&mut space, goes_on) {
                Ok(()) => return Ok(space),
                Err((
                    at,
                    Stop::Trouble {
                        transition,
                        trouble,
                    },
                )) => match trouble {
                    Trouble::ChoseDelay => chooses_delay[transition as usize] = true,
                    trouble => return Err(error(&mut space, at, transition, trouble)),
                },
                Err((_, Stop::Overflow(place))) => {
                    space.ended = End::Uncountable { place };
                    return Ok(space);
                }
                Err((_, Stop::OutOfMemory)) => {
                    space.ended = End::OutOfMemory;
                    return Ok(space);
                }
            }
        }
    }

    fn fill(
        &self,
        space: &mut StateSpace<'_>,
        goes_on: &dyn Fn(usize) -> bool,
    ) -> Result<(), (u32, Stop)> {
        /// So many markings are gone through between looks at the memory and at the clock.
        const PACE: u32 = 1 << 10;
        let mut scratch = Scratch::default();
        space.raise_bounds(0);
        let mut next: u32 = 0;
        while (next as usize) < space.markings.len() && space.ended == End::Complete {
            if next.is_multiple_of(PACE) {
                if !goes_on(space.markings.len()) {
                    space.ended = End::Stopped;
                    break;
                }
                if space.bytes() > self.memory_bytes {
                    space.ended = End::OutOfMemory;
                    break;
                }
            }
            let expanded = space.expand(next, (self.max_markings, self.memory_bytes), &mut scratch);
            expanded.map_err(|stop| (next, stop))?;
            if let Some(unbounded) = space.doubled.take().and_then(|it| space.growth(it)) {
                space.ended = unbounded;
            }
            next += 1;
        }
        Ok(())
    }
}

/// The trouble that a transition made in a marking, with the way there.
fn error(space: &mut StateSpace<'_>, at: u32, transition: u32, trouble: Trouble) -> SpaceError {
    let path = space.net.transitions[transition as usize].path.clone();
    match trouble {
        Trouble::Panicked { message } => SpaceError::Panicked {
            after: in_words(space.net, &space.path_to(at as usize)),
            path,
            message,
        },
        _ => SpaceError::Draws { path },
    }
}
