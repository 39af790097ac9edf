//! Links: of a node to the switch, and between two nodes.

use std::fmt;
use std::ops::RangeInclusive;

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::bounds::within;
use crate::link_profile::LinkProfileName;
use crate::names::there_are;
use crate::network_stack::{Offload, StackCosts};
use crate::specs::{BitRate, mtu, some_time_ns};
use crate::toml_file::{FileError, TomlFile};

/// A cable.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// What it connects.
    pub ends: LinkEnds,
    /// Bits in a second, in each direction.
    pub bits_per_s: u64,
    /// How long a bit is on its way, nanoseconds.
    pub delay_ns: u64,
    /// The share of its packets that are lost.
    pub loss: f64,
    /// Largest packet, bytes, with its headers of IP and TCP.
    pub mtu_bytes: u64,
    /// What network cards do of the work of TCP, in place of the nodes' processors.
    pub offload: Offload,
    /// What messages cost the processors of the nodes that it connects, beside what servers cost them; nothing where that is in the servers' costs.
    pub stack: Option<StackCosts>,
    /// Virtual lanes of a link whose adapters move messages by themselves (RDMA); nothing of a link that IP passes.
    pub rdma_lanes: Option<u32>,
    /// Keys that its table does not have, as its `profile` says them.
    pub of_profile: Vec<&'static str>,
}

impl Link {
    /// The key of its table that says what this one would: `profile`, where the table does not have it.
    #[must_use]
    pub fn saying<'k>(&self, key: &'k str) -> &'k str {
        match self.of_profile.contains(&key) {
            true => "profile",
            false => key,
        }
    }

    /// What it passes in a second where its rate is this, and no more than its cards do. Their processors work on each packet where they have
    /// all of TCP.
    #[must_use]
    pub fn passed_bits_per_s(&self, bits_per_s: u64) -> u64 {
        let card_ns = self.card_ns();
        match card_ns > 0.0 {
            true => bits_per_s.min((self.mtu_bytes as f64 * 8e9 / card_ns).max(1.0) as u64),
            false => bits_per_s,
        }
    }

    /// How long a bit is on its way, the cards' work on its packet included, nanoseconds.
    #[must_use]
    pub fn passing_delay_ns(&self) -> u64 {
        let cards = self.ends.nodes().len() as f64;
        self.delay_ns
            .saturating_add((cards * self.card_ns()) as u64)
    }

    /// Whether it says what network cards do, and nothing says what that spares processors.
    #[must_use]
    pub fn has_idle_offload(&self) -> bool {
        self.offload != Offload::default() && self.stack.is_none()
    }

    fn card_ns(&self) -> f64 {
        self.stack.map_or(0.0, |it| it.card_ns(self.offload))
    }
}

/// What a link connects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkEnds {
    /// A node, by its name, and the switch.
    Switch(String),
    /// Two nodes, by their names: what they send each other goes by no other link.
    Nodes([String; 2]),
}

impl LinkEnds {
    /// Whether it is the link of this node to the switch.
    #[must_use]
    pub fn is_of(&self, node: &str) -> bool {
        matches!(self, Self::Switch(name) if name == node)
    }

    /// Whether these are the same two ends, in whichever order.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Switch(one), Self::Switch(other)) => one == other,
            (Self::Nodes([a, b]), Self::Nodes([c, d])) => (a, b) == (c, d) || (a, b) == (d, c),
            _ => false,
        }
    }

    /// The nodes that it connects with each other or the switch.
    #[must_use]
    pub fn nodes(&self) -> &[String] {
        match self {
            Self::Switch(node) => std::slice::from_ref(node),
            Self::Nodes(nodes) => nodes,
        }
    }
}

/// As keys are named: `web1`, or `web1-file1` between two.
impl fmt::Display for LinkEnds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.nodes().join("-"))
    }
}

/// `[[link]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct LinkTable {
    node: Option<Spanned<String>>,
    between: Option<Spanned<Vec<String>>>,
    profile: Option<LinkProfileName>,
    rate: Option<Spanned<BitRate>>,
    #[serde(default, deserialize_with = "some_time_ns")]
    delay: Option<u64>,
    #[serde(default, deserialize_with = "loss")]
    loss: f64,
    #[serde(default, deserialize_with = "some_mtu")]
    mtu: Option<u64>,
    offload: Option<Offload>,
    stack: Option<StackCosts>,
    virtual_lanes: Option<Spanned<u32>>,
}

fn some_mtu<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    mtu(deserializer).map(Some)
}

/// As of Ethernet.
const USUAL_MTU: u64 = 1500;
/// Data lanes of InfiniBand: one of 16 is for management (InfiniBand Architecture Specification, volume 1, section 3.5.7).
const VIRTUAL_LANES: RangeInclusive<u32> = 1..=15;

/// A share of packets, such as `0.1%`.
fn loss<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let text = String::deserialize(deserializer)?;
    let percent: Option<Result<f64, _>> =
        text.strip_suffix('%').map(|number| number.trim().parse());
    match percent {
        Some(Ok(percent)) if (0.0..100.0).contains(&percent) => Ok(percent / 100.0),
        _ => Err(D::Error::custom(
            "must be a percentage from 0 to less than 100, such as \"0.1%\"",
        )),
    }
}

/// The links that `tables` describe, each with ends of its own among `nodes`.
pub(crate) fn links(
    file: &TomlFile,
    tables: &[LinkTable],
    nodes: &[&str],
) -> Result<Vec<Link>, FileError> {
    let mut links: Vec<Link> = Vec::with_capacity(tables.len());
    for table in tables {
        let ends = table.ends(file, nodes)?;
        if links.iter().any(|link| link.ends.is_same(&ends)) {
            return Err(table.error(file, format!("`{ends}` has a link already; take one out")));
        }
        links.push(table.link(file, ends)?);
    }
    Ok(links)
}

impl LinkTable {
    /// The link with these ends. What its table does not say its profile does.
    fn link(&self, file: &TomlFile, ends: LinkEnds) -> Result<Link, FileError> {
        let profile = self.profile.map(LinkProfileName::profile);
        let own_rate = self.rate.as_ref().map(|rate| rate.get_ref().0);
        let Some(bits_per_s) = own_rate.or(profile.map(|it| it.bits_per_s)) else {
            return Err(self.error(file, "give the link a `rate`, or a `profile`".to_owned()));
        };
        Ok(Link {
            ends,
            bits_per_s,
            delay_ns: self.delay.or(profile.map(|it| it.delay_ns)).unwrap_or(0),
            loss: self.loss,
            mtu_bytes: (self.mtu.or(profile.map(|it| it.mtu_bytes))).unwrap_or(USUAL_MTU),
            offload: (self.offload.or(profile.map(|it| it.offload))).unwrap_or_default(),
            stack: self.stack.or(profile.map(|it| it.stack)),
            rdma_lanes: self.lanes(file, profile.and_then(|it| it.lanes))?,
            of_profile: self.of_profile(),
        })
    }

    fn of_profile(&self) -> Vec<&'static str> {
        let keys = [
            ("delay", self.delay.is_none()),
            ("offload", self.offload.is_none()),
            ("stack", self.stack.is_none()),
            ("virtual_lanes", self.virtual_lanes.is_none()),
        ];
        let left = keys.into_iter().filter(|(_, is_left)| *is_left);
        let left = left.filter(|_| self.profile.is_some());
        left.map(|(key, _)| key).collect()
    }

    /// Its virtual lanes, of a link that has some by its profile.
    fn lanes(&self, file: &TomlFile, usual: Option<u32>) -> Result<Option<u32>, FileError> {
        let Some(lanes) = &self.virtual_lanes else {
            return Ok(usual);
        };
        let why = match usual {
            None => "is of links with profile = \"rdma\"; take it out".to_owned(),
            Some(_) => match within(*lanes.get_ref(), &VIRTUAL_LANES, "") {
                Ok(lanes) => return Ok(Some(lanes)),
                Err(why) => why,
            },
        };
        Err(file.error(lanes.span(), format!("`virtual_lanes` in [[link]]: {why}")))
    }

    fn ends(&self, file: &TomlFile, nodes: &[&str]) -> Result<LinkEnds, FileError> {
        let unknown = |names: &[String]| {
            let name = names.iter().find(|name| !nodes.contains(&name.as_str()))?;
            let known = there_are(name, nodes);
            Some(format!("no node is called `{name}`; {known}"))
        };
        match (&self.node, &self.between) {
            (Some(node), None) => match unknown(std::slice::from_ref(node.get_ref())) {
                Some(why) => Err(self.error(file, why)),
                None => Ok(LinkEnds::Switch(node.get_ref().clone())),
            },
            (None, Some(between)) => {
                let names = between.get_ref().as_slice();
                match (unknown(names), names) {
                    (Some(why), _) => Err(self.error(file, why)),
                    (None, [one, other]) if one != other => {
                        Ok(LinkEnds::Nodes([one.clone(), other.clone()]))
                    }
                    _ => {
                        let message = "name two nodes, as in [\"web1\", \"file1\"]";
                        Err(self.error(file, message.to_owned()))
                    }
                }
            }
            _ => {
                let message = "[[link]]: name its `node`, or with `between` two nodes";
                let span = self.rate.as_ref().map_or(0..0, Spanned::span);
                Err(file.error(span, message))
            }
        }
    }

    /// An error about what it connects.
    fn error(&self, file: &TomlFile, message: String) -> FileError {
        let node = self.node.as_ref().map(|it| ("node", it.span()));
        let between = self.between.as_ref().map(|it| ("between", it.span()));
        let (key, span) = node.or(between).unwrap_or(("rate", 0..0));
        file.error(span, format!("`{key}` in [[link]]: {message}"))
    }
}
