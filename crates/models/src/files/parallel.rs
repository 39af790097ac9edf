//! A work on a file system of several servers: first which deeds its operations are, then the deeds one after the other in time.

use std::collections::BTreeMap;
use std::ops::Range;

use super::error::WorkError;
use super::simulate::{ClientResult, FilesResult, numbers};
use super::work::{OnServer, Operation, Work};
use crate::calendar::{Calendar as _, EventQueue};
use crate::remote::cluster::{ClusterStore, ClusterSystem, Wanted};
use crate::remote::pvfs::{Naming, ParallelStore, PvfsSystem};
use crate::remote::{Access, BothWays, Opening, RemoteEvent};
use crate::station::Station;
use crate::storage::StorageError;

/// Where the last byte of a file may be: what is written ends before it.
const MOST_BYTES: u64 = 64 << 30;
const PAGE_BYTES: u64 = 4096;

/// What a client does, and waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Deed {
    Naming(u32, Naming),
    Access(Wanted),
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
                if let Some(Deed::Access(Wanted { bytes, .. })) = &read {
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
        let Opened { file, opening, .. } = *self.opened(client, path)?;
        let bytes = bytes.start..bytes.end.min(self.sizes[file as usize]);
        Ok((bytes.start < bytes.end).then_some(Deed::Access(Wanted {
            file,
            bytes,
            writes: false,
            is_direct: opening.direct,
        })))
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
        let access = Deed::Access(Wanted {
            file,
            bytes: start..end,
            writes: true,
            is_direct: opening.direct,
        });
        let sync = Deed::Naming(file, Naming::Flush);
        Ok(match opening.sync {
            true => vec![access, sync],
            false => vec![access],
        })
    }
}

/// A file system of several servers that carries deeds out.
trait Served {
    /// A client does something, and is told by a number when it is over.
    fn begin(
        &mut self,
        now_ns: u64,
        user: (u32, u32),
        deed: &Deed,
        processors: &mut [Station],
        events: &mut EventQueue<RemoteEvent>,
    );
    /// Something takes place. Whether what a client waits for has ended.
    fn take_place(
        &mut self,
        now_ns: u64,
        event: RemoteEvent,
        processors: &mut [Station],
        events: &mut EventQueue<RemoteEvent>,
    ) -> bool;
    /// Whether it had ended already when it began.
    fn has_ended(&mut self) -> bool;
    /// A file is in the servers' memory, or new.
    fn fill(&mut self, file: u32);
    fn empty(&mut self, file: u32);
    /// Calls of a client by name, bytes and packets on its link, and pages that it had in memory when it read them.
    fn calls_of(&self, client: u32) -> BTreeMap<&'static str, u64>;
    fn seen_by(&self, client: u32) -> (BothWays, BothWays);
    fn found_pages(&self, client: u32) -> u64;
}

impl Served for ParallelStore {
    fn begin(
        &mut self,
        now_ns: u64,
        user: (u32, u32),
        deed: &Deed,
        processors: &mut [Station],
        events: &mut EventQueue<RemoteEvent>,
    ) {
        match deed {
            Deed::Sleep(_) => {}
            Deed::Forget => self.forget(user.0),
            Deed::Naming(file, naming) => {
                self.begin_naming(now_ns, user, (*file, *naming), processors, events);
            }
            Deed::Access(it) => {
                let wanted = (it.file, it.bytes.clone(), it.writes);
                self.begin_access(now_ns, user, wanted, processors, events);
            }
        }
    }

    fn take_place(
        &mut self,
        now_ns: u64,
        event: RemoteEvent,
        processors: &mut [Station],
        events: &mut EventQueue<RemoteEvent>,
    ) -> bool {
        self.handle(now_ns, event, processors, events).count() > 0
    }

    fn has_ended(&mut self) -> bool {
        self.take_ended().count() > 0
    }

    fn fill(&mut self, file: u32) {
        self.fill(file);
    }

    fn empty(&mut self, file: u32) {
        self.empty(file);
    }

    fn calls_of(&self, client: u32) -> BTreeMap<&'static str, u64> {
        self.calls_of(client).clone()
    }

    fn seen_by(&self, client: u32) -> (BothWays, BothWays) {
        self.seen_by(client)
    }

    /// It caches nothing.
    fn found_pages(&self, _client: u32) -> u64 {
        0
    }
}

impl Served for ClusterStore {
    fn begin(
        &mut self,
        now_ns: u64,
        user: (u32, u32),
        deed: &Deed,
        processors: &mut [Station],
        events: &mut EventQueue<RemoteEvent>,
    ) {
        match deed {
            Deed::Sleep(_) => {}
            Deed::Forget => self.forget(user.0),
            Deed::Naming(file, naming) => {
                self.begin_naming(now_ns, user, (*file, *naming), processors, events);
            }
            Deed::Access(wanted) => {
                self.begin_access(now_ns, user, wanted.clone(), processors, events);
            }
        }
    }

    fn take_place(
        &mut self,
        now_ns: u64,
        event: RemoteEvent,
        processors: &mut [Station],
        events: &mut EventQueue<RemoteEvent>,
    ) -> bool {
        self.handle(now_ns, event, processors, events).count() > 0
    }

    fn has_ended(&mut self) -> bool {
        self.take_ended().count() > 0
    }

    fn fill(&mut self, file: u32) {
        self.fill(file);
    }

    fn empty(&mut self, file: u32) {
        self.empty(file);
    }

    fn calls_of(&self, client: u32) -> BTreeMap<&'static str, u64> {
        self.calls_of(client).clone()
    }

    fn seen_by(&self, client: u32) -> (BothWays, BothWays) {
        self.seen_by(client)
    }

    fn found_pages(&self, client: u32) -> u64 {
        self.found_pages(client)
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
    simulate_served(work, first, goes_on, &|clients, sizes| {
        let system = PvfsSystem {
            clients,
            ..system.clone()
        };
        ParallelStore::new(&system, (sizes, true), 1, 0)
    })
}

/// As [`simulate_parallel`], on Lustre, GlusterFS or MooseFS. What clients have in memory is followed, and never runs out.
///
/// # Errors
/// As there.
pub fn simulate_cluster(
    work: &Work,
    system: &ClusterSystem<'_>,
    first: &str,
    goes_on: &dyn Fn() -> bool,
) -> Result<FilesResult, WorkError> {
    simulate_served(work, first, goes_on, &|clients, sizes| {
        let system = ClusterSystem {
            clients,
            ..system.clone()
        };
        ClusterStore::new(&system, (sizes, true), 0)
    })
}

/// Makes a store of so many clients, and files of these sizes.
type Maker<'m, S> = &'m dyn Fn(usize, &[u64]) -> Result<S, StorageError>;

/// The same on what `make` makes of so many clients and files.
fn simulate_served<S: Served>(
    work: &Work,
    first: &str,
    goes_on: &dyn Fn() -> bool,
    make: Maker<'_, S>,
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
    let store = make(names.len(), &files.largest);
    let store = store.map_err(|error| WorkError::in_line(&work.path, 1, error.to_string()))?;
    let mut running = Running::new(store, names.len(), files.largest.len() as u32, on_server);
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
struct Running<S> {
    store: S,
    /// The processor of each client.
    processors: Vec<Station>,
    events: EventQueue<RemoteEvent>,
    now_ns: u64,
    /// Pages that each client has read.
    asked_pages: Vec<u64>,
}

impl<S: Served> Running<S> {
    /// Of so many files the first `on_server` are there already.
    fn new(mut store: S, clients: usize, files: u32, on_server: u32) -> Self {
        (0..on_server).for_each(|file| store.fill(file));
        (on_server..files).for_each(|file| store.empty(file));
        Self {
            store,
            processors: vec![Station::new(1); clients],
            events: EventQueue::default(),
            now_ns: 0,
            asked_pages: vec![0; clients],
        }
    }

    /// A client does something; the time is that of its end then.
    fn carry_out(&mut self, client: u32, deed: &Deed) {
        if let Deed::Sleep(ns) = deed {
            return self.sleep(*ns);
        }
        if let Deed::Access(Wanted {
            bytes,
            writes: false,
            ..
        }) = deed
        {
            let pages = bytes.end.div_ceil(PAGE_BYTES) - bytes.start / PAGE_BYTES;
            self.asked_pages[client as usize] += pages;
        }
        let user = (client, 0);
        let processors = &mut self.processors[..];
        self.store
            .begin(self.now_ns, user, deed, processors, &mut self.events);
        if *deed == Deed::Forget {
            return;
        }
        let mut has_ended = self.store.has_ended();
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
        self.store
            .take_place(self.now_ns, event, processors, &mut self.events)
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
            calls: self.store.calls_of(client),
            link_bytes,
            link_packets,
            asked_pages: self.asked_pages[client as usize],
            found_pages: self.store.found_pages(client),
        }
    }
}
