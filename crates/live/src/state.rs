//! What a guardian holds, as it writes it down after every change.

use crate::{Identity, LiveError, PlacerKind, ServerName, SiteFolder};
use hotset_machine::{MachineError, OnFile, ProcessIdentity, file, ledger};
use hotset_scenario::FilePath;
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::ErrorKind;
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
        let whole = std::path::absolute(path)
            .map_err(|error| LiveError::system("find", path.display().to_string(), error))?;
        Ok(Self(whole))
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
        let refuse = |problem: &str| LiveError::State {
            folder: self.0.clone(),
            problem: problem.to_owned(),
        };
        let metadata = fs::metadata(&self.0).on("look up", &self.0)?;
        if !metadata.is_dir() {
            return Err(refuse("is no folder: name one that is hotset's alone"));
        }
        let is_own = metadata.uid() == rustix::process::geteuid().as_raw();
        match is_own && metadata.mode() & 0o022 == 0 {
            true => Ok(()),
            false => Err(refuse(
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
        Err(LiveError::State {
            folder: self.0.clone(),
            problem,
        })
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
                    LiveError::State {
                        folder: self.0.clone(),
                        problem: "only root, and the user who applied the plan, can look at it"
                            .to_owned(),
                    }
                }
                other => other.into(),
            })?;
        match state {
            Some(state) if state.version != State::VERSION => Err(LiveError::State {
                folder: self.0.clone(),
                problem: format!(
                    "its state is of version {}, this hotset reads version {}: use the hotset that wrote it",
                    state.version,
                    State::VERSION
                ),
            }),
            state => Ok(state),
        }
    }

    /// Whether somebody is about to hold files in it, or does.
    pub(crate) fn has_guardian(&self) -> Result<bool, LiveError> {
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

/// What a guardian holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Version of this format; see [`State::VERSION`].
    pub version: u32,
    /// Who holds it.
    pub guardian: ProcessIdentity,
    /// The processes that do it.
    pub workers: Vec<ProcessIdentity>,
    /// How.
    pub placer: PlacerKind,
    /// For which server.
    pub server: Option<ServerName>,
    /// Folders of the sites.
    pub folders: Vec<SiteFolder>,
    /// Users whose files are held beside those of each folder's owner.
    pub owners: Vec<u32>,
    /// Bytes that may be held.
    pub budget_bytes: u64,
    /// For how long an answer may be older than the file on disk because of what is held, milliseconds; none where nothing
    /// bounds it.
    #[serde(default)]
    pub staleness_ms: Option<u64>,
    /// Whether files that there is room for are still to be placed.
    #[serde(default)]
    pub is_unfinished: bool,
    /// What is not as it should be, beside single files.
    #[serde(default)]
    pub faults: Vec<String>,
    /// What became of the server's group when files were placed last.
    pub charge: Option<Charge>,
    /// Files of the plan, the most valuable first.
    pub files: Vec<FileState>,
}

impl State {
    /// The version written, and the only one read.
    pub const VERSION: u32 = 1;

    /// Bytes of memory that the held files take, in whole pages.
    #[must_use]
    pub fn held_bytes(&self) -> u64 {
        let held = self.files.iter().filter_map(|file| match &file.status {
            FileStatus::Held(identity) => Some(identity.page_bytes()),
            FileStatus::Shared(_) | FileStatus::LeftOut(_) => None,
        });
        held.fold(0, u64::saturating_add)
    }
}

/// A file of the plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileState {
    /// Its site.
    pub site: String,
    /// Its path within the site.
    pub path: FilePath,
    /// Whether it was held after the plan was applied, and is not any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
    /// What became of it.
    #[serde(flatten)]
    pub status: FileStatus,
}

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileStatus {
    /// It is held.
    Held(Identity),
    /// It is another name of a file that is held.
    Shared(Identity),
    /// It is not held, for this reason.
    LeftOut(String),
}

impl FileStatus {
    /// The file that is held.
    #[must_use]
    pub fn identity(&self) -> Option<&Identity> {
        match self {
            Self::Held(identity) | Self::Shared(identity) => Some(identity),
            Self::LeftOut(_) => None,
        }
    }
}

/// A group's memory that counts as held files do, before and after files were placed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charge {
    /// The group.
    pub group: PathBuf,
    /// Before. Bytes.
    pub before_bytes: u64,
    /// After. Bytes.
    pub after_bytes: u64,
    /// What was placed. Bytes in whole pages.
    pub placed_bytes: u64,
    /// Whether files were pinned that lie in memory anyway, where they stay charged to whoever wrote them.
    #[serde(default)]
    pub lay_in_memory: bool,
}

impl Charge {
    /// The kernel adds up a group's counts once 64 pages a processor have changed (`MEMCG_CHARGE_BATCH`), and locks pages in
    /// batches of 31 a processor (`PAGEVEC_SIZE`).
    const UNCOUNTED_PAGES: u64 = 64 + 31;

    /// Of this and what was placed before it, for the same request.
    pub(crate) fn after(self, first: Option<Self>, released_bytes: u64) -> Self {
        match first.filter(|first| first.group == self.group) {
            Some(first) => Self {
                before_bytes: first.before_bytes.saturating_sub(released_bytes),
                placed_bytes: first.placed_bytes + self.placed_bytes,
                ..self
            },
            None => self,
        }
    }

    /// What of it is charged to another group, or to none, beyond what the kernel has yet to count. Bytes.
    #[must_use]
    pub fn missing_bytes(&self) -> u64 {
        let processors = std::thread::available_parallelism().map_or(1, usize::from) as u64;
        let uncounted = Self::UNCOUNTED_PAGES * processors * hotset_machine::memory::page_bytes();
        let grown = self.after_bytes.saturating_sub(self.before_bytes);
        match self.placed_bytes.saturating_sub(grown) {
            missing if missing > uncounted => missing,
            _ => 0,
        }
    }
}
