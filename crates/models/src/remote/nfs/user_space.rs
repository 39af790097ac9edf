//! Clients in user space: each goes through a file of its own record by record, with one call under way. They cache nothing and read nothing
//! ahead, and what they ask for is in the server's memory.
//!
//! This is a policy of a client of its own: it tells of a server and of the way there, and nothing of the client of a kernel. Clients and server
//! may be nodes of one machine, as those of the lab are. Then they share its processors. Who waits for a message is woken when that has come, which
//! takes a while and no processor.
//!
//! Not followed: what is written back to a disk, threads that are all busy, lost packets.

use hotset_outcome::{Resource, Times};

use super::mount::Mount;
use super::wire::{Message, Wire};
use crate::calendar::{Calendar as _, EventQueue};
use crate::remote::costs::CallCosts;
use crate::remote::event::RemoteEvent;
use crate::remote::network::{Arrival, Direction, NamedLine, Network};
use crate::station::Station;

/// Clients in user space, the server that they ask, and the way between.
#[derive(Clone, Debug)]
pub struct UserSpaceSystem {
    /// Whose messages calls are.
    pub mount: Mount,
    /// Clients, all alike.
    pub clients: usize,
    /// Processors of the machine that all of them and the server are on.
    pub processors: usize,
    /// What calls cost a client, and the server.
    pub client_costs: CallCosts,
    /// The same of the server.
    pub server_costs: CallCosts,
    /// How long it takes until a process runs that waits for a message that has come, nanoseconds.
    pub wake_ns: u64,
    /// Link that each client has for itself; one that is never the limit where there is none at all.
    pub client_link: Option<NamedLine>,
    /// Link behind it that all share, which is the server's.
    pub server_link: Option<NamedLine>,
    /// Bytes that a link passes at once after a pause, beyond its rate.
    pub bucket_bytes: u64,
}

/// What each client does over and over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordJob {
    /// Whether records are written; else they are read.
    pub writes: bool,
    /// Bytes of a record, which is a call.
    pub record_bytes: u64,
    /// Calls of each client before those that count.
    pub warm_up: u64,
    /// Calls of all clients together that count.
    pub calls: u64,
}

/// What calls of all clients came to.
#[derive(Clone, Debug)]
pub struct RecordResult {
    /// How long they took, seconds.
    pub seconds: f64,
    /// What each took, in the order of their ends.
    pub times: Times,
    /// Links, and the machine's processors.
    pub resources: Vec<Resource>,
}

/// What takes place. A call has the number of its client.
#[derive(Clone, Copy, Debug)]
enum Event {
    Remote(RemoteEvent),
    /// The server is woken for a call that has come.
    ServerWakes {
        call: u32,
    },
    /// A client is woken for the answer.
    ClientWakes {
        call: u32,
    },
}

impl From<RemoteEvent> for Event {
    fn from(event: RemoteEvent) -> Self {
        Self::Remote(event)
    }
}

struct Simulation<'s> {
    system: &'s UserSpaceSystem,
    message: Message,
    /// Bytes of files in a call, and in an answer.
    payload: [u64; 2],
    network: Network,
    processors: Station,
    queue: EventQueue<Event>,
    /// By client: when its call was begun, and how many it has made.
    began_ns: Vec<u64>,
    made: Vec<u64>,
}

/// Simulates a job.
#[must_use]
pub fn simulate_user_space(system: &UserSpaceSystem, job: RecordJob) -> RecordResult {
    let wire = Wire::of(system.mount);
    let (message, payload) = match job.writes {
        true => (wire.write(job.record_bytes, true), [job.record_bytes, 0]),
        false => (wire.read(job.record_bytes), [0, job.record_bytes]),
    };
    let clients = system.clients.max(1);
    let simulation = Simulation {
        system,
        message,
        payload,
        network: network(system, clients),
        processors: Station::new(system.processors),
        queue: EventQueue::default(),
        began_ns: vec![0; clients],
        made: vec![0; clients],
    };
    simulation.run(job)
}

impl Simulation<'_> {
    fn run(mut self, job: RecordJob) -> RecordResult {
        let mut times = Times::default();
        let (mut counted_ns, mut last_ns) = (None, 0);
        for client in 0..self.made.len() as u32 {
            self.begin(0, client);
        }
        while times.count() < job.calls.max(1)
            && let Some((now_ns, event)) = self.queue.pop()
        {
            let Some(client) = self.handle(now_ns, event) else {
                continue;
            };
            let place = client as usize;
            if counted_ns.is_some() {
                times.record((now_ns - self.began_ns[place]) as f64 / 1e3);
                last_ns = now_ns;
            } else if self.made.iter().all(|&made| made >= job.warm_up) {
                counted_ns = Some(now_ns);
                self.network.count_anew();
                self.processors.count_anew();
            }
            self.begin(now_ns, client);
        }
        let length_ns = last_ns.saturating_sub(counted_ns.unwrap_or_default());
        let mut resources = self.network.resources(length_ns);
        resources.push(self.processors.resource("processors", length_ns));
        RecordResult {
            seconds: length_ns as f64 / 1e9,
            times,
            resources,
        }
    }

    /// A client makes its next call.
    fn begin(&mut self, now_ns: u64, client: u32) {
        self.began_ns[client as usize] = now_ns;
        let costs = self.system.client_costs;
        let work_ns = costs.call_ns + costs.sent_bytes_ns(self.payload[0]);
        let done_ns = self.processors.serve(now_ns, work_ns);
        self.queue.at(done_ns, RemoteEvent::Sends { call: client });
    }

    /// Something takes place; the client whose call is over.
    fn handle(&mut self, now_ns: u64, event: Event) -> Option<u32> {
        let Message {
            call_bytes,
            answer_bytes,
            ..
        } = self.message;
        match event {
            Event::Remote(RemoteEvent::LinkFree { way }) => {
                self.network.free(now_ns, way, &mut self.queue);
            }
            Event::Remote(RemoteEvent::Comes { burst }) => self.come(now_ns, burst),
            Event::Remote(RemoteEvent::Sends { call }) => {
                self.send(now_ns, (call, Direction::ToServer), call_bytes);
            }
            Event::ServerWakes { call } => self.serve(now_ns, call),
            Event::Remote(RemoteEvent::Answers { call }) => {
                self.send(now_ns, (call, Direction::ToClient), answer_bytes);
            }
            Event::ClientWakes { call } => self.take(now_ns, call),
            Event::Remote(RemoteEvent::Ends { call }) => {
                self.made[call as usize] += 1;
                return Some(call);
            }
            // Nothing is on disks, and no thread goes on with a call.
            Event::Remote(
                RemoteEvent::Works { .. } | RemoteEvent::Disk { .. } | RemoteEvent::Flusher { .. },
            ) => {}
        }
        None
    }

    fn send(&mut self, now_ns: u64, (call, direction): (u32, Direction), bytes: u64) {
        let way = (call as usize, direction);
        self.network
            .send(now_ns, way, (call, bytes), &mut self.queue);
    }

    /// A part of a message has come; who waits for the whole one is woken.
    fn come(&mut self, now_ns: u64, burst: u32) {
        let arrival = self.network.comes(now_ns, burst, &mut self.queue);
        let Some(Arrival { call, direction }) = arrival else {
            return;
        };
        let wakes = match direction {
            Direction::ToServer => Event::ServerWakes { call },
            Direction::ToClient => Event::ClientWakes { call },
        };
        self.queue.at(now_ns + self.system.wake_ns, wakes);
    }

    /// The server does what a call asks for.
    fn serve(&mut self, now_ns: u64, call: u32) {
        let costs = self.system.server_costs;
        let [received, sent] = self.payload;
        let bytes_ns = costs.received_bytes_ns(received) + costs.sent_bytes_ns(sent);
        let done_ns = self.processors.serve(now_ns, costs.call_ns + bytes_ns);
        self.queue.at(done_ns, RemoteEvent::Answers { call });
    }

    /// A client takes what its answer brings.
    fn take(&mut self, now_ns: u64, call: u32) {
        let work_ns = self.system.client_costs.received_bytes_ns(self.payload[1]);
        let done_ns = match work_ns {
            0 => now_ns,
            _ => self.processors.serve(now_ns, work_ns),
        };
        self.queue.at(done_ns, RemoteEvent::Ends { call });
    }
}

/// Each client's own link, and the one that all share.
fn network(system: &UserSpaceSystem, clients: usize) -> Network {
    let of_clients = system.client_link.iter().flat_map(|link| {
        (1..=clients).map(move |number| NamedLine {
            name: format!("{} {number}", link.name),
            line: link.line,
        })
    });
    let links: Vec<NamedLine> = of_clients.chain(system.server_link.clone()).collect();
    let shared = system.server_link.is_some().then(|| links.len() - 1);
    let has_own = system.client_link.is_some();
    let path = |client: usize| {
        let own = has_own.then_some(client).into_iter();
        own.chain(shared).collect::<Vec<usize>>()
    };
    let paths: Vec<Vec<usize>> = (0..clients).map(path).collect();
    Network::new(&links, &paths).with_buckets(system.bucket_bytes)
}
