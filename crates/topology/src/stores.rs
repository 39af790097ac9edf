//! The stores of the sites, and what their reads cost.

use std::sync::Arc;

use hotset_cache::PAGE_BYTES;
use hotset_models::disk::{DriveModel, throttled_device};
use hotset_models::read_ahead::LARGEST_REQUEST_BYTES;
use hotset_models::tiers::{LOG_LINE_BYTES, Store, request_ns};
use hotset_scenario::{
    Device, DeviceKind, DiskSpec, DriveDevice, FileSystemSpec, Node, Profile, Reading, Scenario,
    StoreKind, StoreSpec,
};
use hotset_trace::Trace;

use crate::TopologyError;
use crate::error::{refuse, refused};
use crate::remote_stores::RemoteStore;
use crate::several_servers::read_ahead_bytes;

/// Size of the lab's stores where the scenario gives none.
const USUAL_BYTES: u64 = 1 << 30;

/// The largest file that is followed, bytes: each request for it is millions of pages.
const MOST_FILE_BYTES: u64 = 64 << 30;

/// The stores that the sites of the traffic live on, and those with files of web servers' systems and their logs.
pub struct Stores {
    /// In the order of the file.
    pub stores: Arc<[Store]>,
    /// The store of each site of the traffic, by number.
    pub of_site: Arc<[usize]>,
    /// Bytes of whole pages that files on stores in memory take of each node that reads them.
    pub held_bytes: u64,
    /// Those that are on file servers.
    pub(crate) remote: Vec<RemoteStore>,
    /// Their places among the stores of the scenario, rising.
    used: Vec<usize>,
}

impl Stores {
    /// Those of the sites of `trace`: each lives on the store of the scenario's site of its name, else on the first.
    ///
    /// # Errors
    /// No store, one over a network that is not simulated, page caches that differ, and files that are larger than any disk or too large to
    /// be followed.
    pub fn of(scenario: &Scenario, trace: &Trace) -> Result<Self, TopologyError> {
        let of_site = trace.sites.iter().map(|name| {
            let site = scenario.sites.iter().find(|site| site.name == *name);
            site.map_or(0, |site| site.store)
        });
        let of_site: Vec<usize> = of_site.collect();
        let webs = scenario.nodes.iter().filter(|node| node.reads_store());
        let webs: Vec<&Node> = webs.collect();
        let needed = webs.iter().flat_map(|node| node.needs.stores());
        let mut used: Vec<usize> = of_site.iter().copied().chain(needed).collect();
        used.sort_unstable();
        used.dedup();
        let specs = used.iter().map(|&place| scenario.stores.get(place));
        let specs: Option<Vec<&StoreSpec>> = specs.collect();
        let specs = specs.ok_or_else(|| {
            refused("no [[store]] says where the sites' files are; add one with a `profile`")
        })?;
        check(&specs)?;
        let number = |place: &usize| used.partition_point(|it| it < place);
        let of_site: Vec<usize> = of_site.iter().map(number).collect();
        let mut pages = vec![0u64; specs.len()];
        let mut largest = vec![0u64; specs.len()];
        let objects = &trace.objects;
        for (&site, bytes) in objects.site.iter().zip(&objects.size) {
            let store = of_site[usize::from(site)];
            let pages = &mut pages[store];
            *pages = pages.saturating_add(bytes.div_ceil(PAGE_BYTES));
            largest[store] = largest[store].max(*bytes);
        }
        check_files(&specs, &largest)?;
        let log_bytes = LOG_LINE_BYTES.saturating_mul(trace.requests.len() as u64);
        for node in webs {
            let of_system = node.needs.system.map(|it| (it, node.needs.system_bytes));
            let of_log = node.needs.logs.map(|it| (it, log_bytes));
            for (place, bytes) in of_system.into_iter().chain(of_log) {
                let store = number(&place);
                check_needed(node, specs[store])?;
                let pages = &mut pages[store];
                *pages = pages.saturating_add(bytes.div_ceil(PAGE_BYTES));
            }
        }
        let both = specs.iter().zip(&pages);
        let in_memory = both.clone().filter(|(spec, _)| is_memory(spec));
        let held_pages = in_memory.fold(0, |sum: u64, (_, pages)| sum.saturating_add(*pages));
        let all_bytes = objects
            .size
            .iter()
            .fold(0u64, |sum, it| sum.saturating_add(*it));
        let mut remote = Vec::new();
        for (place, (spec, pages)) in both.clone().enumerate() {
            let files = (*pages, largest[place]);
            remote.extend(RemoteStore::of(scenario, (place, *spec), files, all_bytes)?);
        }
        let ahead_bytes = |place: usize| {
            let mut stores = remote.iter();
            let store = stores.find(|it: &&RemoteStore| it.store == place)?;
            store.part.as_ref().and_then(read_ahead_bytes)
        };
        let stores = both.enumerate();
        let stores = stores.map(|(place, (spec, pages))| store(spec, *pages, ahead_bytes(place)));
        let mut stores = stores.collect::<Result<Vec<Store>, TopologyError>>()?;
        keep_one_policy(&mut stores);
        Ok(Self {
            remote,
            stores: stores.into(),
            of_site: of_site.into(),
            held_bytes: held_pages.saturating_mul(PAGE_BYTES),
            used,
        })
    }

    /// The number of the store that has this place among those of the scenario.
    pub(crate) fn number(&self, place: usize) -> Option<usize> {
        self.used.binary_search(&place).ok()
    }

    /// Whether the store of this number is on a file server.
    pub(crate) fn is_remote(&self, number: usize) -> bool {
        self.remote.iter().any(|it| it.store == number)
    }
}

impl Stores {
    /// The file servers that keep sites' files on the store of this name, each once.
    pub(crate) fn servers_with(&self, name: &str) -> impl Iterator<Item = &str> {
        let own = self.remote.iter().filter(move |it| it.on.name == name);
        let servers = own.flat_map(|it| &it.servers);
        let mut servers: Vec<&str> = servers.map(String::as_str).collect();
        servers.sort_unstable();
        servers.dedup();
        servers.into_iter()
    }
}

/// A node has one page cache. What is in memory anyway has no say in its policy, in which all others agree.
fn keep_one_policy(stores: &mut [Store]) {
    let mut cached = stores.iter().filter(|store| !store.in_memory);
    let Some(policy) = cached
        .next()
        .map(|it| it.profile.reading.unwrap_or_default().page_cache)
    else {
        return;
    };
    for store in stores.iter_mut().filter(|store| store.in_memory) {
        store.profile.reading = Some(Reading {
            page_cache: policy,
            ..store.profile.reading.unwrap_or_default()
        });
    }
}

/// Refuses files that are too large to be followed, where the largest of each store has so many bytes.
fn check_files(specs: &[&StoreSpec], largest: &[u64]) -> Result<(), TopologyError> {
    let mut both = specs.iter().zip(largest);
    let Some((spec, bytes)) = both.find(|(_, bytes)| **bytes > MOST_FILE_BYTES) else {
        return Ok(());
    };
    refuse!(
        "store `{}`: a file of {bytes} bytes is too large to be followed; at most {MOST_FILE_BYTES} are; leave its requests out",
        spec.name
    );
}

/// Refuses stores that cannot be simulated, or not beside each other.
fn check(specs: &[&StoreSpec]) -> Result<(), TopologyError> {
    let is_fuse = |store: &StoreSpec| {
        let options = store.remote.as_ref().and_then(|it| it.parallel.as_ref());
        options.is_some_and(|it| it.is_fuse)
    };
    if let Some(store) = specs.iter().find(|store| is_fuse(store)) {
        refuse!(
            "store `{}` has client = \"fuse\", which `hotset simulate fio` follows, and requests of sites do not; take it out",
            store.name
        );
    }
    let has_own_servers =
        |store: &StoreSpec| store.kind.is_some_and(StoreKind::is_cluster) && store.remote.is_none();
    if let Some(store) = specs.iter().find(|store| has_own_servers(store)) {
        refuse!(
            "store `{}` is on servers of its own, which are no nodes; name its nodes with `servers` and their store with `on`",
            store.name
        );
    }
    let policy = |store: &StoreSpec| store.profile.reading.unwrap_or_default().page_cache;
    let mut cached = specs.iter().filter(|store| !is_memory(store));
    if let Some(first) = cached.next()
        && let Some(other) = cached.find(|it| policy(it) != policy(first))
    {
        refuse!(
            "the profiles of the stores `{}` and `{}` have different policies of the page cache, and a node has one page cache; \
             give both the same `page_cache`",
            first.name,
            other.name
        );
    }
    Ok(())
}

/// Refuses a store on several servers for the files of a node's system or its log.
///
/// # Errors
/// Such a store.
fn check_needed(node: &Node, store: &StoreSpec) -> Result<(), TopologyError> {
    let is_nfs = store.kind.is_some_and(StoreKind::is_nfs);
    if store.remote.is_some() && !is_nfs {
        refuse!(
            "node `{}` has its system or its log on the store `{}`, which is on several servers, where only sites are simulated; name a store \
             of kind = \"nfs3\" or \"nfs4\"",
            node.name,
            store.name
        );
    }
    Ok(())
}

pub(crate) fn is_memory(spec: &StoreSpec) -> bool {
    matches!(spec.kind, Some(StoreKind::Tmpfs | StoreKind::Ramfs))
}

/// The costs of a store whose files have so many bytes in all, with its disk and its file system.
///
/// # Errors
/// Files that are larger than any disk.
pub fn local_profile(spec: &StoreSpec, files_bytes: u64) -> Result<Profile, TopologyError> {
    profile_of(spec, files_bytes.div_ceil(PAGE_BYTES))
}

/// A store whose files have so many pages.
fn store(spec: &StoreSpec, pages: u64, ahead_bytes: Option<u64>) -> Result<Store, TopologyError> {
    let profile = match &spec.remote {
        None => profile_of(spec, pages)?,
        Some(_) => client_profile(spec, ahead_bytes),
    };
    Ok(Store {
        name: spec.name.clone(),
        request_ns: request_ns(&profile),
        profile,
        in_memory: is_memory(spec),
    })
}

/// The profile of a store on a file server as the node has it that mounts it: its own memory and processors. Opening a file is calls, and
/// disks are the server's. It reads ahead so much where that is said. Lustre does so by rules of its own, of which this has the longest window.
fn client_profile(spec: &StoreSpec, ahead_bytes: Option<u64>) -> Profile {
    let mut reading = spec.profile.reading;
    if let Some(read_ahead_bytes) = ahead_bytes {
        reading = Some(Reading {
            read_ahead_bytes,
            ..reading.unwrap_or_default()
        });
    }
    Profile {
        open_us: 0.0,
        device: None,
        reading,
        ..spec.profile.clone()
    }
}

/// Its profile, with the disk underneath where the scenario has a seeking or a throttled one, and the file system that the scenario makes of it.
fn profile_of(store: &StoreSpec, pages: u64) -> Result<Profile, TopologyError> {
    let mut profile = store.profile.clone();
    if let Some(kind) = store.kind {
        let known = profile.file_system.as_ref();
        profile.file_system = Some(FileSystemSpec {
            inode_bytes: known.and_then(|it| it.inode_bytes),
            ..FileSystemSpec::new(kind.name(), PAGE_BYTES)
        });
    }
    if let Some(bytes_per_s) = store.disk.drive_bytes_per_s() {
        let size_bytes = store.size_bytes.unwrap_or(USUAL_BYTES);
        let capacity_bytes = size_bytes.max(needed_bytes(pages)?);
        profile.device = Some(drive(store, bytes_per_s, capacity_bytes));
    }
    if let DiskSpec::Throttled {
        bytes_per_s,
        reads_per_s,
    } = store.disk
    {
        let device = throttled_device(bytes_per_s, reads_per_s, LARGEST_REQUEST_BYTES);
        profile.device = Some(Device {
            kind: DeviceKind::Measured(device),
            scheduler: None,
            raid: None,
        });
    }
    Ok(profile)
}

/// Room for files of so many pages, and a tenth for what maps them.
fn needed_bytes(pages: u64) -> Result<u64, TopologyError> {
    let bytes = pages
        .checked_mul(PAGE_BYTES)
        .and_then(|it| it.checked_add(it / 10));
    bytes.ok_or_else(|| refused("the files are larger than any disk"))
}

/// What a request takes the lab's drive besides, microseconds, and bytes that it hands over in a microsecond: medians of what
/// `experiments/local-read-*` measured of drives of 39 MB/s and of all drives, by reading again what the drive has in its buffer. Small
/// as it is, the platters turn on meanwhile. So a drive for which others wait passes over what follows on its last request, and several
/// files that are read at once do not come at the full rate of the platters.
const DRIVE_REQUEST_US: f64 = 80.0;
const DRIVE_BYTES_PER_US: f64 = 3500.0;

/// The drive that the lab plays.
fn drive(store: &StoreSpec, bytes_per_s: u64, capacity_bytes: u64) -> Device {
    let model = DriveModel {
        bytes_per_s: bytes_per_s as f64,
        write_cache_bytes: store.write_cache_bytes,
        ..DriveModel::default()
    };
    Device {
        kind: DeviceKind::Drive(DriveDevice {
            overhead_us: DRIVE_REQUEST_US,
            interface_bytes_per_us: Some(DRIVE_BYTES_PER_US),
            ..model.device(capacity_bytes, LARGEST_REQUEST_BYTES)
        }),
        scheduler: None,
        raid: store.disk.raid(),
    }
}
