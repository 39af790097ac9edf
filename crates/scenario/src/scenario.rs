//! The scenario file: sites, the stores they live on, and the nodes that serve them.

use std::path::{Path, PathBuf};

use crate::equipment::{Disk, Link, Server, StoreKind};
use crate::toml_file::{FileError, TomlFile};
use crate::{MemorySize, Profile, tables};

/// One web site: a tenant of the nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// Its name.
    pub name: String,
    /// Which requests are its: globs over the URL path, or `host:GLOB`, or `log:GLOB`. None means all.
    pub matches: Vec<String>,
    /// How much a microsecond of its mean response counts against other sites'; positive.
    pub weight: f64,
    /// Bytes of every node's memory that other sites cannot take.
    pub reservation_bytes: u64,
    /// Index in [`Scenario::stores`] of the store its files live on.
    pub store: usize,
    /// Folder the URLs map to.
    pub root: Option<PathBuf>,
}

/// A store and its costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Store {
    /// Its name.
    pub name: String,
    /// Its costs.
    pub profile: Profile,
    /// What the lab makes of it; nothing for a store that is only reckoned with.
    pub kind: Option<StoreKind>,
    /// Its size where the lab makes it, bytes.
    pub size_bytes: Option<u64>,
    /// The disk the lab puts under it.
    pub disk: Disk,
}

/// A machine that serves the sites.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Its memory for file data.
    pub memory: MemorySize,
    /// Processors it may use in the lab; all where it does not say.
    pub cpus: Option<u64>,
    /// The server it runs in the lab.
    pub server: Server,
}

/// A scenario file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenario {
    /// Sites, in the order of the file.
    pub sites: Vec<Site>,
    /// Stores, in the order of the file.
    pub stores: Vec<Store>,
    /// Nodes, in the order of the file.
    pub nodes: Vec<Node>,
    /// Links of nodes to the lab's switch, in the order of the file.
    pub links: Vec<Link>,
}

impl Scenario {
    /// The scenario in the TOML file at `path`; relative paths in it start at its folder.
    ///
    /// # Errors
    /// A file that cannot be read or used, with line and column.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        tables::scenario(&TomlFile::read(path)?)
    }

    /// As [`Scenario::load`], from the `text` of the file at `path`.
    ///
    /// # Errors
    /// Text that is no scenario, with line and column.
    pub fn parse(text: &str, path: &Path) -> Result<Self, FileError> {
        tables::scenario(&TomlFile::from_text(text, path))
    }
}
