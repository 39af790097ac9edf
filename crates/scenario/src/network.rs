//! The switches between nodes: one that all links end at, or several with links of their own.

use serde::Deserialize;
use toml::Spanned;

use crate::bounds::Ports;
use crate::specs::{BitRate, time_ns};
use crate::toml_file::{FileError, TomlFile};

/// Most switches along a dimension, and most places: more are taken for a typing error.
const MOST_ALONG: usize = 64;
const MOST_PLACES: usize = 4096;

/// The switches between nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkSpec {
    /// How switches are linked.
    pub topology: NetworkTopology,
    /// Bits in a second of a link between two switches, each way.
    pub bits_per_s: u64,
    /// How long a bit is on its way from switch to switch, nanoseconds.
    pub delay_ns: u64,
}

/// How switches are linked. Each node, in the order of the file, has a place at one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkTopology {
    /// Three levels of switches that each have so many ports.
    FatTree {
        /// Ports of a switch.
        ports: usize,
    },
    /// A switch for each node, in a grid.
    Mesh {
        /// Switches along each of three dimensions.
        size: [usize; 3],
    },
    /// The same with its ends linked.
    Torus {
        /// Switches along each of three dimensions.
        size: [usize; 3],
    },
}

impl NetworkTopology {
    /// Nodes that have a place.
    #[must_use]
    pub fn places(self) -> usize {
        match self {
            Self::FatTree { ports } => ports * ports * ports / 4,
            Self::Mesh { size } | Self::Torus { size } => size.iter().product(),
        }
    }
}

/// `topology` of `[network]`.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Star,
    FatTree,
    Mesh,
    Torus,
}

/// `[network]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct NetworkTable {
    topology: Spanned<Kind>,
    size: Option<Spanned<Vec<usize>>>,
    ports: Option<Spanned<Ports>>,
    rate: Option<Spanned<BitRate>>,
    #[serde(default, deserialize_with = "time_ns")]
    delay: u64,
}

impl NetworkTable {
    /// What it says; nothing of a star, which has one switch.
    pub fn network(&self, file: &TomlFile, nodes: usize) -> Result<Option<NetworkSpec>, FileError> {
        let at_topology = self.topology.span();
        let topology = match self.topology.get_ref() {
            Kind::Star => return self.check_star(file).map(|()| None),
            Kind::FatTree => NetworkTopology::FatTree {
                ports: self.ports(file)?,
            },
            Kind::Mesh => NetworkTopology::Mesh {
                size: self.size(file)?,
            },
            Kind::Torus => NetworkTopology::Torus {
                size: self.size(file)?,
            },
        };
        let places = topology.places();
        if nodes > places {
            let message = format!(
                "`topology` in [network]: it has room for {places} nodes, and there are {nodes}; make it larger"
            );
            return Err(file.error(at_topology, message));
        }
        let Some(rate) = &self.rate else {
            let message = "`topology` in [network]: say the `rate` of links between switches";
            return Err(file.error(at_topology, message));
        };
        Ok(Some(NetworkSpec {
            topology,
            bits_per_s: rate.get_ref().0,
            delay_ns: self.delay,
        }))
    }

    fn check_star(&self, file: &TomlFile) -> Result<(), FileError> {
        let size = self.size.as_ref().map(|it| ("size", it.span()));
        let ports = self.ports.as_ref().map(|it| ("ports", it.span()));
        let rate = self.rate.as_ref().map(|it| ("rate", it.span()));
        let delay = (self.delay > 0).then(|| ("delay", self.topology.span()));
        match size.or(ports).or(rate).or(delay) {
            None => Ok(()),
            Some((key, span)) => Err(file.error(
                span,
                format!("`{key}` in [network]: a star has one switch; take it out"),
            )),
        }
    }

    fn ports(&self, file: &TomlFile) -> Result<usize, FileError> {
        self.refuse(file, self.size.as_ref().map(|it| ("size", it.span())))?;
        let Some(ports) = &self.ports else {
            let message = "`topology` in [network]: say how many `ports` a switch has";
            return Err(file.error(self.topology.span(), message));
        };
        match ports.get_ref().0 {
            count if count.is_multiple_of(2) => Ok(count),
            _ => Err(file.error(ports.span(), "`ports` in [network]: must be even")),
        }
    }

    fn size(&self, file: &TomlFile) -> Result<[usize; 3], FileError> {
        self.refuse(file, self.ports.as_ref().map(|it| ("ports", it.span())))?;
        let Some(size) = &self.size else {
            let message = "`topology` in [network]: say its `size`, such as [4, 4, 2]";
            return Err(file.error(self.topology.span(), message));
        };
        let along = size.get_ref().as_slice();
        let are_within = along.iter().all(|it| (1..=MOST_ALONG).contains(it));
        let places: usize = match are_within && along.len() <= 3 {
            true => along.iter().product(),
            false => 0,
        };
        if along.is_empty() || !(1..=MOST_PLACES).contains(&places) {
            let message = format!(
                "`size` in [network]: must be one to three numbers from 1 to {MOST_ALONG}, of {MOST_PLACES} places at most"
            );
            return Err(file.error(size.span(), message));
        }
        let mut all = [1; 3];
        all[..along.len()].copy_from_slice(along);
        Ok(all)
    }

    /// Refuses a key that is of other topologies.
    fn refuse(
        &self,
        file: &TomlFile,
        key: Option<(&str, std::ops::Range<usize>)>,
    ) -> Result<(), FileError> {
        match key {
            None => Ok(()),
            Some((key, span)) => Err(file.error(
                span,
                format!("`{key}` in [network]: is of another topology; take it out"),
            )),
        }
    }
}
