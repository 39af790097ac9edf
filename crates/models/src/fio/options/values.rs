//! Values of options that only one option takes.

use crate::fio::job::MAPPED;
use crate::fio::value::{bytes, count, microseconds, some_bytes};
use crate::fio::{Engine, Job, Mode, Pattern};

/// Modes of fio that are modelled.
static MODES: [(&str, Mode, Pattern); 7] = [
    ("read", Mode::Reads, Pattern::Sequential),
    ("randread", Mode::Reads, Pattern::Random),
    ("write", Mode::Writes, Pattern::Sequential),
    ("randwrite", Mode::Writes, Pattern::Random),
    ("rw", Mode::Both, Pattern::Sequential),
    ("readwrite", Mode::Both, Pattern::Sequential),
    ("randrw", Mode::Both, Pattern::Random),
];

/// Modes of fio that trim, which are not modelled.
pub(in crate::fio) const TRIMMING: [&str; 4] = ["trim", "randtrim", "trimwrite", "randtrimwrite"];

/// Engines of which each read is a call (`engines/sync.c`).
const CALLS: [&str; 5] = ["sync", "psync", "vsync", "pvsync", "pvsync2"];
/// Engines that have several reads under way.
const QUEUES: [&str; 2] = ["libaio", "io_uring"];

pub(super) fn set_pattern(job: &mut Job, value: &str) -> Result<(), String> {
    let (name, number) = match value.split_once(':') {
        Some((name, number)) => (name, Some(number)),
        None => (value, None),
    };
    if TRIMMING.contains(&name) {
        return Err(
            "trims, which is not modelled; write read, randread, write, randwrite, rw or randrw"
                .into(),
        );
    }
    let known = MODES.iter().find(|it| it.0 == name);
    let &(_, mode, pattern) =
        known.ok_or("write read, randread, write, randwrite, rw or randrw")?;
    (job.mode, job.pattern) = (mode, pattern);
    (job.in_row, job.hole_bytes) = match (number, pattern) {
        (None, _) => (1, 0),
        (Some(number), Pattern::Sequential) if number.starts_with('-') => {
            return Err(format!(
                "going back by {number} is not modelled; write {name}"
            ));
        }
        (Some(number), Pattern::Sequential) => (1, bytes(number)?),
        (Some(number), _) => (count(number, u32::MAX)?, 0),
    };
    Ok(())
}

/// The mode as fio has it.
pub(super) fn mode(job: &Job) -> String {
    let is_sequential = job.pattern == Pattern::Sequential;
    let of = |it: &&(&str, Mode, Pattern)| {
        it.1 == job.mode && (it.2 == Pattern::Sequential) == is_sequential
    };
    let name = MODES.iter().find(of).map_or("read", |it| it.0);
    match (job.in_row, job.hole_bytes) {
        (1, 0) => name.to_owned(),
        (1, bytes) => format!("{name}:{bytes}"),
        (in_row, _) => format!("{name}:{in_row}"),
    }
}

/// Of a hundred requests, those of one direction.
pub(super) fn share(value: &str) -> Result<u32, String> {
    match value.parse() {
        Ok(percent @ 0..=100) => Ok(percent),
        _ => Err("write a whole number from 0 to 100".into()),
    }
}

/// After how many writes something is done; 0 for never.
pub(super) fn every(value: &str) -> Result<Option<u32>, String> {
    match value {
        "0" => Ok(None),
        value => count(value, u32::MAX)
            .map(Some)
            .map_err(|_| format!("write a whole number from 0 to {}", u32::MAX)),
    }
}

pub(super) fn engine(value: &str) -> Result<Engine, String> {
    if CALLS.contains(&value) {
        Ok(Engine::Calls(value.to_owned()))
    } else if QUEUES.contains(&value) {
        Ok(Engine::Queue(value.to_owned()))
    } else if value == MAPPED {
        Ok(Engine::Mapped)
    } else if value == "splice" {
        Err("is not modelled: fio opens its files with O_DIRECT, and Linux since 6.5 then reads past the page cache; write direct=1"
            .into())
    } else {
        Err(format!(
            "is not modelled; write one of {}, {}, {MAPPED}",
            CALLS.join(", "),
            QUEUES.join(", ")
        ))
    }
}

/// The rate of reads: fio takes one for each direction, reads first.
pub(super) fn rate(value: &str) -> Result<u64, String> {
    match value.contains(',') {
        true => Err("write one rate, that of reads".into()),
        false => some_bytes(value),
    }
}

/// Of reads: fio takes one for each direction, reads first.
pub(super) fn percent(value: &str) -> Result<u32, String> {
    let reads = value.split(',').next().unwrap_or(value);
    match reads.parse() {
        Ok(percent @ 0..=100) => Ok(percent),
        _ => Err("write a whole number from 0 to 100".into()),
    }
}

/// fio takes a range of times too, and draws.
pub(super) fn delay(value: &str) -> Result<f64, String> {
    match value.contains(['-', ':']) {
        true => Err("write one time; one drawn from a range is not modelled".into()),
        false => microseconds(value, 1e6),
    }
}

pub(super) fn filename(value: &str) -> Result<String, String> {
    match value {
        "" | "-" | "." | ".." => Err("write the name of a file".into()),
        name if name.contains(':') => Err("a process reads one file; name one".into()),
        name => Ok(name.to_owned()),
    }
}

pub(super) fn one_path(value: &str) -> Result<String, String> {
    match value {
        "" => Err("write a name".into()),
        name if name.contains(':') => Err("several names are not modelled; write one".into()),
        name => Ok(name.to_owned()),
    }
}

pub(super) fn no_percent(value: &str, message: String) -> String {
    match value.ends_with('%') {
        true => "no file is looked at, so a share of one is not known; write bytes".into(),
        false => message,
    }
}
