//! The lab of a scenario: a network with a node each, and the stores that the nodes read.

use crate::disk::Disk;
use crate::net::{Direct, Network};
use crate::node::{self, Node};
use crate::node_store::{Builder, NodeStore};
use crate::server::{
    self, Apache, KEPT_SHARE, Nginx, PORT, Place, Proxy, Running, ServerKind, VirtualHost,
};
use crate::{Control, LabError, go_on, needs};
use hotset_machine::Deployment;
use hotset_scenario::{LinkEnds, Scenario, ServerSpec};
use std::ffi::OsString;
use std::net::SocketAddr;
use std::sync::Arc;

/// A data-centre on this machine: nodes and stores are up, servers are started by [`Lab::serve`].
#[derive(Debug)]
pub struct Lab {
    // Fields are dropped in order: stores run on nodes.
    stores: Vec<NodeStore>,
    disks: Vec<Arc<dyn Disk>>,
    directs: Vec<(LinkEnds, Direct)>,
    nodes: Vec<Node>,
    deployment: Arc<Deployment>,
}

impl Lab {
    /// Makes the network, the nodes, and every store of the scenario that has a kind: empty, with the disks' delays on.
    /// `drive_command` is a program and its first arguments that play a seeking disk, see
    /// [`Seeking::create`](crate::disk::Seeking::create).
    ///
    /// A local store or one in memory is made for each node that reads stores; a network store is one, with file servers of
    /// its own, mounted on each of these nodes.
    ///
    /// # Errors
    /// A scenario that the lab cannot build; what fails on the way; [`LabError::Interrupted`].
    pub fn build(
        deployment: &Arc<Deployment>,
        scenario: &Scenario,
        drive_command: &[OsString],
        control: &dyn Control,
    ) -> Result<Self, LabError> {
        control.step("making nodes");
        let network = Network::create(deployment)?;
        let nodes = node::build(deployment, &network, scenario)?;
        let mut lab = Self {
            stores: Vec::new(),
            disks: Vec::new(),
            directs: node::connect(&network, scenario, &nodes)?,
            nodes,
            deployment: Arc::clone(deployment),
        };
        for (spec, kind) in needs::made(scenario) {
            go_on(control)?;
            control.step(&format!("making store {}", spec.name));
            let builder = Builder {
                deployment,
                network: &network,
                nodes: &lab.nodes,
                stores: &scenario.stores,
                spec,
                drive_command,
            };
            let (stores, disks) = builder.build(kind)?;
            lab.stores.extend(stores);
            lab.disks.extend(disks);
        }
        Ok(lab)
    }

    /// The deployment that it was made in.
    #[must_use]
    pub fn deployment(&self) -> &Arc<Deployment> {
        &self.deployment
    }

    /// The nodes, in the scenario's order.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node called `name`.
    ///
    /// # Errors
    /// When there is none.
    pub fn node(&self, name: &str) -> Result<&Node, LabError> {
        let found = self.nodes.iter().find(|node| node.name == name);
        found.ok_or_else(|| LabError::Unusable(format!("no node is called `{name}`")))
    }

    /// The links between two nodes each, by what they connect.
    #[must_use]
    pub fn directs(&self) -> &[(LinkEnds, Direct)] {
        &self.directs
    }

    /// The link between two nodes with these ends.
    ///
    /// # Errors
    /// When there is none.
    pub fn direct(&self, ends: &LinkEnds) -> Result<&Direct, LabError> {
        let mut directs = self.directs.iter();
        let found = directs.find(|(own, _)| own.is_same(ends));
        let missing = || LabError::Unusable(format!("there is no link {ends}"));
        found.map(|(_, direct)| direct).ok_or_else(missing)
    }

    /// Every store on every node that reads it.
    #[must_use]
    pub fn stores(&self) -> &[NodeStore] {
        &self.stores
    }

    /// The store called `name` as the node called `node` sees it.
    ///
    /// # Errors
    /// When the lab has made no such store there.
    pub fn store(&self, name: &str, node: &str) -> Result<&NodeStore, LabError> {
        let mut stores = self.stores.iter();
        let found = stores.find(|store| store.name == name && store.node == node);
        found.ok_or_else(|| {
            LabError::Unusable(format!(
                "node `{node}` has no store `{name}` in the lab; give the store a `kind`"
            ))
        })
    }

    /// All disks: those of local stores and of file servers.
    pub fn disks(&self) -> impl Iterator<Item = &dyn Disk> {
        self.disks.iter().map(AsRef::as_ref)
    }

    /// Switches the delays of all disks.
    ///
    /// # Errors
    /// When a disk does not answer.
    pub fn set_delays(&self, on: bool) -> Result<(), LabError> {
        self.disks().try_for_each(|disk| disk.set_delays(on))
    }

    /// Starts the server that the scenario gives the node. A proxy takes no hosts: it asks the nodes behind it.
    ///
    /// # Errors
    /// When it does not come up; with the end of its log.
    pub fn serve(&self, node: &str, hosts: Vec<VirtualHost>) -> Result<Running, LabError> {
        let node = self.node(node)?;
        self.serve_at(&format!("{}-server", node.name), node, hosts, node.place())
    }

    /// The same under another name that is unique in the deployment, at another place of the node.
    ///
    /// # Errors
    /// As [`Lab::serve`].
    pub fn serve_at(
        &self,
        name: &str,
        node: &Node,
        hosts: Vec<VirtualHost>,
        place: Place,
    ) -> Result<Running, LabError> {
        let kind = self.server(node, hosts)?;
        server::start(&self.deployment, name, kind.as_ref(), place)
    }

    fn server(
        &self,
        node: &Node,
        hosts: Vec<VirtualHost>,
    ) -> Result<Box<dyn ServerKind>, LabError> {
        Ok(match &node.server {
            ServerSpec::Nginx => Box::new(Nginx {
                hosts,
                workers: node.workers,
            }),
            ServerSpec::Apache => Box::new(Apache { hosts }),
            ServerSpec::Files | ServerSpec::None => {
                let message = format!("node `{}` has no server to start", node.name);
                return Err(LabError::Unusable(message));
            }
            ServerSpec::NginxProxy {
                cache,
                upstream,
                balance,
            } => {
                let address = |name: &String| {
                    let address = self.node(name)?.namespace.address();
                    Ok(SocketAddr::from((address, PORT)))
                };
                let upstream = upstream.iter().map(address);
                Box::new(Proxy {
                    upstream: upstream.collect::<Result<_, LabError>>()?,
                    balance: *balance,
                    cache_bytes: cache.then_some(node.memory_bytes / KEPT_SHARE),
                    workers: node.workers,
                })
            }
        })
    }
}
