//! The sites that logs can have, told by their first lines before they are followed.

use super::super::ReadError;
use super::super::inputs::{is_pattern, matching};
use super::super::log_file::{HEAD_BYTES, Parsers};
use super::super::options::ReadOptions;
use super::super::sites::Sites;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The sites that requests can belong to whose logs name no virtual hosts: those of the rules, and the one of all other requests.
///
/// None where that is not known: a log is not there or no regular file, none of its first lines is a request, or one of them
/// names a virtual host. `names` are files or patterns, as of a [`Follower`](super::Follower).
///
/// # Errors
/// When there are more sites than can be told apart.
pub fn sites_without_hosts(
    names: &[PathBuf],
    options: &ReadOptions,
) -> Result<Option<Vec<String>>, ReadError> {
    let mut sites = Sites::new(options.sites.clone())?;
    for name in names {
        for log in logs_of(name) {
            if !names_no_hosts(&log, options) {
                return Ok(None);
            }
            let rule = sites.log_rule(&log);
            sites.scope(rule, b"")?;
        }
    }
    Ok(Some(sites.into_names()))
}

/// The files that a name stands for. A pattern that no file matches stands for itself, which is not there.
fn logs_of(name: &Path) -> Vec<PathBuf> {
    let pattern = name
        .to_str()
        .filter(|text| is_pattern(text) && !name.exists());
    let found: Vec<PathBuf> = pattern.into_iter().flat_map(matching).collect();
    match found.is_empty() {
        true => vec![name.to_owned()],
        false => found,
    }
}

/// Whether a log has requests among its first lines, and none of them names a virtual host.
fn names_no_hosts(log: &Path, options: &ReadOptions) -> bool {
    let Some(head) = head(log) else {
        return false;
    };
    let Ok(parsers) = Parsers::of_head(&head, &log.display().to_string(), options) else {
        return false;
    };
    let mut format = parsers.parser();
    let mut has_requests = false;
    for line in head.split(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if let Ok(Some(record)) = format.parse(line) {
            if !record.host.is_empty() {
                return false;
            }
            has_requests = true;
        }
    }
    has_requests
}

/// The first bytes of a regular file. To open a pipe would be in the way of whoever writes to it.
fn head(log: &Path) -> Option<Vec<u8>> {
    fs::metadata(log).ok().filter(fs::Metadata::is_file)?;
    let mut head = Vec::new();
    let file = File::open(log).ok()?;
    file.take(HEAD_BYTES as u64).read_to_end(&mut head).ok()?;
    Some(head)
}
