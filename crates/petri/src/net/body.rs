//! What a transition does in a run, behind one pointer.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use crate::handles::{Object, Place};
use crate::places::{Discipline, Shelf};
use crate::state::Firing;

/// A transition's arcs and closures. One call through a pointer reaches them; all behind it is compiled as one.
pub(crate) trait Body {
    /// Bindings that are enabled as far as coloured tokens go, counted up to `limit`.
    fn count(&mut self, limit: u64) -> u64;
    /// Fires with the binding of this number, which must be below the last count.
    fn fire(&mut self, nth: u64, firing: &mut Firing<'_>);
}

/// Makes a body for each run.
pub(crate) trait MakeBody: Send + Sync {
    fn make(self: Arc<Self>, wiring: &Wiring<'_>) -> Box<dyn Body>;
}

/// The shelves and the objects of a run.
pub struct Wiring<'a> {
    /// The place that each authored place became.
    pub(crate) dense: &'a [u32],
    pub(crate) shelves: &'a [Option<Rc<dyn Any>>],
    pub(crate) objects: &'a [Rc<dyn Any>],
}

impl Wiring<'_> {
    /// The shelf of a place and the place's number.
    pub(crate) fn shelf<D: Discipline>(&self, place: Place<D>) -> (Rc<RefCell<Shelf<D>>>, u32) {
        let number = self.dense[place.id.index as usize];
        let shelf = self.shelves[number as usize].clone();
        let shelf = shelf.and_then(|shelf| shelf.downcast().ok());
        (shelf.expect("fused places have one type"), number)
    }

    /// An object.
    pub(crate) fn object<T: 'static>(&self, object: Object<T>) -> Rc<RefCell<T>> {
        let it = Rc::clone(&self.objects[object.id.index as usize]);
        it.downcast().expect("a handle has the type of its object")
    }
}
