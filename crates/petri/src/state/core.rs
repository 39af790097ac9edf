//! What every part of a run shares: the clock, counts of tokens, what is pending, and what is to be looked at again.

use super::links::Links;
use super::queue::{Pending, Queue};
use super::tally::Tally;
use crate::places::{Discipline, Shelf};

/// Why a run cannot go on.
pub(crate) enum Fault {
    Unbounded { place: u32 },
    BadDelay { seconds: f64 },
}

/// What every part of a run shares.
#[derive(Default)]
pub struct Core {
    pub(crate) now: u64,
    /// The delay of the firing that is going on, in nanoseconds.
    pub(crate) delay: u64,
    order: u64,
    pub(crate) queue: Queue,
    /// Tokens of unit places that are ready.
    pub(crate) ready: Vec<u32>,
    /// Tokens of all places, ready or not.
    pub(crate) total: Vec<u32>,
    links: Links,
    is_dirty: Vec<bool>,
    /// Transitions that are to be looked at again.
    pub(crate) dirty: Vec<u32>,
    pub(crate) tallies: Vec<Tally>,
    pub(crate) limit: u32,
    pub(crate) fault: Option<Fault>,
    /// The bundle that the next token joins if it is given without a delay of its own.
    pub(crate) bundle: Option<u32>,
    /// Whether all delays are none.
    pub(crate) is_untimed: bool,
    /// Whether code chose a delay while all delays were none.
    pub(crate) chose_delay: bool,
    /// The binding of the last firing, where it is wanted.
    pub(crate) binding: Option<String>,
}

impl Core {
    /// The initial marking, with everything to be looked at.
    pub(crate) fn new(
        links: Links,
        transitions: usize,
        initial: &[u32],
        tallies: Vec<Tally>,
    ) -> Core {
        let mut core = Core {
            ready: initial.to_vec(),
            total: vec![0; initial.len()],
            links,
            is_dirty: vec![true; transitions],
            dirty: (0..transitions as u32).collect(),
            tallies,
            limit: 10_000_000,
            ..Core::default()
        };
        for (place, &tokens) in initial.iter().enumerate() {
            core.added(place as u32, tokens);
        }
        core
    }

    /// What a place downstream may change is to be looked at again.
    #[inline]
    pub(crate) fn touch(&mut self, place: u32) {
        for &transition in self.links.downstream.of(place) {
            let is_dirty = &mut self.is_dirty[transition as usize];
            if !*is_dirty {
                *is_dirty = true;
                self.dirty.push(transition);
            }
        }
    }

    /// The next transition that is to be looked at again.
    #[inline]
    pub(crate) fn next_dirty(&mut self) -> Option<usize> {
        let transition = self.dirty.pop()? as usize;
        self.is_dirty[transition] = false;
        Some(transition)
    }

    #[inline]
    fn count(&mut self, place: u32, change: i64) {
        for &monitor in self.links.watched.of(place) {
            self.tallies[monitor as usize].tokens(self.now, change);
        }
    }

    /// Tokens come to a place, ready or not.
    #[inline]
    pub(crate) fn added(&mut self, place: u32, tokens: u32) {
        let total = &mut self.total[place as usize];
        *total = total.saturating_add(tokens);
        if *total > self.limit && self.fault.is_none() {
            self.fault = Some(Fault::Unbounded { place });
        }
        self.count(place, i64::from(tokens));
        if self.links.inhibits[place as usize] {
            self.touch(place);
        }
    }

    /// Tokens leave a place.
    #[inline]
    pub(crate) fn removed(&mut self, place: u32, tokens: u32) {
        self.total[place as usize] -= tokens;
        self.count(place, -i64::from(tokens));
        self.touch(place);
    }

    #[inline]
    pub(crate) fn pend(&mut self, place: u32, slot: u32, delay: u64) {
        self.order += 1;
        self.queue.push(Pending {
            time: self.now.saturating_add(delay),
            order: self.order,
            place,
            slot,
        });
    }

    /// Gives a coloured token after the delay of the firing and `after`.
    #[inline]
    pub(crate) fn give<D: Discipline>(
        &mut self,
        shelf: &mut Shelf<D>,
        place: u32,
        token: D::Token,
        after: u64,
    ) {
        if !D::KEEPS {
            return shelf.ready.add(token);
        }
        self.added(place, 1);
        let delay = self.delay.saturating_add(after);
        if delay == 0 {
            shelf.ready.add(token);
            self.touch(place);
        } else {
            let slot = shelf.held.hold(token);
            let bundle = if after == 0 { self.bundle.take() } else { None };
            self.pend(bundle.unwrap_or(place), slot, delay);
        }
    }

    /// The time of unit tokens is still to come, or has come.
    #[inline]
    pub(crate) fn held_units(&mut self, place: u32, change: i64) {
        for &monitor in self.links.watched_held.of(place) {
            self.tallies[monitor as usize].tokens(self.now, change);
        }
    }

    /// The time of unit tokens has come.
    #[inline]
    pub(crate) fn ripen_units(&mut self, place: u32, tokens: u32) {
        self.held_units(place, -i64::from(tokens));
        self.ready[place as usize] += tokens;
        self.touch(place);
    }

    /// Gives unit tokens after the delay of the firing and `after`.
    #[inline]
    pub(crate) fn give_units(&mut self, place: u32, tokens: u32, after: u64) {
        self.added(place, tokens);
        let delay = self.delay.saturating_add(after);
        if delay == 0 {
            let ready = &mut self.ready[place as usize];
            *ready = ready.saturating_add(tokens);
            self.touch(place);
        } else {
            self.held_units(place, i64::from(tokens));
            self.pend(place, tokens, delay);
        }
    }
}
