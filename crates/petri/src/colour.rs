//! Colours: what tokens can be, and what other tools know of it.

use std::fmt::Debug;
use std::sync::Arc;

use crate::time::Time;

/// A type that tokens can have. An `impl` without a body makes any type one that can be copied, shown and shared between
/// threads. Those that [`colour!`](crate::colour) declares are known to other tools, too.
pub trait Colour: Clone + Debug + Send + Sync + 'static {
    /// The colour set of the type; nothing where other tools know none like it.
    #[must_use]
    fn set() -> Option<ColourSet> {
        None
    }

    /// The value as other tools know it, where the type has a colour set.
    #[must_use]
    fn constant(&self) -> Constant {
        Constant::Other(format!("{self:?}"))
    }
}

/// A value as other tools know it.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i128),
    /// Another number.
    Real(f64),
    /// Text.
    Text(String),
    /// A tuple; the empty one is that of unit tokens.
    Tuple(Vec<Constant>),
    /// A structure: its fields.
    Record(Vec<(&'static str, Constant)>),
    /// A member of an enumeration, after the enumeration's name.
    Member(&'static str, &'static str),
    /// A value of a type that other tools do not know, as Rust shows it.
    Other(String),
}

/// A type as coloured Petri nets of other tools have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColourSet {
    /// One value.
    Unit,
    /// True or false.
    Bool,
    /// Whole numbers; moments and spans of time too, in microseconds.
    Int {
        /// Whether they can be negative.
        signed: bool,
    },
    /// Text.
    Text,
    /// Tuples.
    Product(Vec<ColourSet>),
    /// Structures: their name and their fields.
    Record(&'static str, Vec<(&'static str, ColourSet)>),
    /// Enumerations: their name and their members.
    Enumeration(&'static str, &'static [&'static str]),
}

impl ColourSet {
    /// Whether a number in it can be negative.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        match self {
            ColourSet::Int { signed } => *signed,
            ColourSet::Product(parts) => parts.iter().any(ColourSet::is_signed),
            ColourSet::Record(_, fields) => fields.iter().any(|it| it.1.is_signed()),
            _ => false,
        }
    }
}

/// Declares a structure or an enumeration without values as a colour that other tools know: a record or an enumeration there.
///
/// ```
/// use hotset_petri::{Colour, ColourSet, Constant, colour};
///
/// colour! {
///     #[derive(Clone, Copy, Debug)]
///     struct Answer { client: u32, failed: bool }
/// }
/// colour! {
///     #[derive(Clone, Copy, Debug, PartialEq)]
///     enum Light { Red, Green }
/// }
/// assert_eq!(Light::set(), Some(ColourSet::Enumeration("Light", &["Red", "Green"])));
/// let answer = Answer { client: 7, failed: false };
/// let fields = vec![("client", Constant::Int(7)), ("failed", Constant::Bool(false))];
/// assert_eq!(answer.constant(), Constant::Record(fields));
/// # let _ = (Light::Red, Light::Green);
/// ```
#[macro_export]
macro_rules! colour {
    (
        $(#[$attribute:meta])*
        $visible:vis struct $name:ident {
            $($(#[$of_field:meta])* $shown:vis $field:ident: $type:ty),+ $(,)?
        }
    ) => {
        $(#[$attribute])*
        $visible struct $name { $($(#[$of_field])* $shown $field: $type),+ }

        impl $crate::Colour for $name {
            fn set() -> Option<$crate::ColourSet> {
                let fields = vec![$((stringify!($field), <$type as $crate::Colour>::set()?)),+];
                Some($crate::ColourSet::Record(stringify!($name), fields))
            }

            fn constant(&self) -> $crate::Constant {
                let fields = vec![$((stringify!($field), $crate::Colour::constant(&self.$field))),+];
                $crate::Constant::Record(fields)
            }
        }
    };
    (
        $(#[$attribute:meta])*
        $visible:vis enum $name:ident {
            $($(#[$of_member:meta])* $member:ident),+ $(,)?
        }
    ) => {
        $(#[$attribute])*
        $visible enum $name { $($(#[$of_member])* $member),+ }

        impl $crate::Colour for $name {
            fn set() -> Option<$crate::ColourSet> {
                Some($crate::ColourSet::Enumeration(stringify!($name), &[$(stringify!($member)),+]))
            }

            fn constant(&self) -> $crate::Constant {
                match self {
                    $($name::$member => $crate::Constant::Member(stringify!($name), stringify!($member))),+
                }
            }
        }
    };
}

/// Types whose colour set other tools have.
macro_rules! known {
    ($($type:ty: $set:expr, |$it:ident| $constant:expr;)+) => { $(
        impl Colour for $type {
            fn set() -> Option<ColourSet> {
                Some($set)
            }

            fn constant(&self) -> Constant {
                let $it = self;
                $constant
            }
        }
    )+ };
}

macro_rules! whole {
    ($signed:literal: $($type:ty),+) => {
        known! { $($type: ColourSet::Int { signed: $signed }, |it| Constant::Int(*it as i128);)+ }
    };
}

whole!(false: u8, u16, u32, u64, usize);
whole!(true: i8, i16, i32, i64, isize);

known! {
    (): ColourSet::Unit, |_it| Constant::Tuple(Vec::new());
    bool: ColourSet::Bool, |it| Constant::Bool(*it);
    // Microseconds: a [`Time`] of other tools.
    Time: ColourSet::Int { signed: false }, |it| Constant::Int(i128::from((it.nanos() + 500) / 1000));
    &'static str: ColourSet::Text, |it| Constant::Text((*it).to_owned());
    String: ColourSet::Text, |it| Constant::Text(it.clone());
}

/// No colour of other tools, but a number that expressions may name.
impl Colour for f64 {
    fn constant(&self) -> Constant {
        Constant::Real(*self)
    }
}

impl Colour for f32 {}
impl Colour for char {}
impl<T: Colour> Colour for Option<T> {}
impl<T: Colour> Colour for Vec<T> {}
impl<T: Colour> Colour for Box<T> {}
impl<T: Colour> Colour for Arc<T> {}
impl<T: Colour, const N: usize> Colour for [T; N] {}

macro_rules! tuple {
    ($($type:ident $index:tt),+) => {
        impl<$($type: Colour),+> Colour for ($($type,)+) {
            fn set() -> Option<ColourSet> {
                Some(ColourSet::Product(vec![$($type::set()?),+]))
            }

            fn constant(&self) -> Constant {
                Constant::Tuple(vec![$(self.$index.constant()),+])
            }
        }
    };
}

tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
