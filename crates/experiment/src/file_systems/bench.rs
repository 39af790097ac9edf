//! A file system on its node, a web server over it and a proxy before that.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hotset_scenario::{DiskSpec, MemorySize, Node, ServerSpec, StoreKind, StoreSpec};

use super::PHASES;
use crate::experiment::{Experiment, FileSystems};
use crate::shared_node::Surroundings;
use hotset_lab::LabError;
use hotset_lab::disk::seeking::Statistics;
use hotset_lab::disk::{Disk, DiskCounters, Plain, Seeking};
use hotset_lab::net::{LinkRate, Namespace, Network};
use hotset_lab::server::{self, Nginx, Place, Proxy, Running, ServerKind, VirtualHost};
use hotset_lab::store::{
    FileClient, FileServer, GlusterFs, Local, LocalKind, Memory, MemoryKind, MooseFs, Store,
};
use hotset_machine::cgroup::{ControlGroup, CpuSet, Limits};
use hotset_machine::process::Launch;
use hotset_machine::{MachineError, Need, Requirements, Run, file};
use hotset_models::disk::DriveModel;
use hotset_probe::{AccessTimes, FileSet, Job};

/// Worker processes of each server.
const WORKERS: usize = 4;
/// Servers under a network file system, as many as the documents' I/O nodes.
const FILE_SERVERS: usize = 3;
/// A file takes whole blocks, and the file system its journal and inodes; a network file system keeps space free.
const OVERHEAD_BYTES: u64 = 640 << 20;
/// Writing all files, or reading them once.
const READING_PATIENCE: Duration = Duration::from_secs(600);

/// The parts of a scenario that the experiment uses.
#[derive(Clone, Copy)]
pub(super) struct Nodes<'s> {
    pub web: &'s Node,
    pub proxy: &'s Node,
    pub memory_bytes: u64,
    pub link_bits_per_s: [Option<u64>; 2],
}

impl<'s> Nodes<'s> {
    pub fn of(experiment: &'s Experiment) -> Result<Self, LabError> {
        let scenario = &experiment.scenario;
        let unusable = |what: &str| {
            LabError::Unusable(format!(
                "experiment {}: its scenario {what}",
                experiment.name
            ))
        };
        let behind = |node: &Node| match &node.server {
            ServerSpec::NginxProxy {
                cache: false,
                upstream,
            } => upstream.first().cloned(),
            _ => None,
        };
        let found = scenario
            .nodes
            .iter()
            .find_map(|node| Some((node, behind(node)?)));
        let (proxy, name) = found.ok_or_else(|| {
            unusable("has no [[node]] with server = \"nginx-proxy\" that keeps no responses")
        })?;
        let web = scenario.nodes.iter().find(|node| node.name == name);
        let web = web.ok_or_else(|| unusable("has no web node behind the proxy"))?;
        if web.server != ServerSpec::Nginx {
            return Err(unusable("has a web node that does not run nginx"));
        }
        let MemorySize::Bytes(memory_bytes) = web.memory else {
            return Err(unusable(
                "gives the web node's memory as a share; give bytes",
            ));
        };
        let link = |node: &Node| {
            let link = scenario.links.iter().find(|link| link.node == node.name);
            link.map(|link| link.bits_per_s)
        };
        Ok(Self {
            web,
            proxy,
            memory_bytes: memory_bytes / experiment.scale,
            link_bits_per_s: [link(web), link(proxy)],
        })
    }

    fn rates(&self) -> [LinkRate; 2] {
        self.link_bits_per_s
            .map(|bits| bits.map_or(LinkRate::Unlimited, LinkRate::BitsPerS))
    }
}

/// Stores of the scenario that are real file systems, in its order.
pub(super) fn stores(experiment: &Experiment) -> Result<Vec<(&StoreSpec, StoreKind)>, LabError> {
    let stores = experiment.scenario.stores.iter();
    let real: Vec<_> = stores
        .filter_map(|store| Some((store, store.kind?)))
        .collect();
    let throttled = real
        .iter()
        .find(|(store, _)| matches!(store.disk, DiskSpec::Throttled { .. }));
    match throttled {
        Some((store, _)) => Err(LabError::Unusable(format!(
            "store {}: file systems are compared on a plain or a seeking disk, not on a throttled one",
            store.name
        ))),
        None if real.is_empty() => Err(LabError::Unusable(format!(
            "experiment {}: its scenario has no [[store]] with a kind",
            experiment.name
        ))),
        None => Ok(real),
    }
}

/// A disk that the experiment keeps hold of beside the store on it.
#[derive(Clone, Debug)]
struct Shared(Arc<dyn Disk>);

impl Disk for Shared {
    fn device(&self) -> &Path {
        self.0.device()
    }

    fn set_delays(&self, on: bool) -> Result<(), LabError> {
        self.0.set_delays(on)
    }

    fn counters(&self) -> Result<DiskCounters, LabError> {
        self.0.counters()
    }

    fn statistics(&self) -> Result<Option<Statistics>, LabError> {
        self.0.statistics()
    }
}

/// One file system, up and with all files written.
pub(super) struct Bench<'b> {
    // In the order in which they have to go.
    web: Option<Running>,
    proxy: Option<Running>,
    store: Box<dyn Store>,
    disks: Vec<Shared>,
    group: Arc<ControlGroup>,
    proxy_group: ControlGroup,
    namespaces: [Namespace; 2],
    _network: Network,
    files: usize,
    reader: &'b [OsString],
    pub lab: Arc<Run>,
}

/// What one bench is made for.
#[derive(Clone, Copy)]
pub(super) struct Site<'s> {
    pub nodes: Nodes<'s>,
    pub plan: &'s FileSystems,
    pub store: &'s StoreSpec,
    pub kind: StoreKind,
    pub surroundings: &'s Surroundings,
    pub reader: &'s [OsString],
}

impl<'b> Bench<'b> {
    /// Brings up nodes and file system, in a lab of its own.
    pub fn create(site: Site<'b>) -> Result<Self, LabError> {
        let lab = Run::open(&site.surroundings.places)?;
        let network = Network::create(&lab)?;
        let [web, proxy] = site.nodes.rates();
        let namespaces = [
            network.namespace("web", web)?,
            network.namespace("proxy", proxy)?,
        ];
        let limits = Limits {
            memory_bytes: Some(site.nodes.memory_bytes),
            cpus: processors(site.nodes.web),
        };
        let group = Arc::new(ControlGroup::create(&lab, "web", &limits)?);
        let limits = Limits {
            memory_bytes: None,
            cpus: processors(site.nodes.proxy),
        };
        let proxy_group = ControlGroup::create(&lab, "proxy", &limits)?;
        let mut disks = Vec::new();
        let client = FileClient {
            node: "web".to_owned(),
            namespace: namespaces[0].clone(),
            group: Some(Arc::clone(&group)),
        };
        let store = store(&lab, site, &network, client, &mut disks)?;
        Ok(Self {
            web: None,
            proxy: None,
            store,
            disks,
            group,
            proxy_group,
            namespaces,
            _network: network,
            files: site.plan.files,
            reader: site.reader,
            lab,
        })
    }

    /// Writes all files with the disks' delays off, and drops what was cached of them. Whether there was something
    /// to drop.
    pub fn fill(&self, plan: &FileSystems) -> Result<bool, LabError> {
        self.set_delays(false)?;
        self.read(
            "write",
            &Job::Write(vec![
                self.set(PHASES[0], &plan.bare_bytes),
                self.set(PHASES[1], &plan.served_bytes),
                self.set(PHASES[2], &plan.served_bytes),
            ]),
        )?;
        self.store.drop_and_prove()?;
        // The proof has read every inode.
        self.store.drop_caches()?;
        self.set_delays(true)?;
        Ok(!self.disks.is_empty())
    }

    fn set_delays(&self, on: bool) -> Result<(), LabError> {
        self.disks.iter().try_for_each(|disk| disk.set_delays(on))
    }

    /// Reads the bare files from inside the web node: times of each of `sizes`.
    pub fn times(
        &self,
        sizes: &[u64],
        rounds: usize,
        name: &str,
    ) -> Result<Vec<AccessTimes>, LabError> {
        let result = self.lab.directory().join(format!("{name}.json"));
        let job = Job::Read {
            set: self.set(PHASES[0], sizes),
            rounds,
            result: result.clone(),
        };
        self.read(name, &job)?;
        file::read_json(&result)?.ok_or_else(|| {
            LabError::Unusable(format!("{}: the reader left no times", result.display()))
        })
    }

    /// The files of a phase.
    fn set(&self, phase: &str, sizes: &[u64]) -> FileSet {
        FileSet {
            folder: self.folder().join(phase),
            sizes: sizes.to_vec(),
            files: self.files,
        }
    }

    fn read(&self, name: &str, job: &Job) -> Result<(), LabError> {
        let (program, arguments) = self
            .reader
            .split_first()
            .ok_or_else(|| LabError::Unusable("no program that reads files".to_owned()))?;
        let process = Launch::new(format!("read-{name}"), program)
            .arguments(arguments)
            .arguments([job.argument()?])
            .in_network(self.namespaces[0].name())
            .in_group(&self.group)
            .start(&self.lab)?;
        process.wait(READING_PATIENCE)?;
        Ok(process.stop(Duration::ZERO)?)
    }

    fn folder(&self) -> PathBuf {
        self.store.path().join("files")
    }

    /// Starts web server and proxy. The proxy's address.
    pub fn serve(&mut self) -> Result<std::net::SocketAddr, LabError> {
        let place = |index: usize, group| Place {
            namespace: &self.namespaces[index],
            group,
            port: server::PORT,
        };
        let host = VirtualHost {
            name: "files".to_owned(),
            root: self.folder(),
            hot_root: None,
        };
        let web = Nginx {
            hosts: vec![host],
            workers: WORKERS,
        };
        let web = server::start(&self.lab, "web", &web, place(0, &self.group))?;
        let proxy = Proxy {
            upstream: vec![web.address],
            cache_bytes: None,
            workers: WORKERS,
        };
        let proxy = server::start(&self.lab, "proxy", &proxy, place(1, &self.proxy_group))?;
        let address = proxy.address;
        self.web = Some(web);
        self.proxy = Some(proxy);
        Ok(address)
    }

    /// Processor time of both servers, microseconds.
    pub fn servers_cpu_us(&self) -> Result<u64, LabError> {
        let running = [&self.web, &self.proxy].into_iter().flatten();
        let cpu_us: Result<u64, MachineError> = running.map(|server| server.process.cpu_us()).sum();
        Ok(cpu_us?)
    }
}

fn processors(node: &Node) -> Option<CpuSet> {
    node.cpus.map(|cpus| CpuSet((0..cpus as usize).collect()))
}

/// Room for the files on one disk.
fn disk_bytes(plan: &FileSystems, store: &StoreSpec) -> u64 {
    let sizes = plan
        .bare_bytes
        .iter()
        .chain(&plan.served_bytes)
        .chain(&plan.served_bytes);
    let files: u64 = sizes
        .map(|bytes| bytes.next_multiple_of(4096) * plan.files as u64)
        .sum();
    store
        .size_bytes
        .unwrap_or(0)
        .max(files + files / 8 + OVERHEAD_BYTES)
}

fn disk(
    lab: &Arc<Run>,
    site: Site,
    name: &str,
    disks: &mut Vec<Shared>,
) -> Result<Box<dyn Disk>, LabError> {
    let bytes = disk_bytes(site.plan, site.store);
    let made: Arc<dyn Disk> = match site.store.disk {
        DiskSpec::Seeking { bytes_per_s } => {
            let model = DriveModel {
                bytes_per_s: bytes_per_s as f64,
                ..DriveModel::default()
            };
            let command = &site.surroundings.disk_command;
            Arc::new(Seeking::create(lab, name, bytes, model, command)?)
        }
        _ => Arc::new(Plain::create(lab, name, bytes)?),
    };
    let disk = Shared(made);
    disks.push(disk.clone());
    Ok(Box::new(disk))
}

fn store(
    lab: &Arc<Run>,
    site: Site,
    network: &Network,
    client: FileClient,
    disks: &mut Vec<Shared>,
) -> Result<Box<dyn Store>, LabError> {
    let bytes = disk_bytes(site.plan, site.store);
    let mut local = |kind| {
        let disk = disk(lab, site, "disk", disks)?;
        Ok::<Box<dyn Store>, LabError>(Box::new(Local::create(lab, "store", kind, disk)?))
    };
    match site.kind {
        StoreKind::Ext3 => local(LocalKind::Ext3),
        StoreKind::Ext4 => local(LocalKind::Ext4),
        StoreKind::Xfs => local(LocalKind::Xfs),
        StoreKind::Tmpfs => Ok(Box::new(Memory::create(
            lab,
            "store",
            MemoryKind::Tmpfs,
            bytes,
        )?)),
        StoreKind::Ramfs => Ok(Box::new(Memory::create(
            lab,
            "store",
            MemoryKind::Ramfs,
            bytes,
        )?)),
        StoreKind::GlusterFs => {
            let servers = file_servers(lab, site, network, disks)?;
            Ok(Box::new(GlusterFs::create(
                lab,
                "store",
                servers,
                vec![client],
            )?))
        }
        StoreKind::MooseFs => {
            let servers = file_servers(lab, site, network, disks)?;
            Ok(Box::new(MooseFs::create(
                lab,
                "store",
                servers,
                vec![client],
            )?))
        }
        other => Err(LabError::Unusable(format!(
            "the lab has no file system {}",
            other.name()
        ))),
    }
}

/// Nodes with a disk each, on links like the web node's.
fn file_servers(
    lab: &Arc<Run>,
    site: Site,
    network: &Network,
    disks: &mut Vec<Shared>,
) -> Result<Vec<FileServer>, LabError> {
    let server = |number: usize| {
        let name = format!("files{number}");
        let disk = disk(lab, site, &name, disks)?;
        Ok(FileServer {
            namespace: network.namespace(&name, site.nodes.rates()[0])?,
            group: None,
            disk: Local::create(lab, &name, LocalKind::Xfs, disk)?,
        })
    };
    (0..FILE_SERVERS).map(server).collect()
}

/// # Errors
/// With all that the machine lacks for these stores.
pub(super) fn check(
    nodes: &Nodes,
    plan: &FileSystems,
    stores: &[(&StoreSpec, StoreKind)],
    surroundings: &Surroundings,
) -> Result<(), LabError> {
    let mut needs = hotset_lab::basic_needs();
    let nginx = Nginx {
        hosts: Vec::new(),
        workers: WORKERS,
    };
    needs.push(nginx.need());
    needs.push(Need::Memory {
        bytes: nodes.memory_bytes,
    });
    let cpus = [nodes.web, nodes.proxy]
        .into_iter()
        .filter_map(|node| node.cpus);
    needs.extend(cpus.map(|cpus| Need::Cpu {
        number: cpus as usize - 1,
    }));
    for (store, kind) in stores {
        needs.extend(programs(*kind));
        if matches!(store.disk, DiskSpec::Seeking { .. }) {
            needs.push(Need::Fuse);
        }
    }
    let bytes = stores.iter().map(|(store, kind)| {
        let disks = match kind {
            StoreKind::Tmpfs | StoreKind::Ramfs => 0,
            StoreKind::GlusterFs | StoreKind::MooseFs => FILE_SERVERS as u64,
            _ => 1,
        };
        disk_bytes(plan, store) * disks
    });
    needs.push(Need::DiskSpace {
        path: surroundings.places.work.clone(),
        bytes: bytes.max().unwrap_or(0),
    });
    Ok(Requirements::check(&needs)?)
}

fn programs(kind: StoreKind) -> Vec<Need> {
    let programs: &[(&str, &str)] = match kind {
        StoreKind::Ext3 => &[("mkfs.ext3", "e2fsprogs")],
        StoreKind::Xfs => &[("mkfs.xfs", "xfsprogs")],
        StoreKind::GlusterFs => &[
            ("mkfs.xfs", "xfsprogs"),
            ("glusterd", "glusterfs-server"),
            ("gluster", "glusterfs-cli"),
            ("glusterfs", "glusterfs-client"),
        ],
        StoreKind::MooseFs => &[
            ("mkfs.xfs", "xfsprogs"),
            ("mfsmaster", "moosefs-master"),
            ("mfschunkserver", "moosefs-chunkserver"),
            ("mfsmount", "moosefs-client"),
        ],
        _ => &[],
    };
    let needs = programs
        .iter()
        .map(|(program, package)| Need::program(program, package));
    let mut needs: Vec<Need> = needs.collect();
    if matches!(kind, StoreKind::GlusterFs | StoreKind::MooseFs) {
        needs.push(Need::Fuse);
    }
    needs
}
