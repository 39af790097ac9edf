//! What logs contribute to a description, to be stored, carried elsewhere and merged with that of other logs.
//!
//! A [`Part`] keys everything by name: sites by theirs, files by site and path, clients by their pseudonyms under one key. What
//! depends on the order of requests carries its [`Place`] in the order of all: the running maximum of times in its log, the
//! log, the row. Logs are merged by exactly that, so the earliest of two places is the same in any company. Sizes travel with
//! their evidence, since the largest full response counts, and partial ones count only where no log has a full one.
//!
//! | deed | file |
//! | --- | --- |
//! | a log that is read alone becomes a part | `of_log` |
//! | ranges of a log that are read apart become its part | `pieces` |
//! | parts become one | `merge` |
//! | requests of logs are carried elsewhere and become one trace | `requests` |
//! | a part becomes bytes, and bytes a part | `bytes`, `check` |
//! | a part becomes a description | `whole` |

mod bytes;
mod check;
mod error;
mod merge;
mod of_log;
mod pieces;
mod requests;
mod whole;

use std::collections::BTreeMap;

use hotset_trace::read::{NotFiles, QueryRule, RootRule, SiteRule, SizeEvidence};
use serde::{Deserialize, Serialize};

use crate::{ClientCounts, Methods, TimeSpan, rates::MinuteCounts};

pub use error::PartError;
pub use of_log::PartOptions;
pub use pieces::Piece;
pub use requests::{MergedTrace, TracePart};

/// What some logs, read by the same rules, contribute to a description. Parts of different logs merge in any order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    rules: Rules,
    /// Whether each site rule took a request.
    used_rules: Vec<bool>,
    /// By [`Log::order`], which is the order of equal times in the whole.
    logs: Vec<Log>,
    /// Files that were not read, as JSON of `SourceSummary`.
    twins: Vec<String>,
    not_files: NotFiles,
    /// Rules for logs and virtual hosts, rising: what tells equal spellings apart.
    scopes: Vec<Scope>,
    /// By name.
    sites: Vec<Site>,
    /// By place.
    unread: Vec<UnreadRequest>,
    /// Requests answered 404 by site and path; none where there are too many paths to keep.
    not_found: Option<PathCounts>,
}

/// Bytes that name something.
type Name = Box<[u8]>;

/// Requests for each path of a site.
type PathCounts = BTreeMap<(String, Name), u64>;

/// The rules by which logs were read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Rules {
    query: QueryRule,
    sites: Vec<String>,
    roots: Vec<String>,
    clients: ClientKey,
}

/// What stands for clients.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum ClientKey {
    /// Addresses as logged.
    None,
    /// Pseudonyms under a key, which this tells apart from others.
    Check(String),
}

/// One log: rotated files together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Log {
    begins_us: i64,
    /// Its first file.
    first: String,
    /// Path without the marks of rotation.
    name: String,
    rule: u32,
    requests: u64,
    /// Its files, oldest first, as JSON of `SourceSummary`.
    sources: Vec<String>,
    /// Hashes of their first bytes.
    heads: Vec<u64>,
}

/// Where a request stands in the order of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Place {
    /// Running maximum of the times in its log, microseconds since 1970-01-01 UTC.
    high_us: i64,
    /// Index of [`Part::logs`].
    log: u32,
    row: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Scope {
    log_rule: u32,
    host: Name,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Site {
    name: String,
    /// Its first request; none where it has none.
    first: Option<Place>,
    not_file_requests: u64,
    not_modified_without_file: u64,
    response_bytes: u64,
    methods: Methods,
    status_codes: BTreeMap<u16, u64>,
    minutes: MinuteCounts,
    span: Option<TimeSpan>,
    /// By path.
    objects: Vec<Object>,
    /// By name.
    clients: Vec<Client>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Object {
    path: Name,
    accesses: u64,
    size: SizeEvidence,
    /// By scope and target; at least one.
    spellings: Vec<Spelling>,
}

/// A way to ask for an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Spelling {
    /// Index of [`Part::scopes`].
    scope: u32,
    /// None where it is the object's path.
    target: Option<Name>,
    /// The first read.
    first: Place,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Client {
    name: Name,
    first: Place,
    counts: ClientCounts,
    /// First and last times of its connections, rising and further apart than a connection's gap.
    connections: Vec<(i64, i64)>,
}

/// A request that is for a file only if another before it has read one by this spelling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct UnreadRequest {
    at: Place,
    scope: u32,
    target: Name,
    /// Index of [`Part::sites`].
    site: u32,
    is_not_modified: bool,
}

impl Part {
    /// Its logs, each with its rotated files.
    pub fn logs(&self) -> usize {
        self.logs.len()
    }

    /// Their requests.
    pub fn requests(&self) -> u64 {
        self.sites
            .iter()
            .fold(0, |sum, site| sum.saturating_add(site.requests()))
    }
}

/// A file that logs of a part were read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartFile<'a> {
    /// Name of its site.
    pub site: &'a str,
    /// Path within the site.
    pub path: &'a [u8],
    /// File reads.
    pub accesses: u64,
    /// Its size as far as these logs tell.
    pub size_bytes: u64,
}

impl Part {
    /// The files that were read, by site and path.
    pub fn files(&self) -> impl Iterator<Item = PartFile<'_>> {
        self.sites.iter().flat_map(|site| {
            site.objects.iter().map(move |object| PartFile {
                site: &site.name,
                path: &object.path,
                accesses: object.accesses,
                size_bytes: object.size.size(),
            })
        })
    }
}

impl Part {
    /// How each file of its logs was read, in JSON.
    fn source_texts(&self) -> impl Iterator<Item = &String> {
        let logs = self.logs.iter().flat_map(|log| &log.sources);
        logs.chain(&self.twins)
    }
}

impl Rules {
    /// Those that are rules, which all are in a part that was made or checked.
    fn parsed(&self) -> (Vec<SiteRule>, Vec<RootRule>) {
        let sites = self.sites.iter().flat_map(|rule| rule.parse());
        let roots = self.roots.iter().flat_map(|rule| rule.parse());
        (sites.collect(), roots.collect())
    }
}

impl Object {
    /// The first read.
    fn first(&self) -> Option<Place> {
        self.spellings.iter().map(|spelling| spelling.first).min()
    }
}

impl Site {
    fn requests(&self) -> u64 {
        self.status_codes
            .values()
            .fold(0, |sum, n| sum.saturating_add(*n))
    }
}

impl Log {
    /// The order of logs: equal running maxima go by it.
    fn order(&self) -> (i64, &std::path::Path) {
        (self.begins_us, std::path::Path::new(&self.first))
    }
}
