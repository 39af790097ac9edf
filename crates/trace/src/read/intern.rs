//! Byte strings to dense ids.

use super::error::ReadError;
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
    pub(super) const NONE: Qualifier = Qualifier {
        scope: 0,
        variant: 0,
    };
}

/// Where a record begins in the arena, in units of [`ALIGNMENT`].
pub(super) type Place = u32;

/// Records begin at multiples of so many bytes: fewer of them lie across two lines of the processor's
/// cache, and places in four bytes reach 64 GiB.
const ALIGNMENT: usize = 16;

/// Bytes of a record's head: variant, scope, length of the key; then its value.
const HEAD_BYTES: usize = 16;
const VALUE_BYTES: usize = 4;

/// The head of the record of a key: equal heads and equal bytes are equal keys.
#[inline]
fn head(qualifier: Qualifier, key: &[u8]) -> [u8; HEAD_BYTES] {
    let head = u128::from(qualifier.variant)
        | u128::from(qualifier.scope) << 64
        | (key.len() as u128) << 96;
    head.to_ne_bytes()
}

/// Distinct (qualifier, bytes) keys, each with a value of four bytes.
///
/// The table holds nothing but the place of each key's record (head, value, bytes) in one arena, in four
/// bytes: with tens of thousands of keys it stays in the cache, and a look-up misses it once, in the
/// record, not twice. Memory goes by distinct keys: their bytes and some 35 more.
///
/// The hash is seeded anew in every process, so that nobody who sends requests can choose paths that
/// collide; ids do not depend on it.
#[derive(Debug, Default)]
pub(super) struct Interner {
    records: HashTable<Place>,
    arena: Vec<u8>,
    hasher: RandomState,
}

#[inline]
fn hash(hasher: &RandomState, head: &[u8; HEAD_BYTES], key: &[u8]) -> u64 {
    let mut state = hasher.build_hasher();
    state.write(key);
    state.write_u128(u128::from_ne_bytes(*head));
    state.finish()
}

/// Head, value and the bytes that begin with the key of the record at `place`.
#[inline]
fn record(arena: &[u8], place: Place) -> Option<(&[u8; HEAD_BYTES], u32, &[u8])> {
    let (head, rest) = arena
        .get(place as usize * ALIGNMENT..)?
        .split_first_chunk()?;
    let (value, rest) = rest.split_first_chunk::<VALUE_BYTES>()?;
    Some((head, u32::from_ne_bytes(*value), rest))
}

/// Whether two keys are equal, word by word: calls of `memcmp` for keys of some 30 bytes took a fifteenth of a log's time.
#[inline]
fn is_same(one: &[u8], other: &[u8]) -> bool {
    const WORD: usize = size_of::<u64>();
    let (Some(one_last), Some(other_last)) = (one.last_chunk(), other.last_chunk()) else {
        return one == other;
    };
    let words = one.as_chunks::<WORD>().0.iter();
    let mut pairs = words.zip(other.as_chunks::<WORD>().0);
    let is_same = |one: &[u8; WORD], other: &[u8; WORD]| one == other;
    one.len() == other.len()
        && is_same(one_last, other_last)
        && pairs.all(|(one, other)| is_same(one, other))
}

fn qualifier(head: &[u8; HEAD_BYTES]) -> Qualifier {
    let head = u128::from_ne_bytes(*head);
    Qualifier {
        scope: (head >> 64) as u32,
        variant: head as u64,
    }
}

fn key_length(head: &[u8; HEAD_BYTES]) -> usize {
    (u128::from_ne_bytes(*head) >> 96) as usize
}

impl Interner {
    /// The value of a key, if it is known.
    #[inline]
    pub(super) fn get(&self, qualifier: Qualifier, key: &[u8]) -> Option<u32> {
        let mut value = None;
        self.records
            .find(hash(&self.hasher, &head(qualifier, key), key), |&place| {
                value = self.at(place, qualifier, key);
                value.is_some()
            })?;
        value
    }

    /// What [`Interner::likely`] finds a key by.
    #[inline]
    pub(super) fn hash(&self, qualifier: Qualifier, key: &[u8]) -> u64 {
        hash(&self.hasher, &head(qualifier, key), key)
    }

    /// Where the record of the key of a hash most probably is, if the key is known.
    #[inline]
    pub(super) fn likely(&self, hash: u64) -> Option<Place> {
        self.records.find(hash, |_| true).copied()
    }

    /// Reads from the record at `place`, whose key has `length` bytes, so that it is in the cache.
    #[inline]
    pub(super) fn touch(&self, place: Place, length: usize) -> u8 {
        let begin = place as usize * ALIGNMENT;
        let byte = |at: usize| self.arena.get(at).copied().unwrap_or_default();
        byte(begin) ^ byte(begin + HEAD_BYTES + VALUE_BYTES + length)
    }

    /// The value of a key, if its record is at `place`.
    #[inline]
    pub(super) fn at(&self, place: Place, qualifier: Qualifier, key: &[u8]) -> Option<u32> {
        let (found, value, rest) = record(&self.arena, place)?;
        let equal = *found == head(qualifier, key) && is_same(rest.get(..key.len())?, key);
        equal.then_some(value)
    }

    /// Adds a key that is not known yet.
    #[cold]
    pub(super) fn insert(
        &mut self,
        qualifier: Qualifier,
        key: &[u8],
        value: u32,
    ) -> Result<(), ReadError> {
        let place = self.next_place()?;
        let head = head(qualifier, key);
        self.arena.extend_from_slice(&head);
        self.arena.extend_from_slice(&value.to_ne_bytes());
        self.arena.extend_from_slice(key);
        let (arena, hasher) = (&self.arena, &self.hasher);
        self.records
            .insert_unique(hash(hasher, &head, key), place, |&place| {
                // Every place in the table is that of a whole record.
                record(arena, place).map_or(0, |(head, _, rest)| {
                    hash(hasher, head, &rest[..key_length(head)])
                })
            });
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Number of keys.
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// All keys with their values, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Qualifier, &[u8], u32)> {
        let records = self.records.iter();
        records.filter_map(|&place| {
            let (head, value, rest) = record(&self.arena, place)?;
            Some((qualifier(head), &rest[..key_length(head)], value))
        })
    }

    /// Forgets all keys and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.records.clear();
        self.arena.clear();
    }

    /// Extends the arena to where the next record begins.
    fn next_place(&mut self) -> Result<Place, ReadError> {
        let begin = self.arena.len().next_multiple_of(ALIGNMENT);
        self.arena.resize(begin, 0);
        Place::try_from(begin / ALIGNMENT).map_err(|_| ReadError::TooMany {
            what: "bytes of names",
            limit: (ALIGNMENT as u64) << Place::BITS,
        })
    }
}

/// The id after `count` ids; the largest number stands for "none".
pub(super) fn next_id(count: usize, what: &'static str) -> Result<u32, ReadError> {
    let limit = u64::from(crate::NO_OBJECT);
    match u32::try_from(count) {
        Ok(id) if id < crate::NO_OBJECT => Ok(id),
        _ => Err(ReadError::TooMany { what, limit }),
    }
}
