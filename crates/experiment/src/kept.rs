//! Results as they are kept: one JSON file a point, written whole or not at all.

use std::path::PathBuf;

use hotset_machine::{Quietness, file};
use hotset_outcome::Outcome;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{ExperimentError, Point};

/// The kept result of one point.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct PointResult<S, D> {
    /// Name of the experiment.
    pub experiment: String,
    /// The point.
    #[serde(flatten)]
    pub point: Point,
    /// What decided it.
    pub settings: S,
    /// When it was measured.
    pub date: String,
    /// What was measured.
    #[serde(flatten)]
    pub measured: Measurement<D>,
}

/// What measuring a point came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Measurement<D> {
    /// What there is beside the outcomes.
    #[serde(flatten)]
    pub detail: D,
    /// Whether the machine was busy with something else; nothing where that does not matter.
    pub quietness: Option<Quietness>,
    /// What a second bench gave for the same requests, asked for in turn with the first outcome's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Outcome>,
    /// The outcomes; the first is the one that is compared.
    pub outcomes: Vec<Outcome>,
}

impl<S, D> PointResult<S, D> {
    /// The outcome that is compared.
    pub fn compared(&self) -> Option<&Outcome> {
        self.measured.outcomes.first()
    }
}

/// A result of which only the settings are of interest.
#[derive(Deserialize)]
struct Settings<S> {
    settings: S,
}

/// The folder of an experiment's results.
#[derive(Clone, Debug)]
pub(crate) struct Results(pub PathBuf);

impl Results {
    /// File of a point's result: `0x4/plan.json`, `ext3.json`.
    pub fn file(&self, point: &Point) -> PathBuf {
        let mut path = self.0.clone();
        path.extend(point.values().map(|(_, value)| value));
        path.as_mut_os_string().push(".json");
        path
    }

    /// The kept result of a point, whatever it was measured under.
    ///
    /// # Errors
    /// One that cannot be read.
    pub fn of<S, D>(&self, point: &Point) -> Result<Option<PointResult<S, D>>, ExperimentError>
    where
        S: DeserializeOwned,
        D: DeserializeOwned,
    {
        Ok(file::read_json(&self.file(point))?)
    }

    /// The kept result of a point if it was measured under these settings.
    ///
    /// # Errors
    /// One that cannot be read.
    pub fn under<S, D>(
        &self,
        point: &Point,
        settings: &S,
    ) -> Result<Option<PointResult<S, D>>, ExperimentError>
    where
        S: DeserializeOwned + PartialEq,
        D: DeserializeOwned,
    {
        let kept = self.of(point)?;
        Ok(kept.filter(|kept| kept.settings == *settings))
    }

    /// Whether a point has been measured under these settings.
    ///
    /// # Errors
    /// A result that cannot be read.
    pub fn has<S>(&self, point: &Point, settings: &S) -> Result<bool, ExperimentError>
    where
        S: DeserializeOwned + PartialEq,
    {
        let kept: Option<Settings<S>> = file::read_json(&self.file(point))?;
        Ok(kept.is_some_and(|kept| kept.settings == *settings))
    }
}
