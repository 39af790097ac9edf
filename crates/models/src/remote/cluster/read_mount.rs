//! A client of Lustre, GlusterFS or MooseFS that only reads: what it knows of each file, and the calls that it makes, round by round. Its page cache is followed elsewhere.
//!
//! What becomes of calls to a server that keeps silent differs. Lustre asks again until the server is there. MooseFS does so thirty times, and
//! asks the server of another copy where there is one. A distributed volume of GlusterFS fails, and a dispersed one goes on without as many bricks as it
//! may lose.
//!
//! Not followed: what daemons read ahead, and that requests for a file which overlap have an open of it each.

use std::ops::Range;

use super::access::Access;
use super::call::Script;
use super::gluster::{self, Kept};
use super::known::Known;
use super::layout::Layout;
use super::lustre::{self, Locks};
use super::moose;
use super::system::{ClusterPart, ClusterProtocol};
use crate::remote::file_server::Work;
use crate::remote::nfs::FileCall;
use crate::remote::pvfs::Naming;
use crate::remote::rounds::{RoundCall, ServedFile, Unanswered};

/// How often MooseFS asks before it gives up (`mfsioretries`).
const MOOSE_TRIES: u32 = 30;
/// How often Lustre does in a quarter of an hour. A run would not end if it went on for ever.
const LUSTRE_TRIES: u32 = 36;

/// What a client knows of the files of a store.
pub(crate) struct ClusterReadMount {
    protocol: ClusterProtocol,
    layout: Layout,
    /// By the client's own number, and what it knows of each.
    files: Vec<ServedFile>,
    known: Vec<Known>,
    /// Of GlusterFS.
    kept: Kept,
    /// Of Lustre.
    locks: Locks,
}

impl ClusterReadMount {
    /// Of these files, of which nothing is known. The servers have `count` files.
    pub fn new(part: &ClusterPart, count: usize, files: Vec<ServedFile>) -> Self {
        let protocol = without_read_ahead(part.protocol);
        let layout = Layout::new(&protocol, part.servers, (count, 1));
        Self {
            known: vec![Known::default(); files.len()],
            kept: Kept::default(),
            locks: match protocol {
                ClusterProtocol::Lustre(_) => Locks::new(&layout),
                ClusterProtocol::GlusterFs(_) | ClusterProtocol::MooseFs(_) => Locks::default(),
            },
            protocol,
            layout,
            files,
        }
    }

    /// Calls with data that it may have under way with a server at a time; any number where none is given.
    pub fn calls_in_flight(&self) -> Option<u32> {
        match self.protocol {
            ClusterProtocol::Lustre(options) => Some(options.calls_in_flight.max(1)),
            ClusterProtocol::GlusterFs(_) | ClusterProtocol::MooseFs(_) => None,
        }
    }

    /// What a request of the kernel for so many bytes costs its daemon, nanoseconds.
    pub fn daemon_ns(&self, bytes: u64) -> u64 {
        self.protocol.daemon_ns(bytes)
    }

    fn access(&self, now_ns: u64, file: u32) -> Access {
        let of = self.files[file as usize];
        Access {
            now_ns,
            client: 0,
            file,
            number: of.number,
            size: of.bytes,
            version: 0,
            layout: self.layout,
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
        let (access, mut script) = (self.access(now_ns, file), Script::default());
        let known = &mut self.known[file as usize];
        match &self.protocol {
            ClusterProtocol::Lustre(_) => {
                lustre::naming(&access, naming, &mut self.locks, &mut script);
            }
            ClusterProtocol::GlusterFs(options) => {
                let both = (known, &mut self.kept);
                gluster::naming(options, &access, naming, both, &mut script);
            }
            ClusterProtocol::MooseFs(options) => {
                moose::naming(options, &access, naming, known, &mut script);
            }
        }
        rounds(script)
    }

    /// Calls that bring these bytes of a file. None where the client's daemon has them.
    pub fn read(&mut self, now_ns: u64, file: u32, bytes: Range<u64>) -> Vec<RoundCall> {
        let (access, mut script) = (self.access(now_ns, file), Script::default());
        if bytes.is_empty() {
            return Vec::new();
        }
        let known = &mut self.known[file as usize];
        // Nothing is read ahead.
        let _ahead = match &self.protocol {
            ClusterProtocol::Lustre(options) => {
                let at = (options, &access);
                let locks = &mut self.locks;
                lustre::lock(at, (&bytes, false), locks, &mut [], &mut script);
                lustre::data(at, (bytes, false), &mut script);
                0..0
            }
            ClusterProtocol::GlusterFs(options) => {
                let cached = (known, &mut self.kept);
                let ahead = gluster::read(options, &access, bytes, cached, &mut script);
                for (file, page) in gluster::dropped(options, &mut self.kept) {
                    self.known[file as usize].kept.remove(&page);
                }
                ahead
            }
            ClusterProtocol::MooseFs(options) => {
                moose::read(options, &access, bytes, known, &mut script)
            }
        };
        rounds(script)
    }

    /// Something that was wanted of a file has failed: nothing of it is known any more.
    pub fn forget(&mut self, file: u32) {
        self.known[file as usize] = Known::default();
        self.kept.forget(file);
    }

    /// What becomes of a call to a server that keeps silent, which was made so often before. Of its round, so many were not answered and not needed.
    pub fn unanswered(
        &self,
        (server, call): (u32, FileCall),
        (tries, missing): (u32, u32),
    ) -> Unanswered {
        match &self.protocol {
            ClusterProtocol::Lustre(_) if tries >= LUSTRE_TRIES => Unanswered::Waits,
            ClusterProtocol::Lustre(_) => Unanswered::Asks(server, call),
            ClusterProtocol::GlusterFs(options) if missing >= options.redundancy => {
                Unanswered::Fails
            }
            ClusterProtocol::GlusterFs(options) => {
                self.without_brick(options.redundancy, server, call)
            }
            ClusterProtocol::MooseFs(_) if tries >= MOOSE_TRIES => Unanswered::Fails,
            ClusterProtocol::MooseFs(_) => self.of_other_copy(server, call),
        }
    }

    /// Another brick of a dispersed volume is read in place of one; no other call needs all of them.
    fn without_brick(&self, redundancy: u32, brick: u32, call: FileCall) -> Unanswered {
        let Work::Read { file, .. } = call.work else {
            return Unanswered::GoesOn;
        };
        let layout = &self.layout;
        let first = layout.server_at(file, 0, 0);
        let place = (brick + layout.servers - first) % layout.servers;
        if place >= layout.fragments {
            return Unanswered::Fails;
        }
        let spare = layout.fragments + place % redundancy.max(1);
        Unanswered::Asks(layout.server_at(file, 0, spare), call)
    }

    /// The server of the next copy is asked, where there are copies.
    fn of_other_copy(&self, server: u32, call: FileCall) -> Unanswered {
        let Work::Read {
            file,
            offset,
            bytes,
        } = call.work
        else {
            return Unanswered::Asks(server, call);
        };
        let layout = &self.layout;
        let (copy, number) = (file / layout.all_files(), file % layout.all_files());
        let next = (copy + 1) % layout.copies;
        let servers = layout.servers;
        let work = Work::Read {
            file: layout.stored_number(number, next),
            offset,
            bytes,
        };
        let server = (server + servers - copy % servers + next % servers) % servers;
        Unanswered::Asks(server, FileCall { work, ..call })
    }
}

/// What a client reads ahead is not waited for by anybody here, so it reads nothing ahead.
fn without_read_ahead(protocol: ClusterProtocol) -> ClusterProtocol {
    let mut protocol = protocol;
    match &mut protocol {
        // What Lustre reads ahead, the page cache asks for.
        ClusterProtocol::Lustre(_) => {}
        ClusterProtocol::GlusterFs(options) => options.read_ahead_bytes = 0,
        ClusterProtocol::MooseFs(options) => options.read_ahead_bytes = 0,
    }
    protocol
}

fn rounds(script: Script) -> Vec<RoundCall> {
    let asks = script.asks.into_iter();
    let calls = asks.map(|ask| RoundCall {
        round: ask.round,
        server: ask.server,
        call: FileCall {
            name: ask.name,
            call_bytes: ask.bytes.request,
            answer_bytes: ask.bytes.answer,
            work: ask.work,
            is_in_turn: false,
        },
        client_ns: 0,
        server_ns: 0,
    });
    calls.collect()
}
