//! A place that tokens leave the net by.

use std::marker::PhantomData;

use super::Discipline;
use crate::colour::Colour;

/// Keeps nothing: tokens leave the net here.
pub struct Sink<T>(PhantomData<T>);

impl<T> Default for Sink<T> {
    fn default() -> Self {
        Sink(PhantomData)
    }
}

impl<T: Colour> Discipline for Sink<T> {
    type Token = T;
    const NAME: &str = "sink";
    const KEEPS: bool = false;

    #[inline]
    fn add(&mut self, _: T) {}

    fn clear(&mut self) {}

    fn tokens(&self) -> Vec<&T> {
        Vec::new()
    }
}
