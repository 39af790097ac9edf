//! The experiment file: what is measured, on which scenario, and what its results are laid beside.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use hotset_lab::Control;
use hotset_scenario::{ApplicationProfile, FileError, Scenario, ServerProfile, TomlFile};
use serde::de::{Error, IgnoredAny};
use serde::{Deserialize, Deserializer};
use strum::VariantArray as _;
use toml::Spanned;

use crate::claims::{Claim, ClaimReport, Measure};
use crate::harness::{Harness, Item};
use crate::header::Header;
use crate::kept::Results;
use crate::kinds::databases::Databases;
use crate::kinds::file_sending::FileSending;
use crate::kinds::file_systems::FileSystems;
use crate::kinds::fio_jobs::FioJobs;
use crate::kinds::jobs::StoreJobs;
use crate::kinds::nfs_timed::NfsTimed;
use crate::kinds::open_trace::OpenTrace;
use crate::kinds::pollution::Pollution;
use crate::kinds::sensitivity::Sensitivity;
use crate::kinds::served_sites::ServedSites;
use crate::kinds::tiers::TiersStudy;
use crate::quoted::Quotations;
use crate::scores::ScoredFigure;
use crate::session::Tools;
use crate::show::Report;
use crate::study::{Kind, Study};
use crate::{ExperimentError, Selection};

/// An experiment.
pub struct Experiment {
    header: Header,
    /// Documents of published tables by the measurement that they are laid beside.
    quoted: BTreeMap<String, PathBuf>,
    study: Box<dyn Harness>,
}

/// The smallest class has files of 43 KB on average.
const SCALE_MAX: u64 = 1000;

/// As much of the file as says which section it needs.
#[derive(Deserialize)]
#[serde(expecting = "a table")]
struct Outline {
    kind: Spanned<Kind>,
}

/// The whole file, with the section of its kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a table")]
struct Tables<S> {
    name: String,
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    scenario: Spanned<String>,
    #[serde(default)]
    seed: u64,
    #[serde(default = "whole", deserialize_with = "scale")]
    scale: u64,
    #[serde(default = "usual_results")]
    results: String,
    #[serde(default)]
    quoted: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    not_measured: BTreeMap<String, String>,
    #[serde(default)]
    claim: Vec<Claim>,
    #[serde(
        rename = "shared-node",
        alias = "file-systems",
        alias = "fio-jobs",
        alias = "sensitivity",
        alias = "file-sending",
        alias = "served-sites",
        alias = "open-trace",
        alias = "tiers",
        alias = "databases",
        alias = "nfs-timed"
    )]
    section: Spanned<S>,
}

fn whole() -> u64 {
    1
}

fn usual_results() -> String {
    "results".to_owned()
}

fn scale<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    match NonZeroU64::deserialize(deserializer)?.get() {
        scale if scale > SCALE_MAX => Err(D::Error::custom(format!(
            "{scale} is more than {SCALE_MAX}, which leaves files of a few bytes"
        ))),
        scale => Ok(scale),
    }
}

impl Experiment {
    /// The experiment in the TOML file at `path`; relative paths in it start at its folder.
    ///
    /// # Errors
    /// A file that cannot be read or used, with line and column; a scenario that the experiment cannot be run on.
    pub fn load(path: &Path) -> Result<Self, ExperimentError> {
        Self::parse(&TomlFile::read(path)?)
    }

    /// As [`Experiment::load`], from a file that has been read.
    ///
    /// # Errors
    /// As there.
    pub fn parse(file: &TomlFile) -> Result<Self, ExperimentError> {
        let kind = file.parse::<Outline>()?.kind;
        check_sections(file, &kind)?;
        match kind.get_ref() {
            Kind::SharedNode => Self::of::<Pollution>(file),
            Kind::FileSystems => Self::of::<FileSystems>(file),
            Kind::FioJobs => Self::of::<StoreJobs<FioJobs>>(file),
            Kind::Sensitivity => Self::of::<Sensitivity>(file),
            Kind::FileSending => Self::of::<StoreJobs<FileSending>>(file),
            Kind::ServedSites => Self::of::<ServedSites>(file),
            Kind::OpenTrace => Self::of::<OpenTrace>(file),
            Kind::Tiers => Self::of::<TiersStudy>(file),
            Kind::Databases => Self::of::<Databases>(file),
            Kind::NfsTimed => Self::of::<NfsTimed>(file),
        }
    }

    fn of<S: Study + 'static>(file: &TomlFile) -> Result<Self, ExperimentError> {
        let tables: Tables<S::Section> = file.parse()?;
        let path = existing(file, "`scenario`", &tables.scenario)?;
        let scenario = Scenario::load(&path)?;
        let quoted = tables.quoted.iter().map(|(phase, document)| {
            let path = existing(file, &format!("`{phase}` in [quoted]"), document)?;
            Ok((phase.clone(), path))
        });
        let quoted = quoted.collect::<Result<_, FileError>>()?;
        let mut claims = tables.claim.iter();
        if !S::restarts(tables.section.get_ref())
            && claims.any(|claim| claim.figure == Measure::SecondsToWarm)
        {
            let message = "`figure` = \"seconds-to-warm\" in [[claim]]: nothing is restarted; take another figure, or add [databases.restart]";
            return Err(file.error(tables.section.span(), message).into());
        }
        let header = Header {
            name: tables.name,
            seed: tables.seed,
            scale: tables.scale,
            folder: file.folder().to_owned(),
            scenario: path,
            results: Results(file.folder().join(&tables.results)),
            not_measured: tables.not_measured,
            claims: tables.claim,
        };
        let checked = S::check(tables.section.get_ref());
        checked.map_err(|why| file.error(tables.section.span(), why))?;
        let study = Box::new(S::new(tables.section.into_inner(), &header, &scenario)?);
        check_phases(file, &tables.quoted, S::PHASES)?;
        Ok(Self {
            header,
            quoted,
            study,
        })
    }

    /// The selected points in the order in which they are measured.
    ///
    /// # Errors
    /// A selection of what the experiment does not have; a result that cannot be read.
    pub fn list(&self, selection: &Selection) -> Result<Vec<Item>, ExperimentError> {
        self.study.list(&self.header, selection)
    }

    /// Measures the selected points that have not been measured under the experiment's settings; every result is written
    /// as soon as it is there. Returns how many were measured. `date`: when, as results are to say it.
    ///
    /// # Errors
    /// As for [`Experiment::list`]; what the machine lacks, what fails on the way, and
    /// [`hotset_lab::LabError::Interrupted`]. Nothing is left behind then but results.
    pub fn run(
        &self,
        selection: &Selection,
        tools: &Tools,
        date: &str,
        control: &dyn Control,
    ) -> Result<usize, ExperimentError> {
        self.study
            .run(&self.header, selection, tools, date, control)
    }

    /// What the kept results say of the costs of servers.
    ///
    /// # Errors
    /// A result that cannot be read, and results that do not tell. Those of kind tiers do, of servers that were asked for files of two
    /// sizes, and those of kind nfs-timed, of a file server.
    pub fn server_profile(&self) -> Result<ServerProfile, ExperimentError> {
        self.study.server_profile(&self.header)
    }

    /// What the kept results say of the pages of an application.
    ///
    /// # Errors
    /// A result that cannot be read, and results that do not tell. Those of kind databases do, in which one browser asks at full speed.
    pub fn application_profile(&self) -> Result<ApplicationProfile, ExperimentError> {
        self.study.application_profile(&self.header)
    }

    /// What documents claim, as the kept results decide it; measures and predicts nothing.
    ///
    /// # Errors
    /// A result that cannot be read.
    pub fn claims(&self) -> Result<Vec<ClaimReport>, ExperimentError> {
        self.study.claims(&self.header)
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.header.name
    }

    /// Figures of jobs, measured and simulated, of all results that are kept; none of kinds without jobs.
    ///
    /// # Errors
    /// A result that cannot be read; a prediction that cannot be made.
    pub fn figures(&self) -> Result<Vec<ScoredFigure>, ExperimentError> {
        self.study.figures(&self.header)
    }

    /// Lays the kept results of the selected points beside what is predicted and published; measures nothing.
    ///
    /// # Errors
    /// As for [`Experiment::list`]; a published table that cannot be read; a prediction that cannot be made.
    pub fn show(&self, selection: &Selection) -> Result<Report, ExperimentError> {
        let quoted = Quotations::read(&self.quoted)?;
        self.study.show(&self.header, selection, quoted)
    }
}

/// The file has the section of its kind, and no other kind's.
fn check_sections(file: &TomlFile, kind: &Spanned<Kind>) -> Result<(), FileError> {
    let name = kind.get_ref().name();
    let keys: BTreeMap<String, Spanned<IgnoredAny>> = file.parse()?;
    if !keys.contains_key(name) {
        let message =
            format!("`kind`: an experiment of kind {name} needs a section [{name}]; add it");
        return Err(file.error(kind.span(), message));
    }
    let others = Kind::VARIANTS.iter().map(|kind| kind.name());
    let mut others = others.filter(|other| *other != name);
    match others.find_map(|other| keys.get_key_value(other)) {
        None => Ok(()),
        Some((other, section)) => {
            let message = format!("[{other}] is for experiments of that kind; take it out");
            Err(file.error(section.span(), message))
        }
    }
}

/// The path of a file that a key names, beside the experiment file.
fn existing(file: &TomlFile, key: &str, name: &Spanned<String>) -> Result<PathBuf, FileError> {
    let path = file.folder().join(name.get_ref());
    if path.is_file() {
        return Ok(path);
    }
    let message = format!("{key}: there is no file {}", path.display());
    Err(file.error(name.span(), message))
}

/// Published tables stand beside measurements that the experiment has.
fn check_phases(
    file: &TomlFile,
    quoted: &BTreeMap<String, Spanned<String>>,
    phases: &[&str],
) -> Result<(), FileError> {
    let unknown = quoted
        .iter()
        .find(|(phase, _)| !phases.contains(&phase.as_str()));
    match unknown {
        None => Ok(()),
        Some((phase, document)) => {
            let message = format!(
                "`{phase}` in [quoted]: the experiment measures no `{phase}`; it measures {}",
                phases.join(", ")
            );
            Err(file.error(document.span(), message))
        }
    }
}
