//! Stores: mounted file systems that a node's server reads.

mod glusterfs;
mod local;
mod memory;
mod moosefs;
mod remote;

pub use glusterfs::GlusterFs;
pub use local::{Local, LocalKind, LocalOptions};
pub use memory::{Memory, MemoryKind};
pub use moosefs::MooseFs;
pub use remote::{FileClient, FileServer};

use crate::LabError;
use crate::disk::Disk;
use hotset_machine::MachineError;
use hotset_machine::cachestat::{self, CachedPages};
use std::fmt;
use std::path::Path;

/// A mounted file system of the deployment.
pub trait Store: Send + Sync + fmt::Debug {
    /// The file system's name, as in the tables: `ext4`, `tmpfs`, …
    fn kind(&self) -> &'static str;

    /// Where it is mounted.
    fn path(&self) -> &Path;

    /// Where each node has it mounted, for a network store in the order of its clients.
    fn paths(&self) -> Vec<&Path> {
        vec![self.path()]
    }

    /// Empties the caches of this store only: of its files' pages, its directory entries and its inodes. Nothing may
    /// have a file open there. What is stored in memory stays.
    ///
    /// # Errors
    /// [`MachineError::Busy`] with those who use it, or when it cannot be mounted again.
    fn drop_caches(&self) -> Result<(), LabError>;

    /// The disk under it.
    fn disk(&self) -> Option<&dyn Disk> {
        None
    }

    /// All disks under it: for a network store those of its servers.
    fn disks(&self) -> Vec<&dyn Disk> {
        self.disk().into_iter().collect()
    }

    /// Pages of its files in memory.
    ///
    /// # Errors
    /// As [`cachestat::of_tree`].
    fn cached(&self) -> Result<CachedPages, LabError> {
        Ok(cachestat::of_tree(self.path())?)
    }

    /// Empties the caches and makes sure by asking the kernel about every file, with the disks' delays off. Asking reads every
    /// inode, so the caches are emptied again afterwards.
    ///
    /// # Errors
    /// As [`Store::drop_caches`], or when pages are still there.
    fn drop_and_prove(&self) -> Result<(), LabError> {
        self.drop_caches()?;
        for disk in self.disks() {
            disk.set_delays(false)?;
        }
        let left = self.cached()?.resident_bytes();
        self.drop_caches()?;
        if left == 0 {
            return Ok(());
        }
        Err(LabError::from(MachineError::Unreadable {
            path: self.path().to_owned(),
            problem: format!(
                "{left} bytes are in memory after its caches were dropped; somebody reads there"
            ),
        }))
    }
}
