//! A work on a mount, operation by operation.

use std::collections::BTreeMap;

use hotset_scenario::Profile;

use super::error::WorkError;
use super::work::{OnServer, Operation, Step, Work};
use crate::remote::nfs::{Client, FileId, Mount, ROOT, Server};
use crate::remote::{BothWays, Line};

/// Where the last byte of a file may be: what is written ends before it. Version 2 has less.
const MOST_BYTES: u64 = 64 << 30;

/// What a work runs on.
pub struct Mounted<'m> {
    /// How clients mount it.
    pub mount: Mount,
    /// Name of the first client.
    pub client: &'m str,
    /// What lies between a client of that name and the server.
    pub line: &'m dyn Fn(&str) -> Line,
    /// Costs of the store that the server has its files on.
    pub profile: &'m Profile,
    /// The server answers before what is to be on its disk is there (`async`, `man 5 exports`).
    pub is_async: bool,
}

/// What a work came to.
#[derive(Clone, Debug, PartialEq)]
pub struct FilesResult {
    /// How long it took, with its sleeps.
    pub seconds: f64,
    /// The first client, then the others.
    pub clients: Vec<ClientResult>,
}

/// What a client did.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientResult {
    /// Its name.
    pub name: String,
    /// Calls, by the name that `nfsstat -c` has for each.
    pub calls: BTreeMap<&'static str, u64>,
    /// Bytes on its link, with headers of IP and TCP.
    pub link_bytes: BothWays,
    /// Packets on its link.
    pub link_packets: BothWays,
    /// Pages that it read, 4 KiB each.
    pub asked_pages: u64,
    /// Those of them that were in its memory, or on their way to it.
    pub found_pages: u64,
}

impl ClientResult {
    /// The share of its pages that were in its memory; nothing where it read none.
    #[must_use]
    pub fn hit_ratio(&self) -> Option<f64> {
        (self.asked_pages > 0).then(|| self.found_pages as f64 / self.asked_pages as f64)
    }
}

/// Simulates a work; `goes_on` is asked now and then whether anybody still wants to know.
///
/// # Errors
/// Operations on files that are not there or not open, with their line, and whoever no longer wants to know.
pub fn simulate(
    work: &Work,
    mounted: &Mounted<'_>,
    goes_on: &dyn Fn() -> bool,
) -> Result<FilesResult, WorkError> {
    let mut server = Server::new(mounted.profile).asynchronous(mounted.is_async);
    for files in &work.on_server {
        let put =
            check_size(mounted.mount, files.bytes).and_then(|()| put_on_server(&mut server, files));
        put.map_err(|message| WorkError::in_line(&work.path, files.line, message))?;
    }
    let first = std::iter::once(mounted.client);
    let names: Vec<&str> = first
        .chain(work.others.iter().map(String::as_str))
        .collect();
    let numbers = numbers(&names);
    let mut clients: Vec<Client> = Vec::new();
    for (number, name) in names.iter().enumerate() {
        let line = (mounted.line)(name);
        clients.push(Client::new(number, mounted.mount, line, &server, 0));
    }
    let mut now_ns = 0;
    for (done, step) in work.steps.iter().enumerate() {
        if done % 1024 == 0 && !goes_on() {
            return Err(WorkError::Interrupted);
        }
        let number = numbers[step.client.map_or(0, |other| other + 1)];
        let client = &mut clients[number];
        client.sleep_until(&mut server, now_ns);
        client.follow_recalls(&mut server);
        let stepped = do_step(client, &mut server, step);
        stepped.map_err(|message| WorkError::in_line(&work.path, step.line, message))?;
        now_ns = client.now_ns();
    }
    for client in &mut clients {
        client.sleep_until(&mut server, now_ns);
        client.follow_recalls(&mut server);
        client.end();
    }
    let results = names.iter().zip(&clients).enumerate();
    let own = results.filter(|(number, _)| numbers[*number] == *number);
    Ok(FilesResult {
        seconds: now_ns as f64 / 1e9,
        clients: own
            .map(|(_, (name, client))| result(name, client))
            .collect(),
    })
}

/// For each name the number of the first client that has it: the first client's own name may stand in the work.
pub(super) fn numbers(names: &[&str]) -> Vec<usize> {
    let first = |name: &&str| names.iter().position(|other| other == name);
    names.iter().map(|name| first(name).unwrap_or(0)).collect()
}

fn result(name: &str, client: &Client) -> ClientResult {
    let (asked_pages, found_pages) = client.pages();
    ClientResult {
        name: name.to_owned(),
        calls: client.calls().clone(),
        link_bytes: client.link_bytes(),
        link_packets: client.link_packets(),
        asked_pages,
        found_pages,
    }
}

fn put_on_server(server: &mut Server<'_>, files: &OnServer) -> Result<(), String> {
    let mut folder: FileId = ROOT;
    for name in files.folder.split('/').filter(|name| !name.is_empty()) {
        folder = match server.find(folder, name) {
            Some(id) if server.is_folder(id) => id,
            Some(_) => return Err(format!("`{name}` is a file already; name another folder")),
            None => server.make(folder, name, true, 0),
        };
    }
    for number in 0..files.count {
        let name = number.to_string();
        if server.find(folder, &name).is_some() {
            return Err(format!(
                "{}/{name} is there already; name another folder",
                files.folder
            ));
        }
        server.make(folder, &name, false, files.bytes);
    }
    Ok(())
}

/// Refuses a file of so many bytes where the mount has none as large.
fn check_size(mount: Mount, bytes: u64) -> Result<(), String> {
    match mount.most_file_bytes() {
        Some(most_bytes) if bytes > most_bytes => Err(format!(
            "nfs2 has files of at most {most_bytes} bytes; write less, or take a store of kind nfs3 or nfs4"
        )),
        _ if bytes > MOST_BYTES => Err(format!(
            "files of at most {MOST_BYTES} bytes can be followed"
        )),
        _ => Ok(()),
    }
}

fn do_step(client: &mut Client, server: &mut Server<'_>, step: &Step) -> Result<(), String> {
    match &step.operation {
        Operation::Open(path, opening) => client.open(server, path, *opening).map(|_is_there| ()),
        Operation::Read(path, bytes) => client.read(server, path, *bytes),
        Operation::ReadAt {
            path,
            offset,
            bytes,
        } => client.read_at(server, path, *offset, *bytes),
        Operation::Write(path, bytes) => {
            check_size(
                client.mount(),
                client.written_to(path).saturating_add(*bytes),
            )?;
            client.write(server, path, *bytes)
        }
        Operation::Fsync(path) => client.fsync(server, path),
        Operation::Close(path) => client.close(server, path),
        Operation::Stat(path) => {
            client.stat(server, path);
            Ok(())
        }
        Operation::ReadFolder(path) => {
            client.read_folder(server, path);
            Ok(())
        }
        Operation::Unlink(path) => {
            client.unlink(server, path);
            Ok(())
        }
        Operation::Rename(from, to) => {
            client.rename(server, from, to);
            Ok(())
        }
        Operation::Sleep(ns) => {
            let until_ns = client.now_ns().saturating_add(*ns);
            client.sleep_until(server, until_ns);
            Ok(())
        }
        Operation::MountAnew => client.mount_anew(server),
    }
}
