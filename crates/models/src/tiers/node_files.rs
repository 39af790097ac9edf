//! The files that a web node's storage has: which of them are held, which servers have them, and the node's log.

use std::borrow::Cow;
use std::sync::Arc;

use super::log_writer::LogWriter;
use super::mounted_stores::MountedFile;
use super::needs::{log_bytes, log_number, server_inodes, system_number};
use super::own_files::number_of;
use super::system::{Mounted, Web};
use super::traffic::{File, Traffic};
use crate::page_cache::StoredFile;

/// The files that a node can be asked for: its `own`, by their numbers, or nothing where these may be all.
pub(crate) fn asked_files<'t>(own: Option<&Arc<[u32]>>, traffic: &'t Traffic) -> Cow<'t, [File]> {
    match own {
        None => Cow::from(&traffic.files),
        Some(own) => own.iter().map(|&it| traffic.files[it as usize]).collect(),
    }
}

/// The files that the storage has: those of the sites, then those of the system.
pub(crate) fn stored_files(
    web: &Web,
    files: &[File],
    is_held: &[bool],
) -> Vec<StoredFile<'static>> {
    let stored = files.iter().zip(is_held).map(|(file, is_held)| StoredFile {
        store: web.store_of(file.site),
        // Page caches have nothing to do with what is in memory anyway.
        bytes: if *is_held { 0 } else { file.bytes },
        extents: None,
    });
    let of_system = web.needs.system.map(|system| StoredFile {
        store: system.store,
        bytes: system.bytes,
        extents: None,
    });
    stored.chain(of_system).collect()
}

/// Whether each of the node's `files` is in memory whatever page caches hold. `own` are their numbers, or nothing where these may be all.
pub(crate) fn held_files(web: &Web, files: &[File], own: Option<&Arc<[u32]>>) -> Vec<bool> {
    let mut is_held: Vec<bool> = files.iter().map(|file| web.is_in_memory(*file)).collect();
    for &file in web.held.iter() {
        if let Some(number) = number_of(own, file) {
            is_held[number as usize] = true;
        }
    }
    is_held
}

/// All that the storage has, as mounts have it. Files of the system come behind those of the sites, here as at their server. Pages of inodes are
/// on local stores.
pub(crate) fn mounted_files(
    stored: &[StoredFile<'_>],
    files: &[File],
    own: Option<&Arc<[u32]>>,
    traffic: &Traffic,
) -> Vec<MountedFile> {
    let at_server = |number: u32| match own {
        None => number,
        Some(own) => {
            let number = own.get(number as usize).copied();
            number.unwrap_or_else(|| system_number(traffic))
        }
    };
    let size_of = |number: u32| files.get(number as usize).map(|file| file.bytes);
    let mounted = stored.iter().zip(0u32..).map(|(file, number)| MountedFile {
        store: file.store,
        number,
        size: size_of(number).unwrap_or(file.bytes),
        bytes: file.bytes,
        at_server: at_server(number),
    });
    mounted.collect()
}

/// What writes the log of the node `at`, where that is followed.
pub(crate) fn log_writer(
    (at, web): (usize, &Web),
    mounts: &[Option<Mounted>],
    traffic: &Traffic,
) -> Option<LogWriter> {
    let store = web.needs.log?;
    let writing = web.stores[store].profile.writing.unwrap_or_default();
    let mounted = mounts.get(store).and_then(Option::as_ref);
    let inode_bytes = mounted.and_then(|it| it.export.inode_bytes);
    let inodes = server_inodes(traffic, inode_bytes);
    let place = (store, log_number(traffic, inodes, at));
    Some(LogWriter::new(place, log_bytes(traffic), writing))
}
