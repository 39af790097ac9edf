//! Readers of one file at the same time, or writers.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use hotset_machine::OnFile;

use crate::ProbeError;
use crate::buffer::Walk;

/// What is done to blocks.
#[derive(Clone, Copy)]
pub(crate) enum Deed {
    Read,
    Write,
}

impl Deed {
    /// What messages call it.
    fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    fn of_block(self, file: &File, memory: &mut [u8], offset: u64) -> io::Result<()> {
        match self {
            Self::Read => file.read_exact_at(memory, offset),
            Self::Write => file.write_all_at(memory, offset),
        }
    }
}

/// Threads that read or write blocks of one file at the same time, each through an open file of its own.
pub(crate) struct SideBySide<'f> {
    pub path: &'f Path,
    /// Opens it for one of them.
    pub open: fn(&Path) -> io::Result<File>,
    pub deed: Deed,
    /// The memory that one of them has for blocks of a size, where there are so many.
    pub memory: fn(u64, usize) -> Walk,
    pub block_bytes: u64,
    pub threads: usize,
    /// Blocks of each of them.
    pub blocks: usize,
}

/// When a thread began and when it was done.
type Span = (Instant, Instant);

impl SideBySide<'_> {
    /// Does so at `places`, numbers of blocks, on from `first`; microseconds over all blocks.
    ///
    /// Each thread looks at the clock as the barrier lets it go and when it is done. Whoever let them go might look
    /// after the first of them is done, on a machine that has other work.
    pub fn run(&self, places: &[u64], first: usize) -> Result<f64, ProbeError> {
        let ready = Barrier::new(self.threads);
        let spans = thread::scope(|scope| {
            let ready = &ready;
            let threads: Vec<_> = (0..self.threads)
                .map(|thread| {
                    let first = first + thread * self.blocks;
                    scope.spawn(move || self.one(ready, places, first))
                })
                .collect();
            let spans = threads.into_iter().map(|thread| {
                // No thread panics; if one did, so would the caller.
                thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            spans.collect::<Result<Vec<Span>, ProbeError>>()
        })?;
        let began = spans.iter().map(|span| span.0).min();
        let done = spans.iter().map(|span| span.1).max();
        let took = began
            .zip(done)
            .map_or(0.0, |(began, done)| (done - began).as_nanos() as f64 / 1e3);
        Ok(took / (self.threads * self.blocks) as f64)
    }

    fn one(&self, ready: &Barrier, places: &[u64], first: usize) -> Result<Span, ProbeError> {
        let opened = (self.open)(self.path).on("open", self.path);
        let mut memory = (self.memory)(self.block_bytes, self.threads);
        ready.wait();
        let began = Instant::now();
        let file = opened?;
        for number in first..first + self.blocks {
            let place = places[number % places.len()] * self.block_bytes;
            let done = self
                .deed
                .of_block(&file, memory.next(self.block_bytes), place);
            done.on(self.deed.name(), self.path)?;
        }
        Ok((began, Instant::now()))
    }
}
