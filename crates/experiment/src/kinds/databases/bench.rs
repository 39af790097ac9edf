//! A node with a store, and the applications that run there.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hotset_lab::server::{Application, PORT, Place, RunningApplication, start_application};
use hotset_lab::{Control, Lab, LabError, NodeStore};
use hotset_machine::process::{Launch, Process};
use hotset_machine::{OnFile as _, memory};
use hotset_probe::table_of;
use hotset_scenario::Scenario;
use hotset_workload::applications::{Database, DatabaseError, Engine};

use super::section::Size;
use crate::ExperimentError;
use crate::readings::Meters;
use crate::session::Session;

/// What of a database's folder is copied for servers: what they change, and what they read.
const COPIED: [&str; 3] = ["data", "pages", "conf"];
/// Folder of what servers have while they run.
const RUN: &str = "run";
/// What a database that runs, or was not ended in order, leaves there.
const DATABASE_RUNS: &str = "run/mariadb.pid";
/// Where it writes down which pages its buffer pool has, one a line (`innodb_buffer_pool_filename`).
const DUMP: &str = "data/ib_buffer_pool";
/// Folder of the tables within the server's data.
const TABLES: &str = "data/site";
/// Folder of tables in the store in memory.
const IN_MEMORY: &str = "tables";
/// Whoever locks files.
const LOCKER: &str = "vmtouch";
/// Tables of the largest class are read from the disk first.
const LOCK_PATIENCE: Duration = Duration::from_secs(600);

/// An application that is to run.
pub(super) struct Order<'a> {
    pub name: &'a str,
    pub size: Size,
    /// Its buffer pool, bytes, as the options have it.
    pub pool_bytes: u64,
    pub database_options: Vec<String>,
    /// Tables that are locked in the page cache.
    pub pinned: &'a [String],
    /// Tables that are copied to memory.
    pub in_memory: &'a [String],
}

/// A node of an experiment.
pub(crate) struct Bench {
    // In the order in which they have to go.
    pins: Vec<Process>,
    running: Vec<RunningApplication>,
    lab: Lab,
    web: String,
    store: String,
    /// The store in memory, where there is one.
    memory_store: Option<String>,
    engine: Engine,
    seed: u64,
    /// Folders of databases whose data is made, which servers never touch.
    images: BTreeMap<Size, PathBuf>,
    /// Locked, or copied to memory.
    pub pinned_bytes: u64,
}

impl Bench {
    /// Brings node and store up, in a run of its own.
    ///
    /// # Errors
    /// What fails on the way.
    pub fn create(
        scenario: &Scenario,
        store: &str,
        memory_store: Option<&str>,
        engine: Engine,
        session: &Session,
    ) -> Result<Self, ExperimentError> {
        let lab = session.build(scenario)?;
        let web = lab.nodes().first().map(|node| node.name.clone());
        lab.set_delays(false)?;
        Ok(Self {
            pins: Vec::new(),
            running: Vec::new(),
            lab,
            web: web.unwrap_or_default(),
            store: store.to_owned(),
            memory_store: memory_store.map(str::to_owned),
            engine,
            seed: session.header.seed,
            images: BTreeMap::new(),
            pinned_bytes: 0,
        })
    }

    fn store(&self) -> Result<&NodeStore, LabError> {
        self.lab.store(&self.store, &self.web)
    }

    /// The data of an application, made once for all points.
    fn image(&mut self, size: Size, control: &dyn Control) -> Result<PathBuf, ExperimentError> {
        if let Some(folder) = self.images.get(&size) {
            return Ok(folder.clone());
        }
        let number = self.images.len() + 1;
        let name = format!("{}-{number}", size.benchmark.name());
        let folder = self.lab.deployment().work().join(name);
        let application = size.application(self.engine);
        let database = Database {
            application: &*application,
            engine: self.engine,
            seed: self.seed,
            folder: &folder,
            replace: false,
        };
        let written = database.write(&|| !control.interrupted());
        written.map_err(|error| match error {
            DatabaseError::Interrupted => LabError::Interrupted.into(),
            error => ExperimentError::Unusable(error.to_string()),
        })?;
        let prepare = folder.join("prepare.sh");
        self.lab.deployment().tool("sh", &[prepare])?;
        self.images.insert(size, folder.clone());
        Ok(folder)
    }

    /// Has the data of applications on the store as it was made, with the disk's delays off, then empties all caches and proves it. What servers of
    /// an earlier point left as it was is not copied again.
    ///
    /// # Errors
    /// What fails on the way.
    pub(super) fn fill(
        &mut self,
        orders: &[Order<'_>],
        control: &dyn Control,
    ) -> Result<(), ExperimentError> {
        self.stop()?;
        self.lab.set_delays(false)?;
        for order in orders {
            let image = self.image(order.size, control)?;
            let folder = self.store()?.path.join(order.name);
            self.copy(&image, &folder)?;
        }
        self.empty_caches()?;
        for order in orders.iter().filter(|it| !it.in_memory.is_empty()) {
            let folder = self.store()?.path.join(order.name);
            self.copy_to_memory(order.name, &folder, order.in_memory)?;
        }
        Ok(())
    }

    /// Makes a folder as its image is. A file with the size and the time of the image's is the image's: servers change the time of what they write.
    fn copy(&self, image: &Path, folder: &Path) -> Result<(), ExperimentError> {
        fs::create_dir_all(folder).on("make", folder)?;
        let run = folder.join(RUN);
        if run.exists() {
            fs::remove_dir_all(&run).on("remove", &run)?;
        }
        // Times are compared to the nanosecond.
        let options = ["--archive", "--delete", "--modify-window=-1"].map(OsString::from);
        let parts = COPIED.map(|part| image.join(part).into_os_string());
        let mut words: Vec<OsString> = options.into_iter().chain(parts).collect();
        words.push(folder.as_os_str().to_owned());
        self.lab.deployment().tool("rsync", &words)?;
        Ok(())
    }

    /// Empties the page cache of the store's files, and proves it. Nothing may run there.
    fn empty_caches(&self) -> Result<(), ExperimentError> {
        let store = Arc::clone(&self.store()?.store);
        store.drop_and_prove()?;
        self.lab.node(&self.web)?.group.force_empty()?;
        Ok(())
    }

    /// Copies files of tables to memory from inside the node's group, to which they are charged, and puts links in their places.
    fn copy_to_memory(
        &mut self,
        name: &str,
        folder: &Path,
        tables: &[String],
    ) -> Result<(), ExperimentError> {
        let Some(to) = self.memory_folder()? else {
            let message = "[databases] names no `memory_store`".to_owned();
            return Err(ExperimentError::Unusable(message));
        };
        fs::create_dir_all(&to).on("make", &to)?;
        let files = files_of(&folder.join(TABLES), tables)?;
        Launch::new(format!("{name}-copy"), "cp")
            .arguments([OsStr::new("--target-directory"), to.as_os_str()])
            .arguments(files.clone())
            .in_group(&self.lab.node(&self.web)?.group)
            .run(self.lab.deployment(), LOCK_PATIENCE)?;
        for file in files {
            let copy = to.join(file.file_name().unwrap_or_default());
            self.pinned_bytes += fs::metadata(&copy).on("read", &copy)?.len();
            fs::remove_file(&file).on("remove", &file)?;
            symlink(&copy, &file).on("make", &file)?;
        }
        Ok(())
    }

    /// Where tables in memory are.
    fn memory_folder(&self) -> Result<Option<PathBuf>, LabError> {
        let Some(store) = &self.memory_store else {
            return Ok(None);
        };
        let store = self.lab.store(store, &self.web)?;
        Ok(Some(store.path.join(IN_MEMORY)))
    }

    /// Starts the applications and locks their pinned tables.
    ///
    /// # Errors
    /// When one does not come up.
    pub(super) fn start(&mut self, orders: &[Order<'_>]) -> Result<(), ExperimentError> {
        for (order, port) in orders.iter().zip(PORT..) {
            let folder = self.store()?.path.join(order.name);
            let application = Application {
                folder: folder.clone(),
                database_options: order.database_options.clone(),
            };
            let node = self.lab.node(&self.web)?;
            let place = Place {
                port,
                ..node.place()
            };
            let deployment = self.lab.deployment();
            let running = start_application(deployment, order.name, &application, place)?;
            self.running.push(running);
            if !order.pinned.is_empty() {
                self.pin(order.name, &folder, order.pinned)?;
            }
        }
        Ok(())
    }

    /// Ends the applications in order, empties all caches and proves it, and starts them as these orders have it, with the disk's delays on; when
    /// that start began.
    ///
    /// # Errors
    /// When one is not ended in order, or does not come up again.
    pub(super) fn restart(&mut self, orders: &[Order<'_>]) -> Result<Instant, ExperimentError> {
        self.stop()?;
        for order in orders {
            let sign = self.store()?.path.join(order.name).join(DATABASE_RUNS);
            if sign.exists() {
                let name = order.name;
                return Err(ExperimentError::Unusable(format!(
                    "{name}: MariaDB was not shut down in time and had to be killed; there is {}",
                    sign.display()
                )));
            }
        }
        self.empty_caches()?;
        self.set_delays(true)?;
        let start = Instant::now();
        self.start(orders)?;
        Ok(start)
    }

    /// How many pages of its buffer pool the database of an application wrote down, the last time that it was told to.
    ///
    /// # Errors
    /// When it wrote none down.
    pub(super) fn dumped_pages(&self, name: &str) -> Result<u64, ExperimentError> {
        let path = self.store()?.path.join(name).join(DUMP);
        let text = fs::read_to_string(&path).on("read", &path)?;
        match text.lines().count() as u64 {
            0 => Err(ExperimentError::Unusable(format!(
                "{}: MariaDB wrote no pages of its buffer pool down",
                path.display()
            ))),
            pages => Ok(pages),
        }
    }

    /// Locks files of tables from inside the node's group, to which they are charged.
    fn pin(&mut self, name: &str, folder: &Path, tables: &[String]) -> Result<(), ExperimentError> {
        let files = files_of(&folder.join(TABLES), tables)?;
        let mut bytes = 0;
        for file in &files {
            bytes += fs::metadata(file).on("read", file)?.len();
        }
        let pin = Launch::new(format!("{name}-pin"), LOCKER)
            .arguments(["-l", "-m", "64g"])
            .arguments(files)
            .in_group(&self.lab.node(&self.web)?.group)
            .start(self.lab.deployment())?;
        pin.wait_until(LOCK_PATIENCE, || {
            memory::locked_bytes(pin.pid()).is_ok_and(|locked| locked >= bytes)
        })?;
        self.pinned_bytes += bytes;
        self.pins.push(pin);
        Ok(())
    }

    /// The applications, the foreground first.
    pub fn running(&self) -> &[RunningApplication] {
        &self.running
    }

    /// Memory of the node's processes, with what is in their buffer pools, and the kernel's for them. Bytes.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub fn process_bytes(&self) -> Result<u64, ExperimentError> {
        let usage = self.lab.node(&self.web)?.group.usage()?;
        Ok(usage.anonymous_bytes + usage.kernel_bytes)
    }

    /// Switches the disk's delays.
    ///
    /// # Errors
    /// When the disk does not answer.
    pub fn set_delays(&self, on: bool) -> Result<(), ExperimentError> {
        Ok(self.lab.set_delays(on)?)
    }

    /// Ends what runs, with the disk's delays off.
    ///
    /// # Errors
    /// When something cannot be killed.
    pub fn stop(&mut self) -> Result<(), ExperimentError> {
        self.lab.set_delays(false)?;
        for pin in self.pins.drain(..) {
            pin.stop(Duration::ZERO)?;
        }
        for application in self.running.drain(..) {
            application.stop()?;
        }
        if let Some(folder) = self.memory_folder()?.filter(|folder| folder.exists()) {
            fs::remove_dir_all(&folder).on("remove", &folder)?;
        }
        self.pinned_bytes = 0;
        Ok(())
    }

    /// The disk and the node's link, by the names that outcomes give them.
    ///
    /// # Errors
    /// There always is the node.
    pub fn watched(&self) -> Result<Meters<'_>, ExperimentError> {
        Ok(Meters::of(&self.lab, self.store()?, &[self.web.as_str()])?)
    }
}

/// Files of these tables in a folder of a server's data.
fn files_of(folder: &Path, tables: &[String]) -> Result<Vec<PathBuf>, ExperimentError> {
    let entries = fs::read_dir(folder).on("read", folder)?;
    let files = entries.flatten().map(|entry| entry.path());
    let files: Vec<(String, PathBuf)> = files
        .filter_map(|file| Some((table_of(&file)?.table, file)))
        .collect();
    if let Some(missing) = tables
        .iter()
        .find(|table| files.iter().all(|(of, _)| of != *table))
    {
        return Err(ExperimentError::Unusable(format!(
            "[databases] `pinned`: there is no table `{missing}`"
        )));
    }
    let wanted = files.into_iter().filter(|(of, _)| tables.contains(of));
    Ok(wanted.map(|(_, file)| file).collect())
}
