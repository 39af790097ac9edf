//! Lustre: a metadata server, object servers, and locks under which clients cache. Calls have the names of `lustre/ptlrpc/lproc_ptlrpc.c`.
//!
//! An open and a stat are an intent: one `ldlm_enqueue` at the metadata server, with the answer to both. The first access to an object
//! enqueues a lock of the whole object. Where another client has one that conflicts, the server has that client give it up
//! (`ldlm_bl_callback`). It writes what is dirty, drops its pages and says so (`ldlm_cancel`). Then the first one is told that it has the
//! lock (`ldlm_cp_callback`). Not followed: locks of parts of an object, which servers shrink where clients share a file, and locks that are given
//! up for lack of room.

use std::ops::Range;

use super::access::Access;
use super::call::{Ask, Script, work};
use super::known::Known;
use super::layout::{Layout, pieces};
use super::system::Lustre;
use super::wire::{LUSTRE, LUSTRE_CALLBACK};
use crate::remote::file_server::Work;
use crate::remote::pvfs::Naming;

/// Writes of at most so many bytes go with their call; the server fetches others (`OBD_DEF_SHORT_IO_BYTES`).
const SHORT_BYTES: u64 = 16 << 10;

/// A lock of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    client: u32,
    writes: bool,
}

/// Who has which locks.
#[derive(Clone, Debug, Default)]
pub(super) struct Locks {
    stripes: u32,
    /// Of the objects of each file; clients that have that of its name and attributes.
    objects: Vec<Vec<Held>>,
    names: Vec<Vec<u32>>,
}

impl Locks {
    /// Nobody has one.
    pub fn new(layout: &Layout) -> Self {
        let (files, stripes) = (layout.all_files() as usize, layout.striping.stripes);
        Self {
            stripes,
            objects: vec![Vec::new(); files * stripes as usize],
            names: vec![Vec::new(); files],
        }
    }

    fn object(&mut self, number: u32, place: u32) -> &mut Vec<Held> {
        &mut self.objects[(number * self.stripes + place) as usize]
    }

    /// Gives a client a lock of an object: the clients that have to give theirs up first. Nothing where it has one that will do.
    fn take(&mut self, (number, place): (u32, u32), client: u32, writes: bool) -> Option<Vec<u32>> {
        let held = self.object(number, place);
        let own = held.iter().find(|it| it.client == client);
        if own.is_some_and(|it| it.writes || !writes) {
            return None;
        }
        let conflicts = |it: &Held| it.client != client && (writes || it.writes);
        let others = held.iter().filter(|it| conflicts(it));
        let others: Vec<u32> = others.map(|it| it.client).collect();
        held.retain(|it| it.client != client && !conflicts(it));
        held.push(Held { client, writes });
        Some(others)
    }

    /// A client gives all of its up.
    pub fn forget(&mut self, client: u32) {
        let objects = self.objects.iter_mut();
        objects.for_each(|held| held.retain(|it| it.client != client));
        let names = self.names.iter_mut();
        names.for_each(|held| held.retain(|it| *it != client));
    }
}

/// What operations on names and attributes ask. Those that change something take the lock of it from all others.
pub(super) fn naming(access: &Access, naming: Naming, locks: &mut Locks, script: &mut Script) {
    let to = access.to_metadata();
    let ask = |script: &mut Script, name| script.ask(Ask::plain(name, to, LUSTRE));
    match naming {
        Naming::Open | Naming::Create => {
            ask(script, "ldlm_enqueue");
            note_name(access, locks);
        }
        Naming::Close => ask(script, "mds_close"),
        Naming::Stat => stat(access, locks, script),
        Naming::ReadFolder => {
            ask(script, "ldlm_enqueue");
            script.then();
            ask(script, "mds_readpage");
        }
        Naming::Unlink | Naming::Rename => {
            ask(script, "mds_reint");
            revoke_name(access, locks, script);
        }
        Naming::Flush => flush(access, script),
        Naming::Attributes => ask(script, "ldlm_enqueue"),
    }
}

fn note_name(access: &Access, locks: &mut Locks) {
    let names = &mut locks.names[access.number as usize];
    if !names.contains(&access.client) {
        names.push(access.client);
    }
}

/// Attributes come from the metadata server, sizes from those that have objects: each asks whoever writes there (a glimpse).
fn stat(access: &Access, locks: &mut Locks, script: &mut Script) {
    if !locks.names[access.number as usize].contains(&access.client) {
        script.ask(Ask::plain("ldlm_enqueue", access.to_metadata(), LUSTRE));
        script.then();
        note_name(access, locks);
    }
    let mut writers: Vec<(u32, u32)> = Vec::new();
    for place in 0..access.layout.striping.stripes {
        let server = access.layout.server_at(access.number, 0, place);
        let held = locks.object(access.number, place);
        if held.iter().any(|it| it.client == access.client) {
            continue;
        }
        script.ask(Ask::plain("ldlm_enqueue", (access.client, server), LUSTRE));
        let writing = held.iter().filter(|it| it.writes);
        writers.extend(writing.map(|it| (it.client, server)));
    }
    script.then();
    for ends in writers {
        script.ask(callback("ldlm_gl_callback", ends));
    }
}

fn callback(name: &'static str, ends: (u32, u32)) -> Ask {
    Ask {
        is_callback: true,
        ..Ask::plain(name, ends, LUSTRE_CALLBACK)
    }
}

/// All others that have the lock of a name give it up.
fn revoke_name(access: &Access, locks: &mut Locks, script: &mut Script) {
    let names = std::mem::take(&mut locks.names[access.number as usize]);
    let others: Vec<u32> = names
        .into_iter()
        .filter(|it| *it != access.client)
        .collect();
    let ends = |client: u32| (client, access.layout.metadata);
    script.then();
    for &client in &others {
        script.ask(callback("ldlm_bl_callback", ends(client)));
    }
    script.then();
    for &client in &others {
        script.ask(Ask::plain("ldlm_cancel", ends(client), LUSTRE));
    }
}

/// What was written is on disks then.
fn flush(access: &Access, script: &mut Script) {
    script.then();
    script.ask(Ask::plain("mds_sync", access.to_metadata(), LUSTRE));
    for place in 0..access.layout.striping.stripes {
        let server = access.layout.server_at(access.number, 0, place);
        script.ask(Ask {
            work: Work::Commit {
                file: access.number,
            },
            ..Ask::plain("ost_sync", (access.client, server), LUSTRE)
        });
    }
}

/// A client gets the locks of all objects that have some of these bytes.
pub(super) fn lock(
    (options, access): (&Lustre, &Access),
    (bytes, writes): (&Range<u64>, bool),
    locks: &mut Locks,
    clients: &mut [Vec<Known>],
    script: &mut Script,
) {
    let mut revoked: Vec<(u32, u32)> = Vec::new();
    let mut blocked: Vec<u32> = Vec::new();
    let mut is_first = true;
    for (place, _) in access.layout.striping.parts(bytes.clone()) {
        let Some(others) = locks.take((access.number, place), access.client, writes) else {
            continue;
        };
        if std::mem::take(&mut is_first) {
            script.then();
        }
        let server = access.layout.server_at(access.number, 0, place);
        script.ask(Ask::plain("ldlm_enqueue", (access.client, server), LUSTRE));
        if !others.is_empty() {
            blocked.push(server);
        }
        revoked.extend(others.into_iter().map(|client| (client, server)));
    }
    if !is_first {
        script.then();
    }
    if revoked.is_empty() {
        return;
    }
    for &ends in &revoked {
        script.ask(callback("ldlm_bl_callback", ends));
    }
    script.then();
    for &(client, _) in &revoked {
        give_up((options, access), client, clients, script);
    }
    script.then();
    for &ends in &revoked {
        script.ask(Ask::plain("ldlm_cancel", ends, LUSTRE));
    }
    script.then();
    for server in blocked {
        script.ask(callback("ldlm_cp_callback", (access.client, server)));
    }
    script.then();
}

/// A client writes what is dirty of a file, and drops its pages.
fn give_up(
    (options, access): (&Lustre, &Access),
    client: u32,
    clients: &mut [Vec<Known>],
    script: &mut Script,
) {
    let known = &mut clients[client as usize][access.file as usize];
    script.waits.extend(&known.behind);
    let dirty = known.take_dirty();
    known.pages.drop_clean();
    let access = Access { client, ..*access };
    for bytes in dirty {
        data((options, &access), (bytes, true), script);
    }
}

/// Bytes of a file move: calls of each object server that has some.
pub(super) fn data(
    (options, access): (&Lustre, &Access),
    (bytes, writes): (Range<u64>, bool),
    script: &mut Script,
) {
    for (place, part) in access.layout.striping.parts(bytes) {
        let server = access.layout.server_at(access.number, 0, place);
        for piece in pieces(part, options.call_bytes) {
            let count = piece.end - piece.start;
            let (name, bytes) = match writes {
                true => ("ost_write", LUSTRE.sending(count)),
                false => ("ost_read", LUSTRE.receiving(count)),
            };
            script.ask(Ask {
                work: work(writes, access.number, piece),
                is_fetched: writes && count > SHORT_BYTES,
                ..Ask::plain(name, (access.client, server), bytes)
            });
        }
    }
}
