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

mod application;
mod calculated;
mod files_work;
mod planned;
mod simulated;
mod view;

pub(crate) use calculated::calculate;
pub(crate) use simulated::simulate;
