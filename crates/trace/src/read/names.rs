//! Names that are known: one thread gives them ids, others look them up meanwhile.

use super::entry::{Entry, KnownIds, UNKNOWN, Wanted};
use super::error::ReadError;
use super::intern::{Interner, Qualifier};
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

    /// Lets readers find all keys.
    pub(super) fn publish(&mut self) -> Result<(), ReadError> {
        if self.fresh.is_empty() {
            return Ok(());
        }
        let mut shared = self.shared.write().unwrap_or_else(PoisonError::into_inner);
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

/// Names are only ever added, so that a table stays sound even if a thread panics.
fn read(interner: &RwLock<Interner>) -> RwLockReadGuard<'_, Interner> {
    interner.read().unwrap_or_else(PoisonError::into_inner)
}

/// Looks up the names in the records of one log.
pub(super) struct LookUp<'a> {
    names: &'a Names,
    /// The rule for logs that takes the log.
    log_rule: usize,
    last: LastHost,
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
pub(super) const TOGETHER: usize = 32;

/// The names in a record.
#[derive(Clone, Copy, Default)]
struct Looked<'a> {
    scope: u32,
    client: &'a [u8],
    path: &'a [u8],
}

impl Looked<'_> {
    #[inline]
    fn qualifier(&self) -> Qualifier {
        Qualifier {
            scope: self.scope,
            variant: 0,
        }
    }
}

/// The scope of a host, as the line before had it: lines of one host come in runs.
#[derive(Default)]
struct LastHost {
    host: Vec<u8>,
    scope: Option<u32>,
}

impl Names {
    /// For a log that the rule `log_rule` takes.
    pub(super) fn look_up(&self, log_rule: usize) -> LookUp<'_> {
        LookUp {
            names: self,
            log_rule,
            last: LastHost::default(),
        }
    }
}

impl LookUp<'_> {
    /// The ids in at most [`TOGETHER`] records. It goes step by step for all of them: within a step no read of
    /// memory depends on another.
    pub(super) fn known<'b>(
        &mut self,
        records: impl Iterator<Item = Entry<'b>>,
    ) -> [KnownIds; TOGETHER] {
        let (clients, objects) = (read(&self.names.clients), read(&self.names.objects));
        let mut looked = [Looked::default(); TOGETHER];
        for (looked, entry) in looked.iter_mut().zip(records) {
            *looked = Looked {
                scope: self.scope(entry.host),
                client: entry.client,
                path: match entry.wanted {
                    Wanted::Url(url) => url.path,
                    Wanted::Key(_) => b"",
                },
            };
        }
        let client_hashes = looked.map(|name| clients.hash(Qualifier::NONE, name.client));
        let object_hashes = looked.map(|name| objects.hash(name.qualifier(), name.path));
        let client_places = client_hashes.map(|hash| clients.likely(hash));
        let object_places = object_hashes.map(|hash| objects.likely(hash));
        let mut touched = 0;
        for (index, name) in looked.iter().enumerate() {
            let (client, object) = (client_places[index], object_places[index]);
            touched ^= client.map_or(0, |place| clients.touch(place, name.client.len()));
            touched ^= object.map_or(0, |place| objects.touch(place, name.path.len()));
        }
        std::hint::black_box(touched);
        let mut known = [KnownIds::NONE; TOGETHER];
        for (index, (known, looked)) in known.iter_mut().zip(looked).enumerate() {
            let client = client_places[index];
            let client = client.and_then(|at| clients.at(at, Qualifier::NONE, looked.client));
            let object = object_places[index];
            let object = object.and_then(|at| objects.at(at, looked.qualifier(), looked.path));
            *known = KnownIds {
                scope: looked.scope,
                client: client.unwrap_or(UNKNOWN),
                object: object.unwrap_or(UNKNOWN),
            };
        }
        known
    }

    #[inline]
    fn scope(&mut self, host: &[u8]) -> u32 {
        let last = &self.last;
        // Most formats log no host. Comparing nothing with nothing costs more than a look-up: glibc's memcmp then
        // reads, masked, from where an empty vector points, and processors take hundreds of cycles over that.
        let is_last = last.host.len() == host.len() && (host.is_empty() || last.host[..] == *host);
        if let Some(scope) = last.scope.filter(|_| is_last) {
            return scope;
        }
        self.last.host.clear();
        self.last.host.extend_from_slice(host);
        self.last.scope = read(&self.names.scopes).get(scope_qualifier(self.log_rule), host);
        self.last.scope.unwrap_or(UNKNOWN)
    }
}

/// What the scope of a host is looked up by besides the host.
pub(super) fn scope_qualifier(log_rule: usize) -> Qualifier {
    Qualifier {
        scope: log_rule as u32,
        variant: 0,
    }
}
