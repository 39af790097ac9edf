//! The folder in which a guardian keeps its ledger, its state and its socket.

use crate::{LiveError, State};
use hotset_machine::{MachineError, OnFile, file, ledger};
use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// A folder in which a guardian keeps its ledger, its state and its socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateFolder(PathBuf);

impl StateFolder {
    /// The one that is meant where none is named.
    pub const DEFAULT: &str = "/var/lib/hotset/state";

    /// The folder at `path`, which need not be there.
    ///
    /// # Errors
    /// When the calling process has no working folder.
    pub fn at(path: &Path) -> Result<Self, LiveError> {
        Ok(Self(std::path::absolute(path).on("find", path)?))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A file beside it, which stays when everything is released.
    #[must_use]
    pub fn beside(&self, what: &str) -> PathBuf {
        let mut name = self.0.as_os_str().to_owned();
        name.push(".");
        name.push(what);
        name.into()
    }

    /// The parent of ledgers.
    pub(crate) fn runs(&self) -> PathBuf {
        self.0.join("runs")
    }

    /// The ledger's folder. There is one guardian at a time.
    pub(crate) fn run(&self) -> PathBuf {
        self.runs().join("guardian")
    }

    /// Where copies are.
    pub(crate) fn copies(&self) -> PathBuf {
        self.0.join("copies")
    }

    /// Goes with the ledger, as does what a killed guardian was just writing.
    pub(crate) fn state_file(&self) -> PathBuf {
        self.run().join("state.json")
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.run().join("control")
    }

    /// Refuses a folder that somebody else can write to: with a ledger of theirs, they could have anything of the machine
    /// removed.
    pub(crate) fn check(&self) -> Result<(), LiveError> {
        let metadata = fs::metadata(&self.0).on("look up", &self.0)?;
        if !metadata.is_dir() {
            return Err(self.refused("is no folder: name one that is hotset's alone"));
        }
        let is_own = metadata.uid() == rustix::process::geteuid().as_raw();
        match is_own && metadata.mode() & 0o022 == 0 {
            true => Ok(()),
            false => Err(self.refused(
                "belongs to another user, or others may write to it: run this as its owner, or name a folder that is hotset's \
                 alone",
            )),
        }
    }

    /// Refuses a folder that is not there where another one is likely to be meant: a state beside it, or one elsewhere if its own
    /// parent is missing. A state that was released is gone as well, and is no error.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn refuse_misspelt(&self) -> Result<(), LiveError> {
        if self.0.exists() {
            return Ok(());
        }
        let parent = self
            .0
            .parent()
            .filter(|_| self.0 != Path::new(Self::DEFAULT));
        let problem = match self.beside_it() {
            others if !others.is_empty() => {
                format!("there is no such state; files are held in {}; name it with --state", others.join(", "))
            }
            _ if parent.is_some_and(|parent| !parent.exists()) => {
                "there is no such folder, nor the one above it: name the one that files were applied with".to_owned()
            }
            _ => return Ok(()),
        };
        Err(self.refused(problem))
    }

    /// Other states in the same folder.
    fn beside_it(&self) -> Vec<String> {
        let entries = self.0.parent().and_then(|parent| fs::read_dir(parent).ok());
        let folders = entries.into_iter().flatten().flatten();
        let states = folders.map(|entry| Self(entry.path()));
        let mut states: Vec<String> = states
            .filter(|state| state.run().exists())
            .map(|state| state.0.display().to_string())
            .collect();
        states.sort();
        states
    }

    /// Keeps other guardians from the folder for as long as the file is open; none where there is one.
    pub(crate) fn lock(&self) -> Result<Option<File>, LiveError> {
        let lock = File::open(&self.0).on("open", &self.0)?;
        let locked = flock(&lock, FlockOperation::NonBlockingLockExclusive);
        Ok(locked.is_ok().then_some(lock))
    }

    /// What is held, as it was last written; none where nothing is.
    ///
    /// # Errors
    /// A state that cannot be read, or of another version.
    pub fn load(&self) -> Result<Option<State>, LiveError> {
        let state: Option<State> =
            file::read_json(&self.state_file()).map_err(|error| match error {
                MachineError::File { source, .. }
                    if source.kind() == ErrorKind::PermissionDenied =>
                {
                    self.refused("only root, and the user who applied the plan, can look at it")
                }
                other => other.into(),
            })?;
        match state {
            Some(state) if state.version != State::VERSION => Err(self.refused(format!(
                "its state is of version {}, this hotset reads version {}: use the hotset that wrote it",
                state.version,
                State::VERSION
            ))),
            state => Ok(state),
        }
    }

    /// It, or what stands beside it, cannot be made for want of a right.
    #[must_use]
    pub fn cannot_be_made(&self, error: io::Error) -> LiveError {
        self.refused(format!(
            "cannot be made ({error}): name a folder of your own with --state, or run hotset as root"
        ))
    }

    /// Why the folder cannot be used, and the fix.
    pub(crate) fn refused(&self, problem: impl Into<String>) -> LiveError {
        LiveError::State {
            folder: self.0.clone(),
            problem: problem.into(),
        }
    }

    /// What is asked for cannot be held beside what is: that would have to be placed anew.
    pub(crate) fn holds_otherwise(&self) -> LiveError {
        let folder = self.0.display();
        LiveError::Guardian(format!(
            "{folder} holds files in another way, or for another server: take them back first with \
             `hotset release --state {folder}`"
        ))
    }

    /// Whether somebody is about to hold files in it, or does.
    ///
    /// # Errors
    /// A ledger that cannot be read.
    pub fn has_guardian(&self) -> Result<bool, LiveError> {
        let guardian = ledger::owner(&self.run())?;
        Ok(guardian.is_some_and(|guardian| guardian.is_alive()))
    }

    /// Removes what was made for ledgers, and the folder itself, where nothing is in them.
    pub(crate) fn remove_empty(&self) {
        let _removed = fs::remove_dir(self.runs());
        let _removed = fs::remove_dir(&self.0);
    }

    pub(crate) fn save(&self, state: &State) -> Result<(), LiveError> {
        Ok(file::write_json(&self.state_file(), state)?)
    }
}
