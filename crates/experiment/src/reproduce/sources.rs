//! Where figures of ours come from: experiments in a folder, their kept results, and what models predict of them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

use hotset_lab::{Control, go_on};
use hotset_machine::file;
use hotset_outcome::{GroupKey, Outcome, Score, documents};
use hotset_scenario::TomlFile;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::bench::{Bench, BenchFigures};
use super::centre::{Centre, CentreFigures};
use super::document_claim::DocumentClaim;
use super::error_words::in_words;
use super::kept_file::{hash_beside, kept_or_made};
use super::predictions::{self, PointPrediction};
use super::sweep_table::{self, SweepRow};
use super::turns::in_turns;
use crate::claims::{Claim, ClaimReport};
use crate::{Experiment, ExperimentError};

/// Folder of kept predictions, among the experiments.
const PREDICTIONS: &str = "reproduce";
/// Folder of what came of the documents' machines, in that.
const DOCUMENTS: &str = "documents";

/// An experiment that is part of the repository: its file below the folder of experiments, and what the file says, from which claims are known
/// where there is no such folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownExperiment {
    /// Such as `two-sites/experiment.toml`.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// What came of simulating a file, as it is kept.
#[derive(Serialize, Deserialize)]
struct SimulatedFile<T> {
    result: T,
}

/// Figures that were simulated, and what is to be said of that.
type Simulated<T> = Result<(T, Vec<String>), ExperimentError>;

/// An experiment of the repository.
macro_rules! known_experiment {
    ($file:literal) => {
        $crate::reproduce::sources::KnownExperiment {
            file: $file,
            text: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../experiments/",
                $file
            )),
        }
    };
}

pub(crate) use known_experiment;

/// As much of an experiment file as claims something.
#[derive(Deserialize)]
#[serde(expecting = "a table")]
struct Claims {
    #[serde(default)]
    claim: Vec<Claim>,
}

/// Where figures of ours come from. What cannot be used is remarked on, and counts as not there.
pub(crate) struct Sources<'f> {
    folder: &'f Path,
    control: &'f dyn Control,
    /// Kept results that have been read, by their files.
    read: RefCell<BTreeMap<String, Vec<Outcome>>>,
    remarks: RefCell<Vec<String>>,
}

impl<'f> Sources<'f> {
    /// Experiments below `folder`, which need not be there.
    pub fn below(folder: &'f Path, control: &'f dyn Control) -> Self {
        Self {
            folder,
            control,
            read: RefCell::default(),
            remarks: RefCell::default(),
        }
    }

    /// Whether there is a folder of experiments.
    pub fn has_experiments(&self) -> bool {
        self.folder.is_dir()
    }

    /// What was remarked on, in the order in which it was met.
    pub fn into_remarks(self) -> Vec<String> {
        self.remarks.into_inner()
    }

    /// The file of an experiment, if it is there.
    pub fn experiment_file(&self, file: &str) -> Option<PathBuf> {
        let path = self.folder.join(file);
        path.is_file().then_some(path)
    }

    /// The score of a group in an outcome of a kept result, such as of 4K in `ext3-cached` of `file-systems/results/ext3.json`.
    pub fn score(&self, file: &str, outcome: &str, group: &GroupKey) -> Option<Score> {
        let mut read = self.read.borrow_mut();
        let outcomes = read
            .entry(file.to_owned())
            .or_insert_with(|| self.outcomes(file));
        let found = outcomes.iter().find(|it| it.name == outcome)?;
        found.score_of(group).cloned()
    }

    fn outcomes(&self, file: &str) -> Vec<Outcome> {
        let path = self.folder.join(file);
        let outcomes = path.exists().then(|| documents::read(&path));
        let outcomes = outcomes.and_then(|outcomes| self.usable(outcomes));
        outcomes.unwrap_or_default()
    }

    /// The rows of a kept sweep; none where it is not there.
    pub fn sweep(&self, file: &str) -> Vec<SweepRow> {
        let path = self.folder.join(file);
        let rows = path.exists().then(|| sweep_table::read(&path));
        let rows = rows.and_then(|rows| self.usable(rows));
        rows.unwrap_or_default()
    }

    /// As much of a kept result as `T` has.
    pub fn kept<T: DeserializeOwned>(&self, file: &str) -> Option<T> {
        let path = self.folder.join(file);
        self.usable(file::read_json(&path))?
    }

    /// What documents claim of an experiment, as its kept results decide it.
    pub fn claims(&self, experiment: KnownExperiment) -> Vec<DocumentClaim> {
        let reports = self.reports(experiment);
        reports.iter().map(DocumentClaim::from).collect()
    }

    /// The same, each with what is simulated of it, by what it says: a figure that is held to the same bounds.
    pub fn claims_and_simulated(
        &self,
        experiment: KnownExperiment,
        simulated: impl Fn(&str) -> Option<f64>,
    ) -> Vec<DocumentClaim> {
        let with = |report: &ClaimReport| {
            let judged = simulated(&report.says).map(|figure| {
                let is_least = report.least.is_none_or(|least| figure >= least);
                let holds = is_least && report.most.is_none_or(|most| figure <= most);
                let words = format!("Simulated on the document's machines: {figure:.3}.");
                (holds, words)
            });
            DocumentClaim::from(report).and_simulated(judged)
        };
        self.reports(experiment).iter().map(with).collect()
    }

    fn reports(&self, experiment: KnownExperiment) -> Vec<ClaimReport> {
        let measured = self.measured_claims(experiment.file);
        let reports = measured.or_else(|| self.usable(unmeasured_claims(experiment)));
        reports.unwrap_or_default()
    }

    /// The same as reports, with their figures; none where the experiment is not there.
    pub fn measured_claims(&self, file: &str) -> Option<Vec<ClaimReport>> {
        let path = self.experiment_file(file)?;
        self.usable(Experiment::load(&path).and_then(|it| it.claims()))
    }

    /// What models predict of an experiment's kept results, as it is kept or else anew.
    pub fn predictions(&self, experiment: KnownExperiment) -> Vec<PointPrediction> {
        let Some(path) = self.experiment_file(experiment.file) else {
            return Vec::new();
        };
        let name = experiment.file.trim_end_matches(".toml").replace('/', "-");
        let kept = self.folder.join(PREDICTIONS).join(name + ".json");
        let found = self.usable(predictions::of(&path, &kept, self.control));
        let Some(found) = found else {
            return Vec::new();
        };
        self.remarks.borrow_mut().extend(found.remarks);
        found.predictions
    }

    /// What `simulate` makes of the file `settings` below the folder and of those beside it, as it is kept or else anew; nothing where that file is
    /// not there.
    pub fn simulated<T: Serialize + DeserializeOwned>(
        &self,
        name: &str,
        settings: &str,
        simulate: impl FnOnce(&Path, &dyn Control) -> Result<T, ExperimentError>,
    ) -> Option<T> {
        let path = self.experiment_file(settings)?;
        let kept = self.folder.join(PREDICTIONS).join(format!("{name}.json"));
        let made = self.usable(hash_beside(&path, "").and_then(|made_from| {
            kept_or_made(&kept, made_from, || {
                go_on(self.control)?;
                self.control.step(&format!("simulating {}", path.display()));
                let result = simulate(&path, self.control)?;
                Ok(SimulatedFile { result })
            })
        }));
        let (found, remarks) = made?;
        self.remarks.borrow_mut().extend(remarks);
        Some(found.result)
    }

    /// What came of these data-centres, by their names: as it is kept, or else simulated now, on all processors. Those are left out whose scenario is not
    /// there, or cannot be simulated.
    pub fn centres(&self, centres: &[Centre]) -> BTreeMap<String, CentreFigures> {
        let (folder, control) = (self.folder, self.control);
        let kept = folder.join(PREDICTIONS).join(DOCUMENTS);
        let simulated = in_turns(centres, |centre| {
            let is_there = folder.join(centre.scenario).is_file();
            is_there.then(|| centre.figures(folder, &kept, control))
        });
        let names = centres.iter().map(|centre| centre.name.as_str());
        self.found(names, simulated)
    }

    /// The same of jobs, which are left out where their profile is not there.
    pub fn benches(&self, benches: &[Bench]) -> BTreeMap<String, BenchFigures> {
        let (folder, control) = (self.folder, self.control);
        let kept = folder.join(PREDICTIONS).join(DOCUMENTS);
        let simulated = in_turns(benches, |bench| {
            let is_there = folder.join(bench.profile).is_file();
            is_there.then(|| bench.figures(folder, &kept, control))
        });
        let names = benches.iter().map(|bench| bench.name.as_str());
        self.found(names, simulated)
    }

    /// What was simulated, by name.
    fn found<'n, T>(
        &self,
        names: impl Iterator<Item = &'n str>,
        simulated: Vec<Option<Option<Simulated<T>>>>,
    ) -> BTreeMap<String, T> {
        let found = names.zip(simulated).filter_map(|(name, simulated)| {
            let (figures, remarks) = self.usable(simulated??)?;
            self.remarks.borrow_mut().extend(remarks);
            Some((name.to_owned(), figures))
        });
        found.collect()
    }

    /// What there is, or nothing and a remark.
    fn usable<T, E: Error + 'static>(&self, found: Result<T, E>) -> Option<T> {
        match found {
            Ok(found) => Some(found),
            Err(error) => {
                let remark = format!("{}; it is left out", in_words(&error));
                let mut remarks = self.remarks.borrow_mut();
                if !remarks.contains(&remark) {
                    remarks.push(remark);
                }
                None
            }
        }
    }
}

/// What an experiment's file claims, of which nothing is measured.
fn unmeasured_claims(experiment: KnownExperiment) -> Result<Vec<ClaimReport>, ExperimentError> {
    let file = TomlFile::from_text(experiment.text, Path::new(experiment.file));
    let claims: Claims = file.parse()?;
    Ok(claims.claim.iter().map(|claim| claim.report(&[])).collect())
}
