//! How the arm plan divides the node's memory between its servers: as `hotset plan` does, by what was measured of them.

use hotset_plan::{DatabaseQuestion, DividedServer, FileCosts, ServerUse, divide};
use hotset_scenario::{Database, Node, Scenario, StoreSpec};
use hotset_workload::applications::Engine;

use super::learning::Learnt;
use super::result::{ServerMemory, Settings};
use super::server::described;
use super::visitors::NAMES;
use crate::ExperimentError;

/// The share of the node's memory that is left to the page cache: programs and logs pass it.
const PAGE_CACHE_SHARE: u64 = 20;

/// What is divided.
pub(super) struct Planner<'p> {
    pub web: &'p Node,
    pub store: &'p StoreSpec,
    pub engine: Engine,
    pub settings: &'p Settings,
}

impl Planner<'_> {
    /// What each server gets: learnt from all intervals but the last one, which scores it.
    ///
    /// # Errors
    /// Servers whose reads were not counted, and a node that its processes fill.
    pub fn plan(&self, learnt: &Learnt) -> Result<Vec<ServerMemory>, ExperimentError> {
        let scenario = Scenario {
            stores: vec![self.store.clone()],
            ..Scenario::default()
        };
        let databases = self.databases();
        let (mut servers, mut held_out) = (Vec::new(), Vec::new());
        for (database, probes) in databases.iter().zip(&learnt.probes) {
            let Some((last, earlier)) = probes.split_last() else {
                continue;
            };
            servers.push(ServerUse::of(&scenario, database, earlier));
            let last = std::slice::from_ref(last);
            held_out.push(ServerUse::of(&scenario, database, last));
        }
        let division = divide(&DatabaseQuestion {
            memory_bytes: self.divided_bytes(learnt)?,
            least_file_bytes: self.settings.memory_bytes / PAGE_CACHE_SHARE,
            files: &FileCosts::default(),
            files_held_out: &FileCosts::default(),
            servers: &servers,
            held_out: &held_out,
        });
        division.servers.iter().map(server_memory).collect()
    }

    /// The servers as scenarios describe them.
    fn databases(&self) -> Vec<Database> {
        let settings = self.settings;
        let pools = [settings.pool_bytes, settings.background_pool_bytes];
        let servers = NAMES.into_iter().zip(pools);
        let servers = servers.map(|(name, pool_bytes)| {
            let place = (name, self.web.name.as_str());
            described(place, self.engine, pool_bytes, &settings.flush_method)
        });
        servers.collect()
    }

    /// What pools, pins and the page cache have together, bytes.
    fn divided_bytes(&self, learnt: &Learnt) -> Result<u64, ExperimentError> {
        let all = self.settings.memory_bytes;
        let said = self.web.server_memory_bytes;
        let taken = said.unwrap_or(learnt.process_bytes);
        let left = all.checked_sub(taken).filter(|left| *left > 0);
        left.ok_or_else(|| {
            ExperimentError::Unusable(format!(
                "the arm plan has nothing to divide: processes of node `{}` take {taken} of its {all} bytes; give it more `memory`",
                self.web.name
            ))
        })
    }
}

fn server_memory(server: &DividedServer) -> Result<ServerMemory, ExperimentError> {
    if let Some(lacks) = &server.lacks {
        return Err(ExperimentError::Unusable(format!(
            "the arm plan, {}: {lacks}",
            server.database
        )));
    }
    let pinned = server.pinned.iter().map(|it| {
        let name = it.table.split_once('.');
        name.map_or(it.table.as_str(), |(_, table)| table)
            .to_owned()
    });
    Ok(ServerMemory {
        application: server.database.clone(),
        pool_bytes: server.pool_bytes,
        pinned: pinned.collect(),
        store_reads_per_hour_before: server.store_reads_per_hour_now,
        store_reads_per_hour: server.store_reads_per_hour,
    })
}
