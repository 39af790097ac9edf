//! The loop of a run.

use std::any::Any;
use std::cell::{Ref, RefCell, RefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use hdrhistogram::Histogram;

use super::bundles::Bundles;
use super::choice::{Choice, EnabledBindings};
use super::start;
use crate::delay::Delay;
use crate::error::RunError;
use crate::handles::Object;
use crate::net::{Body, Net, TransitionSpec, Wiring};
use crate::places::AnyShelf;
use crate::state::{Core, Fault, Firing, Tally};
use crate::stream::Stream;
use crate::time::Time;

/// So many firings at one moment are taken for a loop that lets no time pass.
const AT_ONE_MOMENT: u64 = 10_000_000;

/// The delay of what is ready at once.
static AT_ONCE: Delay = Delay::NONE;

/// A run of a net.
pub struct Simulation<'n> {
    net: &'n Net,
    pub(super) core: Core,
    pub(super) steps: Vec<Step<'n>>,
    pub(super) shelves: Vec<Option<Rc<dyn AnyShelf>>>,
    objects: Vec<Rc<dyn Any>>,
    enabled: EnabledBindings,
    bundles: Bundles,
    stream: Stream,
    fired: Vec<u64>,
    /// The transition whose code is running.
    current: usize,
    /// Firings since time last passed.
    at_once: u64,
    measured_from: u64,
    error: Option<RunError>,
}

/// A transition that is ready to fire.
pub(super) struct Step<'n> {
    pub(super) spec: &'n TransitionSpec,
    pub(super) body: Option<Box<dyn Body>>,
    pub(super) stream: Stream,
    /// Whether its unit tokens are one entry of the pending queue.
    bundles: bool,
    /// Whether there is nothing to it but its body. Then its specification, which lies elsewhere in memory, is not looked at.
    is_plain: bool,
}

/// One firing.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The transition, by its number in [`Net::transitions`].
    pub transition: usize,
    /// When it fired.
    pub time: Time,
    /// The coloured tokens that it took, as text.
    pub binding: String,
}

/// A token of a marking.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Token {
    /// Its value as text; empty for unit tokens.
    pub value: String,
    /// When it will be ready; nothing if it is.
    pub ready_at: Option<Time>,
}

/// Why the loop stopped.
#[derive(Clone, Copy, PartialEq)]
enum Stop {
    Time,
    Firings,
    Dead,
}

impl Net {
    /// A run of the net from its initial marking. `replication` gives it random numbers of its own.
    #[must_use]
    pub fn simulate(&self, seed: u64, replication: u64, choice: Choice) -> Simulation<'_> {
        Simulation::new(self, seed, replication, choice)
    }
}

impl<'n> Simulation<'n> {
    fn new(net: &'n Net, seed: u64, replication: u64, choice: Choice) -> Self {
        let made = net.places.iter().map(|it| it.shelf.as_ref());
        let made = made.map(|make| make.map(|make| make()).unzip());
        let (shelves, any): (Vec<_>, Vec<_>) = made.unzip();
        let objects = net.objects.iter().map(|it| {
            let mut stream = Stream::named(seed, replication, &it.path);
            (it.make)(&mut stream)
        });
        let objects: Vec<Rc<dyn Any>> = objects.collect();
        let wiring = Wiring {
            dense: &net.dense,
            shelves: &any,
            objects: &objects,
        };
        let bundles = Bundles::new(net);
        let steps = net
            .transitions
            .iter()
            .enumerate()
            .map(|(number, spec)| Step {
                spec,
                body: spec.body.clone().map(|body| body.make(&wiring)),
                stream: Stream::named(seed, replication, &spec.path),
                bundles: bundles.has_units(number),
                is_plain: spec.is_plain(),
            });
        let levels: Vec<usize> = net.transitions.iter().map(|it| it.level).collect();
        let steps = steps.collect();
        Simulation {
            net,
            core: start::core(net),
            steps,
            shelves,
            objects,
            enabled: EnabledBindings::new(&levels, choice),
            bundles,
            // No path is empty.
            stream: Stream::named(seed, replication, ""),
            fired: vec![0; levels.len()],
            current: 0,
            at_once: 0,
            measured_from: 0,
            error: None,
        }
    }

    /// Ends the run with an error when a place holds more tokens than this; ten million unless given.
    #[must_use]
    pub fn with_token_limit(mut self, limit: u32) -> Self {
        self.core.limit = limit;
        self
    }

    /// Runs until a moment: all that happens then has happened.
    ///
    /// # Errors
    /// An end or a deadlock before that moment, and whatever else ends a run.
    pub fn run_until(&mut self, end: Time) -> Result<(), RunError> {
        if let Some(it) = self.net.sources().find(|it| it.delay.is_none()) {
            let path = it.path.clone();
            return Err(RunError::TimelessSource { path });
        }
        match self.run_to(end.nanos(), u64::MAX)? {
            Stop::Dead => Err(self.dead()),
            _ => Ok(()),
        }
    }

    /// Fires so many times, or fewer if nothing can fire any more; how many times it was.
    ///
    /// # Errors
    /// Whatever ends a run, but for a deadlock.
    pub fn run_firings(&mut self, count: u64) -> Result<u64, RunError> {
        let before = self.firings();
        self.run_to(u64::MAX, count)?;
        Ok(self.firings() - before)
    }

    /// The same, but no longer than until a moment. Where it fires less often and the time is that moment, all that happens until then has
    /// happened.
    ///
    /// # Errors
    /// Whatever ends a run, but for a deadlock.
    pub fn run_firings_until(&mut self, end: Time, count: u64) -> Result<u64, RunError> {
        let before = self.firings();
        self.run_to(end.nanos(), count)?;
        Ok(self.firings() - before)
    }

    /// Fires once, and says what; nothing if nothing can fire any more.
    ///
    /// # Errors
    /// Whatever ends a run, but for a deadlock.
    pub fn step(&mut self) -> Result<Option<Event>, RunError> {
        self.core.binding = Some(String::new());
        let stop = self.run_to(u64::MAX, 1);
        let binding = self.core.binding.take().unwrap_or_default();
        Ok((stop? == Stop::Firings).then(|| Event {
            transition: self.current,
            time: self.now(),
            binding,
        }))
    }

    /// The simulated time.
    #[must_use]
    pub fn now(&self) -> Time {
        Time::from_nanos(self.core.now)
    }

    /// An object of the run, as it is now.
    ///
    /// # Panics
    /// Where the object is another net's.
    #[must_use]
    pub fn object<T: 'static>(&self, object: Object<T>) -> Ref<'_, T> {
        self.cell(object).borrow()
    }

    /// An object of the run, to be changed between firings: counts that begin anew, for example.
    ///
    /// # Panics
    /// Where the object is another net's.
    #[must_use]
    pub fn object_mut<T: 'static>(&mut self, object: Object<T>) -> RefMut<'_, T> {
        self.cell(object).borrow_mut()
    }

    fn cell<T: 'static>(&self, object: Object<T>) -> &RefCell<T> {
        let it = self.objects.get(object.id.index as usize);
        let it = it.and_then(|it| it.downcast_ref::<RefCell<T>>());
        it.expect("the net has this object")
    }

    /// Firings of all transitions.
    #[must_use]
    pub fn firings(&self) -> u64 {
        self.fired.iter().sum()
    }

    /// Tokens that wait for their time.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.core.queue.len()
    }

    /// How many bindings of each transition are enabled now, whatever their urgency; at most 1 for each under
    /// [`Choice::Fast`].
    pub fn enabled(&mut self) -> Vec<u64> {
        self.look_again();
        (0..self.steps.len())
            .map(|it| self.enabled.of(it))
            .collect()
    }

    /// The tokens of every place, sorted.
    #[must_use]
    pub fn marking(&self) -> Vec<Vec<Token>> {
        let ready = |value| Token {
            value,
            ready_at: None,
        };
        let places = self.shelves.iter().zip(&self.core.ready);
        let mut marking: Vec<Vec<Token>> = places
            .map(|(shelf, &units)| match shelf {
                Some(shelf) => shelf.ready().into_iter().map(ready).collect(),
                None => vec![ready(String::new()); units as usize],
            })
            .collect();
        for entry in self.core.queue.iter() {
            let ready_at = Some(Time::from_nanos(entry.time));
            let mut add = |place: u32, value: String, count: u32| {
                let tokens = std::iter::repeat_n(Token { value, ready_at }, count as usize);
                marking[place as usize].extend(tokens);
            };
            let contents = self.bundles.contents(entry.place);
            if let Some(place) = contents.place {
                match &self.shelves[place as usize] {
                    Some(shelf) => add(place, shelf.held(entry.slot), 1),
                    None => add(place, String::new(), entry.slot),
                }
            }
            for &(place, count, _) in self.units_of(contents.units_of) {
                add(place, String::new(), count);
            }
        }
        marking.truncate(self.net.drawn_places);
        marking.iter_mut().for_each(|tokens| tokens.sort());
        marking
    }

    /// The unit tokens of a bundle.
    fn units_of(&self, transition: Option<usize>) -> &'n [(u32, u32, Delay)] {
        transition.map_or(&[], |it| &self.net.transitions[it].gives)
    }

    /// Monitors forget what they saw until now.
    pub fn reset_monitors(&mut self) {
        self.measured_from = self.core.now;
        let tallies = self.core.tallies.iter_mut();
        tallies.for_each(|tally| tally.reset(self.core.now, &self.fired));
    }

    /// The monitors' means since the last reset or cut; nothing for one that saw nothing.
    pub fn monitors(&mut self) -> Vec<Option<f64>> {
        let (now, span) = (self.core.now, self.core.now - self.measured_from);
        let tallies = self.core.tallies.iter_mut();
        tallies
            .map(|tally| tally.value(now, span, &self.fired))
            .collect()
    }

    /// The monitors' means until now, which begin anew. Histograms and counts go on.
    pub(crate) fn cut(&mut self) -> Vec<Option<f64>> {
        let means = self.monitors();
        self.measured_from = self.core.now;
        let tallies = self.core.tallies.iter_mut();
        tallies.for_each(|tally| tally.cut(self.core.now, &self.fired));
        means
    }

    /// Each monitor's number of firings or values since the last reset; nothing for time averages.
    #[must_use]
    pub fn counts(&self) -> Vec<Option<u64>> {
        let tallies = self.core.tallies.iter();
        tallies.map(|tally| tally.count(&self.fired)).collect()
    }

    /// Each monitor's histogram since the last reset, in nanoseconds; nothing for one that records no times.
    #[must_use]
    pub fn histograms(&self) -> Vec<Option<&Histogram<u64>>> {
        self.core.tallies.iter().map(Tally::histogram).collect()
    }

    /// The loop, with whatever panics in the net's own code turned into an error. A run that ended with an error stays
    /// ended.
    fn run_to(&mut self, end: u64, firings: u64) -> Result<Stop, RunError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let looped = catch_unwind(AssertUnwindSafe(|| self.fire_until(end, firings)));
        let stop = looped.unwrap_or_else(|panic| {
            Err(RunError::Panicked {
                path: self.path_of_current(),
                at: self.now(),
                message: message_of(&*panic),
            })
        });
        self.error = stop.as_ref().err().cloned();
        stop
    }

    fn fire_until(&mut self, end: u64, mut firings: u64) -> Result<Stop, RunError> {
        while firings > 0 {
            self.look_again();
            if let Some((transition, nth)) = self.enabled.draw(&mut self.stream) {
                self.fire(transition, nth);
                firings -= 1;
                if self.core.fault.is_some() || self.at_once > AT_ONE_MOMENT {
                    return Err(self.fault());
                }
                continue;
            }
            match self.core.queue.next_time() {
                Some(time) if time <= end => self.advance(time),
                Some(_) => {
                    self.core.now = end;
                    return Ok(Stop::Time);
                }
                None => return Ok(Stop::Dead),
            }
        }
        Ok(Stop::Firings)
    }

    /// Counts the bindings of all transitions downstream of places that changed.
    #[inline]
    fn look_again(&mut self) {
        while let Some(transition) = self.core.next_dirty() {
            self.current = transition;
            let bindings = self.bindings(transition);
            self.enabled.set(transition, bindings);
        }
    }

    #[inline]
    fn bindings(&mut self, transition: usize) -> u64 {
        let step = &mut self.steps[transition];
        let core = &self.core;
        let limit = self.enabled.limit();
        if step.is_plain {
            return step.body.as_mut().map_or(1, |body| body.count(limit));
        }
        let lacks = |&(place, count): &(u32, u32)| core.ready[place as usize] < count;
        let stops = |&(place, below): &(u32, u32)| core.total[place as usize] >= below;
        if step.spec.needs.iter().any(lacks) || step.spec.inhibitors.iter().any(stops) {
            return 0;
        }
        step.body.as_mut().map_or(1, |body| body.count(limit))
    }

    #[inline]
    fn fire(&mut self, transition: usize, nth: u64) {
        self.current = transition;
        self.fired[transition] += 1;
        self.at_once += 1;
        let Step {
            spec,
            body,
            stream,
            bundles,
            is_plain,
        } = &mut self.steps[transition];
        if let (true, Some(body)) = (*is_plain, &mut *body) {
            let mut firing = Firing {
                core: &mut self.core,
                stream,
                law: &AT_ONCE,
                resets: &[],
                shelves: &self.shelves,
                chosen: None,
            };
            return body.fire(nth, &mut firing);
        }
        for &(place, count) in &spec.needs {
            self.core.ready[place as usize] -= count;
            self.core.removed(place, count);
        }
        let mut firing = Firing {
            core: &mut self.core,
            stream,
            law: &spec.delay,
            resets: &spec.resets,
            shelves: &self.shelves,
            chosen: None,
        };
        if *bundles {
            firing.core.bundle = self.bundles.with_token(transition);
        }
        match body {
            Some(body) => body.fire(nth, &mut firing),
            None => firing.settle(),
        }
        if *bundles && firing.core.delay > 0 {
            for &(place, count, _) in &spec.gives {
                firing.core.added(place, count);
                firing.core.held_units(place, i64::from(count));
            }
            let has_token = self.bundles.with_token(transition).is_some();
            if firing.core.bundle.take().is_some() || !has_token {
                let (alone, delay) = (self.bundles.units_alone(transition), firing.core.delay);
                firing.core.pend(alone, 0, delay);
            }
            return;
        }
        firing.core.bundle = None;
        for (place, count, after) in &spec.gives {
            let after = firing.delay_of(after);
            firing.core.give_units(*place, *count, after);
        }
    }

    /// Lets time pass, up to the next moment at which tokens are ready.
    #[inline]
    fn advance(&mut self, time: u64) {
        self.core.now = time;
        self.at_once = 0;
        self.warm_up_memory();
        while let Some(entry) = self.core.queue.pop_at(time) {
            let contents = self.bundles.contents(entry.place);
            if let Some(place) = contents.place {
                match &self.shelves[place as usize] {
                    Some(shelf) => {
                        shelf.ripen(entry.slot);
                        self.core.touch(place);
                    }
                    None => self.core.ripen_units(place, entry.slot),
                }
            }
            for &(place, count, _) in self.units_of(contents.units_of) {
                self.core.ripen_units(place, count);
            }
        }
    }

    /// Tokens that will be ready soon are looked at all at once, so that waiting for their memory takes the time of one.
    #[inline]
    fn warm_up_memory(&mut self) {
        for entry in self.core.queue.fresh().into_iter().flatten() {
            let place = self.bundles.contents(entry.place).place;
            if let Some(shelf) = place.and_then(|place| self.shelves[place as usize].as_ref()) {
                shelf.warm(entry.slot);
            }
        }
    }

    fn path_of_current(&self) -> String {
        self.net.transitions[self.current].path.clone()
    }

    #[cold]
    fn fault(&mut self) -> RunError {
        let (path, at) = (self.path_of_current(), self.now());
        match self.core.fault.take() {
            Some(Fault::Unbounded { place }) => RunError::Unbounded {
                path: self.net.places[place as usize].path.clone(),
                limit: self.core.limit,
                at,
            },
            Some(Fault::BadDelay { seconds }) => RunError::BadDelay { path, seconds, at },
            None => RunError::ZeroTimeLoop {
                path,
                firings: self.at_once,
                at,
            },
        }
    }

    /// Nothing can fire any more: the net has ended, or it is in a deadlock.
    fn dead(&self) -> RunError {
        let at = self.now();
        if self.net.has_ended(|place| self.core.total[place]) {
            return RunError::Ended { at };
        }
        let places = self.net.places.iter().zip(&self.core.total);
        let left = places.filter(|(_, tokens)| **tokens > 0);
        RunError::Deadlock {
            at,
            left: left.map(|(place, _)| place.path.clone()).take(5).collect(),
        }
    }
}

/// What a panic said.
pub(crate) fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "no message".to_owned())
}
