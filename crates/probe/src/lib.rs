//! Measures what a directory's file system costs, by plain calls: files of known sizes are written, then opened, read
//! and closed one by one.
//!
//! [`Probe`] measures a directory from within this process: its [`Findings`] have every figure with its interval, and make
//! a store's profile. Whether a file is in the page cache is not assumed but asked of the kernel.
//!
//! | deed | place |
//! | --- | --- |
//! | all that is measured, in order | `measure`; how much: `probe` |
//! | whole files, blocks, readers side by side, other calls | `whole_files`, `blocks`, `readers`, `operations` |
//! | mapped files; a socket | `mapped`; `sending` |
//! | writing into the page cache; waiting for the device; the same after idleness | `writing`; `idleness` |
//! | what copying from the page cache takes, in rounds beside other work | `copying` |
//! | what a device does past the page cache: to read; to write | `direct`; `direct_writes` |
//! | several readers or writers of a file | `side_by_side` |
//! | samples are taken; a figure's interval; ticks of the kernel's clock | `sampling`; `figure`; `tick` |
//! | whether a file is in the page cache; how long it stays | `scratch`; `keeping` |
//! | calls of a mount; what a scenario takes of them | `mount_calls`; `mount_profile` |
//! | memory that is read into: where it begins, in one piece, in pages apart | `buffer` |
//! | the profile that figures make, and what is doubtful about it | `store_profile` |
//! | what tables of a running MariaDB hold in memory, and what they read | `database` |
//! | a client of NFS in user space, which times calls | [`nfs`] |
//!
//! [`Job`] is for a process of its own, which can be put on a node: who touches a page first is charged for it.

mod access;
mod blocks;
mod buffer;
mod copying;
mod database;
mod direct;
mod direct_writes;
mod error;
mod figure;
mod file_set;
mod findings;
mod idleness;
mod job;
mod keeping;
mod mapped;
mod measure;
mod mount_calls;
mod mount_profile;
pub mod nfs;
mod operations;
mod order;
mod probe;
mod readers;
mod sampling;
mod scratch;
mod sending;
mod side_by_side;
mod store_profile;
mod tick;
mod whole_files;
mod writing;

pub use access::{AccessTimes, read};
pub use blocks::BlockReads;
pub use copying::{CopyReads, Copying};
pub use database::{
    DatabaseFindings, DatabaseProbe, DatabaseProbeError, FileTable, LeftOutTable, TableFiles,
    TableFindings, TableName, table_of,
};
pub use direct::{DirectRead, DirectReads, InFlight};
pub use direct_writes::{DirectWrite, DirectWrites};
pub use error::ProbeError;
pub use figure::Figure;
pub use file_set::FileSet;
pub use findings::{Findings, size_name};
pub use idleness::AfterIdleness;
pub use job::Job;
pub use mapped::{MappedBlocks, MappedReads};
pub use mount_calls::{CallProcessors, MountCallers, MountCalls};
pub use mount_profile::MountShares;
pub use operations::Operation;
pub use order::spread;
pub use probe::Probe;
pub use readers::ParallelReads;
pub use scratch::{load_surely, sweep};
pub use sending::SentBlocks;
pub use store_profile::{Misfit, laid_out_by};
pub use whole_files::FileReads;
pub use writing::{
    FlushedBytes, SyncedBytes, SyncedWriters, WriteAfterSync, Writes, WrittenBlocks,
};
