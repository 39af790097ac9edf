//! All cells in turn, round after round; before each round, what copying takes at that moment.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Instant;

use hotset_machine::{DrainedSocket, OnFile};
use hotset_models::file_system::FilePlaces;
use hotset_probe::load_surely;
use hotset_scenario::Profile;

use super::cell::{Cell, FILE};
use super::result::Detail;
use super::section::Section;
use crate::fio::ReadFigures;
use crate::kinds::fio_jobs::{Bench, FileRounds, JobRounds, outcome};
use crate::session::{Quiet, Session};
use crate::study::PointResult;
use crate::{Axis, ExperimentError, Point};

/// Bytes written at a time when the file is made.
const PIECE_BYTES: u64 = 1 << 20;

/// Measures a store. What drifts on the machine drifts for all cells.
pub(super) fn measure(
    bench: &Bench,
    section: &Section,
    point: &Point,
    session: &Session,
) -> Result<PointResult<Detail>, ExperimentError> {
    session.step("writing the file")?;
    bench.set_delays(false)?;
    let mut copying = bench.copying(session)?;
    let path = bench.folder().join(FILE);
    write(&path, section.file).on("write", &path)?;
    let mut places = FilePlaces::default();
    places.0.insert(FILE.to_owned(), bench.extents(&path)?);
    bench.set_delays(true)?;
    let quiet = Quiet::begin(0)?;
    let cells = Cell::all(&section.blocks);
    let mut runs: Vec<FileRounds> = cells.iter().map(empty).collect();
    // The first round does not count.
    for round in 0..=section.rounds {
        copying.sample()?;
        for (cell, runs) in cells.iter().zip(&mut runs) {
            session.step(&format!(
                "round {round} of {}, {}",
                section.rounds,
                cell.name()
            ))?;
            let (figures, device_bytes) = run(bench, cell, &path)?;
            if round > 0 {
                runs.device_bytes.push(device_bytes);
                runs.jobs[0].rounds.push(figures);
            }
        }
    }
    let detail = Detail {
        profile: Profile {
            copy: copying.costs(),
            ..bench.profile.clone()
        },
        places,
        runs,
    };
    let settings = [("rounds", section.rounds.to_string())];
    let provenance = session.provenance(point, &settings);
    Ok(PointResult {
        quietness: Some(quiet.end(0)?),
        base: None,
        outcomes: vec![outcome(point.on(Axis::Store), provenance, &detail.runs)],
        detail,
    })
}

fn write(path: &Path, bytes: u64) -> io::Result<()> {
    let piece = vec![1; PIECE_BYTES as usize];
    let mut file = File::create(path)?;
    for offset in (0..bytes).step_by(piece.len()) {
        file.write_all(&piece[..(bytes - offset).min(PIECE_BYTES) as usize])?;
    }
    file.sync_all()
}

fn empty(cell: &Cell) -> FileRounds {
    FileRounds {
        jobs: vec![JobRounds {
            job: cell.name(),
            rounds: Vec::new(),
        }],
        device_bytes: Vec::new(),
    }
}

/// Sends the file once; what the disk read for it.
fn run(bench: &Bench, cell: &Cell, path: &Path) -> Result<(ReadFigures, u64), ExperimentError> {
    bench.forget()?;
    if cell.in_memory {
        load_surely(path)?;
    }
    let file = File::open(path).on("open", path)?;
    let bytes = file.metadata().on("look up", path)?.len();
    let mut socket = DrainedSocket::open().on("open a socket for", path)?;
    let before = bench.disk()?.counters()?.read_bytes;
    let started = Instant::now();
    let sent = cell.way.send(&file, bytes, cell.block_bytes, &mut socket);
    socket.wait();
    let seconds = started.elapsed().as_secs_f64();
    sent.on("send", path)?;
    let device_bytes = bench.disk()?.counters()?.read_bytes - before;
    let blocks = bytes.div_ceil(cell.block_bytes) as f64;
    let figures = ReadFigures {
        bytes_per_s: bytes as f64 / seconds,
        reads_per_s: blocks / seconds,
        mean_us: 1e6 * seconds / blocks,
        hit_share: None,
    };
    Ok((figures, device_bytes))
}
