//! `[fio-jobs]`: which job files are run, and which values stand in their places.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::ageing::GrownFile;
use crate::kinds::jobs::{PublishedError, rounds, usual_rounds};

/// What is measured.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Section {
    /// Job files, beside the experiment file.
    pub jobs: Vec<String>,
    /// The same, set aside until the model is done: they are run behind the others, and how far they are off is said apart.
    #[serde(default)]
    pub set_aside: Vec<String>,
    /// What stands for `${name}` in them, in turn.
    #[serde(default)]
    pub values: BTreeMap<String, Vec<String>>,
    /// Jobs that only prepare for those behind them in their file: they are run, and not compared.
    #[serde(default)]
    pub preparing: Vec<String>,
    /// Files that are made before, in pieces.
    #[serde(default)]
    pub grown: Vec<GrownFile>,
    /// Folder, from that of the experiment on, of profiles of stores that several experiments share: a store is probed once for all of them.
    /// Without it each experiment probes its own.
    #[serde(default)]
    pub profiles: Option<String>,
    /// Rounds that count.
    #[serde(default = "usual_rounds", deserialize_with = "rounds")]
    pub rounds: usize,
    /// How far off published models of the same jobs were.
    #[serde(default)]
    pub published: Vec<PublishedError>,
}
