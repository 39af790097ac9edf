//! Files written and read by plain calls, in a process that can be put on a node: who touches a page first is charged
//! for it.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::PHASES;
use crate::LabError;
use hotset_machine::{OnFile, file as documents};

/// Neighbours in the folder are read this far apart, so that no file finds the disk's head beside it. A prime, to come
/// by every file once.
const STRIDE: usize = 7919;

/// What the reading process is told, as JSON in one argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The file system's own folder.
    pub folder: PathBuf,
    /// Files of each phase and size.
    pub files: usize,
    /// What to do.
    pub job: Job,
}

/// What the reading process does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Job {
    /// Writes the files of all phases.
    Write {
        /// Sizes read bare, bytes.
        bare_bytes: Vec<u64>,
        /// Sizes served, bytes.
        served_bytes: Vec<u64>,
    },
    /// Reads the bare files and writes their times to `result`. Sizes come in turn: small files of one size lie together,
    /// and a drive that was just there would have them in its buffer.
    Read {
        /// The sizes.
        sizes: Vec<u64>,
        /// How often each file.
        rounds: usize,
        /// A JSON file of a list of [`Times`], one for each size.
        result: PathBuf,
    },
}

/// Times of every access in order, nanoseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// Opening and closing.
    pub open_close_ns: Vec<u64>,
    /// Reading all of it, already open.
    pub read_ns: Vec<u64>,
}

impl Options {
    /// Reads what the lab passes as the process' last argument.
    ///
    /// # Errors
    /// When it is something else.
    pub fn parse(argument: &str) -> Result<Self, LabError> {
        serde_json::from_str(argument)
            .map_err(|error| LabError::Unusable(format!("the options of a reader: {error}")))
    }

    /// Does it. The body of the process.
    ///
    /// # Errors
    /// When a file cannot be written or read.
    pub fn serve(&self) -> Result<(), LabError> {
        match &self.job {
            Job::Write {
                bare_bytes,
                served_bytes,
            } => {
                let phases = [bare_bytes, served_bytes, served_bytes];
                PHASES
                    .iter()
                    .zip(phases)
                    .try_for_each(|(phase, sizes)| self.write(phase, sizes))
            }
            Job::Read {
                sizes,
                rounds,
                result,
            } => Ok(documents::write_json(result, &self.read(sizes, *rounds)?)?),
        }
    }

    fn write(&self, phase: &str, sizes: &[u64]) -> Result<(), LabError> {
        for &bytes in sizes {
            let content = content(bytes as usize);
            let folder = self.folder.join(phase).join(bytes.to_string());
            fs::create_dir_all(&folder).on("make", &folder)?;
            for number in 0..self.files {
                let path = file(&self.folder, phase, bytes, number);
                let written = File::create(&path).and_then(|mut file| file.write_all(&content));
                written.on("write", path)?;
            }
        }
        Ok(())
    }

    fn read(&self, sizes: &[u64], rounds: usize) -> Result<Vec<Times>, LabError> {
        let buffer = |&bytes: &u64| content(bytes as usize);
        let mut buffers: Vec<Vec<u8>> = sizes.iter().map(buffer).collect();
        let mut times = vec![Times::default(); sizes.len()];
        for number in (0..rounds).flat_map(|_| spread(self.files)) {
            for ((&bytes, buffer), times) in sizes.iter().zip(&mut buffers).zip(&mut times) {
                read_one(&file(&self.folder, PHASES[0], bytes, number), buffer, times)?;
            }
        }
        Ok(times)
    }
}

fn read_one(path: &Path, buffer: &mut [u8], times: &mut Times) -> Result<(), LabError> {
    let start = Instant::now();
    let mut file = File::open(path).on("open", path)?;
    let opened = start.elapsed();
    file.read_exact(buffer).on("read", path)?;
    let read = start.elapsed();
    drop(file);
    let closed = start.elapsed();
    let ns = |time: Duration| time.as_nanos() as u64;
    times.open_close_ns.push(ns(opened + closed - read));
    times.read_ns.push(ns(read - opened));
    Ok(())
}

/// Path of a file below the file system's folder.
pub(super) fn file(folder: &Path, phase: &str, bytes: u64, number: usize) -> PathBuf {
    folder
        .join(phase)
        .join(bytes.to_string())
        .join(number.to_string())
}

/// Every number below `files` once, neighbours far apart.
pub fn spread(files: usize) -> impl Iterator<Item = usize> {
    let stride = if files.is_multiple_of(STRIDE) {
        1
    } else {
        STRIDE
    };
    (0..files).map(move |index| index * stride % files)
}

/// Bytes that no file system stores in less room (a linear congruence by Knuth).
fn content(bytes: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    std::iter::repeat_with(&mut next).take(bytes).collect()
}
