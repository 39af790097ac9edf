//! Coloured tokens of which the code says where each goes.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;

use super::append::Append;
use super::outputs::{Maybe, Once, OutArc, Quantity, Target, Timed};
use crate::delay::Delay;
use crate::handles::Place;
use crate::net::{OutputArc, UnitOutputs, Wiring};
use crate::places::{Discipline, Shelf};
use crate::state::Firing;

/// Arcs to several places, of which the code names one for each token.
pub struct OneOf<D, Q = Once> {
    places: Vec<Place<D>>,
    quantity: PhantomData<fn() -> Q>,
}

impl<D> Place<D> {
    /// Arcs to these places, of which a token goes by one: the code returns a pair of the place's number among them and the token.
    /// A firing takes the same time however many there are. A number that no place has ends the run with an error.
    ///
    /// ```
    /// use hotset_petri::{Choice, Net, Place};
    ///
    /// let net = Net::build("sorter", |page| {
    ///     let parcels = page.fifo("parcels", [7_usize, 4]);
    ///     let belts = ["even", "odd"].map(|name| page.fifo(name, []));
    ///     page.transition("sort")
    ///         .take(&parcels)
    ///         .put(Place::one_of(&belts))
    ///         .fire(|parcel, _| (parcel % 2, parcel));
    ///     for (name, belt) in ["load even", "load odd"].iter().zip(&belts) {
    ///         page.transition(name).take(belt).done();
    ///     }
    /// })?;
    /// let mut run = net.simulate(1, 0, Choice::Fast);
    /// run.run_firings(2)?;
    /// let marking = run.marking();
    /// assert_eq!((marking[1][0].value.as_str(), marking[2][0].value.as_str()), ("4", "7"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn one_of(places: &[Place<D>]) -> OneOf<D> {
        OneOf {
            places: places.to_vec(),
            quantity: PhantomData,
        }
    }
}

impl<D> OneOf<D> {
    /// A token goes by one of them, or none does: the code returns an `Option`.
    #[must_use]
    pub fn maybe(self) -> OneOf<D, Maybe> {
        self.with_quantity()
    }
}

impl<D, Q> OneOf<D, Q> {
    /// The token has a delay of its own: the code returns a pair of [`Time`](crate::Time) and what it returns without.
    #[must_use]
    pub fn timed(self) -> OneOf<D, Timed<Q>> {
        self.with_quantity()
    }

    fn with_quantity<R>(self) -> OneOf<D, R> {
        OneOf {
            places: self.places,
            quantity: PhantomData,
        }
    }
}

impl<D: Discipline, Q: Quantity> OutArc for OneOf<D, Q> {
    type Value = Q::Of<(usize, D::Token)>;
    type Shelf = Vec<(Rc<RefCell<Shelf<D>>>, u32)>;

    fn wire(&self, wiring: &Wiring<'_>) -> Self::Shelf {
        let places = self.places.iter();
        places.map(|place| wiring.shelf(*place)).collect()
    }

    #[inline]
    fn put(&self, on: &Self::Shelf, value: Self::Value, firing: &mut Firing<'_>) {
        let ignores_own = Q::TIMED && firing.core().is_untimed;
        Q::each(value, |(place, token), own| {
            let (shelf, number) = &on[place];
            let after = if ignores_own { 0 } else { own };
            let shelf = &mut *shelf.borrow_mut();
            firing.core().give(shelf, *number, token, after);
        });
    }

    fn targets(&self) -> Vec<OutputArc> {
        let arc = |place: &Place<D>| OutputArc {
            place: place.id,
            after: Delay::NONE,
            quantity: Some(OutputArc::ONE_OF),
            is_timed: Q::TIMED,
        };
        self.places.iter().map(arc).collect()
    }
}

impl<O: Append<Self>, X, Q> Target<O> for OneOf<X, Q> {
    type Next = O::With;

    fn attach(self, outputs: O, _: &mut UnitOutputs) -> Self::Next {
        outputs.with(self)
    }
}
