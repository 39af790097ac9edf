//! Files that hold the same as another in another compression: an interrupted rotation leaves a log beside its
//! compressed twin, and reading both would count each request twice.

use super::decompress::{Compression, content, fill};
use super::inputs::{Input, Meter};
use super::log_file::LogFile;
use super::summary::SourceSummary;
use std::collections::HashMap;
use std::io;

/// Bytes compared at a time.
const COMPARED_BYTES: usize = 256 * 1024;

/// Files to read, and those that hold the same as one of them.
pub(super) struct DistinctFiles {
    pub(super) files: Vec<LogFile>,
    /// With their places among all files, ascending.
    pub(super) twins: Vec<(usize, SourceSummary)>,
}

/// Parts `files` by what they hold. Of twins the one that is not compressed is read.
pub(super) fn part(files: Vec<LogFile>) -> DistinctFiles {
    let originals = originals(&files);
    let mut distinct = DistinctFiles {
        files: Vec::new(),
        twins: Vec::new(),
    };
    for (place, (file, original)) in files.into_iter().zip(originals).enumerate() {
        let Some(original) = original else {
            distinct.files.push(file);
            continue;
        };
        let twin = SourceSummary {
            same_as: Some(original),
            ..file.summary(None)
        };
        distinct.twins.push((place, twin));
    }
    distinct
}

/// For each file the name of the one that is read in its place, if there is one.
fn originals(files: &[LogFile]) -> Vec<Option<String>> {
    let mut by_head: HashMap<(u64, usize), Vec<usize>> = HashMap::new();
    let mut originals = vec![None; files.len()];
    let mut places: Vec<usize> = (0..files.len()).collect();
    places.sort_by_key(|&place| files[place].compression != Compression::None);
    for place in places {
        let file = &files[place];
        let known = by_head.entry((file.head_hash, file.log_rule)).or_default();
        let original = known.iter().find(|&&other| are_twins(&files[other], file));
        match original {
            Some(&other) => originals[place] = Some(files[other].input.name()),
            None => known.push(place),
        }
    }
    originals
}

/// Whether two files hold the same in different compression. All of it is compared: a request that is left out
/// for nothing is as wrong as one that is counted twice.
fn are_twins(one: &LogFile, other: &LogFile) -> bool {
    let can_be_read_again = one.input.length.is_some() && other.input.length.is_some();
    let may_be = one.compression != other.compression && !one.is_empty && can_be_read_again;
    // A file that cannot be read is no twin, and an error when its turn comes.
    may_be && hold_the_same(&one.input, &other.input).unwrap_or(false)
}

fn hold_the_same(one: &Input, other: &Input) -> io::Result<bool> {
    let unused = Meter::default();
    let mut one = content(one.open(&unused)?)?.bytes;
    let mut other = content(other.open(&unused)?)?.bytes;
    let (mut block, mut same) = (vec![0; COMPARED_BYTES], vec![0; COMPARED_BYTES]);
    loop {
        let length = fill(&mut one, &mut block)?;
        if length != fill(&mut other, &mut same)? || block[..length] != same[..length] {
            return Ok(false);
        }
        if length < COMPARED_BYTES {
            return Ok(true);
        }
    }
}
