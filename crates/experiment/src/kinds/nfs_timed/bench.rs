//! A server of NFS that is up, and clients on nodes that ask it.

use std::cell::Cell;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hotset_lab::server::{Ganesha, MOUNT_PORT, NFS_PORT, Place, Running, start};
use hotset_lab::store::{Memory, Store as _};
use hotset_lab::{Lab, LabError};
use hotset_machine::process::{Launch, Process};
use hotset_machine::{OnFile as _, file};
use hotset_probe::Job;
use hotset_probe::nfs::{NfsClient, NfsOperation, NfsRecords, NfsTimes};

use super::centre::Centre;
use super::figures::{CallFigures, Calls};
use crate::ExperimentError;
use crate::session::Session;

/// How long the server may take until it answers.
const START_PATIENCE: Duration = Duration::from_secs(60);
/// How long a client may take beyond what it is told.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long clients make calls before and after those that are timed, milliseconds: they are not started at the same time.
const AROUND_MS: u64 = 400;

/// What clients ask for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub operation: NfsOperation,
    pub record_bytes: u64,
    pub timed_ms: u64,
}

/// A server of NFS and its clients.
pub(crate) struct Bench {
    // In the order in which they have to go.
    server: Running,
    export: Memory,
    lab: Lab,
    clients: Vec<String>,
    file_bytes: u64,
    reader: Vec<OsString>,
    /// Runs of clients so far.
    runs: Cell<usize>,
}

impl Bench {
    /// Brings up the nodes on links of a rate, in a run of its own, and the server with a file of so many bytes for each client.
    ///
    /// # Errors
    /// What fails on the way; with the end of the server's log.
    pub(super) fn create(
        centre: &Centre,
        (bits_per_s, file_bytes): (u64, u64),
        session: &Session,
    ) -> Result<Self, ExperimentError> {
        let lab = session.build(&centre.scenario(bits_per_s))?;
        let bytes = centre.export_bytes(file_bytes);
        let export = Memory::create(lab.deployment(), "export", centre.export, bytes)?;
        for number in 0..centre.clients.len() {
            let path = export.path().join(file_name(number));
            fs::write(&path, vec![1; file_bytes as usize]).on("write", &path)?;
        }
        session.step("starting the server")?;
        let kind = Ganesha {
            export: export.path().to_owned(),
        };
        let node = lab.node(&centre.server.name)?;
        let place = Place {
            port: NFS_PORT,
            ..node.place()
        };
        let server = start(lab.deployment(), "ganesha", &kind, place)?;
        let path = export.path().display().to_string();
        let ip = server.address.ip();
        let answers = || NfsClient::mount(ip, [NFS_PORT, MOUNT_PORT], &path).is_ok();
        server.process.wait_until(START_PATIENCE, answers)?;
        let names = centre.clients.iter().map(|node| node.name.clone());
        Ok(Self {
            clients: names.collect(),
            file_bytes,
            reader: session.tools.reader_command.clone(),
            runs: Cell::new(0),
            server,
            export,
            lab,
        })
    }

    /// Has so many clients ask at the same time.
    ///
    /// # Errors
    /// A client that fails, with the end of its log.
    pub(super) fn run(&self, clients: u64, asked: Asked) -> Result<Calls, ExperimentError> {
        let run = self.runs.replace(self.runs.get() + 1);
        let used_us = self.server.process.cpu_us()?;
        let names = self.clients.iter().take(clients as usize).enumerate();
        let running = names.map(|(number, node)| self.start((run, number), node, asked));
        let running: Vec<(Process, PathBuf)> = running.collect::<Result<_, ExperimentError>>()?;
        let patience = PATIENCE + Duration::from_millis(asked.timed_ms + 2 * AROUND_MS);
        for (process, _) in &running {
            process.wait(patience)?;
        }
        let used_us = self.server.process.cpu_us()?.saturating_sub(used_us);
        let mut times = Vec::new();
        for (process, path) in &running {
            process.stop(Duration::ZERO)?;
            times.push(taken(path)?);
        }
        Ok(together(&times, used_us))
    }

    /// Starts a client on its node; where it leaves its times.
    fn start(
        &self,
        (run, number): (usize, usize),
        node: &str,
        asked: Asked,
    ) -> Result<(Process, PathBuf), ExperimentError> {
        let (program, arguments) = self
            .reader
            .split_first()
            .ok_or_else(|| LabError::Unusable("no program that asks a server".to_owned()))?;
        let name = format!("nfs-{run}-{number}");
        let deployment = self.lab.deployment();
        let result = deployment.directory().join(format!("{name}.json"));
        let job = Job::Nfs {
            records: NfsRecords {
                server: self.server.address.ip(),
                ports: [NFS_PORT, MOUNT_PORT],
                export: self.export.path().display().to_string(),
                file: file_name(number),
                file_bytes: self.file_bytes,
                record_bytes: asked.record_bytes as u32,
                operation: asked.operation,
                timed_ms: asked.timed_ms,
                around_ms: AROUND_MS,
            },
            result: result.clone(),
        };
        let node = self.lab.node(node)?;
        let process = Launch::new(name, program)
            .arguments(arguments)
            .arguments([job.argument()?])
            .in_network(node.namespace.name())
            .in_group(&node.group)
            .start(deployment)?;
        Ok((process, result))
    }
}

/// A client's file.
fn file_name(number: usize) -> String {
    format!("client-{number}")
}

/// The times that a client has left.
fn taken(path: &Path) -> Result<NfsTimes, ExperimentError> {
    let times = file::read_json(path)?;
    fs::remove_file(path).on("remove", path)?;
    let missing = || LabError::Unusable(format!("{}: the client left no times", path.display()));
    Ok(times.ok_or_else(missing)?)
}

/// Calls of all clients together, for which the server's processors took so long in all.
fn together(times: &[NfsTimes], used_us: u64) -> Calls {
    let calls = times.iter().map(|it| it.calls).sum::<u64>().max(1) as f64;
    let all_calls = times.iter().map(|it| it.all_calls).sum::<u64>().max(1) as f64;
    let mean = |of: fn(&NfsTimes) -> f64| {
        let sum: f64 = times.iter().map(|it| of(it) * it.calls as f64).sum();
        sum / calls
    };
    Calls {
        figures: CallFigures {
            calls_per_s: times.iter().map(|it| it.calls as f64 / it.seconds).sum(),
            mean_us: mean(|it| it.mean_us),
            p99_us: times.iter().map(|it| it.p99_us).fold(0.0, f64::max),
        },
        client_us: mean(|it| it.processor_us),
        server_us: used_us as f64 / all_calls,
    }
}
