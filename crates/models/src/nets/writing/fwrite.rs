//! "fwrite" (figure 25): the C library makes single write calls of a block, or keeps it in its buffer.

use hotset_petri::{Delay, Page};

use super::job::WriteJob;
use super::out_buffer::{OutBuffer, OutStep};
use super::places::Writes;
use super::tokens::{Block, Call, Fsync};
use crate::nets::tokens::Queue;

/// Adds the library.
pub(super) fn fwrite(page: &mut Page<'_>, job: &WriteJob, writes: &Writes) {
    page.page("fwrite", |page| {
        let buffer = page.fifo("buffer of 4 KiB", [OutBuffer::new(job.is_buffered)]);
        let waiting = page.fifo::<Block>("waiting", []);
        page.transition("divide into writes")
            .take(&writes.wanted)
            .take(&buffer)
            .put(&buffer)
            .put(writes.calls.maybe())
            .put(waiting.maybe())
            .put(writes.written.maybe())
            .fire(|(block, buffer): (Block, OutBuffer), _| divide(block, buffer));
        page.transition("gather return codes")
            .take(&writes.returned)
            .take(&waiting)
            .put(&writes.wanted)
            .fire(|(call, block): (Call, Block), _| Block {
                at: match call.is_of_buffer {
                    true => block.at,
                    false => call.end,
                },
                waited: block.waited || call.waited,
                ..block
            });
        flush(page, job.call_ns, writes, &buffer);
    });
}

/// A step towards a block: a call that is made, or the block that was taken over.
fn divide(
    mut block: Block,
    mut buffer: OutBuffer,
) -> (OutBuffer, Option<Call>, Option<Block>, Option<Block>) {
    while block.at < block.end {
        match buffer.step(block.at, block.end) {
            OutStep::Keep(bytes) => block.at += bytes,
            OutStep::Write {
                offset,
                bytes,
                of_buffer,
            } => {
                let call = Call::new(offset, bytes, of_buffer);
                return (buffer, Some(call), Some(block), None);
            }
        }
    }
    buffer.end_block();
    (buffer, None, None, Some(block))
}

/// What is in the buffer is written before the program syncs the file.
fn flush(page: &mut Page<'_>, call_ns: u64, writes: &Writes, buffer: &Queue<OutBuffer>) {
    let flushing = page.fifo::<Fsync>("flushing", []);
    page.transition("flush the buffer")
        .take(&writes.closing)
        .take(buffer)
        .when(|(_, buffer)| buffer.has_any())
        .put(buffer)
        .put(&flushing)
        .put(writes.calls.maybe())
        .fire(|(fsync, mut buffer): (Fsync, OutBuffer), _| {
            let call = match buffer.empty(true) {
                OutStep::Write { offset, bytes, .. } => Some(Call::new(offset, bytes, true)),
                OutStep::Keep(_) => None,
            };
            (buffer, fsync, call)
        });
    page.transition("buffer is written")
        .take(&writes.returned)
        .take(&flushing)
        .put(&writes.closing)
        .fire(|(_, fsync): (Call, Fsync), _| fsync);
    page.transition("call fsync")
        .take(&writes.closing)
        .take(buffer)
        .when(|(fsync, buffer)| fsync.syncs && !buffer.has_any())
        .put(writes.fsyncs.after(Delay::constant(call_ns as f64 / 1e9)))
        .put(buffer)
        .fire(|(fsync, buffer): (Fsync, OutBuffer), _| (fsync, buffer));
    page.transition("nothing to sync")
        .take(&writes.closing)
        .take(buffer)
        .when(|(fsync, buffer)| !fsync.syncs && !buffer.has_any())
        .put(&writes.closed)
        .put(buffer)
        .fire(|(fsync, buffer): (Fsync, OutBuffer), _| (fsync, buffer));
}
