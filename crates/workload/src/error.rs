//! What can be wrong with the parameters of a workload.

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
    #[error("{workload} at scale {scale} is too small for {detail}; use a larger scale")]
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
    /// A workload of a mix has no times.
    #[error(
        "{0} has no times, so its requests have no place among others; mix workloads with times"
    )]
    Untimed(String),
    /// Two sites of a mix would have one name.
    #[error("two sites of the mix would be called `{0}`; give each workload a name of its own")]
    TwoSites(String),
}

/// Refuses a parameter that is out of range.
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
