//! A file system on its node, a web server over it and a proxy before that.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hotset_scenario::{DiskSpec, MemorySize, Node, Scenario, ServerSpec, StoreKind, StoreSpec};

use hotset_lab::LabError;
use hotset_lab::disk::seeking::Statistics;
use hotset_lab::disk::{Disk, DiskCounters, Plain, Seeking};
use hotset_lab::net::{LinkRate, Namespace, Network};
use hotset_lab::server::{self, Nginx, Place, Proxy, Running, ServerKind, VirtualHost};
use hotset_lab::store::{
    FileClient, FileServer, GlusterFs, Local, LocalKind, Memory, MemoryKind, MooseFs, Store,
};
use hotset_machine::Need;
use hotset_machine::cgroup::{ControlGroup, CpuSet, Limits};
use hotset_machine::process::Launch;
use hotset_machine::{MachineError, Run, file};
use hotset_models::disk::DriveModel;
use hotset_probe::{AccessTimes, FileSet, Job};

use super::{PHASES, Section};
use crate::ExperimentError;
use crate::session::{Session, Tools};

/// Worker processes of each server.
const WORKERS: usize = 4;
/// Servers under a network file system, as many as the documents' I/O nodes.
const FILE_SERVERS: usize = 3;
/// A file takes whole blocks, and the file system its journal and inodes; a network file system keeps space free.
const OVERHEAD_BYTES: u64 = 640 << 20;
/// Writing all files, or reading them once.
const READING_PATIENCE: Duration = Duration::from_secs(600);

/// The parts of a scenario that the experiment uses.
pub(super) struct Nodes {
    pub web: Node,
    pub proxy: Node,
    pub memory_bytes: u64,
    pub link_bits_per_s: [Option<u64>; 2],
}

/// A store that is a real file system.
pub(super) struct RealStore {
    pub spec: StoreSpec,
    pub kind: StoreKind,
}

impl Nodes {
    /// The first proxy of the scenario that keeps nothing and the web node behind it, whose memory is divided by `scale`.
    ///
    /// # Errors
    /// What of them the experiment cannot use.
    pub fn of(scenario: &Scenario, scale: u64) -> Result<Self, String> {
        let behind = |node: &Node| match &node.server {
            ServerSpec::NginxProxy {
                cache: false,
                upstream,
            } => upstream.first().cloned(),
            _ => None,
        };
        let mut nodes = scenario.nodes.iter();
        let found = nodes.find_map(|node| Some((node, behind(node)?)));
        let (proxy, name) =
            found.ok_or("has no [[node]] with server = \"nginx-proxy\" that keeps no responses")?;
        let web = scenario.nodes.iter().find(|node| node.name == name);
        let web = web.ok_or("has no web node behind the proxy")?;
        if web.server != ServerSpec::Nginx {
            return Err("has a web node that does not run nginx".to_owned());
        }
        let MemorySize::Bytes(memory_bytes) = web.memory else {
            return Err("gives the web node's memory as a share; give bytes".to_owned());
        };
        let link = |node: &Node| {
            let link = scenario.links.iter().find(|link| link.node == node.name);
            link.map(|link| link.bits_per_s)
        };
        Ok(Self {
            link_bits_per_s: [link(web), link(proxy)],
            web: web.clone(),
            proxy: proxy.clone(),
            memory_bytes: memory_bytes / scale,
        })
    }

    fn rates(&self) -> [LinkRate; 2] {
        self.link_bits_per_s
            .map(|bits| bits.map_or(LinkRate::Unlimited, LinkRate::BitsPerS))
    }
}

/// Stores of the scenario that are real file systems, in its order.
///
/// # Errors
/// What of them the experiment cannot use.
pub(super) fn stores(scenario: &Scenario) -> Result<Vec<RealStore>, String> {
    let stores = scenario.stores.iter().filter_map(|store| {
        Some(RealStore {
            kind: store.kind?,
            spec: store.clone(),
        })
    });
    let stores: Vec<RealStore> = stores.collect();
    let throttled = |store: &&RealStore| matches!(store.spec.disk, DiskSpec::Throttled { .. });
    match stores.iter().find(throttled) {
        Some(store) => Err(format!(
            "has store {} on a throttled disk; file systems are compared on a plain or a seeking disk",
            store.spec.name
        )),
        None if stores.is_empty() => Err("has no [[store]] with a kind".to_owned()),
        None => Ok(stores),
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
pub(crate) struct Bench {
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
    reader: Vec<OsString>,
    lab: Arc<Run>,
}

/// What a file system is made from.
#[derive(Clone, Copy)]
struct Site<'s> {
    nodes: &'s Nodes,
    section: &'s Section,
    store: &'s RealStore,
    tools: &'s Tools,
}

impl Bench {
    /// Brings up nodes and file system, in a lab of its own.
    pub(super) fn create(
        nodes: &Nodes,
        section: &Section,
        store: &RealStore,
        session: &Session,
    ) -> Result<Self, ExperimentError> {
        let site = Site {
            nodes,
            section,
            store,
            tools: session.tools,
        };
        let lab = session.open_run()?;
        let network = Network::create(&lab)?;
        let [web, proxy] = site.nodes.rates();
        let namespaces = [
            network.namespace("web", web)?,
            network.namespace("proxy", proxy)?,
        ];
        let limits = Limits {
            memory_bytes: Some(site.nodes.memory_bytes),
            cpus: processors(&site.nodes.web),
        };
        let group = Arc::new(ControlGroup::create(&lab, "web", &limits)?);
        let limits = Limits {
            memory_bytes: None,
            cpus: processors(&site.nodes.proxy),
        };
        let proxy_group = ControlGroup::create(&lab, "proxy", &limits)?;
        let mut disks = Vec::new();
        let client = FileClient {
            node: "web".to_owned(),
            namespace: namespaces[0].clone(),
            group: Some(Arc::clone(&group)),
        };
        let store = make_store(&lab, site, &network, client, &mut disks)
            .map_err(|error| session.explain(error.into()))?;
        Ok(Self {
            web: None,
            proxy: None,
            store,
            disks,
            group,
            proxy_group,
            namespaces,
            _network: network,
            files: section.files as usize,
            reader: session.tools.reader_command.clone(),
            lab,
        })
    }

    /// Writes all files with the disks' delays off, and drops what was cached of them. Whether there was something
    /// to drop.
    pub fn fill(&self, section: &Section) -> Result<bool, LabError> {
        self.set_delays(false)?;
        self.read(
            "write",
            &Job::Write(vec![
                self.set(PHASES[0], &section.bare_bytes),
                self.set(PHASES[1], &section.served_bytes),
                self.set(PHASES[2], &section.served_bytes),
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
fn disk_bytes(section: &Section, store: &RealStore) -> u64 {
    let sizes = section.bare_bytes.iter();
    let sizes = sizes
        .chain(&section.served_bytes)
        .chain(&section.served_bytes);
    let files: u64 = sizes
        .map(|bytes| bytes.next_multiple_of(4096) * section.files)
        .sum();
    let size_bytes = store.spec.size_bytes;
    size_bytes
        .unwrap_or(0)
        .max(files + files / 8 + OVERHEAD_BYTES)
}

fn disk(
    lab: &Arc<Run>,
    site: Site,
    name: &str,
    disks: &mut Vec<Shared>,
) -> Result<Box<dyn Disk>, LabError> {
    let bytes = disk_bytes(site.section, site.store);
    let made: Arc<dyn Disk> = match site.store.spec.disk {
        DiskSpec::Seeking { bytes_per_s } => {
            let model = DriveModel {
                bytes_per_s: bytes_per_s as f64,
                ..DriveModel::default()
            };
            let command = &site.tools.drive_command;
            Arc::new(Seeking::create(lab, name, bytes, model, command)?)
        }
        _ => Arc::new(Plain::create(lab, name, bytes)?),
    };
    let disk = Shared(made);
    disks.push(disk.clone());
    Ok(Box::new(disk))
}

fn make_store(
    lab: &Arc<Run>,
    site: Site,
    network: &Network,
    client: FileClient,
    disks: &mut Vec<Shared>,
) -> Result<Box<dyn Store>, LabError> {
    let bytes = disk_bytes(site.section, site.store);
    let mut local = |kind| {
        let disk = disk(lab, site, "disk", disks)?;
        Ok::<Box<dyn Store>, LabError>(Box::new(Local::create(lab, "store", kind, disk)?))
    };
    match site.store.kind {
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

/// All that these stores need, one after the other.
pub(super) fn needs(
    nodes: &Nodes,
    section: &Section,
    stores: &[&RealStore],
    tools: &Tools,
) -> Vec<Need> {
    let mut needs = hotset_lab::basic_needs();
    let nginx = Nginx {
        hosts: Vec::new(),
        workers: WORKERS,
    };
    needs.push(nginx.need());
    needs.push(Need::Memory {
        bytes: nodes.memory_bytes,
    });
    let cpus = [&nodes.web, &nodes.proxy].into_iter();
    needs.extend(cpus.filter_map(|node| node.cpus).map(|cpus| Need::Cpu {
        number: cpus as usize - 1,
    }));
    for store in stores {
        needs.extend(programs(store.kind));
        if matches!(store.spec.disk, DiskSpec::Seeking { .. }) {
            needs.push(Need::Fuse);
        }
        let disks = match store.kind {
            StoreKind::Tmpfs | StoreKind::Ramfs => 0,
            StoreKind::GlusterFs | StoreKind::MooseFs => FILE_SERVERS as u64,
            _ => 1,
        };
        needs.push(Need::DiskSpace {
            path: tools.directories.work.clone(),
            bytes: disk_bytes(section, store) * disks,
        });
    }
    needs
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
