//! What the code of a transition sees and may do while it fires.

use std::fmt::Debug;
use std::rc::Rc;

use super::core::{Core, Fault};
use crate::delay::Delay;
use crate::handles::{Samples, Times};
use crate::places::AnyShelf;
use crate::stream::Stream;
use crate::time::Time;

/// What the code of a transition sees and may do while it fires.
pub struct Firing<'a> {
    pub(crate) core: &'a mut Core,
    pub(crate) stream: &'a mut Stream,
    pub(crate) law: &'a Delay,
    pub(crate) resets: &'a [u32],
    pub(crate) shelves: &'a [Option<Rc<dyn AnyShelf>>],
    pub(crate) chosen: Option<Time>,
}

impl Firing<'_> {
    /// The simulated time.
    #[must_use]
    pub fn now(&self) -> Time {
        Time::from_nanos(self.core.now)
    }

    /// The transition's own random numbers.
    pub fn random(&mut self) -> &mut Stream {
        self.stream
    }

    /// Makes this the delay of all tokens that the firing gives, in place of the transition's. One that is negative or
    /// not a number ends the run with an error.
    pub fn delay_by(&mut self, seconds: f64) {
        match Time::from_secs(seconds) {
            Some(delay) => self.chosen = Some(delay),
            None => self.core.fault = Some(Fault::BadDelay { seconds }),
        }
    }

    /// Records a span of time for a monitor.
    #[inline]
    pub fn record_time(&mut self, times: Times, span: Time) {
        self.core.tallies[times.monitor as usize].time(span);
    }

    /// Records a value for a monitor.
    #[inline]
    pub fn record(&mut self, samples: Samples, value: f64) {
        self.core.tallies[samples.monitor as usize].sample(value);
    }

    #[inline]
    pub(crate) fn core(&mut self) -> &mut Core {
        self.core
    }

    /// Writes the binding down where somebody wants to see it.
    #[inline]
    pub(crate) fn trace(&mut self, tokens: &impl Debug) {
        if let Some(binding) = &mut self.core.binding {
            *binding = format!("{tokens:?}");
        }
    }

    /// Between taking and giving: the delay is drawn, and places are reset.
    #[inline]
    pub(crate) fn settle(&mut self) {
        if self.core.is_untimed {
            self.core.chose_delay |= self.chosen.take().is_some();
        }
        self.core.delay = match self.chosen {
            Some(delay) => delay.nanos(),
            None => self.delay_of(self.law),
        };
        if !self.resets.is_empty() {
            self.reset();
        }
    }

    /// The next delay of a law, in nanoseconds.
    #[inline]
    pub(crate) fn delay_of(&mut self, law: &Delay) -> u64 {
        if law.is_none() || self.core.is_untimed {
            return 0;
        }
        match law.draw(self.stream) {
            Ok(delay) => delay.nanos(),
            Err(bad) => {
                self.core.fault = Some(Fault::BadDelay { seconds: bad.0 });
                0
            }
        }
    }

    #[cold]
    fn reset(&mut self) {
        for &place in self.resets {
            let index = place as usize;
            let was_held = match &self.shelves[index] {
                Some(shelf) => shelf.clear(),
                None => {
                    let held = self.core.total[index] - self.core.ready[index];
                    self.core.held_units(place, -i64::from(held));
                    held > 0
                }
            };
            if was_held {
                self.core.queue.discard(place);
            }
            self.core.ready[index] = 0;
            self.core.removed(place, self.core.total[index]);
        }
    }
}
