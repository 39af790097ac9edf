//! From URL paths to the files that a web server would read for them.

use super::error::ReadError;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

/// What servers look for in a directory, in this order (nginx's default, then Apache's of Debian as far
/// as they are files to send).
pub const INDEX_FILES: [&str; 3] = ["index.html", "index.htm", "index.xhtml"];

/// Where the files of a site lie: `SITE=DIR` for its document root, `SITE:/prefix/=DIR` for an alias
/// (Apache's `Alias`, nginx's `alias`). `DIR` alone is the document root of the only site there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootRule {
    /// The site's name; none for the only site there is.
    pub site: Option<String>,
    /// The part of the path that the directory stands for, with its final slash.
    pub prefix: String,
    /// The directory.
    pub directory: PathBuf,
    text: String,
}

impl FromStr for RootRule {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<RootRule, ReadError> {
        let refuse = |reason: &str| ReadError::Root {
            rule: text.into(),
            reason: reason.into(),
        };
        let form = "write DIR, SITE=DIR, or SITE:/prefix/=DIR for an alias";
        let (site, directory) = match text.split_once('=') {
            Some((site, directory)) => (Some(site), directory),
            None => (None, text),
        };
        let (site, prefix) = match site.and_then(|site| site.split_once(":/")) {
            Some((site, prefix)) => (Some(site), format!("/{}/", prefix.trim_matches('/'))),
            None => (site, "/".into()),
        };
        if site.is_some_and(str::is_empty) || directory.is_empty() {
            return Err(refuse(form));
        }
        let prefix = if prefix == "//" { "/".into() } else { prefix };
        let directory = PathBuf::from(directory);
        Ok(RootRule {
            site: site.map(str::to_owned),
            prefix,
            directory,
            text: text.into(),
        })
    }
}

impl RootRule {
    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is of the site named `site`.
    pub fn is_of(&self, site: &str) -> bool {
        self.site.as_deref().is_none_or(|it| it == site)
    }

    /// Refuses a name that no site has, and no name where there are several sites.
    ///
    /// # Errors
    /// [`ReadError::Root`] with the sites that there are.
    pub fn check(&self, sites: &[String]) -> Result<(), ReadError> {
        let there_are = sites.join(", ");
        let reason = match &self.site {
            Some(site) if !sites.contains(site) => {
                format!("no site is named {site:?}: the sites are {there_are}")
            }
            None if sites.len() > 1 => {
                format!("there are several sites: write SITE=DIR, with one of {there_are}")
            }
            _ => return Ok(()),
        };
        Err(ReadError::Root {
            rule: self.text.clone(),
            reason,
        })
    }
}

/// A file under a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootFile {
    /// The file on disk.
    pub file: PathBuf,
    /// The URL path that names it: one for `/docs/`, `/docs/./` and `/docs/index.html`.
    pub url_path: Vec<u8>,
    /// Bytes.
    pub size: u64,
    /// Last modification in nanoseconds since 1970-01-01 UTC, where the file system tells it.
    pub mtime_ns: Option<i64>,
}

/// The roots of all sites.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    /// Longest prefix first.
    rules: Vec<RootRule>,
}

impl Roots {
    /// Checks that every directory is one.
    ///
    /// # Errors
    /// [`ReadError::Root`] names the first rule whose directory cannot be used.
    pub fn new(mut rules: Vec<RootRule>) -> Result<Roots, ReadError> {
        for rule in &rules {
            let refuse = |reason| ReadError::Root {
                rule: rule.text.clone(),
                reason,
            };
            let data = fs::metadata(&rule.directory)
                .map_err(|error| refuse(format!("{error}: name the site's document root")))?;
            if !data.is_dir() {
                return Err(refuse(
                    "not a directory: name the site's document root".into(),
                ));
            }
        }
        rules.sort_by_key(|rule| std::cmp::Reverse(rule.prefix.len()));
        refuse_second(&rules)?;
        Ok(Roots { rules })
    }

    /// Whether there is no root at all.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Whether the site named `site` has a root.
    pub fn has(&self, site: &str) -> bool {
        self.of(site).next().is_some()
    }

    /// Those of the site named `site`.
    pub fn of(&self, site: &str) -> impl Iterator<Item = &RootRule> {
        self.rules.iter().filter(move |rule| rule.is_of(site))
    }

    /// The file that a server reads for `path`, a percent-decoded URL path of the site named `site`;
    /// none where there is no such file, or the path climbs above its root.
    pub fn find(&self, site: &str, path: &[u8]) -> Option<RootFile> {
        let path = normal_path(path)?;
        let mut rules = self.of(site);
        let rule = rules.find(|rule| path.starts_with(rule.prefix.as_bytes()))?;
        let inside = OsStr::from_bytes(&path[rule.prefix.len()..]);
        let (found, index) = find_in(&rule.directory, inside)?;
        let mut url_path = path;
        if let Some(index) = index {
            if !url_path.ends_with(b"/") {
                url_path.push(b'/');
            }
            url_path.extend_from_slice(index.as_bytes());
        }
        Some(RootFile { url_path, ..found })
    }

    /// Holds all to the sites that there are, as [`RootRule::check`] does.
    pub(super) fn check(&self, sites: &[String]) -> Result<(), ReadError> {
        self.rules.iter().try_for_each(|rule| rule.check(sites))
    }
}

/// Paths remembered as missing under a root, so that asking for them again costs no system call; bounded,
/// because there is no end to paths that do not exist.
const MISSING_REMEMBERED: usize = 1 << 16;

/// Paths, with the id of their site, for which the site's root holds no file.
#[derive(Default)]
pub(super) struct MissingPaths(HashSet<(u16, Vec<u8>)>);

impl MissingPaths {
    pub(super) fn contains(&self, path: &(u16, Vec<u8>)) -> bool {
        self.0.contains(path)
    }

    pub(super) fn insert(&mut self, path: (u16, Vec<u8>)) {
        if self.0.len() >= MISSING_REMEMBERED {
            self.0.clear();
        }
        self.0.insert(path);
    }
}

/// One of two directories for the same URLs would never be looked into.
fn refuse_second(rules: &[RootRule]) -> Result<(), ReadError> {
    let one_site = |a: &RootRule, b: &RootRule| b.site.as_deref().is_none_or(|site| a.is_of(site));
    let same = |a: &RootRule, b: &RootRule| one_site(a, b) && a.prefix == b.prefix;
    let second = (1..rules.len()).find(|&at| rules[..at].iter().any(|rule| same(rule, &rules[at])));
    match second {
        None => Ok(()),
        Some(at) => Err(ReadError::Root {
            rule: rules[at].text.clone(),
            reason: "the site has another directory for these URLs: name one, or give an alias \
                     SITE:/prefix/=DIR"
                .into(),
        }),
    }
}

fn find_in(directory: &Path, inside: &OsStr) -> Option<(RootFile, Option<&'static str>)> {
    let path = directory.join(inside);
    let data = fs::metadata(&path).ok()?;
    if data.is_file() {
        return Some((root_file(path, &data), None));
    }
    INDEX_FILES.iter().find_map(|index| {
        let path = path.join(index);
        let data = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
        Some((root_file(path, &data), Some(*index)))
    })
}

fn root_file(file: PathBuf, data: &fs::Metadata) -> RootFile {
    let mtime_ns = data.modified().ok().and_then(nanoseconds);
    RootFile {
        file,
        url_path: Vec::new(),
        size: data.len(),
        mtime_ns,
    }
}

fn nanoseconds(time: SystemTime) -> Option<i64> {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).ok(),
        Err(before) => Some(-i64::try_from(before.duration().as_nanos()).ok()?),
    }
}

/// `path` with empty and `.` segments left out. Paths with `..` are refused rather than resolved: what
/// they name depends on symbolic links, and servers refuse those that climb.
fn normal_path(path: &[u8]) -> Option<Vec<u8>> {
    if path.first() != Some(&b'/') || path.contains(&0) {
        return None;
    }
    let mut normal = Vec::with_capacity(path.len());
    for segment in path.split(|&byte| byte == b'/') {
        match segment {
            b"" | b"." => {}
            b".." => return None,
            _ => {
                normal.push(b'/');
                normal.extend_from_slice(segment);
            }
        }
    }
    if normal.is_empty() || path.ends_with(b"/") {
        normal.push(b'/');
    }
    Some(normal)
}
