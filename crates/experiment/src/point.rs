//! The grid of an experiment: its axes, its points, and a selection of them.

use std::borrow::Borrow;
use std::fmt;

use hotset_scenario::StoreSpec;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::ExperimentError;

/// What the points of an experiment differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Axis {
    /// What an arm is tried in: the sites that share a node.
    Cell,
    /// A way of using a node's memory.
    Arm,
    /// A store of the scenario.
    Store,
    /// Which of several runs.
    Run,
}

impl Axis {
    /// As results and options write it.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A point of the grid: one value on each of the experiment's axes. It is what is measured, predicted or quoted at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Point {
    /// The cell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cell: Option<String>,
    /// The arm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    arm: Option<String>,
    /// Its name in the scenario.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    store: Option<String>,
    /// `paced` or the number of the run; left out where runs are not repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run: Option<String>,
}

impl Point {
    /// The same point with a value on one more axis.
    #[must_use]
    pub fn with(mut self, axis: Axis, value: impl Into<String>) -> Self {
        *self.place(axis) = Some(value.into());
        self
    }

    /// The same point without a value on an axis.
    #[must_use]
    pub fn without(mut self, axis: Axis) -> Self {
        *self.place(axis) = None;
        self
    }

    fn place(&mut self, axis: Axis) -> &mut Option<String> {
        match axis {
            Axis::Cell => &mut self.cell,
            Axis::Arm => &mut self.arm,
            Axis::Store => &mut self.store,
            Axis::Run => &mut self.run,
        }
    }

    /// A point for each store.
    pub(crate) fn of_stores<S: Borrow<StoreSpec>>(stores: &[S]) -> Vec<Self> {
        let point = |store: &S| Self::default().with(Axis::Store, &store.borrow().name);
        stores.iter().map(point).collect()
    }

    /// Its store among `stores`.
    ///
    /// # Errors
    /// A point of another experiment.
    pub(crate) fn store_among<'s, S: Borrow<StoreSpec>>(
        &self,
        stores: &'s [S],
    ) -> Result<&'s S, ExperimentError> {
        let wanted = self.on(Axis::Store);
        let found = stores.iter().find(|store| (*store).borrow().name == wanted);
        found.ok_or_else(|| ExperimentError::Unusable(format!("there is no store `{wanted}`")))
    }

    /// Its value on an axis; empty on one that the experiment does not have.
    pub fn on(&self, axis: Axis) -> &str {
        self.value(axis).unwrap_or_default()
    }

    fn value(&self, axis: Axis) -> Option<&str> {
        let value = match axis {
            Axis::Cell => &self.cell,
            Axis::Arm => &self.arm,
            Axis::Store => &self.store,
            Axis::Run => &self.run,
        };
        value.as_deref()
    }

    /// Its values, one for each axis that it has, with the axis' name.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let axes = Axis::VARIANTS.iter();
        axes.filter_map(|axis| Some((axis.name(), self.value(*axis)?)))
    }
}

/// Its values: `0x4 plan`, `ext3`.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<&str> = self.values().map(|(_, value)| value).collect();
        f.write_str(&values.join(" "))
    }
}

/// Which points of an experiment are wanted; all where nothing is selected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection(Vec<(Axis, Vec<String>)>);

impl Selection {
    /// The same selection with these values alone on an axis; any value where there are none.
    #[must_use]
    pub fn with(mut self, axis: Axis, values: &[String]) -> Self {
        if !values.is_empty() {
            self.0.push((axis, values.to_vec()));
        }
        self
    }

    /// Whether it takes in a point.
    pub fn wants(&self, point: &Point) -> bool {
        let among = |(axis, values): &(Axis, Vec<String>)| {
            values.iter().any(|value| value == point.on(*axis))
        };
        self.0.iter().all(among)
    }

    /// Refuses what no experiment on these axes, or none with these points, has.
    ///
    /// # Errors
    /// [`ExperimentError::Selection`], with what there is to select.
    pub(crate) fn check(
        &self,
        kind: &str,
        axes: &[Axis],
        points: &[Point],
    ) -> Result<(), ExperimentError> {
        for (axis, values) in &self.0 {
            let mut known = values_on(*axis, points);
            known.retain(|value| !value.is_empty());
            if known.is_empty() {
                let used = |axis: &&Axis| points.iter().any(|point| !point.on(**axis).is_empty());
                let axes: Vec<&Axis> = axes.iter().filter(used).collect();
                return Err(ExperimentError::Selection(no_axis(*axis, kind, &axes)));
            }
            if let Some(value) = values.iter().find(|value| !known.contains(&value.as_str())) {
                return Err(ExperimentError::Selection(format!(
                    "the experiment has no {} `{value}`; there are: {}",
                    axis.name(),
                    known.join(", ")
                )));
            }
        }
        Ok(())
    }
}

fn no_axis(axis: Axis, kind: &str, axes: &[&Axis]) -> String {
    let names: Vec<&str> = axes.iter().map(|axis| axis.name()).collect();
    format!(
        "an experiment of kind {kind} has no {}s to select; select by {}",
        axis.name(),
        names.join(" and ")
    )
}

/// The values of the points on an axis, each once, in order.
pub(crate) fn values_on(axis: Axis, points: &[Point]) -> Vec<&str> {
    let mut values = Vec::new();
    for point in points {
        if !values.contains(&point.on(axis)) {
            values.push(point.on(axis));
        }
    }
    values
}
