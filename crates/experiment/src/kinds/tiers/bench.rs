//! A data-centre that is up, with its files written.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use hotset_lab::net::Namespace;
use hotset_lab::server::{Running, VirtualHost};
use hotset_lab::store::Store;
use hotset_lab::{Control, Due, Lab, LabError, due};
use hotset_machine::{MachineError, OnFile as _};
use hotset_scenario::Scenario;
use hotset_trace::Trace;
use hotset_workload::file_tree::{FileTreeError, write_files};

use super::centre::Centre;
use crate::ExperimentError;
use crate::readings::Meters;
use crate::session::Session;

/// Folder of the site's files on a store.
const FILES: &str = "files";

/// A data-centre of an experiment.
pub(crate) struct Bench {
    // In the order in which they have to go.
    servers: Vec<(String, Running)>,
    lab: Lab,
    /// The node that clients ask.
    entry: String,
    /// The store of the site, and the nodes that have a disk of it each.
    store: String,
    disk_owners: Vec<String>,
}

impl Bench {
    /// Brings nodes and stores up, in a run of its own.
    ///
    /// # Errors
    /// What fails on the way.
    pub(super) fn create(centre: &Centre, session: &Session) -> Result<Self, ExperimentError> {
        Ok(Self {
            servers: Vec::new(),
            lab: session.build(&centre.scenario)?,
            entry: centre.entry.clone(),
            store: centre.store.spec.name.clone(),
            disk_owners: centre.disk_owners(),
        })
    }

    /// The nodes that read the store.
    fn webs(&self) -> impl Iterator<Item = &str> {
        let nodes = self.lab.nodes().iter();
        let webs = nodes.filter(|node| node.reads_store());
        webs.map(|node| node.name.as_str())
    }

    fn folder(&self, web: &str) -> Result<PathBuf, LabError> {
        Ok(self.lab.store(&self.store, web)?.path.join(FILES))
    }

    /// Writes the files of a trace for every web node, with the disks' delays off. A network store is one for all.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(super) fn fill(&self, trace: &Trace, control: &dyn Control) -> Result<(), ExperimentError> {
        self.lab.set_delays(false)?;
        for web in self.webs() {
            let folder = self.folder(web)?;
            if folder.exists() {
                continue;
            }
            fs::create_dir(&folder).on("make", &folder)?;
            let written = write_files(trace, &folder, 0, &|| !control.interrupted());
            written.map_err(|error| match error {
                FileTreeError::Interrupted => LabError::Interrupted.into(),
                error => ExperimentError::Unusable(format!("the files of {web}: {error}")),
            })?;
        }
        Ok(())
    }

    /// Empties all caches of stores and nodes, proves it, and starts the servers, proxies after the nodes behind them. The address that
    /// clients ask. The disks' delays are off afterwards.
    ///
    /// # Errors
    /// When somebody uses a store, pages are left, or a server does not come up.
    pub(super) fn start(&mut self, site: &str) -> Result<SocketAddr, ExperimentError> {
        for store in self.distinct_stores() {
            store.drop_and_prove()?;
        }
        for node in self.lab.nodes() {
            node.group.force_empty()?;
        }
        // Emptying the caches has switched them on.
        self.lab.set_delays(false)?;
        let nodes = self.lab.nodes().iter();
        let mut nodes: Vec<(String, bool)> = nodes
            .filter(|node| node.has_server())
            .map(|node| (node.name.clone(), node.reads_store()))
            .collect();
        nodes.sort_by_key(|(_, is_web)| !is_web);
        for (node, is_web) in nodes {
            let mut hosts = Vec::new();
            if is_web {
                hosts.push(VirtualHost {
                    name: site.to_owned(),
                    root: self.folder(&node)?.join(site),
                    hot_root: None,
                    access_log: None,
                    header_waits: false,
                });
            }
            let server = self.lab.serve(&node, hosts)?;
            self.servers.push((node, server));
        }
        let mut servers = self.servers.iter();
        let entry = servers.find(|(node, _)| *node == self.entry);
        let missing =
            || ExperimentError::Unusable(format!("there is no server on node `{}`", self.entry));
        Ok(entry.ok_or_else(missing)?.1.address)
    }

    fn distinct_stores(&self) -> Vec<Arc<dyn Store>> {
        let mut stores: Vec<Arc<dyn Store>> = Vec::new();
        for store in self.lab.stores() {
            if !stores.iter().any(|other| Arc::ptr_eq(other, &store.store)) {
                stores.push(Arc::clone(&store.store));
            }
        }
        stores
    }

    /// What happens while clients ask.
    ///
    /// # Errors
    /// A disk that the machine cannot slow down.
    pub(super) fn due(&self, scenario: &Scenario) -> Result<Vec<Due>, ExperimentError> {
        let servers = self.servers.iter();
        let programs =
            servers.map(|(node, server)| (node.clone(), server.process.program().clone()));
        Ok(due(scenario, &self.lab, &programs.collect::<Vec<_>>())?)
    }

    /// The network of a node.
    ///
    /// # Errors
    /// When there is no such node.
    pub(super) fn network(&self, node: &str) -> Result<&Namespace, ExperimentError> {
        Ok(&self.lab.node(node)?.namespace)
    }

    /// Ends the servers.
    ///
    /// # Errors
    /// When one cannot be killed.
    pub(super) fn stop(&mut self) -> Result<(), ExperimentError> {
        for (_, server) in self.servers.drain(..).rev() {
            server.stop()?;
        }
        Ok(())
    }

    /// Switches the delays of all disks.
    ///
    /// # Errors
    /// When a disk does not answer.
    pub(super) fn set_delays(&self, on: bool) -> Result<(), ExperimentError> {
        Ok(self.lab.set_delays(on)?)
    }

    /// All disks and all nodes' links, by the names that simulated outcomes give them.
    pub(super) fn watched(&self) -> Meters<'_> {
        let disks = self.disk_owners.iter().zip(self.lab.disks());
        let nodes = self.lab.nodes().iter();
        Meters {
            disks: disks
                .map(|(node, disk)| (format!("{node} disk"), disk))
                .collect(),
            nodes: nodes
                .map(|node| (node.name.clone(), &node.namespace))
                .collect(),
        }
    }

    /// Processor time that each node's server has used, microseconds, in the order in which they were started.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub(super) fn cpu_us(&self) -> Result<Vec<(String, u64)>, ExperimentError> {
        let cpu_us = self
            .servers
            .iter()
            .map(|(node, server)| Ok((node.clone(), server.process.cpu_us()?)));
        Ok(cpu_us.collect::<Result<_, MachineError>>()?)
    }

    /// What kernel and server take of each web node's memory, bytes.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub(super) fn server_memory_bytes(&self) -> Result<Vec<u64>, ExperimentError> {
        let webs = self.lab.nodes().iter().filter(|node| node.reads_store());
        let used = webs.map(|node| {
            let usage = node.group.usage()?;
            Ok(usage.anonymous_bytes + usage.kernel_bytes)
        });
        Ok(used.collect::<Result<_, MachineError>>()?)
    }
}
