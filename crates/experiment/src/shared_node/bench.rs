//! The node two sites share, and the machine around it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use hotset_scenario::{DiskSpec, MemorySize, Scenario, ServerSpec, StoreKind};
use hotset_workload::{Generator as _, file_tree};
use rustix::fs::{Advice, fadvise};

use super::SharedNode;
use super::section::Cell;
use super::workload::{self, CellWorkload, SITES};
use crate::ExperimentError;
use crate::session::{Session, Tools};
use hotset_lab::Control;
use hotset_lab::LabError;
use hotset_lab::disk::{Disk, Plain, Seeking, Throttled};
use hotset_lab::net::{LinkRate, Namespace, Network};
use hotset_lab::server::{self, Nginx, Place, Running, ServerKind, VirtualHost};
use hotset_lab::store::{Local, LocalKind, Memory, MemoryKind, Store};
use hotset_machine::Need;
use hotset_machine::OnFile;
use hotset_machine::cgroup::{ControlGroup, CpuSet, IoLimits, Limits};
use hotset_machine::process::{Launch, Process};
use hotset_machine::{MachineError, Run, memory};
use hotset_models::disk::DriveModel;

/// Worker processes of the node's server.
const WORKERS: usize = 4;
/// Less memory than this is used up by the server's own processes, and the kernel ends them.
const LEAST_MEMORY_BYTES: u64 = 16 << 20;
/// Port of the second server, where a site has its own.
const SECOND_PORT: u16 = 81;
/// What a file system takes beside the files, as a share: inode tables at one inode for 8 KiB, the journal, block maps.
const OVERHEAD: f64 = 1.08;
const OVERHEAD_BYTES: u64 = 256 << 20;
/// Share of locked pages that are counted as such at least.
const COUNTED_SHARE: f64 = 0.9;
/// How long dropping caches is begun again, and the pause between: a try waits for who is about to let go of the store, and
/// what holds it longer is another program that looks at the machine.
const DROP_PATIENCE: Duration = Duration::from_secs(30);
const DROP_PAUSE: Duration = Duration::from_secs(1);
/// Copying or locking all files of an arm.
const HOLDING_PATIENCE: Duration = Duration::from_secs(300);

/// The node of a shared-node experiment, up and with all files written.
pub(crate) struct Bench {
    // Dropped before the lab's last reference, whose drop takes everything else down.
    hot: Memory,
    store: Local,
    group: Arc<ControlGroup>,
    namespace: Namespace,
    _network: Network,
    memory_bytes: u64,
    lab: Arc<Run>,
}

/// The parts of a scenario that the experiment uses.
pub(super) struct Node {
    pub memory_bytes: u64,
    pub cpus: Option<u64>,
    server: ServerSpec,
    kind: LocalKind,
    disk: DiskSpec,
    /// What of the memory server and kernel need, where the scenario says; else that is measured.
    pub server_memory_bytes: Option<u64>,
    size_bytes: Option<u64>,
    rate: LinkRate,
}

impl Node {
    /// The first node of the scenario with its memory divided by `scale`, and its first store that is a local file system.
    ///
    /// # Errors
    /// What of them the experiment cannot use.
    pub fn of(scenario: &Scenario, scale: u64) -> Result<Self, String> {
        let node = scenario.nodes.first().ok_or("has no [[node]]")?;
        let MemorySize::Bytes(memory_bytes) = node.memory else {
            return Err("gives the node's memory as a share; give bytes".to_owned());
        };
        let memory_bytes = memory_bytes / scale;
        if memory_bytes < LEAST_MEMORY_BYTES {
            return Err(format!(
                "gives node `{}` {memory_bytes} bytes of memory after `scale`; a web server needs at least {} MiB",
                node.name,
                LEAST_MEMORY_BYTES >> 20
            ));
        }
        if node.server != ServerSpec::Nginx {
            return Err(format!(
                "gives node `{}` another server than nginx, which this kind of experiment does not run",
                node.name
            ));
        }
        let mut stores = scenario.stores.iter();
        let found = stores.find_map(|store| Some((store, local_kind(store.kind?)?)));
        let (store, kind) = found.ok_or("has no [[store]] of kind ext3, ext4 or xfs")?;
        let link = scenario.links.iter().find(|link| link.node == node.name);
        Ok(Self {
            memory_bytes,
            cpus: node.cpus,
            server_memory_bytes: node.server_memory_bytes,
            server: node.server.clone(),
            kind,
            disk: store.disk,
            size_bytes: store.size_bytes,
            rate: link.map_or(LinkRate::Unlimited, |link| {
                LinkRate::BitsPerS(link.bits_per_s)
            }),
        })
    }

    /// File system and disk in words.
    pub fn store(&self) -> String {
        format!("{:?} on {:?}", self.kind, self.disk)
    }

    /// The server in words.
    pub fn server(&self) -> String {
        format!("{:?}, {WORKERS} workers", self.server)
    }
}

fn local_kind(kind: StoreKind) -> Option<LocalKind> {
    match kind {
        StoreKind::Ext3 => Some(LocalKind::Ext3),
        StoreKind::Ext4 => Some(LocalKind::Ext4),
        StoreKind::Xfs => Some(LocalKind::Xfs),
        _ => None,
    }
}

/// Folder of a site's files on the store.
fn folder(site: usize, class: usize) -> String {
    format!("{}-{class}", SITES[site])
}

/// The files that cells need, written once: those of a class serve every cell that has it.
pub(super) struct Files {
    /// Site and class of each tree.
    trees: BTreeSet<(usize, usize)>,
    bytes: u64,
    alpha: f64,
    scale: u64,
    seed: u64,
}

impl Files {
    /// Those of these cells.
    ///
    /// # Errors
    /// Parameters that allow no files.
    pub fn of(experiment: &SharedNode, cells: &[Cell]) -> Result<Self, ExperimentError> {
        let trees: BTreeSet<(usize, usize)> = cells
            .iter()
            .flat_map(|cell| [(0, cell.foreground), (1, cell.background)])
            .collect();
        let (alpha, scale) = (experiment.section.alpha, experiment.scale);
        let bytes = trees
            .iter()
            .map(|&(_, class)| tree_bytes(class, alpha, scale));
        Ok(Self {
            bytes: bytes.sum::<Result<u64, _>>()?,
            trees,
            alpha,
            scale,
            seed: experiment.seed,
        })
    }

    /// Room for them on a disk.
    fn disk_bytes(&self, node: &Node) -> u64 {
        let needed = (self.bytes as f64 * OVERHEAD) as u64 + OVERHEAD_BYTES;
        node.size_bytes.unwrap_or(0).max(needed)
    }
}

impl Bench {
    /// Brings up the node and writes the files.
    ///
    /// # Errors
    /// What fails on the way.
    pub fn create(node: &Node, files: &Files, session: &Session) -> Result<Self, ExperimentError> {
        session.begin("the node".to_owned());
        session.step("building it")?;
        let lab = session.open_run()?;
        let network = Network::create(&lab)?;
        let namespace = network.namespace("web", node.rate)?;
        let limits = Limits {
            memory_bytes: Some(node.memory_bytes),
            cpus: node.cpus.map(|cpus| CpuSet((0..cpus as usize).collect())),
        };
        let group = Arc::new(ControlGroup::create(&lab, "web", &limits)?);
        let disk = disk(&lab, node, files.disk_bytes(node), &group, session.tools)?;
        let bench = Self {
            hot: Memory::create(&lab, "hot", MemoryKind::Ramfs, 0)?,
            store: Local::create(&lab, "store", node.kind, disk)
                .map_err(|error| session.explain(error.into()))?,
            group,
            namespace,
            _network: network,
            memory_bytes: node.memory_bytes,
            lab,
        };
        bench.set_delays(false)?;
        for &(site, class) in &files.trees {
            session.step(&format!("writing the files of {}", folder(site, class)))?;
            bench
                .write_tree(files, site, class, session.control)
                .map_err(|error| session.explain(error))?;
        }
        bench.set_delays(true)?;
        Ok(bench)
    }

    fn write_tree(
        &self,
        files: &Files,
        site: usize,
        class: usize,
        control: &dyn Control,
    ) -> Result<(), ExperimentError> {
        let unusable = |error: &dyn std::fmt::Display| ExperimentError::Unusable(error.to_string());
        let seed = files.seed.wrapping_add(site as u64);
        let generator = workload::site(class, files.alpha, files.scale, 0);
        let mut trace = generator
            .and_then(|generator| generator.generate(seed))
            .map_err(|error| unusable(&error))?;
        trace.sites = vec![folder(site, class)];
        let written =
            file_tree::write_files(&trace, self.store.path(), seed, &|| !control.interrupted());
        match written {
            Ok(_bytes) => Ok(()),
            Err(file_tree::FileTreeError::Interrupted) => Err(LabError::Interrupted.into()),
            Err(error) => Err(unusable(&error)),
        }
    }

    /// The run.
    pub fn lab(&self) -> &Arc<Run> {
        &self.lab
    }

    /// The node's group.
    pub fn group(&self) -> &ControlGroup {
        &self.group
    }

    /// The node's network.
    pub fn namespace(&self) -> &Namespace {
        &self.namespace
    }

    /// Memory of the node, bytes.
    pub fn memory_bytes(&self) -> u64 {
        self.memory_bytes
    }

    /// The disk under the store.
    ///
    /// # Errors
    /// There always is one.
    pub fn disk(&self) -> Result<&dyn Disk, ExperimentError> {
        self.store
            .disk()
            .ok_or_else(|| ExperimentError::Unusable("the store has no disk".to_owned()))
    }

    /// Switches the disk's delays.
    ///
    /// # Errors
    /// When the disk does not answer.
    pub fn set_delays(&self, on: bool) -> Result<(), ExperimentError> {
        Ok(self.disk()?.set_delays(on)?)
    }

    /// Folder of a site's files.
    pub fn root(&self, classes: [usize; 2], site: usize) -> PathBuf {
        self.store.path().join(folder(site, classes[site]))
    }

    fn hot_root(&self, site: usize) -> PathBuf {
        self.hot.path().join(SITES[site])
    }

    /// Empties the node's caches, proves it, and lets go of the inodes that the proof has read.
    ///
    /// # Errors
    /// When somebody uses the store, or pages are left.
    pub fn empty_caches(&self) -> Result<(), ExperimentError> {
        // Another process' mount namespace keeps a copy of the mount, and with it the caches, until it ends. Its pages
        // can be dropped nevertheless, file by file; its inodes cannot.
        let give_up = Instant::now() + DROP_PATIENCE;
        let mut dropped = self.store.drop_and_prove();
        // A file system that does not come back will not do so later.
        while !matches!(
            dropped,
            Ok(_) | Err(LabError::Machine(MachineError::File { .. }))
        ) && Instant::now() < give_up
        {
            thread::sleep(DROP_PAUSE);
            drop_pages_below(self.store.path())?;
            dropped = self.store.drop_and_prove();
        }
        dropped?;
        self.store.drop_caches()?;
        self.group.force_empty()?;
        Ok(())
    }

    /// Removes what is held in ramfs.
    ///
    /// # Errors
    /// When a file cannot be removed.
    pub fn release(&self) -> Result<(), ExperimentError> {
        for site in 0..SITES.len() {
            let folder = self.hot_root(site);
            if folder.exists() {
                fs::remove_dir_all(&folder).on("remove", &folder)?;
            }
        }
        Ok(())
    }

    /// Copies objects into the node's ramfs, from inside its group, so that they are charged to it.
    ///
    /// # Errors
    /// When copying fails.
    pub fn copy_to_ramfs(
        &self,
        workload: &CellWorkload,
        classes: [usize; 2],
        held: &[u32],
        name: &str,
    ) -> Result<(), ExperimentError> {
        for site in 0..SITES.len() {
            let own: Vec<u32> = held
                .iter()
                .copied()
                .filter(|&object| workload.site(object) == site)
                .collect();
            let folder = self.hot_root(site);
            fs::create_dir_all(&folder).on("make", &folder)?;
            let list = self.list(workload, &own, &format!("{name}-{site}"), '\0')?;
            let copy = Launch::new(format!("copy-{name}-{site}"), "xargs")
                .arguments(["-r", "-0", "-a"])
                .arguments([list.into_os_string()])
                .arguments(["cp", "--parents", "-t"])
                .arguments([folder.into_os_string()])
                .directory(self.root(classes, site))
                .in_group(&self.group)
                .start(&self.lab)?;
            copy.wait(HOLDING_PATIENCE)?;
            copy.stop(Duration::ZERO)?;
        }
        Ok(())
    }

    /// Writes the objects' paths below their site's folder, each ended by `end`.
    fn list(
        &self,
        workload: &CellWorkload,
        objects: &[u32],
        name: &str,
        end: char,
    ) -> Result<PathBuf, ExperimentError> {
        let text: String = objects
            .iter()
            .map(|&object| format!("{}{end}", workload.target(object).trim_start_matches('/')))
            .collect();
        let path = self.lab.directory().join(format!("{name}.list"));
        fs::write(&path, text).on("write", &path)?;
        Ok(path)
    }

    /// Locks objects of the foreground into the page cache, from inside the node's group; ends when it is stopped.
    ///
    /// # Errors
    /// When `vmtouch` fails.
    pub fn lock(
        &self,
        workload: &CellWorkload,
        classes: [usize; 2],
        held: &[u32],
        name: &str,
    ) -> Result<Process, ExperimentError> {
        let list = self.list(workload, held, name, '\n')?;
        let bytes: u64 = held.iter().map(|&object| workload.size(object)).sum();
        let process = Launch::new(format!("lock-{name}"), "vmtouch")
            .arguments(["-l", "-m", "64g", "-b"])
            .arguments([list.into_os_string()])
            .directory(self.root(classes, 0))
            .in_group(&self.group)
            .start(&self.lab)?;
        // The kernel counts locked pages in batches, so that the last ones may not be counted yet.
        let enough = (bytes as f64 * COUNTED_SHARE) as u64;
        process.wait_until(HOLDING_PATIENCE, || {
            let locked = memory::locked_bytes(process.pid()).is_ok_and(|locked| locked >= bytes);
            let usage = self.group.usage();
            locked && usage.is_ok_and(|usage| usage.unevictable_bytes >= enough)
        })?;
        Ok(process)
    }

    /// Starts a server for `sites`, which looks into ramfs first where `hot` says so.
    ///
    /// # Errors
    /// When it does not come up.
    pub fn serve(
        &self,
        name: &str,
        classes: [usize; 2],
        sites: &[usize],
        hot: bool,
        own: Option<&ControlGroup>,
    ) -> Result<Running, ExperimentError> {
        let hosts = sites.iter().map(|&site| VirtualHost {
            name: SITES[site].to_owned(),
            root: self.root(classes, site),
            hot_root: hot.then(|| self.hot_root(site)),
        });
        let kind = Nginx {
            hosts: hosts.collect(),
            workers: WORKERS,
        };
        let place = Place {
            namespace: &self.namespace,
            group: own.unwrap_or(&self.group),
            port: if own.is_some() {
                SECOND_PORT
            } else {
                server::PORT
            },
        };
        Ok(server::start(&self.lab, name, &kind, place)?)
    }
}

/// Drops the pages of all files below a folder.
fn drop_pages_below(folder: &Path) -> Result<(), ExperimentError> {
    for entry in fs::read_dir(folder).on("read", folder)? {
        let path = entry.on("read", folder)?.path();
        if path.is_dir() {
            drop_pages_below(&path)?;
        } else {
            drop_pages(&path)?;
        }
    }
    Ok(())
}

/// Drops the pages of a file, or of a block device: those of the directories and inodes on it.
pub(super) fn drop_pages(path: &Path) -> Result<(), ExperimentError> {
    let file = File::open(path).on("read", path)?;
    fadvise(&file, 0, None, Advice::DontNeed).on("drop the pages of", path)?;
    Ok(())
}

/// Bytes of a class' files.
fn tree_bytes(class: usize, alpha: f64, scale: u64) -> Result<u64, ExperimentError> {
    let generator = workload::site(class, alpha, scale, 0);
    let zipf = generator.map_err(|error| ExperimentError::Unusable(error.to_string()))?;
    Ok(zipf.working_set_bytes)
}

/// All that `nodes` of them with these files need.
pub(super) fn needs(node: &Node, files: &Files, nodes: u64, tools: &Tools) -> Vec<Need> {
    let mut needs = hotset_lab::basic_needs();
    let nginx = Nginx {
        hosts: Vec::new(),
        workers: WORKERS,
    };
    needs.push(nginx.need());
    needs.push(Need::program("vmtouch", "vmtouch"));
    needs.push(Need::program("xargs", "findutils"));
    needs.push(Need::Memory {
        bytes: node.memory_bytes * nodes,
    });
    if let Some(cpus) = node.cpus {
        needs.push(Need::Cpu {
            number: cpus as usize - 1,
        });
    }
    needs.push(Need::DiskSpace {
        path: tools.directories.work.clone(),
        bytes: files.disk_bytes(node) * nodes,
    });
    if matches!(node.disk, DiskSpec::Seeking { .. }) {
        needs.push(Need::Fuse);
    }
    needs
}

fn disk(
    lab: &Arc<Run>,
    node: &Node,
    size_bytes: u64,
    group: &Arc<ControlGroup>,
    tools: &Tools,
) -> Result<Box<dyn Disk>, ExperimentError> {
    let name = "disk";
    Ok(match node.disk {
        DiskSpec::Plain => Box::new(Plain::create(lab, name, size_bytes)?),
        DiskSpec::Throttled {
            bytes_per_s,
            reads_per_s,
        } => {
            let limits = IoLimits {
                read_bytes_per_s: bytes_per_s,
                reads_per_s,
            };
            let groups = [Arc::clone(group)];
            Box::new(Throttled::create(lab, name, size_bytes, limits, &groups)?)
        }
        DiskSpec::Seeking { bytes_per_s } => {
            let model = DriveModel {
                bytes_per_s: bytes_per_s as f64,
                ..DriveModel::default()
            };
            let command = &tools.drive_command;
            Box::new(Seeking::create(lab, name, size_bytes, model, command)?)
        }
    })
}
