//! Single markings, and the firings that lead to them.

use super::rules::Successors;
use super::state_space::StateSpace;
use crate::net::Net;

/// A firing on the way to a marking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The transition, by its number in [`Net::transitions`].
    pub transition: usize,
    /// The coloured tokens that it takes, as text; empty if there are none.
    pub binding: String,
}

/// A marking of a state space.
#[derive(Clone, Copy)]
pub struct Marking<'s> {
    space: &'s StateSpace<'s>,
    number: usize,
}

impl Marking<'_> {
    /// Tokens of a place, by its number in [`Net::places`].
    #[must_use]
    pub fn tokens(&self, place: usize) -> u32 {
        self.space.tokens(self.number, place)
    }

    /// The coloured tokens of a place, as text; nothing for unit places.
    #[must_use]
    pub fn colours(&self, place: usize) -> Vec<&str> {
        let Some(contents) = self.space.colours.contents(place) else {
            return Vec::new();
        };
        let row = self.space.markings.row(self.number);
        let list = contents.list(self.space.layout.get(row, place) as u32);
        list.iter().map(|&token| contents.text(token)).collect()
    }
}

impl StateSpace<'_> {
    /// The marking of a number.
    #[must_use]
    pub fn marking(&self, number: usize) -> Marking<'_> {
        Marking {
            space: self,
            number,
        }
    }

    /// Firings of a shortest way to a marking.
    #[must_use]
    pub fn depth(&self, number: usize) -> usize {
        self.way_back(number).count() - 1
    }

    /// The first marking that has a property: [`StateSpace::path_to`] says how to get there.
    pub fn find(&self, has_it: impl Fn(Marking<'_>) -> bool) -> Option<usize> {
        (0..self.len()).find(|&number| has_it(self.marking(number)))
    }

    /// A shortest sequence of firings from the initial marking to that of a number.
    pub fn path_to(&mut self, number: usize) -> Vec<Step> {
        let mut markings = Vec::from_iter(self.way_back(number));
        markings.reverse();
        let steps = markings.windows(2);
        steps
            .filter_map(|it| self.step(it[0] as u32, it[1] as u32))
            .collect()
    }

    /// A marking and those from which it was found, up to the initial one.
    pub(super) fn way_back(&self, number: usize) -> impl Iterator<Item = usize> {
        let parent = |at: &usize| (*at > 0).then(|| self.parents[*at] as usize);
        std::iter::successors(Some(number), parent)
    }

    /// The first firing that leads from one marking to another.
    fn step(&mut self, from: u32, to: u32) -> Option<Step> {
        let mut successors = Successors::default();
        // What led there once leads there again.
        self.follow(from, &mut successors).ok()?;
        let target = self.markings.row(to as usize);
        let mut rows = successors.rows.chunks_exact(self.layout.words());
        let it = rows.position(|row| row == target)?;
        let transition = successors.transitions[it];
        let before = &successors.transitions[..it];
        let nth = before.iter().filter(|&&it| it == transition).count();
        Some(Step {
            transition: transition as usize,
            binding: self.binding(from, transition, nth),
        })
    }

    /// What a transition takes in its outcome of this number from a marking.
    fn binding(&mut self, from: u32, transition: u32, nth: usize) -> String {
        let around = self.colours.places_around(transition).unwrap_or(&[]);
        let row = self.markings.row(from as usize);
        let before = around
            .iter()
            .map(|&it| self.layout.get(row, it as usize) as u32);
        let before = Vec::from_iter(before);
        let outcomes = self.colours.try_all(transition, &before);
        let outcome = outcomes.ok().and_then(|them| them.into_iter().nth(nth));
        match outcome {
            // No colours: the text of an empty binding.
            Some(outcome) if outcome.binding == "()" => String::new(),
            outcome => outcome.map_or_else(String::new, |it| it.binding),
        }
    }
}

/// Firings in words: the last ones, if there are many.
pub fn in_words(net: &Net, steps: &[Step]) -> String {
    const SHOWN: usize = 5;
    let shown = steps.iter().skip(steps.len().saturating_sub(SHOWN));
    let paths = shown.map(|step| {
        let path = &net.transitions[step.transition].path;
        match step.binding.as_str() {
            "" => format!("`{path}`"),
            binding => format!("`{path}` with {binding}"),
        }
    });
    let paths = Vec::from_iter(paths).join(", ");
    match steps.len() {
        0 => "in the initial marking".to_owned(),
        count if count > SHOWN => format!("after {count} firings, the last of them {paths}"),
        _ => format!("after {paths}"),
    }
}
