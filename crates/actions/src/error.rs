//! Why a job cannot be done.

use std::error::Error;

use hotset_describe::PartError;

use crate::{Message, one_line};

/// Why a job cannot be done. Every message names the input, the place and the fix.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// Options that do not go together.
    #[error("{0}")]
    Usage(Message),
    /// What is asked for does not go with the traffic, the scenario or a file.
    #[error("{0}")]
    Refused(Message),
    /// It was asked to stop; what it has to tell was told.
    #[error("{0}")]
    Interrupted(&'static str),
    /// What was measured or simulated is not as it was to be.
    #[error("{0}")]
    ConditionMet(Message),
    /// Something is wrong at a place, such as a file.
    #[error("{place}")]
    At {
        /// What is looked at or tried there.
        place: String,
        /// What is wrong.
        source: Box<JobError>,
    },
    /// A library cannot do its part.
    #[error(transparent)]
    Library(Box<dyn Error + Send + Sync>),
}

impl JobError {
    /// `error`, which is about `place`.
    pub fn at(place: impl ToString, error: impl Into<JobError>) -> JobError {
        JobError::At {
            place: place.to_string(),
            source: Box::new(error.into()),
        }
    }

    /// The error of a library that this is about.
    pub fn find<E: Error + 'static>(&self) -> Option<&E> {
        match self {
            JobError::At { source, .. } => source.find(),
            JobError::Library(error) => error.downcast_ref(),
            _ => None,
        }
    }

    /// Whether options are to be given otherwise.
    pub fn is_usage(&self) -> bool {
        match self {
            JobError::At { source, .. } => source.is_usage(),
            error => matches!(error, JobError::Usage(_)),
        }
    }

    /// What it says, on one line.
    pub fn message(&self) -> Message {
        match self {
            JobError::Usage(message)
            | JobError::Refused(message)
            | JobError::ConditionMet(message) => message.clone(),
            JobError::Interrupted(why) => (*why).into(),
            JobError::At { place, source } => format!("{place}: {}", source.message().0).into(),
            JobError::Library(error) => one_line(error.as_ref()).into(),
        }
    }
}

/// Options that do not go together.
pub(crate) fn usage(message: impl Into<Message>) -> JobError {
    JobError::Usage(message.into())
}

/// What does not go with the traffic, the scenario or a file.
pub(crate) fn refused(message: impl Into<Message>) -> JobError {
    JobError::Refused(message.into())
}

/// Refuses with a message.
macro_rules! refuse {
    ($($message:tt)*) => {
        return Err($crate::error::refused(format!($($message)*)))
    };
}

/// Refuses options with a message.
macro_rules! misuse {
    ($($message:tt)*) => {
        return Err($crate::error::usage(format!($($message)*)))
    };
}

pub(crate) use {misuse, refuse};

impl From<PartError> for JobError {
    fn from(error: PartError) -> JobError {
        match error {
            PartError::Read(error) => error.into(),
            error => JobError::Library(Box::new(error)),
        }
    }
}

/// Errors of libraries, each as it is.
macro_rules! of_libraries {
    ($($error:ty),+ $(,)?) => {
        $(impl From<$error> for JobError {
            fn from(error: $error) -> JobError {
                JobError::Library(Box::new(error))
            }
        })+
    };
}

of_libraries!(
    hotset_cache::CacheError,
    hotset_machine::MachineError,
    hotset_outcome::CompareError,
    hotset_outcome::documents::DocumentError,
    hotset_plan::PlanError,
    hotset_report::PlanFileError,
    hotset_scenario::ProfileError,
    hotset_scenario::toml_file::FileError,
    hotset_trace::folder::FolderError,
    hotset_scenario::PlacementError,
    hotset_trace::read::ReadError,
    hotset_workload::GenerateError,
    hotset_workload::file_tree::FileTreeError,
    serde_json::Error,
    std::fmt::Error,
    std::io::Error,
);

#[cfg(feature = "beyond-logs")]
of_libraries!(
    hotset_demo::DemoError,
    hotset_experiment::FioError,
    hotset_lab::LabError,
    hotset_live::ConfigurationError,
    hotset_live::LiveError,
    hotset_models::fio::JobFileError,
    hotset_models::fio::SimulationError,
    hotset_models::files::WorkError,
    hotset_petri::NetError,
    hotset_petri::RunError,
    hotset_petri::SpaceError,
    hotset_petri_exchange::export::ExportError,
    hotset_petri_exchange::import::ImportError,
    hotset_probe::ProbeError,
);

#[cfg(feature = "scenarios")]
of_libraries!(hotset_models::tiers::TiersError);

#[cfg(feature = "scenarios")]
impl From<hotset_topology::TopologyError> for JobError {
    fn from(error: hotset_topology::TopologyError) -> JobError {
        match error {
            hotset_topology::TopologyError::Refused(message) => refused(message),
            error => JobError::Library(Box::new(error)),
        }
    }
}
