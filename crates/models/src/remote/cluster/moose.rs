//! MooseFS: a master that knows where chunks are, and chunk servers. Calls have the names of its protocol (`mfscommon/MFSCommunication.h`).
//!
//! The master is asked for names and attributes, which clients keep for as long as their mounts say. Once for each chunk of a file it is asked which
//! server has it. Data go to chunk servers: a read asks for what it wants of a chunk, a write sends blocks of 64 KiB. The server passes each on to
//! that of the next copy. A write of a chunk begins and ends with a call to the master (`fuse_write_chunk`, `fuse_write_chunk_end`).
//!
//! A client reads ahead once it has read ten times as much in order as it reads ahead then (`mfsreadaheadtrigger`). Not followed: goals that
//! change, chunks that are moved, and the master's change log.

use std::ops::Range;

use super::ahead::DaemonRule;
use super::call::{Ask, Script, work};
use super::known::Known;
use super::layout::pieces;
use super::scene::Scene;
use super::system::MooseFs;
use super::wire::{MOOSE_CHUNK_END, MOOSE_NAMES, moose_chunk, moose_read, moose_write};
use crate::remote::pvfs::Naming;

/// How many times as much as is read ahead has to be read in order before.
const TRIGGER: u64 = 10;

fn master(name: &'static str, scene: &Scene) -> Ask {
    Ask::plain(name, scene.to_metadata(), MOOSE_NAMES)
}

/// What operations on names and attributes ask.
pub(super) fn naming(
    options: &MooseFs,
    scene: &Scene,
    naming: Naming,
    known: &mut Known,
    script: &mut Script,
) {
    match naming {
        Naming::Open => {
            look_up(options, scene, known, script);
            script.then();
            script.ask(master("fuse_open", scene));
            // What is in memory stays there if nobody has written since (`mfscachemode=AUTO`).
            if known.version != scene.version {
                known.version = scene.version;
                known.pages.drop_clean();
                known.chunks.clear();
            }
        }
        Naming::Create => {
            script.ask(master("fuse_lookup", scene));
            script.then();
            script.ask(master("fuse_create", scene));
            note(options, scene, known);
        }
        // What was written has been sent before.
        Naming::Close | Naming::Flush => {}
        Naming::Stat => look_up(options, scene, known, script),
        Naming::ReadFolder => script.ask(master("fuse_readdir", scene)),
        Naming::Unlink => {
            script.ask(master("fuse_unlink", scene));
            known.forget();
        }
        Naming::Rename => {
            script.ask(master("fuse_rename", scene));
            known.forget();
        }
        Naming::Attributes => script.ask(master("fuse_lookup", scene)),
    }
}

fn note(options: &MooseFs, scene: &Scene, known: &mut Known) {
    known.name_until_ns = scene.now_ns.saturating_add(options.entry_cache_ns);
    known.attributes_until_ns = scene.now_ns.saturating_add(options.cache_ns);
}

/// A name that holds no more is looked up, which brings attributes; else these are asked for when they hold no more.
fn look_up(options: &MooseFs, scene: &Scene, known: &mut Known, script: &mut Script) {
    if scene.now_ns >= known.name_until_ns {
        script.ask(master("fuse_lookup", scene));
        note(options, scene, known);
    } else if scene.now_ns >= known.attributes_until_ns {
        script.ask(master("fuse_getattr", scene));
        known.attributes_until_ns = scene.now_ns.saturating_add(options.cache_ns);
    }
}

/// The kernel wants bytes to be read. What is to be fetched ahead of it.
pub(super) fn read(
    options: &MooseFs,
    scene: &Scene,
    bytes: Range<u64>,
    known: &mut Known,
    script: &mut Script,
) -> Range<u64> {
    let rule = DaemonRule {
        block_bytes: MooseFs::BLOCK_BYTES,
        ahead_bytes: options.read_ahead_bytes,
        trigger_bytes: options.read_ahead_bytes.saturating_mul(TRIGGER),
    };
    let (needed, ahead) = known.daemon.read(bytes, scene.size, rule);
    fetch(scene, needed, known, script);
    ahead
}

/// Bytes are read from chunk servers.
pub(super) fn fetch(scene: &Scene, bytes: Range<u64>, known: &mut Known, script: &mut Script) {
    let chunks = pieces(bytes.clone(), MooseFs::CHUNK_BYTES);
    let new = chunks.filter(|it| known.chunks.insert(it.start / MooseFs::CHUNK_BYTES));
    let new = new.count();
    if new > 0 {
        script.then();
        for _ in 0..new {
            let bytes = moose_chunk(scene.layout.copies);
            script.ask(Ask::plain("fuse_read_chunk", scene.to_metadata(), bytes));
        }
        script.then();
    }
    for piece in pieces(bytes, MooseFs::CHUNK_BYTES) {
        let (server, part) = place(scene, &piece);
        let blocks = piece.end.div_ceil(MooseFs::BLOCK_BYTES) - piece.start / MooseFs::BLOCK_BYTES;
        let bytes = moose_read(blocks, piece.end - piece.start);
        script.ask(Ask {
            work: work(false, scene.number, part),
            ..Ask::plain("read", (scene.client, server), bytes)
        });
    }
}

/// The server that has the first copy of a piece of a chunk, and what it is of that server's part of the file.
fn place(scene: &Scene, piece: &Range<u64>) -> (u32, Range<u64>) {
    let chunk = piece.start / MooseFs::CHUNK_BYTES;
    let servers = u64::from(scene.layout.servers);
    let server = scene
        .layout
        .server_at(scene.number, 0, (chunk % servers) as u32);
    let start = chunk / servers * MooseFs::CHUNK_BYTES + piece.start % MooseFs::CHUNK_BYTES;
    (server, start..start + (piece.end - piece.start))
}

/// Bytes are written to chunk servers.
pub(super) fn write(scene: &Scene, bytes: Range<u64>, known: &mut Known, script: &mut Script) {
    let copies = scene.layout.copies;
    for of_chunk in pieces(bytes, MooseFs::CHUNK_BYTES) {
        known.chunks.insert(of_chunk.start / MooseFs::CHUNK_BYTES);
        script.then();
        let bytes = moose_chunk(copies);
        script.ask(Ask::plain("fuse_write_chunk", scene.to_metadata(), bytes));
        script.then();
        let first = of_chunk.start;
        for piece in pieces(of_chunk, MooseFs::BLOCK_BYTES) {
            let (server, part) = place(scene, &piece);
            let bytes = moose_write(piece.start == first, copies, piece.end - piece.start);
            script.ask(Ask {
                work: work(true, scene.number, part),
                copies_left: copies - 1,
                ..Ask::plain("write", (scene.client, server), bytes)
            });
        }
        script.then();
        let end = Ask::plain("fuse_write_chunk_end", scene.to_metadata(), MOOSE_CHUNK_END);
        script.ask(end);
    }
    script.then();
}
