//! Parsers of option values that several commands take.

use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use hotset_scenario::parse_bytes;

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

/// A size in bytes, as people write it.
pub fn size(text: &str) -> Result<u64, String> {
    parse_bytes(text).map_err(|error| error.to_string())
}
