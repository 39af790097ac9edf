//! The markings that were found, and how those that follow from one are added.

use super::colours::Colours;
use super::layout::Layout;
use super::markings::{Lookup, Markings, tag};
use super::rules::{Rules, Stop, Successors, order, widths};
use super::skeleton::Skeleton;
use crate::net::Net;

/// Why an exploration ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// There are no more markings.
    Complete,
    /// There are more markings than it was given.
    TooManyMarkings,
    /// It needs more memory than it was given.
    OutOfMemory,
    /// It was told to.
    Stopped,
    /// A place holds more tokens than can be counted.
    Uncountable {
        /// The place, by its number in [`Net::places`].
        place: usize,
    },
    /// A place grows without bound: the firings from one marking to another can be repeated for ever.
    Unbounded {
        /// The place, by its number in [`Net::places`].
        place: usize,
        /// The marking before such firings.
        from: usize,
        /// The marking after them, which has all tokens of the one before, and more.
        to: usize,
    },
}

/// The markings of a net that were found, and the firings between them.
pub struct StateSpace<'n> {
    pub(super) net: &'n Net,
    pub(super) skeleton: Skeleton,
    pub(super) layout: Layout,
    pub(super) rules: Rules,
    pub(super) colours: Colours<'n>,
    pub(super) markings: Markings,
    /// The marking that each was found from; the first has itself.
    pub(super) parents: Vec<u32>,
    /// Where the firings from each marking begin in `targets`.
    pub(super) starts: Vec<u64>,
    /// The markings that firings lead to.
    pub(super) targets: Vec<u32>,
    pub(super) dead: Vec<u32>,
    /// The most tokens that each place was seen with.
    pub(super) bounds: Vec<u32>,
    /// The bounds as a marking, with every number in coloured places.
    most: Vec<u64>,
    /// The last marking in which a place has grown twice as far beyond its initial tokens as in any before.
    pub(super) doubled: Option<u32>,
    /// Places in which more tokens may hinder a firing.
    pub(super) must_be_equal: Vec<bool>,
    pub(super) has_fired: Vec<bool>,
    pub(super) ended: End,
}

/// What is used again and again on the way.
#[derive(Default)]
pub(super) struct Scratch {
    successors: Successors,
    tags: Vec<u64>,
    slots: Vec<u64>,
    known: Vec<Option<u32>>,
}

/// Whether a place has grown twice as far beyond its initial tokens as before, or for the first time.
fn has_doubled(initial: u32, before: u32, now: u32) -> bool {
    let beyond = |tokens: u32| tokens.saturating_sub(initial).checked_ilog2();
    now > before.max(1) && beyond(now) > beyond(before)
}

/// Places in which more tokens may hinder a firing.
fn hindering(net: &Net) -> Vec<bool> {
    let mut hindering = vec![false; net.places.len()];
    for it in &net.transitions {
        let places = it.inhibitors.iter().map(|it| &it.0).chain(&it.resets);
        places.for_each(|&place| hindering[place as usize] = true);
    }
    hindering
}

impl<'n> StateSpace<'n> {
    pub(super) fn new(net: &'n Net, skeleton: Skeleton) -> StateSpace<'n> {
        let (colours, contents) = Colours::new(net, &skeleton);
        let is_coloured = |place: usize| colours.contents(place).is_some();
        let places = net.places.iter().enumerate().zip(&contents);
        let initial = places.map(|((place, it), &number)| match is_coloured(place) {
            true => number,
            false => it.initial,
        });
        let initial: Vec<u32> = initial.collect();
        let layout = Layout::of(&widths(net, &initial), order(net));
        let mut row = vec![0; layout.words()];
        for (place, &number) in initial.iter().enumerate() {
            layout.set(&mut row, place, u64::from(number));
        }
        let mut markings = Markings::new(layout.words());
        if let Lookup::New { slot, tag } = markings.find(tag(&row), &row) {
            markings.add(slot, tag, &row);
        }
        StateSpace {
            rules: Rules::new(net, &skeleton, &colours, &layout),
            net,
            skeleton,
            layout,
            colours,
            markings,
            parents: vec![0],
            starts: vec![0],
            targets: Vec::new(),
            dead: Vec::new(),
            bounds: vec![0; net.places.len()],
            most: Vec::new(),
            doubled: None,
            must_be_equal: hindering(net),
            has_fired: vec![false; net.transitions.len()],
            ended: End::Complete,
        }
    }

    /// Bytes of memory that it needs, roughly.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let of_firings = 4 * (self.parents.len() + self.targets.len()) + 8 * self.starts.len();
        self.markings.bytes() + self.colours.bytes() + of_firings as u64
    }

    /// Fires everything that a marking enables.
    pub(super) fn expand(
        &mut self,
        number: u32,
        (max_markings, memory_bytes): (usize, u64),
        scratch: &mut Scratch,
    ) -> Result<(), Stop> {
        let left_bytes = memory_bytes.saturating_sub(self.markings.bytes());
        scratch.successors.most_words = left_bytes as usize / size_of::<u64>();
        self.follow(number, &mut scratch.successors)?;
        let Scratch {
            successors,
            tags,
            slots,
            known,
        } = scratch;
        let count = successors.transitions.len();
        let on_the_way = self.markings.bytes_to_make_room(count);
        if on_the_way > 0 && self.bytes() + on_the_way > memory_bytes {
            self.ended = End::OutOfMemory;
            return Ok(());
        }
        self.markings.make_room(count);
        let rows = || successors.rows.chunks_exact(self.layout.words());
        tags.clear();
        tags.extend(rows().map(tag));
        self.markings.at_home(tags, &successors.rows, slots, known);
        for it in 0..count {
            let row = &successors.rows[it * self.layout.words()..][..self.layout.words()];
            let target = match known[it] {
                Some(target) => target,
                None => match self.markings.find(tags[it], row) {
                    Lookup::Known(target) => target,
                    Lookup::New { .. } if self.markings.len() >= max_markings => {
                        self.targets.truncate(self.starts[number as usize] as usize);
                        self.ended = End::TooManyMarkings;
                        return Ok(());
                    }
                    Lookup::New { slot, tag } => {
                        self.parents.push(number);
                        let target = self.markings.add(slot, tag, row);
                        self.raise_bounds(target);
                        target
                    }
                },
            };
            self.has_fired[successors.transitions[it] as usize] = true;
            self.targets.push(target);
        }
        if count == 0 {
            self.dead.push(number);
        }
        self.starts.push(self.targets.len() as u64);
        Ok(())
    }

    /// Finds what follows from a marking, in wider fields if need be.
    pub(super) fn follow(&mut self, number: u32, into: &mut Successors) -> Result<(), Stop> {
        loop {
            let row = self.markings.row(number as usize);
            let followed = self
                .rules
                .successors(row, &self.layout, &mut self.colours, into);
            match followed {
                Err(Stop::Overflow(place)) if self.layout.can_widen(place) => self.widen(place),
                other => return other,
            }
        }
    }

    /// Puts all markings into a layout in which a place has more room.
    fn widen(&mut self, place: usize) {
        let layout = self.layout.widened(place);
        let places = self.net.places.len();
        self.markings = self.markings.in_layout(&self.layout, &layout, places);
        self.rules = Rules::new(self.net, &self.skeleton, &self.colours, &layout);
        self.layout = layout;
        self.most.clear();
    }

    /// Takes a new marking into the bounds.
    #[inline]
    pub(super) fn raise_bounds(&mut self, number: u32) {
        let row = self.markings.row(number as usize);
        let is_within = self.most.len() == row.len() && self.layout.is_within(row, &self.most);
        if !is_within || self.colours.are_there() {
            self.raise_each_bound(number as usize);
        }
    }

    fn raise_each_bound(&mut self, number: usize) {
        self.most.resize(self.layout.words(), 0);
        for place in 0..self.bounds.len() {
            let tokens = self.tokens(number, place);
            let bound = &mut self.bounds[place];
            // The first marking has nothing before it. Most nets never have two tokens in a place.
            if number > 0
                && tokens > 1
                && has_doubled(self.net.places[place].initial, *bound, tokens)
            {
                self.doubled = Some(number as u32);
            }
            *bound = tokens.max(*bound);
            let most = match self.colours.contents(place) {
                Some(_) => self.layout.most(place),
                None => u64::from(*bound),
            };
            self.layout.set(&mut self.most, place, most);
        }
    }

    /// Tokens of a place in a marking.
    pub(super) fn tokens(&self, marking: usize, place: usize) -> u32 {
        let number = self.layout.get(self.markings.row(marking), place) as u32;
        let contents = self.colours.contents(place);
        contents.map_or(number, |it| it.list(number).len() as u32)
    }

    /// The net.
    #[must_use]
    pub fn net(&self) -> &'n Net {
        self.net
    }

    /// Whether the net has delays, which the state space ignores.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.skeleton.is_timed
    }

    /// Why the exploration ended. Unless it is complete, all that the state space says is about what was found until then.
    #[must_use]
    pub fn ended(&self) -> &End {
        &self.ended
    }

    /// How many markings there are. They are numbered from 0, the initial one, in the order in which they were found.
    #[must_use]
    pub fn len(&self) -> usize {
        self.markings.len()
    }

    /// Never: the initial marking is always there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Firings between markings. Bindings of tokens that are equal are one firing.
    #[must_use]
    pub fn arcs(&self) -> usize {
        self.targets.len()
    }

    /// The markings in which nothing is enabled.
    pub fn dead(&self) -> impl ExactSizeIterator<Item = usize> {
        self.dead.iter().map(|&number| number as usize)
    }

    /// Those of the dead markings in which the net has not ended.
    pub fn deadlocks(&self) -> impl Iterator<Item = usize> {
        self.dead().filter(|&marking| !self.has_ended(marking))
    }

    /// Whether the net has ended in a marking: all places that say so ([`Page::end`](crate::Page::end)) have a token. A net without
    /// such places never ends.
    #[must_use]
    pub fn has_ended(&self, marking: usize) -> bool {
        self.net.has_ended(|place| self.tokens(marking, place))
    }

    /// The most tokens that each place holds, in the order of [`Net::places`].
    #[must_use]
    pub fn bounds(&self) -> &[u32] {
        &self.bounds[..self.net.drawn_places]
    }

    /// Whether each transition fires anywhere, in the order of [`Net::transitions`].
    #[must_use]
    pub fn fires(&self) -> &[bool] {
        &self.has_fired
    }
}
