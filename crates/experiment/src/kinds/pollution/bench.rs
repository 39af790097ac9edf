//! The node two sites share, and the machine around it.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use hotset_lab::disk::Disk;
use hotset_lab::disk::seeking::Statistics;
use hotset_lab::server::{Place, Running, VirtualHost, WORKERS};
use hotset_lab::store::{Memory, MemoryKind, Store as _};
use hotset_lab::{Control, Lab, LabError, NodeStore};
use hotset_machine::ControlGroup;
use hotset_machine::cgroup::Limits;
use hotset_machine::process::{Launch, Process};
use hotset_machine::{Deployment, MachineError, Need, OnFile, memory};
use hotset_scenario::{
    DiskSpec, Link, MemorySize, Node as NodeSpec, Scenario, ServerProfile, StoreKind, StoreSpec,
};
use hotset_workload::{CLASS_ALPHA, CLASS_SIZE_CORRELATION, Generator as _, file_tree};
use rustix::fs::{Advice, fadvise};

use super::section::Cell;
use super::workload::{self, CellWorkload, SITES};
use crate::ExperimentError;
use crate::node::{self, web_node};
use crate::readings::Meters;
use crate::session::{Session, Tools};

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
pub(super) struct Bench {
    // Dropped before the lab, which takes everything else down.
    hot: Memory,
    /// Copies of files that were held before, outside of the node's memory: reading them from the disk again, in the order of
    /// their value, takes as long as measuring an arm.
    copies: Memory,
    store: NodeStore,
    lab: Lab,
    node: String,
    program: OsString,
}

/// How a server finds files, and where it runs.
#[derive(Clone, Copy, Default)]
pub(super) struct ServerOptions<'a> {
    /// Folder that is looked into first: each site's held files in a folder of its name.
    pub hot: Option<&'a Path>,
    /// Memory group of its own; the node's where there is none.
    pub group: Option<&'a ControlGroup>,
    /// Whether it is the node's second server, with a port of its own.
    pub is_second: bool,
    /// Whether it sees mounts of its own, as `hotset exec` starts it.
    pub apart: bool,
    /// Whether it logs its requests.
    pub is_logged: bool,
}

/// The node, and where anything is compared a second one of the same kind with the same files, for the page cache alone.
pub(crate) struct Benches {
    pub(super) bench: Bench,
    pub(super) beside: Option<Bench>,
}

/// The parts of a scenario that the experiment uses.
pub(super) struct Node {
    spec: NodeSpec,
    store: StoreSpec,
    kind: StoreKind,
    links: Vec<Link>,
    server_profile: Option<ServerProfile>,
    /// All of its memory, bytes.
    pub memory_bytes: u64,
}

impl Node {
    /// The first node of the scenario with its memory divided by `scale`, and its first store on a disk of its own or on
    /// file servers.
    ///
    /// # Errors
    /// What of them the experiment cannot use.
    pub fn of(scenario: &Scenario, scale: u64) -> Result<Self, String> {
        let spec = scenario.nodes.first().ok_or("has no [[node]]")?;
        let (spec, memory_bytes) = web_node(spec, scale)?;
        let mut stores = scenario.stores.iter();
        let found = stores.find_map(|store| Some((store, backing_kind(store.kind?)?)));
        let (store, kind) = found.ok_or("has no [[store]] of kind ext3, ext4, xfs or glusterfs")?;
        Ok(Self {
            store: store.clone(),
            kind,
            links: scenario.links.clone(),
            server_profile: scenario.server_profile.clone(),
            spec,
            memory_bytes,
        })
    }

    /// Its processors; all where the scenario does not say.
    pub fn cpus(&self) -> Option<u64> {
        self.spec.whole_cpus()
    }

    /// What of its memory server and kernel need, where the scenario says; else that is measured.
    pub fn server_memory_bytes(&self) -> Option<u64> {
        self.spec.server_memory_bytes
    }

    /// The node and its store alone, with room for the files.
    fn scenario(&self, files: &Files) -> Scenario {
        let (nodes, bytes) = ([&self.spec], files.disk_bytes());
        node::alone(&nodes, &[&self.store], bytes, &self.links)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// Its processors, of which a fraction is a share of one; nothing where it has all.
    pub fn exact_cpus(&self) -> Option<f64> {
        self.spec.cpus
    }

    /// Whether it can be simulated: how fast the machine's own disk and file servers are is not known.
    pub fn has_model(&self) -> bool {
        self.kind != StoreKind::GlusterFs && !matches!(self.store.disk, DiskSpec::Plain)
    }

    /// Whether what requests cost its server was measured.
    pub fn has_measured_costs(&self) -> bool {
        let profile = self.server_profile.as_ref();
        profile.is_some_and(|profile| profile.costs(&self.spec.server).is_some())
    }

    /// The node and its store as they are simulated, with so many processors, and so much memory for file data.
    pub fn modelled(&self, files: &Files, cpus: f64, usable_bytes: u64) -> Scenario {
        let mut scenario = Scenario {
            server_profile: self.server_profile.clone(),
            ..self.scenario(files)
        };
        for node in &mut scenario.nodes {
            node.cpus = Some(cpus);
            node.memory = MemorySize::Bytes(usable_bytes);
            node.server_memory_bytes = None;
        }
        scenario
    }

    /// File system and disk in words.
    pub fn store(&self) -> String {
        let cache = match self.store.write_cache_bytes {
            0 => String::new(),
            bytes => format!(" with a cache of {bytes} bytes"),
        };
        format!("{:?} on {:?}{cache}", self.kind, self.store.disk)
    }

    /// The server in words.
    pub fn server(&self) -> String {
        format!("{:?}, {WORKERS} workers", self.spec.server)
    }
}

/// The kind if all files can lie there.
fn backing_kind(kind: StoreKind) -> Option<StoreKind> {
    use StoreKind::{Ext3, Ext4, GlusterFs, Xfs};
    matches!(kind, Ext3 | Ext4 | Xfs | GlusterFs).then_some(kind)
}

/// Folder of a site's files on the store.
fn folder(site: usize, class: usize) -> String {
    format!("{}-{class}", SITES[site])
}

/// The files that cells need. A command writes them once, before its first point: those of a class serve every cell that has it.
pub(super) struct Files {
    /// Site and class of each tree.
    trees: BTreeSet<(usize, usize)>,
    bytes: u64,
    alpha: f64,
    size_correlation: f64,
    scale: u64,
    seed: u64,
}

impl Files {
    /// Those of these cells.
    ///
    /// # Errors
    /// Parameters that allow no files.
    pub fn of(
        cells: &[Cell],
        alpha: f64,
        size_correlation: f64,
        scale: u64,
        seed: u64,
    ) -> Result<Self, ExperimentError> {
        let trees: BTreeSet<(usize, usize)> = cells
            .iter()
            .flat_map(|cell| [(0, cell.foreground), (1, cell.background)])
            .collect();
        let bytes = trees.iter().map(|&(_, class)| tree_bytes(class, scale));
        Ok(Self {
            bytes: bytes.sum::<Result<u64, _>>()?,
            trees,
            alpha,
            size_correlation,
            scale,
            seed,
        })
    }

    /// Room for them on a disk.
    fn disk_bytes(&self) -> u64 {
        (self.bytes as f64 * OVERHEAD) as u64 + OVERHEAD_BYTES
    }
}

impl Bench {
    /// Brings up the node and writes the files.
    ///
    /// # Errors
    /// What fails on the way.
    pub fn create(node: &Node, files: &Files, session: &Session) -> Result<Self, ExperimentError> {
        session.begin("the node".to_owned());
        let lab = session.build(&node.scenario(files))?;
        let bench = Self {
            hot: Memory::create(lab.deployment(), "hot", MemoryKind::Ramfs, 0)?,
            copies: Memory::create(lab.deployment(), "copies", MemoryKind::Ramfs, 0)?,
            store: lab.store(&node.store.name, &node.spec.name)?.clone(),
            node: node.spec.name.clone(),
            lab,
            program: session.tools.program.clone(),
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
        let seed = files.seed.wrapping_add(site as u64);
        let generator = workload::site(class, files.alpha, files.size_correlation, files.scale, 0);
        let mut trace = generator.and_then(|generator| generator.generate(seed))?;
        trace.sites = vec![folder(site, class)];
        let written =
            file_tree::write_files(&trace, &self.store.path, seed, &|| !control.interrupted());
        match written {
            Ok(_bytes) => Ok(()),
            Err(file_tree::FileTreeError::Interrupted) => Err(LabError::Interrupted.into()),
            Err(error) => Err(ExperimentError::Unusable(error.to_string())),
        }
    }

    /// What it makes of the machine hangs on this.
    pub fn deployment(&self) -> &Arc<Deployment> {
        self.lab.deployment()
    }

    /// The node's group.
    ///
    /// # Errors
    /// There always is one.
    pub fn group(&self) -> Result<&ControlGroup, LabError> {
        Ok(&self.node()?.group)
    }

    /// Its disk and its link, by the names that outcomes give them.
    ///
    /// # Errors
    /// There always are both.
    pub fn watched(&self) -> Result<Meters<'_>, ExperimentError> {
        Ok(Meters::of(&self.lab, &self.store, &[&self.node])?)
    }

    /// Memory of the node, bytes.
    ///
    /// # Errors
    /// There always is one.
    pub fn memory_bytes(&self) -> Result<u64, LabError> {
        Ok(self.node()?.memory_bytes)
    }

    fn node(&self) -> Result<&hotset_lab::Node, LabError> {
        self.lab.node(&self.node)
    }

    /// The disks under the store: one, or those of its file servers.
    pub fn disks(&self) -> impl Iterator<Item = &dyn Disk> {
        self.lab.disks()
    }

    /// What the disks have read since they were made.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub fn read_bytes(&self) -> Result<u64, ExperimentError> {
        let mut disks = self.disks();
        disks.try_fold(0, |sum, disk| Ok(sum + disk.counters()?.read_bytes))
    }

    /// What the drives have done since they were made; nothing of disks without a head.
    ///
    /// # Errors
    /// When a drive does not answer.
    pub fn drives(&self) -> Result<Option<Statistics>, ExperimentError> {
        let mut sum: Option<Statistics> = None;
        for disk in self.disks() {
            let Some(one) = disk.statistics()? else {
                continue;
            };
            sum = Some(sum.map_or(one, |sum| sum.and(&one)));
        }
        Ok(sum)
    }

    /// Switches the disk's delays.
    ///
    /// # Errors
    /// When the disk does not answer.
    pub fn set_delays(&self, on: bool) -> Result<(), ExperimentError> {
        Ok(self.lab.set_delays(on)?)
    }

    /// Folder of a site's files.
    pub fn root(&self, workload: &CellWorkload, site: usize) -> PathBuf {
        self.store.path.join(folder(site, workload.classes[site]))
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
        let mut dropped = self.store.store.drop_and_prove();
        // A file system that does not come back will not do so later.
        while !matches!(
            dropped,
            Ok(_) | Err(LabError::Machine(MachineError::File { .. }))
        ) && Instant::now() < give_up
        {
            thread::sleep(DROP_PAUSE);
            drop_pages_below(&self.store.path)?;
            dropped = self.store.store.drop_and_prove();
        }
        dropped?;
        self.group()?.force_empty()?;
        Ok(())
    }

    /// A memory group within the node's, without a limit of its own.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn group_within(&self, name: &str) -> Result<ControlGroup, ExperimentError> {
        let name = format!("{}/{name}", self.node);
        Ok(ControlGroup::create(
            self.deployment(),
            &name,
            &Limits::default(),
        )?)
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

    /// Copies a site's objects among `held` into the node's ramfs, from inside `group`, so that they are charged to it.
    ///
    /// # Errors
    /// When copying fails.
    pub fn copy_to_ramfs(
        &self,
        workload: &CellWorkload,
        held: &[u32],
        site: usize,
        group: &ControlGroup,
        name: &str,
    ) -> Result<(), ExperimentError> {
        let own: Vec<u32> = held
            .iter()
            .copied()
            .filter(|&object| workload.site(object) == site)
            .collect();
        let copies = self
            .copies
            .path()
            .join(folder(site, workload.classes[site]));
        let is_new = |object: &u32| !copies.join(relative(workload, *object)).exists();
        let new: Vec<u32> = own.iter().copied().filter(is_new).collect();
        let name = format!("{name}-{site}");
        let list = self.list(workload, &new, &format!("new-{name}"), '\0')?;
        let from_store = Launch::new(format!("copy-new-{name}"), "xargs");
        self.copy(from_store, &list, &self.root(workload, site), &copies)?;
        let list = self.list(workload, &own, &name, '\0')?;
        let into_group = Launch::new(format!("copy-{name}"), "xargs").in_group(group);
        self.copy(into_group, &list, &copies, &self.hot_root(site))
    }

    /// Copies the files of a list from one folder to another.
    fn copy(
        &self,
        launch: Launch,
        list: &Path,
        from: &Path,
        to: &Path,
    ) -> Result<(), ExperimentError> {
        fs::create_dir_all(to).on("make", to)?;
        Ok(launch
            .arguments(["-r", "-0", "-a"])
            .arguments([list.as_os_str()])
            .arguments(["cp", "--parents", "-t"])
            .arguments([to.as_os_str()])
            .directory(from)
            .run(self.deployment(), HOLDING_PATIENCE)?)
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
            .map(|&object| format!("{}{end}", relative(workload, object)))
            .collect();
        let path = self.deployment().directory().join(format!("{name}.list"));
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
        held: &[u32],
        name: &str,
    ) -> Result<Process, ExperimentError> {
        let list = self.list(workload, held, name, '\n')?;
        let bytes: u64 = held.iter().map(|&object| workload.size(object)).sum();
        let process = Launch::new(format!("lock-{name}"), "vmtouch")
            .arguments(["-l", "-m", "64g", "-b"])
            .arguments([list.into_os_string()])
            .directory(self.root(workload, 0))
            .in_group(self.group()?)
            .start(self.deployment())?;
        // The kernel counts locked pages in batches, so that the last ones may not be counted yet.
        let enough = (bytes as f64 * COUNTED_SHARE) as u64;
        let group = self.group()?;
        process.wait_until(HOLDING_PATIENCE, || {
            let locked = memory::locked_bytes(process.pid()).is_ok_and(|locked| locked >= bytes);
            let usage = group.usage();
            locked && usage.is_ok_and(|usage| usage.unevictable_bytes >= enough)
        })?;
        Ok(process)
    }

    /// Drops blocks of directories and inodes that nobody uses from memory.
    ///
    /// # Errors
    /// When a disk cannot be opened.
    pub fn drop_metadata(&self) -> Result<(), ExperimentError> {
        self.disks().try_for_each(|disk| drop_pages(disk.device()))
    }

    /// Starts a server for `sites`.
    ///
    /// # Errors
    /// When it does not come up.
    pub fn serve(
        &self,
        name: &str,
        workload: &CellWorkload,
        sites: &[usize],
        serving: ServerOptions,
    ) -> Result<Running, ExperimentError> {
        let hosts = sites.iter().map(|&site| VirtualHost {
            name: SITES[site].to_owned(),
            root: self.root(workload, site),
            hot_root: serving.hot.map(|hot| hot.join(SITES[site])),
            access_log: serving.is_logged.then(|| self.access_log(name)),
            header_waits: false,
        });
        let node = self.node()?;
        let exec = [self.program.clone(), "exec".into(), "--".into()];
        let place = Place {
            starter: if serving.apart { &exec } else { &[] },
            ..node.place()
        };
        let place = Place {
            group: serving.group.unwrap_or(place.group),
            port: if serving.is_second {
                SECOND_PORT
            } else {
                place.port
            },
            ..place
        };
        Ok(self.lab.serve_at(name, node, hosts.collect(), place)?)
    }

    /// Where a server logs its requests.
    pub fn access_log(&self, server: &str) -> PathBuf {
        self.deployment()
            .directory()
            .join(format!("{server}-access.log"))
    }

    /// The program itself, which holds files as users have it do.
    pub fn program(&self) -> &OsStr {
        &self.program
    }

    /// Folder of the copies in ramfs.
    pub fn hot(&self) -> &Path {
        self.hot.path()
    }
}

/// Path of an object below its site's folder.
pub(super) fn relative(workload: &CellWorkload, object: u32) -> String {
    workload.target(object).trim_start_matches('/').to_owned()
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
fn tree_bytes(class: usize, scale: u64) -> Result<u64, ExperimentError> {
    Ok(workload::site(class, CLASS_ALPHA, CLASS_SIZE_CORRELATION, scale, 0)?.working_set_bytes)
}

/// All that `nodes` of them with these files need.
///
/// # Errors
/// A scenario that the lab cannot build.
pub(super) fn needs(
    node: &Node,
    files: &Files,
    nodes: u64,
    tools: &Tools,
) -> Result<Vec<Need>, LabError> {
    let mut needs = hotset_lab::needs(&node.scenario(files), &tools.directories)?;
    for need in &mut needs {
        match need {
            Need::Memory { bytes } | Need::DiskSpace { bytes, .. } => *bytes *= nodes,
            _ => {}
        }
    }
    needs.extend([
        Need::program("vmtouch", "vmtouch"),
        Need::program("xargs", "findutils"),
    ]);
    Ok(needs)
}
