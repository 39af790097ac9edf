//! The file is made, and sent once.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Instant;

use hotset_machine::{DrainedSocket, OnFile};
use hotset_probe::load_surely;

use super::cell::Cell;
use crate::ExperimentError;
use crate::fio::{JobFigures, RequestFigures, Round};
use crate::kinds::jobs::Bench;

/// Bytes written at a time when the file is made.
const PIECE_BYTES: u64 = 1 << 20;

/// Makes a file of so many bytes.
pub(super) fn write(path: &Path, bytes: u64) -> io::Result<()> {
    let piece = vec![1; PIECE_BYTES as usize];
    let mut file = File::create(path)?;
    for offset in (0..bytes).step_by(piece.len()) {
        file.write_all(&piece[..(bytes - offset).min(PIECE_BYTES) as usize])?;
    }
    file.sync_all()
}

/// Sends the file once; what the disk read for it.
pub(super) fn run(bench: &Bench, cell: &Cell, path: &Path) -> Result<Round, ExperimentError> {
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
    let reads = RequestFigures {
        bytes_per_s: bytes as f64 / seconds,
        requests_per_s: blocks / seconds,
        mean_us: 1e6 * seconds / blocks,
        p99_us: None,
        quantiles_us: None,
        hit_share: None,
    };
    let figures = JobFigures {
        reads: Some(reads),
        writes: None,
        syncs: None,
    };
    Ok(Round {
        figures: vec![figures],
        device_bytes,
        written: None,
    })
}
