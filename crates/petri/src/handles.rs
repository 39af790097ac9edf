//! What a page hands out for its places, transitions and monitors.

use std::marker::PhantomData;

use crate::delay::Delay;

/// A place of a net, whatever it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceId {
    pub(crate) net: u64,
    pub(crate) index: u32,
}

impl PlaceId {
    /// Its number among the places that were drawn.
    #[must_use]
    pub fn number(self) -> usize {
        self.index as usize
    }
}

/// A transition of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransitionId {
    pub(crate) net: u64,
    pub(crate) index: u32,
}

/// A place of coloured tokens, offered in the order of the discipline `D`.
pub struct Place<D> {
    pub(crate) id: PlaceId,
    discipline: PhantomData<fn() -> D>,
}

impl<D> Clone for Place<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for Place<D> {}

/// A place whose tokens have no colour: a counter.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    pub(crate) id: PlaceId,
}

/// So many tokens of a unit place, and how much later than other arcs' they are ready.
#[derive(Clone, Debug)]
pub struct Units {
    /// The place.
    pub place: PlaceId,
    /// How many.
    pub count: u32,
    /// How much later than those of other arcs they are ready.
    pub after: Delay,
}

impl<D> Place<D> {
    /// The place, whatever it holds.
    #[must_use]
    pub fn id(&self) -> PlaceId {
        self.id
    }
}

impl Unit {
    /// The place, whatever it holds.
    #[must_use]
    pub fn id(&self) -> PlaceId {
        self.id
    }

    /// An arc of so many tokens.
    #[must_use]
    pub fn times(&self, count: u32) -> Units {
        Units {
            place: self.id,
            count,
            after: Delay::NONE,
        }
    }

    /// An output arc whose token is ready this long after those of the transition's other arcs.
    #[must_use]
    pub fn after(&self, delay: Delay) -> Units {
        self.times(1).after(delay)
    }
}

impl Units {
    /// The tokens are ready this long after those of the transition's other arcs. On an input arc it means nothing.
    #[must_use]
    pub fn after(self, delay: Delay) -> Units {
        Units {
            after: delay,
            ..self
        }
    }
}

/// A handle of a place.
pub trait AnyPlace: Copy {
    #[doc(hidden)]
    fn with(id: PlaceId) -> Self;
    #[doc(hidden)]
    fn place_id(&self) -> PlaceId;
}

impl AnyPlace for Unit {
    fn with(id: PlaceId) -> Unit {
        Unit { id }
    }

    fn place_id(&self) -> PlaceId {
        self.id
    }
}

impl<D> AnyPlace for Place<D> {
    fn with(id: PlaceId) -> Place<D> {
        Place {
            id,
            discipline: PhantomData,
        }
    }

    fn place_id(&self) -> PlaceId {
        self.id
    }
}

/// An object of a run: something with a state that named transitions borrow while they fire.
pub struct Object<T> {
    pub(crate) id: ObjectId,
    kind: PhantomData<fn() -> T>,
}

/// An object of a run, whatever it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectId {
    pub(crate) net: u64,
    pub(crate) index: u32,
}

impl<T> Object<T> {
    pub(crate) fn with(id: ObjectId) -> Object<T> {
        Object {
            id,
            kind: PhantomData,
        }
    }
}

impl<T> Clone for Object<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Object<T> {}

/// Spans of time that transitions record.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    pub(crate) monitor: u32,
}

/// Values that transitions record.
#[derive(Clone, Copy, Debug)]
pub struct Samples {
    pub(crate) monitor: u32,
}
