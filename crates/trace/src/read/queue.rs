//! Records that wait for the look-ups of their names.

use crate::formats::{Record, RequestTarget};

/// Records that wait at most. The tables of names are larger than a processor's near caches, and each
/// look-up waits for memory; those of several records, made together, wait at the same time.
pub(super) const QUEUED: usize = 32;

/// A few records with their own copy of the bytes that they name, in order.
#[derive(Debug, Default)]
pub(super) struct Queue {
    records: Vec<Queued>,
    bytes: Vec<u8>,
}

/// A record whose client and target are the next bytes of the queue.
#[derive(Debug)]
struct Queued {
    record: Record<'static>,
    client_bytes: usize,
    target_bytes: usize,
    scope: u32,
    last_us: Option<i64>,
}

impl Queue {
    /// Appends a record of the scope `scope` behind a record at `last_us`; forgets its host.
    #[inline]
    pub(super) fn push(&mut self, record: &Record<'_>, scope: u32, last_us: Option<i64>) {
        self.bytes.extend_from_slice(record.client);
        let (target, target_bytes) = match record.target {
            RequestTarget::Url(target) => {
                self.bytes.extend_from_slice(target);
                (RequestTarget::Url(b""), target.len())
            }
            RequestTarget::Key(key) => (RequestTarget::Key(key), 0),
        };
        self.records.push(Queued {
            record: Record {
                client: b"",
                host: b"",
                target,
                ..*record
            },
            client_bytes: record.client.len(),
            target_bytes,
            scope,
            last_us,
        });
    }

    /// The records, each with its scope and the time before it.
    #[inline]
    pub(super) fn records(&self) -> impl Iterator<Item = (Record<'_>, u32, Option<i64>)> {
        let mut rest = &self.bytes[..];
        let mut cut = move |length| {
            let (bytes, behind) = rest.split_at(length);
            rest = behind;
            bytes
        };
        self.records.iter().map(move |queued| {
            let client = cut(queued.client_bytes);
            let target = match queued.record.target {
                RequestTarget::Url(_) => RequestTarget::Url(cut(queued.target_bytes)),
                key => key,
            };
            let record = Record {
                client,
                target,
                ..queued.record
            };
            (record, queued.scope, queued.last_us)
        })
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.records.len() >= QUEUED
    }

    pub(super) fn clear(&mut self) {
        self.records.clear();
        self.bytes.clear();
    }
}
