//! Two generated sites, planned for, and the plan applied to a running server.
//!
//! Copies in memory are mounted, which takes root or, as here, a user namespace; so a process in one of its own applies the
//! plan.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;
use std::{env, fs, io, thread};

use hotset_demo::{DemoError, Demonstration, Job, measure, workplace};
use hotset_live::StateFolder;
use hotset_machine::command;
use hotset_machine::temporary::TemporaryFolder;
use hotset_scenario::{MemorySize, Placement};
use hotset_workload::access_log::LogStyle;
use rustix::process::{Pid, Signal, kill_process};

use crate::error::{misuse, refuse};
use crate::generate::write_log_file;
use crate::{JobError, Logs, Part, Results, Watch, apply, plan};

/// Memory of the demo's node: a fraction of both sites' files.
pub const MEMORY_MIB: u64 = 96;

/// Becomes root in a user namespace with mounts of its own (unshare(1)).
const APART: [&str; 2] = ["unshare", "-Urm"];
/// How often it is looked whether the process has ended.
const PAUSE: Duration = Duration::from_millis(20);

/// Where a demo is made, and how long it takes.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folder for the log, the plan and the report.
    pub folder: PathBuf,
    /// Requests at most before and after the plan is applied; as many as there is time for where it is not said.
    pub requests: Option<usize>,
}

impl Options {
    /// The demo's log.
    pub fn log(&self) -> PathBuf {
        self.folder.join("access.log")
    }

    /// The plan for it.
    pub fn plan_file(&self) -> PathBuf {
        plan_in(&self.folder)
    }

    /// The report on the plan.
    pub fn page(&self) -> PathBuf {
        self.folder.join("report.html")
    }
}

fn plan_in(folder: &Path) -> PathBuf {
    folder.join("plan.json")
}

/// Writes the log of the two sites, and says what is asked of a plan for it.
///
/// # Errors
/// A folder that is not a demo's, or cannot be written.
pub fn prepare(options: &Options, watch: &dyn Watch) -> Result<plan::Options, JobError> {
    let folder = &options.folder;
    let traffic = hotset_demo::traffic()?;
    if !is_own(folder, &options.log(), &traffic.sites) {
        misuse!(
            "{} exists and is not a demo's: name another folder",
            folder.display()
        );
    }
    fs::create_dir_all(folder)
        .map_err(|error| JobError::at(format!("cannot create {}", folder.display()), error))?;
    let log = options.log();
    let style = LogStyle::VhostCombined;
    write_log_file(&traffic, style, &log, watch)?;
    Ok(plan::Options {
        logs: Logs {
            paths: vec![log],
            ..Logs::default()
        },
        memory: Some(MemorySize::Bytes(MEMORY_MIB << 20)),
        results: Results {
            output: Some(options.plan_file()),
            html: Some(options.page()),
            ..Results::default()
        },
        ..plan::Options::default()
    })
}

/// Whether the demo may write into `folder`: it is new, empty, or has the `log` of an earlier demo, which is of its `sites`.
fn is_own(folder: &Path, log: &Path, sites: &[String]) -> bool {
    match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none() || is_of(log, sites),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// Bytes of a log's first line that are looked at: more than the longest name of a host has (RFC 1035, 2.3.4).
const LOOKED_AT: u64 = 512;

/// Whether the first line of `log` is of one of these sites, as the demo writes it.
fn is_of(log: &Path, sites: &[String]) -> bool {
    let mut start = Vec::new();
    let read = File::open(log).and_then(|file| file.take(LOOKED_AT).read_to_end(&mut start));
    let begins = |site: &String| start.starts_with(format!("{site}:80 ").as_bytes());
    read.is_ok() && sites.iter().any(begins)
}

/// A place where the plan can be applied to a running server.
#[derive(Debug)]
pub struct Stage<'o> {
    options: &'o Options,
    place: TemporaryFolder,
}

/// Finds a place for the sites' files, or says why the plan cannot be applied here.
///
/// # Errors
/// When a folder cannot be made.
pub fn stage(options: &Options) -> Result<Result<Stage<'_>, String>, JobError> {
    let place = match workplace(&candidates(&options.folder)) {
        Err(error @ DemoError::NoFolder(_)) => return Ok(Err(error.to_string())),
        other => other?,
    };
    Ok(match why_not(place.path()) {
        Some(problem) => Err(problem),
        None => Ok(Stage { options, place }),
    })
}

impl Stage<'_> {
    /// Has a process in a user namespace apply the plan: the program and first arguments `inside`, behind which stand the demo's
    /// folder and the place. The code that it ends with; it says by itself what it has to say.
    ///
    /// # Errors
    /// When it cannot be started, or was killed.
    pub fn play(&self, inside: &[OsString], watch: &dyn Watch) -> Result<u8, JobError> {
        let place = self.place.path();
        let status = wait(self.start(inside)?, watch)?;
        // If it was killed, it has taken nothing back.
        hotset_live::release(&Job::state(place)?)?;
        match status.code() {
            Some(code) => Ok(u8::try_from(code).unwrap_or(1)),
            None => refuse!("the process that applies the plan was killed"),
        }
    }

    fn start(&self, inside: &[OsString]) -> Result<Child, JobError> {
        let [unshare, options] = APART;
        let mut command = Command::new(unshare);
        command.arg(options).args(inside);
        command.arg(&self.options.folder).arg(self.place.path());
        // Ctrl-C reaches this process alone, which passes it on: a second signal would end the other before it has released
        // what it holds.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command.spawn();
        child.map_err(|error| JobError::at("cannot start unshare", error))
    }
}

/// Where the sites' files may lie for a moment.
fn candidates(folder: &Path) -> Vec<PathBuf> {
    let home = env::var_os("HOME").map(PathBuf::from);
    let beside = [env::temp_dir(), folder.to_owned()].into_iter();
    beside.chain(home).collect()
}

/// Why copies cannot be mounted, if so.
fn why_not(place: &Path) -> Option<String> {
    let [unshare, options] = APART;
    let place = place.to_str()?;
    let tried = command::run(unshare, &[options, "mount", "-t", "tmpfs", "hotset", place]);
    tried.err().map(|error| error.to_string())
}

/// Waits for a process, and asks it to end when this one is asked to.
fn wait(mut child: Child, watch: &dyn Watch) -> Result<ExitStatus, JobError> {
    let mut is_asked = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if watch.stops() && !is_asked {
            is_asked = true;
            kill_process(Pid::from_child(&child), Signal::TERM).map_err(std::io::Error::from)?;
        }
        thread::sleep(PAUSE);
    }
}

/// Applies the plan in the demo's folder `folder`, with files in `place`; what the process in the namespace does. `guardian` is the
/// command that starts a guardian, behind which the state folder is put.
///
/// # Errors
/// When something is refused, an answer is wrong, or `watch` stops it.
pub fn apply(
    folder: &Path,
    place: &Path,
    most_requests: Option<usize>,
    guardian: &[OsString],
    watch: &dyn Watch,
) -> Result<Demonstration, JobError> {
    let _held = watch.hold_interrupts();
    let plan = plan_in(folder);
    let json = fs::read(&plan).map_err(|error| JobError::at(plan.display(), error))?;
    watch.begin(Part::Uncounted("applying the plan"));
    let state: StateFolder = Job::state(place)?;
    let shown = measure(&Job {
        trace: &hotset_demo::traffic()?,
        plan: &Placement::from_json(&json)?,
        folder: place,
        guardian: &apply::guardian(guardian, state.path()),
        most_requests,
        interrupted: &|| watch.stops(),
    })?;
    watch.end();
    Ok(shown)
}
