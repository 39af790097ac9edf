//! A scenario at the points of a grid.
//!
//! | deed | place |
//! | --- | --- |
//! | the points, and what is set at each | `grid.rs` |
//! | points are simulated or calculated on all processors | `points.rs` |
//! | what each came to, as rows | `figures.rs` |
//! | finished points are kept, and found again | `kept.rs` |
//! | points that others simulate | `parts.rs` |
//! | the rows as a Parquet file | `table.rs` |
//! | which point is best, where the curve bends | `findings.rs` |

mod figures;
mod findings;
mod grid;
mod kept;
mod options;
mod parts;
mod points;
mod table;

use std::collections::BTreeSet;

use hotset_machine::file;
use hotset_report::{SweepPoint, SweepView, VariedKey};
use hotset_scenario::{Measure, Variation, check_targets};

use crate::error::{misuse, refuse, refused};
use crate::plan::SiteTarget;
use crate::{Field, Input, JobError, Watch};
use findings::{Findings, unmeasured};
use points::Finished;

pub use hotset_report::SweepBy;
pub use options::Options;
pub use parts::Parts;
pub use points::Sweep;

/// What the points came to.
#[derive(Debug)]
pub struct SweepResult {
    /// What reports show.
    pub view: SweepView,
    /// Whether some point meets all targets; to be said after the report.
    pub verdict: Result<(), JobError>,
}

/// Simulates or calculates all points, and writes their table where one is asked for.
///
/// # Errors
/// A scenario or logs that cannot be read, keys and values that cannot be, before anything is simulated; what cannot be written, and an
/// interrupt: finished points are kept then.
pub fn run(options: &Options, watch: &dyn Watch) -> Result<SweepResult, JobError> {
    check(options)?;
    Sweep::read(options, watch)?.run(options, watch)
}

/// As [`run`], of traffic that was read already and is called `name` in messages.
///
/// # Errors
/// As there.
pub fn of_input(
    options: &Options,
    input: Input,
    name: &str,
    watch: &dyn Watch,
) -> Result<SweepResult, JobError> {
    check(options)?;
    Sweep::of_input(options, input, name)?.run(options, watch)
}

/// Refuses results that overwrite each other, and targets that nothing tells of.
///
/// # Errors
/// Both are to be given otherwise.
pub fn check(options: &Options) -> Result<(), JobError> {
    options.results.check()?;
    let mut targets = options.targets.iter();
    let untold = targets.find(|it| it.target.measure != Measure::Mean);
    if let Some(SiteTarget { site, target }) = untold.filter(|_| options.by == SweepBy::Model) {
        misuse!(
            "{} {site}={target}: formulas give the mean alone; write {site}=mean<…, or simulate with {} {}",
            Field::Target,
            Field::By,
            SweepBy::Simulate.name()
        );
    }
    Ok(())
}

impl Sweep {
    fn run(&self, options: &Options, watch: &dyn Watch) -> Result<SweepResult, JobError> {
        self.check_given(options)?;
        let finished = self.solved(options, watch)?;
        self.deliver(options, finished)
    }

    /// For points that are simulated elsewhere: what is kept of them beside the table from before.
    ///
    /// # Errors
    /// A point that cannot be simulated, targets of sites that there are not, a table in place of what is read, and one that another
    /// sweep writes.
    pub fn parts(&self, options: &Options, watch: &dyn Watch) -> Result<Parts, JobError> {
        self.check_given(options)?;
        self.kept_parts(options, watch)
    }

    /// The result of all points, with the table written.
    ///
    /// # Errors
    /// Points that are missing, and a table that cannot be written.
    pub fn of_parts(&self, options: &Options, parts: Parts) -> Result<SweepResult, JobError> {
        let finished = self.put_together(parts)?;
        self.deliver(options, finished)
    }

    fn check_given(&self, options: &Options) -> Result<(), JobError> {
        let inputs = self.input().files();
        let inputs = inputs.chain([options.scenario.as_path()]);
        options.results.spare_files(inputs)?;
        self.check_targets(&options.targets)
    }

    /// The result, after which no point is kept any more beside the table.
    fn deliver(&self, options: &Options, finished: Finished) -> Result<SweepResult, JobError> {
        let result = self.finish(options, finished.points)?;
        if let Some(kept) = finished.kept {
            kept.remove();
        }
        Ok(result)
    }

    /// Refuses targets of sites that there are not, or that bound the same measure twice.
    fn check_targets(&self, targets: &[SiteTarget]) -> Result<(), JobError> {
        let sites = &self.input().trace.sites;
        for SiteTarget { site, target } in targets {
            if !sites.contains(site) {
                refuse!(
                    "{} {site}={target}: no request belongs to this site; the sites are {}",
                    Field::Target,
                    sites.join(", ")
                );
            }
            let own = targets.iter().filter(|it| it.site == *site);
            let own: Vec<_> = own.map(|it| it.target).collect();
            check_targets(&own)
                .map_err(|why| refused(format!("{} {site}=…: {why}", Field::Target)))?;
        }
        Ok(())
    }

    /// What all points came to, with their table written.
    fn finish(&self, options: &Options, points: Vec<SweepPoint>) -> Result<SweepResult, JobError> {
        if let Some(path) = &options.results.output {
            let cannot = || format!("cannot write {}", path.display());
            let table = table::parquet(&self.grid.vary, options.seed, &points);
            let table = table.map_err(|error| refused(format!("{}: {error}", cannot())))?;
            file::write(path, &table).map_err(|error| JobError::at(cannot(), error))?;
        }
        let unmeasured = unmeasured(&points, &options.targets);
        let view = self.view(options, points);
        let verdict = match view.best {
            Some(_) => Ok(()),
            // Requests fail at all points, which is no condition that was asked for.
            None if view.targets.is_empty() => Ok(()),
            None => Err(JobError::ConditionMet(
                match unmeasured {
                    Some(site) => format!(
                        "{}: no response of {site} was measured at any point, so its target is not met; its requests may be among the first, which warm \
                         the caches up",
                        view.scenario
                    ),
                    None => format!(
                        "{}: none of {} points meets {}",
                        view.scenario,
                        view.points,
                        view.targets.join(" and ")
                    ),
                }
                .into(),
            )),
        };
        Ok(SweepResult { view, verdict })
    }

    fn view(&self, options: &Options, points: Vec<SweepPoint>) -> SweepView {
        let findings = Findings {
            grid: &self.grid,
            points: &points,
            targets: &options.targets,
        };
        let best = findings.best();
        let knee = best.and_then(|best| findings.knee(best));
        let said = |it: &SiteTarget| format!("{}: {}", it.site, it.target);
        let not_modelled = points.iter().flat_map(|it| &it.figures.not_modelled);
        let not_modelled: BTreeSet<&String> = not_modelled.collect();
        SweepView {
            scenario: options.scenario.display().to_string(),
            by: options.by,
            seed: options.seed,
            points: self.grid.points as u64,
            done: points.len() as u64,
            varied: self.grid.vary.iter().map(varied).collect(),
            minimised: self.grid.vary[self.grid.minimised].path().to_owned(),
            targets: options.targets.iter().map(said).collect(),
            meeting: findings.meeting() as u64,
            table: (options.results.output.as_ref()).map(|it| it.display().to_string()),
            best: best.map(|at| findings.point(at)),
            knee: knee.map(|at| findings.point(at)),
            best_of_sites: findings.best_of_sites(),
            failing: findings.failing() as u64,
            unstable: points.iter().filter(|it| !it.figures.stable).count() as u64,
            not_modelled: not_modelled.into_iter().cloned().collect(),
            all: points,
        }
    }
}

fn varied(key: &Variation) -> VariedKey {
    VariedKey {
        path: key.path().to_owned(),
        unit: key.unit(),
        values: key.values().iter().map(|it| it.text.clone()).collect(),
        figures: key.values().iter().filter_map(|it| it.figure).collect(),
    }
}
