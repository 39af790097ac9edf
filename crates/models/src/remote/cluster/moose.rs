//! MooseFS: a master that knows where chunks are, and chunk servers. Calls have the names of its protocol (`mfscommon/MFSCommunication.h`).
//!
//! The master is asked for names and attributes, which clients keep for as long as their mounts say. Once for each chunk of a file it is asked which
//! server has it. Data go to chunk servers: a read asks for what it wants of a chunk, a write sends blocks of 64 KiB. The server passes each on to
//! that of the next copy. A write of a chunk begins and ends with a call to the master (`fuse_write_chunk`, `fuse_write_chunk_end`).
//!
//! A client reads ahead once it has read ten times as much in order as it reads ahead then (`mfsreadaheadtrigger`). Not followed: goals that
//! change, chunks that are moved, and the master's change log.

use std::ops::Range;

use super::access::Access;
use super::ahead::DaemonRule;
use super::call::{Ask, Script, work};
use super::known::Known;
use super::layout::pieces;
use super::system::MooseFs;
use super::wire::{MOOSE_CHUNK_END, MOOSE_NAMES, moose_chunk, moose_read, moose_write};
use crate::remote::pvfs::Naming;

/// How many times as much as is read ahead has to be read in order before.
const TRIGGER: u64 = 10;

fn master(name: &'static str, access: &Access) -> Ask {
    Ask::plain(name, access.to_metadata(), MOOSE_NAMES)
}

/// What operations on names and attributes ask.
pub(super) fn naming(
    options: &MooseFs,
    access: &Access,
    naming: Naming,
    known: &mut Known,
    script: &mut Script,
) {
    match naming {
        Naming::Open => {
            look_up(options, access, known, script);
            script.then();
            script.ask(master("fuse_open", access));
            // What is in memory stays there if nobody has written since (`mfscachemode=AUTO`).
            if known.version != access.version {
                known.version = access.version;
                known.pages.drop_clean();
                known.chunks.clear();
            }
        }
        Naming::Create => {
            script.ask(master("fuse_lookup", access));
            script.then();
            script.ask(master("fuse_create", access));
            note(options, access, known);
        }
        // What was written has been sent before.
        Naming::Close | Naming::Flush => {}
        Naming::Stat => look_up(options, access, known, script),
        Naming::ReadFolder => script.ask(master("fuse_readdir", access)),
        Naming::Unlink => {
            script.ask(master("fuse_unlink", access));
            known.forget();
        }
        Naming::Rename => {
            script.ask(master("fuse_rename", access));
            known.forget();
        }
        Naming::Attributes => script.ask(master("fuse_lookup", access)),
    }
}

fn note(options: &MooseFs, access: &Access, known: &mut Known) {
    known.name_until_ns = access.now_ns.saturating_add(options.entry_cache_ns);
    known.attributes_until_ns = access.now_ns.saturating_add(options.cache_ns);
}

/// A name that holds no more is looked up, which brings attributes; else these are asked for when they hold no more.
fn look_up(options: &MooseFs, access: &Access, known: &mut Known, script: &mut Script) {
    if access.now_ns >= known.name_until_ns {
        script.ask(master("fuse_lookup", access));
        note(options, access, known);
    } else if access.now_ns >= known.attributes_until_ns {
        script.ask(master("fuse_getattr", access));
        known.attributes_until_ns = access.now_ns.saturating_add(options.cache_ns);
    }
}

/// The kernel wants bytes to be read. What is to be fetched ahead of it.
pub(super) fn read(
    options: &MooseFs,
    access: &Access,
    bytes: Range<u64>,
    known: &mut Known,
    script: &mut Script,
) -> Range<u64> {
    let rule = DaemonRule {
        block_bytes: MooseFs::BLOCK_BYTES,
        ahead_bytes: options.read_ahead_bytes,
        trigger_bytes: options.read_ahead_bytes.saturating_mul(TRIGGER),
    };
    let (needed, ahead) = known.daemon.read(bytes, access.size, rule);
    fetch(access, needed, known, script);
    ahead
}

/// Bytes are read from chunk servers.
pub(super) fn fetch(access: &Access, bytes: Range<u64>, known: &mut Known, script: &mut Script) {
    let chunks = pieces(bytes.clone(), MooseFs::CHUNK_BYTES);
    let new = chunks.filter(|it| known.chunks.insert(it.start / MooseFs::CHUNK_BYTES));
    let new = new.count();
    if new > 0 {
        script.then();
        for _ in 0..new {
            let bytes = moose_chunk(access.layout.copies);
            script.ask(Ask::plain("fuse_read_chunk", access.to_metadata(), bytes));
        }
        script.then();
    }
    for piece in pieces(bytes, MooseFs::CHUNK_BYTES) {
        let (server, part) = place(access, &piece);
        let blocks = piece.end.div_ceil(MooseFs::BLOCK_BYTES) - piece.start / MooseFs::BLOCK_BYTES;
        let bytes = moose_read(blocks, piece.end - piece.start);
        script.ask(Ask {
            work: work(false, access.number, part),
            ..Ask::plain("read", (access.client, server), bytes)
        });
    }
}

/// The server that has the first copy of a piece of a chunk, and what it is of that server's part of the file.
fn place(access: &Access, piece: &Range<u64>) -> (u32, Range<u64>) {
    let chunk = piece.start / MooseFs::CHUNK_BYTES;
    let servers = u64::from(access.layout.servers);
    let server = access
        .layout
        .server_at(access.number, 0, (chunk % servers) as u32);
    let start = chunk / servers * MooseFs::CHUNK_BYTES + piece.start % MooseFs::CHUNK_BYTES;
    (server, start..start + (piece.end - piece.start))
}

/// Bytes are written to chunk servers.
pub(super) fn write(access: &Access, bytes: Range<u64>, known: &mut Known, script: &mut Script) {
    let copies = access.layout.copies;
    for of_chunk in pieces(bytes, MooseFs::CHUNK_BYTES) {
        known.chunks.insert(of_chunk.start / MooseFs::CHUNK_BYTES);
        script.then();
        let bytes = moose_chunk(copies);
        script.ask(Ask::plain("fuse_write_chunk", access.to_metadata(), bytes));
        script.then();
        let first = of_chunk.start;
        for piece in pieces(of_chunk, MooseFs::BLOCK_BYTES) {
            let (server, part) = place(access, &piece);
            let bytes = moose_write(piece.start == first, copies, piece.end - piece.start);
            script.ask(Ask {
                work: work(true, access.number, part),
                copies_left: copies - 1,
                ..Ask::plain("write", (access.client, server), bytes)
            });
        }
        script.then();
        let end = Ask::plain(
            "fuse_write_chunk_end",
            access.to_metadata(),
            MOOSE_CHUNK_END,
        );
        script.ask(end);
    }
    script.then();
}
