//! What Apache httpd does with a site's files that it does not do with copies of them in a hot root.

use crate::{PlacerKind, Refusal, Request, ResolvedFile, Server, Sites, WantedFile};
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Rules for the folder that it is in and those below (core, `AccessFileName`). They are looked for beside the file that is
/// served, and so would not hold for its copy.
const RULES: &str = ".htaccess";

/// Programs that heed these rules.
const PROGRAMS: [&str; 4] = ["apache2", "httpd", "litespeed", "lshttpd"];

/// Files with rules that were looked for, by site and folder.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    known: HashMap<(String, PathBuf), Option<PathBuf>>,
}

/// Whether copies are to be served that an Apache httpd may serve: it is known by its program, and a server that is not named may
/// be one.
pub(crate) fn may_serve_copies(request: &Request, server: Option<&Server>) -> bool {
    let program = || server?.program();
    let is_apache = |name: OsString| PROGRAMS.iter().any(|program| name == *program);
    request.placer == PlacerKind::HotRoot && program().is_none_or(is_apache)
}

impl Rules {
    /// Refuses a file whose copy would be served otherwise than the file.
    pub fn check(
        &mut self,
        sites: &Sites,
        wanted: &WantedFile,
        found: &ResolvedFile,
    ) -> Result<(), Refusal> {
        // What stands behind it would be taken for a query where the rewritten URL is split (mod_rewrite, `UnsafeAllow3F`).
        if wanted.path.0.contains(&b'?') {
            return Err(Refusal::Unsuited(
                "has a question mark in its name, behind which Apache httpd takes the name of a copy for a query: use --placer \
                 pin, or name the server with --server if it is another one"
                    .to_owned(),
            ));
        }
        let folder = found.path.parent().unwrap_or(Path::new(""));
        match self.above(sites, wanted, folder) {
            Some(rules) => Err(Refusal::Rules(rules)),
            None => Ok(()),
        }
    }

    /// The innermost rules for a folder of a site.
    fn above(&mut self, sites: &Sites, wanted: &WantedFile, folder: &Path) -> Option<PathBuf> {
        let key = (wanted.site.clone(), folder.to_owned());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let path = folder.join(RULES);
        let rules = match sites.has(&wanted.site, &wanted.path.0, &path) {
            true => Some(path),
            false => folder
                .parent()
                .and_then(|above| self.above(sites, wanted, above)),
        };
        self.known.insert(key, rules.clone());
        rules
    }
}

/// Where rules may appear that govern these files.
pub(crate) fn rules_above<'f>(
    sites: &Sites,
    files: impl Iterator<Item = &'f WantedFile>,
) -> HashSet<PathBuf> {
    let folders = files.flat_map(|file| sites.folders_to(&file.site, &file.path.0));
    folders.map(|folder| folder.join(RULES)).collect()
}
