//! What is read ahead for an open file: a file each for a policy, named by the kernel or source it models.
//!
//! | deed | place |
//! | --- | --- |
//! | what a policy is asked, what it answers | `policy.rs` |
//! | the policy that a profile names | `of_profile.rs` |
//! | Linux today; 2.6.23 to 2.6.30; 2.4 to 2.6.22 | `on_demand.rs`; `early_on_demand.rs`; `two_windows.rs` |
//! | the dissertation's pre-fetch; what it asks for next | `pre_fetch.rs`; `adaptive.rs` |

mod adaptive;
mod early_on_demand;
mod of_profile;
mod on_demand;
mod policy;
mod pre_fetch;
mod two_windows;

pub use adaptive::Adaptive;
pub use early_on_demand::EarlyOnDemand;
pub(crate) use of_profile::read_ahead;
pub use on_demand::{LARGEST_REQUEST_BYTES, OnDemand};
pub use policy::{Advice, Lookup, ReadAheadPolicy, Window};
pub use pre_fetch::PreFetch;
pub(crate) use two_windows::LEAST_BYTES;
pub use two_windows::TwoWindows;
