//! Requests as bytes: the tables and columns of each log, compressed.
//!
//! Columns are small numbers wherever that is possible, as `postcard` writes those in a byte: times as steps, methods,
//! protocols and accesses together.

use std::io;

use hotset_trace::read::{Evidence, FirstRead, LogAlone, ReadSummary, SizeEvidence, UnreadRequest};
use hotset_trace::{
    MAX_TOTAL_BYTES, Method, NO_OBJECT, Objects, PathTable, Protocol, Requests, Trace, TraceOrigin,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use strum::VariantArray as _;

use super::TracePart;
use crate::part::bytes::{Format, damaged};
use crate::part::{Name, PartError, Rules};

const REQUESTS: Format = Format {
    magic: b"hotset requests\n",
    version: 1,
    // Rows that are all alike compress without limit; so many bytes are fifty million of them.
    least_limit: 1 << 30,
};

/// Where the protocol and the access begin in a row's flags; the method takes the bits below.
const PROTOCOL_BIT: u32 = 2;
const ACCESS_BIT: u32 = 4;

#[derive(Serialize, Deserialize)]
struct StoredPart {
    rules: Rules,
    node: Option<String>,
    by_time: bool,
    twins: Vec<String>,
    logs: Vec<StoredLog>,
}

#[derive(Serialize, Deserialize)]
struct StoredLog {
    log: String,
    log_rule: u64,
    begins_us: i64,
    heads: Vec<u64>,
    /// JSON of `ReadSummary`.
    summary: String,
    hosts: Vec<Vec<u8>>,
    used_rules: Vec<bool>,
    not_found: Option<Vec<(u16, Name, u64)>>,
    sites: Vec<String>,
    clients: Vec<Name>,
    objects: Vec<StoredObject>,
    first_reads: Vec<FirstRead>,
    unread: Vec<UnreadRequest>,
    rows: Rows,
}

#[derive(Serialize, Deserialize)]
struct StoredObject {
    site: u16,
    path: Name,
    size: SizeEvidence,
}

/// A column each.
#[derive(Serialize, Deserialize)]
struct Rows {
    time_steps_us: Vec<i64>,
    client: Vec<u32>,
    site: Vec<u16>,
    /// One more than the id; 0 where there is no object.
    object: Vec<u32>,
    bytes: Vec<u64>,
    status: Vec<u16>,
    flags: Vec<u8>,
}

impl TracePart {
    /// The requests as bytes.
    ///
    /// # Errors
    /// What the compressor says, which is only that there is no memory.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let logs: Result<_, _> = self.logs.iter().map(StoredLog::of).collect();
        REQUESTS.write(&StoredPart {
            rules: self.rules.clone(),
            node: self.node.clone(),
            by_time: self.by_time,
            twins: self.twins.clone(),
            logs: logs?,
        })
    }

    /// Reads the bytes of requests from `file`, which is for messages.
    ///
    /// # Errors
    /// [`PartError`]: not requests, of another version, cut off, or damaged.
    pub fn of_bytes(file: &str, bytes: &[u8]) -> Result<TracePart, PartError> {
        let stored: StoredPart = REQUESTS.read(file, bytes)?;
        let logs: Option<Vec<LogAlone>> = stored.logs.into_iter().map(StoredLog::log).collect();
        let part = TracePart {
            rules: stored.rules,
            node: stored.node,
            by_time: stored.by_time,
            logs: logs.ok_or_else(|| damaged(file, "its columns do not fit together"))?,
            twins: stored.twins,
        };
        let counted = part
            .counted()
            .map_err(|_| damaged(file, "it has no logs"))?;
        counted.check().map_err(|detail| damaged(file, detail))?;
        Ok(part)
    }
}

fn names(table: &PathTable) -> Vec<Name> {
    table.iter().map(Name::from).collect()
}

fn table<'a>(names: impl IntoIterator<Item = &'a Name>) -> PathTable {
    let mut table = PathTable::default();
    names.into_iter().for_each(|name| table.push(name));
    table
}

impl StoredLog {
    fn of(log: &LogAlone) -> io::Result<StoredLog> {
        let (trace, evidence) = (&log.trace, &log.evidence);
        let objects = (0..trace.objects.len()).map(|id| StoredObject {
            site: trace.objects.site[id],
            path: trace.objects.path.get(id).into(),
            size: evidence.sizes[id],
        });
        Ok(StoredLog {
            log: evidence.log.clone(),
            log_rule: evidence.log_rule as u64,
            begins_us: evidence.begins_us,
            heads: evidence.heads.clone(),
            summary: serde_json::to_string(&log.summary)?,
            hosts: evidence.hosts.clone(),
            used_rules: evidence.used_rules.clone(),
            not_found: evidence.not_found.clone(),
            sites: trace.sites.clone(),
            clients: names(&trace.clients),
            objects: objects.collect(),
            first_reads: evidence.first_reads.clone(),
            unread: evidence.unread.clone(),
            rows: Rows::of(&trace.requests),
        })
    }

    /// The log; none where its tables and columns do not fit together.
    fn log(self) -> Option<LogAlone> {
        let summary: ReadSummary = serde_json::from_str(&self.summary).ok()?;
        let requests = self.rows.requests()?;
        let not_found = self.not_found.iter().flatten();
        let is_sound = fits(&requests.site, self.sites.len())
            && fits(&requests.client, self.clients.len())
            && fits(objects(&requests), self.objects.len())
            && fits(self.objects.iter().map(|it| &it.site), self.sites.len())
            && fits(
                self.first_reads.iter().map(|it| &it.scope),
                self.hosts.len(),
            )
            && fits(
                self.first_reads.iter().map(|it| &it.object),
                self.objects.len(),
            )
            && is_rising(self.first_reads.iter().map(|it| it.row), requests.len())
            && fits(self.unread.iter().map(|it| &it.scope), self.hosts.len())
            && is_rising(self.unread.iter().map(|it| it.row), requests.len())
            && (self.unread.iter()).all(|it| requests.object[it.row as usize] == NO_OBJECT)
            && fits(not_found.map(|it| &it.0), self.sites.len())
            && summary.requests == requests.len() as u64;
        let evidence = Evidence {
            log: self.log,
            log_rule: usize::try_from(self.log_rule).ok()?,
            begins_us: self.begins_us,
            heads: self.heads,
            has_keys: false,
            hosts: self.hosts,
            sizes: self.objects.iter().map(|it| it.size).collect(),
            first_reads: self.first_reads,
            unread: self.unread,
            not_found: self.not_found,
            used_rules: self.used_rules,
        };
        is_sound.then_some(LogAlone {
            trace: Trace {
                sites: self.sites,
                clients: table(&self.clients),
                objects: Objects {
                    site: self.objects.iter().map(|it| it.site).collect(),
                    size: self.objects.iter().map(|it| it.size.size()).collect(),
                    path: table(self.objects.iter().map(|it| &it.path)),
                },
                requests,
                origin: TraceOrigin::Timed,
            },
            summary,
            evidence,
        })
    }
}

/// Whether ids are rows of a table of so many.
fn fits<'a, T: Copy + Into<u64> + 'a>(ids: impl IntoIterator<Item = &'a T>, rows: usize) -> bool {
    ids.into_iter().all(|&id| id.into() < rows as u64)
}

fn is_rising(rows: impl Iterator<Item = u64> + Clone, most: usize) -> bool {
    rows.clone().is_sorted() && rows.last().is_none_or(|row| row < most as u64)
}

fn objects(requests: &Requests) -> impl Iterator<Item = &u32> {
    requests.object.iter().filter(|id| **id != NO_OBJECT)
}

impl Rows {
    fn of(requests: &Requests) -> Rows {
        let before = [0].iter().chain(&requests.time_us);
        let steps = requests.time_us.iter().zip(before);
        let flags = (0..requests.len()).map(|row| {
            requests.method[row] as u8
                | (requests.protocol[row] as u8) << PROTOCOL_BIT
                | u8::from(requests.access[row]) << ACCESS_BIT
        });
        Rows {
            time_steps_us: steps
                .map(|(time, before)| time.wrapping_sub(*before))
                .collect(),
            client: requests.client.clone(),
            site: requests.site.clone(),
            object: requests
                .object
                .iter()
                .map(|id| id.wrapping_add(1))
                .collect(),
            bytes: requests.bytes.clone(),
            status: requests.status.clone(),
            flags: flags.collect(),
        }
    }

    /// The columns; none where they differ in length, or a value is none that a log can give.
    fn requests(self) -> Option<Requests> {
        let mut time_us = 0_i64;
        let times = self.time_steps_us.iter().map(|step| {
            time_us = time_us.wrapping_add(*step);
            time_us
        });
        let bits = |flags: &u8, bit: u32| usize::from(flags >> bit & 0b11);
        let requests = Requests {
            time_us: times.collect(),
            client: self.client,
            site: self.site,
            object: self.object.iter().map(|id| id.wrapping_sub(1)).collect(),
            bytes: self.bytes,
            status: self.status,
            method: self
                .flags
                .iter()
                .map(|it| Method::VARIANTS[bits(it, 0)])
                .collect(),
            protocol: self
                .flags
                .iter()
                .map(|it| Protocol::VARIANTS[bits(it, PROTOCOL_BIT)])
                .collect(),
            access: self
                .flags
                .iter()
                .map(|it| it >> ACCESS_BIT & 1 == 1)
                .collect(),
        };
        let rows = requests.len();
        let lengths = [
            requests.client.len(),
            requests.site.len(),
            requests.object.len(),
            requests.bytes.len(),
            requests.status.len(),
            self.flags.len(),
        ];
        let response_bytes: u128 = requests.bytes.iter().map(|&bytes| u128::from(bytes)).sum();
        let is_access = |row: usize| requests.access[row];
        let is_sound = lengths.iter().all(|&length| length == rows)
            && requests
                .time_us
                .iter()
                .all(|&us| Timestamp::from_microsecond(us).is_ok())
            && (0..rows).all(|row| !is_access(row) || requests.object[row] != NO_OBJECT)
            && response_bytes <= u128::from(MAX_TOTAL_BYTES);
        is_sound.then_some(requests)
    }
}
