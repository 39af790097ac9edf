//! Which site a request belongs to.

use super::error::ReadError;
use globset::{Candidate, Glob, GlobMatcher};
use std::collections::HashMap;
use std::path::Path;
use std::str::FromStr;

/// Name of the only site where there is no rule and the log names no virtual hosts.
const ONLY_SITE: &str = "all";

/// Name of the site of requests that meet no rule.
const OTHER_SITE: &str = "other";

/// Without rules every virtual host is a site, up to so many; later ones share the site "other",
/// because whoever sends requests may invent host names.
pub(super) const MAX_HOST_SITES: usize = 1000;

/// Most sites a trace can hold.
const MAX_SITES: usize = u16::MAX as usize;

/// A site by pattern: `NAME=GLOB` of URL paths, `NAME=host:GLOB` of virtual hosts, `NAME=log:GLOB` of
/// log files. `*` also matches `/`.
#[derive(Clone, Debug)]
pub struct SiteRule {
    /// The site's name.
    pub name: String,
    text: String,
    subject: Subject,
    glob: GlobMatcher,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    Path,
    Host,
    Log,
}

impl Subject {
    fn in_words(self) -> &'static str {
        match self {
            Subject::Path => "URL paths",
            Subject::Host => "virtual hosts",
            Subject::Log => "file names",
        }
    }
}

impl FromStr for SiteRule {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<SiteRule, ReadError> {
        let refuse = |reason: String| ReadError::SiteRule {
            rule: text.into(),
            reason,
        };
        let form = "write NAME=GLOB, NAME=host:GLOB or NAME=log:GLOB";
        let (name, pattern) = text.split_once('=').ok_or_else(|| refuse(form.into()))?;
        let (subject, pattern) = match pattern.split_once(':') {
            Some(("host", glob)) => (Subject::Host, glob.to_ascii_lowercase()),
            Some(("log", glob)) => (Subject::Log, glob.to_owned()),
            _ => (Subject::Path, pattern.to_owned()),
        };
        if name.is_empty() || pattern.is_empty() {
            return Err(refuse(form.into()));
        }
        if name.contains(char::is_control) {
            return Err(refuse(
                "the name holds control characters: leave them out".into(),
            ));
        }
        if subject == Subject::Path && !pattern.starts_with(['/', '*', '?', '[', '{']) {
            return Err(refuse(format!("URL paths start with /: {form}")));
        }
        let glob = Glob::new(&pattern).map_err(|error| refuse(error.to_string()))?;
        Ok(SiteRule {
            name: name.into(),
            text: text.into(),
            subject,
            glob: glob.compile_matcher(),
        })
    }
}

impl SiteRule {
    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it looks at the paths of URLs.
    pub fn is_by_path(&self) -> bool {
        self.subject == Subject::Path
    }

    /// Whether it looks at the names of logs.
    pub fn is_by_log(&self) -> bool {
        self.subject == Subject::Log
    }

    /// Whether it takes requests for this path of a URL.
    pub fn takes_path(&self, path: &[u8]) -> bool {
        self.matches(Subject::Path, path)
    }

    /// Whether it takes requests in the log at `path`, as given or by its name alone.
    pub fn takes_log(&self, path: &Path) -> bool {
        let text = path.to_string_lossy();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut names = [text, name].into_iter();
        names.any(|name| self.matches(Subject::Log, name.as_bytes()))
    }

    /// The error that it is to have matched nothing.
    pub fn unused(&self) -> ReadError {
        ReadError::UnusedSiteRule {
            rule: self.text.clone(),
            what: self.subject.in_words(),
        }
    }

    fn matches(&self, subject: Subject, text: &[u8]) -> bool {
        self.subject == subject && self.glob.is_match_candidate(&Candidate::from_bytes(text))
    }
}

/// What is known of a request's site before its path: all requests with the same log rule and host
/// share one.
#[derive(Debug)]
struct Scope {
    /// The site unless a rule for paths before `paths_below` takes the request.
    site: u16,
    /// The rule that gave `site`.
    rule: Option<usize>,
    /// Rules for paths with a smaller index go first.
    paths_below: usize,
    /// The host as [`normal_host`] writes it, empty where none is logged.
    name: Vec<u8>,
    /// Host to tell equal paths of different hosts apart where one site holds several hosts by
    /// accident.
    host: Vec<u8>,
}

/// Scopes of the logs that meet the same rule, by host as logged, which is empty where none is.
type LogScopes = HashMap<Box<[u8]>, u32, foldhash::fast::RandomState>;

/// Site names, rules and what they met.
#[derive(Debug)]
pub(super) struct Sites {
    rules: Vec<SiteRule>,
    used: Vec<bool>,
    has_path_rules: bool,
    names: Vec<String>,
    ids: HashMap<String, u16>,
    host_sites: usize,
    scopes: Vec<Scope>,
    /// By index of the rule for logs, the last for logs without one.
    logs: Vec<LogScopes>,
}

impl Sites {
    /// Sites get their ids in the order of the rules, then of appearance.
    pub(super) fn new(rules: Vec<SiteRule>) -> Result<Sites, ReadError> {
        let mut sites = Sites {
            used: vec![false; rules.len()],
            has_path_rules: rules.iter().any(|rule| rule.subject == Subject::Path),
            names: Vec::new(),
            ids: HashMap::new(),
            host_sites: 0,
            scopes: Vec::new(),
            logs: (0..=rules.len()).map(|_| LogScopes::default()).collect(),
            rules,
        };
        for index in 0..sites.rules.len() {
            let name = sites.rules[index].name.clone();
            sites.site(&name)?;
        }
        Ok(sites)
    }

    /// The id of the site named `name`, new if need be.
    fn site(&mut self, name: &str) -> Result<u16, ReadError> {
        if let Some(&id) = self.ids.get(name) {
            return Ok(id);
        }
        if self.names.len() >= MAX_SITES {
            return Err(ReadError::TooMany {
                what: "sites",
                limit: MAX_SITES as u64,
            });
        }
        let id = self.names.len() as u16;
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), id);
        Ok(id)
    }

    /// Which rule for logs takes the file at `path`, as given or by its name alone, to be handed to [`Sites::scope`].
    pub(super) fn log_rule(&self, path: &Path) -> usize {
        let rule = self.rules.iter().position(|rule| rule.takes_log(path));
        rule.unwrap_or(self.rules.len())
    }

    /// What is known of a request's site from its log and its host, empty where none is logged.
    #[inline]
    pub(super) fn scope(&mut self, log: usize, host: &[u8]) -> Result<u32, ReadError> {
        match self.logs[log].get(host) {
            Some(scope) => Ok(*scope),
            None => self.new_scope(log, host),
        }
    }

    fn new_scope(&mut self, log: usize, host: &[u8]) -> Result<u32, ReadError> {
        let name = normal_host(host);
        let scope = match self.logs[log].get(&*name) {
            Some(other_spelling) => *other_spelling,
            None => self.add_scope(log, &name)?,
        };
        self.logs[log].insert(host.into(), scope);
        Ok(scope)
    }

    fn add_scope(&mut self, log: usize, host: &[u8]) -> Result<u32, ReadError> {
        let scope = self.decide(log, host)?;
        let id = self.scopes.len() as u32;
        self.scopes.push(scope);
        self.logs[log].insert(host.into(), id);
        Ok(id)
    }

    fn decide(&mut self, log: usize, host: &[u8]) -> Result<Scope, ReadError> {
        let by_host = self
            .rules
            .iter()
            .position(|rule| rule.matches(Subject::Host, host));
        let rule = by_host.unwrap_or(usize::MAX).min(log);
        if let Some(found) = self.rules.get(rule) {
            let site = self.ids[&found.name];
            return Ok(Scope {
                site,
                rule: Some(rule),
                paths_below: rule,
                name: host.into(),
                host: Vec::new(),
            });
        }
        let paths_below = self.rules.len();
        let name = host.into();
        let (site, host) = self.name_without_rule(host);
        Ok(Scope {
            site: self.site(&site)?,
            rule: None,
            paths_below,
            name,
            host,
        })
    }

    /// The site of a host that no rule takes, and the host if the site holds others too.
    fn name_without_rule(&mut self, host: &[u8]) -> (String, Vec<u8>) {
        if !self.rules.is_empty() {
            return (OTHER_SITE.into(), host.into());
        }
        if host.is_empty() {
            return (ONLY_SITE.into(), Vec::new());
        }
        if self.host_sites >= MAX_HOST_SITES {
            return (OTHER_SITE.into(), host.into());
        }
        self.host_sites += 1;
        (String::from_utf8_lossy(host).into_owned(), Vec::new())
    }

    /// The site of a request for `path`.
    #[inline]
    pub(super) fn of(&mut self, scope: u32, path: &[u8]) -> u16 {
        let known = &self.scopes[scope as usize];
        if self.has_path_rules {
            let earlier = &self.rules[..known.paths_below];
            if let Some(rule) = earlier
                .iter()
                .position(|rule| rule.matches(Subject::Path, path))
            {
                self.used[rule] = true;
                return self.ids[&earlier[rule].name];
            }
        }
        if let Some(rule) = known.rule {
            self.used[rule] = true;
        }
        known.site
    }

    /// The host that tells equal paths apart, empty where the site does.
    pub(super) fn host(&self, scope: u32) -> &[u8] {
        &self.scopes[scope as usize].host
    }

    /// The hosts of the scopes, by scope.
    pub(super) fn hosts(&self) -> impl Iterator<Item = &[u8]> {
        self.scopes.iter().map(|scope| scope.name.as_slice())
    }

    /// Which rules took a request.
    pub(super) fn used(&self) -> &[bool] {
        &self.used
    }

    pub(super) fn name(&self, site: u16) -> &str {
        &self.names[site as usize]
    }

    /// Whether a request's path can decide its site.
    #[inline]
    pub(super) fn by_path(&self) -> bool {
        self.has_path_rules
    }

    /// The site that the rule for logs `log` gives ([`Sites::log_rule`]).
    pub(super) fn log_site(&self, log: usize) -> Option<&str> {
        self.rules.get(log).map(|rule| rule.name.as_str())
    }

    /// The names, or the first rule that matched nothing.
    pub(super) fn finish(self) -> Result<Vec<String>, ReadError> {
        if let Some(unused) = self.used.iter().position(|used| !used) {
            return Err(self.rules[unused].unused());
        }
        Ok(self.names)
    }

    /// The names, whether the rules matched anything or not.
    pub(super) fn into_names(self) -> Vec<String> {
        self.names
    }
}

/// Lower case, without port and final dot; empty for `-`.
fn normal_host(host: &[u8]) -> Vec<u8> {
    let port = memchr::memrchr(b':', host)
        .filter(|&colon| host[colon + 1..].iter().all(u8::is_ascii_digit))
        .filter(|&colon| !host[..colon].contains(&b':') || host[..colon].ends_with(b"]"));
    let host = &host[..port.unwrap_or(host.len())];
    let host = host.strip_suffix(b".").unwrap_or(host);
    if host == b"-" {
        Vec::new()
    } else {
        host.to_ascii_lowercase()
    }
}
