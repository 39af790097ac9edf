//! "Client" and "payload creation" (figures 41 to 43 and 48 to 50): a loop that reads or writes block by block, and what its machine does for that.

use hotset_petri::{Discipline, Page, Place, Time, Unit, Urgent};

use super::super::tokens::Queue;
use super::job::ParallelJob;
use super::tokens::{Block, Packet};

/// The places between clients and the network.
pub(super) struct ClientPlaces {
    /// Blocks that are wanted, of all clients.
    wanted: Queue<Block>,
    /// Requests, by client, and blocks that wait for data.
    payloads: Vec<Queue<Packet>>,
    waiting: Vec<Queue<Block>>,
    /// Requests that clients have sent.
    pub sent: Queue<Packet>,
    /// Segments that have come, by client.
    pub came: Vec<Queue<Packet>>,
}

impl ClientPlaces {
    pub fn new(page: &mut Page<'_>, clients: u32) -> Self {
        let wanted = page.fifo("block wanted", []);
        let sent = page.fifo("requests", []);
        let mut places = Self {
            wanted,
            payloads: Vec::new(),
            waiting: Vec::new(),
            sent,
            came: Vec::new(),
        };
        for client in 1..=clients {
            let payloads = page.fifo(&format!("payloads of client {client}"), []);
            let waiting = page.fifo(&format!("block under way of client {client}"), []);
            let came = page.fifo(&format!("packets at client {client}"), []);
            places.payloads.push(payloads);
            places.waiting.push(waiting);
            places.came.push(came);
        }
        places
    }
}

/// Adds the making of payloads: a request for each server that has a part of a block.
pub(super) fn payload_creation(page: &mut Page<'_>, job: &ParallelJob, places: &ClientPlaces) {
    page.page("payload creation", |page| {
        let striping = job.striping;
        let made = page.fifo::<Packet>("payloads", []);
        let (servers, writes) = (job.servers, job.writes);
        page.transition("create payloads")
            .take(&places.wanted)
            .put(made.many())
            .urgency(Urgent::HIGH)
            .fire(move |block: Block, _| {
                let parts = striping.parts(block.from..block.end);
                let payload = |(place, part): (u32, std::ops::Range<u64>)| Packet {
                    client: block.client,
                    server: (block.client + place) % servers,
                    packets: packets(writes, part.end - part.start),
                    at: part.start,
                    end: part.end,
                    is_marked: true,
                    receive_ns: 0,
                };
                parts.map(payload).collect::<Vec<Packet>>()
            });
        for (payloads, client) in places.payloads.iter().zip(0u32..) {
            page.transition(&format!("add headers of client {}", client + 1))
                .take(&made)
                .when(move |it: &Packet| it.client == client)
                .put(payloads)
                .urgency(Urgent::HIGH)
                .fire(|packet: Packet, _| packet);
        }
    });
}

/// Adds a client.
pub(super) fn client(page: &mut Page<'_>, job: &ParallelJob, number: u32, all: &ClientPlaces) {
    let place = number as usize;
    let (waiting, came) = (&all.waiting[place], &all.came[place]);
    page.page(&format!("client {}", number + 1), |page| {
        let blocks = job.offsets.iter().map(|&from| Block {
            client: number,
            from,
            end: from + job.block_bytes,
            chunks: job.answers(from),
            asked: Time::ZERO,
        });
        let file = page.fifo("blocks of the file", blocks);
        let idle = page.unit("idle", 1);
        let processor = page.unit("processor is idle", 1);
        page.transition(if job.writes {
            "write next block"
        } else {
            "read next block"
        })
        .take(&file)
        .take(&idle)
        .put(&all.wanted)
        .put(waiting)
        .fire(|block: Block, firing| {
            let asked = firing.now();
            (block, Block { asked, ..block })
        });
        let (call_ns, ns_per_byte, writes) = (job.call_ns, job.ns_per_byte, job.writes);
        page.transition("send packet")
            .take(&all.payloads[place])
            .take(&processor)
            .put(&all.sent)
            .put(&processor)
            .urgency(Urgent::HIGH)
            .fire(move |packet: Packet, firing| {
                let bytes = if writes { packet.end - packet.at } else { 0 };
                let work_ns = call_ns + bytes_ns(bytes, ns_per_byte);
                firing.delay_by(work_ns as f64 / 1e9);
                packet
            });
        let read = receive(page, job, &processor, (came, waiting));
        match job.repeats {
            true => end(page, job, &read, &idle, &file),
            false => {
                let done = page.sink("blocks done");
                end(page, job, &read, &idle, &done);
                end_of_file(page, &idle, &file);
            }
        }
        page.watch_busy("processor", &processor, 1);
    });
}

/// Segments become chunks, and chunks the block.
fn receive(
    page: &mut Page<'_>,
    job: &ParallelJob,
    processor: &Unit,
    (came, waiting): (&Queue<Packet>, &Queue<Block>),
) -> Queue<Block> {
    let chunks = page.fifo::<Packet>("chunks", []);
    let moved = page.fifo::<Packet>("chunks moved", []);
    let read = page.fifo::<Block>("block done", []);
    page.transition("gather segments")
        .take(came)
        .put(chunks.maybe())
        .urgency(Urgent::HIGH)
        .fire(|packet: Packet, _| packet.is_marked.then_some(packet));
    let ns_per_byte = job.ns_per_byte;
    page.transition("move data")
        .take(&chunks)
        .take(processor)
        .put(&moved)
        .put(processor)
        .fire(move |chunk: Packet, firing| {
            firing.delay_by(bytes_ns(chunk.end - chunk.at, ns_per_byte) as f64 / 1e9);
            chunk
        });
    page.transition("assemble block")
        .take(&moved)
        .take(waiting)
        .put(waiting.maybe())
        .put(read.maybe())
        .urgency(Urgent::HIGH)
        .fire(|(_, block): (Packet, Block), _| {
            let block = Block {
                chunks: block.chunks - 1,
                ..block
            };
            match block.chunks {
                0 => (None, Some(block)),
                _ => (Some(block), None),
            }
        });
    read
}

/// The program goes on with the next block.
fn end<D: Discipline<Token = Block>>(
    page: &mut Page<'_>,
    job: &ParallelJob,
    read: &Queue<Block>,
    idle: &Unit,
    to: &Place<D>,
) {
    let response = page.times("response time");
    let job = job.clone();
    let name = if job.writes {
        "block is written"
    } else {
        "block is read"
    };
    page.transition(name)
        .take(read)
        .put(to)
        .put(idle)
        .fire(move |block: Block, firing| {
            firing.record_time(response, firing.now() - block.asked);
            Block {
                chunks: job.answers(block.from),
                asked: Time::ZERO,
                ..block
            }
        });
}

/// The program ends after the last block.
fn end_of_file(page: &mut Page<'_>, idle: &Unit, file: &Queue<Block>) {
    let ended = page.end("ended");
    page.transition("all is done")
        .take(idle)
        .unless(file)
        .put(&ended)
        .done();
}

/// Bytes of a request beside its data, and bytes of a message in a packet of 1500.
const REQUEST_BYTES: u64 = 128;
pub(super) const SEGMENT_BYTES: u64 = 1448;

/// Packets of a request.
fn packets(writes: bool, bytes: u64) -> u64 {
    let bytes = if writes { bytes } else { 0 };
    (REQUEST_BYTES + bytes).div_ceil(SEGMENT_BYTES)
}

/// What so many bytes take a processor, nanoseconds.
pub(super) fn bytes_ns(bytes: u64, ns_per_byte: f64) -> u64 {
    (bytes as f64 * ns_per_byte) as u64
}
