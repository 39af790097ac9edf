//! Programs of a deployment, each in a group of its own.

use crate::OnFile;
use crate::cgroup::{CpuSet, tree};
use crate::ledger::Entry;
use crate::resource::Removal;
use crate::{ControlGroup, Deployment, MachineError, command};
use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Takes real-time priority where the machine allows it: $1 is the priority, then the program.
const REAL_TIME: &str = r#"p=$1; shift
if chrt -f "$p" true 2>/dev/null; then exec chrt -f "$p" "$@"; fi
exec "$@""#;

/// How to start a program.
#[derive(Debug)]
#[must_use]
pub struct Launch<'a> {
    name: String,
    program: OsString,
    arguments: Vec<OsString>,
    directory: Option<PathBuf>,
    network: Option<String>,
    group: Option<&'a ControlGroup>,
    cpus: Option<CpuSet>,
    real_time: Option<u8>,
}

impl<'a> Launch<'a> {
    /// A program under a name that is unique in the deployment.
    pub fn new(name: impl Into<String>, program: impl Into<OsString>) -> Self {
        Self {
            name: name.into(),
            program: program.into(),
            arguments: Vec::new(),
            directory: None,
            network: None,
            group: None,
            cpus: None,
            real_time: None,
        }
    }

    /// Adds arguments.
    pub fn arguments<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Sets its working directory.
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Runs it in the network namespace of this name.
    pub fn in_network(mut self, namespace: impl Into<String>) -> Self {
        self.network = Some(namespace.into());
        self
    }

    /// Runs it on a group's memory, processors and disk limits. Without, it is charged to no such group.
    pub fn in_group(mut self, group: &'a ControlGroup) -> Self {
        self.group = Some(group);
        self
    }

    /// Runs it on these processors.
    pub fn on_cpus(mut self, cpus: CpuSet) -> Self {
        self.cpus = Some(cpus);
        self
    }

    /// Runs it before all that has no real-time priority (`SCHED_FIFO`), where the machine allows it.
    pub fn real_time(mut self, priority: u8) -> Self {
        self.real_time = Some(priority);
        self
    }

    /// Starts it. What it prints goes to its log.
    ///
    /// # Errors
    /// When its group cannot be made or `sh` cannot be started. That the program itself is missing shows in
    /// [`Process::check`].
    pub fn start(self, deployment: &Arc<Deployment>) -> Result<Process, MachineError> {
        let home = match self.group {
            Some(group) => group.home().join(&self.name),
            None => {
                let tracking = deployment.hierarchies().tracking()?;
                tracking.join(deployment.name(&self.name))
            }
        };
        let entry = deployment.make_group(&home)?;
        let log = deployment.log(&self.name);
        let program = Program {
            line: self.line(&home),
            directory: self.directory,
            group: home,
            log,
        };
        match program.spawn() {
            Ok(child) => Ok(Process {
                deployment: Arc::clone(deployment),
                name: self.name,
                program,
                entry,
                child: Mutex::new(child),
            }),
            Err(error) => {
                deployment.undo(entry)?;
                Err(error)
            }
        }
    }

    /// Runs it to its end, and ends what came of it.
    ///
    /// # Errors
    /// As for [`Launch::start`] and [`Process::wait`].
    pub fn run(self, deployment: &Arc<Deployment>, patience: Duration) -> Result<(), MachineError> {
        let process = self.start(deployment)?;
        process.wait(patience)?;
        process.stop(Duration::ZERO)
    }

    fn line(&self, home: &Path) -> Vec<OsString> {
        let mut groups = self.group.map(ControlGroup::joined).unwrap_or_default();
        groups.push(home.to_owned());
        let mut line = command::joining(&groups);
        if let Some(namespace) = &self.network {
            // `ip netns exec` would do, but it mounts /sys anew, without the control groups.
            line.extend(["nsenter".into()]);
            line.push(format!("--net=/run/netns/{namespace}").into());
        }
        if let Some(cpus) = &self.cpus {
            line.extend(["taskset", "-c"].map(OsString::from));
            line.push(cpus.to_string().into());
        }
        if let Some(priority) = self.real_time {
            line.extend(["sh", "-c", REAL_TIME, "hotset-real-time"].map(OsString::from));
            line.push(priority.to_string().into());
        }
        line.push(self.program.clone());
        line.extend(self.arguments.iter().cloned());
        line
    }
}

/// What a process was started by. Whoever knows it can end the process and start it anew, also where the deployment was left by its owner.
/// The group of its processes, which the ledger names, is there all the while.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    line: Vec<OsString>,
    directory: Option<PathBuf>,
    group: PathBuf,
    log: PathBuf,
}

/// How long killed processes may take to be gone.
const KILL_PATIENCE: Duration = Duration::from_secs(10);

impl Program {
    /// Kills it and all that came of it, as when a machine fails.
    ///
    /// # Errors
    /// When some of it does not go.
    pub fn end(&self) -> Result<(), MachineError> {
        let give_up = Instant::now() + KILL_PATIENCE;
        loop {
            let members = tree::members(&self.group);
            if members.is_empty() {
                return Ok(());
            }
            if Instant::now() > give_up {
                let problem = format!("the processes in {} do not end", self.group.display());
                return Err(MachineError::unusable(problem));
            }
            send(&members, Signal::KILL);
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Starts it anew, unless it still runs.
    ///
    /// # Errors
    /// When `sh` cannot be started. That the deployment is being taken down is no error: it does not come up then.
    pub fn start(&self) -> Result<(), MachineError> {
        if tree::members(&self.group).is_empty() {
            let mut child = self.spawn()?;
            // Whoever ends it knows its group alone.
            thread::spawn(move || child.wait());
        }
        Ok(())
    }

    fn spawn(&self) -> Result<Child, MachineError> {
        let log = &self.log;
        let log_file = File::options()
            .append(true)
            .create(true)
            .open(log)
            .on("make", log)?;
        let mut command = Command::new(&self.line[0]);
        command.args(&self.line[1..]).stdin(Stdio::null());
        command.env("PATH", command::search_path());
        command
            .stderr(log_file.try_clone().on("share", log)?)
            .stdout(log_file);
        // Ctrl-C and a closed terminal are for the program that started it, which ends it in order or leaves it.
        command.process_group(0);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command.spawn().map_err(|source| MachineError::Start {
            program: "sh".to_owned(),
            source,
        })
    }
}

fn send(processes: &[u32], signal: Signal) {
    for &pid in processes {
        if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
            // It may have ended because another did.
            let _sent = kill_process(pid, signal);
        }
    }
}

/// A running program and all that it has started. Dropping it kills them.
#[derive(Debug)]
pub struct Process {
    deployment: Arc<Deployment>,
    name: String,
    program: Program,
    entry: Entry,
    child: Mutex<Child>,
}

impl Process {
    /// Its name in the deployment.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The process that was started; it may have started others.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child().id()
    }

    /// All processes that came of it and still run.
    #[must_use]
    pub fn members(&self) -> Vec<u32> {
        tree::members(&self.program.group)
    }

    /// Where it prints to.
    #[must_use]
    pub fn log(&self) -> &Path {
        &self.program.log
    }

    /// What it was started by.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Processor time of it and all that came of it, ended ones included, in microseconds.
    ///
    /// # Errors
    /// When the kernel's file cannot be read.
    pub fn cpu_us(&self) -> Result<u64, MachineError> {
        tree::cpu_us(&self.program.group)
    }

    /// # Errors
    /// When it has ended; with the end of its log.
    pub fn check(&self) -> Result<(), MachineError> {
        match self.child().try_wait() {
            // A daemon's first process ends when the daemon is up.
            Ok(Some(status)) if !status.success() || self.members().is_empty() => {
                Err(self.failed(&format!("ended ({status})")))
            }
            _ => Ok(()),
        }
    }

    /// Waits until `ready` says so.
    ///
    /// # Errors
    /// When it ends before that, or does not become ready in time.
    pub fn wait_until(
        &self,
        patience: Duration,
        mut ready: impl FnMut() -> bool,
    ) -> Result<(), MachineError> {
        let give_up = Instant::now() + patience;
        while !ready() {
            self.check()?;
            if Instant::now() > give_up {
                return Err(self.failed(&format!("was not ready after {} s", patience.as_secs())));
            }
            thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// When it fails, or takes longer than `patience`.
    pub fn wait(&self, patience: Duration) -> Result<(), MachineError> {
        let give_up = Instant::now() + patience;
        loop {
            let waited = self
                .child()
                .try_wait()
                .on("wait for", &self.program.group)?;
            match waited {
                Some(status) if status.success() => return Ok(()),
                Some(status) => return Err(self.failed(&format!("failed ({status})"))),
                None if Instant::now() > give_up => {
                    return Err(
                        self.failed(&format!("did not end within {} s", patience.as_secs()))
                    );
                }
                None => thread::sleep(Duration::from_millis(2)),
            }
        }
    }

    /// Asks it and all that came of it to end, and kills what is left after `patience`.
    ///
    /// # Errors
    /// When it cannot be killed.
    pub fn stop(&self, patience: Duration) -> Result<(), MachineError> {
        send(&self.members(), Signal::TERM);
        let give_up = Instant::now() + patience;
        while !self.members().is_empty() && Instant::now() < give_up {
            thread::sleep(Duration::from_millis(2));
        }
        self.kill()
    }

    fn kill(&self) -> Result<(), MachineError> {
        if self.deployment.undo(self.entry)? == Removal::Absent {
            // It is gone already, or was left to run.
            let _status = self.child().try_wait();
        } else {
            // It is dead; this only takes its exit status.
            let _status = self.child().wait();
        }
        Ok(())
    }

    fn failed(&self, what: &str) -> MachineError {
        let log = fs::read_to_string(self.log()).unwrap_or_default();
        MachineError::Process {
            name: self.name.clone(),
            what: what.to_owned(),
            log: self.log().to_owned(),
            tail: command::tail(&log, 12),
        }
    }

    fn child(&self) -> std::sync::MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _killed = self.kill();
    }
}
