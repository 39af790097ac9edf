//! The experiment file: what is measured, on which scenario, and what its results are laid beside.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use hotset_lab::Control;
use hotset_scenario::{FileError, Scenario, TomlFile};
use serde::de::{Error, IgnoredAny};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::harness::{Harness, Item};
use crate::header::Header;
use crate::kept::Results;
use crate::kinds::file_sending::FileSending;
use crate::kinds::file_systems::FileSystems;
use crate::kinds::fio_jobs::FioJobs;
use crate::kinds::sensitivity::Sensitivity;
use crate::kinds::shared_node::SharedNode;
use crate::kinds::{file_sending, file_systems, fio_jobs, sensitivity, shared_node};
use crate::quoted::Quoted;
use crate::session::Tools;
use crate::show::Report;
use crate::study::Study;
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

/// The kinds of experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    /// Two sites on one node with too little memory, under several ways of using the memory.
    SharedNode,
    /// What each file system costs, bare and through a server.
    FileSystems,
    /// Jobs of fio on every store, measured and simulated.
    FioJobs,
    /// Jobs of fio, simulated as parameters leave a base.
    Sensitivity,
    /// A file of every store handed to a socket in several ways, measured and simulated.
    FileSending,
}

impl Kind {
    const ALL: [Self; 5] = [
        Self::SharedNode,
        Self::FileSystems,
        Self::FioJobs,
        Self::Sensitivity,
        Self::FileSending,
    ];

    /// As files write it, and its section.
    fn name(self) -> &'static str {
        match self {
            Self::SharedNode => SharedNode::KIND,
            Self::FileSystems => FileSystems::KIND,
            Self::FioJobs => FioJobs::KIND,
            Self::Sensitivity => Sensitivity::KIND,
            Self::FileSending => FileSending::KIND,
        }
    }
}

/// As much of the file as says which section it needs.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", expecting = "a table")]
struct Outline {
    kind: Spanned<Kind>,
    shared_node: Option<Spanned<IgnoredAny>>,
    file_systems: Option<Spanned<IgnoredAny>>,
    fio_jobs: Option<Spanned<IgnoredAny>>,
    sensitivity: Option<Spanned<IgnoredAny>>,
    file_sending: Option<Spanned<IgnoredAny>>,
}

impl Outline {
    fn section(&self, kind: Kind) -> Option<&Spanned<IgnoredAny>> {
        match kind {
            Kind::SharedNode => self.shared_node.as_ref(),
            Kind::FileSystems => self.file_systems.as_ref(),
            Kind::FioJobs => self.fio_jobs.as_ref(),
            Kind::Sensitivity => self.sensitivity.as_ref(),
            Kind::FileSending => self.file_sending.as_ref(),
        }
    }
}

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a table")]
struct Tables {
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
    shared_node: Option<Spanned<shared_node::Section>>,
    file_systems: Option<file_systems::Section>,
    fio_jobs: Option<fio_jobs::Section>,
    sensitivity: Option<sensitivity::Section>,
    file_sending: Option<file_sending::Section>,
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
        check_sections(file, &file.parse()?)?;
        let tables: Tables = file.parse()?;
        let scenario = Scenario::load(&existing(file, "`scenario`", &tables.scenario)?)?;
        let quoted = tables.quoted.iter().map(|(phase, document)| {
            let path = existing(file, &format!("`{phase}` in [quoted]"), document)?;
            Ok((phase.clone(), path))
        });
        let quoted = quoted.collect::<Result<_, FileError>>()?;
        let header = Header {
            name: tables.name,
            seed: tables.seed,
            scale: tables.scale,
            results: Results(file.folder().join(&tables.results)),
            not_measured: tables.not_measured,
        };
        let sections = (
            tables.shared_node,
            tables.file_systems,
            tables.fio_jobs,
            tables.sensitivity,
            tables.file_sending,
        );
        let (folder, header, scenario) = (file.folder(), &header, &scenario);
        let study = match sections {
            (Some(section), ..) => {
                let checked = section.get_ref().check();
                checked.map_err(|why| file.error(section.span(), why))?;
                study::<SharedNode>(section.into_inner(), folder, header, scenario)
            }
            (_, Some(section), ..) => study::<FileSystems>(section, folder, header, scenario),
            (_, _, Some(section), ..) => study::<FioJobs>(section, folder, header, scenario),
            (.., Some(section), _) => study::<Sensitivity>(section, folder, header, scenario),
            (.., Some(section)) => study::<FileSending>(section, folder, header, scenario),
            (None, None, None, None, None) => {
                return Err(file.error(0..0, "has no section of its kind").into());
            }
        }?;
        check_phases(file, &tables.quoted, &study.phases())?;
        Ok(Self {
            header: header.clone(),
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

    /// Lays the kept results of the selected points beside what is predicted and published; measures nothing.
    ///
    /// # Errors
    /// As for [`Experiment::list`]; a published table that cannot be read; a prediction that cannot be made.
    pub fn show(&self, selection: &Selection) -> Result<Report, ExperimentError> {
        let quoted = Quoted::read(&self.quoted)?;
        self.study.show(&self.header, selection, quoted)
    }
}

fn study<S: Study + 'static>(
    section: S::Section,
    folder: &Path,
    header: &Header,
    scenario: &Scenario,
) -> Result<Box<dyn Harness>, ExperimentError> {
    Ok(Box::new(S::new(section, folder, header, scenario)?))
}

/// The file has the section of its kind, and no other kind's.
fn check_sections(file: &TomlFile, outline: &Outline) -> Result<(), FileError> {
    let kind = *outline.kind.get_ref();
    let name = kind.name();
    if outline.section(kind).is_none() {
        let message =
            format!("`kind`: an experiment of kind {name} needs a section [{name}]; add it");
        return Err(file.error(outline.kind.span(), message));
    }
    let others = Kind::ALL.into_iter().filter(|it| *it != kind);
    let other = others
        .filter_map(|it| Some((it.name(), outline.section(it)?.span())))
        .next();
    match other {
        None => Ok(()),
        Some((name, span)) => {
            let message = format!("[{name}] is for experiments of that kind; take it out");
            Err(file.error(span, message))
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
