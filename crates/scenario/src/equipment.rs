//! What the lab makes real: the kinds of stores and disks, servers and links.

use crate::document::{FileError, Section};
use crate::scenario::Node;

/// What a store is in the lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreKind {
    /// ext3 on the store's disk.
    Ext3,
    /// ext4 on the store's disk.
    Ext4,
    /// XFS on the store's disk.
    Xfs,
    /// Memory, bounded in size.
    Tmpfs,
    /// Memory, unbounded: the documents' memory file system.
    Ramfs,
    /// GlusterFS over bricks on disks of the store's kind.
    GlusterFs,
    /// MooseFS over chunk servers on disks of the store's kind.
    MooseFs,
}

impl StoreKind {
    /// All, by name.
    pub const ALL: [(&str, StoreKind); 7] = [
        ("ext3", Self::Ext3),
        ("ext4", Self::Ext4),
        ("xfs", Self::Xfs),
        ("tmpfs", Self::Tmpfs),
        ("ramfs", Self::Ramfs),
        ("glusterfs", Self::GlusterFs),
        ("moosefs", Self::MooseFs),
    ];

    /// As files write it.
    pub fn name(self) -> &'static str {
        let known = Self::ALL.iter().find(|(_, kind)| *kind == self);
        known.map_or("", |(name, _)| name)
    }
}

/// The disk under a store of the lab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Disk {
    /// As fast as the machine's own.
    #[default]
    Plain,
    /// A limit on the bytes and the requests read in a second.
    Throttled {
        /// Bytes in a second.
        bytes_per_s: Option<u64>,
        /// Requests in a second.
        reads_per_s: Option<u64>,
    },
    /// A disk with head, seek and rotation.
    Seeking {
        /// Bytes it transfers in a second.
        bytes_per_s: u64,
    },
}

/// The server a node runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Server {
    /// nginx that serves files.
    #[default]
    Nginx,
    /// Apache that serves files.
    Apache,
    /// nginx in front of other nodes.
    NginxProxy {
        /// Whether it keeps responses.
        cache: bool,
        /// Names of the nodes behind it.
        upstream: Vec<String>,
    },
}

/// A node's cable to the switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Name of the node.
    pub node: String,
    /// Bits in a second, in each direction.
    pub bits_per_s: u64,
}

pub(crate) const LINK_KEYS: [&str; 2] = ["node", "rate"];
/// A slower disk is a unit forgotten.
const LEAST_RATE: u64 = 64 << 10;
const DISK_KEYS: [&str; 3] = ["kind", "rate", "reads_per_s"];

/// The one of `known` that `key` names.
fn one_of<T: Clone>(
    section: &Section,
    key: &str,
    text: &str,
    known: &[(&str, T)],
) -> Result<T, FileError> {
    let found = known.iter().find(|(name, _)| *name == text);
    found.map(|(_, value)| value.clone()).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        section.error(key, format!("`{text}` is none of {}", names.join(", ")))
    })
}

pub(crate) fn store_kind(section: &Section) -> Result<Option<StoreKind>, FileError> {
    let text = section.optional_text("kind")?;
    text.map(|text| one_of(section, "kind", &text, &StoreKind::ALL))
        .transpose()
}

pub(crate) fn disk(store: &Section) -> Result<Disk, FileError> {
    if store.get("disk").is_none() {
        return Ok(Disk::Plain);
    }
    let section = store.section("disk", "[store.disk]", &DISK_KEYS)?;
    let kind = section.text("kind")?;
    match kind.as_str() {
        "plain" => Ok(Disk::Plain),
        "throttled" => throttled(&section),
        "seeking" => Ok(Disk::Seeking {
            bytes_per_s: rate(&section)?.ok_or_else(|| section.missing("rate"))?,
        }),
        other => Err(section.error(
            "kind",
            format!("`{other}` is none of plain, throttled, seeking"),
        )),
    }
}

/// Bytes in a second.
fn rate(section: &Section) -> Result<Option<u64>, FileError> {
    match section.optional_bytes("rate")? {
        Some(rate) if rate < LEAST_RATE => Err(section.error(
            "rate",
            format!("{rate} bytes in a second is no disk; write a size a second, such as \"39MB\""),
        )),
        rate => Ok(rate),
    }
}

fn throttled(section: &Section) -> Result<Disk, FileError> {
    let bytes_per_s = rate(section)?;
    let reads_per_s = section.optional_count("reads_per_s", 1)?;
    if bytes_per_s.is_none() && reads_per_s.is_none() {
        return Err(section.error(
            "kind",
            "a throttled disk needs `rate`, `reads_per_s` or both",
        ));
    }
    Ok(Disk::Throttled {
        bytes_per_s,
        reads_per_s,
    })
}

pub(crate) fn server(node: &Section) -> Result<Server, FileError> {
    let upstream = node.texts("upstream")?;
    let cache = node.optional_flag("cache")?;
    let text = node.optional_text("server")?;
    let kind = text.as_deref().unwrap_or("nginx");
    let server = match kind {
        "nginx" => Server::Nginx,
        "apache" => Server::Apache,
        "nginx-proxy" if upstream.is_empty() => {
            return Err(node.error("upstream", "name the nodes behind the proxy"));
        }
        "nginx-proxy" => {
            return Ok(Server::NginxProxy {
                cache: cache.unwrap_or(false),
                upstream,
            });
        }
        other => {
            let message = format!("`{other}` is none of nginx, apache, nginx-proxy");
            return Err(node.error("server", message));
        }
    };
    let key = ["cache", "upstream"]
        .into_iter()
        .find(|key| node.get(key).is_some());
    match key {
        Some(key) => Err(node.error(key, "is for server = \"nginx-proxy\" only")),
        None => Ok(server),
    }
}

/// Every upstream is a node of the scenario, and not a proxy.
pub(crate) fn check_upstreams(root: &Section, nodes: &[Node]) -> Result<(), FileError> {
    for node in nodes {
        let Server::NginxProxy { upstream, .. } = &node.server else {
            continue;
        };
        let web = |name: &String| {
            let behind = nodes.iter().find(|behind| behind.name == *name);
            behind.is_some_and(|behind| !matches!(behind.server, Server::NginxProxy { .. }))
        };
        if let Some(name) = upstream.iter().find(|name| !web(name)) {
            return Err(root.error(
                "node",
                format!(
                    "`upstream` of `{}` names `{name}`, which is no web node here; add it as [[node]]",
                    node.name
                ),
            ));
        }
    }
    Ok(())
}

pub(crate) fn link(section: &Section, nodes: &[Node]) -> Result<Link, FileError> {
    let node = section.text("node")?;
    if !nodes.iter().any(|known| known.name == node) {
        return Err(section.error("node", format!("no node is called `{node}`")));
    }
    let rate = section.text("rate")?;
    let bits_per_s =
        parse_bits(&rate).ok_or_else(|| section.error("rate", "write `1Gbit` or `100Mbit`"))?;
    Ok(Link { node, bits_per_s })
}

/// Bits in a second of `1Gbit`, `2.5Gbit`, `100Mbit`.
fn parse_bits(text: &str) -> Option<u64> {
    let (number, unit) = match text.strip_suffix("Gbit") {
        Some(number) => (number, 1e9),
        None => (text.strip_suffix("Mbit")?, 1e6),
    };
    let bits = number.trim().parse::<f64>().ok()? * unit;
    (bits.is_finite() && bits >= 1.0).then_some(bits as u64)
}
