//! Why a job cannot be done.

use hotset_cache::CacheError;
use hotset_outcome::CompareError;
use hotset_outcome::documents::DocumentError;
use hotset_plan::PlanError;
use hotset_scenario::ProfileError;
use hotset_scenario::toml_file::FileError;
use hotset_trace::read::ReadError;

use crate::{InputError, NoAccess};

/// Why a job cannot be done. Every message names the input, the place and the fix.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// Options that do not go together.
    #[error("{0}")]
    Usage(String),
    /// What is asked for does not go with the traffic, the scenario or a file.
    #[error("{0}")]
    Refused(String),
    /// Traffic cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A rule for reading says nothing.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// No request is a file read.
    #[error(transparent)]
    NoAccess(#[from] NoAccess),
    /// A scenario cannot be read.
    #[error(transparent)]
    Scenario(#[from] FileError),
    /// A profile is not known, or cannot be read.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// No plan can be made.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A cache cannot be run.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// A document with outcomes cannot be read.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// Outcomes cannot be compared.
    #[error(transparent)]
    Compare(#[from] CompareError),
}

/// Refuses with a message.
macro_rules! refuse {
    ($($message:tt)*) => {
        return Err($crate::JobError::Refused(format!($($message)*)))
    };
}

pub(crate) use refuse;
