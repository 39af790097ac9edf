//! A file system on several servers as its clients use it, with the times of calls. Whoever wants something gives it a number, and is told that
//! number when it has ended.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::vec::Drain;

use hotset_cache::PAGE_BYTES;

use super::call::{Ask, Call, Fetch, NONE, Operation, Script};
use super::gluster::Kept;
use super::known::Known;
use super::layout::Layout;
use super::lustre::Locks;
use super::system::{ClusterProtocol, ClusterSystem};
use super::wire::{LUSTRE, LUSTRE_FETCH};
use crate::calendar::Calendar;
use crate::numbered::Numbered;
use crate::page_cache::StoredFile;
use crate::remote::connection::BothWays;
use crate::remote::costs::CallCosts;
use crate::remote::event::RemoteEvent;
use crate::remote::file_server::{FileServer, Work};
use crate::remote::network::{Arrival, Direction, Network};
use crate::remote::nfs::{CallCounts, Counted, RemoteResult, Times};
use crate::remote::pvfs::{Connections, Processors};
use crate::storage::StorageError;

/// What a client wants of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The client's file, and which bytes of it.
    pub file: u32,
    pub bytes: Range<u64>,
    pub writes: bool,
    /// Past the client's memory.
    pub is_direct: bool,
}

/// A client.
#[derive(Clone, Debug, Default)]
pub(super) struct ClientEnd {
    /// Its calls that have ended, by name.
    calls: BTreeMap<&'static str, u64>,
    /// Pages that were in its memory when they were read.
    pub found_pages: u64,
    pub kept: Kept,
}

/// Calls with data of a client at a server: those under way, and those that wait until one is over.
#[derive(Clone, Debug, Default)]
struct Slots {
    under_way: u32,
    waiting: VecDeque<u32>,
}

/// A file system on several servers.
pub(crate) struct ClusterStore {
    pub(super) protocol: ClusterProtocol,
    pub(super) layout: Layout,
    /// Bytes of each file of a client, and how often each of all files was written.
    pub(super) sizes: Vec<u64>,
    pub(super) versions: Vec<u32>,
    /// What clients have in memory is followed here, and not by their storage.
    pub(super) has_memory: bool,
    client_costs: CallCosts,
    server_costs: Vec<CallCosts>,
    network: Network,
    connections: Connections,
    servers: Vec<FileServer>,
    pub(super) clients: Vec<ClientEnd>,
    /// Of each client, what it has of each file.
    pub(super) known: Vec<Vec<Known>>,
    pub(super) locks: Locks,
    calls: Numbered<Call>,
    operations: Numbered<Operation>,
    /// By operation: calls that are still to be made.
    asks: Vec<VecDeque<Ask>>,
    /// An operation under way, and one that waits for it.
    waiters: Vec<(u32, u32)>,
    /// By connection.
    slots: Vec<Slots>,
    counts: CallCounts,
    counted_ns: u64,
    ended: Vec<(u32, u32)>,
}

impl ClusterStore {
    /// One of which each client has files of `sizes`, or all share them; of the latter, what clients have in memory is followed too. Servers have
    /// nothing of them in memory.
    ///
    /// # Errors
    /// No server, and files that are too large to be followed, or for a server's device.
    pub fn new(
        system: &ClusterSystem<'_>,
        (sizes, are_shared): (&[u64], bool),
        seed: u64,
    ) -> Result<Self, StorageError> {
        if system.servers.is_empty() {
            return Err(StorageError::NoServer);
        }
        let clients = system.clients.max(1);
        let mut sizes = sizes.to_vec();
        if sizes.is_empty() {
            sizes.push(0);
        }
        let owners = if are_shared { 1 } else { clients };
        let layout = Layout::of(system, sizes.len(), owners);
        let servers = system.servers.len();
        let mut store = Self {
            protocol: system.protocol,
            layout,
            versions: vec![0; layout.all_files() as usize],
            has_memory: are_shared,
            client_costs: system.client_costs,
            server_costs: system.servers.iter().map(|it| it.machine.costs).collect(),
            network: Connections::network(
                clients,
                system.client_link.as_ref(),
                &system.servers,
                system.switched.as_ref(),
            ),
            connections: Connections::new(clients, servers),
            servers: Vec::new(),
            clients: vec![ClientEnd::default(); clients],
            known: vec![vec![Known::default(); sizes.len()]; clients],
            locks: Locks::new(&layout),
            calls: Numbered::default(),
            operations: Numbered::default(),
            asks: Vec::new(),
            waiters: Vec::new(),
            slots: vec![Slots::default(); clients * servers],
            counts: CallCounts::default(),
            counted_ns: 0,
            ended: Vec::new(),
            sizes,
        };
        for (server, number) in system.servers.iter().zip(0u32..) {
            let stored = store.stored(number);
            let seed = seed.wrapping_add(u64::from(number));
            let server = FileServer::new(&server.machine, &stored, PAGE_BYTES, seed)?;
            store.servers.push(server.numbered(number));
        }
        Ok(store)
    }

    /// What a server has of all files and their copies, in whole pages.
    fn stored(&self, server: u32) -> Vec<StoredFile<'static>> {
        let layout = self.layout;
        let copies = (0..layout.copies).flat_map(|copy| {
            let files = 0..layout.all_files();
            files.map(move |number| (number, copy))
        });
        let file = |(number, copy): (u32, u32)| {
            let size = self.sizes[(number % layout.files) as usize];
            let bytes = layout.stored_bytes((number, copy), server, size);
            StoredFile {
                store: 0,
                bytes: bytes.div_ceil(PAGE_BYTES).max(1) * PAGE_BYTES,
                extents: None,
            }
        };
        copies.map(file).collect()
    }

    /// What is told of it as settings.
    pub fn settings(&self) -> Vec<(String, String)> {
        let (layout, mut all) = (self.layout, Vec::new());
        match self.protocol {
            ClusterProtocol::Lustre(options) => {
                all.push(("strip_bytes", options.stripe_bytes));
                all.push(("stripes", u64::from(layout.striping.stripes)));
                all.push(("calls_in_flight", u64::from(options.calls_in_flight)));
            }
            ClusterProtocol::GlusterFs(options) => {
                all.push(("fragments", u64::from(layout.fragments)));
                all.push(("io_cache_bytes", options.io_cache_bytes));
                all.push(("quick_read_bytes", options.quick_read_bytes));
            }
            ClusterProtocol::MooseFs(_) => all.push(("copies", u64::from(layout.copies))),
        }
        let all = all.into_iter();
        all.map(|(name, it)| (name.to_owned(), it.to_string()))
            .collect()
    }

    /// Bytes of a file of a client.
    pub fn size(&self, file: u32) -> u64 {
        self.sizes.get(file as usize).copied().unwrap_or(0)
    }

    /// The numbers at servers of a file with this number of each client, and of its copies.
    fn numbers(&self, file: u32) -> Vec<u32> {
        let layout = self.layout;
        let owners = 0..layout.owners();
        let numbers = owners.flat_map(|client| {
            let number = layout.number(client, file);
            (0..layout.copies).map(move |copy| layout.stored_number(number, copy))
        });
        numbers.collect()
    }

    /// The servers have all of a file in memory, as far as it fits; of each client the one of this number.
    pub fn fill(&mut self, file: u32) {
        for number in self.numbers(file) {
            self.servers.iter_mut().for_each(|it| it.fill(number));
        }
    }

    /// A file is new, and nothing of it has data; of each client the one of this number.
    pub fn empty(&mut self, file: u32) {
        for number in self.numbers(file) {
            self.servers.iter_mut().for_each(|it| it.empty(number));
        }
    }

    /// An operation begins. It does not end before [`settle`](Self::settle).
    pub(super) fn begin(
        &mut self,
        now_ns: u64,
        operation: Operation,
        script: Script,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) -> u32 {
        let number = self.operations.add(Operation {
            left: 1 + script.waits.len() as u32,
            ..operation
        });
        let place = number as usize;
        if place >= self.asks.len() {
            self.asks.resize_with(place + 1, VecDeque::new);
        }
        self.asks[place].extend(script.asks);
        let begins = !script.waits_first || script.waits.is_empty();
        let waits = script.waits.into_iter();
        self.waiters.extend(waits.map(|it| (it, number)));
        if script.own_ns > 0 {
            let alone = (operation.client, script.own_ns);
            self.work_alone(now_ns, number, alone, processors, calendar);
        }
        if begins {
            self.begin_round(now_ns, number, processors, calendar);
        }
        number
    }

    /// An operation may end.
    pub(super) fn settle(
        &mut self,
        now_ns: u64,
        number: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        self.operations.of(number).left -= 1;
        self.look_at(now_ns, number, processors, calendar);
    }

    /// A client's processors work for an operation that asks for nothing.
    fn work_alone(
        &mut self,
        now_ns: u64,
        operation: u32,
        (client, work_ns): (u32, u64),
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        self.operations.of(operation).left += 1;
        let ask = Ask::plain("", (client, 0), LUSTRE);
        let call = self.new_call(now_ns, operation, ask);
        let call = self.calls.add(Call {
            is_local: true,
            ..call
        });
        let done_ns = processors.serve(client, now_ns, work_ns);
        calendar.at(done_ns, RemoteEvent::Sends { call });
    }

    /// All calls of an operation's next round are made.
    fn begin_round(
        &mut self,
        now_ns: u64,
        number: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let place = number as usize;
        let Some(round) = self.asks[place].front().map(|it| it.round) else {
            return;
        };
        while let Some(&ask) = self.asks[place].front()
            && ask.round == round
        {
            self.asks[place].pop_front();
            self.start(now_ns, number, ask, processors, calendar);
        }
    }

    fn new_call(&self, now_ns: u64, operation: u32, ask: Ask) -> Call {
        Call {
            ask,
            operation,
            connection: self.connections.of_client(ask.client, ask.server),
            parent: NONE,
            to_do: 1,
            fetch: match ask.is_fetched {
                true => Fetch::Wanted,
                false => Fetch::None,
            },
            is_local: false,
            times: Times {
                began_ns: now_ns,
                ..Times::default()
            },
        }
    }

    /// A call is made, or waits until its client may have one more under way with its server.
    fn start(
        &mut self,
        now_ns: u64,
        operation: u32,
        ask: Ask,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        self.counts.begin(now_ns);
        self.operations.of(operation).left += 1;
        let new = self.new_call(now_ns, operation, ask);
        let call = self.calls.add(new);
        if ask.is_callback {
            self.calls.of(call).times.sent_ns = now_ns;
            let way = (new.connection as usize, Direction::ToClient);
            let message = (call, ask.bytes.request);
            self.network.send(now_ns, way, message, calendar);
            return;
        }
        if ask.has_data() {
            let most = self.most_in_flight();
            let slots = &mut self.slots[new.connection as usize];
            if slots.under_way >= most {
                slots.waiting.push_back(call);
                return;
            }
            slots.under_way += 1;
        }
        self.dispatch(now_ns, call, processors, calendar);
    }

    fn most_in_flight(&self) -> u32 {
        match self.protocol {
            ClusterProtocol::Lustre(options) => options.calls_in_flight.max(1),
            ClusterProtocol::GlusterFs(_) | ClusterProtocol::MooseFs(_) => u32::MAX,
        }
    }

    /// A client makes the message of a call, and sends it then.
    fn dispatch(
        &mut self,
        now_ns: u64,
        call: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let ask = self.calls.of(call).ask;
        let (bytes, _) = ask.payload();
        let work_ns = self.client_costs.call_ns + ask.own_ns + self.client_costs.bytes_ns(bytes);
        let done_ns = processors.serve(ask.client, now_ns, work_ns);
        calendar.at(done_ns, RemoteEvent::Sends { call });
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
            RemoteEvent::Sends { call } => self.send(now_ns, call, processors, calendar),
            RemoteEvent::Ends { call } => self.finish(now_ns, call, processors, calendar),
            RemoteEvent::Works { call } | RemoteEvent::Answers { call } => {
                let server = self.calls.of(call).ask.server;
                self.handle_at(now_ns, (server, event), calendar);
            }
            RemoteEvent::Disk { server, .. } | RemoteEvent::Flusher { server } => {
                self.handle_at(now_ns, (server, event), calendar);
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
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let answered = self.servers[server as usize].handle(now_ns, event, calendar);
        if let Some(call) = answered {
            self.has_done(now_ns, call, calendar);
        }
    }

    /// A client has made a message: a call, or its answer to what a server asks.
    fn send(
        &mut self,
        now_ns: u64,
        call: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = *self.calls.of(call);
        if of.is_local {
            self.calls.remove(call);
            self.settle(now_ns, of.operation, processors, calendar);
            return;
        }
        let times = &mut self.calls.of(call).times;
        let bytes = match (of.ask.is_callback, of.fetch) {
            (true, _) => {
                times.answered_ns = now_ns;
                of.ask.bytes.answer
            }
            (false, fetch) => {
                times.sent_ns = now_ns;
                match fetch {
                    Fetch::Wanted => LUSTRE.request,
                    _ => of.ask.bytes.request,
                }
            }
        };
        let way = (of.connection as usize, Direction::ToServer);
        self.network.send(now_ns, way, (call, bytes), calendar);
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
            Direction::ToServer => self.come_to_server(now_ns, call, processors, calendar),
            Direction::ToClient => self.come_to_client(now_ns, call, processors, calendar),
        }
    }

    fn come_to_server(
        &mut self,
        now_ns: u64,
        call: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = *self.calls.of(call);
        if of.ask.is_callback {
            self.calls.of(call).times.back_ns = now_ns;
            self.finish(now_ns, call, processors, calendar);
            return;
        }
        if of.fetch == Fetch::Wanted {
            self.calls.of(call).fetch = Fetch::AskedFor;
            let way = (of.connection as usize, Direction::ToClient);
            self.network
                .send(now_ns, way, (call, LUSTRE_FETCH), calendar);
            return;
        }
        self.calls.of(call).times.arrived_ns = now_ns;
        if of.ask.copies_left > 0 {
            self.pass_on(now_ns, call, calendar);
        }
        let call_ns = self.server_costs[of.ask.server as usize].call_ns;
        let server = &mut self.servers[of.ask.server as usize];
        server.arrive_costing(now_ns, call, (of.ask.work, call_ns), calendar);
    }

    /// A server passes what is written on to the one that has the next copy.
    fn pass_on(&mut self, now_ns: u64, call: u32, calendar: &mut impl Calendar<RemoteEvent>) {
        let of = *self.calls.of(call);
        let server = (of.ask.server + 1) % self.layout.servers;
        let work = match of.ask.work {
            Work::Write {
                file,
                offset,
                bytes,
                is_stable,
            } => Work::Write {
                file: file + self.layout.all_files(),
                offset,
                bytes,
                is_stable,
            },
            other => other,
        };
        self.calls.of(call).to_do += 1;
        self.counts.begin(now_ns);
        let connection = self.connections.of_server(of.ask.server, server);
        let passed = self.calls.add(Call {
            ask: Ask {
                server,
                work,
                copies_left: of.ask.copies_left - 1,
                ..of.ask
            },
            operation: NONE,
            connection,
            parent: call,
            to_do: 1,
            times: Times {
                began_ns: now_ns,
                sent_ns: now_ns,
                ..Times::default()
            },
            ..of
        });
        let way = (connection as usize, Direction::ToServer);
        let message = (passed, of.ask.bytes.request);
        self.network.send(now_ns, way, message, calendar);
    }

    /// A server has done its own work for a call, or the server has that it has passed it on to.
    fn has_done(&mut self, now_ns: u64, call: u32, calendar: &mut impl Calendar<RemoteEvent>) {
        let of = self.calls.of(call);
        of.to_do -= 1;
        if of.to_do > 0 {
            return;
        }
        of.times.answered_ns = now_ns;
        let way = (of.connection as usize, Direction::ToClient);
        let message = (call, of.ask.bytes.answer);
        self.network.send(now_ns, way, message, calendar);
    }

    /// A message has come to a client, or to the server that has passed a call on. The client's processors move what it brings.
    fn come_to_client(
        &mut self,
        now_ns: u64,
        call: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = *self.calls.of(call);
        if of.ask.is_callback {
            self.calls.of(call).times.arrived_ns = now_ns;
            let done_ns = processors.serve(of.ask.client, now_ns, self.client_costs.call_ns);
            calendar.at(done_ns, RemoteEvent::Sends { call });
            return;
        }
        if of.fetch == Fetch::AskedFor {
            self.calls.of(call).fetch = Fetch::Sent;
            let way = (of.connection as usize, Direction::ToServer);
            let bytes = of.ask.bytes.request - LUSTRE.request;
            self.network.send(now_ns, way, (call, bytes), calendar);
            return;
        }
        self.calls.of(call).times.back_ns = now_ns;
        if of.operation == NONE {
            let passed = self.calls.remove(call);
            self.counts.end(now_ns, passed.ask.name, passed.times);
            self.has_done(now_ns, passed.parent, calendar);
            return;
        }
        let (_, bytes) = of.ask.payload();
        let done_ns = match self.client_costs.bytes_ns(bytes) {
            0 => now_ns,
            work_ns => processors.serve(of.ask.client, now_ns, work_ns),
        };
        calendar.at(done_ns, RemoteEvent::Ends { call });
    }

    /// A call of an operation is over.
    fn finish(
        &mut self,
        now_ns: u64,
        call: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = self.calls.remove(call);
        self.counts.end(now_ns, of.ask.name, of.times);
        let calls = &mut self.clients[of.ask.client as usize].calls;
        *calls.entry(of.ask.name).or_default() += 1;
        if of.ask.has_data() {
            self.free_slot(now_ns, of.connection, processors, calendar);
        }
        self.settle(now_ns, of.operation, processors, calendar);
    }

    /// A client may have one more call with data under way with a server.
    fn free_slot(
        &mut self,
        now_ns: u64,
        connection: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let slots = &mut self.slots[connection as usize];
        match slots.waiting.pop_front() {
            Some(next) => self.dispatch(now_ns, next, processors, calendar),
            None => slots.under_way -= 1,
        }
    }

    /// An operation goes on with its next round if nothing is left that it waits for, or ends.
    fn look_at(
        &mut self,
        now_ns: u64,
        number: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        if self.operations.of(number).left > 0 {
            return;
        }
        if !self.asks[number as usize].is_empty() {
            self.begin_round(now_ns, number, processors, calendar);
            return;
        }
        for waiter in self.end_operation(number) {
            self.settle(now_ns, waiter, processors, calendar);
        }
    }

    /// An operation ends; those that have waited for it.
    fn end_operation(&mut self, number: u32) -> Vec<u32> {
        let operation = self.operations.remove(number);
        if operation.user != NONE {
            self.ended.push((operation.client, operation.user));
        }
        if !operation.is_own {
            return Vec::new();
        }
        let known = &mut self.known[operation.client as usize][operation.file as usize];
        known.coming.retain(|(_, it)| *it != number);
        known.behind.retain(|it| *it != number);
        let of_it = self.waiters.extract_if(.., |(it, _)| *it == number);
        of_it.map(|(_, waiter)| waiter).collect()
    }

    /// Whether calls are under way.
    pub fn has_calls(&self) -> bool {
        self.counts.under_way() > 0
    }

    /// Calls of a client that have ended, by name.
    pub fn calls_of(&self, client: u32) -> &BTreeMap<&'static str, u64> {
        &self.clients[client as usize].calls
    }

    /// Pages that a client had in memory when it read them.
    pub fn found_pages(&self, client: u32) -> u64 {
        self.clients[client as usize].found_pages
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
