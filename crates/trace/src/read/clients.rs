//! Clients: their ids, and the pseudonyms that a trace stores in place of their addresses.

use super::error::ReadError;
use super::intern::{Qualifier, next_id};
use super::names::SharedInterner;
use crate::PathTable;
use std::hash::Hasher;

/// Clients: dense ids in order of appearance, each with the name that the trace stores for it.
#[derive(Debug)]
pub(super) struct Clients {
    pub(super) ids: SharedInterner,
    names: PathTable,
    key: Option<[u8; 16]>,
}

impl Clients {
    /// With a key, names are kept as 16 hexadecimal digits of SipHash-2-4 under it.
    pub(super) fn new(key: Option<[u8; 16]>) -> Clients {
        Clients {
            ids: SharedInterner::default(),
            names: PathTable::default(),
            key,
        }
    }

    /// The id of a client, new if need be.
    pub(super) fn id(&mut self, name: &[u8]) -> Result<u32, ReadError> {
        match self.ids.get(Qualifier::NONE, name) {
            Some(id) => Ok(id),
            None => self.add(name),
        }
    }

    #[cold]
    fn add(&mut self, name: &[u8]) -> Result<u32, ReadError> {
        let id = next_id(self.names.len(), "clients")?;
        self.ids.insert(Qualifier::NONE, name, id)?;
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

/// SipHash-2-4 of a client under a secret key (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012).
pub(super) fn pseudonym(key: &[u8; 16], name: &[u8]) -> String {
    let mut state = siphasher::sip::SipHasher24::new_with_key(key);
    state.write(name);
    format!("{:016x}", state.finish())
}
