//! The net of reading a file of PVFS 1, and what may be set of it.

use hotset_petri::nets::{Entry, Parameter, Values};
use hotset_petri::{Net, NetError};

use super::super::parameters::{self, BLOCK, FILE, RANDOM};
use super::client::{ClientPlaces, client, payload_creation};
use super::job::ParallelReadJob;
use super::network::{receiving, sending};
use super::server::{segmentation, server};
use super::tokens::Packet;
use crate::remote::pvfs::Striping;

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
    BLOCK,
    RANDOM,
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
    parameters::cost(
        "receive_us",
        1.0,
        "taking a packet into a receive buffer, whatever that holds",
    ),
    parameters::cost("wire_us", 50.0, "how long a packet is on the wire"),
];

pub(in super::super) const ENTRY: Entry = Entry {
    name: "pvfs-read",
    about: "a file of PVFS 1 read by several clients from the memory of several servers",
    parameters: PARAMETERS,
    build,
};

fn build(values: &Values<'_>) -> Result<Net, NetError> {
    let whole = |name| values.get(name) as u64;
    let ns = |name| (values.get(name) * 1e3) as u64;
    let (file_bytes, block_bytes) = (whole("file_bytes"), whole("block_bytes"));
    let servers = whole("servers") as u32;
    pvfs_read(&ParallelReadJob {
        offsets: parameters::offsets("pvfs-read", file_bytes, block_bytes, whole("random") == 1)?,
        block_bytes,
        repeats: true,
        clients: whole("clients") as u32,
        servers,
        striping: Striping {
            strip_bytes: whole("strip_bytes"),
            stripes: servers,
        },
        call_ns: ns("call_us"),
        ns_per_byte: values.get("byte_ns"),
        receive_ns: ns("receive_us"),
        delay_ns: ns("wire_us"),
    })
}

/// The net of a job.
///
/// # Errors
/// None that a job can cause: what the engine says of a net.
pub fn pvfs_read(job: &ParallelReadJob) -> Result<Net, NetError> {
    Net::build("pvfs-read", |page| {
        let places = ClientPlaces::new(page, job.clients);
        let mut at_servers = Vec::new();
        for number in 1..=job.servers {
            at_servers.push(page.fifo::<Packet>(&format!("packets at server {number}"), []));
        }
        let data = page.fifo::<Packet>("data read", []);
        let sent_back = page.fifo::<Packet>("packets to clients", []);
        for number in 0..job.clients {
            client(page, job, number, &places);
        }
        payload_creation(page, job, &places);
        sending(page, job.delay_ns, &places.sent, &at_servers);
        for (number, came) in at_servers.iter().enumerate() {
            server(page, job, number, (came, &data));
        }
        segmentation(page, &data, &sent_back);
        receiving(page, job.delay_ns, &sent_back, &places.came);
    })
}
