//! Finished points, kept beside the table until it is written: one line of JSON each, which is found again by a hash of all that
//! decides what a point comes to.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use hotset_models::tiers::Traffic;
use hotset_report::{PointFigures, SweepBy};
use hotset_scenario::Scenario;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::JobError;
use crate::error::{refuse, refused};

/// What tells points apart.
pub(super) type Key = String;

/// A finished point as it is kept.
#[derive(Serialize, Deserialize)]
pub(super) struct KeptPoint {
    /// What tells it from others.
    pub key: Key,
    /// What it came to.
    pub figures: PointFigures,
}

/// What all points of a sweep share, as a hash.
pub(super) struct Ground(Sha256);

impl Ground {
    /// Of this traffic, seed and way to the figures, and of this version of the program.
    pub fn of(traffic: &Traffic, seed: u64, by: SweepBy) -> Self {
        let mut hashed = Hashed(Sha256::new());
        hashed.add(format_args!(
            "{} {} {seed} {traffic:?}",
            env!("CARGO_PKG_VERSION"),
            by.name()
        ));
        Self(hashed.0)
    }

    /// The key of a point, where the scenario is this one. Where its files are does not matter: they have been read.
    pub fn key(&self, mut scenario: Scenario) -> Key {
        scenario.logs.clear();
        for site in &mut scenario.sites {
            (site.root, site.reservation_at) = (None, None);
        }
        let mut hashed = Hashed(self.0.clone());
        hashed.add(format_args!("{scenario:?}"));
        let mut key = String::new();
        for byte in hashed.0.finalize() {
            let _infallible = write!(key, "{byte:02x}");
        }
        key
    }
}

/// A hash of text that is never held as a whole.
struct Hashed(Sha256);

impl Hashed {
    fn add(&mut self, text: fmt::Arguments<'_>) {
        let _infallible = self.write_fmt(text);
    }
}

impl fmt::Write for Hashed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text);
        Ok(())
    }
}

/// The file of finished points. One sweep at a time has it.
pub(super) struct Kept {
    path: PathBuf,
    /// Nothing after a line could not be written: what follows a broken line is not read again.
    file: Mutex<Option<File>>,
}

impl Kept {
    /// The file beside `table`, and the points in it.
    ///
    /// # Errors
    /// A file that cannot be opened, or that another sweep writes.
    pub fn beside(table: &Path) -> Result<(Self, HashMap<Key, PointFigures>), JobError> {
        let mut path = table.as_os_str().to_owned();
        path.push(".points");
        let path = PathBuf::from(path);
        let at = |error: io::Error| JobError::at(format!("cannot write {}", path.display()), error);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(at)?;
        match file.try_lock() {
            // Some file systems know no locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
            Err(TryLockError::WouldBlock) => refuse!(
                "{}: another sweep is writing it; wait for its end, or name another table",
                path.display()
            ),
        }
        let Some(points) = points_of(&file).map_err(at)? else {
            refuse!(
                "{}: has no points of a sweep, which would be kept there; move it away, or name another table",
                path.display()
            );
        };
        let file = Mutex::new(Some(file));
        Ok((Self { path, file }, points))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps a finished point.
    ///
    /// # Errors
    /// A full disk, for example.
    pub fn add(&self, point: &KeptPoint) -> Result<(), JobError> {
        let mut line = serde_json::to_vec(point)?;
        line.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(open) = file.as_mut() else {
            return Ok(());
        };
        open.write_all(&line).map_err(|error| {
            *file = None;
            refused(format!(
                "{}: cannot be written: {error}; make room and run the same again, which goes on from the points that are kept",
                self.path.display()
            ))
        })
    }

    /// Removes it, as the table has all points now.
    pub fn remove(self) {
        // What is left is passed over by the next sweep.
        let _removed = fs::remove_file(&self.path);
    }
}

/// How each line begins.
const BEGINNING: &[u8] = b"{\"key\":\"";

/// The points in `file`, which is then ready for more. A broken line, and what follows it, is cut off. Nothing where the file is somebody else's.
fn points_of(mut file: &File) -> io::Result<Option<HashMap<Key, PointFigures>>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    if !BEGINNING.starts_with(&bytes[..bytes.len().min(BEGINNING.len())]) {
        return Ok(None);
    }
    let mut points = HashMap::new();
    let mut read = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let point = line.strip_suffix(b"\n").map(serde_json::from_slice);
        let Some(Ok(KeptPoint { key, figures })) = point else {
            break;
        };
        points.insert(key, figures);
        read += line.len() as u64;
    }
    file.set_len(read)?;
    file.seek(SeekFrom::Start(read))?;
    Ok(Some(points))
}
