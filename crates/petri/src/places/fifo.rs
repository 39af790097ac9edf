//! A place that offers the token that was ready first.

use std::collections::VecDeque;

use super::{Discipline, Offer};
use crate::colour::Colour;

/// Offers the token that was ready first. Of tokens ready at the same moment, the one made first is first.
pub struct Fifo<T>(VecDeque<T>);

impl<T> Default for Fifo<T> {
    fn default() -> Self {
        Fifo(VecDeque::new())
    }
}

impl<T: Colour> Discipline for Fifo<T> {
    type Token = T;
    const NAME: &str = "FIFO";
    const OFFERS_MANY: bool = false;

    #[inline]
    fn add(&mut self, token: T) {
        self.0.push_back(token);
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn tokens(&self) -> Vec<&T> {
        self.0.iter().collect()
    }
}

impl<T: Colour> Offer<()> for Fifo<T> {
    #[inline]
    fn count(&self, (): &()) -> u32 {
        u32::from(!self.0.is_empty())
    }

    #[inline]
    fn get(&self, (): &(), _: u32) -> &T {
        &self.0[0]
    }

    #[inline]
    fn take(&mut self, (): &(), _: u32) -> T {
        self.0.pop_front().expect("an offered token is there")
    }
}
