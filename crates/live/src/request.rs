//! What is to be held, and how.

use crate::{GroupSize, PlacerKind, ServerName, SiteFolder};
use hotset_scenario::{FilePath, Placement};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// How fast files are brought into memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pace {
    /// As fast as their store gives them. Whoever asks waits for all of them.
    #[default]
    AtOnce,
    /// At once what is in memory already. The rest is read in a fifth of the time, so that the store is there for those who are
    /// served. Whoever asks does not wait for it.
    Unhurried,
}

/// A file of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WantedFile {
    /// Its site.
    pub site: String,
    /// Its path within the site.
    pub path: FilePath,
}

/// The buffer pool of a database server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WantedPool {
    /// The socket that the server listens on.
    pub socket: PathBuf,
    /// How large it is to be, bytes; a server may make the next whole number of chunks of it.
    pub bytes: u64,
    /// The folder that the server reads further configuration from, in which a file keeps it over a new start.
    pub configuration: Option<PathBuf>,
}

impl WantedPool {
    /// Whether both are of the same server, with the same configuration.
    pub(crate) fn is_of(&self, other: &Self) -> bool {
        self.socket == other.socket && self.configuration == other.configuration
    }
}

/// What a guardian is asked to hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// How.
    pub placer: PlacerKind,
    /// For which server; without one, memory is charged to where hotset was started.
    pub server: Option<ServerName>,
    /// Folders of the sites.
    pub folders: Vec<SiteFolder>,
    /// Users whose files are held beside those of each folder's owner.
    pub owners: Vec<u32>,
    /// Memory that the plan was made for: held files take no more of it. Bytes.
    pub memory_bytes: u64,
    /// What the kernel is to guarantee the server's group; none where the plan gives it no group.
    pub group: Option<GroupSize>,
    /// For how long an answer may be older than the file on disk because of what is held: copies are looked at twice in that
    /// time.
    pub staleness: Duration,
    /// How fast.
    pub pace: Pace,
    /// Buffer pools of database servers.
    #[serde(default)]
    pub pools: Vec<WantedPool>,
    /// Files, the most valuable first.
    pub files: Vec<WantedFile>,
}

impl Request {
    /// The bound on what is stale where none is asked for.
    pub const STALENESS: Duration = Duration::from_secs(1);

    /// The nodes that a plan is for, in its order.
    #[must_use]
    pub fn nodes(plan: &Placement) -> Vec<&str> {
        let of_files = plan.files.iter().map(|file| file.node.as_str());
        // A plan may give memory to groups and hold no files.
        let of_groups = plan.groups.iter().map(|group| group.node.as_str());
        let of_databases = plan.databases.iter().map(|it| it.node.as_str());
        let mut nodes: Vec<&str> = Vec::new();
        for node in of_files.chain(of_groups).chain(of_databases) {
            if !nodes.contains(&node) {
                nodes.push(node);
            }
        }
        nodes
    }

    /// What a plan gives the groups of these sites on a node together; none where it gives them none.
    #[must_use]
    pub fn group_of(plan: &Placement, node: &str, sites: &[SiteFolder]) -> Option<GroupSize> {
        let is_served = |site: &str| sites.iter().any(|folder| folder.site == site);
        let groups = plan.groups.iter();
        let served = groups.filter(|group| group.node == node && is_served(&group.site));
        let page = hotset_machine::memory::page_bytes();
        let held_bytes = |site: &str| {
            let files = plan.files.iter();
            let files = files.filter(|file| file.node == node && file.site == site);
            files
                .map(|file| file.size_bytes.div_ceil(page).saturating_mul(page))
                .fold(0, u64::saturating_add)
        };
        served
            .map(|group| GroupSize {
                memory_bytes: group.memory_bytes,
                floor_bytes: group.floor_bytes,
                held_bytes: held_bytes(&group.site),
            })
            .reduce(GroupSize::and)
    }

    /// The files that a plan holds on a node, the most valuable first.
    #[must_use]
    pub fn files_of(plan: &Placement, node: &str) -> Vec<WantedFile> {
        let mut files: Vec<_> = plan.files.iter().filter(|file| file.node == node).collect();
        files.sort_by_key(|file| file.order);
        let wanted = files.into_iter().map(|file| WantedFile {
            site: file.site.clone(),
            path: file.path.clone(),
        });
        wanted.collect()
    }
}
