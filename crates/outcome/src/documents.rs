//! Outcomes read back from the JSON that commands print.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::check::{self, Contradiction};
use crate::{Outcome, outcome};

/// The outcomes of a file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// The file could not be read.
    #[error("{}: cannot be read", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Its text is not what it should be.
    #[error("{}: {fault}", path.display())]
    Faulty {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: Box<Fault>,
    },
}

/// What is wrong with a document.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Not JSON.
    #[error(
        "is not JSON (line {line}, column {column}): give a document that `hotset … --json` printed"
    )]
    NotJson {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// JSON without outcomes.
    #[error(
        "has no \"outcomes\": give a document that `hotset replay`, `hotset plan`, `hotset simulate trace` or an \
         experiment printed with --json; if one of them did, it was an older hotset: run it again"
    )]
    NoOutcomes,
    /// Outcomes that are not written as outcomes are.
    #[error("its \"outcomes\" cannot be read: {0}")]
    NotOutcomes(serde_json::Error),
    /// An outcome that a newer hotset wrote.
    #[error(
        "outcome `{name}` is of version {version}, this hotset reads versions up to {}: update hotset",
        outcome::VERSION
    )]
    NewerVersion {
        /// The outcome.
        name: String,
        /// Its version.
        version: u64,
    },
    /// No outcome in the list.
    #[error("its \"outcomes\" are empty: the command that printed it ended without a result")]
    Empty,
    /// Figures that cannot be true.
    #[error("outcome `{outcome}`, {place}: {contradiction}")]
    Contradictory {
        /// The outcome.
        outcome: String,
        /// The total, or which group, resource or link.
        place: String,
        /// What is said and cannot be.
        contradiction: Contradiction,
    },
}

/// Reads the outcomes of the document at `path`.
///
/// # Errors
/// See [`DocumentError`].
pub fn read(path: &Path) -> Result<Vec<Outcome>, DocumentError> {
    let bytes = fs::read(path).map_err(|source| DocumentError::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    parse(&bytes).map_err(|fault| DocumentError::Faulty {
        path: path.to_owned(),
        fault: Box::new(fault),
    })
}

/// Reads the outcomes of a document.
///
/// # Errors
/// See [`Fault`].
pub fn parse(bytes: &[u8]) -> Result<Vec<Outcome>, Fault> {
    refuse_newer_versions(&serde_json::from_slice(bytes).map_err(|error| fault(bytes, error))?)?;
    let document: Document = serde_json::from_slice(bytes).map_err(Fault::NotOutcomes)?;
    let outcomes = document.outcomes.ok_or(Fault::NoOutcomes)?;
    if outcomes.is_empty() {
        return Err(Fault::Empty);
    }
    outcomes.iter().try_for_each(check_figures)?;
    Ok(outcomes)
}

fn check_figures(outcome: &Outcome) -> Result<(), Fault> {
    check::outcome(outcome).map_err(|(place, contradiction)| Fault::Contradictory {
        outcome: outcome.name.clone(),
        place,
        contradiction,
    })
}

/// A document of any command; what stands beside the outcomes is that command's.
#[derive(Deserialize)]
struct Document {
    outcomes: Option<Vec<Outcome>>,
}

/// As much of a document as tells its version.
#[derive(Deserialize)]
struct Versions {
    outcomes: Option<Vec<Version>>,
}

#[derive(Deserialize)]
struct Version {
    #[serde(default)]
    name: String,
    version: Option<u64>,
}

/// Before anything else is read: what a newer version wrote may not even have the same keys.
fn refuse_newer_versions(versions: &Versions) -> Result<(), Fault> {
    let outcomes = versions.outcomes.as_ref().ok_or(Fault::NoOutcomes)?;
    let newer = outcomes.iter().find_map(|of| {
        let version = of.version?;
        (version > u64::from(outcome::VERSION)).then(|| Fault::NewerVersion {
            name: of.name.clone(),
            version,
        })
    });
    newer.map_or(Ok(()), Err)
}

/// Why a document could not be parsed.
fn fault(bytes: &[u8], error: serde_json::Error) -> Fault {
    match serde_json::from_slice::<serde::de::IgnoredAny>(bytes) {
        Err(error) => Fault::NotJson {
            line: error.line(),
            column: error.column(),
        },
        Ok(_) if !bytes.trim_ascii_start().starts_with(b"{") => Fault::NoOutcomes,
        Ok(_) => Fault::NotOutcomes(error),
    }
}
