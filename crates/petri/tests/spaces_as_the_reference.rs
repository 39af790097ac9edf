//! State spaces of random nets are those of a plain search through sets of markings. `PETRI_NETS=10000` tries that many nets.

use std::collections::{BTreeMap, BTreeSet};

use crate::random::{Dice, build};
use crate::reference::{Kind, Law, NetSpec, TransitionSpec, key};
use hotset_petri::{End, Exploration, StateSpace, Stream};
use proptest::prelude::*;

/// Colours of the tokens of each place, in the order in which they were made.
type Marking = Vec<Vec<u32>>;

/// A plain search: every binding of every transition in every marking.
struct Search<'a> {
    spec: &'a NetSpec,
    is_timed: bool,
    is_shuffled: Vec<bool>,
}

impl<'a> Search<'a> {
    fn of(spec: &'a NetSpec) -> Self {
        let mut search = Search {
            spec,
            is_timed: false,
            is_shuffled: vec![false; spec.places.len()],
        };
        for it in &spec.transitions {
            let units = it.units.iter().map(|&(place, _, law)| (place, law));
            for (place, law) in it.gives.iter().copied().chain(units) {
                if passes(it.delay) || passes(law) {
                    search.is_timed = true;
                    search.is_shuffled[place] = true;
                }
            }
        }
        search
    }

    fn initial(&self) -> Marking {
        let places = self.spec.places.iter().map(|it| it.initial.clone());
        self.in_order(places.collect())
    }

    /// Tokens that are in no order are sorted. Those of a priority place are too: equal ranks are equal colours.
    fn in_order(&self, mut marking: Marking) -> Marking {
        for (place, tokens) in marking.iter_mut().enumerate() {
            if self.spec.places[place].kind != Kind::Fifo || self.is_shuffled[place] {
                tokens.sort_unstable();
            }
        }
        marking
    }

    /// The tokens that a place offers, each colour once.
    fn offered(&self, marking: &Marking, place: usize, first: Option<u32>) -> BTreeSet<u32> {
        let tokens = marking[place].iter().copied();
        match self.spec.places[place].kind {
            Kind::Fifo if !self.is_shuffled[place] => tokens.take(1).collect(),
            Kind::Priority if !self.is_shuffled[place] => tokens.min().into_iter().collect(),
            Kind::Keyed => tokens
                .filter(|&it| Some(key(it)) == first.map(key))
                .collect(),
            _ => tokens.collect(),
        }
    }

    fn bindings(&self, marking: &Marking, it: &TransitionSpec) -> Vec<Vec<u32>> {
        let lacks = |&(place, count): &(usize, u32)| marking[place].len() < count as usize;
        let full = |&(place, below): &(usize, u32)| marking[place].len() >= below as usize;
        if it.needs.iter().any(lacks) || it.inhibitors.iter().any(full) {
            return Vec::new();
        }
        let mut bindings = vec![Vec::new()];
        for &place in &it.takes {
            let longer = bindings.iter().flat_map(|before: &Vec<u32>| {
                let offered = self.offered(marking, place, before.first().copied());
                offered
                    .into_iter()
                    .map(|token| [&before[..], &[token]].concat())
            });
            bindings = longer.collect();
        }
        bindings.retain(|binding| it.accepts(binding.iter().sum()));
        bindings
    }

    fn fire(&self, marking: &Marking, it: &TransitionSpec, binding: &[u32]) -> Marking {
        let mut after = marking.clone();
        for (&place, token) in it.takes.iter().zip(binding) {
            let at = after[place].iter().position(|it| it == token).unwrap();
            after[place].remove(at);
        }
        for &(place, count) in &it.needs {
            let left = after[place].len() - count as usize;
            after[place].truncate(left);
        }
        it.resets.iter().for_each(|&place| after[place].clear());
        let sum = binding.iter().sum();
        for (arc, &(place, _)) in it.gives.iter().enumerate() {
            after[place].extend(it.given(arc, sum));
        }
        for &(place, count, _) in &it.units {
            after[place].extend(vec![0; count as usize]);
        }
        self.in_order(after)
    }

    /// Every firing from a marking: transition, binding and what follows.
    fn firings(&self, marking: &Marking) -> BTreeSet<(usize, Vec<u32>, Marking)> {
        let mut firings = BTreeSet::new();
        let mut most_urgent = u32::MAX;
        for (number, it) in self.spec.transitions.iter().enumerate() {
            for binding in self.bindings(marking, it) {
                let urgency = if self.is_timed { 0 } else { it.urgency };
                if urgency < most_urgent {
                    firings.clear();
                    most_urgent = urgency;
                }
                if urgency == most_urgent {
                    let after = self.fire(marking, it, &binding);
                    firings.insert((number, binding, after));
                }
            }
        }
        firings
    }

    /// All markings within so many firings, each with its distance, and the firings from those that are nearer.
    fn within(&self, depth: usize) -> (BTreeMap<Marking, usize>, usize, usize) {
        let mut found = BTreeMap::from([(self.initial(), 0)]);
        let mut last = vec![self.initial()];
        let (mut arcs, mut dead) = (0, 0);
        for distance in 1..=depth {
            let mut next = Vec::new();
            for marking in &last {
                let firings = self.firings(marking);
                arcs += firings.len();
                dead += usize::from(firings.is_empty());
                for (_, _, after) in firings {
                    if !found.contains_key(&after) {
                        found.insert(after.clone(), distance);
                        next.push(after);
                    }
                }
            }
            last = next;
        }
        (found, arcs, dead)
    }
}

fn passes(law: Law) -> bool {
    !matches!(law, Law::Constant(0))
}

/// A random net: half of them without delays, half of them with limits to all places.
fn net(dice: &mut Dice) -> NetSpec {
    let mut spec = dice.net();
    let (untimed, limited) = (dice.below(2) == 0, dice.below(2) == 0);
    for it in &mut spec.transitions {
        // Objects are in no marking.
        it.objects.clear();
        if untimed {
            it.delay = Law::Constant(0);
            it.gives.iter_mut().for_each(|it| it.1 = Law::Constant(0));
            it.units.iter_mut().for_each(|it| it.2 = Law::Constant(0));
        }
        if limited {
            let coloured = it.gives.iter().map(|it| it.0);
            let places = coloured.chain(it.units.iter().map(|it| it.0));
            let limits: Vec<_> = places
                .map(|place| (place, 1 + dice.below(3) as u32))
                .collect();
            it.inhibitors.extend(limits);
        }
    }
    spec
}

fn colour(text: &str) -> u32 {
    let digits = text.split("C(").nth(1).unwrap_or("0)");
    digits.trim_end_matches(')').parse().unwrap()
}

/// A marking of the state space, as the search writes it.
fn as_searched(space: &StateSpace<'_>, search: &Search<'_>, number: usize) -> Marking {
    let marking = space.marking(number);
    let places = search.spec.places.iter().enumerate();
    let tokens = places.map(|(place, it)| match it.kind {
        Kind::Unit => vec![0; marking.tokens(place) as usize],
        _ => marking.colours(place).into_iter().map(colour).collect(),
    });
    search.in_order(tokens.collect())
}

/// Every token of a marking is in the other one.
fn covers(more: &Marking, less: &Marking) -> bool {
    less.iter().zip(more).all(|(less, more)| {
        let mut more = more.clone();
        less.iter().all(|token| {
            let at = more.iter().position(|it| it == token);
            at.map(|at| more.swap_remove(at)).is_some()
        })
    })
}

fn explore_beside_the_search(seed: u64) -> Result<(), TestCaseError> {
    let spec = net(&mut Dice(Stream::named(seed, 0, "dice")));
    let net = build(&spec);
    let exploration = Exploration {
        max_markings: 400,
        ..Exploration::default()
    };
    let mut space = exploration.explore(&net, &|_| true).unwrap();
    let search = Search::of(&spec);
    prop_assert_eq!(space.is_timed(), search.is_timed);
    let last = space.len() - 1;
    let depth = match space.ended() {
        End::Complete => space.depth(last) + 1,
        // Markings that are as far as the last one may be missing.
        _ => space.depth(last).saturating_sub(1),
    };
    let numbers = (0..=last).filter(|&number| space.depth(number) <= depth);
    let found = numbers.map(|number| (as_searched(&space, &search, number), space.depth(number)));
    let found: Vec<_> = found.collect();
    let (expected, arcs, dead) = search.within(depth);
    prop_assert_eq!(found.len(), expected.len(), "{:?}", &spec);
    prop_assert_eq!(&BTreeMap::from_iter(found), &expected, "{:?}", &spec);
    match *space.ended() {
        End::Complete => {
            prop_assert_eq!(
                (space.arcs(), space.dead().len()),
                (arcs, dead),
                "{:?}",
                &spec
            );
            let markings = || expected.keys();
            for place in 0..spec.places.len() {
                let bound = markings().map(|it| it[place].len()).max();
                prop_assert_eq!(Some(space.bounds()[place] as usize), bound);
            }
        }
        End::Unbounded { place, from, to } => {
            let [from, to] = [from, to].map(|it| as_searched(&space, &search, it));
            prop_assert!(covers(&to, &from) && to[place].len() > from[place].len());
        }
        _ => {}
    }
    // The way to the last marking goes over firings that there are.
    let way = space.path_to(last);
    prop_assert_eq!(way.len(), space.depth(last));
    let mut at = BTreeSet::from([search.initial()]);
    for step in way {
        let firings = at.iter().flat_map(|marking| search.firings(marking));
        let same = firings.filter(|(transition, binding, _)| {
            *transition == step.transition && binding.iter().sum::<u32>() == taken(&step.binding)
        });
        at = same.map(|(_, _, after)| after).collect();
    }
    prop_assert!(
        at.contains(&as_searched(&space, &search, last)),
        "{:?}",
        &spec
    );
    Ok(())
}

/// What the colours of a binding add up to.
fn taken(binding: &str) -> u32 {
    let colours = binding.split("C(").skip(1);
    colours
        .map(|text| text.split(')').next().unwrap().parse::<u32>().unwrap())
        .sum()
}

fn nets() -> u32 {
    let asked = std::env::var("PETRI_NETS").ok();
    asked.and_then(|asked| asked.parse().ok()).unwrap_or(300)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(nets()) })]

    #[test]
    fn state_spaces_are_those_of_a_plain_search(seed in any::<u64>()) {
        explore_beside_the_search(seed)?;
    }
}
