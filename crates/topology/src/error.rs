//! Why a scenario cannot be simulated.

/// Why a scenario cannot be simulated; the message names the place and the fix.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TopologyError {
    /// What the scenario describes is not simulated.
    #[error("{0}")]
    Refused(String),
}

pub(crate) fn refused(message: impl Into<String>) -> TopologyError {
    TopologyError::Refused(message.into())
}

/// Refuses with a message.
macro_rules! refuse {
    ($($message:tt)*) => {
        return Err($crate::error::refused(format!($($message)*)))
    };
}

pub(crate) use refuse;
