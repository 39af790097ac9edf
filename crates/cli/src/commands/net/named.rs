//! Which net a command is about: one of the library with what is set of it, or one from a file.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use hotset_models::nets as file_systems;
use hotset_petri::Net;
use hotset_petri::nets::{Entry, LIBRARY};
use hotset_petri_exchange::import;

use crate::output::Usage;

/// Which net, and what is set of it.
#[derive(clap::Args)]
pub struct NetArgs {
    /// The net: one of the library, or a file of a place/transition net, FILE.pnml
    #[arg(value_name = "NET", value_parser = NameParser)]
    net: Name,
    /// Set a parameter of the net; may be repeated
    #[arg(long, value_name = "NAME=NUMBER", value_parser = setting)]
    pub set: Vec<(String, f64)>,
}

/// The nets that have names: the small library of the engine, then those of file systems.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    LIBRARY.iter().chain(file_systems::LIBRARY)
}

/// What a net is called by.
#[derive(Clone)]
enum Name {
    Library(&'static Entry),
    File(PathBuf),
}

/// Takes what ends in `.pnml` for a file, and all else for a name of the library.
#[derive(Clone)]
struct NameParser;

impl NameParser {
    fn names() -> PossibleValuesParser {
        PossibleValuesParser::new(entries().map(|entry| entry.name))
    }
}

impl TypedValueParser for NameParser {
    type Value = Name;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Name, clap::Error> {
        let file = Path::new(value);
        if file.extension().is_some_and(|it| it == "pnml") {
            return Ok(Name::File(file.to_owned()));
        }
        let name = Self::names().parse_ref(command, argument, value)?;
        let entry = entries().find(|entry| entry.name == name);
        Ok(Name::Library(entry.expect("the parser knows it")))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = entries().map(|entry| PossibleValue::new(entry.name));
        Some(Box::new(names))
    }
}

fn setting(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    match value.parse() {
        Ok(value) => Ok((name.to_owned(), value)),
        Err(_) => Err("write a parameter and a number, such as rho=0.5".into()),
    }
}

impl NetArgs {
    /// The net with its parameters set.
    pub fn build(&self) -> Result<Net> {
        match &self.net {
            Name::Library(entry) => of_library(entry, &self.set),
            Name::File(file) if self.set.is_empty() => of_file(file),
            Name::File(file) => bail!(Usage(format!(
                "{}: a file has no parameters; leave out --set",
                file.display()
            ))),
        }
    }
}

fn of_library(entry: &Entry, set: &[(String, f64)]) -> Result<Net> {
    let known = || entry.parameters.iter().map(|parameter| parameter.name);
    let mut names = set.iter().map(|(name, _)| name);
    if let Some(unknown) = names.find(|name| !known().any(|known| known == *name)) {
        let known: Vec<&str> = known().collect();
        bail!(Usage(format!(
            "{} has no parameter `{unknown}`; it has {}",
            entry.name,
            known.join(" and ")
        )));
    }
    let set: Vec<(&str, f64)> = set
        .iter()
        .map(|(name, value)| (name.as_str(), *value))
        .collect();
    let net = entry.build(&set);
    net.map_err(|error| Usage(error.to_string()).into())
}

fn of_file(file: &Path) -> Result<Net> {
    let text =
        fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    import::pnml(&text).with_context(|| file.display().to_string())
}
