//! What is read ahead for an open file: a file each for a policy, named by the kernel or source it models.
//!
//! | deed | place |
//! | --- | --- |
//! | what a policy is asked, what it answers | `policy.rs` |
//! | the policy that a profile names | `of_profile.rs` |
//! | Linux since 2.6.23; 2.4 to 2.6.22; the dissertation | `on_demand.rs`; `two_windows.rs`; `adaptive.rs` |

mod adaptive;
mod of_profile;
mod on_demand;
mod policy;
mod two_windows;

pub use adaptive::Adaptive;
pub(crate) use of_profile::read_ahead;
pub use on_demand::{LARGEST_REQUEST_BYTES, OnDemand};
pub use policy::{Advice, Lookup, ReadAheadPolicy, Window};
pub use two_windows::TwoWindows;
