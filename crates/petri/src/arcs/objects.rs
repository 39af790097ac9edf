//! The objects of the run that a transition borrows: none, one, two or three.

use std::cell::RefCell;
use std::rc::Rc;

use crate::handles::{Object, ObjectId};
use crate::net::Wiring;

/// The objects of the run that a transition borrows while it fires.
pub trait Objects: Send + Sync + 'static {
    /// What the code of the transition gets: one object, or a tuple of them.
    type Borrowed<'a>;
    #[doc(hidden)]
    type Cells: 'static;

    #[doc(hidden)]
    fn wire(&self, wiring: &Wiring<'_>) -> Self::Cells;
    #[doc(hidden)]
    fn ids(&self) -> Vec<ObjectId>;
    #[doc(hidden)]
    fn lend<R>(cells: &Self::Cells, code: impl FnOnce(Self::Borrowed<'_>) -> R) -> R;
}

impl Objects for () {
    type Borrowed<'a> = ();
    type Cells = ();

    fn wire(&self, _: &Wiring<'_>) {}

    fn ids(&self) -> Vec<ObjectId> {
        Vec::new()
    }

    #[inline]
    fn lend<R>((): &(), code: impl FnOnce(()) -> R) -> R {
        code(())
    }
}

impl<A: 'static> Objects for (Object<A>,) {
    type Borrowed<'a> = &'a mut A;
    type Cells = Rc<RefCell<A>>;

    fn wire(&self, wiring: &Wiring<'_>) -> Self::Cells {
        wiring.object(self.0)
    }

    fn ids(&self) -> Vec<ObjectId> {
        vec![self.0.id]
    }

    #[inline]
    fn lend<R>(cell: &Self::Cells, code: impl FnOnce(&mut A) -> R) -> R {
        code(&mut cell.borrow_mut())
    }
}

macro_rules! several {
    ($($of:ident $index:tt),+) => {
        impl<$($of: 'static),+> Objects for ($(Object<$of>,)+) {
            type Borrowed<'a> = ($(&'a mut $of,)+);
            type Cells = ($(Rc<RefCell<$of>>,)+);

            fn wire(&self, wiring: &Wiring<'_>) -> Self::Cells {
                ($(wiring.object(self.$index),)+)
            }

            fn ids(&self) -> Vec<ObjectId> {
                vec![$(self.$index.id),+]
            }

            #[inline]
            fn lend<R>(cells: &Self::Cells, code: impl FnOnce(Self::Borrowed<'_>) -> R) -> R {
                code(($(&mut *cells.$index.borrow_mut(),)+))
            }
        }
    };
}

several!(A 0, B 1);
several!(A 0, B 1, C 2);
