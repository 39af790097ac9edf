//! Names that are known: one thread gives them ids, others look them up meanwhile.

use super::entry::{Fields, KnownIds, RecordNames, TargetPlace, Texts, UNKNOWN};
use super::error::ReadError;
use super::intern::{Interner, Place, Qualifier};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// An [`Interner`] of one thread, with readers on others. They need not know the latest names: who finds none asks
/// the owner, in the order of the rows.
#[derive(Debug, Default)]
pub(super) struct SharedInterner {
    shared: Arc<RwLock<Interner>>,
    /// Names that came while others were reading.
    fresh: Interner,
}

impl SharedInterner {
    /// The value of a key, if it is known.
    pub(super) fn get(&self, qualifier: Qualifier, key: &[u8]) -> Option<u32> {
        let fresh = self.fresh.get(qualifier, key);
        fresh.or_else(|| read(&self.shared).get(qualifier, key))
    }

    /// Adds a key that is not known yet.
    pub(super) fn insert(
        &mut self,
        qualifier: Qualifier,
        key: &[u8],
        value: u32,
    ) -> Result<(), ReadError> {
        match self.shared.try_write() {
            Ok(mut shared) => shared.insert(qualifier, key, value),
            Err(_) => self.fresh.insert(qualifier, key, value),
        }
    }

    /// Lets readers find all keys, soon if not now: readers are waited for only where many keys are to be told.
    pub(super) fn publish(&mut self) -> Result<(), ReadError> {
        if self.fresh.is_empty() {
            return Ok(());
        }
        let mut shared = match self.shared.try_write() {
            Ok(shared) => shared,
            Err(_) if self.fresh.len() < MOST_FRESH => return Ok(()),
            Err(_) => self.shared.write().unwrap_or_else(PoisonError::into_inner),
        };
        for (qualifier, key, value) in self.fresh.iter() {
            shared.insert(qualifier, key, value)?;
        }
        self.fresh.clear();
        Ok(())
    }

    pub(super) fn reader(&self) -> Arc<RwLock<Interner>> {
        self.shared.clone()
    }
}

/// Keys that readers may go without: each is looked up by the owner until they know it, and readers keep the table for
/// the length of a block.
const MOST_FRESH: usize = 512;

/// Names are only ever added, so that a table stays sound even if a thread panics.
fn read(interner: &RwLock<Interner>) -> RwLockReadGuard<'_, Interner> {
    interner.read().unwrap_or_else(PoisonError::into_inner)
}

/// Looks up the names in the records of one log.
pub(super) struct LogNames<'a> {
    names: &'a Names,
    /// The rule for logs that takes the log.
    log_rule: usize,
}

/// What is known of the names in records.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// Scopes by rule for logs and host.
    pub(super) scopes: Arc<RwLock<Interner>>,
    pub(super) clients: Arc<RwLock<Interner>>,
    /// Objects by scope and path as spelled.
    pub(super) objects: Arc<RwLock<Interner>>,
}

/// Records whose names are looked up together. The tables are larger than a processor's near caches, and each look-up
/// waits for memory; those of several records, made together, wait at the same time.
const TOGETHER: usize = 32;

/// The names in a record, and where their ids most probably are.
#[derive(Clone, Copy, Default)]
struct HashedNames<'a> {
    scope: u32,
    client: &'a [u8],
    path: &'a [u8],
    client_hash: u64,
    object_hash: u64,
    client_place: Option<Place>,
    object_place: Option<Place>,
}

impl HashedNames<'_> {
    #[inline]
    fn qualifier(&self) -> Qualifier {
        Qualifier {
            scope: self.scope,
            variant: 0,
        }
    }
}

/// Scopes of hosts that recently stood in a block. A log of several sites goes to and fro between a few of them; with a
/// hash and a look-up for each line, a line of nginx's JSON took a tenth longer.
struct RecentHosts<'a>([(&'a [u8], u32); RecentHosts::SLOTS]);

impl<'a> RecentHosts<'a> {
    /// A power of two.
    const SLOTS: usize = 16;

    fn new() -> RecentHosts<'a> {
        RecentHosts([(&[], UNKNOWN); RecentHosts::SLOTS])
    }

    /// The scope of a host: from its slot, else by `look_up`, which says [`UNKNOWN`] of hosts not known yet.
    #[inline]
    fn scope(&mut self, host: &'a [u8], look_up: impl FnOnce() -> u32) -> u32 {
        let slot = &mut self.0[RecentHosts::slot(host)];
        // Most formats log no host. Comparing nothing with nothing costs more than a look-up: glibc's memcmp then
        // reads, masked, from where an empty text points, and processors take hundreds of cycles over that.
        let is_same = slot.0.len() == host.len() && (host.is_empty() || slot.0 == host);
        if !is_same || slot.1 == UNKNOWN {
            *slot = (host, look_up());
        }
        slot.1
    }

    /// Two hosts may share a slot, which costs a look-up each time they alternate.
    #[inline]
    fn slot(host: &[u8]) -> usize {
        match host {
            [first, .., last] => {
                let middle = host[host.len() / 2];
                let mixed = host.len() + 3 * *first as usize + 5 * middle as usize + *last as usize;
                mixed % RecentHosts::SLOTS
            }
            _ => 0,
        }
    }
}

impl Names {
    /// For a log that the rule `log_rule` takes.
    pub(super) fn look_up(&self, log_rule: usize) -> LogNames<'_> {
        LogNames {
            names: self,
            log_rule,
        }
    }
}

impl LogNames<'_> {
    /// Fills in the ids of the names in records. The tables are locked once for all of them: two threads that lock them
    /// for every few records spend a tenth of their time on it.
    pub(super) fn fill_in(&self, fields: &mut [Fields], named: &[RecordNames], texts: Texts<'_>) {
        let (clients, objects) = (read(&self.names.clients), read(&self.names.objects));
        let scopes = read(&self.names.scopes);
        let qualifier = scope_qualifier(self.log_rule);
        let mut hosts = RecentHosts::new();
        let mut scope = |named: &RecordNames| {
            let host = texts.get(named.host);
            hosts.scope(host, || scopes.get(qualifier, host).unwrap_or(UNKNOWN))
        };
        let groups = fields.chunks_mut(TOGETHER).zip(named.chunks(TOGETHER));
        for (fields, named) in groups {
            fill_in_group(fields, named, texts, &mut scope, &clients, &objects);
        }
    }
}

/// Goes step by step for all of the records: within a step no read of memory depends on another.
fn fill_in_group(
    fields: &mut [Fields],
    named: &[RecordNames],
    texts: Texts<'_>,
    scope: &mut impl FnMut(&RecordNames) -> u32,
    clients: &Interner,
    objects: &Interner,
) {
    let mut group = [HashedNames::default(); TOGETHER];
    let group = &mut group[..fields.len()];
    for (looked, named) in group.iter_mut().zip(named) {
        looked.scope = scope(named);
        looked.client = texts.get(named.client);
        if let TargetPlace::Url { text, path, .. } = named.target {
            looked.path = &texts.get(text)[..path as usize];
        }
        looked.client_hash = clients.hash(Qualifier::NONE, looked.client);
        looked.object_hash = objects.hash(looked.qualifier(), looked.path);
    }
    for looked in group.iter_mut() {
        looked.client_place = clients.likely(looked.client_hash);
        looked.object_place = objects.likely(looked.object_hash);
    }
    let mut touched = 0;
    for looked in group.iter() {
        let (client, object) = (looked.client_place, looked.object_place);
        touched ^= client.map_or(0, |place| clients.touch(place, looked.client.len()));
        touched ^= object.map_or(0, |place| objects.touch(place, looked.path.len()));
    }
    std::hint::black_box(touched);
    for (fields, looked) in fields.iter_mut().zip(group) {
        let client = looked.client_place;
        let client = client.and_then(|at| clients.at(at, Qualifier::NONE, looked.client));
        let object = looked.object_place;
        let object = object.and_then(|at| objects.at(at, looked.qualifier(), looked.path));
        fields.known = KnownIds {
            scope: looked.scope,
            client: client.unwrap_or(UNKNOWN),
            object: object.unwrap_or(UNKNOWN),
        };
    }
}

/// What the scope of a host is looked up by besides the host.
pub(super) fn scope_qualifier(log_rule: usize) -> Qualifier {
    Qualifier {
        scope: log_rule as u32,
        variant: 0,
    }
}
