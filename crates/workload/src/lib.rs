//! Generated workloads, one generator a file behind [`Generator`].
//!
//! Every generator is a plain struct of parameters; the same parameters and seed give the same trace.
//! A generated trace can be written as an access log ([`access_log`]) and its objects as real files
//! ([`file_tree`]).

pub mod access_log;
mod arrivals;
mod average_size;
pub mod file_tree;
mod load;
mod mix;
mod shifting;
mod single_file;
mod single_site;
mod sizes;
mod specweb99;
pub mod twins;
mod zipf;

pub use average_size::AverageSize;
pub use load::Load;
pub use mix::Mix;
pub use shifting::Shifting;
pub use single_file::SingleFile;
pub use specweb99::{SpecWeb99, directories};
pub use twins::{Twin, Workload};
pub use zipf::{CLASS_ALPHA, CLASSES, Zipf, ZipfClass};

use hotset_trace::Trace;

/// Makes traces.
pub trait Generator {
    /// Makes the trace that belongs to `seed`.
    ///
    /// # Errors
    /// [`GenerateError`] where the parameters allow no such trace.
    fn generate(&self, seed: u64) -> Result<Trace, GenerateError>;
}

/// Why a trace could not be generated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// A parameter is out of range.
    #[error("{name} {value}: must be {range}")]
    Parameter {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: String,
        /// What it must be.
        range: &'static str,
    },
    /// Files of these sizes cannot add up to the total.
    #[error(
        "{files} files of {min_bytes} to {max_bytes} bytes cannot hold {total_bytes} bytes in all; \
         change the number of files or the range of sizes"
    )]
    Sizes {
        /// Number of files.
        files: usize,
        /// Smallest file.
        min_bytes: u64,
        /// Largest file.
        max_bytes: u64,
        /// The total asked for.
        total_bytes: u64,
    },
    /// A scaled-down twin is too small for its rows to be met.
    #[error("{workload} at scale {scale}: {detail}; use a larger scale")]
    Scale {
        /// The workload.
        workload: &'static str,
        /// The scale asked for.
        scale: f64,
        /// Which row cannot be met.
        detail: &'static str,
    },
    /// A mix has too many sites, clients or objects.
    #[error("the mix has more {0} than a trace can number; mix fewer or smaller workloads")]
    TooMany(&'static str),
}

pub(crate) fn require(
    holds: bool,
    name: &'static str,
    value: impl ToString,
    range: &'static str,
) -> Result<(), GenerateError> {
    if holds {
        Ok(())
    } else {
        Err(GenerateError::Parameter {
            name,
            value: value.to_string(),
            range,
        })
    }
}
