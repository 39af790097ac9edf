//! "Application read" (figure 19): the loop that reads a file block by block.

use hotset_petri::{Delay, Discipline, Monitor, Page, Place};

use super::ReadJob;
use super::places::Reads;
use super::tokens::{Block, Queue};
use hotset_petri::Time;

/// Adds the loop.
pub(super) fn application(page: &mut Page<'_>, job: &ReadJob, reads: &Reads) {
    page.page("application read", |page| {
        let blocks = job.offsets.iter().map(|&from| Block {
            from,
            at: from,
            end: from + job.block_bytes,
            missed: false,
            asked: Time::ZERO,
        });
        let file = page.fifo("blocks of the file", blocks);
        let idle = page.unit("idle", 1);
        page.transition("fread next block")
            .take(&file)
            .take(&idle)
            .put(&reads.wanted)
            .fire(|block, firing| Block {
                asked: firing.now(),
                ..block
            });
        match job.repeats {
            true => end_blocks(page, job, &reads.read, &idle, &file),
            false => {
                let done = page.sink("blocks read");
                end_blocks(page, job, &reads.read, &idle, &done);
            }
        }
    });
}

/// The loop goes on with the next block.
fn end_blocks<D: Discipline<Token = Block>>(
    page: &mut Page<'_>,
    job: &ReadJob,
    read: &Queue<Block>,
    idle: &hotset_petri::Unit,
    to: &Place<D>,
) {
    let response = page.times("response time");
    let loops = Delay::constant(job.loop_ns as f64 / 1e9);
    let mut end = |name: &str, missed: bool| {
        page.transition(name)
            .take(read)
            .when(move |block| block.missed == missed)
            .put(to)
            .put(idle.after(loops.clone()))
            .fire(move |block: Block, firing| {
                firing.record_time(response, firing.now() - block.asked);
                Block {
                    at: block.from,
                    missed: false,
                    asked: Time::ZERO,
                    ..block
                }
            })
    };
    let memory = end("block came from memory", false);
    let disk = end("block came from the disk", true);
    for (name, transitions) in [
        ("blocks from memory", vec![memory]),
        ("blocks from the disk", vec![disk]),
        ("blocks", vec![memory, disk]),
    ] {
        page.monitor(name, Monitor::Firings { transitions });
    }
}
