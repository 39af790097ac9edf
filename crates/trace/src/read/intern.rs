//! Byte strings to dense ids.

use super::error::ReadError;
use crate::PathTable;
use foldhash::fast::RandomState;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hasher};

/// What a key is besides its bytes; equal bytes with different qualifiers are different keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Qualifier {
    pub(super) scope: u32,
    pub(super) variant: u64,
}

impl Qualifier {
    /// For keys that are their bytes alone.
    const NONE: Qualifier = Qualifier {
        scope: 0,
        variant: 0,
    };

    /// Scopes are small numbers and variants mostly 0, so the halves rarely overlap.
    #[inline]
    fn mixed(self) -> u64 {
        self.variant.rotate_left(32) ^ u64::from(self.scope)
    }
}

/// Distinct (qualifier, bytes) keys, each with a value of four bytes.
///
/// The hash is seeded anew in every process, so that nobody who sends requests can choose paths that
/// collide; ids do not depend on it. The bytes of all keys lie in one arena, an entry takes 32 bytes:
/// memory goes by distinct keys.
#[derive(Debug)]
pub(super) struct Interner {
    entries: HashTable<Entry>,
    arena: Vec<u8>,
    hasher: RandomState,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    offset: u64,
    qualifier: Qualifier,
    length: u32,
    value: u32,
}

impl Entry {
    #[inline]
    fn bytes(self, arena: &[u8]) -> &[u8] {
        &arena[self.offset as usize..][..self.length as usize]
    }
}

#[inline]
fn hash(hasher: &RandomState, qualifier: Qualifier, key: &[u8]) -> u64 {
    let mut state = hasher.build_hasher();
    state.write(key);
    state.write_u64(qualifier.mixed());
    state.finish()
}

impl Interner {
    pub(super) fn new() -> Interner {
        Interner {
            entries: HashTable::new(),
            arena: Vec::new(),
            hasher: RandomState::default(),
        }
    }

    /// The value of a key, if it is known.
    #[inline]
    pub(super) fn get(&self, qualifier: Qualifier, key: &[u8]) -> Option<u32> {
        let is_key = |e: &Entry| e.qualifier == qualifier && e.bytes(&self.arena) == key;
        let found = self
            .entries
            .find(hash(&self.hasher, qualifier, key), is_key);
        found.map(|entry| entry.value)
    }

    /// Adds a key that is not known yet.
    #[cold]
    pub(super) fn insert(&mut self, qualifier: Qualifier, key: &[u8], value: u32) {
        let offset = self.arena.len() as u64;
        self.arena.extend_from_slice(key);
        let entry = Entry {
            offset,
            qualifier,
            length: key.len() as u32,
            value,
        };
        let (arena, hasher) = (&self.arena, &self.hasher);
        self.entries
            .insert_unique(hash(hasher, qualifier, key), entry, |e| {
                hash(hasher, e.qualifier, e.bytes(arena))
            });
    }
}

/// Clients: dense ids in order of appearance.
#[derive(Debug)]
pub(super) struct Clients {
    ids: Interner,
    names: PathTable,
    key: Option<[u8; 16]>,
}

impl Clients {
    /// With a key, names are kept as 16 hexadecimal digits of SipHash-2-4 under it.
    pub(super) fn new(key: Option<[u8; 16]>) -> Clients {
        Clients {
            ids: Interner::new(),
            names: PathTable::default(),
            key,
        }
    }

    /// The id of a client.
    #[inline]
    pub(super) fn id(&mut self, name: &[u8]) -> Result<u32, ReadError> {
        match self.ids.get(Qualifier::NONE, name) {
            Some(id) => Ok(id),
            None => self.add(name),
        }
    }

    #[cold]
    fn add(&mut self, name: &[u8]) -> Result<u32, ReadError> {
        let id = next_id(self.names.len(), "clients")?;
        self.ids.insert(Qualifier::NONE, name, id);
        match &self.key {
            Some(key) => self.names.push(pseudonym(key, name).as_bytes()),
            None => self.names.push(name),
        }
        Ok(id)
    }

    /// Names or pseudonyms by id.
    pub(super) fn finish(self) -> PathTable {
        self.names
    }
}

fn pseudonym(key: &[u8; 16], name: &[u8]) -> String {
    let mut state = siphasher::sip::SipHasher24::new_with_key(key);
    state.write(name);
    format!("{:016x}", state.finish())
}

/// The id after `count` ids; the largest number stands for "none".
pub(super) fn next_id(count: usize, what: &'static str) -> Result<u32, ReadError> {
    let limit = u64::from(crate::NO_OBJECT);
    match u32::try_from(count) {
        Ok(id) if id < crate::NO_OBJECT => Ok(id),
        _ => Err(ReadError::TooMany { what, limit }),
    }
}
