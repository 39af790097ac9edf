//! Nets with exponential delays as Markov chains, solved exactly: what simulations are checked with.
//!
//! What is under way is part of a state: for each transition and each arc with a delay, how many of its firings have tokens
//! that are not ready yet. A second net has places for these, and a transition for each that ends a delay. Its markings are the states.
//! Those in which a transition of the first net is enabled are left at once, by each with the same probability.

use super::error::SpaceError;
use super::explore::Exploration;
use super::rules::Successors;
use super::state_space::{End, StateSpace};
use crate::author::Page;
use crate::handles::Unit;
use crate::net::{Net, TransitionSpec, Urgent};

/// The sweeps end when the probabilities of all states together are off their balance by no more than this.
const TOLERANCE: f64 = 1e-12;
/// So many sweeps are made at most.
const MOST_SWEEPS: usize = 100_000;

/// The long run of a net with exponential delays.
#[derive(Clone, Debug, PartialEq)]
pub struct SteadyState {
    /// States that it stays among, those included that are left at once.
    pub states: usize,
    /// By how much the probabilities of all states together are off their balance, after the last sweep.
    pub residual: f64,
    /// Mean tokens of each place, ready or not, in the order of [`Net::places`].
    pub tokens: Vec<f64>,
    /// Firings of each transition in a second, in the order of [`Net::transitions`].
    pub rates: Vec<f64>,
}

/// Why a net has no Markov chain that can be solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ChainError {
    /// A transition with colours or code.
    #[error(
        "{path}: has coloured tokens, a guard or code; a Markov chain is made of nets with unit tokens only"
    )]
    Coloured {
        /// The transition.
        path: String,
    },
    /// A delay that is not exponential.
    #[error("{path}: has a delay that is not exponential; a Markov chain needs exponential delays")]
    NotExponential {
        /// The transition.
        path: String,
    },
    /// A place with delayed tokens is counted or emptied as a whole.
    #[error(
        "{path}: inhibits by or resets a place whose tokens have delays; a Markov chain cannot have that yet"
    )]
    CountsDelayed {
        /// The transition.
        path: String,
    },
    /// There are more states than were allowed, or without end.
    #[error(
        "{net}: has more states than were allowed: {found} were found; give more, or limit its places"
    )]
    TooManyStates {
        /// The net.
        net: String,
        /// How many were found.
        found: usize,
    },
    /// It does not come to one long run.
    #[error("{net}: may end up in {ends} different sets of states, so it has no single long run")]
    SeveralEnds {
        /// The net.
        net: String,
        /// How many sets.
        ends: usize,
    },
    /// Time stands still for ever, or nothing can happen any more.
    #[error("{net}: comes to a stop, or to a loop in which no time passes")]
    NoTime {
        /// The net.
        net: String,
    },
    /// The sweeps did not come close enough.
    #[error(
        "{net}: its probabilities are off their balance by {residual:e} after {MOST_SWEEPS} sweeps"
    )]
    NotSolved {
        /// The net.
        net: String,
        /// By how much.
        residual: f64,
    },
    /// It was told to stop.
    #[error("{net}: stopped before its probabilities were known")]
    Stopped {
        /// The net.
        net: String,
    },
    /// The states could not be explored.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

/// Firings of which tokens are under way.
struct Transit {
    /// Mean of what is left of the delay, in seconds.
    mean: f64,
    /// Tokens that are given when it ends.
    gives: Vec<(u32, u32)>,
    /// Those that then are under way themselves.
    starts: Vec<usize>,
}

/// The firings of a net and what of them takes time.
#[derive(Default)]
struct Delays {
    under_way: Vec<Transit>,
    /// By transition.
    fires: Vec<FiringEffect>,
}

/// What a firing does.
struct FiringEffect {
    /// Tokens that are given at once.
    gives: Vec<(u32, u32)>,
    /// What gets under way.
    starts: Vec<usize>,
}

impl Net {
    /// The long run of a net with unit tokens and exponential delays, computed from its Markov chain by Gauss–Seidel sweeps
    /// (Stewart, "Introduction to the numerical solution of Markov chains", 1994, section 3.2). Now and then, `goes_on` is told
    /// how many states there are, and says whether to go on.
    ///
    /// # Errors
    /// A net whose chain cannot be made or has no single long run, and more states than `limits` allow.
    pub fn stationary(
        &self,
        limits: &Exploration,
        goes_on: &dyn Fn(usize) -> bool,
    ) -> Result<SteadyState, ChainError> {
        let delays = Delays::of(self)?;
        let net = delays.second_net(self)?;
        let mut space = limits.explore(&net, goes_on)?;
        let name = || self.name.clone();
        if *space.ended() == End::Stopped {
            return Err(ChainError::Stopped { net: name() });
        }
        if *space.ended() != End::Complete {
            return Err(ChainError::TooManyStates {
                net: name(),
                found: space.len(),
            });
        }
        let chain = Chain::of(&mut space, &delays, self.transitions.len(), name())?;
        let (shares, residual) = chain.solved(&name, goes_on)?;
        Ok(chain.long_run(&space, &delays, self, &shares, residual))
    }
}

impl Delays {
    fn of(net: &Net) -> Result<Delays, ChainError> {
        let mut delays = Delays::default();
        let mut is_delayed = vec![false; net.places.len()];
        for it in &net.transitions {
            let path = || it.path.clone();
            if it.body.is_some() {
                return Err(ChainError::Coloured { path: path() });
            }
            delays
                .add(it, &mut is_delayed)
                .ok_or_else(|| ChainError::NotExponential { path: path() })?;
        }
        for it in &net.transitions {
            let counted = it
                .inhibitors
                .iter()
                .map(|it| it.0)
                .chain(it.resets.iter().copied());
            if counted.into_iter().any(|place| is_delayed[place as usize]) {
                let path = it.path.clone();
                return Err(ChainError::CountsDelayed { path });
            }
        }
        Ok(delays)
    }

    /// Adds a transition; nothing if a delay is not exponential.
    fn add(&mut self, it: &TransitionSpec, is_delayed: &mut [bool]) -> Option<()> {
        let (mut gives, mut starts) = (Vec::new(), Vec::new());
        for (place, count, after) in &it.gives {
            let is_at_once = after.is_none();
            is_delayed[*place as usize] |= !is_at_once || !it.delay.is_none();
            if is_at_once {
                gives.push((*place, *count));
                continue;
            }
            starts.push(self.under_way.len());
            self.under_way.push(Transit {
                mean: after.exponential_mean()?,
                gives: vec![(*place, *count)],
                starts: Vec::new(),
            });
        }
        if it.delay.is_none() {
            self.fires.push(FiringEffect { gives, starts });
            return Some(());
        }
        self.fires.push(FiringEffect {
            gives: Vec::new(),
            starts: vec![self.under_way.len()],
        });
        self.under_way.push(Transit {
            mean: it.delay.exponential_mean()?,
            gives,
            starts,
        });
        Some(())
    }

    /// The net whose markings are the states: first the places and transitions of the first one, then those of what is under way.
    fn second_net(&self, net: &Net) -> Result<Net, ChainError> {
        let made = Net::build(&net.name, |page| {
            let places = net.places.iter().enumerate();
            let places = places.map(|(it, place)| page.unit(&format!("place {it}"), place.initial));
            let places: Vec<Unit> = places.collect();
            let under_way =
                (0..self.under_way.len()).map(|it| page.unit(&format!("under way {it}"), 0));
            let under_way: Vec<Unit> = under_way.collect();
            for (it, fires) in net.transitions.iter().zip(&self.fires) {
                first_transition(page, it, fires, &places, &under_way);
            }
            for (it, ends) in self.under_way.iter().enumerate() {
                let mut transition = page
                    .transition(&format!("end {it}"))
                    .take(&under_way[it])
                    .urgency(Urgent(u32::MAX));
                for &(place, count) in &ends.gives {
                    transition = transition.put(places[place as usize].times(count));
                }
                for &start in &ends.starts {
                    transition = transition.put(&under_way[start]);
                }
                transition.done();
            }
        });
        // What is meaningful with delays is without them.
        made.map_err(|_| ChainError::NoTime {
            net: net.name.clone(),
        })
    }
}

/// A transition of the first net in the second one.
fn first_transition(
    page: &mut Page<'_>,
    it: &TransitionSpec,
    fires: &FiringEffect,
    places: &[Unit],
    under_way: &[Unit],
) {
    let place = |number: u32| &places[number as usize];
    let mut transition = page
        .transition(&it.path.replace('/', "·"))
        .urgency(Urgent(it.level as u32));
    for &(from, count) in &it.needs {
        transition = transition.take(place(from).times(count));
    }
    for &(by, below) in &it.inhibitors {
        transition = transition.below(place(by), below);
    }
    for &reset in &it.resets {
        transition = transition.reset(place(reset));
    }
    for &(to, count) in &fires.gives {
        transition = transition.put(place(to).times(count));
    }
    for &start in &fires.starts {
        transition = transition.put(&under_way[start]);
    }
    transition.done();
}

/// The chain of jumps among the states that the net stays among.
struct Chain {
    /// The markings that are states.
    states: Vec<usize>,
    /// Mean seconds until a state is left.
    stays: Vec<f64>,
    /// Where the jumps into each state begin.
    starts: Vec<usize>,
    /// Where each comes from, and how probable it is there.
    jumps: Vec<(u32, f64)>,
    /// State, transition of the first net, and its probability.
    firings: Vec<(u32, u32, f64)>,
}

impl Chain {
    fn of(
        space: &mut StateSpace<'_>,
        delays: &Delays,
        first: usize,
        net: String,
    ) -> Result<Chain, ChainError> {
        let at_home = space.home_markings();
        let states = match at_home {
            Ok(states) => states,
            Err(ends) => return Err(ChainError::SeveralEnds { net, ends }),
        };
        let mut number = vec![u32::MAX; space.len()];
        for (state, &marking) in states.iter().enumerate() {
            number[marking] = state as u32;
        }
        let mut stays = Vec::new();
        let mut firings = Vec::new();
        let mut into = vec![Vec::new(); states.len()];
        let mut successors = Successors::default();
        for (state, &marking) in states.iter().enumerate() {
            // What was followed once is followed again.
            let _ = space.follow(marking as u32, &mut successors);
            let transitions = &successors.transitions;
            let rates = transitions
                .iter()
                .map(|&it| match (it as usize).checked_sub(first) {
                    None => 1.0,
                    Some(ended) => {
                        let place = space.bounds.len() - delays.under_way.len() + ended;
                        f64::from(space.tokens(marking, place)) / delays.under_way[ended].mean
                    }
                });
            let rates = Vec::from_iter(rates);
            let all: f64 = rates.iter().sum();
            let takes_time = transitions.first().is_none_or(|&it| it as usize >= first);
            stays.push(if takes_time { 1.0 / all } else { 0.0 });
            let from = space.starts[marking] as usize;
            for (it, (&transition, rate)) in transitions.iter().zip(rates).enumerate() {
                let target = number[space.targets[from + it] as usize];
                into[target as usize].push((state as u32, rate / all));
                if (transition as usize) < first {
                    firings.push((state as u32, transition, rate / all));
                }
            }
        }
        if stays.iter().any(|it| !it.is_finite()) || stays.iter().all(|&it| it == 0.0) {
            return Err(ChainError::NoTime { net });
        }
        let mut starts = vec![0];
        starts.extend(into.iter().scan(0, |sum, it| {
            *sum += it.len();
            Some(*sum)
        }));
        Ok(Chain {
            states,
            stays,
            starts,
            jumps: into.concat(),
            firings,
        })
    }

    /// The share of jumps into each state, and how far all are off their balance.
    fn solved(
        &self,
        net: &dyn Fn() -> String,
        goes_on: &dyn Fn(usize) -> bool,
    ) -> Result<(Vec<f64>, f64), ChainError> {
        let count = self.states.len();
        let mut shares = vec![1.0 / count as f64; count];
        let mut residual = f64::INFINITY;
        for _ in 0..MOST_SWEEPS {
            if !goes_on(count) {
                return Err(ChainError::Stopped { net: net() });
            }
            for state in 0..count {
                let (mut sum, mut stays) = (0.0, 0.0);
                for &(from, probability) in &self.jumps[self.starts[state]..self.starts[state + 1]]
                {
                    match from as usize == state {
                        true => stays += probability,
                        false => sum += shares[from as usize] * probability,
                    }
                }
                if stays < 1.0 {
                    shares[state] = sum / (1.0 - stays);
                }
            }
            let sum: f64 = shares.iter().sum();
            shares.iter_mut().for_each(|it| *it /= sum);
            residual = self.residual(&shares);
            if residual <= TOLERANCE {
                return Ok((shares, residual));
            }
        }
        Err(ChainError::NotSolved {
            net: net(),
            residual,
        })
    }

    /// By how much the shares and what jumps make of them differ, all together.
    fn residual(&self, shares: &[f64]) -> f64 {
        let off = shares.iter().enumerate().map(|(state, share)| {
            let jumps = &self.jumps[self.starts[state]..self.starts[state + 1]];
            let sum: f64 = jumps
                .iter()
                .map(|&(from, it)| shares[from as usize] * it)
                .sum();
            (sum - share).abs()
        });
        off.sum()
    }

    fn long_run(
        &self,
        space: &StateSpace<'_>,
        delays: &Delays,
        net: &Net,
        shares: &[f64],
        residual: f64,
    ) -> SteadyState {
        let time: f64 = shares
            .iter()
            .zip(&self.stays)
            .map(|(share, stay)| share * stay)
            .sum();
        let mut tokens = vec![0.0; net.places.len()];
        for (state, &marking) in self.states.iter().enumerate() {
            let probability = shares[state] * self.stays[state] / time;
            for (place, sum) in tokens.iter_mut().enumerate() {
                *sum += probability * f64::from(space.tokens(marking, place));
            }
            for it in 0..delays.under_way.len() {
                let firings = space.tokens(marking, net.places.len() + it);
                for (place, count) in delays.all_tokens(it) {
                    tokens[place as usize] += probability * f64::from(firings * count);
                }
            }
        }
        let mut rates = vec![0.0; net.transitions.len()];
        for &(state, transition, probability) in &self.firings {
            rates[transition as usize] += shares[state as usize] * probability / time;
        }
        tokens.truncate(net.drawn_places);
        SteadyState {
            states: self.states.len(),
            residual,
            tokens,
            rates,
        }
    }
}

impl Delays {
    /// The tokens of a firing that is under way, those included that will be under way again.
    fn all_tokens(&self, it: usize) -> impl Iterator<Item = (u32, u32)> {
        let it = &self.under_way[it];
        let later = it
            .starts
            .iter()
            .flat_map(|&start| &self.under_way[start].gives);
        it.gives.iter().chain(later).copied()
    }
}
