//! Visits to an application with a database, in place of requests of logs.
//!
//! | deed | place |
//! | --- | --- |
//! | the mix, the application's profile and other sites' logs, read | `application.rs` |
//! | what a plan gives the database | `planned.rs` |
//! | simulated | `simulated.rs` |
//! | what the database asks of its files, for `hotset simulate files` | `files_work.rs` |
//! | calculated | `calculated.rs` |
//! | the result as reports show it | `view.rs` |
//! | where it denies what was measured | `denial.rs` |

mod application;
mod calculated;
mod denial;
mod files_work;
mod planned;
mod simulated;
mod view;

pub(crate) use calculated::calculate;
pub(crate) use simulated::simulate;
