//! From records to rows of columns: when, who, and what [`Resolver`] makes of the rest.

use super::clients::Clients;
use super::entry::{Entry, Fields, Target, UNKNOWN};
use super::error::ReadError;
use super::evidence::{Evidence, FirstUses};
use super::names::Names;
use super::options::ReadOptions;
use super::resolve::{Resolution, Resolver};
use super::roots::Roots;
use super::sites::Sites;
use super::summary::ReadSummary;
use crate::period::TimeFilter;
use crate::{Objects, Request, Requests, Trace, TraceOrigin};
use jiff::Timestamp;

/// Everything that rows refer to, growing as rows are made.
pub(super) struct Rows {
    resolver: Resolver,
    clients: Clients,
    rows: u64,
    accesses: u64,
    timed: bool,
    times: TimeFilter,
}

impl Rows {
    pub(super) fn new(options: &ReadOptions, sites: Sites, roots: Roots) -> Rows {
        let key = (!options.keep_clients).then_some(options.client_key);
        Rows {
            resolver: Resolver::new(options.counting, options.query, sites, roots),
            clients: Clients::new(key),
            rows: 0,
            accesses: 0,
            timed: false,
            times: TimeFilter::new(options.period),
        }
    }

    /// Keeps what a log that is read alone has to tell beside its rows.
    pub(super) fn keep_evidence(&mut self) {
        self.resolver.first_uses = Some(FirstUses::default());
    }

    /// Rows made.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// The site that the rule for logs `log_rule` gives ([`Sites::log_rule`]).
    pub(super) fn site_of_log(&self, log_rule: usize) -> Option<&str> {
        self.resolver.sites.log_site(log_rule)
    }

    /// What is known of names, for the threads that parse.
    pub(super) fn names(&self) -> Names {
        Names {
            scopes: self.resolver.scopes.reader(),
            clients: self.clients.ids.reader(),
            objects: self.resolver.objects.spellings.reader(),
        }
    }

    /// Lets the threads that parse know all names so far.
    pub(super) fn publish(&mut self) -> Result<(), ReadError> {
        self.clients.ids.publish()?;
        self.resolver.publish()
    }

    /// Looks ahead at records whose rows are made next.
    #[inline]
    pub(super) fn look_ahead(&self, records: &[Fields]) {
        let objects = records.iter().map(|fields| fields.known.object);
        self.resolver.objects.touch(objects);
    }

    /// Hands the row of a record from a log that `log_rule` stands for ([`Sites::log_rule`]) to `put`; no row where the
    /// counting rule drops it or it lies outside the period. A record without a time in a log with times gets `last_us`,
    /// the time before it. Rows that were returned took a twentieth of a log's time to be copied.
    #[inline]
    pub(super) fn row(
        &mut self,
        log_rule: usize,
        entry: &Entry<'_>,
        last_us: Option<i64>,
        put: impl FnOnce(Request),
    ) -> Result<(), ReadError> {
        let fields = entry.fields;
        let time_us = fields.time_us().or(last_us);
        if !self.times.takes(time_us) {
            return Ok(());
        }
        let Some(Resolution {
            site,
            object,
            access,
        }) = self.resolved(log_rule, entry)?
        else {
            return Ok(());
        };
        self.timed |= fields.time_us().is_some();
        let client = self.client(entry)?;
        put(Request {
            time_us: time_us.unwrap_or(self.rows as i64),
            client,
            site,
            object,
            bytes: fields.bytes().unwrap_or(0),
            status: fields.status,
            method: fields.method,
            protocol: fields.protocol,
            access,
        });
        self.rows += 1;
        self.accesses += u64::from(access);
        Ok(())
    }

    #[inline]
    fn resolved(
        &mut self,
        log_rule: usize,
        entry: &Entry<'_>,
    ) -> Result<Option<Resolution>, ReadError> {
        match self.resolver.known_file(entry.fields) {
            Some(resolved) => Ok(Some(resolved)),
            None => {
                if let Some(uses) = &mut self.resolver.first_uses {
                    uses.row = self.rows;
                }
                let scope = self.resolver.scope(log_rule, entry)?;
                self.resolver.resolve(scope, entry)
            }
        }
    }

    #[inline]
    fn client(&mut self, entry: &Entry<'_>) -> Result<u32, ReadError> {
        match entry.fields.known.client {
            UNKNOWN => self.new_client(entry),
            known => Ok(known),
        }
    }

    fn new_client(&mut self, entry: &Entry<'_>) -> Result<u32, ReadError> {
        let client = entry.client();
        // Key-only traces name no clients: their table of clients stays empty.
        if client.is_empty() && matches!(entry.target(), Target::Key(..)) {
            return Ok(0);
        }
        self.clients.id(client)
    }

    /// Whether files were read and not a byte of any was logged or found.
    pub(super) fn has_no_sizes(&self) -> bool {
        self.accesses > 0 && self.resolver.objects.has_no_sizes()
    }

    /// First and last time of the requests outside the period.
    pub(super) fn left_out(&self) -> (Option<Timestamp>, Option<Timestamp>) {
        self.times.left()
    }

    /// What is known of all rows.
    pub(super) fn summary(&self) -> ReadSummary {
        let (first, last) = self.times.taken();
        ReadSummary {
            requests: self.rows,
            accesses: self.accesses,
            first,
            last,
            period: self.times.left_out(),
            ..self.resolver.summary()
        }
    }

    /// The finished tables of a trace, without requests.
    pub(super) fn finish(self) -> Result<Trace, ReadError> {
        let origin = self.origin();
        let (sites, objects) = self.resolver.finish()?;
        Ok(tables(sites, objects, self.clients, origin))
    }

    /// The same of a log that is read alone, whether its sites met all rules or not, and what it has to tell beside.
    pub(super) fn finish_alone(mut self) -> (Trace, Evidence) {
        let origin = self.origin();
        let evidence = self.resolver.evidence();
        let (sites, objects) = self.resolver.finish_alone();
        (tables(sites, objects, self.clients, origin), evidence)
    }

    fn origin(&self) -> TraceOrigin {
        match self.timed {
            true => TraceOrigin::Timed,
            false => TraceOrigin::Untimed,
        }
    }
}

fn tables(sites: Vec<String>, objects: Objects, clients: Clients, origin: TraceOrigin) -> Trace {
    Trace {
        sites,
        clients: clients.finish(),
        objects,
        requests: Requests::default(),
        origin,
    }
}
