//! What to hold as time goes on: learnt access by access, chosen anew at every renewal.
//!
//! At each renewal only what has happened until then is known. What to remember is decided anew at every
//! renewal among experts: plain counting, counts that fade with several half-lives, and counts that start
//! at several earlier renewals. The set that each would have held is scored on the accesses that followed,
//! and the one with the longest memory that none with a shorter one has beaten lately leads (experts born at
//! each step and thinned out by age: E. Hazan and C. Seshadhri, "Efficient learning algorithms for changing
//! environments", ICML 2009).
//!
//! A program that keeps running asks [`Online::renew`] before each access and tells [`Online::observe`] of it; what comes
//! of a renewal goes through [`select_beside`] or [`select_moving`] into the next set of held files. Nothing grows with the number of accesses.
//! Where values and budget are the same at every renewal, as in a back-test, [`Steady`] comes to the same with less work.
//! [`Online::save`] writes down what was learnt by the names of files, so that another process, which numbers files
//! differently, goes on as this one would have.

mod clock;
mod counts;
mod exact;
mod experts;
mod heat;
mod hysteresis;
mod learner;
mod levels;
mod numbers;
mod recent;
mod state;
mod steady;

pub use clock::Period;
pub use hysteresis::{select_beside, select_moving};
pub use learner::Online;
pub use state::{FileName, OnlineState};
pub(crate) use steady::{Leading, Steady};
