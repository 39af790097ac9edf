//! "fread" (figure 20): the C library makes single read calls of a block, and hands on what is in its buffer.

use hotset_petri::Page;

use super::places::Reads;
use super::stdio::{Stdio, StdioStep};
use super::tokens::{Block, Call};
use crate::read_ahead::Lookup;

/// Adds the library, which makes calls of what is wanted.
pub(super) fn fread(page: &mut Page<'_>, reads: &Reads) {
    page.page("fread", |page| {
        let buffer = page.fifo("buffer of 4 KiB", [Stdio::default()]);
        let waiting = page.fifo::<Block>("waiting", []);
        page.transition("divide into reads")
            .take(&reads.wanted)
            .take(&buffer)
            .put(&buffer)
            .put(reads.calls.maybe())
            .put(waiting.maybe())
            .put(reads.read.maybe())
            .fire(|(block, buffer), _| divide(block, buffer));
        page.transition("gather data")
            .take(&reads.returned)
            .take(&waiting)
            .put(&reads.wanted)
            .fire(|(call, block), _| Block {
                at: if call.from == block.at && call.end <= block.end {
                    call.end
                } else {
                    block.at
                },
                missed: block.missed || call.missed,
                ..block
            });
    });
}

/// A step towards a block: a call that is made, or the block with what was in the buffer.
fn divide(
    mut block: Block,
    mut buffer: Stdio,
) -> (Stdio, Option<Call>, Option<Block>, Option<Block>) {
    while block.at < block.end {
        match buffer.step(block.at, block.end) {
            StdioStep::Copy(bytes) => block.at += bytes,
            StdioStep::Read { offset, bytes, .. } => {
                let call = Call {
                    from: offset,
                    at: offset,
                    end: offset + bytes,
                    missed: false,
                    found: Lookup::Present,
                };
                return (buffer, Some(call), Some(block), None);
            }
        }
    }
    (buffer, None, None, Some(block))
}
