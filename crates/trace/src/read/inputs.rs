//! From names and patterns to files that can be read.

use super::error::ReadError;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// One file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Input {
    /// The name by which its format, its log and its site are told; `-` for standard input.
    pub(super) path: PathBuf,
    /// Bytes on disk; none for standard input, pipes and devices, which can be opened only once.
    pub(super) length: Option<u64>,
    is_stdin: bool,
}

impl Input {
    /// The name shown for it.
    pub(super) fn name(&self) -> String {
        match self.is_stdin {
            true => "standard input".into(),
            false => self.path.display().to_string(),
        }
    }

    /// Its raw bytes, counted into `meter` as they are read.
    pub(super) fn open(&self, meter: &Meter) -> io::Result<MeteredInput> {
        Ok(match self.is_stdin {
            true => meter.counting(io::stdin()),
            false => meter.counting(File::open(&self.path)?),
        })
    }

    /// The same for a range of a file.
    pub(super) fn open_range(&self, meter: &Meter, range: Range<u64>) -> io::Result<MeteredInput> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(range.start))?;
        Ok(meter.counting(file.take(range.end - range.start)))
    }
}

/// Bytes read so far, before decompression.
#[derive(Clone, Debug, Default)]
pub(super) struct Meter(Arc<AtomicU64>);

impl Meter {
    fn counting(&self, inner: impl Read + Send + 'static) -> MeteredInput {
        MeteredInput {
            inner: Box::new(inner),
            meter: self.clone(),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A reader that counts.
pub(super) struct MeteredInput {
    inner: Box<dyn Read + Send>,
    meter: Meter,
}

impl Read for MeteredInput {
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
            Some("-") => inputs.push(Input {
                path: name.clone(),
                length: None,
                is_stdin: true,
            }),
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

pub(super) fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?', '['])
}

/// The paths that a pattern matches and that can be looked at.
pub(super) fn matching(pattern: &str) -> impl Iterator<Item = PathBuf> {
    glob::glob(pattern).into_iter().flatten().flatten()
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
        return Err(ReadError::NotFound(pattern.into()));
    }
    Ok(paths)
}

fn file(path: PathBuf) -> Result<Input, ReadError> {
    match fs::metadata(&path) {
        Ok(data) if data.is_dir() => Err(ReadError::Directory(path)),
        Ok(data) => {
            let length = data.is_file().then_some(data.len());
            Ok(Input {
                path,
                length,
                is_stdin: false,
            })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(ReadError::NotFound(path)),
        Err(source) => Err(ReadError::Unreadable {
            file: path.display().to_string(),
            source,
        }),
    }
}

fn refuse_twice(inputs: &[Input]) -> Result<(), ReadError> {
    let mut seen = HashSet::new();
    for input in inputs {
        let path = &input.path;
        if !seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.clone())) {
            return Err(ReadError::Twice(input.name()));
        }
    }
    Ok(())
}
