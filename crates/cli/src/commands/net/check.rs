//! `hotset net check`: the state space of a net.

use std::time::Instant;

use anyhow::{Result, bail};
use hotset_petri::{ChainError, Ended, Exploration, Net, StateSpace, Stationary};
use hotset_report::{Growth, NetCheckView, number};

use super::NetArgs;
use crate::output::{self, Interrupted};
use crate::progress::Spinner;
use crate::{interrupt, option_values};

/// What `hotset net check` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    net: NetArgs,
    /// Explore at most so many markings
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    max_markings: u32,
    /// Use at most so much memory for them
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = option_values::size)]
    memory: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Markov chains of more states take too long to be solved.
const MOST_STATES: usize = 1_000_000;

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let net = args.net.build()?;
    let exploration = Exploration {
        max_markings: args.max_markings as usize,
        memory_bytes: args.memory,
    };
    let started = Instant::now();
    let (mut space, stationary) = {
        let _guard = interrupt::Guard::new();
        let _spinner = Spinner::new("exploring markings");
        let space = exploration.explore(&net, &|_| !interrupt::pending());
        let stationary = space.is_ok().then(|| stationary(&net, &exploration));
        interrupt::forget();
        (space?, stationary.unwrap_or(Ok(None)))
    };
    let dead = space.dead().next();
    let was_stopped = stationary.is_err();
    let view = NetCheckView {
        dead_end: dead.map(|dead| (dead, space.path_to(dead))),
        growth: growth(&mut space),
        long_run: space.long_run(),
        place_invariants: net.place_invariants(),
        transition_invariants: net.transition_invariants(),
        stationary: stationary.unwrap_or_default(),
        space: &space,
        seconds: started.elapsed().as_secs_f64(),
    };
    output::print_view(&view, args.json)?;
    incomplete(&space, args)?;
    match was_stopped {
        true => bail!(Interrupted(
            "interrupted; the means of the long run are missing"
        )),
        false => Ok(()),
    }
}

/// The long run of a net that is a Markov chain; nothing if it is none, or one of too many states. An error if it was
/// interrupted.
fn stationary(net: &Net, exploration: &Exploration) -> Result<Option<Stationary>, Stopped> {
    let limits = Exploration {
        max_markings: exploration.max_markings.min(MOST_STATES),
        ..exploration.clone()
    };
    match net.stationary(&limits, &|_| !interrupt::pending()) {
        Ok(stationary) => Ok(Some(stationary)),
        Err(ChainError::Stopped { .. }) => Err(Stopped),
        Err(_) => Ok(None),
    }
}

/// Ctrl-C was pressed.
struct Stopped;

/// The place that was found to grow without bound.
fn growth(space: &mut StateSpace<'_>) -> Option<Growth> {
    let Ended::Unbounded { place, from, to } = *space.ended() else {
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
fn incomplete(space: &StateSpace<'_>, args: &Args) -> Result<()> {
    let net = space.net().name();
    match *space.ended() {
        Ended::Complete => Ok(()),
        Ended::Stopped => bail!(Interrupted(
            "interrupted; the report is about the markings found until then"
        )),
        Ended::TooManyMarkings => bail!(
            "{net}: has more than {} markings; the report is about those; explore more with --max-markings",
            number::count(u64::from(args.max_markings))
        ),
        Ended::OutOfMemory => bail!(
            "{net}: its markings need more than {}; the report is about those found until then; give more --memory",
            number::bytes(args.memory)
        ),
        Ended::Uncountable { place } => bail!(
            "{net}: {}: holds more tokens than can be counted; the report is about the markings found until then",
            place_of(space, place)
        ),
        Ended::Unbounded { place, .. } => bail!(
            "{net}: {}: the place grows without bound, so the markings have no end; let something limit it",
            place_of(space, place)
        ),
    }
}

fn place_of<'n>(space: &StateSpace<'n>, place: usize) -> &'n str {
    space.net().places().nth(place).unwrap_or_default()
}
