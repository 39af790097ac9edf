//! "Application write" (figure 24): the loop that writes a file block by block, and syncs it.

use hotset_petri::{Delay, Discipline, Monitor, Page, Place, Time};

use super::job::WriteJob;
use super::places::Writes;
use super::tokens::{Block, Fsync, Program, Then};
use crate::nets::tokens::Queue;

/// When the program syncs its file.
#[derive(Clone, Copy)]
struct Syncs {
    every: Option<u32>,
    at_end: bool,
    /// Whether it begins anew after the last block.
    repeats: bool,
}

impl Syncs {
    /// The program after a block.
    fn after(self, program: Program, block: &Block) -> Program {
        // They are counted where somebody asks for their number: a token that only counts up would make markings without end.
        let unsynced = match self.every {
            Some(_) => program.unsynced.saturating_add(1),
            None => 0,
        };
        let is_due = self.every.is_some_and(|every| unsynced >= every);
        let then = match (block.is_last, is_due) {
            (true, _) => Then::Close,
            (false, true) => Then::Sync,
            (false, false) => Then::Block,
        };
        Program { unsynced, then }
    }

    /// What the program waits for before it goes on.
    fn wait(self, program: Program, asked: Time) -> Fsync {
        let is_end = program.then == Then::Close;
        let syncs = !is_end || self.at_end;
        let then = match is_end && !self.repeats {
            true => Then::End,
            false => Then::Block,
        };
        let unsynced = if syncs { 0 } else { program.unsynced };
        Fsync {
            program: Program { unsynced, then },
            syncs,
            asked,
        }
    }
}

/// Adds the loop.
pub(super) fn application(page: &mut Page<'_>, job: &WriteJob, writes: &Writes) {
    let syncs = Syncs {
        every: job.sync_every,
        at_end: job.syncs_at_end,
        repeats: job.repeats,
    };
    page.page("application write", |page| {
        let last = job.offsets.len().saturating_sub(1);
        let blocks = job.offsets.iter().enumerate();
        let blocks = blocks.map(|(number, &from)| Block {
            from,
            at: from,
            end: from + job.block_bytes,
            is_last: number == last,
            waited: false,
            asked: Time::ZERO,
        });
        let file = page.fifo("blocks of the file", blocks);
        let program = page.fifo("program", [Program::default()]);
        let writing = page.fifo::<Program>("writing", []);
        page.transition("fwrite next block")
            .take(&program)
            .take(&file)
            .when(|(program, _)| program.then == Then::Block)
            .put(&writes.wanted)
            .put(&writing)
            .fire(|(program, block): (Program, Block), firing| {
                let asked = firing.now();
                (Block { asked, ..block }, program)
            });
        let loops = Loop {
            syncs,
            delay: Delay::constant(job.loop_ns as f64 / 1e9),
            writing,
            program,
        };
        match job.repeats {
            true => end_blocks(page, &loops, &writes.written, &file),
            false => {
                let done = page.sink("blocks written");
                end_blocks(page, &loops, &writes.written, &done);
            }
        }
        wait(page, syncs, writes, &program);
        if !job.repeats {
            end(page, &program);
        }
    });
}

/// How the loop goes on.
struct Loop {
    syncs: Syncs,
    /// What it takes between two blocks.
    delay: Delay,
    writing: Queue<Program>,
    program: Queue<Program>,
}

fn end_blocks<D: Discipline<Token = Block>>(
    page: &mut Page<'_>,
    loops: &Loop,
    written: &Queue<Block>,
    to: &Place<D>,
) {
    let response = page.times("response time");
    let syncs = loops.syncs;
    let mut end = |name: &str, waited: bool| {
        page.transition(name)
            .take(written)
            .take(&loops.writing)
            .when(move |(block, _)| block.waited == waited)
            .put(to)
            .put(loops.program.after(loops.delay.clone()))
            .fire(move |(block, program): (Block, Program), firing| {
                firing.record_time(response, firing.now() - block.asked);
                let program = syncs.after(program, &block);
                let block = Block {
                    at: block.from,
                    waited: false,
                    asked: Time::ZERO,
                    ..block
                };
                (block, program)
            })
    };
    let at_once = end("block was written at once", false);
    let late = end("block waited", true);
    for (name, transitions) in [
        ("blocks written at once", vec![at_once]),
        ("blocks that waited", vec![late]),
        ("blocks", vec![at_once, late]),
    ] {
        page.monitor(name, Monitor::Firings { transitions });
    }
}

/// The program syncs the file after so many blocks, and closes it or begins anew after the last.
fn wait(page: &mut Page<'_>, syncs: Syncs, writes: &Writes, program: &Queue<Program>) {
    for (name, then) in [("fsync", Then::Sync), ("end of the file", Then::Close)] {
        page.transition(name)
            .take(program)
            .when(move |program| program.then == then)
            .put(&writes.closing)
            .fire(move |program: Program, firing| syncs.wait(program, firing.now()));
    }
    let time = page.times("fsync time");
    let fsyncs = page
        .transition("fsync returns")
        .take(&writes.closed)
        .when(|fsync| fsync.syncs)
        .put(program)
        .fire(move |fsync: Fsync, firing| {
            firing.record_time(time, firing.now() - fsync.asked);
            fsync.program
        });
    page.transition("go on without fsync")
        .take(&writes.closed)
        .when(|fsync| !fsync.syncs)
        .put(program)
        .fire(|fsync: Fsync, _| fsync.program);
    let transitions = vec![fsyncs];
    page.monitor("fsyncs", Monitor::Firings { transitions });
}

/// The program ends.
fn end(page: &mut Page<'_>, program: &Queue<Program>) {
    let ended = page.end("ended");
    let end = page
        .transition("all is written")
        .take(program)
        .when(|program| program.then == Then::End)
        .put(&ended)
        .done();
    let transitions = vec![end];
    page.monitor("ends", Monitor::Firings { transitions });
}
