//! Parsers of option values that several commands take.

use std::ffi::OsStr;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use hotset_scenario::{BUILTIN, parse_bytes};

/// A parser of `--option` values that completions and help can list.
pub fn one_of<T, E>(
    names: impl IntoIterator<Item = &'static str>,
) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = E> + Clone + Send + Sync + 'static,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse::<T>())
}

/// The name of a built-in profile, which completions offer, or a file.
#[derive(Clone)]
pub struct ProfileName;

impl TypedValueParser for ProfileName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(BUILTIN.iter().map(PossibleValue::new)))
    }
}

/// A size in bytes, as people write it.
pub fn size(text: &str) -> Result<u64, String> {
    parse_bytes(text).map_err(|error| error.to_string())
}

/// A seed of random choices.
pub fn seed(text: &str) -> Result<u64, String> {
    let seed = text.parse();
    seed.map_err(|_| format!("write a whole number from 0 to {}", u64::MAX))
}

/// A share from 0 to 1 from a text such as `50%`.
pub fn whole_or_part(text: &str) -> Result<f64, String> {
    let share = text
        .strip_suffix('%')
        .and_then(|number| number.parse::<f64>().ok());
    match share {
        Some(percent) if (0.0..=100.0).contains(&percent) => Ok(percent / 100.0),
        _ => Err("write a percentage from 0 to 100, such as 50%".into()),
    }
}

/// A share above 0 and below 1 from a text such as `20%`.
pub fn percent(text: &str) -> Result<f64, String> {
    let share = text
        .strip_suffix('%')
        .and_then(|number| number.parse::<f64>().ok());
    match share {
        Some(percent) if percent > 0.0 && percent < 100.0 => Ok(percent / 100.0),
        _ => Err("write a percentage above 0 and below 100, such as 20%".into()),
    }
}
