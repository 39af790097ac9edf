//! The scenario file: sites, the stores they live on, and the nodes that serve them.

use std::path::{Path, PathBuf};

use crate::document::{self, Document, FileError, Section};
use crate::equipment::{self, Disk, Link, Server, StoreKind};
use crate::{MemorySize, Profile};

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

const ROOT_KEYS: [&str; 4] = ["site", "store", "node", "link"];
const SITE_KEYS: [&str; 6] = ["name", "match", "weight", "reservation", "store", "root"];
const STORE_KEYS: [&str; 5] = ["name", "profile", "kind", "size", "disk"];
const NODE_KEYS: [&str; 6] = ["name", "memory", "cpus", "server", "cache", "upstream"];

impl Scenario {
    /// The scenario in the TOML file at `path`; relative paths in it start at its folder.
    ///
    /// # Errors
    /// A file that cannot be read or used, with line and column.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        Self::parse(&document::read_text(path)?, path)
    }

    /// As [`Scenario::load`], from the `text` of the file at `path`.
    ///
    /// # Errors
    /// Text that is no scenario, with line and column.
    pub fn parse(text: &str, path: &Path) -> Result<Self, FileError> {
        let document = Document { path, text };
        let table = document.parse()?;
        let root = Section::new(document, "a scenario", 0..0, table.get_ref(), &ROOT_KEYS)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let nodes = list(&root, "node", "[[node]]", &NODE_KEYS, node)?;
        let stores = list(&root, "store", "[[store]]", &STORE_KEYS, |section| {
            store(section, folder)
        })?;
        let sites = list(&root, "site", "[[site]]", &SITE_KEYS, |section| {
            site(section, &stores, folder)
        })?;
        let links = list(
            &root,
            "link",
            "[[link]]",
            &equipment::LINK_KEYS,
            |section| equipment::link(section, &nodes),
        )?;
        check_reservations(&root, &sites, &nodes)?;
        equipment::check_upstreams(&root, &nodes)?;
        Ok(Self {
            sites,
            stores,
            nodes,
            links,
        })
    }
}

/// Something with a name of its own.
trait Named {
    fn name(&self) -> &str;
}

macro_rules! named {
    ($($type:ty),*) => { $(impl Named for $type { fn name(&self) -> &str { &self.name } })* };
}
named!(Site, Store, Node);

/// A node has one link.
impl Named for Link {
    fn name(&self) -> &str {
        &self.node
    }
}

/// The entries of the list `key`, whose names must differ.
fn list<'a, T: Named>(
    root: &Section<'a>,
    key: &'static str,
    title: &'static str,
    known: &[&str],
    entry: impl Fn(&Section<'a>) -> Result<T, FileError>,
) -> Result<Vec<T>, FileError> {
    let mut entries: Vec<T> = Vec::new();
    for section in root.sections(key, title, known)? {
        let new = entry(&section)?;
        if entries.iter().any(|old| old.name() == new.name()) {
            let key = if key == "link" { "node" } else { "name" };
            return Err(section.error(
                key,
                format!("`{}` is already taken; give it another name", new.name()),
            ));
        }
        entries.push(new);
    }
    Ok(entries)
}

fn node(section: &Section) -> Result<Node, FileError> {
    let memory = match section.optional_text("memory") {
        Ok(Some(text)) => text
            .parse()
            .map_err(|error| section.error("memory", error))?,
        _ => MemorySize::Bytes(section.bytes("memory")?),
    };
    Ok(Node {
        name: section.text("name")?,
        memory,
        cpus: section.optional_count("cpus", 1)?,
        server: equipment::server(section)?,
    })
}

fn store(section: &Section, folder: &Path) -> Result<Store, FileError> {
    let profile = section.text("profile")?;
    let beside = folder.join(&profile);
    let found = match Profile::builtin(&profile) {
        Some(builtin) => Ok(builtin),
        None if beside.is_file() => Profile::load(&beside).map_err(Into::into),
        None => Profile::named_or_file(&profile),
    };
    let profile = found.map_err(|error| section.error("profile", error))?;
    Ok(Store {
        name: section.text("name")?,
        profile,
        kind: equipment::store_kind(section)?,
        size_bytes: section.optional_bytes("size")?,
        disk: equipment::disk(section)?,
    })
}

fn site(section: &Section, stores: &[Store], folder: &Path) -> Result<Site, FileError> {
    let weight = section.optional_number("weight")?.unwrap_or(1.0);
    if weight <= 0.0 {
        return Err(section.error(
            "weight",
            "must be positive; 1 is what sites have that say nothing",
        ));
    }
    let name = section.text("name")?;
    if name.contains(|c: char| c == '=' || c.is_control()) {
        return Err(section.error("name", "must not hold `=` or control characters"));
    }
    Ok(Site {
        name,
        matches: section.texts("match")?,
        weight,
        reservation_bytes: section.optional_bytes("reservation")?.unwrap_or(0),
        store: store_index(section, stores)?,
        root: section.optional_text("root")?.map(|root| folder.join(root)),
    })
}

fn store_index(section: &Section, stores: &[Store]) -> Result<usize, FileError> {
    let name = section.text("store")?;
    let names = || {
        stores
            .iter()
            .map(|store| store.name.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    stores
        .iter()
        .position(|store| store.name == name)
        .ok_or_else(|| {
            section.error(
                "store",
                format!(
                    "there is no [[store]] called `{name}`; there are: {}",
                    names()
                ),
            )
        })
}

/// Every node serves every site, so each node must have room for all reservations together.
fn check_reservations(root: &Section, sites: &[Site], nodes: &[Node]) -> Result<(), FileError> {
    let bytes = |node: &Node| match node.memory {
        MemorySize::Bytes(bytes) => Some((bytes, node.name.clone())),
        MemorySize::PercentOfObjects(_) => None,
    };
    let Some((memory, node)) = nodes.iter().filter_map(bytes).min() else {
        return Ok(());
    };
    let mut reserved = 0u64;
    for (site, section) in sites
        .iter()
        .zip(root.sections("site", "[[site]]", &SITE_KEYS)?)
    {
        reserved = reserved.saturating_add(site.reservation_bytes);
        if reserved > memory {
            let message = format!(
                "reservations up to here are {reserved} bytes, node `{node}` has {memory}; reserve less"
            );
            return Err(section.error("reservation", message));
        }
    }
    Ok(())
}
