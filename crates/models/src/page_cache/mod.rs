//! What stays in memory of files, and what is on its way there: a file each for a policy, named by the kernel or source it models.
//!
//! What travels is an extent: the longest run of pages that no reader ever divides.
//!
//! | deed | place |
//! | --- | --- |
//! | what a policy is asked | `policy.rs` |
//! | the policy that a profile names | `of_profile.rs` |
//! | extents of files: in memory, under way, marked | `cache.rs` |
//! | memory that is divided among groups | `divided.rs` |
//! | what a process has mapped; page faults | `mapping.rs`; `faults.rs` |
//! | extents that have yet to reach the device; what writing does with them | `dirty.rs`, `bits.rs`; `writing.rs` |

mod bits;
mod cache;
mod dirty;
mod divided;
mod faults;
mod linux_lists;
mod mapping;
mod multi_generational;
mod of_profile;
mod policy;
mod two_queues;
mod writing;

pub use cache::{Memory, StoredFile};
pub(crate) use cache::{MissingRun, PageCache};
pub use dirty::UnwrittenPages;
pub use multi_generational::MultiGenerational;
pub use policy::PageCachePolicy;
pub use two_queues::TwoQueues;
