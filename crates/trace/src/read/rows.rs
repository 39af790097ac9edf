//! From a record to a row of columns: who asked, for which object of which site, and does it count.

use super::error::ReadError;
use super::intern::{Clients, Qualifier};
use super::objects::{Evidence, ObjectTable};
use super::queue::{QUEUED, Queue};
use super::roots::Roots;
use super::rules::{CountingRule, QueryRule, Reads, is_static};
use super::sites::Sites;
use super::summary::NotFiles;
use crate::formats::{Record, Target};
use crate::{NO_OBJECT, Request, Requests, Trace, TraceOrigin};
use percent_encoding::percent_decode;
use std::borrow::Cow;
use std::collections::HashSet;

/// Paths remembered as missing under a root, so that asking for them again costs no system call;
/// bounded, because there is no end to paths that do not exist.
const MISSING_REMEMBERED: usize = 1 << 16;

/// Everything that rows refer to, growing as rows are made.
pub(super) struct Rows {
    counting: CountingRule,
    query: QueryRule,
    pub(super) sites: Sites,
    roots: Roots,
    clients: Clients,
    objects: ObjectTable,
    queue: Queue,
    missing: HashSet<(u16, Vec<u8>)>,
    rows: u64,
    timed: bool,
    pub(super) accesses: u64,
    pub(super) dropped_with_parameters: u64,
    pub(super) not_files: NotFiles,
}

/// What a request asks for.
struct Asked {
    site: u16,
    object: u32,
    access: bool,
}

/// What a record names, as the default rules look it up.
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
            Target::Url(target) => Url::of(target).path,
            Target::Key(_) => b"",
        };
        Names {
            scope,
            client: record.client,
            path,
        }
    }
}

/// What is known of a record before its row is made: nothing that a row before it changes.
#[derive(Clone, Copy, Default)]
struct Known {
    client: Option<u32>,
    /// The object of the target's path as it is spelled.
    object: Option<u32>,
}

/// A target, cut up.
struct Url<'a> {
    path: &'a [u8],
    /// With the query, without the fragment.
    whole: &'a [u8],
}

impl<'a> Url<'a> {
    #[inline]
    fn of(target: &'a [u8]) -> Url<'a> {
        match memchr::memchr2(b'?', b'#', target) {
            None => Url {
                path: target,
                whole: target,
            },
            Some(end) => Url::cut(target, end),
        }
    }

    fn cut(target: &'a [u8], path_end: usize) -> Url<'a> {
        let fragment = memchr::memchr(b'#', &target[path_end..]);
        let whole = &target[..fragment.map_or(target.len(), |at| path_end + at)];
        Url {
            path: &target[..path_end],
            whole,
        }
    }

    #[inline]
    fn has_query(&self) -> bool {
        self.path.len() < self.whole.len()
    }
}

impl Rows {
    pub(super) fn new(
        (counting, query): (CountingRule, QueryRule),
        sites: Sites,
        roots: Roots,
        client_key: Option<[u8; 16]>,
    ) -> Rows {
        Rows {
            counting,
            query,
            sites,
            roots,
            clients: Clients::new(client_key),
            objects: ObjectTable::new(),
            queue: Queue::default(),
            missing: HashSet::new(),
            rows: 0,
            timed: false,
            accesses: 0,
            dropped_with_parameters: 0,
            not_files: NotFiles::default(),
        }
    }

    /// Rows made.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Takes a record from a log that `log` stands for ([`Sites::log`]); its row, unless the counting
    /// rule drops it, is appended to `to` by the next [`Rows::flush`] at the latest. A record without a
    /// time in a log with times gets `last_us`, the time before it.
    #[inline]
    pub(super) fn add(
        &mut self,
        log: usize,
        record: &Record<'_>,
        last_us: Option<i64>,
        to: &mut Requests,
    ) -> Result<(), ReadError> {
        let host = (!record.host.is_empty()).then_some(record.host);
        let scope = self.sites.scope(log, host)?;
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
        let known = self.known(&queue);
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
    fn known(&self, queue: &Queue) -> [Known; QUEUED] {
        let mut names = [Names::default(); QUEUED];
        for (names, (record, scope, _)) in names.iter_mut().zip(queue.records()) {
            *names = Names::of(&record, scope);
        }
        let clients = names.map(|names| self.clients.likely(names.client));
        let objects = names.map(|names| self.objects.likely(names.scope, names.path));
        let mut known = [Known::default(); QUEUED];
        for (index, (known, names)) in known.iter_mut().zip(names).enumerate() {
            known.client = clients[index].and_then(|place| self.clients.at(place, names.client));
            known.object =
                objects[index].and_then(|place| self.objects.at(place, names.scope, names.path));
        }
        let sizes = known.map(|known| known.object.map(|object| self.objects.known_size(object)));
        std::hint::black_box(sizes);
        known
    }

    #[inline]
    fn row(
        &mut self,
        scope: u32,
        record: &Record<'_>,
        last_us: Option<i64>,
        known: Known,
    ) -> Result<Option<Request>, ReadError> {
        let asked = match record.target {
            Target::Url(target) => self.url(scope, target, record, known)?,
            Target::Key(key) => Some(self.key(scope, key, record)?),
        };
        let Some(Asked {
            site,
            object,
            access,
        }) = asked
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
    fn client(&mut self, record: &Record<'_>, known: Known) -> Result<u32, ReadError> {
        if let Some(client) = known.client {
            return Ok(client);
        }
        // Key-only traces name no clients: their table of clients stays empty.
        if record.client.is_empty() && matches!(record.target, Target::Key(_)) {
            return Ok(0);
        }
        self.clients.id(record.client)
    }

    #[inline]
    fn url(
        &mut self,
        scope: u32,
        target: &[u8],
        record: &Record<'_>,
        known: Known,
    ) -> Result<Option<Asked>, ReadError> {
        let url = Url::of(target);
        if self.counting == CountingRule::C1 {
            return self.url_by_c1(scope, &url, record);
        }
        let reads = Reads::of(record.method, record.status);
        let Some(key) = self.file_key(scope, &url, reads) else {
            return Ok(Some(self.no_object(scope, &url)));
        };
        let qualifier = Qualifier { scope, variant: 0 };
        // A kept query makes another key than the path that was looked up.
        let known = known.object.filter(|_| key.len() == url.path.len());
        let spelled = known.or_else(|| self.objects.spelled(qualifier, key));
        let object = match (spelled, reads) {
            (Some(object), _) => Some(object),
            (None, Reads::Data { .. }) => self.new_spelling(qualifier, key)?,
            (None, _) => {
                self.not_files.not_read_before += 1;
                None
            }
        };
        let Some(object) = object else {
            return Ok(Some(self.no_object(scope, &url)));
        };
        Ok(Some(self.asked(object, reads, record.bytes)))
    }

    /// The part of the target that names a file, if the request is for one.
    #[inline]
    fn file_key<'a>(&mut self, scope: u32, url: &Url<'a>, reads: Reads) -> Option<&'a [u8]> {
        match reads {
            Reads::OtherMethod => self.not_files.other_method += 1,
            Reads::OtherStatus => self.not_files.other_status += 1,
            _ if url.whole.is_empty() => self.not_files.no_target += 1,
            _ if !url.has_query() => return Some(url.path),
            _ => {
                let key = self.file_key_of_query(scope, url);
                self.not_files.query += u64::from(key.is_none());
                return key;
            }
        }
        None
    }

    fn file_key_of_query<'a>(&mut self, scope: u32, url: &Url<'a>) -> Option<&'a [u8]> {
        match self.query {
            QueryRule::Exclude => None,
            QueryRule::Strip => Some(url.path),
            QueryRule::Keep => Some(url.whole),
            QueryRule::Auto if is_static(url.path) => Some(url.path),
            QueryRule::Auto => self.is_under_root(scope, url.path).then_some(url.path),
        }
    }

    fn is_under_root(&mut self, scope: u32, path: &[u8]) -> bool {
        if self.roots.is_empty() {
            return false;
        }
        let path = decoded(path);
        let site = self.sites.of(scope, &path);
        self.roots.find(self.sites.name(site), &path).is_some()
    }

    #[inline]
    fn asked(&mut self, object: u32, reads: Reads, bytes: Option<u64>) -> Asked {
        let site = self.objects.site(object);
        let Reads::Data { full } = reads else {
            return Asked {
                site,
                object,
                access: false,
            };
        };
        if let Some(bytes) = bytes {
            let evidence = if full {
                Evidence::Full
            } else {
                Evidence::Partial
            };
            self.objects.learn_size(object, evidence, bytes);
        }
        Asked {
            site,
            object,
            access: true,
        }
    }

    fn no_object(&mut self, scope: u32, url: &Url<'_>) -> Asked {
        let site = self.site_of(scope, url.path);
        Asked {
            site,
            object: NO_OBJECT,
            access: false,
        }
    }

    fn site_of(&mut self, scope: u32, path: &[u8]) -> u16 {
        match self.sites.by_path() {
            true => self.sites.of(scope, &decoded(path)),
            false => self.sites.of(scope, path),
        }
    }

    /// The object of a target that is spelled so for the first time; none where the site has a root
    /// that lacks the file.
    #[cold]
    fn new_spelling(&mut self, qualifier: Qualifier, key: &[u8]) -> Result<Option<u32>, ReadError> {
        let path = decoded(key);
        let site = self.sites.of(qualifier.scope, &path);
        let object = if self.roots.has(self.sites.name(site)) {
            self.object_under_root(site, &path)?
        } else {
            let path = with_host(self.sites.host(qualifier.scope), &path);
            Some(self.objects.id(site, qualifier.variant, &path)?)
        };
        if let Some(object) = object {
            self.objects.add_spelling(qualifier, key, object)?;
        }
        Ok(object)
    }

    fn object_under_root(&mut self, site: u16, path: &[u8]) -> Result<Option<u32>, ReadError> {
        // With `keep` each query is an object of its own, of the one file's size.
        let (file_path, query) = match self.query {
            QueryRule::Keep => path.split_at(memchr::memchr(b'?', path).unwrap_or(path.len())),
            _ => (path, &[][..]),
        };
        let wanted = (site, file_path.to_vec());
        let found = match self.missing.contains(&wanted) {
            true => None,
            false => self.roots.find(self.sites.name(site), file_path),
        };
        let Some(file) = found else {
            self.not_files.not_under_root += 1;
            self.remember_missing(wanted);
            return Ok(None);
        };
        let object = self
            .objects
            .id(site, 0, &[&file.url_path, query].concat())?;
        self.objects.learn_size(object, Evidence::File, file.size);
        Ok(Some(object))
    }

    fn remember_missing(&mut self, wanted: (u16, Vec<u8>)) {
        if self.missing.len() >= MISSING_REMEMBERED {
            self.missing.clear();
        }
        self.missing.insert(wanted);
    }

    fn url_by_c1(
        &mut self,
        scope: u32,
        url: &Url<'_>,
        record: &Record<'_>,
    ) -> Result<Option<Asked>, ReadError> {
        if url.has_query() {
            self.dropped_with_parameters += 1;
            return Ok(None);
        }
        if url.whole.is_empty() {
            self.not_files.no_target += 1;
            return Ok(Some(self.no_object(scope, url)));
        }
        let bytes = record.bytes.unwrap_or(0);
        let qualifier = Qualifier {
            scope,
            variant: bytes,
        };
        let object = match self.objects.spelled(qualifier, url.path) {
            Some(object) => object,
            None => self.new_pair(qualifier, url.path)?,
        };
        Ok(Some(self.asked(
            object,
            Reads::Data { full: true },
            Some(bytes),
        )))
    }

    /// The object (path, bytes) seen for the first time.
    #[cold]
    fn new_pair(&mut self, qualifier: Qualifier, key: &[u8]) -> Result<u32, ReadError> {
        let path = decoded(key);
        let site = self.sites.of(qualifier.scope, &path);
        let path = with_host(self.sites.host(qualifier.scope), &path);
        let object = self.objects.id(site, qualifier.variant, &path)?;
        self.objects.add_spelling(qualifier, key, object)?;
        Ok(object)
    }

    fn key(&mut self, scope: u32, key: u64, record: &Record<'_>) -> Result<Asked, ReadError> {
        let site = self.site_of_key(scope, key);
        let reads = match self.counting {
            CountingRule::Default => Reads::of(record.method, record.status),
            CountingRule::C1 => Reads::Data { full: true },
        };
        let object = match reads {
            Reads::Data { .. } => Some(self.objects.keyed(site, key)?),
            Reads::Nothing => self.objects.known_key(site, key),
            Reads::OtherMethod | Reads::OtherStatus => None,
        };
        match (object, reads) {
            (Some(object), _) => {
                if let Some(size) = record.size {
                    self.objects.learn_size(object, Evidence::Full, size);
                }
                return Ok(self.asked(object, reads, record.bytes));
            }
            (None, Reads::OtherMethod) => self.not_files.other_method += 1,
            (None, Reads::OtherStatus) => self.not_files.other_status += 1,
            (None, _) => self.not_files.not_read_before += 1,
        }
        Ok(Asked {
            site,
            object: NO_OBJECT,
            access: false,
        })
    }

    /// Keys have no path but their digits, which only a rule for paths would look at.
    fn site_of_key(&mut self, scope: u32, key: u64) -> u16 {
        match self.sites.by_path() {
            true => self.sites.of(scope, key.to_string().as_bytes()),
            false => self.sites.of(scope, b""),
        }
    }

    /// Whether files were read and not a byte of any was logged or found.
    pub(super) fn tells_no_sizes(&self) -> bool {
        self.accesses > 0 && self.objects.tells_no_sizes()
    }

    /// The finished tables of a trace, without requests.
    pub(super) fn finish(self) -> Result<Trace, ReadError> {
        let names = self.sites.finish()?;
        self.roots
            .check_sites(|site| names.iter().any(|name| name == site))?;
        let origin = if self.timed {
            TraceOrigin::Timed
        } else {
            TraceOrigin::Untimed
        };
        Ok(Trace {
            sites: names,
            clients: self.clients.finish(),
            objects: self.objects.finish(),
            requests: Default::default(),
            origin,
        })
    }
}

/// The path that a target names: without scheme and host (RFC 9112 §3.2.2), percent-decoded.
fn decoded(target: &[u8]) -> Cow<'_, [u8]> {
    percent_decode(without_origin(target)).into()
}

fn without_origin(target: &[u8]) -> &[u8] {
    let is = |scheme: &str| {
        target
            .get(..scheme.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(scheme.as_bytes()))
    };
    let Some(scheme) = ["http://", "https://"]
        .into_iter()
        .find(|scheme| is(scheme))
    else {
        return target;
    };
    let rest = &target[scheme.len()..];
    memchr::memchr(b'/', rest).map_or(b"/", |slash| &rest[slash..])
}

/// `//host/path`, a network-path reference (RFC 3986 §4.2), where the site does not tell hosts apart.
fn with_host<'a>(host: &[u8], path: &'a [u8]) -> Cow<'a, [u8]> {
    match host.is_empty() {
        true => Cow::Borrowed(path),
        false => Cow::Owned([b"//", host, path].concat()),
    }
}
