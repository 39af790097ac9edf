//! Patterns of a scenario that match nothing: whoever misspelt one is to hear of it before a day has passed.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hotset_live::RunSpec;
use hotset_trace::read::SiteRule;

/// Beneath all roots it is looked no longer for files that patterns match. What was not found by then may be there.
const PATIENCE: Duration = Duration::from_secs(2);

/// The patterns of sites' paths and logs. Which hosts will be asked for is not known beforehand.
pub(super) struct Patterns {
    /// Each with the root of its site.
    rules: Vec<(SiteRule, PathBuf)>,
}

impl Patterns {
    /// Those of a specification.
    pub fn of(spec: &RunSpec) -> Self {
        let rule = |rule: &SiteRule| {
            let mut folders = spec.folders.iter();
            let folder = folders.find(|folder| folder.site == rule.name)?;
            Some((rule.clone(), folder.folder.clone()))
        };
        let rules = spec.reading.sites.iter();
        let rules = rules.filter(|rule| rule.is_by_path() || rule.is_by_log());
        Self {
            rules: rules.filter_map(rule).collect(),
        }
    }

    /// What is to be told of each that matches nothing, where these logs are followed.
    pub fn unused<'l>(
        &self,
        logs: impl Iterator<Item = &'l str>,
    ) -> Vec<[(&'static str, String); 2]> {
        let logs: Vec<&Path> = logs.map(Path::new).collect();
        let give_up = Instant::now() + PATIENCE;
        let why = |(rule, root): &(SiteRule, PathBuf)| match rule.is_by_log() {
            true => (!logs.iter().any(|log| rule.takes_log(log)))
                .then(|| "no log has such a name".to_owned()),
            false => has_none(root, rule, give_up).then(|| {
                let root = root.display();
                format!("no file beneath {root} has such a path; a URL /a/b is the file {root}/a/b")
            }),
        };
        let unused = self
            .rules
            .iter()
            .filter_map(|rule| Some((rule, why(rule)?)));
        unused
            .map(|((rule, _), why)| [("pattern", rule.text().to_owned()), ("why", why)])
            .collect()
    }
}

/// Whether a root is there and certainly has no file that a pattern matches.
fn has_none(root: &Path, rule: &SiteRule, give_up: Instant) -> bool {
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            return false;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            // A link to a folder above leads round in circles until patience ends.
            match fs::metadata(&path) {
                Ok(data) if data.is_dir() => folders.push(path),
                _ if takes(rule, root, &path) => return false,
                _ => {}
            }
            if Instant::now() > give_up {
                return false;
            }
        }
    }
    true
}

/// Whether a pattern takes the URL of a file beneath a root.
fn takes(rule: &SiteRule, root: &Path, file: &Path) -> bool {
    let inside = file.strip_prefix(root).map(Path::as_os_str);
    let inside = inside.map(OsStr::as_bytes).unwrap_or_default();
    rule.takes_path(&[b"/", inside].concat())
}
