//! Which net is meant: one of the library with what is set of it, one from a file, or that of a scenario.

use std::fs;
use std::path::{Path, PathBuf};

use hotset_models::nets as file_systems;
use hotset_petri::nets::{Entry, LIBRARY};
use hotset_petri::{Net, RunError, Time};
use hotset_petri_exchange::import;

use crate::error::{misuse, refused, usage};
use crate::simulate::scenario;
use crate::{Field, JobError};

/// Which net, and what is set of it.
#[derive(Clone)]
pub struct Options {
    /// The net.
    pub net: Name,
    /// Parameters of the net, each by its name.
    pub set: Vec<(String, f64)>,
}

/// What a net is called by.
#[derive(Clone)]
pub enum Name {
    /// A net of the library.
    Library(&'static Entry),
    /// A file of a place/transition net (PNML).
    File(PathBuf),
    /// A scenario file, whose net is only shown.
    Scenario(PathBuf),
}

/// The nets that have names: the small library of the engine, then those of file systems.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    LIBRARY.iter().chain(file_systems::LIBRARY)
}

impl Options {
    /// The net with its parameters set.
    ///
    /// # Errors
    /// Parameters that it does not have, or a file that cannot be read.
    pub fn build(&self) -> Result<Net, JobError> {
        match &self.net {
            Name::Library(entry) => of_library(entry, &self.set),
            Name::File(file) => {
                self.refuse_parameters(file)?;
                of_file(file)
            }
            Name::Scenario(file) => Err(usage(format!(
                "{}: the net of a scenario is shown only; `hotset simulate scenario` runs it",
                file.display()
            ))),
        }
    }

    /// The net to be shown, which may be that of a scenario.
    ///
    /// # Errors
    /// As [`Options::build`], and a scenario that cannot be simulated.
    pub(super) fn shown(&self) -> Result<Net, JobError> {
        match &self.net {
            Name::Scenario(file) => {
                self.refuse_parameters(file)?;
                scenario::net(file)
            }
            _ => self.build(),
        }
    }

    fn refuse_parameters(&self, file: &Path) -> Result<(), JobError> {
        match self.set.is_empty() {
            true => Ok(()),
            false => Err(usage(format!(
                "{}: a file has no parameters; leave out {}",
                file.display(),
                Field::Set
            ))),
        }
    }
}

impl Options {
    /// What ended a run of the net. Where time did not pass in a net from a file, it says what to write there.
    pub(super) fn ended_by(&self, error: RunError) -> JobError {
        let no_time_passed = match error {
            RunError::ZeroTimeLoop { .. } | RunError::TimelessSource { .. } => true,
            RunError::Unbounded { at, .. } => at == Time::ZERO,
            _ => false,
        };
        match &self.net {
            Name::File(file) if no_time_passed => refused(format!(
                "{}: {error}; such a line in its `transition` is a delay of a millisecond in the mean: {}",
                file.display(),
                import::DELAYED_BY_A_MILLISECOND
            )),
            _ => error.into(),
        }
    }
}

fn of_library(entry: &Entry, set: &[(String, f64)]) -> Result<Net, JobError> {
    let known = || entry.parameters.iter().map(|parameter| parameter.name);
    let mut names = set.iter().map(|(name, _)| name);
    if let Some(unknown) = names.find(|name| !known().any(|known| known == *name)) {
        let known: Vec<&str> = known().collect();
        misuse!(
            "{} has no parameter `{unknown}`; it has {}",
            entry.name,
            known.join(" and ")
        );
    }
    let set: Vec<(&str, f64)> = set
        .iter()
        .map(|(name, value)| (name.as_str(), *value))
        .collect();
    let net = entry.build(&set);
    net.map_err(|error| usage(error.to_string()))
}

fn of_file(file: &Path) -> Result<Net, JobError> {
    let text = fs::read_to_string(file)
        .map_err(|error| JobError::at(format!("cannot read {}", file.display()), error))?;
    import::pnml(&text).map_err(|error| JobError::at(file.display(), error))
}
