//! What clients want, where they have it in memory, and what they do by themselves: reading ahead and writing behind.

use std::ops::Range;

use super::access::Access;
use super::ahead::FileAhead;
use super::call::{NONE, Operation, Script};
use super::known::Known;
use super::store::{ClusterStore, Wanted};
use super::system::{ClusterProtocol, GlusterFs};
use super::{gluster, lustre, moose};
use crate::calendar::Calendar;
use crate::remote::event::RemoteEvent;
use crate::remote::pvfs::{Naming, Processors};

/// MooseFS: what is written is sent once there is so much of a file, or when it is closed or synced. Assumed: its threads begin sooner.
const MOOSE_BEHIND_BYTES: u64 = 1 << 20;

/// A client and a file of it.
type Of = (u32, u32);

impl ClusterStore {
    fn access(&self, now_ns: u64, (client, file): Of) -> Access {
        let number = self.layout.number(client, file);
        Access {
            now_ns,
            client,
            file,
            number,
            size: self.size(file),
            version: self.versions[number as usize],
            layout: self.layout,
        }
    }

    fn known(&mut self, (client, file): Of) -> &mut Known {
        &mut self.known[client as usize][file as usize]
    }

    /// What a request of the kernel for so many bytes costs the client's daemon, if it has one.
    fn daemon_ns(&self, bytes: u64) -> u64 {
        self.protocol.daemon_ns(bytes)
    }

    /// Dirty bytes of a file that are written at once when there are so many.
    fn behind_bytes(&self) -> u64 {
        match self.protocol {
            ClusterProtocol::Lustre(options) => options
                .call_bytes
                .saturating_mul(u64::from(self.layout.striping.stripes)),
            // As much as write-behind puts together (`WB_AGGREGATE_SIZE`).
            ClusterProtocol::GlusterFs(_) => GlusterFs::PAGE_BYTES,
            ClusterProtocol::MooseFs(_) => MOOSE_BEHIND_BYTES,
        }
    }

    /// How a file of so many bytes is read ahead by the kernel.
    fn usual_ahead(protocol: &ClusterProtocol, file_bytes: u64) -> FileAhead {
        match protocol {
            ClusterProtocol::Lustre(options) => FileAhead::lustre(options, file_bytes),
            ClusterProtocol::GlusterFs(_) | ClusterProtocol::MooseFs(_) => FileAhead::kernel(),
        }
    }

    /// A client wants bytes of a file to be read or written.
    pub fn begin_access(
        &mut self,
        now_ns: u64,
        user: (u32, u32),
        wanted: Wanted,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = (user.0, wanted.file);
        match (self.has_memory && !wanted.is_direct, wanted.writes) {
            (true, false) => {
                self.read_cached(now_ns, user, (of, wanted.bytes), processors, calendar);
            }
            (true, true) => {
                self.write_cached(now_ns, user, (of, wanted.bytes), processors, calendar);
            }
            (false, _) => self.pass(now_ns, user, wanted, processors, calendar),
        }
    }

    /// An operation that a program waits for begins, and ends when all it needs is done.
    fn begin_for(
        &mut self,
        now_ns: u64,
        ((client, user), file): ((u32, u32), u32),
        script: Script,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let operation = Operation {
            client,
            user,
            file,
            is_own: false,
            left: 0,
        };
        let number = self.begin(now_ns, operation, script, processors, calendar);
        self.settle(now_ns, number, processors, calendar);
    }

    /// Past what is followed here of the client's memory.
    fn pass(
        &mut self,
        now_ns: u64,
        user: (u32, u32),
        wanted: Wanted,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = (user.0, wanted.file);
        let mut script = Script::default();
        if self.has_memory {
            self.flush(now_ns, of, &mut script);
            if wanted.writes {
                self.known(of).pages.drop_clean();
            }
        }
        let bytes = wanted.bytes.end - wanted.bytes.start;
        script.own_ns += self.daemon_ns(bytes);
        let request = (wanted.bytes, wanted.writes);
        let ahead = self.request(now_ns, of, request, &mut script);
        if !self.has_memory && script.asks.is_empty() {
            // Whoever waits is told later.
            script.own_ns = script.own_ns.max(1);
        }
        self.begin_for(now_ns, (user, wanted.file), script, processors, calendar);
        self.fetch_ahead(now_ns, of, (ahead, false), processors, calendar);
    }

    fn read_cached(
        &mut self,
        now_ns: u64,
        user: (u32, u32),
        (of, bytes): (Of, Range<u64>),
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let (size, most_bytes, protocol) =
            (self.size(of.1), self.protocol.most_bytes(), self.protocol);
        let known = self.known(of);
        let mut script = Script::default();
        script.waits.extend(known.brings(&bytes));
        let usual = || Self::usual_ahead(&protocol, size);
        let fetched = known.read(bytes, size, most_bytes, usual);
        self.clients[of.0 as usize].found_pages += fetched.found;
        let mut aheads = Vec::new();
        for piece in fetched.needed {
            script.own_ns += self.daemon_ns(piece.end - piece.start);
            aheads.push(self.request(now_ns, of, (piece, false), &mut script));
        }
        self.begin_for(now_ns, (user, of.1), script, processors, calendar);
        for piece in fetched.ahead {
            self.fetch_ahead(now_ns, of, (piece, true), processors, calendar);
        }
        for bytes in aheads {
            self.fetch_ahead(now_ns, of, (bytes, false), processors, calendar);
        }
    }

    /// Bytes are fetched that nobody waits for yet: the kernel asks for them, or the daemon does.
    fn fetch_ahead(
        &mut self,
        now_ns: u64,
        of: Of,
        (bytes, asks_kernel): (Range<u64>, bool),
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        if bytes.is_empty() {
            return;
        }
        let mut script = Script::default();
        let further = match asks_kernel {
            true => {
                script.own_ns += self.daemon_ns(bytes.end - bytes.start);
                self.request(now_ns, of, (bytes.clone(), false), &mut script)
            }
            false => {
                self.fetch(now_ns, of, bytes.clone(), &mut script);
                0..0
            }
        };
        let number = self.begin_own(now_ns, of, script, processors, calendar);
        self.known(of).coming.push((bytes, number));
        self.settle(now_ns, number, processors, calendar);
        self.fetch_ahead(now_ns, of, (further, false), processors, calendar);
    }

    /// An operation of the client itself begins. It is to be settled.
    fn begin_own(
        &mut self,
        now_ns: u64,
        (client, file): Of,
        script: Script,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) -> u32 {
        let operation = Operation {
            client,
            user: NONE,
            file,
            is_own: true,
            left: 0,
        };
        self.begin(now_ns, operation, script, processors, calendar)
    }

    fn write_cached(
        &mut self,
        now_ns: u64,
        user: (u32, u32),
        (of, bytes): (Of, Range<u64>),
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let access = self.access(now_ns, of);
        let mut script = Script::default();
        if let ClusterProtocol::Lustre(options) = self.protocol {
            let (locks, clients) = (&mut self.locks, &mut self.known);
            lustre::lock(
                (&options, &access),
                (&bytes, true),
                locks,
                clients,
                &mut script,
            );
        }
        script.own_ns += self.daemon_ns(bytes.end - bytes.start);
        self.known(of).write(bytes, access.size);
        self.begin_for(now_ns, (user, of.1), script, processors, calendar);
        let dirty_bytes = self.known(of).dirty_bytes;
        if dirty_bytes >= self.behind_bytes() {
            self.write_behind(now_ns, of, processors, calendar);
        }
    }

    /// What is dirty of a file is written. Nobody waits for it yet.
    fn write_behind(
        &mut self,
        now_ns: u64,
        of: Of,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let mut script = Script::default();
        for bytes in self.known(of).take_dirty() {
            self.request(now_ns, of, (bytes, true), &mut script);
        }
        let number = self.begin_own(now_ns, of, script, processors, calendar);
        self.known(of).behind.push(number);
        self.settle(now_ns, number, processors, calendar);
    }

    /// What is dirty of a file is written, and what is being written is waited for.
    fn flush(&mut self, now_ns: u64, of: Of, script: &mut Script) {
        let known = self.known(of);
        script.waits.extend(&known.behind);
        script.waits_first = true;
        for bytes in known.take_dirty() {
            self.request(now_ns, of, (bytes, true), script);
        }
        script.then();
    }

    /// The client's file system is asked for bytes. What it fetches ahead of them.
    fn request(
        &mut self,
        now_ns: u64,
        of: Of,
        (bytes, writes): (Range<u64>, bool),
        script: &mut Script,
    ) -> Range<u64> {
        if bytes.is_empty() {
            return 0..0;
        }
        if writes {
            self.note_write(of);
        }
        let access = self.access(now_ns, of);
        let (client, file) = (of.0 as usize, of.1 as usize);
        script.waits.extend(self.known(of).brings(&bytes));
        match self.protocol {
            ClusterProtocol::Lustre(options) => {
                let at = (&options, &access);
                let (locks, clients) = (&mut self.locks, &mut self.known);
                lustre::lock(at, (&bytes, writes), locks, clients, script);
                lustre::data(at, (bytes, writes), script);
                0..0
            }
            ClusterProtocol::GlusterFs(options) => {
                let known = &mut self.known[client][file];
                let kept = &mut self.clients[client].kept;
                if writes {
                    gluster::write(&access, bytes, (known, kept), script);
                    return 0..0;
                }
                let ahead = gluster::read(&options, &access, bytes, (known, &mut *kept), script);
                for (file, page) in gluster::dropped(&options, kept) {
                    self.known[client][file as usize].kept.remove(&page);
                }
                ahead
            }
            ClusterProtocol::MooseFs(options) => {
                let known = &mut self.known[client][file];
                if writes {
                    moose::write(&access, bytes, known, script);
                    return 0..0;
                }
                moose::read(&options, &access, bytes, known, script)
            }
        }
    }

    /// A client's daemon fetches bytes ahead.
    fn fetch(&mut self, now_ns: u64, of: Of, bytes: Range<u64>, script: &mut Script) {
        let (access, protocol) = (self.access(now_ns, of), self.protocol);
        let known = self.known(of);
        match protocol {
            ClusterProtocol::GlusterFs(_) => gluster::fetch(&access, bytes, known, script),
            ClusterProtocol::MooseFs(_) => moose::fetch(&access, bytes, known, script),
            // It has none.
            ClusterProtocol::Lustre(_) => {}
        }
    }

    /// A file is another one for those who have looked at it before, and not for the client that writes it.
    fn note_write(&mut self, of: Of) {
        let number = self.layout.number(of.0, of.1) as usize;
        let before = self.versions[number];
        let after = before.wrapping_add(1);
        self.versions[number] = after;
        let known = self.known(of);
        for version in [&mut known.version, &mut known.kept_version] {
            if *version == before {
                *version = after;
            }
        }
    }

    /// A client wants something of a file's name or attributes.
    pub fn begin_naming(
        &mut self,
        now_ns: u64,
        user: (u32, u32),
        (file, naming): (u32, Naming),
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = (user.0, file);
        let mut script = Script::default();
        script.own_ns += self.daemon_ns(0);
        let is_lustre = matches!(self.protocol, ClusterProtocol::Lustre(_));
        match naming {
            Naming::Flush => self.flush(now_ns, of, &mut script),
            Naming::Close if !is_lustre => self.flush(now_ns, of, &mut script),
            Naming::Unlink => drop(self.known(of).take_dirty()),
            _ => {}
        }
        if matches!(naming, Naming::Open | Naming::Create) {
            let ahead = Self::usual_ahead(&self.protocol, self.size(file));
            self.known(of).open(ahead);
        }
        let access = self.access(now_ns, of);
        let known = &mut self.known[of.0 as usize][of.1 as usize];
        match self.protocol {
            ClusterProtocol::Lustre(_) => {
                lustre::naming(&access, naming, &mut self.locks, &mut script);
            }
            ClusterProtocol::GlusterFs(options) => {
                let kept = &mut self.clients[of.0 as usize].kept;
                gluster::naming(&options, &access, naming, (known, kept), &mut script);
            }
            ClusterProtocol::MooseFs(options) => {
                moose::naming(&options, &access, naming, known, &mut script);
            }
        }
        self.begin_for(now_ns, (user, file), script, processors, calendar);
    }

    /// A client forgets what it has.
    pub fn forget(&mut self, client: u32) {
        for known in &mut self.known[client as usize] {
            known.forget();
            known.is_open = false;
        }
        self.locks.forget(client);
        self.clients[client as usize].kept = gluster::Kept::default();
    }
}
