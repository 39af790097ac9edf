//! What `hotset lab up` has left: how to reach it, and where its parts are.

use serde::Serialize;
use std::path::PathBuf;

/// What is up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
}

/// A node that is up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct NodeEntry {
    /// Its name.
    pub name: String,
    /// What its server answers at, from this machine and from the other nodes.
    pub url: String,
    /// Its network namespace, for `ip netns exec`.
    pub namespace: String,
    /// The end of its link on this machine, where its packets can be captured.
    pub interface: String,
    /// The control group that limits and counts its memory.
    pub memory_group: PathBuf,
    /// All of its memory, bytes.
    pub memory_bytes: u64,
    /// What its server prints.
    pub log: PathBuf,
}

/// A store that is up, as a node sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct StoreEntry {
    /// Its name.
    pub name: String,
    /// Name of the node that reads it.
    pub node: String,
    /// Its file system.
    pub file_system: &'static str,
    /// Where it is mounted.
    pub path: PathBuf,
}

/// A site on a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
