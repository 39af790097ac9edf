//! Readers of one file at the same time.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use hotset_machine::OnFile;

use crate::ProbeError;
use crate::buffer::Walk;

/// Threads that read blocks of one file at the same time, each through an open file of its own.
pub(crate) struct SideBySide<'f> {
    pub path: &'f Path,
    /// Opens it for one of them.
    pub open: fn(&Path) -> std::io::Result<File>,
    /// The memory that one of them reads blocks of a size into, where there are so many.
    pub memory: fn(u64, usize) -> Walk,
    pub block_bytes: u64,
    pub readers: usize,
    /// Blocks that each of them reads.
    pub blocks: usize,
}

/// When a reader began and when it was done.
type Span = (Instant, Instant);

impl SideBySide<'_> {
    /// Reads from `places`, numbers of blocks, on from `first`; microseconds over all blocks.
    ///
    /// Each reader looks at the clock as the barrier lets it go and when it is done. Whoever let them go might look
    /// after the first of them is done, on a machine that has other work.
    pub fn read(&self, places: &[u64], first: usize) -> Result<f64, ProbeError> {
        let ready = Barrier::new(self.readers);
        let spans = thread::scope(|scope| {
            let ready = &ready;
            let threads: Vec<_> = (0..self.readers)
                .map(|reader| {
                    let first = first + reader * self.blocks;
                    scope.spawn(move || self.one(ready, places, first))
                })
                .collect();
            let spans = threads.into_iter().map(|thread| {
                // A reader does not panic; if one did, so would the caller.
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
        Ok(took / (self.readers * self.blocks) as f64)
    }

    fn one(&self, ready: &Barrier, places: &[u64], first: usize) -> Result<Span, ProbeError> {
        let opened = (self.open)(self.path).on("open", self.path);
        let mut memory = (self.memory)(self.block_bytes, self.readers);
        ready.wait();
        let began = Instant::now();
        let file = opened?;
        for number in first..first + self.blocks {
            let place = places[number % places.len()] * self.block_bytes;
            let read = file.read_exact_at(memory.next(self.block_bytes), place);
            read.on("read", self.path)?;
        }
        Ok((began, Instant::now()))
    }
}
