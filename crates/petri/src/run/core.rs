//! What every part of a run shares: the clock, counts of tokens, what is pending, and what is to be looked at again.

use super::queue::{Pending, Queue};
use super::tally::Tally;
use crate::author::{Net, Watched};
use crate::places::{Discipline, Shelf};

/// Lists of numbers, one for each place, in one run of memory.
struct Lists {
    from: Vec<u32>,
    members: Vec<u32>,
}

impl Lists {
    fn new(lists: Vec<Vec<u32>>) -> Lists {
        let mut from = vec![0];
        let mut members = Vec::new();
        for mut list in lists {
            list.sort_unstable();
            list.dedup();
            members.extend(list);
            from.push(members.len() as u32);
        }
        Lists { from, members }
    }

    #[inline]
    fn of(&self, index: u32) -> &[u32] {
        let index = index as usize;
        &self.members[self.from[index] as usize..self.from[index + 1] as usize]
    }
}

/// Why a run cannot go on.
pub(super) enum Fault {
    Unbounded { place: u32 },
    BadDelay { seconds: f64 },
}

/// What every part of a run shares.
pub struct Core {
    pub(super) now: u64,
    /// The delay of the firing that is going on, in nanoseconds.
    pub(super) delay: u64,
    order: u64,
    pub(super) queue: Queue,
    /// Tokens of unit places that are ready.
    pub(super) ready: Vec<u32>,
    /// Tokens of all places, ready or not.
    pub(super) total: Vec<u32>,
    /// Whether the number of all tokens matters to a transition.
    inhibits: Vec<bool>,
    /// The transitions that a place may enable or disable.
    downstream: Lists,
    is_dirty: Vec<bool>,
    /// Transitions that are to be looked at again.
    pub(super) dirty: Vec<u32>,
    /// The monitors that count tokens of a place.
    watched: Lists,
    /// The monitors that count those of its tokens that are not ready.
    watched_held: Lists,
    pub(super) tallies: Vec<Tally>,
    pub(super) limit: u32,
    pub(super) fault: Option<Fault>,
    /// The bundle that the next token joins if it is given without a delay of its own.
    pub(super) bundle: Option<u32>,
    /// Whether all delays are none.
    pub(super) is_untimed: bool,
    /// Whether code chose a delay while all delays were none.
    pub(super) chose_delay: bool,
    /// The binding of the last firing, where it is wanted.
    pub(super) binding: Option<String>,
}

impl Core {
    pub(super) fn new(net: &Net) -> Core {
        let places = net.places.len();
        let mut core = Core {
            now: 0,
            delay: 0,
            order: 0,
            queue: Queue::default(),
            ready: vec![0; places],
            total: vec![0; places],
            inhibits: vec![false; places],
            downstream: downstream(net),
            is_dirty: vec![true; net.transitions.len()],
            dirty: (0..net.transitions.len() as u32).collect(),
            watched: watched(net, |it| match it {
                Watched::Tokens { places, .. } => places,
                _ => &[],
            }),
            watched_held: watched(net, |it| match it {
                Watched::Busy { idle, .. } => idle,
                _ => &[],
            }),
            tallies: net
                .monitors
                .iter()
                .map(|it| Tally::of(&it.watched))
                .collect(),
            limit: 10_000_000,
            fault: None,
            bundle: None,
            is_untimed: false,
            chose_delay: false,
            binding: None,
        };
        for it in &net.transitions {
            let inhibiting = it.inhibitors.iter();
            inhibiting.for_each(|&(place, _)| core.inhibits[place as usize] = true);
        }
        for (index, place) in net.places.iter().enumerate() {
            core.added(index as u32, place.initial);
            core.ready[index] = place.initial;
        }
        core
    }

    /// What a place downstream may change is to be looked at again.
    #[inline]
    pub(super) fn touch(&mut self, place: u32) {
        for &transition in self.downstream.of(place) {
            let is_dirty = &mut self.is_dirty[transition as usize];
            if !*is_dirty {
                *is_dirty = true;
                self.dirty.push(transition);
            }
        }
    }

    /// The next transition that is to be looked at again.
    #[inline]
    pub(super) fn next_dirty(&mut self) -> Option<usize> {
        let transition = self.dirty.pop()? as usize;
        self.is_dirty[transition] = false;
        Some(transition)
    }

    #[inline]
    fn count(&mut self, place: u32, change: i64) {
        for &monitor in self.watched.of(place) {
            self.tallies[monitor as usize].tokens(self.now, change);
        }
    }

    /// Tokens come to a place, ready or not.
    #[inline]
    pub(super) fn added(&mut self, place: u32, tokens: u32) {
        let total = &mut self.total[place as usize];
        *total = total.saturating_add(tokens);
        if *total > self.limit && self.fault.is_none() {
            self.fault = Some(Fault::Unbounded { place });
        }
        self.count(place, i64::from(tokens));
        if self.inhibits[place as usize] {
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
    pub(super) fn pend(&mut self, place: u32, slot: u32, delay: u64) {
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
    pub(super) fn held_units(&mut self, place: u32, change: i64) {
        for &monitor in self.watched_held.of(place) {
            self.tallies[monitor as usize].tokens(self.now, change);
        }
    }

    /// The time of unit tokens has come.
    #[inline]
    pub(super) fn ripen_units(&mut self, place: u32, tokens: u32) {
        self.held_units(place, -i64::from(tokens));
        self.ready[place as usize] += tokens;
        self.touch(place);
    }

    /// Gives unit tokens after the delay of the firing and `after`.
    #[inline]
    pub(super) fn give_units(&mut self, place: u32, tokens: u32, after: u64) {
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

/// For each place, the transitions that look at it.
fn downstream(net: &Net) -> Lists {
    let mut lists = vec![Vec::new(); net.places.len()];
    for (index, it) in net.transitions.iter().enumerate() {
        let units = it.needs.iter().chain(&it.inhibitors).map(|it| it.0);
        let places = units.chain(it.coloured_in.iter().copied());
        places.for_each(|place| lists[place as usize].push(index as u32));
    }
    Lists::new(lists)
}

/// For each place, the monitors that watch it in some way.
fn watched(net: &Net, places: impl Fn(&Watched) -> &[u32]) -> Lists {
    let mut lists = vec![Vec::new(); net.places.len()];
    for (index, monitor) in net.monitors.iter().enumerate() {
        for &place in places(&monitor.watched) {
            lists[place as usize].push(index as u32);
        }
    }
    Lists::new(lists)
}
