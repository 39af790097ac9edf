//! What file servers have in memory of what web nodes lack.

use std::collections::HashSet;

use hotset_cache::PAGE_BYTES;

use crate::calculate::device::Missing;
use crate::storage::SentFiles;
use crate::tiers::{Export, Role, Tiers, TiersError, Traffic, Web};

/// How a request stands to the file server that has its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Mounted {
    /// Its node opens the file for the first time.
    pub is_first: bool,
    /// What the server lacks of what the node does.
    pub missing: Missing,
}

/// File servers, as requests go by.
pub(super) struct FileServers {
    /// By store.
    mounts: Vec<Option<(usize, Export)>>,
    /// By node: the page cache of a file server.
    caches: Vec<Option<SentFiles>>,
    /// Nodes with the files that they have opened.
    opened: HashSet<(usize, u32)>,
}

impl FileServers {
    /// With nothing in memory.
    ///
    /// # Errors
    /// Files that are too large to be followed.
    pub fn of(tiers: &Tiers, traffic: &Traffic) -> Result<Self, TiersError> {
        let mounts = tiers.single_mounts();
        let mut caches = Vec::with_capacity(tiers.nodes.len());
        for (at, node) in tiers.nodes.iter().enumerate() {
            let Role::Files(files) = &node.role else {
                caches.push(None);
                continue;
            };
            let sizes = exported(tiers, &mounts, at, traffic);
            let reading = files.profile.reading.unwrap_or_default();
            let cache = SentFiles::new(files.memory_bytes, sizes, reading);
            caches.push(Some(cache.map_err(|error| TiersError::Storage {
                node: node.name.clone(),
                source: error.into(),
            })?));
        }
        Ok(Self {
            mounts,
            caches,
            opened: HashSet::new(),
        })
    }

    /// A node reads what it lacks of a file of a store.
    pub fn read(&mut self, (web, store): (usize, usize), file: u32, lacks: Missing) -> Mounted {
        let Some((server, _)) = self.mounts.get(store).copied().flatten() else {
            return Mounted::default();
        };
        let is_first = self.opened.insert((web, file));
        let cache = self.caches[server].as_mut().filter(|_| !lacks.is_none());
        let missing = cache.map_or_else(Missing::default, |cache| {
            let read = cache.send(file);
            // All of the file is taken to be read, even where the node has a part of it.
            let bytes = (read.pages * PAGE_BYTES).min(lacks.bytes);
            Missing {
                bytes,
                gaps: if bytes > 0 { read.gaps.max(1) } else { 0 },
            }
        });
        Mounted { is_first, missing }
    }
}

/// Bytes of each file that the server `at` exports; 0 of others. All web nodes have sites on the same stores.
pub(super) fn exported(
    tiers: &Tiers,
    mounts: &[Option<(usize, Export)>],
    at: usize,
    traffic: &Traffic,
) -> Vec<u64> {
    let mut roles = tiers.nodes.iter().map(|node| &node.role);
    let web: Option<&Web> = roles.find_map(|role| match role {
        Role::Web(web) => Some(web),
        Role::Proxy(_) | Role::Files(_) => None,
    });
    let files = traffic.files.iter().map(|file| {
        let store = web.map(|it| it.store_of(file.site));
        let mount = store.and_then(|it| mounts.get(it).copied().flatten());
        match mount {
            Some((server, _)) if server == at => file.bytes,
            _ => 0,
        }
    });
    files.collect()
}
