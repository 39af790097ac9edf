//! From records to rows of columns: when, who, and what [`Resolver`] makes of the rest.

use super::clients::Clients;
use super::error::ReadError;
use super::options::ReadOptions;
use super::queue::{QUEUED, Queue};
use super::resolve::{KnownObject, Resolved, Resolver};
use super::roots::Roots;
use super::sites::Sites;
use super::summary::ReadSummary;
use super::url::Url;
use crate::formats::{Record, RequestTarget};
use crate::{Request, Requests, Trace, TraceOrigin};

/// Everything that rows refer to, growing as rows are made.
pub(super) struct Rows {
    resolver: Resolver,
    clients: Clients,
    queue: Queue,
    rows: u64,
    accesses: u64,
    timed: bool,
}

/// The names in a record that are looked up.
#[derive(Clone, Copy, Default)]
struct Names<'a> {
    scope: u32,
    client: &'a [u8],
    path: &'a [u8],
}

impl<'a> Names<'a> {
    #[inline]
    fn of(record: &Record<'a>, scope: u32) -> Names<'a> {
        let path = match record.target {
            RequestTarget::Url(url) => Url::of(url).path,
            RequestTarget::Key(_) => b"",
        };
        Names {
            scope,
            client: record.client,
            path,
        }
    }
}

/// Ids found for the names in a record before its row is made: nothing that a row before it changes.
#[derive(Clone, Copy, Default)]
struct KnownIds {
    client: Option<u32>,
    object: KnownObject,
}

impl Rows {
    pub(super) fn new(options: &ReadOptions, sites: Sites, roots: Roots) -> Rows {
        let key = (!options.keep_clients).then_some(options.client_key);
        Rows {
            resolver: Resolver::new(options.counting, options.query, sites, roots),
            clients: Clients::new(key),
            queue: Queue::default(),
            rows: 0,
            accesses: 0,
            timed: false,
        }
    }

    /// Rows made.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// The site that the rule for logs `log_rule` gives ([`Sites::log_rule`]).
    pub(super) fn site_of_log(&self, log_rule: usize) -> Option<&str> {
        self.resolver.sites().log_site(log_rule)
    }

    /// Takes a record from a log that `log_rule` stands for ([`Sites::log_rule`]); its row, unless the
    /// counting rule drops it, is appended to `to` by the next [`Rows::flush`] at the latest. A record
    /// without a time in a log with times gets `last_us`, the time before it.
    #[inline]
    pub(super) fn add(
        &mut self,
        log_rule: usize,
        record: &Record<'_>,
        last_us: Option<i64>,
        to: &mut Requests,
    ) -> Result<(), ReadError> {
        let scope = self.resolver.scope(log_rule, record.host)?;
        self.queue.push(record, scope, last_us);
        if self.queue.is_full() {
            self.flush(to)?;
        }
        Ok(())
    }

    /// Records taken and not yet made into rows.
    #[inline]
    pub(super) fn queued(&self) -> usize {
        self.queue.len()
    }

    /// Appends the rows of all records taken.
    pub(super) fn flush(&mut self, to: &mut Requests) -> Result<(), ReadError> {
        let mut queue = std::mem::take(&mut self.queue);
        let known = self.known_ids(&queue);
        for (known, (record, scope, last_us)) in known.into_iter().zip(queue.records()) {
            if let Some(row) = self.row(scope, &record, last_us, known)? {
                to.push(row);
            }
        }
        queue.clear();
        self.queue = queue;
        Ok(())
    }

    /// Looks up the names in the queue, step by step for all of them: within a step no read of memory
    /// depends on another, so that the processor waits for all of them at once.
    fn known_ids(&self, queue: &Queue) -> [KnownIds; QUEUED] {
        let objects = self.resolver.objects();
        let mut names = [Names::default(); QUEUED];
        for (names, (record, scope, _)) in names.iter_mut().zip(queue.records()) {
            *names = Names::of(&record, scope);
        }
        let client_places = names.map(|names| self.clients.likely(names.client));
        let object_places = names.map(|names| objects.likely(names.scope, names.path));
        let mut known = [KnownIds::default(); QUEUED];
        for (index, (known, names)) in known.iter_mut().zip(names).enumerate() {
            known.client =
                client_places[index].and_then(|place| self.clients.at(place, names.client));
            known.object =
                object_places[index].and_then(|place| objects.at(place, names.scope, names.path));
        }
        let sizes = known.map(|known| known.object.map(|object| objects.known_size(object)));
        std::hint::black_box(sizes);
        known
    }

    #[inline]
    fn row(
        &mut self,
        scope: u32,
        record: &Record<'_>,
        last_us: Option<i64>,
        known: KnownIds,
    ) -> Result<Option<Request>, ReadError> {
        let Some(Resolved {
            site,
            object,
            access,
        }) = self.resolver.resolve(scope, record, known.object)?
        else {
            return Ok(None);
        };
        self.timed |= record.time_us.is_some();
        let row = Request {
            time_us: record.time_us.or(last_us).unwrap_or(self.rows as i64),
            client: self.client(record, known)?,
            site,
            object,
            bytes: record.bytes.unwrap_or(0),
            status: record.status,
            method: record.method,
            protocol: record.protocol,
            access,
        };
        self.rows += 1;
        self.accesses += u64::from(access);
        Ok(Some(row))
    }

    #[inline]
    fn client(&mut self, record: &Record<'_>, known: KnownIds) -> Result<u32, ReadError> {
        if let Some(client) = known.client {
            return Ok(client);
        }
        // Key-only traces name no clients: their table of clients stays empty.
        if record.client.is_empty() && matches!(record.target, RequestTarget::Key(_)) {
            return Ok(0);
        }
        self.clients.id(record.client)
    }

    /// Whether files were read and not a byte of any was logged or found.
    pub(super) fn has_no_sizes(&self) -> bool {
        self.accesses > 0 && self.resolver.objects().has_no_sizes()
    }

    /// What is known of all rows.
    pub(super) fn summary(&self) -> ReadSummary {
        ReadSummary {
            requests: self.rows,
            accesses: self.accesses,
            ..self.resolver.summary()
        }
    }

    /// The finished tables of a trace, without requests.
    pub(super) fn finish(self) -> Result<Trace, ReadError> {
        let (sites, objects) = self.resolver.finish()?;
        let origin = if self.timed {
            TraceOrigin::Timed
        } else {
            TraceOrigin::Untimed
        };
        Ok(Trace {
            sites,
            clients: self.clients.finish(),
            objects,
            requests: Requests::default(),
            origin,
        })
    }
}
