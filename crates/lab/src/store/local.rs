//! ext3, ext4 and xfs on a disk of the deployment.

use super::Store;
use crate::LabError;
use crate::disk::{Disk, dirty_limit};
use hotset_machine::mount::{mount, unmount_when_free, wait_until_released};
use hotset_machine::{Deployment, MachineError};
use hotset_scenario::{Journal, JournalSpec};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where ext4 puts a new folder of the root goes by a hash of its name (`find_group_orlov`, `fs/ext4/ialloc.c`), and with it
/// how far a disk's head travels. Any UUID does that is the same each time.
const HASH_SEED: &str = "686f7473-6574-4000-8000-000000000001";

/// Local file systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    /// Block maps, a journal; the documents' local file system. Today's kernels run it by ext4's driver.
    Ext3,
    /// Extents, a journal.
    Ext4,
    /// Extents, allocation groups, a journal of metadata.
    Xfs,
}

impl LocalKind {
    fn name(self) -> &'static str {
        match self {
            Self::Ext3 => "ext3",
            Self::Ext4 => "ext4",
            Self::Xfs => "xfs",
        }
    }

    /// Blocks of a page's size whatever the device's size, inodes for web sites' small files, and all structures in
    /// place before the first mount or never: nothing is to be written behind a measurement.
    fn make_arguments(self, journal: &JournalSpec) -> String {
        let journal = self.journal_arguments(journal);
        let ext = |features: &str| {
            format!("-q -F -b 4096 -i 8192 -m 0{journal} -E {features},hash_seed={HASH_SEED}")
        };
        match self {
            Self::Ext3 => ext("nodiscard"),
            Self::Ext4 => ext("nodiscard,lazy_itable_init=1"),
            Self::Xfs => format!("-q -f -K -b size=4096{journal}"),
        }
    }

    /// What makes its journal so, each with a space before it.
    fn journal_arguments(self, journal: &JournalSpec) -> String {
        if journal.mode == Some(Journal::None) {
            return " -O ^has_journal".to_owned();
        }
        let argument = |bytes: u64| match self {
            Self::Ext3 | Self::Ext4 => format!(" -J size={}", bytes >> 20),
            Self::Xfs => format!(" -l size={bytes}"),
        };
        journal.bytes.map(argument).unwrap_or_default()
    }

    fn mount_options(self, journal: &JournalSpec) -> String {
        if self == Self::Xfs {
            return String::new();
        }
        let mode = match journal.mode {
            None | Some(Journal::None) => "",
            Some(Journal::Ordered) => ",data=ordered",
            Some(Journal::Writeback) => ",data=writeback",
            // As the kernel calls it.
            Some(Journal::Data) => ",data=journal",
        };
        let commit = journal.commit_s.map(|seconds| format!(",commit={seconds}"));
        let barrier = match journal.barrier {
            None => "",
            Some(true) => ",barrier=1",
            Some(false) => ",barrier=0",
        };
        format!("noinit_itable{mode}{}{barrier}", commit.unwrap_or_default())
    }
}

/// How a local file system is made and mounted, where not as its tools and the kernel do by themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LocalOptions {
    /// Its journal.
    pub journal: JournalSpec,
    /// How much of it may be dirty before programs wait, bytes.
    pub dirty_limit_bytes: Option<u64>,
}

/// A local file system.
#[derive(Debug)]
pub struct Local {
    kind: LocalKind,
    path: PathBuf,
    mount_options: String,
    disk: Arc<dyn Disk>,
}

impl Local {
    /// Makes the file system, with the disk's delays off, and mounts it.
    ///
    /// # Errors
    /// When `mkfs` fails or the kernel does not have the file system.
    pub fn create(
        deployment: &Arc<Deployment>,
        name: &str,
        kind: LocalKind,
        disk: Arc<dyn Disk>,
    ) -> Result<Self, LabError> {
        Self::create_with(deployment, name, kind, disk, &LocalOptions::default())
    }

    /// As [`Local::create`], made and mounted with options.
    ///
    /// # Errors
    /// As there, and where the kernel has no limit for a device.
    pub fn create_with(
        deployment: &Arc<Deployment>,
        name: &str,
        kind: LocalKind,
        disk: Arc<dyn Disk>,
        options: &LocalOptions,
    ) -> Result<Self, LabError> {
        let path = deployment.mount_point(name)?;
        disk.set_delays(false)?;
        let arguments = kind.make_arguments(&options.journal);
        let arguments: Vec<&OsStr> = arguments.split(' ').map(OsStr::new).collect();
        let program = format!("mkfs.{}", kind.name());
        deployment.tool(
            &program,
            &[&arguments[..], &[disk.device().as_os_str()]].concat(),
        )?;
        let mount_options = kind.mount_options(&options.journal);
        deployment.mount(disk.device(), &path, kind.name(), &mount_options)?;
        if let Some(bytes) = options.dirty_limit_bytes {
            dirty_limit::set(deployment, disk.device(), bytes)?;
        }
        disk.set_delays(true)?;
        Ok(Self {
            kind,
            path,
            mount_options,
            disk,
        })
    }

    /// The ledger's entry of the mount stands for every later one at the same place.
    fn mount_again(&self) -> Result<(), MachineError> {
        let (device, kind) = (self.disk.device(), self.kind.name());
        mount(device, &self.path, kind, &self.mount_options)
    }
}

impl Store for Local {
    fn kind(&self) -> &'static str {
        self.kind.name()
    }

    fn path(&self) -> &Path {
        &self.path
    }

    /// Unmounts and mounts: what the kernel knew of the file system goes with it. Done with the disk's delays off; the
    /// head stays where it was.
    fn drop_caches(&self) -> Result<(), LabError> {
        self.disk.set_delays(false)?;
        let dropped = unmount_when_free(&self.path).and_then(|()| {
            let released = wait_until_released(self.disk.device(), &self.path);
            self.mount_again().and(released)
        });
        self.disk.set_delays(true)?;
        Ok(dropped?)
    }

    fn disk(&self) -> Option<&dyn Disk> {
        Some(self.disk.as_ref())
    }
}
