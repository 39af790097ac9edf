//! What `hotset lab up` has left: how to reach it, and where its parts are.
//! It is kept beside the ledger, so that it can be listed as long as it is up.

use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use hotset_machine::ledger::{self, FILE_NAME as LEDGER};
use hotset_machine::{Need, OnFile as _, Requirements, file};

use crate::LabError;
use crate::events::Due;

/// What is up, beside the ledger of what was made.
const FILE_NAME: &str = "inventory.json";

/// What is up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Inventory {
    /// What tells it from other deployments of the lab.
    pub tag: String,
    /// Its ledger, logs and mount points.
    pub directory: PathBuf,
    /// Its disk images.
    pub images: PathBuf,
    /// Nodes, in the scenario's order.
    pub nodes: Vec<NodeEntry>,
    /// Stores, once for each node that reads them.
    pub stores: Vec<StoreEntry>,
    /// Sites, once for each node that serves them from a store.
    pub sites: Vec<SiteEntry>,
    /// Links between two nodes each.
    #[serde(default)]
    pub links: Vec<LinkEntry>,
    /// What happens when `hotset lab play` is run, in the order of time.
    #[serde(default)]
    pub events: Vec<EventEntry>,
    /// Keys of the scenario that the lab does not follow, by their ways.
    #[serde(default)]
    pub not_honoured: Vec<String>,
}

/// A node that is up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct NodeEntry {
    /// Its name.
    pub name: String,
    /// What its server answers at, from this machine and from the other nodes; null where it has none.
    pub url: Option<String>,
    /// Its network namespace, for `ip netns exec`.
    pub namespace: String,
    /// The end of its link on this machine, where its packets can be captured.
    pub interface: String,
    /// The control group that limits and counts its memory.
    pub memory_group: PathBuf,
    /// All of its memory, bytes.
    pub memory_bytes: u64,
    /// What its server prints; null where it has none.
    pub log: Option<PathBuf>,
}

/// A link between two nodes that is up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct LinkEntry {
    /// Names of the nodes.
    pub between: Vec<String>,
    /// Its interface in the namespace of either, where its packets can be captured.
    pub interface: String,
}

/// Something that happens at a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct EventEntry {
    /// When, microseconds since `hotset lab play` was run.
    pub at_us: u64,
    /// What happens, in words.
    pub what: String,
}

impl EventEntry {
    pub(crate) fn of(due: &Due) -> Self {
        Self {
            at_us: due.at_ns / 1000,
            what: due.what.clone(),
        }
    }
}

/// A store that is up, as a node sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct StoreEntry {
    /// Its name.
    pub name: String,
    /// Name of the node that reads it.
    pub node: String,
    /// Its file system.
    pub file_system: String,
    /// Where it is mounted.
    pub path: PathBuf,
}

/// A site on a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SiteEntry {
    /// Its name: the `Host` header that asks for it.
    pub name: String,
    /// Name of the node that serves it.
    pub node: String,
    /// Name of the store that it lies on.
    pub store: String,
    /// Folder of its files.
    pub folder: PathBuf,
}

/// A data-centre that is up, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// What tells it from others.
    pub tag: String,
    /// When its last part was made.
    pub since: SystemTime,
    /// What it consists of; `None` if a version of hotset left it that did not write that down.
    pub inventory: Option<Inventory>,
}

impl Inventory {
    /// Keeps it in the folder of its ledger, which goes when the data-centre is taken down.
    pub(crate) fn keep(&self) -> Result<(), LabError> {
        let path = self.directory.join(FILE_NAME);
        let text = serde_json::to_vec(self).map_err(io::Error::from);
        let written = text.and_then(|text| file::write(&path, &text));
        Ok(written.on("write", path)?)
    }
}

/// What `hotset lab up` has left under `ledgers`, the longest standing first.
///
/// # Errors
/// Without root, which alone may read ledgers; a ledger or an inventory that cannot be read.
pub fn standing(ledgers: &Path) -> Result<Vec<Standing>, LabError> {
    Requirements::check(&[Need::Root])?;
    let mut standing = Vec::new();
    for deployment in ledger::left(ledgers)? {
        let ledger = deployment.join(LEDGER);
        let name = deployment.file_name().unwrap_or_default();
        standing.push(Standing {
            tag: name.to_string_lossy().into_owned(),
            since: ledger
                .metadata()
                .and_then(|it| it.modified())
                .on("look up", &ledger)?,
            inventory: file::read_json(&deployment.join(FILE_NAME))?,
        });
    }
    standing.sort_by_key(|it| it.since);
    Ok(standing)
}
