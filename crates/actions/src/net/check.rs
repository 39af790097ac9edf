//! The state space of a net: bounds of places, dead markings, the long run.

use std::time::Instant;

use hotset_petri::{
    ChainError, End, Exploration, LongRun, Net, PlaceInvariant, StateSpace, SteadyState, Step,
    Weights,
};
use hotset_report::{Growth, NetCheckView, number};

use crate::error::{refuse, refused};
use crate::{Field, JobError, Part, Watch};

/// How far a net's markings are explored.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Markings at most.
    pub max_markings: u32,
    /// Bytes of memory for them at most. The states of a Markov chain have what they leave.
    pub memory: u64,
}

/// Markov chains of more states take too long to be solved.
const MOST_STATES: usize = 1_000_000;

/// What was found of a net.
pub struct CheckResult<'n> {
    space: StateSpace<'n>,
    dead_end: Option<(usize, Vec<Step>)>,
    growth: Option<Growth>,
    long_run: Option<LongRun>,
    place_invariants: Option<Vec<PlaceInvariant>>,
    transition_invariants: Option<Vec<Weights>>,
    stationary: Option<SteadyState>,
    was_stopped: bool,
    seconds: f64,
    options: Options,
}

/// Explores the markings of `net`.
///
/// # Errors
/// A net that has no state space that can be explored.
pub fn run<'n>(
    net: &'n Net,
    options: &Options,
    watch: &dyn Watch,
) -> Result<CheckResult<'n>, JobError> {
    let exploration = Exploration {
        max_markings: options.max_markings as usize,
        memory_bytes: options.memory,
    };
    let started = Instant::now();
    let (mut space, stationary) = {
        let _held = watch.hold_interrupts();
        watch.begin(Part::Uncounted("exploring markings"));
        let space = exploration.explore(net, &|_| !watch.stops());
        let held_bytes = space.as_ref().ok().map(StateSpace::bytes);
        let stationary = held_bytes.map(|bytes| stationary(net, &exploration, bytes, watch));
        watch.has_stopped();
        watch.end();
        (space?, stationary.unwrap_or(Ok(None)))
    };
    let dead = space.deadlocks().next().or_else(|| space.dead().next());
    Ok(CheckResult {
        dead_end: dead.map(|dead| (dead, space.path_to(dead))),
        growth: growth(&mut space),
        long_run: space.long_run(),
        place_invariants: net.place_invariants(),
        transition_invariants: net.transition_invariants(),
        was_stopped: stationary.is_err(),
        stationary: stationary.unwrap_or_default(),
        space,
        seconds: started.elapsed().as_secs_f64(),
        options: *options,
    })
}

impl CheckResult<'_> {
    /// What reports show; it can be shown once.
    pub fn view(&mut self) -> NetCheckView<'_> {
        NetCheckView {
            dead_end: self.dead_end.take(),
            growth: self.growth.take(),
            long_run: self.long_run.take(),
            place_invariants: self.place_invariants.take(),
            transition_invariants: self.transition_invariants.take(),
            stationary: self.stationary.take(),
            space: &self.space,
            seconds: self.seconds,
        }
    }

    /// Whether everything was explored.
    ///
    /// # Errors
    /// Why not, which is to be said after the report.
    pub fn check(&self) -> Result<(), JobError> {
        incomplete(&self.space, &self.options)?;
        match self.was_stopped {
            false => Ok(()),
            true => Err(JobError::Interrupted(
                "interrupted; the means of the long run are missing",
            )),
        }
    }
}

/// The long run of a net that is a Markov chain; nothing if it is none, or one of too many states. Of the memory, `held_bytes` are
/// taken. An error if it was interrupted.
fn stationary(
    net: &Net,
    exploration: &Exploration,
    held_bytes: u64,
    watch: &dyn Watch,
) -> Result<Option<SteadyState>, Stopped> {
    let limits = Exploration {
        max_markings: exploration.max_markings.min(MOST_STATES),
        memory_bytes: exploration.memory_bytes.saturating_sub(held_bytes),
    };
    match net.stationary(&limits, &|_| !watch.stops()) {
        Ok(stationary) => Ok(Some(stationary)),
        Err(ChainError::Stopped { .. }) => Err(Stopped),
        Err(_) => Ok(None),
    }
}

/// It was asked to stop.
struct Stopped;

/// The place that was found to grow without bound.
fn growth(space: &mut StateSpace<'_>) -> Option<Growth> {
    let End::Unbounded { place, from, to } = *space.ended() else {
        return None;
    };
    let first = space.path_to(from);
    let again = space.path_to(to).split_off(first.len());
    Some(Growth {
        place,
        first,
        again,
    })
}

/// Why a state space is not complete, as an error.
fn incomplete(space: &StateSpace<'_>, options: &Options) -> Result<(), JobError> {
    let net = space.net().name();
    match *space.ended() {
        End::Complete => Ok(()),
        End::Stopped => Err(JobError::Interrupted(
            "interrupted; the report is about the markings found until then",
        )),
        End::TooManyMarkings => Err(refused(format!(
            "{net}: has more than {} markings; the report is about those; explore more with {}",
            number::count(u64::from(options.max_markings)),
            Field::MaxMarkings
        ))),
        End::OutOfMemory => Err(refused(format!(
            "{net}: its markings need more than {}; the report is about those found until then; \
             give more {}",
            number::bytes(options.memory),
            Field::Memory
        ))),
        End::Uncountable { place } => refuse!(
            "{net}: {}: holds more tokens than can be counted; the report is about the markings found until then",
            place_of(space, place)
        ),
        End::Unbounded { place, .. } => refuse!(
            "{net}: {}: the place grows without bound, so the markings have no end; let something limit it",
            place_of(space, place)
        ),
    }
}

fn place_of<'n>(space: &StateSpace<'n>, place: usize) -> &'n str {
    space.net().places().nth(place).unwrap_or_default()
}
