//! Stores whose servers are not followed call by call: how long they take to answer, as functions of the bytes.
//!
//! The functions come from the models of the protocols, message by message: what one client takes whose files are in the servers' memory. A line
//! goes through files of many sizes ([`CostLine::fit`]). It is exact enough where nothing waits for others at the servers.

use std::path::Path;
use std::sync::Arc;

use hotset_models::files::{Work, simulate_cluster, simulate_parallel};
use hotset_models::tiers::{Answers, Store};
use hotset_report::number;
use hotset_scenario::{
    Change, CostLine, DiskSpec, Link, Node, Profile, Reading, Scenario, StoreKind, StoreSpec,
};
use hotset_topology::{Stores, TopologyError};
use hotset_trace::Trace;

use crate::JobError;
use crate::error::{refuse, refused};
use crate::simulate::reached_cluster::ReachedCluster;
use crate::simulate::reached_parallel::ReachedParallel;

/// Bytes that a web server sends of a file at a time.
const PIECE_BYTES: u64 = 64 << 10;
/// Bytes of the files that the line goes through.
const SIZES: [u64; 6] = [4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20];
/// Files that are opened to see what one takes.
const OPENED: u64 = 5;
/// How many times as many reads several readers get as one: their delays overlap.
const PARALLEL: f64 = 64.0;

/// A scenario in which such stores have functions.
pub(super) struct Answered {
    /// They are as local stores there.
    pub scenario: Scenario,
    found: Vec<Found>,
}

/// What was found for a store.
struct Found {
    store: String,
    kind: &'static str,
    /// Nodes that have it.
    servers: Vec<String>,
    client: String,
    answers: Answers,
    /// Reading a file from its servers; piece by piece where nodes keep none.
    line: CostLine,
}

impl Answered {
    /// The scenario of this traffic, all of whose files have so many bytes. `goes_on` is asked now and then.
    ///
    /// # Errors
    /// Servers that cannot be followed even so.
    pub fn of(
        scenario: &Scenario,
        (trace, files_bytes): (&Trace, u64),
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Self, JobError> {
        let mut answered = Self {
            scenario: scenario.clone(),
            found: Vec::new(),
        };
        // Sites of the traffic that the scenario does not name live on the first.
        let lives = |place: usize| place == 0 || scenario.sites.iter().any(|it| it.store == place);
        for (place, store) in scenario.stores.iter().enumerate() {
            let kind = store.kind.filter(|it| it.is_cluster() || it.is_parallel());
            let Some(kind) = kind.filter(|_| lives(place)) else {
                continue;
            };
            refuse_events(scenario, store)?;
            refuse_io_cache(store)?;
            let of_reader = for_reader(scenario);
            let client = of_reader.nodes.first().map(|node| node.name.clone());
            let client = client.unwrap_or_default();
            let asked = Asked {
                scenario: &of_reader,
                store,
                kind,
                client: &client,
                files_bytes,
                goes_on,
            };
            asked.check_memory(bytes_on(scenario, trace, place))?;
            let found = asked.found()?;
            answered.scenario.stores[place] = StoreSpec {
                profile: profile(&store.profile, found.line),
                kind: None,
                disk: DiskSpec::default(),
                remote: None,
                cluster: None,
                ..store.clone()
            };
            answered.found.push(found);
        }
        Ok(answered)
    }

    /// Whether any store has functions.
    pub fn has_some(&self) -> bool {
        !self.found.is_empty()
    }

    /// The stores of the sites.
    ///
    /// # Errors
    /// As [`Stores::of`].
    pub fn stores(&self, trace: &Trace) -> Result<Stores, TopologyError> {
        let mut stores = Stores::of(&self.scenario, trace)?;
        if self.has_some() {
            let of_store = |store: &Store| {
                let found = self.found.iter().find(|it| it.store == store.name);
                Store {
                    answers: found.map(|it| it.answers),
                    ..store.clone()
                }
            };
            let answering: Arc<[Store]> = stores.stores.iter().map(of_store).collect();
            stores.stores = answering;
        }
        Ok(stores)
    }

    /// What is said of these servers and followed by no function, of `keys` that nothing else follows and beside them.
    pub fn not_followed(&self, mut keys: Vec<String>) -> Vec<String> {
        let servers: Vec<&String> = self.found.iter().flat_map(|it| &it.servers).collect();
        keys.retain(|key| !servers.iter().any(|it| *key == format!("node.{it}")));
        let has_server = |link: &&Link| link.ends.nodes().iter().any(|it| servers.contains(&it));
        let links = self.scenario.links.iter().filter(has_server);
        let lossy = links.filter(|link| link.loss > 0.0);
        keys.extend(lossy.map(|link| format!("link.{}.loss", link.ends)));
        keys
    }

    /// What is taken for granted of them, in sentences.
    pub fn assumed(&self) -> Vec<String> {
        let sentences = self.found.iter().map(|it| {
            let what = match it.answers.pieces {
                Some(_) => "each piece of up to 64 KiB, of which nodes keep none",
                None => "what is not in a node's memory",
            };
            format!(
                "Of the servers of `{}` it is followed how long they take to answer `{}` alone, as a model of {} has it, with all files in their \
                 memory: {} to open a file, and {} and its bytes at {} MB/s for {what}. Nothing waits for others there.",
                it.store,
                it.client,
                it.kind,
                number::duration(it.answers.open_us),
                number::duration(it.line.fixed_us),
                it.line.bytes_per_us.round(),
            )
        });
        sentences.collect()
    }
}

/// The scenario with nodes that read stores before all others: the first one is the client.
fn for_reader(scenario: &Scenario) -> Scenario {
    let mut of_reader = scenario.clone();
    of_reader
        .nodes
        .sort_by_key(|node: &Node| !node.reads_store());
    of_reader
}

/// Bytes of the files of the sites that live on the store at this place.
fn bytes_on(scenario: &Scenario, trace: &Trace, place: usize) -> u64 {
    let lives_here = |name: &String| {
        let site = scenario.sites.iter().find(|site| site.name == *name);
        site.map_or(0, |site| site.store) == place
    };
    let live_here: Vec<bool> = trace.sites.iter().map(lives_here).collect();
    let files = trace.objects.site.iter().zip(&trace.objects.size);
    let files = files.filter(|(site, _)| live_here[usize::from(**site)]);
    files.fold(0, |sum: u64, (_, bytes)| sum.saturating_add(*bytes))
}

/// Refuses disks that become slower where there are none.
fn refuse_events(scenario: &Scenario, store: &StoreSpec) -> Result<(), JobError> {
    let is_about =
        |change: &Change| matches!(change, Change::StoreSpeed { name, .. } if *name == store.name);
    if scenario.events.iter().any(|it| is_about(&it.change)) {
        refuse!(
            "`store` in [[event]]: of the servers of `{}` no disks are followed; take the event out",
            store.name
        );
    }
    Ok(())
}

/// Refuses a cache of clients that is none of pages.
fn refuse_io_cache(store: &StoreSpec) -> Result<(), JobError> {
    let io_cache = store.cluster.as_ref().and_then(|it| it.io_cache_bytes);
    if io_cache.is_some_and(|bytes| bytes > 0) {
        refuse!(
            "`io_cache` in [store.options]: what clients of `{}` keep by it is not followed here; take it out",
            store.name
        );
    }
    Ok(())
}

/// The costs of a store in the memory of a node that has it from servers, with this line for what is not there.
fn profile(own: &Profile, line: CostLine) -> Profile {
    Profile {
        open_us: 0.0,
        uncached: line,
        cold: None,
        device: None,
        file_system: None,
        reading: Some(Reading {
            parallel: PARALLEL,
            ..own.reading.unwrap_or_default()
        }),
        ..own.clone()
    }
}

/// The nodes that have a store, with its metadata among them.
fn servers(store: &StoreSpec) -> Vec<String> {
    let remote = store.remote.as_ref();
    let parallel = remote.and_then(|it| it.parallel.as_ref());
    let of_parallel = parallel.and_then(|it| it.metadata.clone());
    let of_cluster = store.cluster.as_ref().and_then(|it| it.metadata.clone());
    let with_data = remote.map_or(&[][..], |it| &it.servers).iter().cloned();
    with_data.chain(of_parallel).chain(of_cluster).collect()
}

/// A store whose servers are asked.
struct Asked<'a> {
    scenario: &'a Scenario,
    store: &'a StoreSpec,
    kind: StoreKind,
    client: &'a str,
    files_bytes: u64,
    goes_on: &'a dyn Fn() -> bool,
}

impl Asked<'_> {
    /// Refuses more files than the servers have memory for: what they read from disks depends on what they have read.
    fn check_memory(&self, bytes: u64) -> Result<(), JobError> {
        let all = (1, self.files_bytes);
        let told = match self.kind.is_parallel() {
            true => ReachedParallel::of(self.scenario, &self.store.name, all)?.told(),
            false => ReachedCluster::of(self.scenario, &self.store.name, all)?.told(),
        };
        let memory_bytes = told.server_memory_bytes;
        if memory_bytes > 0 && bytes > memory_bytes {
            refuse!(
                "store `{}` of kind {} has {bytes} bytes of files, and its servers have {memory_bytes} of memory; what they read from disks is not \
                 followed for this kind: give them more, or have the sites live on a local store or NFS",
                self.store.name,
                self.kind.name()
            );
        }
        Ok(())
    }

    fn found(&self) -> Result<Found, JobError> {
        let open_us = self.open_us()?;
        // Clients of the others keep no pages from one opening to the next.
        let keeps_pages = matches!(self.kind, StoreKind::Lustre | StoreKind::MooseFs);
        let mut points = Vec::new();
        for bytes in SIZES {
            let us = self.read_us(bytes)?;
            points.push(match keeps_pages {
                true => (bytes, us),
                false => (
                    bytes.min(PIECE_BYTES),
                    us / bytes.div_ceil(PIECE_BYTES) as f64,
                ),
            });
        }
        let line = CostLine::fit(points);
        let line = line.ok_or_else(|| {
            let name = &self.store.name;
            refused(format!(
                "store `{name}`: no line goes through what its servers take; have the sites live on a local store or NFS"
            ))
        })?;
        Ok(Found {
            store: self.store.name.clone(),
            kind: self.kind.name(),
            servers: servers(self.store),
            client: self.client.to_owned(),
            answers: Answers {
                open_us,
                pieces: (!keeps_pages).then_some(line),
            },
            line,
        })
    }

    /// Opening a file where others were opened before, microseconds.
    fn open_us(&self) -> Result<f64, JobError> {
        let of = |files: u64| {
            let opens = (0..files).map(|number| format!("open d/{number} r\n"));
            let opens: String = opens.collect();
            self.us(&format!("on-server d {OPENED} 4096\n{opens}"))
        };
        Ok(((of(OPENED)? - of(1)?) / (OPENED - 1) as f64).max(0.0))
    }

    /// Reading an open file of so many bytes piece by piece, microseconds.
    fn read_us(&self, bytes: u64) -> Result<f64, JobError> {
        let opened = format!("on-server d 1 {bytes}\nopen d/0 r\n");
        let reads =
            format!("read d/0 {PIECE_BYTES}\n").repeat(bytes.div_ceil(PIECE_BYTES) as usize);
        Ok((self.us(&format!("{opened}{reads}"))? - self.us(&opened)?).max(0.0))
    }

    /// How long a client takes for a work, microseconds.
    fn us(&self, text: &str) -> Result<f64, JobError> {
        let work = Work::parse(text, Path::new("functions of servers"))?;
        let all = (1, self.files_bytes);
        let result = match self.kind.is_parallel() {
            true => {
                let reached = ReachedParallel::of(self.scenario, &self.store.name, all)?;
                simulate_parallel(&work, &reached.system(), self.client, self.goes_on)?
            }
            false => {
                let reached = ReachedCluster::of(self.scenario, &self.store.name, all)?;
                simulate_cluster(&work, &reached.system(), self.client, self.goes_on)?
            }
        };
        Ok(result.seconds * 1e6)
    }
}
