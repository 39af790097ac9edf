//! The nets of reading and of writing a file of PVFS 1, and what may be set of them.

use hotset_petri::nets::{Entry, Parameter, Values};
use hotset_petri::{Net, NetError};

use super::super::parameters::{self, BLOCK, FILE, RANDOM, REPEATS};
use super::client::{ClientPlaces, client, payload_creation};
use super::job::ParallelJob;
use super::network::{receiving, sending};
use super::server::{segmentation, server};
use super::tokens::Packet;
use crate::remote::pvfs::{ReceiveCost, Striping};

const COUNT: Parameter = Parameter {
    name: "clients",
    default: 1.0,
    about: "programs on a machine each, with a file each",
    least: 1.0,
    below: 9.0,
    whole: true,
    rule: "a whole number from 1 to 8",
};

const PARAMETERS: &[Parameter] = &[
    FILE,
    Parameter {
        about: "what the program reads or writes at a time",
        ..BLOCK
    },
    Parameter {
        about: "1: blocks are read or written in a random order",
        ..RANDOM
    },
    REPEATS,
    COUNT,
    Parameter {
        name: "servers",
        default: 4.0,
        about: "servers, which all have a part of each file",
        ..COUNT
    },
    parameters::bytes(
        "strip_bytes",
        65536.0,
        "a strip, which PVFS 1 calls a stripe",
    ),
    parameters::cost("call_us", 15.0, "a call, at each end"),
    parameters::cost("byte_ns", 0.25, "a byte, at each end"),
    parameters::cost("receive_us", 0.01, "taking a packet into a receive buffer"),
    parameters::choice(
        "linear",
        0.0,
        "1: that is for each packet that the buffer holds then",
    ),
    parameters::cost("wire_us", 50.0, "how long a packet is on the wire"),
];

pub(crate) const READ: Entry = Entry {
    name: "pvfs-read",
    about: "a file of PVFS 1 read by several clients from the memory of several servers",
    parameters: PARAMETERS,
    build: build_read,
};

pub(crate) const WRITE: Entry = Entry {
    name: "pvfs-write",
    about: "a file of PVFS 1 written by several clients into the memory of several servers",
    parameters: PARAMETERS,
    build: build_write,
};

fn build_read(values: &Values<'_>) -> Result<Net, NetError> {
    parallel(&job("pvfs-read", values)?)
}

fn build_write(values: &Values<'_>) -> Result<Net, NetError> {
    parallel(&ParallelJob {
        writes: true,
        ..job("pvfs-write", values)?
    })
}

/// What the values come to, read.
fn job(net: &'static str, values: &Values<'_>) -> Result<ParallelJob, NetError> {
    let whole = |name| values.get(name) as u64;
    let ns = |name| (values.get(name) * 1e3) as u64;
    let (file_bytes, block_bytes) = (whole("file_bytes"), whole("block_bytes"));
    let (servers, receive_ns) = (whole("servers") as u32, ns("receive_us"));
    Ok(ParallelJob {
        writes: false,
        offsets: parameters::offsets(net, file_bytes, block_bytes, whole("random") == 1)?,
        block_bytes,
        repeats: whole("repeats") == 1,
        clients: whole("clients") as u32,
        servers,
        striping: Striping {
            strip_bytes: whole("strip_bytes"),
            stripes: servers,
        },
        call_ns: ns("call_us"),
        ns_per_byte: values.get("byte_ns"),
        receive: match whole("linear") {
            0 => ReceiveCost::Constant(receive_ns),
            _ => ReceiveCost::Linear(receive_ns),
        },
        delay_ns: ns("wire_us"),
    })
}

/// The net of a job.
///
/// # Errors
/// None that a job can cause: what the engine says of a net.
pub fn parallel(job: &ParallelJob) -> Result<Net, NetError> {
    let name = if job.writes { WRITE.name } else { READ.name };
    Net::build(name, |page| {
        let places = ClientPlaces::new(page, job.clients);
        let mut at_servers = Vec::new();
        for number in 1..=job.servers {
            at_servers.push(page.fifo::<Packet>(&format!("packets at server {number}"), []));
        }
        let answers = page.fifo::<Packet>("answers", []);
        // What has data is divided: requests that write, or answers to those that read.
        let (undivided, name) = match job.writes {
            true => (&places.sent, "packets to servers"),
            false => (&answers, "packets to clients"),
        };
        let divided = page.fifo::<Packet>(name, []);
        let (requests, back) = match job.writes {
            true => (&divided, &answers),
            false => (&places.sent, &divided),
        };
        for number in 0..job.clients {
            client(page, job, number, &places);
        }
        payload_creation(page, job, &places);
        segmentation(page, undivided, &divided);
        sending(page, job.delay_ns, requests, &at_servers);
        for (number, came) in at_servers.iter().enumerate() {
            server(page, job, number, (came, &answers));
        }
        receiving(page, job.delay_ns, back, &places.came);
    })
}
