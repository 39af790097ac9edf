//! A file system on its node, a web server over it and a proxy before that.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use hotset_lab::server::{Running, VirtualHost};
use hotset_lab::{Lab, LabError, NodeStore};
use hotset_machine::file;
use hotset_machine::process::Launch;
use hotset_probe::{AccessTimes, FileSet, Job};
use hotset_scenario::Scenario;

use super::section::Section;
use crate::ExperimentError;
use crate::node::RealStore;
use crate::readings::Meters;
use crate::session::Session;
use crate::tiers::Tiers;

/// Folders of the files read bare, asked for by one client, and by several.
pub(super) const FOLDERS: [&str; 3] = ["bare", "response", "throughput"];
/// A file takes whole blocks, and the file system its journal and inodes; a network file system keeps space free.
const OVERHEAD_BYTES: u64 = 640 << 20;
const BLOCK_BYTES: u64 = 4096;
/// Writing all files, or reading them once.
const READING_PATIENCE: Duration = Duration::from_secs(600);

/// A web node, the proxy and this store alone, with room for the files.
pub(super) fn scenario(tiers: &Tiers, section: &Section, store: &RealStore) -> Scenario {
    tiers.scenario(1, &[&store.spec], disk_bytes(section))
}

/// Room for the files on one disk.
fn disk_bytes(section: &Section) -> u64 {
    let sizes = section.bare_bytes.iter();
    let sizes = sizes
        .chain(&section.served_bytes)
        .chain(&section.served_bytes);
    let files: u64 = sizes
        .map(|bytes| bytes.next_multiple_of(BLOCK_BYTES) * section.files)
        .sum();
    files + files / 8 + OVERHEAD_BYTES
}

/// One file system, up and with all files written.
pub(crate) struct Bench {
    // In the order in which they have to go.
    servers: Vec<Running>,
    store: NodeStore,
    lab: Lab,
    web: String,
    proxy: String,
    files: usize,
    reader: Vec<OsString>,
}

impl Bench {
    /// Brings up nodes and file system, in a run of its own.
    pub(super) fn create(
        tiers: &Tiers,
        section: &Section,
        store: &RealStore,
        session: &Session,
    ) -> Result<Self, ExperimentError> {
        let lab = session.build(&scenario(tiers, section, store))?;
        let web = tiers.webs[0].name.clone();
        Ok(Self {
            servers: Vec::new(),
            store: lab.store(&store.spec.name, &web)?.clone(),
            lab,
            web,
            proxy: tiers.proxy.name.clone(),
            files: section.files as usize,
            reader: session.tools.reader_command.clone(),
        })
    }

    /// Writes all files with the disks' delays off, and drops what was cached of them. Whether there was something
    /// to drop.
    pub fn fill(&self, section: &Section) -> Result<bool, LabError> {
        self.lab.set_delays(false)?;
        self.read(
            "write",
            &Job::Write(vec![
                self.set(FOLDERS[0], &section.bare_bytes),
                self.set(FOLDERS[1], &section.served_bytes),
                self.set(FOLDERS[2], &section.served_bytes),
            ]),
        )?;
        self.store.store.drop_and_prove()?;
        self.lab.set_delays(true)?;
        Ok(self.lab.disks().next().is_some())
    }

    /// Reads the bare files from inside the web node: times of each of `sizes`.
    pub fn times(
        &self,
        sizes: &[u64],
        rounds: usize,
        name: &str,
    ) -> Result<Vec<AccessTimes>, LabError> {
        let result = self
            .lab
            .deployment()
            .directory()
            .join(format!("{name}.json"));
        let job = Job::Read {
            set: self.set(FOLDERS[0], sizes),
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
        let node = self.lab.node(&self.web)?;
        Ok(Launch::new(format!("read-{name}"), program)
            .arguments(arguments)
            .arguments([job.argument()?])
            .in_network(node.namespace.name())
            .in_group(&node.group)
            .run(self.lab.deployment(), READING_PATIENCE)?)
    }

    fn folder(&self) -> PathBuf {
        self.store.path.join("files")
    }

    /// Starts web server and proxy. The proxy's address.
    pub fn serve(&mut self) -> Result<SocketAddr, LabError> {
        let host = VirtualHost {
            name: "files".to_owned(),
            root: self.folder(),
            hot_root: None,
            access_log: None,
            header_waits: false,
        };
        let web = self.lab.serve(&self.web, vec![host])?;
        self.servers.push(web);
        let proxy = self.lab.serve(&self.proxy, Vec::new())?;
        let address = proxy.address;
        self.servers.push(proxy);
        Ok(address)
    }

    /// All disks and both nodes' links, by the names that outcomes give them.
    ///
    /// # Errors
    /// There always are both nodes.
    pub fn watched(&self) -> Result<Meters<'_>, LabError> {
        Meters::of(&self.lab, &self.store, &[&self.web, &self.proxy])
    }
}
