//! What is wrong with a net, and what went wrong in a run. Every message names the place or the transition by its path.

use crate::time::Time;

/// A net that cannot be meant. It is refused when it is built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NetError {
    /// Two things of a page have the same name.
    #[error("{path}: the name is taken; give it a name of its own on this page")]
    NameTaken {
        /// The second one.
        path: String,
    },
    /// A name that a path cannot hold.
    #[error("{path}: a name must not be empty or contain `/`")]
    BadName {
        /// Where it was given.
        path: String,
    },
    /// A port without a socket.
    #[error("{path}: the port is not connected; connect it to a place of the page above")]
    PortUnconnected {
        /// The port.
        path: String,
    },
    /// A port connected twice.
    #[error("{path}: the port is connected twice; a port has one socket")]
    PortConnectedTwice {
        /// The port.
        path: String,
    },
    /// A place that is no port was connected as one.
    #[error("{path}: is no port; declare it with `port`, or make both members of a fusion set")]
    NotAPort {
        /// The place.
        path: String,
    },
    /// Places of one fusion set hold tokens of different kinds.
    #[error("{path}: holds {found}, but its fusion set `{set}` holds {expected}")]
    TypeMismatch {
        /// The place.
        path: String,
        /// The name of the set.
        set: String,
        /// What the set holds.
        expected: &'static str,
        /// What the place holds.
        found: &'static str,
    },
    /// More than one place of a fusion set starts with tokens.
    #[error("{path}: another place fused with it has initial tokens too; give them to one")]
    InitialTokensTwice {
        /// The second place.
        path: String,
    },
    /// A place that is always empty.
    #[error("{path}: nobody fills this place; give it initial tokens or let a transition fill it")]
    NeverFilled {
        /// The place.
        path: String,
    },
    /// Tokens that are lost.
    #[error(
        "{path}: nobody takes from this place, so its tokens are lost; make it a sink if that is meant"
    )]
    NeverTaken {
        /// The place.
        path: String,
    },
    /// A transition that could fire for ever at one moment.
    #[error("{path}: takes no token, so it would fire for ever; let it take one")]
    TakesNothing {
        /// The transition.
        path: String,
    },
    /// A transition takes twice from a place of coloured tokens.
    #[error("{path}: takes twice from {place}; take once, or from a place of its own")]
    TakenTwice {
        /// The transition.
        path: String,
        /// The place.
        place: String,
    },
    /// A transition borrows an object twice.
    #[error("{path}: borrows {object} twice; borrow it once")]
    BorrowedTwice {
        /// The transition.
        path: String,
        /// The object.
        object: String,
    },
    /// An object of another net.
    #[error("{path}: borrows an object of another net; declare the object in this one")]
    ForeignObject {
        /// The transition.
        path: String,
    },
    /// A guard over every pair of tokens of two bags.
    #[error(
        "{path}: its guard would try every pair of tokens; join a keyed place, or say `unindexed`"
    )]
    UnindexedJoin {
        /// The transition.
        path: String,
    },
    /// A delay with impossible parameters.
    #[error("{path}: a delay of {seconds} s; a delay must be a number from 0 up to 584 years")]
    BadDelay {
        /// The transition.
        path: String,
        /// The parameter, in seconds.
        seconds: f64,
    },
    /// A place of another net.
    #[error("{path}: uses a place of another net; declare the place in this one")]
    ForeignPlace {
        /// What uses it.
        path: String,
    },
    /// A parameter that makes no sense.
    #[error("{net}: {name} = {value}: must be {rule}")]
    BadParameter {
        /// The net.
        net: &'static str,
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: f64,
        /// What it must be.
        rule: &'static str,
    },
}

impl NetError {
    /// The path of the place, transition or port that is wrong; the net's name for a parameter.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            NetError::NameTaken { path }
            | NetError::BadName { path }
            | NetError::PortUnconnected { path }
            | NetError::PortConnectedTwice { path }
            | NetError::NotAPort { path }
            | NetError::TypeMismatch { path, .. }
            | NetError::InitialTokensTwice { path }
            | NetError::NeverFilled { path }
            | NetError::NeverTaken { path }
            | NetError::TakesNothing { path }
            | NetError::TakenTwice { path, .. }
            | NetError::UnindexedJoin { path }
            | NetError::BadDelay { path, .. }
            | NetError::BorrowedTwice { path, .. }
            | NetError::ForeignObject { path }
            | NetError::ForeignPlace { path } => path,
            NetError::BadParameter { net, .. } => net,
        }
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
        "{path}: fired as one of {firings} firings at {at} without time passing; give a delay to its loop"
    )]
    ZeroTimeLoop {
        /// The transition that fired last.
        path: String,
        /// How many.
        firings: u64,
        /// When.
        at: Time,
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
