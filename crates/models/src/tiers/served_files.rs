//! A file server of web nodes: their files, and the way of their calls.

use std::sync::Arc;

use hotset_cache::PAGE_BYTES;
use hotset_outcome::Resource;
use hotset_petri::Time;

use super::busy::Busy;
use super::inodes::Inodes;
use super::message::PIECE_BYTES;
use super::needs::{Needs, log_bytes, log_number, server_inodes};
use super::result::CacheCounts;
use super::speeds::Speeds;
use super::system::{Export, Files};
use super::traffic::Traffic;
use crate::calendar::Calendar;
use crate::divisor::common_divisor;
use crate::page_cache::StoredFile;
use crate::remote::{FileServer, RemoteEvent, ServerMachine, Work};
use crate::storage::StorageError;

/// The files of a file server. Whoever waits for them is a call.
pub(crate) struct ServedFiles {
    server: FileServer,
    /// What a call costs it.
    call_ns: u64,
    /// Bytes that its disks were asked for when counting began anew, and when that was.
    before_bytes: u64,
    counted_ns: u64,
    /// Of its disks.
    speeds: Speeds,
}

/// Where files are that web nodes use.
#[derive(Clone, Debug)]
pub(crate) struct Placing {
    /// The store of each site, the same for all web nodes.
    pub store_of_site: Arc<[usize]>,
    /// What web nodes take beside the files of sites, by the numbers of nodes; nothing for others.
    pub needs: Arc<[Needs]>,
}

impl Placing {
    /// Bytes of files that a server with these `files` has behind those of the traffic. Those of the system come first, then pages of inodes, then
    /// the log of each node. Nothing where there is none of all that.
    fn own_bytes(&self, files: &Files, inodes: Option<Inodes>, traffic: &Traffic) -> Vec<u64> {
        let is_exported = |store: usize| files.exports.iter().any(|it| it.store == store);
        let systems = self.needs.iter().filter_map(|needs| needs.system);
        let systems = systems.filter(|it| is_exported(it.store));
        let system_bytes = systems.map(|it| it.bytes).max().unwrap_or_default();
        let pages = inodes.map_or(0, Inodes::pages);
        let pages = (0..pages).map(|_| PAGE_BYTES);
        let logs = self.needs.iter().map(|needs| match needs.log {
            Some(store) if is_exported(store) => log_bytes(traffic),
            _ => 0,
        });
        let all = [system_bytes].into_iter().chain(pages).chain(logs);
        let all: Vec<u64> = all.collect();
        match all.iter().all(|bytes| *bytes == 0) {
            true => Vec::new(),
            false => all,
        }
    }
}

/// What takes place at a file server, with how long it is until then.
#[derive(Default)]
pub(crate) struct ServerDelays {
    now_ns: u64,
    pub events: Vec<(Time, RemoteEvent)>,
}

impl ServerDelays {
    pub fn since(now: Time) -> Self {
        Self {
            now_ns: now.nanos(),
            events: Vec::new(),
        }
    }
}

impl Calendar<RemoteEvent> for ServerDelays {
    fn at(&mut self, time_ns: u64, event: RemoteEvent) {
        let after = Time::from_nanos(time_ns.saturating_sub(self.now_ns));
        self.events.push((after, event));
    }
}

/// What a server has of the sites' files: all of them, and as often as there are copies.
fn stored_files(files: &Files, placing: &Placing, traffic: &Traffic) -> Vec<StoredFile<'static>> {
    let export_of = |site: u16| {
        let store = placing.store_of_site.get(usize::from(site)).copied();
        let store = store.unwrap_or_default();
        files.exports.iter().find(|it| it.store == store)
    };
    let count = traffic.files.len();
    let stored = |number: u32, copy: u32| {
        let file = traffic.files[number as usize];
        let bytes = match export_of(file.site) {
            Some(Export { part: None, .. }) if copy == 0 => file.bytes,
            Some(Export {
                part: Some(part), ..
            }) => part.stored_bytes((number, copy), count, file.bytes),
            _ => 0,
        };
        StoredFile {
            store: 0,
            bytes,
            extents: None,
        }
    };
    let parts = files.exports.iter().filter_map(|it| it.part);
    let copies = parts.map(|it| it.copies()).max().unwrap_or(1);
    let mut all = Vec::with_capacity(count * copies as usize);
    for copy in 0..copies {
        all.extend((0..count as u32).map(|number| stored(number, copy)));
    }
    all
}

impl ServedFiles {
    /// With nothing in memory. Files have the numbers of the traffic, and are where `placing` says; `seed` is for what scatters.
    ///
    /// # Errors
    /// Files that are too large to be followed, or for the device.
    pub fn new(
        files: &Files,
        placing: &Placing,
        traffic: &Traffic,
        seed: u64,
    ) -> Result<Self, StorageError> {
        let mut all = stored_files(files, placing, traffic);
        // Where there are copies, nothing else is there.
        let inode_bytes = files.exports.first().and_then(|it| it.inode_bytes);
        let inodes = server_inodes(traffic, inode_bytes);
        let own_bytes = placing.own_bytes(files, inodes, traffic);
        all.extend(own_bytes.iter().map(|&bytes| StoredFile {
            store: 0,
            bytes,
            extents: None,
        }));
        let machine = ServerMachine {
            name: String::new(),
            profile: &files.profile,
            memory_bytes: Some(files.memory_bytes),
            processors: files.processors,
            threads: files.threads,
            is_async: files.is_async,
            costs: files.costs,
        };
        // Of parts, whole pages are read.
        let reads = files.exports.iter().map(|it| match it.part {
            None => it.mount.read_bytes,
            Some(_) => PAGE_BYTES,
        });
        let unit_bytes = reads.fold(PIECE_BYTES, common_divisor);
        let mut server = FileServer::new(&machine, &all, unit_bytes, seed)?;
        // Logs begin with nothing in them.
        let behind = own_bytes.len().saturating_sub(placing.needs.len());
        let logs = own_bytes.iter().skip(behind).enumerate();
        for (web, _) in logs.filter(|(_, bytes)| **bytes > 0) {
            server.empty(log_number(traffic, inodes, web));
        }
        Ok(Self {
            server,
            call_ns: files.costs.call_ns,
            before_bytes: 0,
            counted_ns: 0,
            speeds: Speeds::default(),
        })
    }

    /// A call comes, and has this done. It costs so many nanoseconds beside the usual.
    pub fn arrive(
        &mut self,
        now: Time,
        (call, work, own_ns): (u32, Work, u64),
        delays: &mut ServerDelays,
    ) {
        let work = (work, self.call_ns + own_ns);
        self.server.arrive_costing(now.nanos(), call, work, delays);
    }

    /// Something takes place here; the call that is answered.
    pub fn handle(
        &mut self,
        now: Time,
        event: RemoteEvent,
        delays: &mut ServerDelays,
    ) -> Option<u32> {
        self.server.handle(now.nanos(), event, delays)
    }

    /// From now on its disks are so many times as fast as at first.
    pub fn set_speed(&mut self, now: Time, speed: f64) {
        if self.speeds.now() != speed {
            self.server.set_speed(now.nanos(), speed);
            self.speeds.set(now.nanos(), speed);
        }
    }

    /// What its page cache had of the reads that calls had it do. A read counts as a file, and its bytes are not counted.
    pub fn counts(&self) -> CacheCounts {
        let counts = self.server.counts();
        CacheCounts {
            files: counts.reads,
            hits: counts.hits,
            device_bytes: self.server.device_bytes() - self.before_bytes,
            ..CacheCounts::default()
        }
    }

    /// How busy its processors were in so long a time.
    pub fn processors(&self, length_ns: u64) -> Resource {
        self.server.processors(length_ns)
    }

    /// The same of its threads: its workers.
    pub fn threads(&self, length_ns: u64) -> Resource {
        Resource {
            name: "workers".to_owned(),
            ..self.server.threads(length_ns)
        }
    }

    /// The same of its disks.
    pub fn disks(&self, length_ns: u64) -> Vec<Resource> {
        let own_ns = self.speeds.own_ns(self.counted_ns, length_ns);
        let disks = self.server.disks(own_ns).into_iter();
        let named = disks.map(|it| Resource {
            name: format!("disk, {}", it.name.trim_start_matches("device, ")),
            ..it
        });
        named.collect()
    }

    /// All of these, in this order.
    pub fn busy(&self, length_ns: u64) -> Vec<Busy> {
        let of_time = |resource: Resource, time_ns: u64| Busy {
            busy_ns: resource.utilisation.unwrap_or_default() * time_ns as f64,
            time_ns: time_ns as f64,
        };
        let own = [self.processors(length_ns), self.threads(length_ns)];
        let own = own.map(|it| of_time(it, length_ns));
        // Disks count in their own time.
        let disks_ns = self.speeds.own_ns(self.counted_ns, length_ns);
        let disks = self.server.disks(disks_ns).into_iter();
        let disks = disks.map(|it| of_time(it, disks_ns));
        own.into_iter().chain(disks).collect()
    }

    /// Forgets what was counted, not what is in memory or under way.
    pub fn count_anew(&mut self, now: Time) {
        self.counted_ns = now.nanos();
        self.server.count_anew();
        self.before_bytes = self.server.device_bytes();
    }
}
