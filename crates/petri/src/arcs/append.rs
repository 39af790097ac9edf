//! Tuples that grow: of arcs that a transition takes by, of arcs that it gives by, and of objects that it borrows.

/// A tuple, with one more behind it.
pub trait Append<X> {
    /// The longer tuple.
    type With;

    #[doc(hidden)]
    fn with(self, last: X) -> Self::With;
}

macro_rules! append {
    ($(($($of:ident $index:tt),*)),+) => { $(
        impl<$($of,)* X> Append<X> for ($($of,)*) {
            type With = ($($of,)* X,);

            fn with(self, last: X) -> Self::With {
                ($(self.$index,)* last,)
            }
        }
    )+ };
}

append!((), (A 0), (A 0, B 1), (A 0, B 1, C 2));
