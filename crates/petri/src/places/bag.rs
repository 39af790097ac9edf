//! A place that offers all its tokens.

use super::{Discipline, Offer};
use crate::colour::Colour;

/// Offers all its tokens: each is a binding of its own, equal ones too.
pub struct Bag<T>(Vec<T>);

impl<T> Default for Bag<T> {
    fn default() -> Self {
        Bag(Vec::new())
    }
}

impl<T: Colour> Discipline for Bag<T> {
    type Token = T;
    const NAME: &str = "bag";

    #[inline]
    fn add(&mut self, token: T) {
        self.0.push(token);
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn tokens(&self) -> Vec<&T> {
        self.0.iter().collect()
    }
}

impl<T: Colour> Offer<()> for Bag<T> {
    #[inline]
    fn count(&self, (): &()) -> u32 {
        self.0.len() as u32
    }

    #[inline]
    fn get(&self, (): &(), index: u32) -> &T {
        &self.0[index as usize]
    }

    #[inline]
    fn take(&mut self, (): &(), index: u32) -> T {
        self.0.swap_remove(index as usize)
    }
}
