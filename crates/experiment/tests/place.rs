//! A folder with an experiment in it, and what is refused there.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use hotset_document::{Style, Table};
use hotset_experiment::{Experiment, ExperimentError, Item, Report, Selection, Tools};
use hotset_lab::Control;
use hotset_machine::Directories;
use tempfile::TempDir;

/// Tells nobody, and never ends.
pub struct Calm;

impl Control for Calm {
    fn step(&self, _: &str) {}

    fn interrupted(&self) -> bool {
        false
    }
}

/// A folder with `experiment.toml` and the files that it names.
pub struct Place(TempDir);

impl Place {
    pub fn with(files: &[(&str, &str)]) -> Self {
        let place = Self(tempfile::tempdir().expect("a temporary folder"));
        for (name, text) in files {
            place.write(name, text);
        }
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder takes folders");
        fs::write(path, text).expect("the folder takes files");
    }

    pub fn entries(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the folder is there");
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.flatten().map(name).collect();
        names.sort();
        names
    }

    pub fn load(&self) -> Result<Experiment, ExperimentError> {
        Experiment::load(&self.path("experiment.toml"))
    }

    pub fn list(&self, selection: &Selection) -> Result<Vec<Item>, ExperimentError> {
        self.load()?.list(selection)
    }

    pub fn show(&self) -> Result<Report, ExperimentError> {
        self.load()?.show(&Selection::default())
    }

    /// Measures what is selected, with disk images in `work` and no program to start.
    pub fn run(&self, selection: &Selection, work: &str) -> Result<usize, ExperimentError> {
        let tools = Tools {
            directories: Directories {
                ledgers: self.path("ledgers"),
                work: self.path(work),
            },
            program: OsString::from("false"),
            drive_command: Vec::new(),
            reader_command: Vec::new(),
        };
        self.load()?.run(selection, &tools, "2026-11-24", &Calm)
    }
}

/// Says `wanted` in one line, and is no matter of what was selected.
#[track_caller]
pub fn says<T>(result: Result<T, ExperimentError>, wanted: &str) {
    let Err(error) = result else {
        panic!("it is not refused; {wanted:?}")
    };
    let message = error.to_string();
    assert!(
        !matches!(error, ExperimentError::Selection(_)),
        "{message:?}"
    );
    assert!(message.contains(wanted), "{wanted:?} is not in {message:?}");
    assert_eq!(message.lines().count(), 1, "{message:?}");
}

/// Refuses the selection, and says `wanted`.
#[track_caller]
pub fn selects_nothing<T>(result: Result<T, ExperimentError>, wanted: &str) {
    match result.map(drop) {
        Err(ExperimentError::Selection(message)) => {
            assert!(message.contains(wanted), "{wanted:?} is not in {message:?}");
        }
        other => panic!("not a matter of the selection: {other:?}"),
    }
}

/// A table of a report as people and programs read it.
pub struct Sheet {
    /// Its header, then its rows, with figures in full.
    pub rows: Vec<Vec<String>>,
    lines: String,
}

impl Sheet {
    /// The table whose title begins so.
    pub fn of(report: &Report, title: &str) -> Self {
        let mut tables = report.tables.iter();
        let found = tables.find(|(own, _)| own.starts_with(title));
        Self::from(&found.expect("the table").1)
    }

    /// The row of these labels.
    pub fn row(&self, labels: &[&str]) -> &[String] {
        let mut rows = self.rows.iter();
        rows.find(|row| {
            row.starts_with(&labels.iter().map(ToString::to_string).collect::<Vec<_>>())
        })
        .expect("its row")
    }

    /// The figure in a column of a row; nothing where there is none.
    pub fn figure(&self, labels: &[&str], column: usize) -> Option<f64> {
        self.row(labels)[labels.len() + column].parse().ok()
    }

    /// The line of these labels.
    pub fn line(&self, labels: &[&str]) -> &str {
        let is_own = |line: &&str| labels.iter().all(|label| line.contains(label));
        self.lines.lines().find(is_own).expect("its line")
    }
}

impl From<&Table> for Sheet {
    fn from(table: &Table) -> Self {
        let text = table.csv().expect("text");
        let rows = text
            .lines()
            .map(|line| line.split(',').map(str::to_owned).collect());
        Self {
            rows: rows.collect(),
            lines: table.render(Style::PLAIN),
        }
    }
}
