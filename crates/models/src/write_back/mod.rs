//! When pages that programs have written to go to the device, and when programs wait for that: `mm/page-writeback.c` and
//! `fs/fs-writeback.c` of Linux 6.18, for one device.
//!
//! | deed | place |
//! | --- | --- |
//! | how much may be dirty | `limits.rs` |
//! | how long a program that writes is paused | `throttle.rs` |
//! | which file is written next, and how much of it | `flusher.rs` |
//! | programs that wait until their file, or a part of it, is written (`fsync`) | `syncs.rs` |
//! | programs that wait as memory is full of what is not written | `reclaim.rs` |
//!
//! Simplified: one device has the whole share of the limit. Memory for files stays as it is, so the limit does too. The kernel counts time in
//! jiffies and rates in whole pages, this in nanoseconds and fractions. The flusher looks at fixed intervals, wherever its last work ended.

mod flusher;
mod limits;
mod reclaim;
mod syncs;
mod throttle;

pub(crate) use flusher::Flusher;
pub use limits::Limits;
pub(crate) use reclaim::Reclaim;
pub use syncs::PageSync;
pub(crate) use syncs::{SyncPart, Syncs};
pub use throttle::{Dirtier, Pause, Throttle};

/// The flusher's time to look for old dirty pages has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FlusherWakes;
