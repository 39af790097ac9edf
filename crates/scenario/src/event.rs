//! What happens to a node, a link or a store at a time.

use std::fmt;
use std::ops::RangeInclusive;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::bounds::within;
use crate::link::{Link, LinkEnds};
use crate::names::there_are;
use crate::specs::{BitRate, time_ns};
use crate::toml_file::{FileError, OneOrMany, TomlFile};

/// What happens at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When, nanoseconds since measuring began.
    pub at_ns: u64,
    /// What happens.
    pub change: Change,
}

/// What happens.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A node's server ends, or is there again.
    Node {
        /// Name of the node.
        name: String,
        /// Whether it is there from then on.
        is_up: bool,
    },
    /// A link is cut, or whole again.
    Link {
        /// Which.
        link: LinkEnds,
        /// Whether it is whole from then on.
        is_up: bool,
    },
    /// A link becomes slower or faster.
    LinkRate {
        /// Which.
        link: LinkEnds,
        /// Bits in a second, each way.
        bits_per_s: u64,
    },
    /// The disks of a store become slower or faster.
    StoreSpeed {
        /// Name of the store.
        name: String,
        /// How fast they are, 1 being as the scenario has them.
        speed: f64,
    },
}

/// `[[event]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct EventTable {
    #[serde(deserialize_with = "time_ns")]
    at: u64,
    node: Option<Spanned<String>>,
    link: Option<Spanned<OneOrMany<String>>>,
    store: Option<Spanned<String>>,
    state: Spanned<State>,
}

/// `state` of an `[[event]]`.
#[derive(Clone, Copy)]
enum State {
    Is { up: bool },
    Rate(u64),
    Speed(f64),
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StateVisitor)
    }
}

struct StateVisitor;

impl<'de> Visitor<'de> for StateVisitor {
    type Value = State;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"down\", \"up\", { rate = \"10Mbit\" } or { speed = 0.5 }")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<State, E> {
        match text {
            "down" => Ok(State::Is { up: false }),
            "up" => Ok(State::Is { up: true }),
            _ => Err(E::unknown_variant(text, &["down", "up"])),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<State, A::Error> {
        let table = StateTable::deserialize(MapAccessDeserializer::new(map))?;
        match (table.rate, table.speed) {
            (Some(BitRate(bits_per_s)), None) => Ok(State::Rate(bits_per_s)),
            (None, Some(Speed(speed))) => Ok(State::Speed(speed)),
            _ => Err(A::Error::custom("give `rate` or `speed`")),
        }
    }
}

/// A `state` that is a table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct StateTable {
    rate: Option<BitRate>,
    speed: Option<Speed>,
}

/// Speeds of a disk: what is slower by far is down.
const SPEEDS: RangeInclusive<f64> = 0.001..=1000.0;

struct Speed(f64);

impl<'de> Deserialize<'de> for Speed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let speed = within(f64::deserialize(deserializer)?, &SPEEDS, "times as fast");
        speed.map(Speed).map_err(D::Error::custom)
    }
}

/// Names that events may have.
pub(crate) struct Names<'t> {
    pub nodes: Vec<&'t str>,
    pub links: &'t [Link],
    pub stores: Vec<&'t str>,
}

impl EventTable {
    /// The event, which is about one of `names`.
    pub fn event(&self, file: &TomlFile, names: &Names<'_>) -> Result<Event, FileError> {
        Ok(Event {
            at_ns: self.at,
            change: self.change(file, names)?,
        })
    }

    fn change(&self, file: &TomlFile, names: &Names<'_>) -> Result<Change, FileError> {
        let state = *self.state.get_ref();
        let refused = |message: &str| {
            let message = format!("`state` in [[event]]: {message}");
            Err(file.error(self.state.span(), message))
        };
        match (&self.node, &self.link, &self.store) {
            (Some(node), None, None) => {
                let name = named(file, "node", node, &names.nodes)?;
                match state {
                    State::Is { up: is_up } => Ok(Change::Node { name, is_up }),
                    _ => refused("a node is \"down\" or \"up\""),
                }
            }
            (None, Some(link), None) => {
                let link = linked(file, link, names.links)?;
                match state {
                    State::Is { up: is_up } => Ok(Change::Link { link, is_up }),
                    State::Rate(bits_per_s) => Ok(Change::LinkRate { link, bits_per_s }),
                    State::Speed(_) => refused(
                        "a link is \"down\", \"up\" or has a rate, as in { rate = \"10Mbit\" }",
                    ),
                }
            }
            (None, None, Some(store)) => {
                let name = named(file, "store", store, &names.stores)?;
                match state {
                    State::Speed(speed) => Ok(Change::StoreSpeed { name, speed }),
                    _ => refused("a store has a speed, as in { speed = 0.5 }"),
                }
            }
            _ => {
                let message = "[[event]]: name one `node`, `link` or `store` that it is about";
                Err(file.error(self.state.span(), message))
            }
        }
    }
}

/// The name, where there is such a thing.
fn named(
    file: &TomlFile,
    key: &str,
    name: &Spanned<String>,
    known: &[&str],
) -> Result<String, FileError> {
    if known.contains(&name.get_ref().as_str()) {
        return Ok(name.get_ref().clone());
    }
    let message = format!(
        "`{key}` in [[event]]: there is no [[{key}]] called `{}`; {}",
        name.get_ref(),
        there_are(name.get_ref(), known)
    );
    Err(file.error(name.span(), message))
}

/// The link of a node, or between two, where there is such a one.
fn linked(
    file: &TomlFile,
    written: &Spanned<OneOrMany<String>>,
    links: &[Link],
) -> Result<LinkEnds, FileError> {
    let refused = |why: String| {
        let message = format!("`link` in [[event]]: {why}");
        Err(file.error(written.span(), message))
    };
    let (ends, which) = match written.get_ref().0.as_slice() {
        [node] => (LinkEnds::Switch(node.clone()), format!("of `{node}`")),
        [one, other] => (
            LinkEnds::Nodes([one.clone(), other.clone()]),
            format!("between `{one}` and `{other}`"),
        ),
        _ => return refused("name the node of a link, or the two that it is between".to_owned()),
    };
    let found = links.iter().find(|link| link.ends.is_same(&ends));
    match found {
        Some(link) => Ok(link.ends.clone()),
        None => {
            let known: Vec<String> = links.iter().map(|link| link.ends.to_string()).collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let known = there_are(&ends.to_string(), &known);
            refused(format!("there is no [[link]] {which}; {known}"))
        }
    }
}
