//! C section 5: connections that SPECweb99 would rate a server with.

use hotset_models::calculate::specweb99::{
    DirectoryFile, FileSet, LARGEST_CLASS_KB, MEAN_KB, PRINTED_FACTOR, from_disk, printed, simple,
};
use hotset_workload::{directories, directory_files};

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::published_table::PublishedTable;
use crate::reproduce::sources::Sources;

/// The analysis of SPECweb99.
pub(super) struct SpecWeb99;

/// Bytes of files of the largest class that the document's disks deliver in a second.
const LOCAL_BYTES_PER_S: f64 = 17.7e6;
const NFS_BYTES_PER_S: f64 = 14.8e6;
/// Files of the largest class that the document times.
const TIMED_FILES: f64 = 1999.0;
const MB: f64 = 1e6;
const GB: f64 = 1e9;
/// A gigabyte of memory.
const GIB: u64 = 1 << 30;
/// Total connections that the document prints.
const LOCAL_TOTAL: &str = "total connections local";
const NFS_TOTAL: &str = "total connections NFS";

impl DocumentStudy for SpecWeb99 {
    fn name(&self) -> &'static str {
        "diskless-specweb99"
    }

    fn title(&self) -> &'static str {
        "Connections that SPECweb99 would rate a server with, by memory and disk"
    }

    fn section(&self) -> &'static str {
        "C §5"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "Calculated, as `hotset model specweb99` does, from the benchmark's file set and the document's rates of disks",
        ]
    }

    fn cells(&self, _sources: &Sources) -> Vec<ReproducedCell> {
        let table = PublishedTable::of(include_str!("../published/diskless-specweb99.csv"));
        let files = file_set();
        let rows = table.rows().filter_map(|row| {
            let simulated = calculated(&files, row.name())?;
            let published = row.figure("value")?;
            let cell = ReproducedCell::new(row.name(), "value", Some(published));
            let cause = cause(row.name(), published);
            Some(cell.simulated(Some(simulated)).explained(cause.as_deref()))
        });
        rows.collect()
    }

    fn claims(&self, cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        let mut claims = vec![loss(cells)];
        claims.push(DocumentClaim::contradiction(
            [
                "Disks of 354 and 296 connections sustain 1734 and 1450 in all (§5.2)",
                "the document's own mean of 14.2668 KB, of which 4.8950 KB are of the largest class, gives 1032 and 863",
            ],
            "C §5.2",
            format!(
                "It multiplies by {PRINTED_FACTOR} in place of {:.2}. The loss of 16 % stands, as the factor is the same for both.",
                MEAN_KB / LARGEST_CLASS_KB
            ),
        ));
        claims.push(DocumentClaim::contradiction(
            [
                "4 GB of memory cache 3800 connections (§5.1)",
                "4 GB of memory hold 1270 connections (§5.2)",
            ],
            "C §5.1, §5.2",
            format!(
                "Calculated: {} connections, so §5.2 is right.",
                file_set().all_in_memory(4 * GIB)
            ),
        ));
        claims
    }
}

fn file_set() -> FileSet {
    let files = directory_files().map(|(class, bytes, share)| DirectoryFile {
        class,
        bytes,
        share,
    });
    FileSet {
        files: files.collect(),
        directories,
    }
}

/// What the benchmark's file set and the document's disks come to; nothing for a row that is an input.
fn calculated(files: &FileSet, row: &str) -> Option<f64> {
    let largest = files.largest_class();
    let directory_bytes = files.directory_bytes(largest) as f64;
    let largest_bytes = || {
        let smaller = files.directory_bytes(largest.saturating_sub(1)) as f64;
        directory_bytes - smaller
    };
    let all_directories = |connections: u32| f64::from(directories(connections));
    let of_timed = |bytes_per_s: f64| {
        let files = files.files.iter().filter(|file| file.class == largest);
        let sizes: Vec<f64> = files.map(|file| file.bytes as f64).collect();
        let mean = sizes.iter().sum::<f64>() / sizes.len() as f64;
        TIMED_FILES * mean / bytes_per_s
    };
    Some(match row {
        "directory size MB" => directory_bytes / MB,
        "mean access-weighted file KB" => files.mean_bytes() / 1e3,
        "data set for 1000 connections GB" => all_directories(1000) * directory_bytes / GB,
        "connections from local disk" => from_disk(LOCAL_BYTES_PER_S),
        "connections from NFS disk" => from_disk(NFS_BYTES_PER_S),
        LOCAL_TOTAL => simple(LOCAL_BYTES_PER_S),
        NFS_TOTAL => simple(NFS_BYTES_PER_S),
        "relative loss percent" => {
            100.0 * (1.0 - simple(NFS_BYTES_PER_S) / simple(LOCAL_BYTES_PER_S))
        }
        "connections held by 1 GB RAM" => f64::from(files.all_in_memory(GIB)),
        "connections held by 4 GB RAM" => f64::from(files.all_in_memory(4 * GIB)),
        "RAM for 1450 connections GB" => files.smaller_classes_bytes(1450) as f64 / GB,
        "RAM for 1734 connections GB" => files.smaller_classes_bytes(1734) as f64 / GB,
        "class 3 on NFS disk GB" => all_directories(1450) * largest_bytes() / GB,
        "class 3 on local disk GB" => all_directories(1734) * largest_bytes() / GB,
        "seconds for 1999 class 3 files local" => of_timed(LOCAL_BYTES_PER_S),
        "seconds for 1999 class 3 files NFS" => of_timed(NFS_BYTES_PER_S),
        _ => return None,
    })
}

/// The cause of an error: what the document's factor in place of its own figures comes to is what it prints.
fn cause(row: &str, published: f64) -> Option<String> {
    let bytes_per_s = match row {
        LOCAL_TOTAL => LOCAL_BYTES_PER_S,
        NFS_TOTAL => NFS_BYTES_PER_S,
        _ => return None,
    };
    let with_slip = printed(bytes_per_s).floor();
    let is_it = (with_slip - published).abs() < 1.0;
    is_it.then(|| {
        format!("with the document's factor of {PRINTED_FACTOR} it is {with_slip:.0}, as printed")
    })
}

/// Whether files over NFS lose less than 16 %.
fn loss(cells: &[ReproducedCell]) -> DocumentClaim {
    let mut cells = cells.iter();
    let loss = cells.find(|cell| cell.row == "relative loss percent");
    let loss = loss.and_then(|cell| cell.simulated);
    DocumentClaim::new(
        "content over NFS costs about 16 % of the connections, with one disk",
        "C §5.2, §8",
        loss.map(|loss| (loss - 16.0).abs() < 1.0),
        loss.map_or_else(
            || "Not calculated.".to_owned(),
            |loss| format!("Calculated: {loss:.1} %."),
        ),
    )
}
