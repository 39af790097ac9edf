//! The files of the site, as they were asked for on one of its days.

use rand::SeedableRng;
use rand::distr::weighted::WeightedIndex;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use super::table::{number, rows};
use crate::error::GenerateError;
use crate::sizes::with_total;
use hotset_trace::Objects;

const FILES: &str = include_str!("files.csv");

/// A file.
struct File {
    extension: &'static str,
    /// Requests for it, among those that were counted.
    requests: u64,
    bytes: u64,
}

/// How many there are.
pub(super) fn count() -> u64 {
    rows(FILES).map(|row| number(&row, 1)).sum()
}

/// The files from the most popular on, and how often each is asked for.
///
/// The files of a row have its sizes: they lie between the smallest and the largest, and add up to its bytes. Requests are the same. Which of the row's
/// sizes a file has is drawn.
pub(super) fn files(seed: u64) -> Result<(Objects, WeightedIndex<u64>), GenerateError> {
    let mut random = Pcg64Mcg::seed_from_u64(seed ^ SIZES);
    let mut files: Vec<File> = Vec::new();
    for row in rows(FILES) {
        files.extend(files_of(&row, &mut random)?);
    }
    files.sort_by_key(|file| std::cmp::Reverse(file.requests));
    let asked = WeightedIndex::new(files.iter().map(|file| file.requests));
    let asked = asked.map_err(|_| GenerateError::TooMany("files"))?;
    Ok((objects(&files), asked))
}

/// Files of one row.
fn files_of(row: &[&'static str], random: &mut Pcg64Mcg) -> Result<Vec<File>, GenerateError> {
    let of = |column: usize| number(row, column);
    let count = of(1) as usize;
    let requests = with_total(count, of(2), of(3), of(4))?;
    let mut sizes = with_total(count, of(7), of(5), of(6))?;
    sizes.shuffle(random);
    let extension = row.first().copied().unwrap_or_default();
    let pairs = requests.into_iter().zip(sizes);
    let files = pairs.map(|(requests, bytes)| File {
        extension,
        requests,
        bytes,
    });
    Ok(files.collect())
}

/// A thousand to a directory.
fn objects(files: &[File]) -> Objects {
    let mut objects = Objects {
        site: vec![0; files.len()],
        size: files.iter().map(|file| file.bytes).collect(),
        ..Objects::default()
    };
    for (id, file) in files.iter().enumerate() {
        let path = format!("/d{:04}/file{id:07}.{}", id / 1000, file.extension);
        objects.path.push(path.as_bytes());
    }
    objects
}

/// Keeps the stream that places sizes apart from the stream that draws requests.
const SIZES: u64 = 0x5349_5a45;
