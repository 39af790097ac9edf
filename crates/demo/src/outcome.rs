//! What was predicted, and what was measured.

use crate::Costs;
use std::path::PathBuf;

/// A plan that was applied, and what it bought.
#[derive(Clone, Debug, PartialEq)]
pub struct Demonstration {
    /// Where the files were. They are gone by now.
    pub folder: PathBuf,
    /// Requests that were sent before, and again after the plan was applied.
    pub requests: u64,
    /// What single requests took beforehand.
    pub costs: Costs,
    /// Files that were held.
    pub held_files: u64,
    /// Bytes of them.
    pub held_bytes: u64,
    /// Files of the plan that were not held.
    pub left_out: u64,
    /// Site by site, those with requests, and last all sites together.
    pub groups: Vec<Comparison>,
}

/// A group of requests, as predicted and as measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Its name.
    pub name: String,
    /// Before any was sent.
    pub predicted: Figures,
    /// By client and server.
    pub measured: Figures,
}

/// How a group of requests was answered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Share of answers from memory after the plan was applied. Before that it is none.
    pub hit_ratio: f64,
    /// Mean time from sending a request to the last byte of its answer before that, microseconds.
    pub before_us: f64,
    /// The same after that.
    pub after_us: f64,
}

impl Figures {
    /// How many times as long an answer took before.
    #[must_use]
    pub fn speedup(&self) -> f64 {
        self.before_us / self.after_us
    }
}
