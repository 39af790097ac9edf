//! tmpfs and ramfs.

use super::Store;
use crate::LabError;
use hotset_machine::Deployment;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The two file systems of Linux whose files are in memory only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryKind {
    /// Bounded in size; may be swapped out.
    Tmpfs,
    /// Neither: it grows until its node's memory is full.
    Ramfs,
}

impl MemoryKind {
    fn name(self) -> &'static str {
        match self {
            Self::Tmpfs => "tmpfs",
            Self::Ramfs => "ramfs",
        }
    }
}

/// A store in memory. Its pages are charged to the node whose process writes them: fill it from inside the node's
/// group.
#[derive(Debug)]
pub struct Memory {
    kind: MemoryKind,
    path: PathBuf,
}

impl Memory {
    /// Mounts it. Only tmpfs keeps to `size_bytes`.
    ///
    /// # Errors
    /// When it cannot be mounted.
    pub fn create(
        deployment: &Arc<Deployment>,
        name: &str,
        kind: MemoryKind,
        size_bytes: u64,
    ) -> Result<Self, LabError> {
        let path = deployment.mount_point(name)?;
        let options = match kind {
            MemoryKind::Tmpfs => format!("size={size_bytes},mode=755"),
            MemoryKind::Ramfs => "mode=755".to_owned(),
        };
        deployment.mount(Path::new("hotset"), &path, kind.name(), &options)?;
        Ok(Self { kind, path })
    }
}

impl Store for Memory {
    fn kind(&self) -> &'static str {
        self.kind.name()
    }

    fn path(&self) -> &Path {
        &self.path
    }

    fn drop_caches(&self) -> Result<(), LabError> {
        Ok(())
    }

    /// There is nothing to prove: its files are in memory, and stay.
    fn drop_and_prove(&self) -> Result<(), LabError> {
        Ok(())
    }
}
