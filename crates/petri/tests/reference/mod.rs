//! Nets, interpreted plainly: every binding of every transition is tried at every step. Slow, and obviously right.
//!
//! It does not choose: it checks that what the engine chose was enabled, and follows.

use std::cell::Cell;
use std::rc::Rc;

use hotset_petri::{Event, Stream, Time, Token};

/// What a place holds and in which order it offers it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Unit,
    Bag,
    Fifo,
    Priority,
    Keyed,
}

/// A delay in nanoseconds, drawn as [`hotset_petri::Delay`] draws it.
#[derive(Clone, Copy, Debug)]
pub enum Law {
    Constant(u64),
    Exponential(u64),
}

#[derive(Clone, Debug)]
pub struct PlaceSpec {
    pub kind: Kind,
    pub initial: Vec<u32>,
}

#[derive(Clone, Debug)]
pub struct TransitionSpec {
    pub urgency: u32,
    pub needs: Vec<(usize, u32)>,
    /// Places of coloured tokens it takes; a keyed one is joined by the first token's key.
    pub takes: Vec<usize>,
    /// It fires only if the sum of its tokens is no multiple of this; 0 for no guard.
    pub guard: u32,
    pub inhibitors: Vec<(usize, u32)>,
    pub resets: Vec<usize>,
    pub delay: Law,
    /// Places of coloured tokens, with the arc's own delay.
    pub gives: Vec<(usize, Law)>,
    pub units: Vec<(usize, u32, Law)>,
    pub salt: u32,
    /// The objects that it borrows. Then each of its coloured tokens has a delay of its own.
    pub objects: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct NetSpec {
    pub places: Vec<PlaceSpec>,
    pub transitions: Vec<TransitionSpec>,
}

/// An object of a run: what it was told makes what it answers. It can be neither copied nor sent to another thread.
#[derive(Debug)]
pub struct Memory(Rc<Cell<u32>>);

impl Memory {
    pub fn new(stream: &mut Stream) -> Memory {
        Memory(Rc::new(Cell::new(stream.below(11) as u32)))
    }

    pub fn ask(&mut self, sum: u32) -> u32 {
        self.0.set((5 * self.0.get() + sum + 1) % 11);
        self.0.get()
    }
}

/// Keys of tokens.
pub fn key(colour: u32) -> u32 {
    colour % 3
}

impl TransitionSpec {
    pub fn accepts(&self, sum: u32) -> bool {
        self.guard == 0 || !sum.is_multiple_of(self.guard)
    }

    /// The token that an output arc gives, if any.
    pub fn given(&self, arc: usize, sum: u32) -> Option<u32> {
        let value = (sum * 3 + self.salt + arc as u32) % 7;
        (value != 6).then_some(value)
    }

    /// The delay of a token that has one of its own, in nanoseconds.
    pub fn own_delay(&self, arc: usize, sum: u32) -> u64 {
        u64::from((sum + self.salt + 2 * arc as u32) % 4)
    }
}

#[derive(Clone, Debug)]
struct Tok {
    colour: u32,
    ready_at: u64,
    made: u64,
}

pub struct Reference<'a> {
    spec: &'a NetSpec,
    places: Vec<Vec<Tok>>,
    streams: Vec<Stream>,
    objects: Vec<Memory>,
    now: u64,
    made: u64,
}

impl<'a> Reference<'a> {
    pub fn new(spec: &'a NetSpec, streams: Vec<Stream>, objects: Vec<Memory>) -> Self {
        let mut reference = Reference {
            spec,
            places: vec![Vec::new(); spec.places.len()],
            streams,
            objects,
            now: 0,
            made: 0,
        };
        for (place, of) in spec.places.iter().enumerate() {
            of.initial
                .iter()
                .for_each(|&colour| reference.add(place, colour, 0));
        }
        reference
    }

    fn add(&mut self, place: usize, colour: u32, delay: u64) {
        self.made += 1;
        let (ready_at, made) = (self.now + delay, self.made);
        self.places[place].push(Tok {
            colour,
            ready_at,
            made,
        });
    }

    fn is_ready(&self, tok: &Tok) -> bool {
        tok.ready_at <= self.now
    }

    /// Indices of the tokens that a place offers.
    fn offered(&self, place: usize, joined: Option<u32>) -> Vec<usize> {
        let all = &self.places[place];
        let ready: Vec<usize> = (0..all.len())
            .filter(|&it| self.is_ready(&all[it]))
            .collect();
        let first = |rank: &dyn Fn(&Tok) -> u32| {
            let order = |&it: &usize| (rank(&all[it]), all[it].ready_at, all[it].made);
            ready
                .iter()
                .copied()
                .min_by_key(order)
                .into_iter()
                .collect()
        };
        match self.spec.places[place].kind {
            Kind::Unit | Kind::Bag => ready,
            Kind::Fifo => first(&|_| 0),
            Kind::Priority => first(&|tok| tok.colour),
            Kind::Keyed => {
                let wanted = joined.map(key);
                ready
                    .into_iter()
                    .filter(|&it| Some(key(all[it].colour)) == wanted)
                    .collect()
            }
        }
    }

    /// Every enabled binding: an index for each coloured place.
    pub fn bindings(&self, transition: usize) -> Vec<Vec<usize>> {
        let it = &self.spec.transitions[transition];
        let units = |place: usize| {
            self.places[place]
                .iter()
                .filter(|tok| self.is_ready(tok))
                .count()
        };
        let lacks = it
            .needs
            .iter()
            .any(|&(place, count)| units(place) < count as usize);
        let full = |&(place, below): &(usize, u32)| self.places[place].len() >= below as usize;
        if lacks || it.inhibitors.iter().any(full) {
            return Vec::new();
        }
        let mut bindings = vec![Vec::new()];
        for &place in &it.takes {
            bindings = bindings
                .into_iter()
                .flat_map(|before: Vec<usize>| {
                    let joined = before
                        .first()
                        .map(|&tok| self.places[it.takes[0]][tok].colour);
                    let offered = self.offered(place, joined).into_iter();
                    offered.map(move |tok| [before.clone(), vec![tok]].concat())
                })
                .collect();
        }
        bindings.retain(|binding| it.accepts(self.sum(it, binding)));
        bindings
    }

    fn sum(&self, it: &TransitionSpec, binding: &[usize]) -> u32 {
        let tokens = it.takes.iter().zip(binding);
        tokens
            .map(|(&place, &tok)| self.places[place][tok].colour)
            .sum()
    }

    pub fn counts(&self) -> Vec<u64> {
        let transitions = 0..self.spec.transitions.len();
        transitions
            .map(|it| self.bindings(it).len() as u64)
            .collect()
    }

    /// Lets time pass until something is enabled; whether anything will ever be.
    pub fn advance(&mut self) -> bool {
        while self.counts().iter().all(|&count| count == 0) {
            let pending = self.places.iter().flatten().map(|tok| tok.ready_at);
            match pending.filter(|&at| at > self.now).min() {
                Some(at) => self.now = at,
                None => return false,
            }
        }
        true
    }

    fn text(&self, it: &TransitionSpec, binding: &[usize]) -> String {
        let tokens = it
            .takes
            .iter()
            .zip(binding)
            .map(|(&place, &tok)| self.value(place, self.places[place][tok].colour));
        let tokens: Vec<String> = tokens.collect();
        match tokens.len() {
            1 => tokens[0].clone(),
            _ => format!("({})", tokens.join(", ")),
        }
    }

    fn value(&self, place: usize, colour: u32) -> String {
        match self.spec.places[place].kind {
            Kind::Unit => String::new(),
            Kind::Keyed => format!("({}, C({colour}))", key(colour)),
            _ => format!("C({colour})"),
        }
    }

    /// Fires as the engine did, if that was allowed.
    pub fn follow(&mut self, event: &Event) -> Result<(), String> {
        if event.time.nanos() != self.now {
            return Err(format!("fired at {} instead of {}", event.time, self.now));
        }
        let it = &self.spec.transitions[event.transition];
        let of = |&other: &usize| self.spec.transitions[other].urgency;
        let enabled = (0..self.spec.transitions.len()).filter(|&it| !self.bindings(it).is_empty());
        if enabled.map(|it| of(&it)).min() != Some(it.urgency) {
            return Err("a more urgent transition was enabled".to_owned());
        }
        let bindings = self.bindings(event.transition);
        let mut same = bindings
            .iter()
            .filter(|binding| self.text(it, binding) == event.binding);
        let binding = same.next().ok_or("the binding was not enabled")?.clone();
        self.fire(event.transition, &binding);
        Ok(())
    }

    fn fire(&mut self, transition: usize, binding: &[usize]) {
        let spec = self.spec;
        let it = &spec.transitions[transition];
        let sum = self.sum(it, binding);
        for (&place, &tok) in it.takes.iter().zip(binding) {
            self.places[place].remove(tok);
        }
        for &(place, count) in &it.needs {
            for _ in 0..count {
                let ready = self.places[place].iter().position(|tok| self.is_ready(tok));
                self.places[place].remove(ready.unwrap());
            }
        }
        let sum = it
            .objects
            .iter()
            .fold(sum, |sum, &object| sum + self.objects[object].ask(sum));
        // The order of draws: the transition's delay, then each arc's.
        let delay = self.draw(transition, it.delay);
        it.resets
            .iter()
            .for_each(|&place| self.places[place].clear());
        for (arc, &(place, law)) in it.gives.iter().enumerate() {
            let after = self.draw(transition, law);
            let own = match it.objects.is_empty() {
                true => 0,
                false => it.own_delay(arc, sum),
            };
            if let Some(colour) = it.given(arc, sum) {
                self.add(place, colour, delay + after + own);
            }
        }
        for &(place, count, law) in &it.units {
            let after = self.draw(transition, law);
            (0..count).for_each(|_| self.add(place, 0, delay + after));
        }
    }

    fn draw(&mut self, transition: usize, law: Law) -> u64 {
        match law {
            Law::Constant(nanos) => nanos,
            Law::Exponential(mean) => {
                let seconds = mean as f64 * 1e-9 * self.streams[transition].exponential();
                Time::from_secs(seconds).unwrap().nanos()
            }
        }
    }

    pub fn marking(&self) -> Vec<Vec<Token>> {
        let places = self.places.iter().enumerate();
        let tokens = places.map(|(place, tokens)| {
            let mut tokens: Vec<Token> = tokens
                .iter()
                .map(|tok| Token {
                    value: self.value(place, tok.colour),
                    ready_at: (!self.is_ready(tok)).then(|| Time::from_nanos(tok.ready_at)),
                })
                .collect();
            tokens.sort();
            tokens
        });
        tokens.collect()
    }
}
