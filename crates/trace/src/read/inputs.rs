//! From names and patterns to files that can be read.

use super::error::ReadError;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// One file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Input {
    Stdin,
    File {
        path: PathBuf,
        /// Bytes on disk; none for pipes and devices, which can be opened only once.
        length: Option<u64>,
    },
}

impl Input {
    /// The name shown for it.
    pub(super) fn name(&self) -> String {
        match self {
            Input::Stdin => "standard input".into(),
            Input::File { path, .. } => path.display().to_string(),
        }
    }

    /// The name by which its format, its log and its site are told.
    pub(super) fn path(&self) -> &Path {
        match self {
            Input::Stdin => Path::new("-"),
            Input::File { path, .. } => path,
        }
    }

    pub(super) fn length(&self) -> Option<u64> {
        match self {
            Input::Stdin => None,
            Input::File { length, .. } => *length,
        }
    }

    /// Its raw bytes, counted into `meter` as they are read.
    pub(super) fn open(&self, meter: &Meter) -> io::Result<Metered> {
        let inner: Box<dyn Read> = match self {
            Input::Stdin => Box::new(io::stdin()),
            Input::File { path, .. } => Box::new(File::open(path)?),
        };
        Ok(Metered {
            inner,
            meter: meter.clone(),
        })
    }
}

/// Bytes read so far, before decompression.
#[derive(Clone, Debug, Default)]
pub(super) struct Meter(Arc<AtomicU64>);

impl Meter {
    pub(super) fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A reader that counts.
pub(super) struct Metered {
    inner: Box<dyn Read>,
    meter: Meter,
}

impl Read for Metered {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.meter.0.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// The files that `names` stand for: paths, patterns (`*`, `?`, `[…]`), and `-`.
pub(super) fn expand(names: &[PathBuf]) -> Result<Vec<Input>, ReadError> {
    let mut inputs = Vec::new();
    for name in names {
        match name.to_str() {
            Some("-") => inputs.push(Input::Stdin),
            Some(pattern) if is_pattern(pattern) && !name.exists() => {
                for path in matches(pattern)? {
                    inputs.push(file(path)?);
                }
            }
            _ => inputs.push(file(name.clone())?),
        }
    }
    if inputs.is_empty() {
        return Err(ReadError::NoInput);
    }
    refuse_twice(&inputs)?;
    Ok(inputs)
}

fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?', '['])
}

fn matches(pattern: &str) -> Result<Vec<PathBuf>, ReadError> {
    let paths = glob::glob(pattern).map_err(|error| ReadError::Pattern {
        pattern: pattern.into(),
        reason: error.msg.to_owned(),
    })?;
    let paths: Vec<PathBuf> = paths.collect::<Result<_, _>>().map_err(|error| {
        let file = error.path().display().to_string();
        ReadError::Unreadable {
            file,
            source: error.into(),
        }
    })?;
    if paths.is_empty() {
        return Err(ReadError::NotFound {
            path: pattern.into(),
        });
    }
    Ok(paths)
}

fn file(path: PathBuf) -> Result<Input, ReadError> {
    match fs::metadata(&path) {
        Ok(data) if data.is_dir() => Err(ReadError::Directory { path }),
        Ok(data) => {
            let length = data.is_file().then_some(data.len());
            Ok(Input::File { path, length })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(ReadError::NotFound { path }),
        Err(source) => Err(ReadError::Unreadable {
            file: path.display().to_string(),
            source,
        }),
    }
}

fn refuse_twice(inputs: &[Input]) -> Result<(), ReadError> {
    let mut seen = HashSet::new();
    for input in inputs {
        let path = input.path();
        if !seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())) {
            return Err(ReadError::Twice { file: input.name() });
        }
    }
    Ok(())
}

/// The log that a file is a part of: its path without the marks of compression and rotation
/// (`access.log.2.gz`, `access.log-20240501`, `access-2024-05-01.log` are parts of one log).
pub(super) fn log_of(path: &Path) -> String {
    let text = path.to_string_lossy();
    let (folder, name) = text.rsplit_once('/').unwrap_or(("", &text));
    let mut name = name;
    for suffix in [".gz", ".zst", ".bz2", ".xz"] {
        name = name.strip_suffix(suffix).unwrap_or(name);
    }
    let name = without_rotation_number(name);
    format!("{folder}/{}", without_date(name))
}

/// `access.log.12` → `access.log`; a number needs its dot, so that `site1.log` stays `site1.log`.
fn without_rotation_number(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, number)) if !stem.is_empty() && is_number(number) => stem,
        _ => name,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Fewest digits that make a run of digits and dashes a date: YYMMDD, as IIS names its logs.
const DATE_DIGITS: usize = 6;

/// `u_ex240501.log` and `access.log-2024-05-01` without the run of digits, dashes and underscores
/// that is the date.
fn without_date(name: &str) -> String {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '_');
    let mut kept = String::new();
    let mut rest = name;
    while let Some(start) = rest.find(is_part) {
        let length = rest[start..]
            .find(|c| !is_part(c))
            .unwrap_or(rest.len() - start);
        let run = &rest[start..start + length];
        kept.push_str(&rest[..start]);
        if run.bytes().filter(u8::is_ascii_digit).count() < DATE_DIGITS {
            kept.push_str(run);
        }
        rest = &rest[start + length..];
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotated_parts_belong_to_one_log_and_numbered_sites_do_not() {
        let log = |name: &str| log_of(Path::new(name));
        for part in [
            "access.log.1",
            "access.log.2.gz",
            "access.log-20240501",
            "access.log",
        ] {
            assert_eq!(log(&format!("/v/{part}")), "/v/access.log");
        }
        assert_eq!(log("u_ex240501.log"), log("u_ex240502.log.xz"));
        assert_eq!(log("a-2024-05-01.log"), log("a-2024-05-02.log"));
        assert_ne!(log("site1.log"), log("site2.log"));
        assert_ne!(log("/a/access.log"), log("/b/access.log"));
    }
}
