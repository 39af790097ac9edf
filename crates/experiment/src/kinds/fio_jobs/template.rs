//! Job files with places: `bs=${block}` in a file, `block = ["4k", "64k"]` in the experiment.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use hotset_cache::PAGE_BYTES;
use hotset_models::fio::{Iolog, Job, JobFile};
use sha2::{Digest as _, Sha256};

use super::section::Section;
use crate::ExperimentError;

/// Combinations of values of which somebody waits for the measurement.
const MOST_FILES: usize = 1000;

/// A job file with values in its places, and the logs that its jobs replay.
#[derive(Clone, Debug)]
pub(crate) struct ExpandedFile {
    pub text: String,
    pub file: JobFile,
    /// Whether it was set aside until the model was done.
    pub is_set_aside: bool,
}

impl ExpandedFile {
    /// From its text; `path` is for messages, and logs are named from its folder.
    ///
    /// # Errors
    /// Jobs that the model does not know; a log that cannot be used.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ExperimentError> {
        let unusable = |message: String| ExperimentError::Unusable(message);
        let mut file = JobFile::parse(text, path).map_err(|error| unusable(error.to_string()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        file.load_logs(folder)
            .map_err(|error| unusable(error.to_string()))?;
        let text = text.to_owned();
        Ok(Self {
            text,
            file,
            is_set_aside: false,
        })
    }
}

/// What the logs that jobs replay say, as hashes: a kept result stands for the log that it was measured with.
pub(super) fn log_hashes(files: &[ExpandedFile]) -> Vec<String> {
    let jobs = files.iter().flat_map(|file| &file.file.jobs);
    let logs = jobs.filter_map(|job| job.log.as_ref());
    let hash = |log: &Arc<Iolog>| {
        let bytes = Sha256::digest(log.to_fio());
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    };
    logs.map(hash).collect()
}

/// Every job file with every combination of the values for its places; the last named value changes fastest.
///
/// # Errors
/// A file that cannot be read, has a place without values, or jobs that cannot be used; two jobs of one name.
pub(super) fn expand(
    section: &Section,
    folder: &Path,
) -> Result<Vec<ExpandedFile>, ExperimentError> {
    let mut files = Vec::new();
    for name in section.jobs.iter().chain(&section.set_aside) {
        let path = folder.join(name);
        let is_set_aside = section.set_aside.contains(name);
        for text in filled(read(&path)?, section)? {
            files.push(ExpandedFile {
                is_set_aside,
                ..checked(&text, &path)?
            });
        }
    }
    check_names(&files, section)?;
    check_preparing(&files, section)?;
    Ok(files)
}

/// The text of the job file at `path`.
///
/// # Errors
/// One that cannot be read.
pub(crate) fn read(path: &Path) -> Result<String, ExperimentError> {
    let unusable = |why: String| {
        let path = path.display();
        ExperimentError::Unusable(format!(
            "{path}: {why}; name a job file beside the experiment file"
        ))
    };
    // Devices and pipes may never end.
    if !path.is_file() {
        return Err(unusable("there is no such file".to_owned()));
    }
    std::fs::read_to_string(path).map_err(|error| unusable(format!("cannot read: {error}")))
}

/// `text` with every combination of values.
fn filled(text: String, section: &Section) -> Result<Vec<String>, ExperimentError> {
    let mut texts = vec![text];
    for (name, values) in &section.values {
        let place = format!("${{{name}}}");
        let fill = |text: &String| match text.contains(&place) {
            false => vec![text.clone()],
            true => values
                .iter()
                .map(|value| text.replace(&place, value))
                .collect(),
        };
        if texts.len() * values.len() > MOST_FILES {
            return Err(ExperimentError::Unusable(format!(
                "[fio-jobs.values] makes more than {MOST_FILES} job files of one; give fewer values"
            )));
        }
        texts = texts.iter().flat_map(fill).collect();
    }
    Ok(texts)
}

/// A job file without places left; `path` is for messages, and logs are named from its folder.
///
/// # Errors
/// A place that nothing stands for, and jobs that cannot be used.
pub(crate) fn checked(text: &str, path: &Path) -> Result<ExpandedFile, ExperimentError> {
    let left = text
        .split_once("${")
        .and_then(|(_, rest)| rest.split_once('}'));
    if let Some((name, _)) = left {
        let path = path.display();
        return Err(ExperimentError::Unusable(format!(
            "{path}: nothing stands for ${{{name}}}; add `{name}` to `values`"
        )));
    }
    ExpandedFile::parse(text, path)
}

fn check_names(files: &[ExpandedFile], section: &Section) -> Result<(), ExperimentError> {
    let mut names: Vec<&str> = files
        .iter()
        .flat_map(|file| &file.file.jobs)
        .map(|job| job.name.as_str())
        .collect();
    names.sort_unstable();
    let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
    match (names.first(), twice) {
        (None, _) => Err(ExperimentError::Unusable(format!(
            "{}: no jobs; give a job file with sections",
            section.jobs.join(", ")
        ))),
        (_, Some(pair)) => Err(ExperimentError::Unusable(format!(
            "two jobs are called {}; put a place such as ${{block}} into the name in brackets",
            pair[0]
        ))),
        _ => Ok(()),
    }
}

fn check_preparing(files: &[ExpandedFile], section: &Section) -> Result<(), ExperimentError> {
    let is_job = |name: &&String| {
        let mut jobs = files.iter().flat_map(|file| &file.file.jobs);
        jobs.any(|job| job.name == **name)
    };
    match section.preparing.iter().find(|name| !is_job(name)) {
        None => Ok(()),
        Some(name) => Err(ExperimentError::Unusable(format!(
            "`preparing` in [fio-jobs]: no job is called {name}; give names as in brackets in the job files"
        ))),
    }
}

/// Bytes of all files that jobs read; each is counted once.
pub(super) fn needed_bytes(files: &[ExpandedFile]) -> u64 {
    let jobs = files.iter().flat_map(|file| &file.file.jobs);
    let of_job = |job: &Job| {
        let files = (0..job.threads).flat_map(|number| job.files(number));
        files.collect::<Vec<_>>()
    };
    let mut sizes: BTreeMap<String, u64> = BTreeMap::new();
    for (name, bytes) in jobs.flat_map(of_job) {
        let known = sizes.entry(name).or_default();
        *known = (*known).max(bytes.next_multiple_of(PAGE_BYTES));
    }
    sizes.values().sum()
}
