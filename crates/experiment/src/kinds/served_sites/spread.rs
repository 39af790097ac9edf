//! Files laid over several stores of a node, by a rule.

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

/// The stores that a site's files are laid over, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Spread {
    /// Names of the stores.
    pub stores: Vec<String>,
    /// Which file lies where.
    pub by: Rule,
    /// Web nodes that each have these stores with all files; as many as there are where it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub servers: Option<usize>,
}

/// Which file lies on which store: "Characterization of multi-tier data-centers", table 4. A store on a RAID-0 is one store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Rule {
    /// All on the only one.
    Single,
    /// At random.
    Random,
    /// Sorted by popularity, dealt in turn.
    Popularity,
    /// Sorted by size, dealt in turn.
    Size,
}

impl Spread {
    /// A store by itself.
    pub fn of_store(name: &str) -> Self {
        Self {
            stores: vec![name.to_owned()],
            by: Rule::Single,
            servers: None,
        }
    }

    /// Refuses what cannot be laid out so.
    pub fn check(&self, name: &str) -> Result<(), String> {
        let stores = self.stores.len();
        let problem = match (self.by, stores, self.servers) {
            (_, _, Some(0)) => "has no servers; give at least 1",
            (_, 0, _) => "names no stores; name at least one",
            (Rule::Single, 2.., _) => "is single, and names several stores; name one",
            (Rule::Random | Rule::Popularity | Rule::Size, 1, _) => {
                "names one store only; name several, or write by = \"single\""
            }
            _ => return Ok(()),
        };
        Err(format!("[served-sites.spread.{name}] {problem}"))
    }

    /// Number of the store of each file, from the smallest; `popularity`: the files from the most popular.
    pub fn places(&self, files: usize, popularity: &[u32], seed: u64) -> Vec<usize> {
        let stores = self.stores.len();
        match self.by {
            Rule::Single => vec![0; files],
            Rule::Size => (0..files).map(|file| file % stores).collect(),
            Rule::Random => {
                let mut random = Pcg64Mcg::seed_from_u64(seed);
                (0..files).map(|_| random.random_range(0..stores)).collect()
            }
            Rule::Popularity => {
                let mut places = vec![0; files];
                // From the least popular, as the document sorts.
                for (rank, &file) in popularity.iter().rev().enumerate() {
                    places[file as usize] = rank % stores;
                }
                places
            }
        }
    }
}
