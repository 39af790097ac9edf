//! The node and the stores that an experiment is made on, a store at a time.

use hotset_scenario::{Node, Scenario, StoreKind, StoreSpec};

use crate::node::{self, RealStore, web_node};
use crate::{ExperimentError, Point};

/// The file system's own records, and room so that files need not be in pieces.
const SPARE_BYTES: u64 = 512 << 20;
/// Room for the files of probing, bytes.
const PROBED_BYTES: u64 = 640 << 20;

/// The node of a scenario, and its stores: each is a point of the experiment.
pub(crate) struct JobStores {
    pub node: JobNode,
    stores: Vec<RealStore>,
}

impl JobStores {
    /// Those of `scenario`, the node's memory divided by `scale`, each store with room for `files_bytes`.
    ///
    /// # Errors
    /// What of the scenario cannot be used.
    pub fn of(scenario: &Scenario, scale: u64, files_bytes: u64) -> Result<Self, String> {
        Ok(Self {
            node: JobNode::of(scenario, scale)?,
            stores: stores(scenario, files_bytes)?,
        })
    }

    /// A point for each store.
    pub fn points(&self) -> Vec<Point> {
        Point::of_stores(&self.stores)
    }

    /// The store of a point.
    ///
    /// # Errors
    /// A point of another experiment.
    pub fn at(&self, point: &Point) -> Result<&RealStore, ExperimentError> {
        point.store_among(&self.stores)
    }

    /// The node and the store of a point alone.
    ///
    /// # Errors
    /// A point of another experiment.
    pub fn scenario(&self, point: &Point) -> Result<Scenario, ExperimentError> {
        let store = &self.at(point)?.spec;
        Ok(node::alone(&[&self.node.spec], &[store], 0, &[]))
    }
}

/// The node of a scenario that jobs run on.
pub(crate) struct JobNode {
    pub spec: Node,
    /// All of its memory, bytes.
    pub memory_bytes: u64,
}

impl JobNode {
    /// The first node that has a store, its memory divided by `scale`.
    ///
    /// # Errors
    /// What of it the experiment cannot use.
    pub fn of(scenario: &Scenario, scale: u64) -> Result<Self, String> {
        let node = scenario.nodes.first();
        let node = node.ok_or("has no [[node]] to run jobs on; add one")?;
        let (spec, memory_bytes) = web_node(node, scale)?;
        Ok(Self { spec, memory_bytes })
    }

    /// What is left of the memory for files.
    pub fn file_memory_bytes(&self) -> u64 {
        self.memory_bytes - self.spec.server_memory_bytes.unwrap_or(0)
    }
}

/// Stores of the scenario that are local file systems on disks, in its order, with room for `files_bytes`.
///
/// # Errors
/// None, or one that the experiment cannot use.
fn stores(scenario: &Scenario, files_bytes: u64) -> Result<Vec<RealStore>, String> {
    let needed_bytes = files_bytes.saturating_add(PROBED_BYTES + SPARE_BYTES);
    let needed_bytes = needed_bytes.checked_next_multiple_of(1 << 20);
    let needed_bytes = needed_bytes.ok_or("has files of 16 EiB; give smaller ones")?;
    let mut stores = Vec::new();
    for store in &scenario.stores {
        let Some(kind) = store.kind else { continue };
        if !matches!(kind, StoreKind::Ext3 | StoreKind::Ext4 | StoreKind::Xfs) {
            let name = &store.name;
            return Err(format!(
                "has store {name} on {}; jobs are simulated on ext3, ext4 and xfs",
                kind.name()
            ));
        }
        let size_bytes = Some(store.size_bytes.unwrap_or(0).max(needed_bytes));
        let spec = StoreSpec {
            size_bytes,
            ..store.clone()
        };
        stores.push(RealStore { spec, kind });
    }
    match stores.is_empty() {
        true => Err("has no [[store]] with a kind".to_owned()),
        false => Ok(stores),
    }
}
