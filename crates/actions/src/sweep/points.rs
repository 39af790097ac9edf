//! The points of a sweep, simulated or calculated on all processors.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use hotset_machine::Destination;
use hotset_report::{PointFigures, SweepBy, SweepPoint};
use hotset_scenario::{Scenario, ScenarioSetting, ScenarioSettingError, TomlFile};
use rayon::prelude::*;

use super::figures::figures;
use super::grid::Grid;
use super::kept::{Ground, Kept, KeptPoint, Key};
use super::options::Options;
use super::parts::Parts;
use crate::error::refuse;
use crate::simulate::scenario::{self, Prepared, with};
use crate::{Field, Input, JobError, Part, Watch};

/// What an interrupted sweep says.
const INTERRUPTED: &str = "interrupted; where a table was asked for, finished points are kept beside it, and the same command goes on from them";

/// A scenario and its traffic, read once, and the points at which they are simulated or calculated.
pub struct Sweep {
    prepared: Prepared,
    by: SweepBy,
    ground: Ground,
    pub(super) grid: Grid,
}

/// Points, and the file in which they are kept.
pub(super) struct Finished {
    pub points: Vec<SweepPoint>,
    pub kept: Option<Kept>,
}

impl Sweep {
    /// Reads the scenario and the logs; keys and values that cannot be are refused before that.
    ///
    /// # Errors
    /// What cannot be read, varied or set.
    pub fn read(options: &Options, watch: &dyn Watch) -> Result<Self, JobError> {
        let (grid, file, scenario) = set_up(options)?;
        let prepared = Prepared::of(&simulation(options), file, &scenario, watch)?;
        Ok(Self::of(options, grid, prepared))
    }

    /// The same of traffic that was read already and is called `name` in messages.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn of_input(options: &Options, input: Input, name: &str) -> Result<Self, JobError> {
        let (grid, file, scenario) = set_up(options)?;
        let prepared = Prepared::of_input(&simulation(options), file, &scenario, input, name)?;
        Ok(Self::of(options, grid, prepared))
    }

    fn of(options: &Options, grid: Grid, prepared: Prepared) -> Self {
        let ground = Ground::of(prepared.traffic(), options.seed, options.by);
        Self {
            prepared,
            by: options.by,
            ground,
            grid,
        }
    }

    /// How many points there are.
    #[must_use]
    pub fn points(&self) -> usize {
        self.grid.points
    }

    /// The traffic.
    pub(super) fn input(&self) -> &Input {
        self.prepared.input()
    }

    /// What all points come to; those that are kept beside the table are not simulated or calculated again.
    ///
    /// # Errors
    /// A point that cannot be, before any is; what cannot be kept; an interrupt.
    pub(super) fn solved(
        &self,
        options: &Options,
        watch: &dyn Watch,
    ) -> Result<Finished, JobError> {
        let keys = self.keys()?;
        let (kept, found) = self.kept(options, &keys, watch)?;
        let known: Vec<Option<PointFigures>> =
            keys.iter().map(|key| found.get(key).cloned()).collect();
        let done = AtomicUsize::new(known.iter().flatten().count());
        let solve = |at: usize| -> Result<PointFigures, JobError> {
            let figures = self.solve(at, watch)?;
            if let Some(kept) = &kept {
                let (key, figures) = (keys[at].clone(), figures.clone());
                kept.add(&KeptPoint { key, figures })?;
            }
            let done = 1 + done.fetch_add(1, Ordering::Relaxed);
            watch.share(done as f64 / self.grid.points as f64);
            Ok(figures)
        };
        let _held = watch.hold_interrupts();
        watch.begin(Part::Share(match self.by {
            SweepBy::Simulate => "simulating",
            SweepBy::Model => "calculating",
        }));
        let known = known.into_par_iter().enumerate();
        let figures = known.map(|(at, known)| known.map_or_else(|| solve(at), Ok));
        let figures: Result<Vec<PointFigures>, JobError> = figures.collect();
        watch.end();
        if watch.stops() {
            watch.has_stopped();
            return Err(JobError::Interrupted(INTERRUPTED));
        }
        Ok(Finished {
            points: self.points_of(figures?),
            kept,
        })
    }

    /// Some points, a line of JSON each, for [`Parts::add`].
    ///
    /// # Errors
    /// A point that cannot be simulated, and an interrupt.
    pub fn part(&self, points: &[usize], watch: &dyn Watch) -> Result<Vec<u8>, JobError> {
        let mut lines = Vec::new();
        for &at in points.iter().filter(|at| **at < self.grid.points) {
            let point = KeptPoint {
                key: self.key(at)?,
                figures: self.solve(at, watch)?,
            };
            serde_json::to_writer(&mut lines, &point)?;
            lines.push(b'\n');
        }
        Ok(lines)
    }

    /// What is kept of the points beside the table, for those who simulate the others elsewhere.
    ///
    /// # Errors
    /// A point that cannot be simulated, and a file that another sweep writes.
    pub(super) fn kept_parts(
        &self,
        options: &Options,
        watch: &dyn Watch,
    ) -> Result<Parts, JobError> {
        let keys = self.keys()?;
        let (kept, found) = self.kept(options, &keys, watch)?;
        Ok(Parts::new(keys, found, kept))
    }

    /// The points of all parts, which may have been made elsewhere.
    ///
    /// # Errors
    /// Points that are missing.
    pub(super) fn put_together(&self, parts: Parts) -> Result<Finished, JobError> {
        let (figures, kept) = parts.into_points()?;
        Ok(Finished {
            points: self.points_of(figures),
            kept,
        })
    }

    fn points_of(&self, figures: Vec<PointFigures>) -> Vec<SweepPoint> {
        let figures = figures.into_iter().enumerate();
        figures
            .map(|(at, figures)| SweepPoint {
                places: self.grid.places(at),
                figures,
            })
            .collect()
    }

    /// What tells each point from others.
    fn keys(&self) -> Result<Vec<Key>, JobError> {
        let keys = (0..self.grid.points).into_par_iter().map(|at| self.key(at));
        // The first point that cannot be is named, whichever was found first.
        let keys: Vec<Result<Key, JobError>> = keys.collect();
        keys.into_iter().collect()
    }

    fn key(&self, at: usize) -> Result<Key, JobError> {
        let settings = self.grid.settings(at);
        let scenario = self.prepared.check(&settings, Field::Vary);
        let scenario = scenario.map_err(|error| self.grid.in_point(at, error))?;
        Ok(self.ground.key(scenario))
    }

    fn solve(&self, at: usize, watch: &dyn Watch) -> Result<PointFigures, JobError> {
        // Short simulations and calculations never ask.
        if watch.stops() {
            return Err(JobError::Interrupted(INTERRUPTED));
        }
        let settings = self.grid.settings(at);
        let scenario = self.prepared.scenario(&settings, Field::Vary)?;
        let solved = match self.by {
            SweepBy::Simulate => self.prepared.simulate(&scenario, &settings, watch),
            SweepBy::Model => (self.prepared.calculate(&scenario, &settings)).map(|it| it.scenario),
        };
        solved
            .map(|it| figures(&it))
            .map_err(|error| self.grid.in_point(at, error))
    }

    /// Where points are kept, and which have been.
    fn kept(
        &self,
        options: &Options,
        keys: &[Key],
        watch: &dyn Watch,
    ) -> Result<(Option<Kept>, HashMap<Key, PointFigures>), JobError> {
        let table = options.results.output.as_deref().map(Destination::of);
        let Some(Ok(Destination::File(table))) = table else {
            return Ok((None, HashMap::new()));
        };
        let (kept, found) = Kept::beside(&table)?;
        let wanted: HashSet<&Key> = keys.iter().collect();
        let known = found.keys().filter(|key| wanted.contains(key)).count();
        let (name, stale) = (kept.path().display(), found.len() - known);
        if known > 0 {
            watch.note(
                format!("{name}: goes on from {known} points that were finished before").into(),
            );
        }
        if stale > 0 {
            watch.note(
                format!(
                    "{name}: {stale} points are of another scenario, other logs or other values, and are not used"
                )
                .into(),
            );
        }
        Ok((Some(kept), found))
    }
}

/// The grid, the file, and the scenario that says which logs are read and how.
fn set_up(options: &Options) -> Result<(Grid, TomlFile, Scenario), JobError> {
    let grid = Grid::of(options)?;
    let file = TomlFile::read(&options.scenario)?;
    let scenario = with(&file, &[], Field::Vary)?;
    check_values(&grid, &file)?;
    Ok((grid, file, scenario))
}

/// Refuses what cannot be set, and names the one value that is wrong by itself, where there is one.
fn check_values(grid: &Grid, file: &TomlFile) -> Result<(), JobError> {
    let at = |at: &usize| with(file, &grid.settings(*at), Field::Vary).is_err();
    let Some(wrong) = (0..grid.points).into_par_iter().find_first(at) else {
        return Ok(());
    };
    let settings = grid.settings(wrong);
    let why = |set: &[ScenarioSetting]| match Scenario::of_file(file, set) {
        Err(ScenarioSettingError::Setting { message, .. }) => Some(message),
        _ => None,
    };
    let together = why(&settings);
    let alone = settings.iter().map(std::slice::from_ref);
    for one in alone.filter(|one| why(one) == together) {
        with(file, one, Field::Vary)?;
    }
    match with(file, &settings, Field::Vary) {
        Ok(_) => refuse!("{}: changed while it was read", file.path().display()),
        Err(error) => Err(error),
    }
}

/// What a simulation of `options` is asked.
fn simulation(options: &Options) -> scenario::Options {
    scenario::Options {
        scenario: options.scenario.clone(),
        logs: options.logs.clone(),
        seed: options.seed,
        ..scenario::Options::default()
    }
}
