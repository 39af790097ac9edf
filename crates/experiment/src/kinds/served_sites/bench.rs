//! The tiers over a store, or over several that files are spread over: up, and with the files of all points.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hotset_lab::server::{Running, VirtualHost};
use hotset_lab::store::Store;
use hotset_lab::{Lab, LabError, NodeStore};
use hotset_machine::process::Launch;
use hotset_machine::{MachineError, OnFile, file};
use hotset_probe::{AccessTimes, FileSet, Job};
use hotset_scenario::Scenario;

use super::cell::Cell;
use super::spread::Spread;
use super::workload::Tree;
use crate::ExperimentError;
use crate::node::RealStore;
use crate::readings::Meters;
use crate::session::Session;
use crate::tiers::Tiers;

/// Host that all sites have: they differ in their folders.
pub(super) const HOST: &str = "files";
/// Folder of all files on a store.
const FILES: &str = "files";
/// Writing the files of a site on one store, or reading the small files.
const PATIENCE: Duration = Duration::from_secs(3600);
/// The files whose opening and closing is timed, and how often each is: as many accesses as give a steady median.
const TIMED_FILES: usize = 50;
const TIMED_BYTES: u64 = 4096;
const TIMED_ROUNDS: usize = 5;

/// One of the ways in which files are laid out, and the nodes over it.
pub(super) struct Place<'p> {
    pub tiers: &'p Tiers,
    pub spread: &'p Spread,
    /// Those of the spread, in its order.
    pub stores: Vec<&'p RealStore>,
    /// Room on each disk, bytes.
    pub disk_bytes: u64,
}

impl Place<'_> {
    /// How many web nodes there are.
    pub fn servers(&self) -> usize {
        let all = self.tiers.webs.len();
        self.spread.servers.map_or(all, |servers| servers.min(all))
    }

    /// Its nodes and its stores.
    pub fn scenario(&self) -> Scenario {
        let stores: Vec<_> = self.stores.iter().map(|store| &store.spec).collect();
        self.tiers
            .scenario(self.servers(), &stores, self.disk_bytes)
    }

    /// Whether its files take the web nodes' memory and stay there.
    pub fn is_in_memory(&self) -> bool {
        self.stores.iter().any(|store| store.is_in_memory())
    }
}

/// The tiers over one place.
pub(crate) struct Bench {
    // In the order in which they have to go.
    servers: Vec<Running>,
    lab: Lab,
    webs: Vec<String>,
    proxy: String,
    /// Names of the stores that files are spread over.
    stores: Vec<String>,
    is_in_memory: bool,
    /// Folders that have been written.
    written: BTreeSet<String>,
    reader: Vec<OsString>,
}

impl Bench {
    /// Brings nodes and stores up, in a run of its own.
    pub(super) fn create(place: &Place, session: &Session) -> Result<Self, ExperimentError> {
        let webs = place.tiers.webs[..place.servers()].iter();
        Ok(Self {
            servers: Vec::new(),
            lab: session.build(&place.scenario())?,
            webs: webs.map(|web| web.name.clone()).collect(),
            proxy: place.tiers.proxy.name.clone(),
            stores: place.spread.stores.clone(),
            is_in_memory: place.is_in_memory(),
            written: BTreeSet::new(),
            reader: session.tools.reader_command.clone(),
        })
    }

    /// Has the files of the cell's sites and no server, with the disks' delays off.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(super) fn fill(&mut self, cell: &Cell, tree: &Tree) -> Result<(), ExperimentError> {
        self.stop()?;
        self.lab.set_delays(false)?;
        let folders: Vec<String> = (0..cell.sites).map(|site| tree.folder(site)).collect();
        if self.is_in_memory {
            self.remove_others(&folders)?;
        }
        for (site, folder) in (0..).zip(folders) {
            if self.written.insert(folder) {
                self.write(site, tree)?;
            }
        }
        Ok(())
    }

    /// What lies in memory leaves none for other files.
    fn remove_others(&mut self, kept: &[String]) -> Result<(), ExperimentError> {
        let others = self.written.iter().filter(|folder| !kept.contains(folder));
        let others: Vec<String> = others.cloned().collect();
        for folder in others {
            for store in self.lab.stores() {
                let path = store.path.join(FILES).join(&folder);
                fs::remove_dir_all(&path).on("remove", &path)?;
            }
            self.written.remove(&folder);
        }
        Ok(())
    }

    fn write(&self, site: u64, tree: &Tree) -> Result<(), ExperimentError> {
        for (number, store) in self.stores.iter().enumerate() {
            for (web, path) in self.copies(store)? {
                for set in tree.sets(site, number, &path.join(FILES)) {
                    self.read(&format!("write-{store}"), &web, &Job::Write(vec![set]))?;
                }
            }
        }
        Ok(())
    }

    /// The web nodes that have files of their own on a store, and where: one for a network store, which all of them mount.
    fn copies(&self, store: &str) -> Result<Vec<(String, PathBuf)>, LabError> {
        let mut copies: Vec<(String, &NodeStore)> = Vec::new();
        for web in &self.webs {
            let own = self.lab.store(store, web)?;
            if !copies
                .iter()
                .any(|(_, other)| Arc::ptr_eq(&other.store, &own.store))
            {
                copies.push((web.clone(), own));
            }
        }
        let place = |(web, store): (String, &NodeStore)| (web, store.path.clone());
        Ok(copies.into_iter().map(place).collect())
    }

    /// Times of opening and closing small files that are cached, on the first web node and store.
    ///
    /// # Errors
    /// When they cannot be written or read.
    pub(super) fn times(&self, name: &str) -> Result<AccessTimes, ExperimentError> {
        let (store, web) = (&self.stores[0], &self.webs[0]);
        let set = FileSet {
            folder: self.lab.store(store, web)?.path.join("timed"),
            sizes: vec![TIMED_BYTES],
            files: TIMED_FILES,
        };
        if !set.folder.exists() {
            self.read("write-timed", web, &Job::Write(vec![set.clone()]))?;
        }
        let result = self
            .lab
            .deployment()
            .directory()
            .join(format!("{name}.json"));
        let job = Job::Read {
            set,
            rounds: TIMED_ROUNDS,
            result: result.clone(),
        };
        self.read("time", web, &job)?;
        let times: Option<Vec<AccessTimes>> = file::read_json(&result)?;
        times.into_iter().flatten().next().ok_or_else(|| {
            ExperimentError::Unusable(format!("{}: the reader left no times", result.display()))
        })
    }

    fn read(&self, name: &str, web: &str, job: &Job) -> Result<(), LabError> {
        let (program, arguments) = self
            .reader
            .split_first()
            .ok_or_else(|| LabError::Unusable("no program that reads files".to_owned()))?;
        let node = self.lab.node(web)?;
        Ok(Launch::new(format!("{web}-{name}"), program)
            .arguments(arguments)
            .arguments([job.argument()?])
            .in_network(node.namespace.name())
            .in_group(&node.group)
            .run(self.lab.deployment(), PATIENCE)?)
    }

    /// Empties all caches of stores and nodes, proves it, and starts the servers. The proxy's address.
    ///
    /// # Errors
    /// When somebody uses a store, pages are left, or a server does not come up.
    pub(super) fn start(&mut self) -> Result<SocketAddr, ExperimentError> {
        for store in self.distinct_stores() {
            store.drop_and_prove()?;
        }
        for web in &self.webs {
            self.lab.node(web)?.group.force_empty()?;
        }
        for web in self.webs.clone() {
            let host = VirtualHost {
                name: HOST.to_owned(),
                root: self.root(&web)?,
                hot_root: None,
                access_log: None,
                header_waits: false,
            };
            self.servers.push(self.lab.serve(&web, vec![host])?);
        }
        let proxy = self.lab.serve(&self.proxy, Vec::new())?;
        let address = proxy.address;
        self.servers.push(proxy);
        Ok(address)
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

    /// The folder that a web server serves: each store's files under the store's number.
    fn root(&self, web: &str) -> Result<PathBuf, ExperimentError> {
        let root = self
            .lab
            .deployment()
            .directory()
            .join(format!("root-{web}"));
        if root.exists() {
            return Ok(root);
        }
        fs::create_dir(&root).on("make", &root)?;
        for (number, store) in self.stores.iter().enumerate() {
            let files: PathBuf = self.lab.store(store, web)?.path.join(FILES);
            link(&files, &root.join(number.to_string()))?;
        }
        Ok(root)
    }

    /// Ends the servers.
    ///
    /// # Errors
    /// When one cannot be killed.
    pub(super) fn stop(&mut self) -> Result<(), ExperimentError> {
        for server in self.servers.drain(..).rev() {
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

    /// What the disks have read since they were made.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub(super) fn read_bytes(&self) -> Result<u64, ExperimentError> {
        let mut disks = self.lab.disks();
        disks.try_fold(0, |sum, disk| Ok(sum + disk.counters()?.read_bytes))
    }

    /// All disks and all nodes' links, by the names that outcomes give them.
    ///
    /// # Errors
    /// There always are the nodes.
    pub(super) fn watched(&self) -> Result<Meters<'_>, ExperimentError> {
        let nodes = self.webs.iter().chain([&self.proxy]);
        let node = |name: &String| Ok((name.clone(), &self.lab.node(name)?.namespace));
        Ok(Meters {
            disks: (1..)
                .zip(self.lab.disks())
                .map(|(number, disk)| (format!("drive {number}"), disk))
                .collect(),
            nodes: nodes.map(node).collect::<Result<_, LabError>>()?,
        })
    }
}

fn link(to: &Path, at: &Path) -> Result<(), MachineError> {
    symlink(to, at).on("make", at)
}
