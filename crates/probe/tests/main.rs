//! Tests of probing, through the public surface.

mod access;
mod database;
mod fuse_mount;
mod mounts;
mod nfs;
mod probe;
mod sending;

use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// One of the tests looks at the sockets that the process has open: the others have it wait.
static SOCKETS: RwLock<()> = RwLock::new(());

/// Lets the calling test open sockets until it ends.
fn sockets() -> RwLockReadGuard<'static, ()> {
    SOCKETS.read().unwrap_or_else(PoisonError::into_inner)
}
