//! `[sensitivity]`: which jobs, and which parameters are varied over which values.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What is simulated.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Section {
    /// Job files, beside the experiment file.
    pub jobs: Vec<String>,
    /// What stands for `${name}` in them where that is not varied.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// Jobs that only prepare for those behind them in their file.
    #[serde(default)]
    pub preparing: Vec<String>,
    /// What is varied, one at a time.
    pub parameters: Vec<Parameter>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Parameter {
    /// What people call it.
    pub name: String,
    /// What it is a part of, such as `file system` or `disk`: parts are compared.
    pub part: String,
    /// What is set: `memory`, a key of a profile, or a place of the job files.
    pub set: String,
    /// Its values in their order.
    pub values: Vec<String>,
}
