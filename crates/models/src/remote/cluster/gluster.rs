//! GlusterFS: bricks, and translators in the client's daemon. Calls have the names of its file operations (`libglusterfs/src/glusterfs/globals.h`).
//!
//! - **distribute** has each file whole on one brick. The brick follows from the file's number here, and from a hash of its name in reality.
//! - **disperse** has a fragment of each file on every brick. A read asks as many as hold data, a write asks all. Both are of whole stripes. What a
//!   write leaves of its first and its last stripe is read before. Bricks are locked (`inodelk`) and say which version they have (`fxattrop`) before the first
//!   access. The lock is kept for a second after the last access, or until a close.
//! - **quick-read** has small files come with their lookup, and **open-behind** opens a file when a brick is first asked for its data.
//! - **The kernel** keeps a file's pages over opens: the daemon opens files with `FOPEN_KEEP_CACHE`. It does so where the kernel has
//!   `FUSE_AUTO_INVAL_DATA` and the mount does not say `fopen-keep-cache=no` (`fuse_init` and `fuse_fd_cbk`,
//!   `xlators/mount/fuse/src/fuse-bridge.c` of version 10.3). Once a lookup tells that the file has changed, **md-cache** has the kernel drop them
//!   (`mdc_inode_iatt_set_validate`, `xlators/performance/md-cache/src/md-cache.c`). What the client writes itself stays.
//! - **io-cache** keeps pages of 128 KiB, and asks after `cache-refresh-timeout` whether the file has changed. What came first goes first;
//!   in reality it is what was used least recently. **read-ahead** fetches pages behind those that are read in order.
//!
//! Not followed: self-heal, `readdir-ahead`, links that `distribute` leaves where a file was renamed, and locks that other clients contend for. Nor are
//! mounts with `fopen-keep-cache=no`, and answers with data, which tell of changes too.

use std::collections::VecDeque;
use std::ops::Range;

use super::access::Access;
use super::ahead::DaemonRule;
use super::call::{Ask, Script, work};
use super::known::Known;
use super::layout::pieces;
use super::quick_read::Contents;
use super::system::GlusterFs;
use super::wire::{GLUSTER_DATA, GLUSTER_NAMES};
use crate::remote::file_server::Work;
use crate::remote::pvfs::Naming;

/// How long `disperse` keeps the lock of a file that is used no more (`disperse.eager-lock-timeout`).
const LOCK_NS: u64 = 1_000_000_000;

/// What a client's translators keep of all files.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    /// Pages of io-cache in the order in which they came: file and page.
    pages: VecDeque<(u32, u64)>,
    /// Contents of small files that quick-read has.
    contents: Contents,
}

impl Kept {
    /// Something of a file could not be had: its content is kept no longer.
    pub fn forget(&mut self, file: u32) {
        self.contents.forget(file);
    }
}

/// Bricks that have something of a file.
fn bricks(access: &Access) -> Range<u32> {
    match access.layout.fragments {
        0 => {
            let brick = access.layout.server_at(access.number, 0, 0);
            brick..brick + 1
        }
        _ => 0..access.layout.servers,
    }
}

/// Every brick of a range is asked the same.
fn ask_all(name: &'static str, access: &Access, bricks: Range<u32>, script: &mut Script) {
    for brick in bricks {
        script.ask(Ask::plain(name, (access.client, brick), GLUSTER_NAMES));
    }
}

/// What operations on names and attributes ask.
pub(super) fn naming(
    options: &GlusterFs,
    access: &Access,
    naming: Naming,
    (known, kept): (&mut Known, &mut Kept),
    script: &mut Script,
) {
    match naming {
        Naming::Open => {
            known.is_open = false;
            look_up(options, access, (known, kept), script);
        }
        Naming::Create => {
            // The kernel looks whether it is there first.
            ask_all("lookup", access, bricks(access), script);
            script.then();
            change("create", access, script);
            known.is_open = true;
            note_attributes(options, access, known);
        }
        Naming::Close => close(access, known, script),
        Naming::Stat => look_up(options, access, (known, kept), script),
        Naming::ReadFolder => {
            let all = 0..access.layout.servers;
            ask_all("opendir", access, all.clone(), script);
            for brick in all {
                script.then();
                ask_all("readdirp", access, brick..brick + 1, script);
            }
        }
        Naming::Unlink | Naming::Rename => {
            let name = match naming {
                Naming::Unlink => "unlink",
                _ => "rename",
            };
            change(name, access, script);
            known.forget();
            kept.contents.forget(access.file);
        }
        Naming::Flush => {
            open(access, known, script);
            script.then();
            for brick in bricks(access) {
                script.ask(Ask {
                    work: Work::Commit {
                        file: access.number,
                    },
                    ..Ask::plain("fsync", (access.client, brick), GLUSTER_NAMES)
                });
            }
        }
        Naming::Attributes => ask_all("lookup", access, 0..1, script),
    }
}

fn note_attributes(options: &GlusterFs, access: &Access, known: &mut Known) {
    known.attributes_until_ns = access.now_ns.saturating_add(options.cache_ns);
}

/// A name is looked up, unless that holds yet. Small files come with it. What the kernel has of a file stays unless that has changed.
fn look_up(
    options: &GlusterFs,
    access: &Access,
    (known, kept): (&mut Known, &mut Kept),
    script: &mut Script,
) {
    if access.now_ns < known.attributes_until_ns {
        return;
    }
    note_attributes(options, access, known);
    if known.version != access.version {
        known.version = access.version;
        known.pages.drop_clean();
    }
    let until_ns = known.attributes_until_ns;
    let has_content = access.layout.fragments == 0
        && (1..=options.quick_read_bytes).contains(&access.size)
        && known.dirty_bytes == 0
        && !kept.contents.has(access.file);
    if !has_content {
        ask_all("lookup", access, bricks(access), script);
        kept.contents.compare(access.file, access.version, until_ns);
        return;
    }
    let content = (access.size, access.version);
    kept.contents.keep(access.file, content, until_ns);
    for brick in bricks(access) {
        let bytes = GLUSTER_NAMES.receiving(access.size);
        script.ask(Ask {
            work: work(false, access.number, 0..access.size),
            ..Ask::plain("lookup", (access.client, brick), bytes)
        });
    }
}

/// A folder is changed: a dispersed volume locks it on all bricks meanwhile.
fn change(name: &'static str, access: &Access, script: &mut Script) {
    let is_dispersed = access.layout.fragments > 0;
    if is_dispersed {
        ask_all("entrylk", access, bricks(access), script);
        script.then();
    }
    ask_all(name, access, bricks(access), script);
    script.then();
    if is_dispersed {
        ask_all("entrylk", access, bricks(access), script);
        script.then();
    }
}

/// Bricks know that a file is open, from its first data on.
fn open(access: &Access, known: &mut Known, script: &mut Script) {
    if !known.is_open {
        script.then();
        ask_all("open", access, bricks(access), script);
        script.then();
        known.is_open = true;
    }
}

fn close(access: &Access, known: &mut Known, script: &mut Script) {
    script.then();
    unlock(access, known, script);
    if known.is_open {
        ask_all("flush", access, bricks(access), script);
        known.is_open = false;
    }
}

/// Bricks are locked for a client, and have said which version they have.
fn lock(access: &Access, known: &mut Known, script: &mut Script) {
    if access.layout.fragments == 0 {
        return;
    }
    if access.now_ns >= known.locked_until_ns {
        script.then();
        // What was locked before was given up when its time was over.
        unlock(access, known, script);
        ask_all("inodelk", access, bricks(access), script);
        script.then();
        ask_all("fxattrop", access, bricks(access), script);
        script.then();
    }
    known.locked_until_ns = access.now_ns.saturating_add(LOCK_NS);
}

fn unlock(access: &Access, known: &mut Known, script: &mut Script) {
    if known.locked_until_ns == 0 {
        return;
    }
    known.locked_until_ns = 0;
    if std::mem::take(&mut known.has_changed) {
        ask_all("fxattrop", access, bricks(access), script);
        script.then();
    }
    ask_all("inodelk", access, bricks(access), script);
    script.then();
}

/// The kernel wants bytes to be read. What is to be fetched ahead of it.
pub(super) fn read(
    options: &GlusterFs,
    access: &Access,
    bytes: Range<u64>,
    (known, kept): (&mut Known, &mut Kept),
    script: &mut Script,
) -> Range<u64> {
    if kept.contents.is_fresh(access.file, access.now_ns) {
        return 0..0;
    }
    let bytes = match options.io_cache_bytes {
        0 => bytes,
        _ => through_cache(options, access, bytes, (&mut *known, &mut *kept), script),
    };
    if bytes.is_empty() {
        return 0..0;
    }
    let rule = DaemonRule {
        block_bytes: GlusterFs::PAGE_BYTES,
        ahead_bytes: options.read_ahead_bytes,
        trigger_bytes: 1,
    };
    let (needed, ahead) = known.daemon.read(bytes, access.size, rule);
    fetch(access, needed, known, script);
    ahead
}

/// What of some bytes io-cache does not have, in its pages.
fn through_cache(
    options: &GlusterFs,
    access: &Access,
    bytes: Range<u64>,
    (known, kept): (&mut Known, &mut Kept),
    script: &mut Script,
) -> Range<u64> {
    if !known.kept.is_empty() && access.now_ns >= known.kept_until_ns {
        ask_all("fstat", access, bricks(access), script);
        script.then();
        known.kept_until_ns = access.now_ns.saturating_add(options.cache_ns);
        if known.kept_version != access.version {
            known.kept.clear();
        }
    }
    known.kept_version = access.version;
    if known.kept.is_empty() {
        known.kept_until_ns = access.now_ns.saturating_add(options.cache_ns);
    }
    let page_bytes = GlusterFs::PAGE_BYTES;
    let pages = bytes.start / page_bytes..bytes.end.div_ceil(page_bytes);
    let is_missing = |page: &u64| !known.kept.contains(page);
    let first = pages.clone().find(is_missing);
    let last = pages.clone().rev().find(is_missing);
    let (Some(first), Some(last)) = (first, last) else {
        return 0..0;
    };
    for page in first..=last {
        if known.kept.insert(page) {
            kept.pages.push_back((access.file, page));
        }
    }
    first * page_bytes..((last + 1) * page_bytes).min(access.size)
}

/// Pages that io-cache has no room for: those that came first.
pub(super) fn dropped(options: &GlusterFs, kept: &mut Kept) -> Vec<(u32, u64)> {
    let most = (options.io_cache_bytes / GlusterFs::PAGE_BYTES).max(1) as usize;
    let count = kept.pages.len().saturating_sub(most);
    kept.pages.drain(..count).collect()
}

/// Bytes are read from bricks.
pub(super) fn fetch(access: &Access, bytes: Range<u64>, known: &mut Known, script: &mut Script) {
    if bytes.is_empty() {
        return;
    }
    open(access, known, script);
    lock(access, known, script);
    for piece in pieces(bytes, GlusterFs::PAGE_BYTES) {
        read_piece(access, piece, script);
    }
}

fn read_piece(access: &Access, piece: Range<u64>, script: &mut Script) {
    let (bricks, part) = match access.layout.fragments {
        0 => (bricks(access), piece),
        // As many as hold data, from another brick on for each file.
        count => (0..count, access.layout.fragment(piece)),
    };
    let first = bricks.start;
    for brick in bricks {
        let server = match access.layout.fragments {
            0 => brick,
            _ => access.layout.server_at(access.number, 0, brick - first),
        };
        let bytes = GLUSTER_DATA.receiving(part.end - part.start);
        script.ask(Ask {
            work: work(false, access.number, part.clone()),
            ..Ask::plain("readv", (access.client, server), bytes)
        });
    }
}

/// Bytes are written to bricks.
pub(super) fn write(
    access: &Access,
    bytes: Range<u64>,
    (known, kept): (&mut Known, &mut Kept),
    script: &mut Script,
) {
    kept.contents.forget(access.file);
    known.has_changed = true;
    open(access, known, script);
    lock(access, known, script);
    for piece in pieces(bytes, GlusterFs::PAGE_BYTES) {
        if access.layout.fragments > 0 {
            read_ends(access, &piece, script);
        }
        let part = match access.layout.fragments {
            0 => piece,
            _ => access.layout.fragment(piece),
        };
        for brick in bricks(access) {
            let bytes = GLUSTER_DATA.sending(part.end - part.start);
            script.ask(Ask {
                work: work(true, access.number, part.clone()),
                ..Ask::plain("writev", (access.client, brick), bytes)
            });
        }
    }
}

/// The first and the last stripe of a write are read, where it has not all of them and the file has more.
fn read_ends(access: &Access, piece: &Range<u64>, script: &mut Script) {
    let row = access.layout.fragments_row_bytes();
    let (head, tail) = (piece.start / row * row, piece.end / row * row);
    let has_head = piece.start > head;
    let has_tail = piece.end > tail && piece.end < access.size && (tail != head || !has_head);
    if !has_head && !has_tail {
        return;
    }
    script.then();
    if has_head {
        read_piece(access, head..(head + row).min(access.size), script);
    }
    if has_tail {
        read_piece(access, tail..(tail + row).min(access.size), script);
    }
    script.then();
}
