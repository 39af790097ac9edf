//! Stores of every kind, with their disks and their file servers.

use crate::LabError;
use crate::disk::{Disk, Plain, Seeking, Throttled};
use crate::needs::DEFAULT_STORE_BYTES;
use crate::net::Network;
use crate::node::Node;
use crate::store::{
    FileClient, FileServer, GlusterFs, Local, LocalKind, LocalOptions, Memory, MemoryKind, MooseFs,
    Store,
};
use hotset_machine::ControlGroup;
use hotset_machine::Deployment;
use hotset_machine::cgroup::{IoLimits, Limits};
use hotset_models::disk::DriveModel;
use hotset_scenario::{ClusterOptions, DiskSpec, StoreKind, StoreSpec};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A store as one node sees it.
#[derive(Clone, Debug)]
pub struct NodeStore {
    /// Name of the store.
    pub name: String,
    /// Name of the node.
    pub node: String,
    /// Where the node has it mounted.
    pub path: PathBuf,
    /// The file system, which may be another node's too.
    pub store: Arc<dyn Store>,
}

/// What one store is made of.
pub(crate) struct Builder<'b> {
    pub deployment: &'b Arc<Deployment>,
    pub network: &'b Network,
    pub nodes: &'b [Node],
    /// All of the scenario.
    pub stores: &'b [StoreSpec],
    pub spec: &'b StoreSpec,
    pub drive_command: &'b [OsString],
}

type Built = (Vec<NodeStore>, Vec<Arc<dyn Disk>>);

impl Builder<'_> {
    pub fn build(&self, kind: StoreKind) -> Result<Built, LabError> {
        match kind {
            StoreKind::Ext3 => self.local(LocalKind::Ext3),
            StoreKind::Ext4 => self.local(LocalKind::Ext4),
            StoreKind::Xfs => self.local(LocalKind::Xfs),
            StoreKind::Tmpfs => self.memory(MemoryKind::Tmpfs),
            StoreKind::Ramfs => self.memory(MemoryKind::Ramfs),
            StoreKind::GlusterFs => self.network_store(|name, servers, clients| {
                let usual = ClusterOptions::default();
                let options = self.spec.cluster.as_ref().unwrap_or(&usual);
                let both = (servers, clients);
                let made = GlusterFs::create_with(self.deployment, name, both, options)?;
                Ok(Arc::new(made))
            }),
            StoreKind::MooseFs => self.network_store(|name, servers, clients| {
                let copies = self.spec.cluster.as_ref().and_then(|it| it.copies);
                let both = (servers, clients);
                let copies = copies.unwrap_or(1);
                let made = MooseFs::create_with(self.deployment, name, both, copies)?;
                Ok(Arc::new(made))
            }),
            other => Err(LabError::Unusable(format!(
                "the lab has no file system {}",
                other.name()
            ))),
        }
    }

    fn local(&self, kind: LocalKind) -> Result<Built, LabError> {
        let options = local_options(self.spec);
        let (mut stores, mut disks) = (Vec::new(), Vec::new());
        for node in self.readers() {
            let name = format!("{}-{}", node.name, self.spec.name);
            let disk = self.disk(&name, &node.group)?;
            disks.push(Arc::clone(&disk));
            let store = Local::create_with(self.deployment, &name, kind, disk, &options)?;
            stores.push(self.on_node(node, Arc::new(store)));
        }
        Ok((stores, disks))
    }

    fn memory(&self, kind: MemoryKind) -> Result<Built, LabError> {
        let store = |node: &Node| {
            let name = format!("{}-{}", node.name, self.spec.name);
            let store = Memory::create(self.deployment, &name, kind, self.size_bytes())?;
            Ok(self.on_node(node, Arc::new(store)))
        };
        let stores = self.readers().map(store);
        Ok((stores.collect::<Result<_, LabError>>()?, Vec::new()))
    }

    fn network_store(
        &self,
        create: impl FnOnce(&str, Vec<FileServer>, Vec<FileClient>) -> Result<Arc<dyn Store>, LabError>,
    ) -> Result<Built, LabError> {
        let (mut servers, mut disks) = (Vec::new(), Vec::new());
        let made = match &self.spec.remote {
            Some(remote) => {
                let named = remote.servers.iter();
                let made = named.map(|name| self.named_server(name, &remote.on));
                made.collect::<Result<Vec<_>, LabError>>()?
            }
            None => {
                let made = (0..StoreKind::OWN_SERVERS).map(|number| self.file_server(number));
                made.collect::<Result<Vec<_>, LabError>>()?
            }
        };
        for (server, disk) in made {
            servers.push(server);
            disks.push(disk);
        }
        let client = |node: &Node| FileClient {
            node: node.name.clone(),
            namespace: node.namespace.clone(),
            group: Some(Arc::clone(&node.group)),
        };
        let clients = self.readers().map(client).collect();
        let store = create(&self.spec.name, servers, clients)?;
        let paths: Vec<PathBuf> = store.paths().into_iter().map(Path::to_owned).collect();
        let stores = self.readers().zip(paths).map(|(node, path)| NodeStore {
            path,
            ..self.on_node(node, Arc::clone(&store))
        });
        Ok((stores.collect(), disks))
    }

    /// A node of the scenario with a disk like that of the store called `on`.
    fn named_server(&self, name: &str, on: &str) -> Result<(FileServer, Arc<dyn Disk>), LabError> {
        let node = self.nodes.iter().find(|node| node.name == name);
        let on = self.stores.iter().find(|store| store.name == on);
        let (Some(node), Some(on)) = (node, on) else {
            return Err(LabError::Unusable(format!(
                "store `{}` is on `{name}`, which is not there; add it as [[node]]",
                self.spec.name
            )));
        };
        let kind = match on.kind {
            None | Some(StoreKind::Xfs) => LocalKind::Xfs,
            Some(StoreKind::Ext3) => LocalKind::Ext3,
            Some(StoreKind::Ext4) => LocalKind::Ext4,
            Some(other) => {
                return Err(LabError::Unusable(format!(
                    "store `{}` is of kind {}, on which file servers keep nothing; give it kind = \"ext4\" or \"xfs\"",
                    on.name,
                    other.name()
                )));
            }
        };
        let disk_name = format!("{name}-{}", self.spec.name);
        let disk = self.disk_like(on, &disk_name, &node.group)?;
        let server = FileServer {
            namespace: node.namespace.clone(),
            group: Some(Arc::clone(&node.group)),
            disk: Local::create_with(
                self.deployment,
                &disk_name,
                kind,
                Arc::clone(&disk),
                &local_options(on),
            )?,
        };
        Ok((server, disk))
    }

    /// A node with a disk, on a link like the first reader's. Its group is there for a throttled disk to limit.
    fn file_server(&self, number: usize) -> Result<(FileServer, Arc<dyn Disk>), LabError> {
        let name = format!("{}-files{number}", self.spec.name);
        let rate = self.readers().next().map(|node| node.namespace.rate());
        let namespace = self.network.namespace(&name, rate.unwrap_or_default())?;
        let group = ControlGroup::create(self.deployment, &name, &Limits::default())?;
        let group = Arc::new(group);
        let disk = self.disk(&name, &group)?;
        let server = FileServer {
            namespace,
            group: Some(group),
            disk: Local::create(self.deployment, &name, LocalKind::Xfs, Arc::clone(&disk))?,
        };
        Ok((server, disk))
    }

    fn disk(&self, name: &str, group: &Arc<ControlGroup>) -> Result<Arc<dyn Disk>, LabError> {
        self.disk_like(self.spec, name, group)
    }

    /// A disk as `spec` has it.
    fn disk_like(
        &self,
        spec: &StoreSpec,
        name: &str,
        group: &Arc<ControlGroup>,
    ) -> Result<Arc<dyn Disk>, LabError> {
        let deployment = self.deployment;
        let bytes = spec.size_bytes.unwrap_or(DEFAULT_STORE_BYTES);
        Ok(match spec.disk {
            DiskSpec::Plain => Arc::new(Plain::create(deployment, name, bytes)?),
            DiskSpec::Throttled {
                bytes_per_s,
                reads_per_s,
            } => {
                let limits = IoLimits {
                    read_bytes_per_s: bytes_per_s,
                    reads_per_s,
                };
                let groups = [Arc::clone(group)];
                Arc::new(Throttled::create(deployment, name, bytes, limits, &groups)?)
            }
            DiskSpec::Seeking { bytes_per_s } | DiskSpec::Array { bytes_per_s, .. } => {
                let model = DriveModel {
                    bytes_per_s: bytes_per_s as f64,
                    write_cache_bytes: spec.write_cache_bytes,
                    ..DriveModel::default()
                };
                let command = self.drive_command;
                let drives = (model, spec.disk.raid());
                Arc::new(Seeking::create_array(
                    deployment, name, bytes, drives, command,
                )?)
            }
        })
    }

    fn size_bytes(&self) -> u64 {
        self.spec.size_bytes.unwrap_or(DEFAULT_STORE_BYTES)
    }

    /// The nodes that read stores.
    fn readers(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|node| node.reads_store())
    }

    fn on_node(&self, node: &Node, store: Arc<dyn Store>) -> NodeStore {
        NodeStore {
            name: self.spec.name.clone(),
            node: node.name.clone(),
            path: store.path().to_owned(),
            store,
        }
    }
}

/// How a store's file system is made and mounted.
fn local_options(spec: &StoreSpec) -> LocalOptions {
    LocalOptions {
        journal: spec.journal,
        dirty_limit_bytes: spec.dirty_limit_bytes,
    }
}
