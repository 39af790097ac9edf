//! What a web server takes of its node beside the files of sites: memory of its workers, files of the system, its log. How long its workers stay with
//! connections.

use toml::Spanned;

use crate::bounds::ConnectionRequests;
use crate::names::there_are;
use crate::specs::{ServerKind, Timeout};
use crate::toml_file::{Bytes, FileError, TomlFile};

/// What a web server takes of its node beside the files of sites. Without it, all of that is in the server's memory or takes nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeNeeds {
    /// Index in [`Scenario::stores`](crate::Scenario::stores) of the store with the files of the system: programs and libraries.
    pub system: Option<usize>,
    /// Bytes of these files that requests use over and over.
    pub system_bytes: u64,
    /// Index of the store with the server's log, to which each request adds a line.
    pub logs: Option<usize>,
    /// How its workers stay with connections; nothing where those that are kept take none while nothing is asked for.
    pub keep_alive: Option<KeepAlive>,
    /// Memory of each worker that has a request or a connection, bytes; 0 where it is part of the server's memory.
    pub worker_memory_bytes: u64,
    /// Bytes of swap for the workers' memory; 0 without.
    pub swap_bytes: u64,
}

/// How each worker of a server stays with a connection until that is closed, as processes of Apache do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeepAlive {
    /// How long it waits for the next request before it closes the connection, nanoseconds (`KeepAliveTimeout`).
    pub idle_ns: u64,
    /// Requests of a connection after which it closes that (`MaxKeepAliveRequests`); any number where not given.
    pub requests: Option<u32>,
}

impl NodeNeeds {
    /// The stores of the system's files and of the log.
    pub fn stores(&self) -> impl Iterator<Item = usize> + use<> {
        self.system.into_iter().chain(self.logs)
    }
}

/// Most files of the system: all of them are kept track of.
const MOST_SYSTEM_BYTES: u64 = 64 << 30;

/// What a `[[node]]` says of it.
pub(crate) struct NeedsTable<'t> {
    pub server: ServerKind,
    pub system: Option<&'t Spanned<String>>,
    pub system_files: Option<&'t Spanned<Bytes>>,
    pub logs: Option<&'t Spanned<String>>,
    pub keep_alive: Option<&'t Spanned<Timeout>>,
    pub keep_alive_requests: Option<&'t Spanned<ConnectionRequests>>,
    pub worker_memory: Option<&'t Spanned<Bytes>>,
    pub swap: Option<&'t Spanned<Bytes>>,
}

impl NeedsTable<'_> {
    /// What the node needs, where `stores` are the names of all stores.
    ///
    /// # Errors
    /// A store that is not there, keys of other servers, and keys that need each other.
    pub fn needs(&self, file: &TomlFile, stores: &[&str]) -> Result<NodeNeeds, FileError> {
        self.check_server(file)?;
        self.check_pairs(file)?;
        self.check_sizes(file)?;
        let bytes = |size: Option<&Spanned<Bytes>>| size.map_or(0, |it| it.get_ref().0);
        let place = |key, name: Option<&Spanned<String>>| {
            let place = name.map(|name| place(file, key, name, stores));
            place.transpose()
        };
        Ok(NodeNeeds {
            system: place("system", self.system)?,
            system_bytes: bytes(self.system_files),
            logs: place("logs", self.logs)?,
            keep_alive: self.keep_alive.map(|idle| KeepAlive {
                idle_ns: idle.get_ref().0,
                requests: self.keep_alive_requests.map(|it| it.get_ref().0),
            }),
            worker_memory_bytes: bytes(self.worker_memory),
            swap_bytes: bytes(self.swap),
        })
    }

    /// Refuses keys of other servers than the node's.
    fn check_server(&self, file: &TomlFile) -> Result<(), FileError> {
        let of_sizes = [
            ("system_files", self.system_files),
            ("worker_memory", self.worker_memory),
            ("swap", self.swap),
        ];
        let of_names = [("system", self.system), ("logs", self.logs)];
        let sizes = of_sizes.map(|(key, size)| (key, size.map(Spanned::span)));
        let names = of_names.map(|(key, name)| (key, name.map(Spanned::span)));
        let idle = self.keep_alive.map(Spanned::span);
        let requests = self.keep_alive_requests.map(Spanned::span);
        let of_connections = [("keep_alive", idle), ("keep_alive_requests", requests)];
        let said = sizes.into_iter().chain(names).chain(of_connections);
        let said = said.filter_map(|(key, span)| Some((key, span?)));
        for (key, span) in said {
            let servers = match (key, self.server) {
                (_, ServerKind::Apache) => continue,
                ("system_files" | "system" | "logs", ServerKind::Nginx) => continue,
                ("worker_memory" | "swap" | "keep_alive" | "keep_alive_requests", _) => {
                    "server = \"apache\""
                }
                _ => "server = \"nginx\" and \"apache\"",
            };
            let message = format!("`{key}` in [[node]]: is for {servers} only; take it out");
            return Err(file.error(span, message));
        }
        Ok(())
    }

    /// Refuses more files of the system than can be followed.
    fn check_sizes(&self, file: &TomlFile) -> Result<(), FileError> {
        match self.system_files {
            Some(files) if files.get_ref().0 > MOST_SYSTEM_BYTES => {
                let message = "`system_files` in [[node]]: must be at most 64GiB";
                Err(file.error(files.span(), message))
            }
            _ => Ok(()),
        }
    }

    /// Refuses keys that say nothing without another.
    fn check_pairs(&self, file: &TomlFile) -> Result<(), FileError> {
        let lacking =
            |span, message: &str| Err(file.error(span, format!("{message}, or take this out")));
        match (self.system, self.system_files) {
            (Some(system), None) => {
                return lacking(
                    system.span(),
                    "`system` in [[node]]: say how much of its files requests use, such as system_files = \"8MiB\"",
                );
            }
            (None, Some(files)) => {
                return lacking(
                    files.span(),
                    "`system_files` in [[node]]: name the store that they are on, as `system`",
                );
            }
            _ => {}
        }
        if let (None, Some(requests)) = (self.keep_alive, self.keep_alive_requests) {
            return lacking(
                requests.span(),
                "`keep_alive_requests` in [[node]]: is of workers that stay with connections; give `keep_alive`",
            );
        }
        match (self.swap, self.worker_memory) {
            (Some(swap), None) => lacking(
                swap.span(),
                "`swap` in [[node]]: holds memory of workers; give `worker_memory`",
            ),
            _ => Ok(()),
        }
    }
}

/// The place of a store among all.
fn place(
    file: &TomlFile,
    key: &str,
    name: &Spanned<String>,
    stores: &[&str],
) -> Result<usize, FileError> {
    let called = name.get_ref().as_str();
    let place = stores.iter().position(|store| *store == called);
    place.ok_or_else(|| {
        let known = there_are(called, stores);
        let message =
            format!("`{key}` in [[node]]: there is no [[store]] called `{called}`; {known}");
        file.error(name.span(), message)
    })
}
