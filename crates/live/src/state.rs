//! What a guardian holds, as it writes it down after every change.

use crate::{Identity, PlacerKind, ServerName, SiteFolder, WantedPool};
use hotset_machine::ProcessIdentity;
use hotset_scenario::FilePath;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

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
    /// Buffer pools of database servers that are set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pools: Vec<WantedPool>,
    /// Files of the plan, the most valuable first.
    pub files: Vec<FileState>,
}

impl State {
    /// The version written, and the only one read.
    pub const VERSION: u32 = 1;

    /// Bytes of memory that the held files take, in whole pages.
    #[must_use]
    pub fn held_bytes(&self) -> u64 {
        let held = self.files.iter().map(FileState::page_bytes);
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
    /// The process that has it locked, among [`State::workers`]; none where it is not locked, but copied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<u32>,
    /// What became of it.
    #[serde(flatten)]
    pub status: FileStatus,
}

impl FileState {
    /// Memory that it takes where it is held, in whole pages. Another name of a file takes none.
    #[must_use]
    pub fn page_bytes(&self) -> u64 {
        match &self.status {
            FileStatus::Held(identity) => identity.page_bytes(),
            FileStatus::Shared(_) | FileStatus::LeftOut(_) => 0,
        }
    }
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
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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
