//! What the model says of the kept runs of a cell: the same requests on the same nodes, in simulated time.

use std::sync::Arc;

use hotset_models::tiers::{Node as Machine, Role, WarmUp, simulate_warmed};
use hotset_outcome::{Outcome, Provenance, ProvenanceKind};
use hotset_scenario::{Node, Scenario, ServerProfile};
use hotset_topology::{Content, Held, Nodes, Servers, Stores, add_link, add_resources};

use super::accuracy::{Pair, Run, TiersPrediction, figures};
use super::centre::Centre;
use super::requests;
use super::result::{ArrivalSettings, Settings, TiersResult};
use super::section::Cell;
use crate::ExperimentError;
use crate::clients::at_once;
use crate::study::Prediction;

/// A cell as it is simulated.
pub(super) struct Model<'c> {
    pub cell: &'c Cell,
    pub centre: &'c Centre,
    /// What servers cost, where it was measured.
    pub profile: ServerProfile,
    /// What the cell is measured under. What was measured under other settings is not predicted.
    pub settings: Settings,
}

/// A run, simulated.
struct Simulated {
    outcome: Outcome,
    disk_read_bytes: u64,
}

impl Model<'_> {
    /// Predicts the kept runs, but for those that the client could not ask. Cells with a node that has all processors of the machine are
    /// left out too: what it is given then is not known.
    ///
    /// # Errors
    /// A cell that cannot be simulated.
    pub fn predict(
        &self,
        kept: &[TiersResult],
    ) -> Result<Vec<Option<Prediction<TiersPrediction>>>, ExperimentError> {
        let broken = "a simulation of a run broke off";
        let simulated = at_once(kept, broken, |kept| self.simulated(kept))?;
        let both = kept.iter().zip(&simulated);
        let pairs = both.filter_map(|(kept, simulated)| {
            let simulated = simulated.as_ref()?;
            Some(Pair {
                measured: Run {
                    outcome: kept.compared()?,
                    disk_read_bytes: kept.measured.detail.disk_read_bytes,
                },
                simulated: Run {
                    outcome: &simulated.outcome,
                    disk_read_bytes: Some(simulated.disk_read_bytes),
                },
            })
        });
        let pairs: Vec<Pair<'_>> = pairs.collect();
        let detail = TiersPrediction {
            figures: figures(&pairs),
        };
        let prediction = |simulated: Option<Simulated>| {
            simulated.map(|simulated| Prediction {
                outcome: simulated.outcome,
                ratio: None,
                detail: detail.clone(),
            })
        };
        Ok(simulated.into_iter().map(prediction).collect())
    }

    fn simulated(&self, kept: &TiersResult) -> Result<Option<Simulated>, ExperimentError> {
        let scenario = self
            .centre
            .modelled(&kept.measured.detail.server_memory_bytes);
        let mut servers = scenario.nodes.iter().filter(|node| node.has_server());
        let is_bounded = servers.all(|node| node.cpus.is_some());
        let is_asked = kept.compared().is_some() && kept.settings == self.settings;
        match is_bounded && is_asked {
            true => self.simulate(kept, &scenario).map(Some),
            false => Ok(None),
        }
    }

    fn simulate(
        &self,
        kept: &TiersResult,
        scenario: &Scenario,
    ) -> Result<Simulated, ExperimentError> {
        let seed = requests::seed(self.settings.seed, &kept.point);
        let (warm_up, counted) = (self.settings.warm_up, self.settings.requests);
        let trace = requests::trace(self.cell, warm_up + counted, seed)?;
        let is_open = matches!(self.settings.arrivals, ArrivalSettings::Open { .. });
        let held = |_: &Node| Held::default();
        let tiers = Nodes::of(scenario)?.tiers(Content {
            stores: &Stores::of(scenario, &trace)?,
            held: &held,
            files_bytes: trace.objects.size.iter().sum(),
            servers: &Servers {
                profile: self.profile.clone(),
                // The clients of a closed loop keep theirs.
                opens_connections: is_open,
            },
        })?;
        let traffic = Arc::new(requests::traffic(&trace, warm_up as usize, is_open));
        let warm_up = WarmUp::WithoutDelays;
        let result = simulate_warmed(&tiers, &traffic, seed, warm_up, &|| true)?;
        // What web nodes ask file servers for is no read of a disk.
        let is_files = |node: &Machine| matches!(node.role, Role::Files(_));
        let has_files = tiers.nodes.iter().any(is_files);
        let with_disks = tiers.nodes.iter().zip(&result.nodes);
        let with_disks = with_disks.filter(|(node, _)| is_files(node) == has_files);
        let caches = with_disks.filter_map(|(_, result)| result.cache);
        let disk_read_bytes: u64 = caches.map(|cache| cache.device_bytes).sum();
        let provenance = Provenance {
            seed: Some(seed),
            ..Provenance::new(ProvenanceKind::Simulated)
        };
        let name = format!("{}, simulated", kept.point);
        let mut outcome = Outcome::new(name, provenance, result.total);
        for (node, result) in tiers.nodes.iter().zip(result.nodes) {
            add_resources(&mut outcome, &node.name, result);
        }
        for link in result.other_links {
            add_link(&mut outcome, &link.name, link.counts);
        }
        Ok(Simulated {
            outcome,
            disk_read_bytes,
        })
    }
}
