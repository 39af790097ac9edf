//! A client of PVFS 1 or OrangeFS that only reads: the calls that opening, reading and closing files take, round by round. It caches no data.
//!
//! A flow of OrangeFS and its buffers are one call here, and so are a read of PVFS 1 and its chunks. What servers would pass on to others, the client
//! asks these, as many at a time. Costs of receive buffers and daemons of FUSE are not followed.

use std::ops::Range;

use hotset_cache::PAGE_BYTES;

use super::call::Step;
use super::metadata::{Known, Naming};
use super::striping::Striping;
use super::system::{OrangeFs, Protocol};
use super::wire::{self, Bytes};
use crate::remote::file_server::Work;
use crate::remote::nfs::FileCall;
use crate::remote::rounds::{RoundCall, ServedFile};

/// What one of the servers has of a parallel file system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParallelPart {
    /// How it is spoken to.
    pub protocol: Protocol,
    /// How files are divided.
    pub striping: Striping,
    /// Servers that have data, the first of all, and the number of the one that has the metadata.
    pub data_servers: usize,
    /// The latter.
    pub metadata: usize,
    /// The number of this server.
    pub place: usize,
}

impl ParallelPart {
    fn servers(&self) -> u32 {
        self.data_servers.max(1) as u32
    }

    /// The server that has this place among those of a file. Files begin on one server after the other.
    fn server_at(&self, number: u32, place: u32) -> u32 {
        (number % self.servers() + place) % self.servers()
    }

    /// Bytes, in whole pages, that its server has of a file with so many bytes.
    pub(crate) fn stored_bytes(&self, number: u32, bytes: u64) -> u64 {
        let (servers, server) = (self.servers(), self.place as u32);
        let place = (server + servers - number % servers) % servers;
        match server < servers && place < self.striping.stripes {
            true => self.striping.bytes_at(bytes, place).div_ceil(PAGE_BYTES) * PAGE_BYTES,
            false => 0,
        }
    }
}

/// What a client knows of the files of a store.
pub(crate) struct ParallelReadMount {
    part: ParallelPart,
    /// By the client's own number, and what it knows of each.
    files: Vec<ServedFile>,
    known: Vec<Known>,
}

impl ParallelReadMount {
    /// Of these files, of which nothing is known.
    pub fn new(part: &ParallelPart, files: Vec<ServedFile>) -> Self {
        Self {
            part: *part,
            known: vec![Known::default(); files.len()],
            files,
        }
    }

    /// Calls that opening a file takes.
    pub fn open(&mut self, now_ns: u64, file: u32) -> Vec<RoundCall> {
        self.name(now_ns, file, Naming::Open)
    }

    /// Calls that closing it takes.
    pub fn close(&mut self, now_ns: u64, file: u32) -> Vec<RoundCall> {
        self.name(now_ns, file, Naming::Close)
    }

    fn name(&mut self, now_ns: u64, file: u32, naming: Naming) -> Vec<RoundCall> {
        let part = self.part;
        let number = self.files[file as usize].number;
        let bytes = match part.protocol {
            Protocol::Pvfs1(_) => wire::MANAGER,
            Protocol::OrangeFs(_) => wire::METADATA,
        };
        let known = &mut self.known[file as usize];
        let steps = known.steps(now_ns, naming, &part.protocol);
        let mut calls: Vec<RoundCall> = Vec::new();
        let mut round = 0;
        let mut ask = |round: u32, name: &'static str, server: u32| {
            calls.push(plain(round, server, (name, bytes), Work::Nothing));
        };
        for step in steps {
            match *step {
                Step::Metadata(name) => {
                    ask(round, name, part.metadata as u32);
                    round += 1;
                }
                Step::Tree(name) => {
                    // The first asks two others, and each of them two more.
                    let (mut first, mut count) = (0, 1);
                    while first < part.striping.stripes {
                        let end = (first + count).min(part.striping.stripes);
                        for place in first..end {
                            ask(round, name, part.server_at(number, place));
                        }
                        round += 1;
                        (first, count) = (end, 2 * count);
                    }
                }
            }
        }
        calls
    }

    /// Calls that bring these bytes of a file.
    pub fn read(&mut self, file: u32, bytes: Range<u64>) -> Vec<RoundCall> {
        let part = self.part;
        let number = self.files[file as usize].number;
        let parts: Vec<(u32, Range<u64>)> = part.striping.parts(bytes).collect();
        let is_small = |options: &OrangeFs| {
            let mut parts = parts.iter();
            parts.all(|(_, it)| wire::is_small(options, false, it.end - it.start))
        };
        let call = |(place, bytes): &(u32, Range<u64>)| {
            let server = part.server_at(number, *place);
            let count = bytes.end - bytes.start;
            let work = pages(number, bytes);
            match &part.protocol {
                Protocol::Pvfs1(_) => {
                    let strip_bytes = part.striping.strip_bytes.max(1);
                    let chunks = (bytes.end - 1) / strip_bytes - bytes.start / strip_bytes + 1;
                    let answer = chunks * wire::pvfs1_chunk(0).answer + count;
                    let bytes = Bytes {
                        answer,
                        ..wire::PVFS1_READ
                    };
                    plain(0, server, ("read", bytes), work)
                }
                Protocol::OrangeFs(options) if is_small(options) => {
                    let bytes = wire::small(false, count);
                    plain(0, server, ("small-read", bytes), work)
                }
                Protocol::OrangeFs(options) => {
                    let bytes = Bytes {
                        answer: wire::FLOW.answer + count,
                        ..wire::FLOW
                    };
                    let buffers = count.div_ceil(options.flow_buffer_bytes.max(1));
                    RoundCall {
                        client_ns: buffers * options.client_buffer_ns,
                        server_ns: buffers * options.server_buffer_ns,
                        ..plain(0, server, ("read", bytes), work)
                    }
                }
            }
        };
        parts.iter().map(call).collect()
    }

    /// Something that was wanted of a file has failed: nothing of it is known any more.
    pub fn forget(&mut self, file: u32) {
        self.known[file as usize] = Known::default();
    }
}

/// Bytes of a server's file are read, in whole pages.
fn pages(file: u32, bytes: &Range<u64>) -> Work {
    let offset = bytes.start / PAGE_BYTES * PAGE_BYTES;
    Work::Read {
        file,
        offset,
        bytes: bytes.end.div_ceil(PAGE_BYTES) * PAGE_BYTES - offset,
    }
}

fn plain(round: u32, server: u32, (name, bytes): (&'static str, Bytes), work: Work) -> RoundCall {
    RoundCall {
        round,
        server,
        call: FileCall {
            name,
            call_bytes: bytes.request,
            answer_bytes: bytes.answer,
            work,
            is_in_turn: false,
        },
        client_ns: 0,
        server_ns: 0,
    }
}
