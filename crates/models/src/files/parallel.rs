//! A work on a parallel file system: first which deeds its operations are, then the deeds one after the other in time.

use std::collections::BTreeMap;
use std::ops::Range;

use super::error::WorkError;
use super::simulate::{ClientResult, FilesResult, numbers};
use super::work::{OnServer, Operation, Work};
use crate::calendar::{Calendar as _, EventQueue};
use crate::remote::pvfs::{Naming, ParallelStore, PvfsSystem};
use crate::remote::{Access, Opening, RemoteEvent};
use crate::station::Station;

/// Where the last byte of a file may be: what is written ends before it.
const MOST_BYTES: u64 = 64 << 30;
const PAGE_BYTES: u64 = 4096;

/// What a client does, and waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Deed {
    Naming(u32, Naming),
    Access {
        file: u32,
        bytes: Range<u64>,
        writes: bool,
    },
    Sleep(u64),
    Forget,
}

/// A file that a client has open.
#[derive(Clone, Copy, Debug)]
struct Opened {
    file: u32,
    /// Where the last read ended, and the last write.
    read: u64,
    written: u64,
    opening: Opening,
}

/// Files by their paths, and how large each is and was at most.
#[derive(Default)]
struct Names {
    of_path: BTreeMap<String, u32>,
    sizes: Vec<u64>,
    largest: Vec<u64>,
    opened: BTreeMap<(usize, String), Opened>,
}

impl Names {
    fn make(&mut self, path: String, bytes: u64) -> u32 {
        let file = self.sizes.len() as u32;
        self.sizes.push(bytes);
        self.largest.push(bytes);
        self.of_path.insert(path, file);
        file
    }

    fn put(&mut self, files: &OnServer) -> Result<(), String> {
        for number in 0..files.count {
            let path = match files.folder.as_str() {
                "" => number.to_string(),
                folder => format!("{folder}/{number}"),
            };
            if self.of_path.contains_key(&path) {
                return Err(format!("{path} is there already; name another folder"));
            }
            self.make(path, files.bytes);
        }
        Ok(())
    }

    fn opened(&mut self, client: usize, path: &str) -> Result<&mut Opened, String> {
        let opened = self.opened.get_mut(&(client, path.to_owned()));
        opened.ok_or_else(|| format!("`{path}` is not open; open it first"))
    }

    /// The deeds that an operation of a client is.
    fn deeds(&mut self, client: usize, operation: &Operation) -> Result<Vec<Deed>, String> {
        let deeds = match operation {
            Operation::Open(path, opening) => vec![self.open(client, path, *opening)],
            Operation::Read(path, bytes) => {
                let at = self.opened(client, path)?.read;
                let read = self.read(client, path, at..at.saturating_add(*bytes))?;
                if let Some(Deed::Access { bytes, .. }) = &read {
                    self.opened(client, path)?.read = bytes.end;
                }
                read.into_iter().collect()
            }
            Operation::ReadAt {
                path,
                offset,
                bytes,
            } => {
                let bytes = *offset..offset.saturating_add(*bytes);
                self.read(client, path, bytes)?.into_iter().collect()
            }
            Operation::Write(path, bytes) => self.write(client, path, *bytes)?,
            Operation::Fsync(path) => {
                let file = self.opened(client, path)?.file;
                vec![Deed::Naming(file, Naming::Flush)]
            }
            Operation::Close(path) => {
                let file = self.opened(client, path)?.file;
                self.opened.remove(&(client, path.clone()));
                vec![Deed::Naming(file, Naming::Close)]
            }
            Operation::Stat(path) => vec![match self.of_path.get(path) {
                Some(&file) => Deed::Naming(file, Naming::Stat),
                None => Deed::Naming(0, Naming::Attributes),
            }],
            Operation::ReadFolder(_) => vec![Deed::Naming(0, Naming::ReadFolder)],
            Operation::Unlink(path) => match self.of_path.remove(path) {
                Some(file) => vec![Deed::Naming(file, Naming::Unlink)],
                None => vec![Deed::Naming(0, Naming::Attributes)],
            },
            Operation::Rename(from, to) => match self.of_path.remove(from) {
                Some(file) => {
                    self.of_path.insert(to.clone(), file);
                    vec![Deed::Naming(file, Naming::Rename)]
                }
                None => vec![Deed::Naming(0, Naming::Attributes)],
            },
            Operation::Sleep(ns) => vec![Deed::Sleep(*ns)],
            Operation::MountAnew => vec![Deed::Forget],
        };
        Ok(deeds)
    }

    fn open(&mut self, client: usize, path: &str, opening: Opening) -> Deed {
        let creates = opening.access == Access::Create;
        let (file, naming) = match self.of_path.get(path) {
            Some(&file) => {
                if creates {
                    self.sizes[file as usize] = 0;
                }
                (file, Naming::Open)
            }
            None if creates => (self.make(path.to_owned(), 0), Naming::Create),
            // What it asks shows that, and the work goes on.
            None => return Deed::Naming(0, Naming::Attributes),
        };
        let opened = Opened {
            file,
            read: 0,
            written: 0,
            opening,
        };
        self.opened.insert((client, path.to_owned()), opened);
        Deed::Naming(file, naming)
    }

    /// A read, if the file has bytes there.
    fn read(
        &mut self,
        client: usize,
        path: &str,
        bytes: Range<u64>,
    ) -> Result<Option<Deed>, String> {
        let file = self.opened(client, path)?.file;
        let bytes = bytes.start..bytes.end.min(self.sizes[file as usize]);
        Ok((bytes.start < bytes.end).then_some(Deed::Access {
            file,
            bytes,
            writes: false,
        }))
    }

    fn write(&mut self, client: usize, path: &str, bytes: u64) -> Result<Vec<Deed>, String> {
        let Opened {
            file,
            written,
            opening,
            ..
        } = *self.opened(client, path)?;
        let size = self.sizes[file as usize];
        let start = if opening.append { size } else { written };
        let end = start.saturating_add(bytes);
        if end > MOST_BYTES {
            return Err(format!(
                "files of at most {MOST_BYTES} bytes can be followed"
            ));
        }
        self.opened(client, path)?.written = end;
        let place = file as usize;
        self.sizes[place] = size.max(end);
        self.largest[place] = self.largest[place].max(end);
        let access = Deed::Access {
            file,
            bytes: start..end,
            writes: true,
        };
        let sync = Deed::Naming(file, Naming::Flush);
        Ok(match opening.sync {
            true => vec![access, sync],
            false => vec![access],
        })
    }
}

/// A work on a parallel file system, of which `system` says all but how many clients there are; the first has a name that the work does not say.
///
/// Clients share all files, which are in the servers' memory. Folders are followed no further than that they are asked for.
///
/// # Errors
/// As on a mount, and files that servers cannot have.
pub fn simulate_parallel(
    work: &Work,
    system: &PvfsSystem<'_>,
    first: &str,
    goes_on: &dyn Fn() -> bool,
) -> Result<FilesResult, WorkError> {
    let mut files = Names::default();
    for on_server in &work.on_server {
        let put = files.put(on_server);
        put.map_err(|message| WorkError::in_line(&work.path, on_server.line, message))?;
    }
    let on_server = files.sizes.len() as u32;
    let names: Vec<&str> = std::iter::once(first)
        .chain(work.others.iter().map(String::as_str))
        .collect();
    let numbers = numbers(&names);
    let mut deeds: Vec<(u32, Deed)> = Vec::new();
    for step in &work.steps {
        let client = numbers[step.client.map_or(0, |other| other + 1)];
        let of_step = files.deeds(client, &step.operation);
        let of_step = of_step.map_err(|why| WorkError::in_line(&work.path, step.line, why))?;
        deeds.extend(of_step.into_iter().map(|deed| (client as u32, deed)));
    }
    let system = PvfsSystem {
        clients: names.len(),
        ..system.clone()
    };
    let mut running = Running::new(&system, &files.largest, on_server)
        .map_err(|error| WorkError::in_line(&work.path, 1, error.to_string()))?;
    for (done, (client, deed)) in deeds.iter().enumerate() {
        if done % 1024 == 0 && !goes_on() {
            return Err(WorkError::Interrupted);
        }
        running.carry_out(*client, deed);
    }
    let own = names.iter().enumerate();
    let own = own.filter(|(number, _)| numbers[*number] == *number);
    Ok(FilesResult {
        seconds: running.now_ns as f64 / 1e9,
        clients: own
            .map(|(number, name)| running.result(number as u32, name))
            .collect(),
    })
}

/// Deeds in time.
struct Running {
    store: ParallelStore,
    /// The processor of each client.
    processors: Vec<Station>,
    events: EventQueue<RemoteEvent>,
    now_ns: u64,
    /// Pages that each client has read.
    asked_pages: Vec<u64>,
}

impl Running {
    fn new(
        system: &PvfsSystem<'_>,
        sizes: &[u64],
        on_server: u32,
    ) -> Result<Self, crate::storage::StorageError> {
        let mut store = ParallelStore::new(system, (sizes, true), 1, 0)?;
        (0..on_server).for_each(|file| store.fill(file));
        (on_server..sizes.len() as u32).for_each(|file| store.empty(file));
        Ok(Self {
            store,
            processors: vec![Station::new(1); system.clients],
            events: EventQueue::default(),
            now_ns: 0,
            asked_pages: vec![0; system.clients],
        })
    }

    /// A client does something; the time is that of its end then.
    fn carry_out(&mut self, client: u32, deed: &Deed) {
        let user = (client, 0);
        match deed {
            Deed::Sleep(ns) => return self.sleep(*ns),
            Deed::Forget => return self.store.forget(client),
            Deed::Naming(file, naming) => self.store.begin_naming(
                self.now_ns,
                user,
                (*file, *naming),
                &mut self.processors[..],
                &mut self.events,
            ),
            Deed::Access {
                file,
                bytes,
                writes,
            } => {
                if !writes {
                    let pages = bytes.end.div_ceil(PAGE_BYTES) - bytes.start / PAGE_BYTES;
                    self.asked_pages[client as usize] += pages;
                }
                self.store.begin_access(
                    self.now_ns,
                    user,
                    (*file, bytes.clone(), *writes),
                    &mut self.processors[..],
                    &mut self.events,
                );
            }
        }
        let mut has_ended = self.store.take_ended().count() > 0;
        while !has_ended {
            let Some((now_ns, event)) = self.events.pop() else {
                return;
            };
            self.now_ns = now_ns;
            has_ended = self.take_place(event);
        }
    }

    /// Whether what a client waits for ends with an event.
    fn take_place(&mut self, event: RemoteEvent) -> bool {
        let processors = &mut self.processors[..];
        let ended = self
            .store
            .handle(self.now_ns, event, processors, &mut self.events);
        ended.count() > 0
    }

    /// Time passes, and what servers do by themselves takes place.
    fn sleep(&mut self, ns: u64) {
        let until_ns = self.now_ns.saturating_add(ns);
        while let Some((now_ns, event)) = self.events.pop() {
            if now_ns > until_ns {
                self.events.at(now_ns, event);
                break;
            }
            self.now_ns = now_ns;
            self.take_place(event);
        }
        self.now_ns = until_ns;
    }

    fn result(&self, client: u32, name: &str) -> ClientResult {
        let (link_bytes, link_packets) = self.store.seen_by(client);
        ClientResult {
            name: name.to_owned(),
            calls: self.store.calls_of(client).clone(),
            link_bytes,
            link_packets,
            asked_pages: self.asked_pages[client as usize],
            found_pages: 0,
        }
    }
}
