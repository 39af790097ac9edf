//! Connections that SPECweb99 would rate a server with, by its memory and its disk.

use hotset_models::calculate::specweb99::{
    DirectoryFile, Disk, FileSet, Split, from_disk, printed, simple,
};
use hotset_report::{SpecWeb99Disk, SpecWeb99Split, SpecWeb99View};
use hotset_workload::{directories, directory_files};

use crate::JobError;
use crate::error::refuse;

/// The disks of the document (its table 3): bytes a second of files of the largest class, and of one very large file.
const DOCUMENTED: [(&str, f64, f64); 2] =
    [("local disk", 17.7e6, 34e6), ("NFS disk", 14.8e6, 22e6)];

/// What is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Memory for files, bytes.
    pub memory_bytes: u64,
    /// Bytes of files of the largest class that the disk delivers in a second; the document's disks where none are given.
    pub bytes_per_s: Option<u64>,
    /// Bytes of one very large file.
    pub sequential_bytes_per_s: Option<u64>,
}

/// Calculates them.
///
/// # Errors
/// Rates that no disk has.
pub fn run(options: &Options) -> Result<SpecWeb99View, JobError> {
    let files = directory_files().map(|(class, bytes, share)| DirectoryFile {
        class,
        bytes,
        share,
    });
    let file_set = FileSet {
        files: files.collect(),
        directories,
    };
    let disks = disks(options)?;
    let disks = disks.into_iter().map(|(name, of, is_documented)| {
        let best = file_set.best(options.memory_bytes, of);
        disk(&file_set, (name, of, is_documented), best)
    });
    let disks: Vec<SpecWeb99Disk> = disks.collect();
    let loss = |of: fn(&SpecWeb99Disk) -> f64| match &disks[..] {
        [first, .., last] if of(first) > 0.0 => Some(1.0 - of(last) / of(first)),
        _ => None,
    };
    Ok(SpecWeb99View {
        memory_bytes: options.memory_bytes,
        connections_from_memory: file_set.all_in_memory(options.memory_bytes),
        loss: loss(|it| it.connections),
        best_loss: loss(|it| f64::from(it.best.connections)),
        disks,
    })
}

/// Names, rates, and whether the document has them.
fn disks(options: &Options) -> Result<Vec<(&'static str, Disk, bool)>, JobError> {
    let Some(bytes_per_s) = options.bytes_per_s else {
        let documented = DOCUMENTED.map(|(name, bytes_per_s, sequential)| {
            let disk = Disk {
                bytes_per_s,
                sequential_bytes_per_s: Some(sequential),
            };
            (name, disk, true)
        });
        return Ok(documented.to_vec());
    };
    if bytes_per_s == 0 {
        refuse!("a disk that delivers nothing sustains nothing; give it a rate such as 17.7MB");
    }
    if let Some(sequential) = options.sequential_bytes_per_s
        && sequential < bytes_per_s
    {
        refuse!(
            "one very large file comes at {sequential} bytes a second, slower than many files at {bytes_per_s}; exchange the two rates"
        );
    }
    let disk = Disk {
        bytes_per_s: bytes_per_s as f64,
        sequential_bytes_per_s: options.sequential_bytes_per_s.map(|it| it as f64),
    };
    Ok(vec![("disk", disk, false)])
}

fn disk(
    file_set: &FileSet,
    (name, of, is_documented): (&str, Disk, bool),
    best: Split,
) -> SpecWeb99Disk {
    let connections = simple(of.bytes_per_s);
    SpecWeb99Disk {
        name: name.to_owned(),
        bytes_per_s: of.bytes_per_s,
        sequential_bytes_per_s: of.sequential_bytes_per_s,
        connections_from_disk: from_disk(of.bytes_per_s),
        connections,
        // The document leaves fractions out.
        printed_connections: is_documented.then(|| printed(of.bytes_per_s).floor()),
        needed_memory_bytes: file_set.smaller_classes_bytes(connections.round() as u32),
        best: SpecWeb99Split {
            connections: best.connections,
            directories: best.directories,
            file_set_bytes: best.file_set_bytes,
            memory_bytes: best.memory_bytes,
            in_memory_shares: best.in_memory,
            disk_share: best.disk_accesses,
        },
    }
}
