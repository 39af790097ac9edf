//! Where the results of a job go, and what they must not overwrite.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use hotset_machine::temporary::folder_of;
use hotset_machine::{Destination, STANDARD_OUTPUT};

use hotset_trace::folder::Existing;

use crate::Input;
use crate::error::{JobError, misuse, refuse, usage};

/// Where the results of a job go.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// File for what the job makes.
    pub output: Option<PathBuf>,
    /// File for the report as an HTML page.
    pub html: Option<PathBuf>,
    /// Folder for the tables as CSV files.
    pub csv: Option<PathBuf>,
    /// Whether the report is printed as JSON.
    pub json: bool,
}

impl Results {
    /// The files that results are written to.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let files = [self.output.as_deref(), self.html.as_deref()];
        files.into_iter().flatten()
    }

    /// Whether one of the files is standard output: then nothing else is printed there.
    pub fn take_standard_output(&self) -> bool {
        let mut files = self.files();
        files.any(|file| Destination::of(file).is_ok_and(|it| it == STANDARD_OUTPUT))
    }

    /// Refuses what could not be written, before any work is done.
    ///
    /// # Errors
    /// A file that is named for two results or cannot be, or a folder for tables that is none.
    pub fn check(&self) -> Result<(), JobError> {
        let mut taken = Vec::new();
        if self.json {
            taken.push(STANDARD_OUTPUT);
        }
        for file in self.files() {
            let destination = destination(file)?;
            let is_shared = !matches!(destination, Destination::Device(_));
            if is_shared && taken.contains(&destination) {
                misuse!(
                    "{}: named for two results; give each a file of its own",
                    file.display()
                );
            }
            taken.push(destination);
        }
        match &self.csv {
            Some(folder) if folder.exists() && !folder.is_dir() => refuse!(
                "{}: is not a folder; name a folder for the tables",
                folder.display()
            ),
            _ => Ok(()),
        }
    }

    /// Refuses results that would overwrite what is read: a log is not to be overwritten by its plan.
    ///
    /// # Errors
    /// A result among `inputs`, or CSV files of theirs in the folder for tables.
    pub(crate) fn spare(&self, input: &Input) -> Result<(), JobError> {
        self.spare_files(input.files())
    }

    /// As [`Self::spare`], where files are read that are no logs.
    pub(crate) fn spare_files<'a>(
        &self,
        inputs: impl Iterator<Item = &'a Path>,
    ) -> Result<(), JobError> {
        let inputs: Vec<&Path> = inputs.collect();
        spare(self.files(), inputs.iter().copied())?;
        let Some(Ok(folder)) = self.csv.as_ref().map(fs::canonicalize) else {
            return Ok(());
        };
        let is_in_danger = |file: &&Path| {
            let is_csv = file.extension().is_some_and(|ending| ending == "csv");
            is_csv && fs::canonicalize(folder_of(file)).is_ok_and(|of_file| of_file == folder)
        };
        match inputs.into_iter().find(is_in_danger) {
            None => Ok(()),
            Some(file) => Err(usage(format!(
                "{}: is read, and could be overwritten by a table; name another folder",
                file.display()
            ))),
        }
    }
}

/// Refuses `files` for results that are among `inputs`.
pub(crate) fn spare<'a>(
    files: impl Iterator<Item = &'a Path>,
    mut inputs: impl Iterator<Item = &'a Path>,
) -> Result<(), JobError> {
    let files: Vec<PathBuf> = files.flat_map(fs::canonicalize).collect();
    let read = inputs.find(|input| {
        let input = fs::canonicalize(input);
        input.is_ok_and(|input| files.contains(&input))
    });
    match read {
        None => Ok(()),
        Some(input) => Err(usage(format!(
            "{}: is read, and would be overwritten by the result; name another file",
            input.display()
        ))),
    }
}

/// What `file` leads to; an error says what to do about it.
fn destination(file: &Path) -> Result<Destination, JobError> {
    let name = file.display();
    match Destination::of(file) {
        Ok(destination) => Ok(destination),
        Err(_) if file.is_dir() => refuse!("{name}: is a folder; name a file in it"),
        Err(error) if error.kind() == ErrorKind::NotFound => refuse!(
            "{name}: there is no folder {}; create it first",
            folder_of(file).display()
        ),
        Err(error) => Err(JobError::at(format!("cannot write {name}"), error)),
    }
}

/// What becomes of a trace folder that is there already.
pub(crate) fn existing(replace: bool) -> Existing {
    match replace {
        true => Existing::Replace,
        false => Existing::Refuse,
    }
}
