//! `hotset net check`.

use std::collections::BTreeMap;

use hotset_petri::{End, LongRun, PlaceInvariant, StateSpace, SteadyState, Step, Weights};
use serde::Serialize;

use crate::{Document, Json, Table, Tone, View, number};

/// So many rows of a table are shown on a terminal.
const SHOWN: usize = 20;

/// The state space of a net.
pub struct NetCheckView<'a> {
    /// The state space.
    pub space: &'a StateSpace<'a>,
    /// A dead marking and the firings that lead there, if there is one: a deadlock, if there is one.
    pub dead_end: Option<(usize, Vec<Step>)>,
    /// A place that grows without bound: the firings that lead to where it begins, and those that can be repeated.
    pub growth: Option<Growth>,
    /// What the net comes to in the long run, if the state space is complete.
    pub long_run: Option<LongRun>,
    /// Sums of tokens that no firing changes, unless they are too many.
    pub place_invariants: Option<Vec<PlaceInvariant>>,
    /// Firings that change nothing together, unless they are too many.
    pub transition_invariants: Option<Vec<Weights>>,
    /// The long run of a net that is a Markov chain.
    pub stationary: Option<SteadyState>,
    /// How long it all took by the clock, in seconds.
    pub seconds: f64,
}

/// A place that grows without bound.
pub struct Growth {
    /// The place, by its number.
    pub place: usize,
    /// The firings that lead to where it begins.
    pub first: Vec<Step>,
    /// Those that can be repeated for ever.
    pub again: Vec<Step>,
}

/// What `hotset net check --json` prints.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct NetCheck<'a> {
    /// Name of the net.
    net: &'a str,
    /// Markings that were found.
    markings: usize,
    /// Firings between them; bindings of equal tokens are one firing.
    arcs: usize,
    /// Markings in which no transition is enabled.
    dead: usize,
    /// Those of them in which the net has not ended; few nets say when they have.
    deadlocks: usize,
    /// Why the exploration ended. Unless it is complete, all figures are about the markings found until then.
    ended: &'static str,
    /// Whether the net has delays; they are ignored.
    delays_ignored: bool,
    /// Seconds that the exploration took by the clock.
    seconds: f64,
    /// The most tokens that each place holds, by its path.
    bounds: BTreeMap<&'a str, u32>,
    /// Paths of the transitions that fire in none of the markings found.
    never_fire: Vec<&'a str>,
    /// Paths of the transitions that can be made to fire again from every marking; null unless the exploration is
    /// complete.
    live: Option<Vec<&'a str>>,
    /// Markings that can be reached from every marking; null unless the exploration is complete.
    home_markings: Option<usize>,
    /// Whether the initial marking can be reached from every marking; null unless the exploration is complete.
    can_start_anew: Option<bool>,
    /// A dead marking, a deadlock if there is one, and a shortest way to it; null if there is none.
    dead_end: Option<DeadEnd<'a>>,
    /// A place that grows without bound; null if none was found.
    unbounded: Option<Unbounded<'a>>,
    /// Sums of tokens that no firing changes: the minimal place invariants of the net without its colours; null if
    /// they are too many or the net is too large.
    place_invariants: Option<Vec<Sum<'a>>>,
    /// Firings that change nothing together: the minimal transition invariants, by path how often each fires; null if
    /// they are too many or the net is too large.
    transition_invariants: Option<Vec<BTreeMap<&'a str, u64>>>,
    /// The long run of a net of unit tokens with exponential delays, solved exactly as a Markov chain; null for other
    /// nets, and for chains of too many states.
    stationary: Option<LongRunMeans<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Sum<'a> {
    /// How often the tokens of each place count, by its path.
    weights: BTreeMap<&'a str, u64>,
    /// What the sum is.
    tokens: u64,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct LongRunMeans<'a> {
    /// States of the chain.
    states: usize,
    /// By how much the probabilities of all states together are off their balance.
    residual: f64,
    /// Mean tokens of each place, by its path.
    tokens: BTreeMap<&'a str, f64>,
    /// Firings a second of each transition, by its path.
    rates: BTreeMap<&'a str, f64>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Unbounded<'a> {
    /// Path of the place.
    place: &'a str,
    /// The firings that lead to where it begins.
    first: Vec<Firing<'a>>,
    /// The firings after them, which can be repeated for ever.
    again: Vec<Firing<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct DeadEnd<'a> {
    /// The firings that lead there from the initial marking.
    firings: Vec<Firing<'a>>,
    /// Tokens of the places that hold any, by path.
    tokens: BTreeMap<&'a str, u32>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Firing<'a> {
    /// Path of the transition.
    transition: &'a str,
    /// The coloured tokens that it takes, as text; empty if there are none.
    binding: &'a str,
}

impl View for NetCheckView<'_> {
    /// How many markings there are, then what is known of places and transitions.
    fn document(&self) -> Document<'_> {
        let mut to = Document::new(self.headline(), Tone::Strong);
        to.table(move |_| self.bounds()).bare();
        let long_run = self.long_run.as_ref();
        to.paragraph(long_run.map(|it| self.in_the_long_run(it)));
        to.table(move |_| self.never_fired()).apart();
        if let Some(it) = &self.stationary {
            let states = number::counted(it.states as u64, "state", "states");
            to.table(move |_| self.mean_tokens(it)).heading(format!(
                "The long run, solved exactly as a Markov chain of {states}"
            ));
            to.table(move |_| self.rates(it)).apart();
        }
        to.table(move |_| self.sums())
            .heading("Sums of tokens that no firing changes");
        to.table(move |_| self.rounds())
            .heading("Firings that change nothing together");
        if let Some(it) = &self.growth {
            let place = self.place(it.place);
            to.table(move |_| self.steps(&it.again))
                .heading(format!("Firings after which `{place}` holds more and more"));
        }
        if let Some((marking, steps)) = &self.dead_end {
            let heading = match self.space.has_ended(*marking) {
                true => "A shortest way to the end",
                false => "A shortest way to a dead marking",
            };
            to.table(move |_| self.steps(steps)).heading(heading);
        }
        to
    }

    fn value(&self) -> impl Json {
        let space = self.space;
        NetCheck {
            net: space.net().name(),
            markings: space.len(),
            arcs: space.arcs(),
            dead: space.dead().len(),
            deadlocks: space.deadlocks().count(),
            ended: word(space.ended()),
            delays_ignored: space.is_timed(),
            seconds: self.seconds,
            bounds: space
                .net()
                .places()
                .zip(space.bounds().iter().copied())
                .collect(),
            never_fire: self.never_fire(),
            live: self.long_run.as_ref().map(|it| self.where_true(&it.live)),
            home_markings: self.long_run.as_ref().map(|it| it.home_markings),
            can_start_anew: self.long_run.as_ref().map(|it| it.can_start_anew),
            unbounded: self.growth.as_ref().map(|it| Unbounded {
                place: self.place(it.place),
                first: it.first.iter().map(|it| self.firing(it)).collect(),
                again: it.again.iter().map(|it| self.firing(it)).collect(),
            }),
            place_invariants: self.place_invariants.as_ref().map(|them| {
                let sum = |it: &PlaceInvariant| Sum {
                    weights: it
                        .weights
                        .iter()
                        .map(|it| (self.place(it.0), it.1))
                        .collect(),
                    tokens: it.tokens,
                };
                them.iter().map(sum).collect()
            }),
            transition_invariants: self.transition_invariants.as_ref().map(|them| {
                let sum =
                    |it: &Weights| it.iter().map(|it| (self.transition(it.0), it.1)).collect();
                them.iter().map(sum).collect()
            }),
            stationary: self.stationary.as_ref().map(|it| LongRunMeans {
                states: it.states,
                residual: it.residual,
                tokens: space
                    .net()
                    .places()
                    .zip(it.tokens.iter().copied())
                    .collect(),
                rates: space
                    .net()
                    .transitions()
                    .zip(it.rates.iter().copied())
                    .collect(),
            }),
            dead_end: self.dead_end.as_ref().map(|(marking, steps)| DeadEnd {
                firings: steps.iter().map(|it| self.firing(it)).collect(),
                tokens: self.tokens(*marking),
            }),
        }
    }
}

impl<'a> NetCheckView<'a> {
    fn headline(&self) -> String {
        let space = self.space;
        let at_least = match space.ended() {
            End::Complete => "",
            _ => "at least ",
        };
        let dead = self.dead();
        let delays = match space.is_timed() {
            true => " Delays are ignored.",
            false => "",
        };
        format!(
            "{}: {at_least}{}, {dead}, and {} between them.{delays}",
            space.net().name(),
            number::counted(space.len() as u64, "marking", "markings"),
            number::counted(space.arcs() as u64, "firing", "firings"),
        )
    }

    /// How many markings are dead, and in how many of those the net has ended.
    fn dead(&self) -> String {
        let dead = self.space.dead().len();
        let ended = dead - self.space.deadlocks().count();
        let all = number::count(dead as u64);
        match (dead, ended) {
            (0, _) => "none of them dead".to_owned(),
            (_, 0) => format!("{all} of them dead"),
            (_, ended) if ended == dead => format!("{all} of them dead (the net has ended)"),
            (_, ended) => {
                let ended = number::count(ended as u64);
                format!("{all} of them dead (in {ended} the net has ended)")
            }
        }
    }

    fn bounds(&self) -> impl Into<Table> {
        let most = match self.space.ended() {
            End::Complete => "most tokens",
            _ => "most tokens so far",
        };
        Table::of(self.space.net().places().zip(self.space.bounds()))
            .first(SHOWN)
            .text("place", |it| it.0)
            .count(most, |it| u64::from(*it.1))
    }

    fn in_the_long_run(&self, it: &LongRun) -> String {
        let home = match (it.home_markings, it.terminal_components) {
            (0, parts) => format!(
                "No marking can be reached from everywhere: there are {} that nothing leads out of.",
                number::counted(parts as u64, "set of markings", "sets of markings")
            ),
            (all, _) if all == self.space.len() => {
                "Every marking can be reached from every other.".to_owned()
            }
            (home, _) => format!(
                "{} can be reached from everywhere; the initial one is not among them.",
                number::counted(home as u64, "marking", "markings")
            ),
        };
        let live = it.live.iter().filter(|&&live| live).count();
        let live = match live == it.live.len() {
            true => "Every transition is live: it can always be made to fire again.".to_owned(),
            false => format!(
                "{} of {} transitions are live: they can always be made to fire again.",
                number::count(live as u64),
                number::count(it.live.len() as u64)
            ),
        };
        format!("{home} {live}")
    }

    fn place(&self, number: usize) -> &'a str {
        let mut paths = self.space.net().places();
        paths.nth(number).unwrap_or_default()
    }

    /// The transitions of which something is true.
    fn where_true(&self, them: &[bool]) -> Vec<&'a str> {
        let paths = self.space.net().transitions().zip(them);
        paths.filter_map(|(path, it)| it.then_some(path)).collect()
    }

    fn never_fired(&self) -> impl Into<Table> {
        let heading = match self.space.ended() {
            End::Complete => "transitions that never fire",
            _ => "transitions that have not fired so far",
        };
        Table::of(self.never_fire())
            .first(SHOWN)
            .text(heading, |it| *it)
    }

    fn mean_tokens(&self, it: &SteadyState) -> impl Into<Table> {
        Table::of(self.space.net().places().zip(&it.tokens))
            .first(SHOWN)
            .text("place", |it| it.0)
            .figure("mean tokens", |it| exact(*it.1))
    }

    fn rates(&self, it: &SteadyState) -> impl Into<Table> {
        Table::of(self.space.net().transitions().zip(&it.rates))
            .first(SHOWN)
            .text("transition", |it| it.0)
            .figure("firings a second", |it| exact(*it.1))
    }

    /// What no firing changes.
    fn sums(&self) -> impl Into<Table> {
        Table::of(self.place_invariants.iter().flatten())
            .first(SHOWN)
            .text("sum", |it| self.sum(&it.weights, Self::place))
            .count("tokens", |it| it.tokens)
    }

    /// What changes nothing.
    fn rounds(&self) -> impl Into<Table> {
        Table::of(self.transition_invariants.iter().flatten())
            .first(SHOWN)
            .text("firings", |it| self.sum(it, Self::transition))
    }

    /// A weighted sum in words.
    fn sum(&self, weights: &Weights, name: fn(&Self, usize) -> &'a str) -> String {
        let parts = weights.iter().map(|&(number, weight)| match weight {
            1 => name(self, number).to_owned(),
            _ => format!("{weight} × {}", name(self, number)),
        });
        Vec::from_iter(parts).join(" + ")
    }

    fn steps(&self, steps: &[Step]) -> impl Into<Table> {
        Table::of(steps)
            .first(SHOWN)
            .text("transition", |it| self.transition(it.transition))
            .text("with", |it| it.binding.as_str())
    }

    fn firing<'s>(&'s self, step: &'s Step) -> Firing<'s> {
        Firing {
            transition: self.transition(step.transition),
            binding: &step.binding,
        }
    }

    fn transition(&self, number: usize) -> &'a str {
        let mut paths = self.space.net().transitions();
        paths.nth(number).unwrap_or_default()
    }

    fn never_fire(&self) -> Vec<&'a str> {
        let never: Vec<bool> = self.space.fires().iter().map(|fires| !fires).collect();
        self.where_true(&never)
    }

    /// Places that hold tokens in a marking.
    fn tokens(&self, marking: usize) -> BTreeMap<&'a str, u32> {
        let marking = self.space.marking(marking);
        let places = self.space.net().places().enumerate();
        places
            .map(|(number, place)| (place, marking.tokens(number)))
            .filter(|(_, tokens)| *tokens > 0)
            .collect()
    }
}

/// A number that is known exactly: six significant digits, without zeros behind them.
fn exact(value: f64) -> String {
    let rounded = format!("{value:.5e}").parse::<f64>();
    rounded.unwrap_or(value).to_string()
}

fn word(ended: &End) -> &'static str {
    match ended {
        End::Complete => "complete",
        End::TooManyMarkings => "max markings",
        End::OutOfMemory => "memory",
        End::Stopped => "interrupted",
        End::Uncountable { .. } => "uncountable",
        End::Unbounded { .. } => "unbounded",
    }
}
