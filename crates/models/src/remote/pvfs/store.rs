//! A parallel file system as its clients use it, with the times of calls. Whoever wants something gives it a number, and is told that number
//! when it has ended. Clients have files of their own, and know nothing of data without asking.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::vec::Drain;

use hotset_cache::PAGE_BYTES;

use super::call::{Call, Flow, Later, NONE, Operation, Part, Step};
use super::connections::Connections;
use super::growth::Ends;
use super::metadata::{Known, Naming};
use super::processors::Processors;
use super::receive::ReceiveBuffers;
use super::striping::Striping;
use super::system::{ClientKind, Protocol, PvfsSystem};
use super::wire::{Bytes, MANAGER, METADATA};
use crate::calendar::Calendar;
use crate::numbered::Numbered;
use crate::page_cache::StoredFile;
use crate::remote::connection::BothWays;
use crate::remote::costs::CallCosts;
use crate::remote::event::RemoteEvent;
use crate::remote::file_server::{FileServer, Work};
use crate::remote::network::{Arrival, Direction, Network};
use crate::remote::nfs::{CallCounts, Counted, RemoteResult, Times};
use crate::station::{SharedStation, Station};
use crate::storage::StorageError;

/// A client.
#[derive(Clone, Debug)]
pub(super) struct ClientEnd {
    /// What it knows of each file.
    known: Vec<Known>,
    /// Through FUSE: its daemon does something, and operations wait for it.
    is_busy: bool,
    waiting: VecDeque<u32>,
    /// What its threads do when they have time, in its order.
    pub later: VecDeque<Later>,
    /// Its calls that have ended, by name.
    calls: BTreeMap<&'static str, u64>,
}

/// A parallel file system.
pub(crate) struct ParallelStore {
    pub(super) protocol: Protocol,
    pub(super) striping: Striping,
    data_servers: u32,
    metadata: u32,
    /// Processors that clients and servers share, where they do.
    shared: Option<SharedStation>,
    pub(super) client_costs: CallCosts,
    pub(super) server_costs: Vec<CallCosts>,
    pub(super) network: Network,
    pub(super) connections: Connections,
    pub(super) servers: Vec<FileServer>,
    /// By server; of PVFS 1.
    pub(super) buffers: Vec<ReceiveBuffers>,
    /// Where the parts of files end.
    pub(super) ends: Ends,
    pub(super) clients: Vec<ClientEnd>,
    /// Bytes of each file of a client, and how many clients have files of their own: one where all share them.
    sizes: Vec<u64>,
    owners: u32,
    pub(super) calls: Numbered<Call>,
    pub(super) operations: Numbered<Operation>,
    pub(super) flows: Numbered<Flow>,
    pub(super) counts: CallCounts,
    counted_ns: u64,
    creates: u64,
    ended: Vec<(u32, u32)>,
}

impl ParallelStore {
    /// One of which each client has files of `sizes`, or all share them. Whatever is read or written begins and ends at multiples of `unit_bytes` at its server.
    /// The servers have nothing of them in memory.
    ///
    /// # Errors
    /// No server, and files that are too large to be followed, or for a server's device.
    pub fn new(
        system: &PvfsSystem<'_>,
        (sizes, are_shared): (&[u64], bool),
        unit_bytes: u64,
        seed: u64,
    ) -> Result<Self, StorageError> {
        if system.servers.is_empty() {
            return Err(StorageError::NoServer);
        }
        let data_servers = system.data_servers.clamp(1, system.servers.len()) as u32;
        let clients = system.clients.max(1);
        let mut store = Self {
            protocol: system.protocol,
            striping: Striping {
                strip_bytes: system.striping.strip_bytes.max(1),
                stripes: system.striping.stripes.clamp(1, data_servers),
            },
            data_servers,
            metadata: system.metadata.min(system.servers.len() - 1) as u32,
            shared: system.one_machine.map(|it| Station::new(it).shared()),
            client_costs: system.client_costs,
            server_costs: system.servers.iter().map(|it| it.machine.costs).collect(),
            connections: Connections::new(clients, system.servers.len()),
            network: Connections::network(
                clients,
                system.client_link.as_ref(),
                &system.servers,
                system.switched.as_ref(),
            ),
            servers: Vec::new(),
            buffers: vec![ReceiveBuffers::new(clients); system.servers.len()],
            ends: Ends::new(0, 0),
            clients: Vec::new(),
            sizes: sizes.to_vec(),
            owners: if are_shared { 1 } else { clients as u32 },
            calls: Numbered::default(),
            operations: Numbered::default(),
            flows: Numbered::default(),
            counts: CallCounts::default(),
            counted_ns: 0,
            creates: 0,
            ended: Vec::new(),
        };
        let client = ClientEnd {
            known: vec![Known::default(); sizes.len()],
            is_busy: false,
            waiting: VecDeque::new(),
            later: VecDeque::new(),
            calls: BTreeMap::new(),
        };
        store.clients = vec![client; clients];
        store.ends = Ends::new(system.servers.len(), store.files() as usize);
        (0..sizes.len() as u32).for_each(|file| store.set_ends(file, true));
        for (server, number) in system.servers.iter().zip(0u32..) {
            let stored = store.stored(number);
            let seed = seed.wrapping_add(u64::from(number));
            let server = FileServer::new(&server.machine, &stored, unit_bytes, seed)?;
            let server = server.numbered(number);
            let server = match store.protocol {
                Protocol::OrangeFs(_) => server.with_copies_in_costs(),
                Protocol::Pvfs1(_) => server,
            };
            store.servers.push(match &store.shared {
                Some(shared) => server.on(shared),
                None => server,
            });
        }
        Ok(store)
    }

    /// What a server has of all files, in whole pages.
    fn stored(&self, server: u32) -> Vec<StoredFile<'static>> {
        let file = |number: u32| StoredFile {
            store: 0,
            bytes: self.bytes_on(number, server).div_ceil(PAGE_BYTES).max(1) * PAGE_BYTES,
            extents: None,
        };
        (0..self.files()).map(file).collect()
    }

    /// Files that servers have.
    fn files(&self) -> u32 {
        self.sizes.len().max(1) as u32 * self.owners
    }

    /// Bytes that a server has of a file when all of it is there.
    fn bytes_on(&self, file: u32, server: u32) -> u64 {
        let own = file as usize % self.sizes.len().max(1);
        let size = self.sizes.get(own).copied().unwrap_or(0);
        let place = self.place_on(file, server);
        place.map_or(0, |place| self.striping.bytes_at(size, place))
    }

    /// All of a file is there, or nothing of it; of each client the one of this number.
    fn set_ends(&mut self, file: u32, is_there: bool) {
        for client in 0..self.owners {
            let number = self.number(client, file);
            for server in 0..self.data_servers {
                let bytes = self.bytes_on(number, server);
                let end = if is_there { bytes } else { 0 };
                self.ends.set(server, number, end);
            }
        }
    }

    /// The number at servers of a client's file.
    #[inline]
    pub(super) fn number(&self, client: u32, file: u32) -> u32 {
        (client % self.owners) * self.sizes.len() as u32 + file
    }

    /// The server that has this place among those of a file. Files begin on one server after the other.
    pub(super) fn server_at(&self, file: u32, place: u32) -> u32 {
        (file % self.data_servers + place) % self.data_servers
    }

    /// The place of a server among those of a file, if it has a part of it.
    fn place_on(&self, file: u32, server: u32) -> Option<u32> {
        let first = file % self.data_servers;
        let place = (server + self.data_servers - first) % self.data_servers;
        (server < self.data_servers && place < self.striping.stripes).then_some(place)
    }

    /// What is told of it as settings.
    pub fn settings(&self) -> Vec<(String, String)> {
        let all = [
            ("strip_bytes", self.striping.strip_bytes),
            ("stripes", u64::from(self.striping.stripes)),
        ];
        let all = all.into_iter();
        all.map(|(name, it)| (name.to_owned(), it.to_string()))
            .collect()
    }

    /// Bytes of each file of a client.
    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// The servers have all of a file in memory, as far as it fits; of each client the one of this number.
    pub fn fill(&mut self, file: u32) {
        for client in 0..self.owners {
            let number = self.number(client, file);
            self.servers.iter_mut().for_each(|it| it.fill(number));
        }
        self.set_ends(file, true);
    }

    /// A file is new, and nothing of it has data; of each client the one of this number.
    pub fn empty(&mut self, file: u32) {
        for client in 0..self.owners {
            let number = self.number(client, file);
            self.servers.iter_mut().for_each(|it| it.empty(number));
        }
        self.set_ends(file, false);
    }

    /// A client wants bytes of a file to be read or written.
    pub fn begin_access(
        &mut self,
        now_ns: u64,
        (client, user): (u32, u32),
        (file, bytes, writes): (u32, Range<u64>, bool),
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let operation = Operation {
            client,
            user,
            file,
            writes,
            next: bytes.start,
            end: bytes.end,
            steps: &[],
            left: 0,
            is_at_work: false,
        };
        self.begin(now_ns, operation, processors, calendar);
    }

    /// A client wants something of a file's name or attributes. Where it knows all of it, that ends at once.
    pub fn begin_naming(
        &mut self,
        now_ns: u64,
        (client, user): (u32, u32),
        (file, naming): (u32, Naming),
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let mut unknown = Known::default();
        let known = self.clients[client as usize].known.get_mut(file as usize);
        let known = known.unwrap_or(&mut unknown);
        let steps = known.steps(now_ns, naming, &self.protocol);
        let operation = Operation {
            client,
            user,
            file,
            writes: false,
            next: 0,
            end: 0,
            steps,
            left: 0,
            is_at_work: false,
        };
        self.begin(now_ns, operation, processors, calendar);
    }

    /// A client forgets what it knows.
    pub fn forget(&mut self, client: u32) {
        self.clients[client as usize].known.fill(Known::default());
    }

    fn begin(
        &mut self,
        now_ns: u64,
        operation: Operation,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let number = self.operations.add(operation);
        self.reach(now_ns, number, processors, calendar);
    }

    /// The part of an operation that a daemon of FUSE does at a time begins, or waits for the daemon.
    fn reach(
        &mut self,
        now_ns: u64,
        number: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let client = self.operations.of(number).client;
        let is_fuse = self.fuse().is_some();
        let end = &mut self.clients[client as usize];
        if is_fuse && end.is_busy {
            end.waiting.push_back(number);
            return;
        }
        end.is_busy = true;
        self.go_on(now_ns, number, true, processors, calendar);
    }

    /// The daemon of FUSE, if clients have one: the most bytes at a time, and its costs.
    pub(super) fn fuse(&self) -> Option<(u64, CallCosts)> {
        match self.protocol {
            Protocol::OrangeFs(options) => match options.client {
                ClientKind::Fuse {
                    request_bytes,
                    costs,
                } => Some((request_bytes.max(1), costs)),
                ClientKind::Library => None,
            },
            Protocol::Pvfs1(_) => None,
        }
    }

    /// An operation that waits for nothing goes on: with its next step, with data, or it ends. `is_new` says whether the daemon of FUSE has just
    /// taken it.
    fn go_on(
        &mut self,
        now_ns: u64,
        number: u32,
        is_new: bool,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let operation = *self.operations.of(number);
        if let Some((&step, rest)) = operation.steps.split_first() {
            self.operations.of(number).steps = rest;
            let own_ns = match (is_new, self.fuse()) {
                (true, Some((_, costs))) => costs.call_ns,
                _ => 0,
            };
            self.begin_step(now_ns, (number, step), own_ns, processors, calendar);
            return;
        }
        let has_data = operation.next < operation.end;
        if has_data && is_new {
            self.begin_data(now_ns, number, processors, calendar);
            return;
        }
        if has_data {
            // Others of the client come first.
            self.clients[operation.client as usize]
                .waiting
                .push_back(number);
        } else {
            self.operations.remove(number);
            if operation.user != NONE {
                self.ended.push((operation.client, operation.user));
            }
        }
        self.release(now_ns, operation.client, processors, calendar);
    }

    /// A client may begin what waits.
    fn release(
        &mut self,
        now_ns: u64,
        client: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let end = &mut self.clients[client as usize];
        end.is_busy = false;
        if let Some(next) = end.waiting.pop_front() {
            self.reach(now_ns, next, processors, calendar);
        }
    }

    /// A question about names and attributes.
    fn begin_step(
        &mut self,
        now_ns: u64,
        (number, step): (u32, Step),
        own_ns: u64,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let operation = self.operations.of(number);
        operation.left += 1;
        let (client, file) = (operation.client, operation.file);
        let file = self.number(client, file);
        let bytes = match self.protocol {
            Protocol::Pvfs1(_) => MANAGER,
            Protocol::OrangeFs(_) => METADATA,
        };
        let (name, server, asks_of) = match step {
            Step::Metadata(name) => (name, self.metadata, NONE),
            Step::Tree(name) => (name, self.server_at(file, 0), file),
        };
        let call = Call {
            asks_of,
            client_ns: self.client_costs.call_ns + own_ns,
            ..self.call((name, Part::Whole), (client, server), bytes, number)
        };
        self.send_later(now_ns, call, processors, calendar);
    }

    /// A call of an operation that takes no disk.
    pub(super) fn call(
        &self,
        (name, part): (&'static str, Part),
        (client, server): (u32, u32),
        bytes: Bytes,
        operation: u32,
    ) -> Call {
        Call {
            name,
            part,
            operation,
            client,
            server,
            connection: self.connections.of_client(client, server),
            bytes,
            work: Work::Nothing,
            client_ns: self.client_costs.call_ns,
            server_ns: self.server_costs[server as usize].call_ns,
            flow: NONE,
            parent: NONE,
            asks_of: NONE,
            place: 0,
            waits_for: 0,
            is_in_hand: false,
            times: Times::default(),
        }
    }

    /// A client makes the message of a call, and sends it then.
    pub(super) fn send_later(
        &mut self,
        now_ns: u64,
        call: Call,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) -> u32 {
        self.counts.begin(now_ns);
        let (bytes, _) = call.payload();
        let work_ns = call.client_ns + self.client_costs.bytes_ns(bytes);
        let number = self.calls.add(Call {
            times: Times {
                began_ns: now_ns,
                ..Times::default()
            },
            ..call
        });
        let sends = RemoteEvent::Sends { call: number };
        self.work_at_client(now_ns, (number, work_ns), sends, processors, calendar);
        number
    }

    /// When a client's processors have worked so long.
    pub(super) fn serve_client(
        &self,
        client: u32,
        now_ns: u64,
        work_ns: u64,
        processors: &mut (impl Processors + ?Sized),
    ) -> u64 {
        match &self.shared {
            Some(shared) => shared.borrow_mut().serve(now_ns, work_ns),
            None => processors.serve(client, now_ns, work_ns),
        }
    }

    /// A server has a call of its own, which it has not sent yet.
    pub(super) fn add_of_server(&mut self, now_ns: u64, call: Call) -> u32 {
        self.counts.begin(now_ns);
        self.calls.add(Call {
            times: Times {
                began_ns: now_ns,
                sent_ns: now_ns,
                arrived_ns: now_ns,
                ..Times::default()
            },
            ..call
        })
    }

    /// Something takes place at a client, a server or between them; the clients that wanted what has ended thereby, and its numbers. All are of one
    /// client.
    pub fn handle(
        &mut self,
        now_ns: u64,
        event: RemoteEvent,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) -> Drain<'_, (u32, u32)> {
        match event {
            RemoteEvent::LinkFree { way } => self.network.free(now_ns, way, calendar),
            RemoteEvent::Comes { burst } => {
                if let Some(arrival) = self.network.comes(now_ns, burst, calendar) {
                    self.come(now_ns, arrival, processors, calendar);
                }
            }
            RemoteEvent::Sends { call } => {
                self.let_go(now_ns, call, processors, calendar);
                self.send(now_ns, call, calendar);
            }
            RemoteEvent::Ends { call } => {
                self.let_go(now_ns, call, processors, calendar);
                self.end(now_ns, call, processors, calendar);
            }
            RemoteEvent::Works { call } | RemoteEvent::Answers { call } => {
                let server = self.calls.of(call).server;
                self.handle_at(now_ns, (server, event), processors, calendar);
            }
            RemoteEvent::Disk { server, .. } | RemoteEvent::Flusher { server } => {
                self.handle_at(now_ns, (server, event), processors, calendar);
            }
        }
        self.ended.drain(..)
    }

    /// What has ended already when it began.
    pub fn take_ended(&mut self) -> Drain<'_, (u32, u32)> {
        self.ended.drain(..)
    }

    fn handle_at(
        &mut self,
        now_ns: u64,
        (server, event): (u32, RemoteEvent),
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let answered = self.servers[server as usize].handle(now_ns, event, calendar);
        if let Some(call) = answered {
            self.answered(now_ns, call, processors, calendar);
        }
    }

    fn come(
        &mut self,
        now_ns: u64,
        arrival: Arrival,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let call = arrival.call;
        match arrival.direction {
            Direction::ToServer => {
                self.calls.of(call).times.arrived_ns = now_ns;
                self.arrive(now_ns, call, calendar);
            }
            Direction::ToClient => {
                self.calls.of(call).times.back_ns = now_ns;
                self.come_back(now_ns, call, processors, calendar);
            }
        }
    }

    /// A message goes to its server.
    pub(super) fn send(
        &mut self,
        now_ns: u64,
        call: u32,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = self.calls.of(call);
        of.times.sent_ns = now_ns;
        let way = (of.connection as usize, Direction::ToServer);
        let message = (call, of.bytes.request);
        self.network.send(now_ns, way, message, calendar);
    }

    /// A server answers a call.
    pub(super) fn reply(
        &mut self,
        now_ns: u64,
        call: u32,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = self.calls.of(call);
        of.times.answered_ns = now_ns;
        let way = (of.connection as usize, Direction::ToClient);
        let message = (call, of.bytes.answer);
        self.network.send(now_ns, way, message, calendar);
    }

    /// A server is done with what a call has it do.
    fn answered(
        &mut self,
        now_ns: u64,
        call: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = *self.calls.of(call);
        match of.part {
            Part::Whole if of.asks_of != NONE => self.pass_on(now_ns, call, calendar),
            Part::Whole if of.name == "create" => {
                self.reply(now_ns, call, calendar);
                self.count_create(now_ns, calendar);
            }
            Part::Whole | Part::Done => self.reply(now_ns, call, calendar),
            Part::Head | Part::ReadData | Part::WriteData => {
                self.answered_of_flow(now_ns, call, processors, calendar);
            }
        }
        if of.work != Work::Nothing && matches!(self.protocol, Protocol::Pvfs1(_)) {
            self.take_next(now_ns, &of, calendar);
        }
    }

    /// A server asks the two behind it what it was asked, and answers when they have.
    fn pass_on(&mut self, now_ns: u64, call: u32, calendar: &mut impl Calendar<RemoteEvent>) {
        let of = *self.calls.of(call);
        let behind = [2 * of.place + 1, 2 * of.place + 2];
        for place in behind {
            if place >= self.striping.stripes {
                continue;
            }
            let server = self.server_at(of.asks_of, place);
            self.calls.of(call).waits_for += 1;
            let asked = Call {
                server,
                connection: self.connections.of_server(of.server, server),
                operation: NONE,
                parent: call,
                place,
                waits_for: 0,
                server_ns: self.server_costs[server as usize].call_ns,
                ..of
            };
            let asked = self.add_of_server(now_ns, asked);
            self.send(now_ns, asked, calendar);
        }
        if self.calls.of(call).waits_for == 0 {
            self.reply(now_ns, call, calendar);
        }
    }

    /// A file more is created: whenever so many were, the metadata server gets as many handles more from each server with data.
    fn count_create(&mut self, now_ns: u64, calendar: &mut impl Calendar<RemoteEvent>) {
        let Protocol::OrangeFs(options) = self.protocol else {
            return;
        };
        self.creates += 1;
        if !self.creates.is_multiple_of(options.precreated.max(1)) {
            return;
        }
        for server in 0..self.data_servers {
            let (name, own) = ("batch-create", self.metadata);
            let call = Call {
                connection: self.connections.of_server(own, server),
                ..self.call((name, Part::Whole), (0, server), METADATA, NONE)
            };
            let call = self.add_of_server(now_ns, call);
            self.send(now_ns, call, calendar);
        }
    }

    /// An answer has come to whoever asked. A client's processors move what it brings.
    fn come_back(
        &mut self,
        now_ns: u64,
        call: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = *self.calls.of(call);
        if of.operation == NONE {
            self.calls.remove(call);
            self.counts.end(now_ns, of.name, of.times);
            if of.parent != NONE {
                let parent = self.calls.of(of.parent);
                parent.waits_for -= 1;
                if parent.waits_for == 0 {
                    self.reply(now_ns, of.parent, calendar);
                }
            }
            return;
        }
        let (_, bytes) = of.payload();
        let mut work_ns = self.client_costs.bytes_ns(bytes);
        if of.part == Part::ReadData {
            self.has_room(now_ns, of.flow, calendar);
            work_ns += self.buffer_ns().0;
        }
        let ends = RemoteEvent::Ends { call };
        match work_ns {
            0 => calendar.at(now_ns, ends),
            _ => self.work_at_client(now_ns, (call, work_ns), ends, processors, calendar),
        }
    }

    /// A client is done with the answer to a call.
    fn end(
        &mut self,
        now_ns: u64,
        call: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = *self.calls.of(call);
        self.finish(now_ns, call);
        if of.flow != NONE {
            self.end_of_flow(now_ns, &of, processors, calendar);
        }
        self.look_at(now_ns, of.operation, processors, calendar);
    }

    /// A call of an operation is over.
    pub(super) fn finish(&mut self, now_ns: u64, call: u32) {
        let call = self.calls.remove(call);
        self.counts.end(now_ns, call.name, call.times);
        let calls = &mut self.clients[call.client as usize].calls;
        *calls.entry(call.name).or_default() += 1;
        self.operations.of(call.operation).left -= 1;
    }

    /// An operation goes on if no call of it is left.
    fn look_at(
        &mut self,
        now_ns: u64,
        operation: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        if self.operations.of(operation).left == 0 {
            self.go_on(now_ns, operation, false, processors, calendar);
        }
    }

    /// Whether calls are under way.
    pub fn has_calls(&self) -> bool {
        self.counts.under_way() > 0
    }

    /// Calls of a client that have ended, by name.
    pub fn calls_of(&self, client: u32) -> &BTreeMap<&'static str, u64> {
        &self.clients[client as usize].calls
    }

    /// Bytes and packets on the link of a client.
    pub fn seen_by(&self, client: u32) -> (BothWays, BothWays) {
        self.network.seen_among(self.connections.all_of(client))
    }

    /// Forgets what was counted, not what is in memory or under way.
    pub fn count_anew(&mut self, now_ns: u64) {
        self.counted_ns = now_ns;
        self.counts.count_anew(now_ns);
        self.network.count_anew();
        self.servers.iter_mut().for_each(FileServer::count_anew);
        self.clients.iter_mut().for_each(|it| it.calls.clear());
    }

    /// What it came to up to `now_ns`, since it is counted.
    pub fn result(&self, now_ns: u64) -> RemoteResult {
        let clients = self.connections.all_of_clients();
        let counted = Counted {
            calls: &self.counts,
            network: &self.network,
            seen: self.network.seen_among(clients),
            servers: &self.servers,
            since_ns: self.counted_ns,
        };
        RemoteResult::of(&counted, now_ns)
    }
}
