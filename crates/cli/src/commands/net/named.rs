//! Which net a command is about: one of the library with what is set of it, one from a file, or that of a scenario.

use std::ffi::OsStr;
use std::path::Path;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use hotset_actions::net::{Name, Options, entries};

/// Which net, and what is set of it.
#[derive(clap::Args)]
pub struct NetArgs {
    /// The net: one of the library, or a file FILE.pnml or FILE.toml
    ///
    /// FILE.pnml is a place/transition net in the Petri Net Markup Language. FILE.toml is a scenario, whose net `hotset
    /// net show` shows.
    #[arg(value_name = "NET", value_parser = NameParser)]
    net: Name,
    /// Set a parameter of the net; may be repeated
    #[arg(long, value_name = "NAME=NUMBER", value_parser = setting)]
    set: Vec<(String, f64)>,
}

/// Takes what ends in `.pnml` or `.toml` for a file, and all else for a name of the library.
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
        match file.extension() {
            Some(kind) if kind == "pnml" => return Ok(Name::File(file.to_owned())),
            Some(kind) if kind == "toml" => return Ok(Name::Scenario(file.to_owned())),
            _ => {}
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
    pub fn options(&self) -> Options {
        Options {
            net: self.net.clone(),
            set: self.set.clone(),
        }
    }
}
