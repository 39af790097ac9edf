//! What is wrong with a net, and what went wrong in a run. Every message names the place or the transition by its path.

use crate::time::Time;

/// A net that cannot be meant. It is refused when it is built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{path}: {flaw}")]
pub struct NetError {
    /// The path of the place, transition or port that is wrong; the net's name for a parameter.
    pub path: String,
    /// What is wrong with it.
    pub flaw: Flaw,
}

/// What can be wrong with a part of a net.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// Two things of a page have the same name.
    #[error("the name is taken; give it a name of its own on this page")]
    NameTaken,
    /// A name that a path cannot hold.
    #[error("a name must not be empty or contain `/`")]
    BadName,
    /// A port without a socket.
    #[error("the port is not connected; connect it to a place of the page above")]
    PortUnconnected,
    /// A port connected twice.
    #[error("the port is connected twice; a port has one socket")]
    PortConnectedTwice,
    /// A place that is no port was connected as one.
    #[error("is no port; declare it with `port`, or make both members of a fusion set")]
    NotAPort,
    /// Places of one fusion set hold tokens of different kinds.
    #[error("holds {found}, but its fusion set `{set}` holds {expected}")]
    TypeMismatch {
        /// The set.
        set: String,
        /// What the set's first member holds.
        expected: &'static str,
        /// What this one holds.
        found: &'static str,
    },
    /// Two places that are one both have initial tokens.
    #[error("another place fused with it has initial tokens too; give them to one")]
    InitialTokensTwice,
    /// A place that never holds a token.
    #[error("nobody fills this place; give it initial tokens or let a transition fill it")]
    NeverFilled,
    /// A place that only fills.
    #[error(
        "nobody takes from this place, so its tokens are lost; make it a sink if that is meant"
    )]
    NeverTaken,
    /// A transition without an input.
    #[error("takes no token, so it would fire for ever; let it take one")]
    TakesNothing,
    /// Two arcs from one place of coloured tokens to one transition.
    #[error("takes twice from {0}; take once, or from a place of its own")]
    TakenTwice(String),
    /// A transition borrows an object twice.
    #[error("borrows {0} twice; borrow it once")]
    BorrowedTwice(String),
    /// An object of another net.
    #[error("borrows an object of another net; declare the object in this one")]
    ForeignObject,
    /// A guard over bindings of several places without a key.
    #[error("its guard would try every pair of tokens; join a keyed place, or say `unindexed`")]
    UnindexedJoin,
    /// A delay with an impossible parameter, in seconds.
    #[error("a delay of {0} s; a delay must be a number from 0 up to 584 years")]
    BadDelay(f64),
    /// A place of another net.
    #[error("uses a place of another net; declare the place in this one")]
    ForeignPlace,
    /// A parameter that makes no sense.
    #[error("{name} = {value}: must be {rule}")]
    BadParameter {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: f64,
        /// What it must be.
        rule: &'static str,
    },
}

impl Flaw {
    /// Of the part of this path.
    pub fn at(self, path: impl Into<String>) -> NetError {
        let path = path.into();
        NetError { path, flaw: self }
    }
}

/// What ended a run before its time.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// Nothing can ever fire again.
    #[error("deadlock at {at}: no transition can fire; tokens are left in {}", left.join(", "))]
    Deadlock {
        /// When.
        at: Time,
        /// The paths of places that hold tokens, at most five.
        left: Vec<String>,
    },
    /// The net has ended, as places of it say ([`Page::end`](crate::Page::end)).
    #[error(
        "the net has ended at {at}, so it has no means in the long run; let it repeat what it does"
    )]
    Ended {
        /// When.
        at: Time,
    },
    /// A place grows without end.
    #[error(
        "{path}: holds more than {limit} tokens at {at}; the place grows without bound, or needs a higher limit"
    )]
    Unbounded {
        /// The place.
        path: String,
        /// The limit.
        limit: u32,
        /// When it was passed.
        at: Time,
    },
    /// Time does not pass.
    #[error(
        "{path}: fired as one of {firings} firings at {at} without time passing; give a delay to one of them"
    )]
    ZeroTimeLoop {
        /// The transition that fired last.
        path: String,
        /// How many.
        firings: u64,
        /// When.
        at: Time,
    },
    /// A transition that neither takes a token nor time.
    #[error(
        "{path}: takes no token and has no delay, so it would fire for ever at one moment; give it a delay"
    )]
    TimelessSource {
        /// The transition.
        path: String,
    },
    /// A delay that cannot be.
    #[error(
        "{path}: drew a delay of {seconds} s at {at}; a delay must be a number from 0 up to 584 years"
    )]
    BadDelay {
        /// The transition.
        path: String,
        /// The delay, in seconds.
        seconds: f64,
        /// When.
        at: Time,
    },
    /// A guard, arc expression or code segment panicked.
    #[error("{path}: its code panicked at {at}: {message}")]
    Panicked {
        /// The transition.
        path: String,
        /// When.
        at: Time,
        /// What it said.
        message: String,
    },
}
