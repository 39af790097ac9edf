//! What `hotset demo` shows: two generated sites that share a server, and what a plan for them buys when it is applied.
//!
//! [`traffic`] makes the sites. [`workplace`] finds a folder where files can be read past the page cache. [`measure`] writes the
//! sites' files there, predicts what the plan buys, and measures it on a small server of its own.
//!
//! | deed | place |
//! | --- | --- |
//! | what single requests cost | `costs` |
//! | which requests are sent | `requests` |
//! | what they will take | `prediction` |
//! | the plan is applied, and taken back | `applied_plan` |
//! | all requests are sent, before or after | `phase` |
//! | a file is served from memory or past the page cache | `server`, `direct` |

mod applied_plan;
mod costs;
mod direct;
mod error;
mod job;
mod measure;
mod outcome;
mod phase;
mod prediction;
mod requests;
mod server;
mod traffic;
mod workplace;

pub use costs::Costs;
pub use error::DemoError;
pub use job::Job;
pub use measure::measure;
pub use outcome::{Comparison, Demonstration, Figures};
pub use prediction::predict;
pub use requests::Requests;
pub use server::{Answers, Server, Site};
pub use traffic::traffic;
pub use workplace::workplace;
