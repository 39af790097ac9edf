//! Which object of which site a request is for, and whether it is an access to it.

use super::access::{CountingRule, FileUse};
use super::entry::{Entry, Fields, Target, UNKNOWN};
use super::error::ReadError;
use super::evidence::{Evidence, FirstRead, FirstUses, UnreadRequest};
use super::intern::Qualifier;
use super::names::{SharedInterner, scope_qualifier};
use super::not_found::NotFoundCounts;
use super::objects::{ObjectTable, SizeSource};
use super::query::QueryRule;
use super::roots::{MissingPaths, Roots};
use super::sites::Sites;
use super::summary::{NotFiles, ReadSummary};
use super::url::{Url, decoded, with_host};
use crate::{NO_OBJECT, Objects, sized_path};

/// The status of a request for what is not there (RFC 9110 §15.5.5).
const NOT_FOUND: u16 = 404;

/// The status of a file that the client has already (RFC 9110 §15.4.5).
const NOT_MODIFIED: u16 = 304;

/// What a request is for.
pub(super) struct Resolution {
    pub(super) site: u16,
    /// [`NO_OBJECT`] where it is not for a file.
    pub(super) object: u32,
    pub(super) access: bool,
}

impl Resolution {
    /// Of a request for no file of the site.
    fn of_site(site: u16) -> Resolution {
        Resolution {
            site,
            object: NO_OBJECT,
            access: false,
        }
    }
}

/// The rules that decide it, and the sites and objects found so far.
pub(super) struct Resolver {
    counting: CountingRule,
    query: QueryRule,
    pub(super) sites: Sites,
    /// Scopes of [`Sites`] by rule for logs and host.
    pub(super) scopes: SharedInterner,
    roots: Roots,
    missing: MissingPaths,
    pub(super) objects: ObjectTable,
    dropped_with_parameters: u64,
    not_files: NotFiles,
    not_found: NotFoundCounts,
    /// Kept for logs that are read one by one.
    pub(super) first_uses: Option<FirstUses>,
}

impl Resolver {
    pub(super) fn new(
        counting: CountingRule,
        query: QueryRule,
        sites: Sites,
        roots: Roots,
    ) -> Resolver {
        Resolver {
            counting,
            query,
            sites,
            scopes: SharedInterner::default(),
            roots,
            missing: MissingPaths::default(),
            objects: ObjectTable::new(),
            dropped_with_parameters: 0,
            not_files: NotFiles::default(),
            not_found: NotFoundCounts::default(),
            first_uses: None,
        }
    }

    /// As [`SharedInterner::publish`].
    pub(super) fn publish(&mut self) -> Result<(), ReadError> {
        self.scopes.publish()?;
        self.objects.spellings.publish()
    }

    /// What is known of a request's site from its log and its host, empty where none is logged.
    #[inline]
    pub(super) fn scope(&mut self, log_rule: usize, entry: &Entry<'_>) -> Result<u32, ReadError> {
        match entry.fields.known.scope {
            UNKNOWN => self.new_scope(log_rule, entry.host()),
            known => Ok(known),
        }
    }

    #[cold]
    fn new_scope(&mut self, log_rule: usize, host: &[u8]) -> Result<u32, ReadError> {
        let qualifier = scope_qualifier(log_rule);
        if let Some(scope) = self.scopes.get(qualifier, host) {
            return Ok(scope);
        }
        let scope = self.sites.scope(log_rule, host)?;
        self.scopes.insert(qualifier, host, scope)?;
        Ok(scope)
    }

    /// What nearly all requests are: for a file that is known by its path. None: look more closely.
    #[inline]
    pub(super) fn known_file(&mut self, fields: &Fields) -> Option<Resolution> {
        if fields.known.object == UNKNOWN || !fields.is_path {
            return None;
        }
        let file_use = match self.counting {
            CountingRule::Default => self.counting.file_use(fields.method, fields.status),
            CountingRule::C1 => return None,
        };
        match file_use {
            FileUse::Read { .. } | FileUse::Checked => {
                Some(self.of_object(fields.known.object, file_use, fields.bytes()))
            }
            FileUse::OtherMethod | FileUse::OtherStatus => None,
        }
    }

    /// What a request is for; none where the counting rule drops it.
    #[inline]
    pub(super) fn resolve(
        &mut self,
        scope: u32,
        entry: &Entry<'_>,
    ) -> Result<Option<Resolution>, ReadError> {
        let wanted = entry.target();
        let resolved = match &wanted {
            Target::Url(url) => match self.counting {
                CountingRule::Default => self.url(scope, url, entry.fields).map(Some),
                CountingRule::C1 => self.url_by_c1(scope, url, entry.fields),
            },
            Target::Key(key, size) => self.key(scope, *key, *size, entry.fields).map(Some),
        }?;
        if entry.fields.status == NOT_FOUND
            && let (Target::Url(url), Some(resolved)) = (&wanted, &resolved)
        {
            let host = self.sites.host(scope);
            self.not_found.add(resolved.site, host, url);
        }
        Ok(resolved)
    }

    #[inline]
    fn url(&mut self, scope: u32, url: &Url<'_>, fields: &Fields) -> Result<Resolution, ReadError> {
        let file_use = self.counting.file_use(fields.method, fields.status);
        let Some(key) = self.file_key(scope, url, file_use) else {
            return Ok(self.no_object(scope, url));
        };
        let qualifier = Qualifier { scope, variant: 0 };
        // A kept query makes another key than the path that was looked up.
        let known = Some(fields.known.object)
            .filter(|&known| known != UNKNOWN && key.len() == url.path.len());
        let spelled = known.or_else(|| self.objects.spellings.get(qualifier, key));
        let object = match (spelled, file_use) {
            (Some(object), _) => Some(object),
            (None, FileUse::Read { .. }) => self.new_spelling(qualifier, key)?,
            (None, _) => {
                self.not_files.not_read_before += 1;
                self.note_unread(scope, key, fields.status);
                None
            }
        };
        match object {
            Some(object) => Ok(self.of_object(object, file_use, fields.bytes())),
            None => Ok(self.no_object(scope, url)),
        }
    }

    /// The part of the URL that names a file, if the request is for one.
    #[inline]
    fn file_key<'a>(&mut self, scope: u32, url: &Url<'a>, file_use: FileUse) -> Option<&'a [u8]> {
        match file_use {
            FileUse::OtherMethod => self.not_files.other_method += 1,
            FileUse::OtherStatus => self.not_files.other_status += 1,
            _ if url.whole.is_empty() => self.not_files.no_target += 1,
            _ if !url.has_query() => return Some(url.path),
            _ => {
                let (sites, roots) = (&mut self.sites, &self.roots);
                let is_under_root = || is_under_root(sites, roots, scope, url.path);
                let key = self.query.file_part(url, is_under_root);
                self.not_files.query += u64::from(key.is_none());
                return key;
            }
        }
        None
    }

    #[inline]
    fn of_object(&mut self, object: u32, file_use: FileUse, bytes: Option<u64>) -> Resolution {
        let site = self.objects.site(object);
        let FileUse::Read { whole } = file_use else {
            return Resolution {
                object,
                ..Resolution::of_site(site)
            };
        };
        if let Some(bytes) = bytes {
            let source = if whole {
                SizeSource::Full
            } else {
                SizeSource::Partial
            };
            self.objects.learn_size(object, source, bytes);
        }
        Resolution {
            site,
            object,
            access: true,
        }
    }

    fn no_object(&mut self, scope: u32, url: &Url<'_>) -> Resolution {
        let site = match self.sites.by_path() {
            true => self.sites.of(scope, &decoded(url.path)),
            false => self.sites.of(scope, url.path),
        };
        Resolution::of_site(site)
    }

    /// The object of a URL that is spelled so for the first time; none where the site has a root
    /// that lacks the file.
    #[cold]
    fn new_spelling(&mut self, qualifier: Qualifier, key: &[u8]) -> Result<Option<u32>, ReadError> {
        let path = decoded(key);
        let site = self.sites.of(qualifier.scope, &path);
        let object = if self.roots.has(self.sites.name(site)) {
            self.object_under_root(site, &path)?
        } else {
            let path = with_host(self.sites.host(qualifier.scope), &path);
            Some(self.objects.id(site, &path)?)
        };
        if let Some(object) = object {
            self.objects.spellings.insert(qualifier, key, object)?;
            self.note_read(qualifier.scope, key, object);
        }
        Ok(object)
    }

    fn note_read(&mut self, scope: u32, target: &[u8], object: u32) {
        let Some(uses) = &mut self.first_uses else {
            return;
        };
        let is_path = self.objects.path(object) == target;
        uses.read.push(FirstRead {
            scope,
            target: (!is_path).then(|| target.into()),
            object,
            row: uses.row,
        });
    }

    fn note_unread(&mut self, scope: u32, target: &[u8], status: u16) {
        if let Some(uses) = &mut self.first_uses {
            uses.unread.push(UnreadRequest {
                scope,
                target: target.into(),
                is_not_modified: status == NOT_MODIFIED,
                row: uses.row,
            });
        }
    }

    fn object_under_root(&mut self, site: u16, path: &[u8]) -> Result<Option<u32>, ReadError> {
        let (file_path, query) = self.query.split(path);
        let wanted = (site, file_path.to_vec());
        let found = match self.missing.contains(&wanted) {
            true => None,
            false => self.roots.find(self.sites.name(site), file_path),
        };
        let Some(file) = found else {
            self.not_files.not_under_root += 1;
            self.missing.insert(wanted);
            return Ok(None);
        };
        let path = [&file.url_path, query].concat();
        let object = self.objects.id(site, &path)?;
        self.objects.learn_size(object, SizeSource::File, file.size);
        Ok(Some(object))
    }

    fn url_by_c1(
        &mut self,
        scope: u32,
        url: &Url<'_>,
        fields: &Fields,
    ) -> Result<Option<Resolution>, ReadError> {
        if url.has_query() {
            self.dropped_with_parameters += 1;
            return Ok(None);
        }
        if url.whole.is_empty() {
            self.not_files.no_target += 1;
            return Ok(Some(self.no_object(scope, url)));
        }
        let bytes = fields.bytes().unwrap_or(0);
        let qualifier = Qualifier {
            scope,
            variant: bytes,
        };
        let object = match self.objects.spellings.get(qualifier, url.path) {
            Some(object) => object,
            None => self.new_pair(qualifier, url.path)?,
        };
        let file_use = self.counting.file_use(fields.method, fields.status);
        Ok(Some(self.of_object(object, file_use, Some(bytes))))
    }

    /// The object (path, bytes) seen for the first time. Its name is both.
    #[cold]
    fn new_pair(&mut self, qualifier: Qualifier, key: &[u8]) -> Result<u32, ReadError> {
        let path = decoded(key);
        let site = self.sites.of(qualifier.scope, &path);
        let path = with_host(self.sites.host(qualifier.scope), &path);
        let name = sized_path(&path, qualifier.variant);
        let object = self.objects.id(site, name.as_bytes())?;
        self.objects.spellings.insert(qualifier, key, object)?;
        Ok(object)
    }

    fn key(
        &mut self,
        scope: u32,
        key: u64,
        size: Option<u64>,
        fields: &Fields,
    ) -> Result<Resolution, ReadError> {
        let site = self.site_of_key(scope, key);
        let file_use = self.counting.file_use(fields.method, fields.status);
        let object = match file_use {
            FileUse::Read { .. } => Some(self.objects.keyed(site, key)?),
            FileUse::Checked => self.objects.known_key(site, key),
            FileUse::OtherMethod | FileUse::OtherStatus => None,
        };
        match (object, file_use) {
            (Some(object), _) => {
                if let Some(size) = size {
                    self.objects.learn_size(object, SizeSource::Full, size);
                }
                return Ok(self.of_object(object, file_use, fields.bytes()));
            }
            (None, FileUse::OtherMethod) => self.not_files.other_method += 1,
            (None, FileUse::OtherStatus) => self.not_files.other_status += 1,
            (None, _) => self.not_files.not_read_before += 1,
        }
        Ok(Resolution::of_site(site))
    }

    /// Keys have no path but their digits, which only a rule for paths would look at.
    fn site_of_key(&mut self, scope: u32, key: u64) -> u16 {
        match self.sites.by_path() {
            true => self.sites.of(scope, key.to_string().as_bytes()),
            false => self.sites.of(scope, b""),
        }
    }

    /// The rules and what they left out.
    pub(super) fn summary(&self) -> ReadSummary {
        ReadSummary {
            counting_rule: self.counting,
            query_rule: self.query,
            dropped_with_parameters: self.dropped_with_parameters,
            not_files: self.not_files,
            not_found: self.not_found.most_frequent(|site| self.sites.name(site)),
            ..ReadSummary::default()
        }
    }

    /// What a log that is read alone has to tell beside its rows.
    pub(super) fn evidence(&mut self) -> Evidence {
        let uses = self.first_uses.take().unwrap_or_default();
        Evidence {
            hosts: self.sites.hosts().map(<[u8]>::to_vec).collect(),
            sizes: self.objects.sizes().to_vec(),
            first_reads: uses.read,
            unread: uses.unread,
            not_found: self.not_found.counts(),
            used_rules: self.sites.used().to_vec(),
            ..Evidence::default()
        }
    }

    /// The names of the sites, whether all rules met any, and the objects.
    pub(super) fn finish_alone(self) -> (Vec<String>, Objects) {
        (self.sites.into_names(), self.objects.finish())
    }

    /// The names of the sites, and the objects.
    pub(super) fn finish(self) -> Result<(Vec<String>, Objects), ReadError> {
        let names = self.sites.finish()?;
        self.roots.check(&names)?;
        Ok((names, self.objects.finish()))
    }
}

fn is_under_root(sites: &mut Sites, roots: &Roots, scope: u32, path: &[u8]) -> bool {
    if roots.is_empty() {
        return false;
    }
    let path = decoded(path);
    let site = sites.of(scope, &path);
    roots.find(sites.name(site), &path).is_some()
}
