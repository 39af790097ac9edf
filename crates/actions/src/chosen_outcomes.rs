//! Which outcomes of which documents are compared, and what each is called.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use hotset_outcome::{Outcome, documents};

use crate::JobError;
use crate::error::{misuse, refuse};

/// The outcomes asked for, each under a name of its own.
#[derive(Clone, Debug)]
pub struct ChosenOutcomes {
    /// In the order asked for.
    pub outcomes: Vec<Outcome>,
    /// Files they are from.
    pub files: Vec<PathBuf>,
}

/// An outcome and where it is from.
struct Found {
    file: PathBuf,
    /// Its place in the file.
    place: usize,
    outcome: Outcome,
}

impl ChosenOutcomes {
    /// The outcomes that the arguments `FILE` or `FILE:NAME` ask for.
    ///
    /// # Errors
    /// A file that cannot be read, a name that is not in it, or an outcome that is named twice.
    pub fn of(arguments: &[String]) -> Result<ChosenOutcomes, JobError> {
        let mut found: Vec<Found> = Vec::new();
        for argument in arguments {
            for new in outcomes_of(argument)? {
                if found.iter().any(|old| old.is(&new)) {
                    misuse!(
                        "{}:{} is named twice; name each outcome once",
                        new.file.display(),
                        new.outcome.name
                    );
                }
                found.push(new);
            }
        }
        give_own_names(&mut found);
        Ok(ChosenOutcomes {
            files: found.iter().map(|found| found.file.clone()).collect(),
            outcomes: found.into_iter().map(|found| found.outcome).collect(),
        })
    }
}

impl Found {
    fn is(&self, other: &Found) -> bool {
        self.file == other.file && self.place == other.place
    }
}

fn outcomes_of(argument: &str) -> Result<Vec<Found>, JobError> {
    let (file, name) = split(argument);
    let outcomes = documents::read(&file)?;
    let names: Vec<String> = outcomes.iter().map(|o| o.name.clone()).collect();
    let asked = |outcome: &Outcome| name.is_none_or(|name| outcome.name == name);
    let found: Vec<Found> = outcomes
        .into_iter()
        .enumerate()
        .filter(|(_, outcome)| asked(outcome))
        .map(|(place, outcome)| Found {
            file: file.clone(),
            place,
            outcome,
        })
        .collect();
    match name {
        Some(name) if found.is_empty() => refuse!("{}", unknown(&file, name, &names)),
        _ => Ok(found),
    }
}

/// The file and the name of an outcome in it. Both may hold colons: the shortest start that is a file
/// counts.
fn split(argument: &str) -> (PathBuf, Option<&str>) {
    let parts = argument.match_indices(':');
    let is_file = |path: &str| Path::new(path).exists();
    if is_file(argument) {
        return (argument.into(), None);
    }
    let mut parts = parts.map(|(colon, _)| (&argument[..colon], &argument[colon + 1..]));
    match parts.find(|(file, _)| is_file(file)) {
        Some((file, name)) => (file.into(), Some(name)),
        None => (argument.into(), None),
    }
}

fn unknown(file: &Path, name: &str, names: &[String]) -> String {
    let nearest = names
        .iter()
        .max_by(|a, b| strsim::jaro_winkler(name, a).total_cmp(&strsim::jaro_winkler(name, b)));
    format!(
        "{}: has no outcome `{name}`; did you mean `{}`? It has {}",
        file.display(),
        nearest.map_or("", String::as_str),
        names.join(", ")
    )
}

/// Says the file, and where that does not do the place in it, beside names that more than one has. Where all have
/// the same name, the file alone says more.
fn give_own_names(found: &mut [Found]) {
    let mut pairs = found.windows(2);
    let one_name = pairs.all(|pair| pair[0].outcome.name == pair[1].outcome.name);
    let says_file = if one_name {
        |found: &Found| found.file.display().to_string()
    } else {
        |found: &Found| format!("{} ({})", found.outcome.name, found.file.display())
    };
    for says in [says_file, says_place] {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for found in found.iter() {
            *counts.entry(found.outcome.name.clone()).or_default() += 1;
        }
        for found in found.iter_mut() {
            if counts[&found.outcome.name] > 1 {
                found.outcome.name = says(found);
            }
        }
    }
}

fn says_place(found: &Found) -> String {
    format!("{} no. {}", found.outcome.name, found.place + 1)
}
