//! Where jobs read, and how much: the same shares of blocks as fio itself draws, where it is installed.
use hotset_test_support::skip;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hotset_models::fio::{JobFile, Offsets};

/// Bytes of the file of each job.
const SIZE: u64 = 4 << 20;
/// Reads of fio and of hotset.
const IO_BYTES: u64 = 64 << 20;

/// A read: where, and how much.
type Read = (u64, u64);

fn own_reads(job: &str) -> Vec<Read> {
    let text =
        format!("[job]\nrw=randread\nsize={SIZE}\nio_size={IO_BYTES}\nrandrepeat=0\n{job}\n");
    let file = JobFile::parse(&text, Path::new("jobs.fio")).unwrap();
    let mut offsets = Offsets::new(&file.jobs[0], 1).unwrap();
    let (mut reads, mut bytes) = (Vec::new(), 0);
    while bytes < IO_BYTES {
        let place = offsets.advance();
        bytes += place.bytes;
        reads.push((place.offset, place.bytes));
    }
    reads
}

/// What fio reads, from the log that it writes of it; nothing where it is not installed.
fn fio_reads(name: &str, job: &str) -> Option<Vec<Read>> {
    if Command::new("fio").arg("--version").output().is_err() {
        skip("no fio");
        return None;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _gone = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let text = format!(
        "[job]\nrw=randread\nsize={SIZE}\nio_size={IO_BYTES}\nrandrepeat=0\nwrite_iolog=log\n{job}\n"
    );
    fs::write(folder.join("jobs.fio"), text).unwrap();
    let status = Command::new("fio")
        .args(["--output=out", "jobs.fio"])
        .current_dir(&folder)
        .stdout(Stdio::null())
        .status();
    assert!(status.unwrap().success(), "{name}");
    let log = fs::read_to_string(folder.join("log")).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let reads = log.lines().filter_map(|line| {
        let (_, place) = line.split_once(" read ")?;
        let (offset, bytes) = place.split_once(' ')?;
        Some((offset.parse().ok()?, bytes.parse().ok()?))
    });
    Some(reads.collect())
}

/// Shares of the reads that go to the blocks read most: one, a hundredth, a tenth, half of them.
fn shares_of_blocks(reads: &[Read]) -> Vec<f64> {
    let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
    for (offset, _) in reads {
        *counts.entry(offset / 4096).or_default() += 1;
    }
    let mut counts: Vec<u64> = counts.into_values().collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let blocks = (SIZE / 4096) as usize;
    let share = |first: usize| counts.iter().take(first).sum::<u64>() as f64 / reads.len() as f64;
    [1, blocks / 100, blocks / 10, blocks / 2].map(share).into()
}

/// Shares of the reads that go to each tenth of the file.
fn shares_of_tenths(reads: &[Read]) -> Vec<f64> {
    let tenth = |offset: u64| (offset * 10 / SIZE) as usize;
    let mut shares = vec![0.0; 10];
    for (offset, _) in reads {
        shares[tenth(*offset)] += 1.0 / reads.len() as f64;
    }
    shares
}

/// Shares of the reads that have each number of 4 KiB.
fn shares_of_sizes(reads: &[Read]) -> Vec<f64> {
    let mut shares = vec![0.0; 17];
    for (_, bytes) in reads {
        shares[(bytes / 4096) as usize] += 1.0 / reads.len() as f64;
    }
    shares
}

/// Shares of the reads that begin where the last one ended, and that do not.
fn shares_in_sequence(reads: &[Read]) -> Vec<f64> {
    let pairs = reads.windows(2);
    let follows = |pair: &&[Read]| pair[0].0 + pair[0].1 == pair[1].0;
    vec![pairs.clone().filter(follows).count() as f64 / pairs.len() as f64]
}

#[track_caller]
fn as_fio(name: &str, job: &str, shares: impl Fn(&[Read]) -> Vec<f64>) {
    let own = own_reads(job);
    let Some(reads) = fio_reads(name, job) else {
        return;
    };
    let (own_shares, fio) = (shares(&own), shares(&reads));
    let off = own_shares
        .iter()
        .zip(&fio)
        .map(|(own, fio)| (own - fio).abs());
    // Four standard deviations of the difference of two shares of a half.
    let scatter = 4.0 * (0.25 / own.len() as f64 + 0.25 / reads.len() as f64).sqrt();
    assert!(
        off.fold(0.0, f64::max) < scatter,
        "{name}: {own_shares:?}, fio {fio:?}"
    );
}

#[test]
fn popular_blocks_are_read_as_often_as_fio_reads_them() {
    for (number, distribution) in [
        "random",
        "zipf:1.2",
        "zipf:0.8",
        "pareto:0.2",
        "pareto:0.5",
        "normal:10",
        "normal",
    ]
    .into_iter()
    .enumerate()
    {
        let job = format!("bs=4k\nrandom_distribution={distribution}");
        as_fio(&format!("blocks-{number}"), &job, shares_of_blocks);
    }
}

#[test]
fn parts_of_the_file_are_read_as_often_as_fio_reads_them() {
    for (number, distribution) in [
        "zoned:60/10:30/20:10/70",
        "zoned_abs:50/1m:30/512k:20/2m",
        "zipf:1.2:0.5",
        "pareto:0.1:0.25",
        "normal:5:0.7",
        "random",
    ]
    .into_iter()
    .enumerate()
    {
        let job = format!("bs=4k\nrandom_distribution={distribution}");
        as_fio(&format!("tenths-{number}"), &job, shares_of_tenths);
    }
}

#[test]
fn sizes_are_drawn_as_often_as_fio_draws_them() {
    for (number, sizes) in [
        "bssplit=4k/50:16k/20:64k/30",
        "bssplit=4k/10:64k/30",
        "bssplit=8k/40:12k/20:60k",
        "bsrange=4k-64k",
        "bsrange=12k-64k",
        "bssplit=4k/50:64k/50\nnorandommap",
        "bssplit=4k/50:64k/50\nrw=read",
        "bsrange=4k-64k\nrandom_distribution=zipf:1.1",
    ]
    .into_iter()
    .enumerate()
    {
        as_fio(&format!("sizes-{number}"), sizes, shares_of_sizes);
    }
}

#[test]
fn as_many_reads_follow_the_last_one_as_fio_has_them_do() {
    for (number, percent) in [0, 30, 80, 100].into_iter().enumerate() {
        for (map, name) in [("", "map"), ("norandommap", "anew")] {
            let job = format!("bs=4k\npercentage_random={percent}\n{map}");
            as_fio(
                &format!("sequence-{number}-{name}"),
                &job,
                shares_in_sequence,
            );
        }
    }
}

#[test]
fn the_same_seed_draws_the_same_blocks() {
    let job = "bssplit=4k/50:64k/50\nrandom_distribution=zipf:1.1";
    assert_eq!(own_reads(job), own_reads(job));
}

/// Whether the second pass over the file is the first again.
fn repeats(reads: &[Read]) -> bool {
    let ends = reads.iter().scan(0, |bytes, read| {
        *bytes += read.1;
        Some(*bytes)
    });
    let pass = ends.take_while(|&bytes| bytes < SIZE).count() + 1;
    reads[..pass] == reads[pass..2 * pass]
}

#[test]
fn passes_repeat_where_those_of_fio_do() {
    for (number, (job, again)) in [
        ("bs=4k\nrandrepeat=1", true),
        ("bs=4k\nrandrepeat=1\nnorandommap", false),
        (
            "bs=4k\nrandrepeat=1\nrandom_distribution=zoned:90/10:10/90",
            false,
        ),
        ("bs=4k\nrandrepeat=1\nrandom_distribution=zipf", false),
        ("bs=4k", false),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(repeats(&own_reads(job)), again, "{job}");
        if let Some(reads) = fio_reads(&format!("passes-{number}"), job) {
            assert_eq!(repeats(&reads), again, "fio: {job}");
        }
    }
}

#[test]
fn a_pass_reads_every_block_once() {
    for sizes in ["bs=4k", "bssplit=4k/50:64k/50", "bsrange=8k-1m"] {
        let text = format!("[job]\nrw=randread\nsize={SIZE}\n{sizes}\n");
        let file = JobFile::parse(&text, Path::new("jobs.fio")).unwrap();
        let mut offsets = Offsets::new(&file.jobs[0], 3).unwrap();
        let mut read = vec![0; (SIZE / 4096) as usize];
        while offsets.passes() != (2, true) {
            let place = offsets.advance();
            let blocks = place.offset / 4096..(place.offset + place.bytes) / 4096;
            blocks.for_each(|block| read[block as usize] += 1);
        }
        assert!(read.iter().all(|&times| times == 2), "{sizes}");
    }
}

#[test]
fn with_a_number_behind_the_mode_bytes_are_passed_over_as_by_fio() {
    let job = "rw=read:4k\nbs=4k";
    let own = own_reads(job);
    let expected = (0..).map(|number| (number * 8192 % SIZE, 4096));
    assert!(own.iter().copied().eq(expected.take(own.len())));
    if let Some(reads) = fio_reads("holes", job) {
        assert!(reads == own);
    }
}

#[test]
fn with_a_number_behind_the_mode_reads_at_random_lie_in_rows_as_by_fio() {
    let job = "rw=randread:4\nbs=4k";
    let lie_in_rows = |reads: &[Read]| {
        let follows = |pair: &[Read]| pair[1].0 == pair[0].0 + pair[0].1;
        let pairs = reads.windows(2).zip(2..);
        // Behind the last block any other one comes.
        let mut in_rows = pairs.filter(|(pair, number)| number % 4 != 1 && pair[0].0 + 4096 < SIZE);
        assert!(in_rows.all(|(pair, _)| follows(pair)));
        let starts = reads
            .windows(2)
            .zip(2..)
            .filter(|(_, number)| number % 4 == 1);
        let starts: Vec<bool> = starts.map(|(pair, _)| follows(pair)).collect();
        let going_on = starts.iter().filter(|follows| **follows).count();
        assert!(
            going_on * 50 < starts.len(),
            "{going_on} of {}",
            starts.len()
        );
    };
    // Each pass over the file begins anew.
    lie_in_rows(&own_reads(job)[..1000]);
    if let Some(reads) = fio_reads("rows", job) {
        lie_in_rows(&reads[..1000]);
    }
}
