//! A web node with its stores, up and with all files written.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hotset_lab::server::{Place, Running, VirtualHost};
use hotset_lab::store::Store;
use hotset_lab::{Control, Lab, LabError};
use hotset_machine::OnFile as _;
use hotset_scenario::Scenario;
use hotset_trace::Trace;
use hotset_workload::file_tree::{Content, FileTreeError};

use super::requests;
use super::section::NodeStores;
use crate::ExperimentError;
use crate::readings::Meters;
use crate::session::Session;

/// Folders of a store: the sites' files, the server's program and its libraries, the logs.
const CONTENT: &str = "content";
const SYSTEM: &str = "system";
const LOGS: &str = "logs";
/// The server.
const PROGRAM: &str = "nginx";

/// Starts the server's program from a store: $1 is the loader there, $2 its folder, $3 the name of the program.
const FROM_STORE: &str = r#"loader=$1; folder=$2; program=$3; shift 3
exec "$loader" --library-path "$folder" "$folder/$program" "$@""#;

/// A node of an experiment.
pub(crate) struct Bench {
    // In the order in which they have to go.
    server: Option<Running>,
    lab: Lab,
    web: String,
    stores: NodeStores,
    /// Traces whose files have been written.
    written: BTreeSet<String>,
    /// How the server is started from its own store.
    starter: Vec<OsString>,
    logs: PathBuf,
}

impl Bench {
    /// Brings node and stores up, in a run of its own.
    ///
    /// # Errors
    /// What fails on the way.
    pub(super) fn create(
        scenario: &Scenario,
        stores: &NodeStores,
        session: &Session,
    ) -> Result<Self, ExperimentError> {
        let lab = session.build(scenario)?;
        let web = lab.nodes().first().map(|node| node.name.clone());
        let web = web.unwrap_or_default();
        lab.set_delays(false)?;
        let system = lab.store(&stores.system, &web)?.path.clone();
        let logs = system.join(LOGS);
        fs::create_dir_all(&logs).on("make", &logs)?;
        Ok(Self {
            server: None,
            starter: install(&lab, &system.join(SYSTEM))?,
            lab,
            web,
            stores: stores.clone(),
            written: BTreeSet::new(),
            logs,
        })
    }

    /// Has the files of a trace and no server, with the disks' delays off.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(super) fn fill(
        &mut self,
        name: &str,
        trace: &Trace,
        control: &dyn Control,
    ) -> Result<(), ExperimentError> {
        self.stop()?;
        self.lab.set_delays(false)?;
        if self.written.insert(name.to_owned()) {
            let folder = self.content(name)?;
            let go_on = || !control.interrupted();
            let tree = requests::files(trace);
            let staged = tree.and_then(|it| it.stage(&folder, Content::Random(0), &go_on));
            let placed = staged.and_then(|it| it.place());
            placed.map_err(|error| match error {
                FileTreeError::Interrupted => LabError::Interrupted.into(),
                error => requests::unusable_files(name, &error),
            })?;
        }
        Ok(())
    }

    fn content(&self, name: &str) -> Result<PathBuf, LabError> {
        let store = self.lab.store(&self.stores.content, &self.web)?;
        Ok(store.path.join(CONTENT).join(name))
    }

    /// Empties the caches of the node and of all file servers, proves it, starts the server from its own store and switches the
    /// delays on.
    ///
    /// # Errors
    /// When somebody uses a store, pages are left, or the server does not come up.
    pub(super) fn start(&mut self, name: &str, trace: &Trace) -> Result<(), ExperimentError> {
        for store in self.distinct_stores() {
            store.drop_and_prove()?;
        }
        let node = self.lab.node(&self.web)?;
        node.group.force_empty()?;
        let content = self.content(name)?;
        let host = |site: &String| VirtualHost {
            name: site.clone(),
            root: content.join(site),
            hot_root: None,
            access_log: Some(self.logs.join("access.log")),
            header_waits: true,
        };
        let hosts = trace.sites.iter().map(host).collect();
        let place = Place {
            starter: &self.starter,
            ..node.place()
        };
        let name = format!("{}-server", self.web);
        self.server = Some(self.lab.serve_at(&name, node, hosts, place)?);
        Ok(self.lab.set_delays(true)?)
    }

    fn distinct_stores(&self) -> Vec<Arc<dyn Store>> {
        let stores = self.lab.stores().iter();
        stores.map(|store| Arc::clone(&store.store)).collect()
    }

    /// The server.
    ///
    /// # Errors
    /// When it has not been started.
    pub(super) fn server(&self) -> Result<&Running, ExperimentError> {
        let none = || ExperimentError::Unusable("the server has not been started".to_owned());
        self.server.as_ref().ok_or_else(none)
    }

    /// Ends the server.
    ///
    /// # Errors
    /// When it cannot be killed.
    pub(super) fn stop(&mut self) -> Result<(), ExperimentError> {
        if let Some(server) = self.server.take() {
            server.stop()?;
        }
        Ok(())
    }

    /// All disks and the node's link, by the names that outcomes give them.
    ///
    /// # Errors
    /// There always is the node.
    pub(super) fn watched(&self) -> Result<Meters<'_>, ExperimentError> {
        let disks = (1..).zip(self.lab.disks());
        Ok(Meters {
            disks: disks
                .map(|(number, disk)| (format!("drive {number}"), disk))
                .collect(),
            nodes: vec![(self.web.clone(), &self.lab.node(&self.web)?.namespace)],
        })
    }
}

/// Copies the server's program and its libraries to a folder of the store that it is to be read from. What starts it from there.
fn install(lab: &Lab, folder: &Path) -> Result<Vec<OsString>, ExperimentError> {
    fs::create_dir_all(folder).on("make", folder)?;
    let program = which(PROGRAM)?;
    let listed = lab
        .deployment()
        .tool("ldd", &[program.clone().into_os_string()])?;
    let libraries = libraries(&listed);
    for file in libraries.iter().chain([&program]) {
        let to = folder.join(file.file_name().unwrap_or_default());
        fs::copy(file, &to).on("write", &to)?;
    }
    let is_loader = |file: &&PathBuf| file.to_string_lossy().contains("/ld-");
    let loader = libraries
        .iter()
        .find(is_loader)
        .and_then(|it| it.file_name());
    let loader = loader.ok_or_else(|| {
        ExperimentError::Unusable(format!("ldd names no loader of {}", program.display()))
    })?;
    let words = ["sh", "-c", FROM_STORE, "sh"].map(OsString::from);
    let paths = [folder.join(loader), folder.to_owned()].map(PathBuf::into_os_string);
    Ok(words.into_iter().chain(paths).collect())
}

/// The files that `ldd` lists: `name => /path (address)`, and the loader by its path alone.
fn libraries(listed: &str) -> Vec<PathBuf> {
    let words = listed.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        words.find(|word| word.starts_with('/'))
    });
    words.map(PathBuf::from).collect()
}

fn which(program: &str) -> Result<PathBuf, ExperimentError> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&paths).map(|folder| folder.join(program));
    let found = places.find(|path| path.is_file());
    found.ok_or_else(|| {
        ExperimentError::Unusable(format!("there is no program `{program}` in PATH"))
    })
}
