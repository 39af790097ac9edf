//! Values of an experiment's section, held to what is allowed.

use std::fmt;
use std::str::FromStr;

use hotset_scenario::parse_bytes;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// A whole number from `LEAST` to `MOST`.
pub(crate) fn count<'de, D: Deserializer<'de>, const LEAST: u64, const MOST: u64>(
    deserializer: D,
) -> Result<u64, D::Error> {
    match u64::deserialize(deserializer)? {
        count if (LEAST..=MOST).contains(&count) => Ok(count),
        count => Err(D::Error::custom(format!(
            "{count} is not between {LEAST} and {MOST}"
        ))),
    }
}

/// A number of files, at least one.
pub(crate) fn count32<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    count::<_, 1, 1_000_000>(deserializer).map(|count| count as u32)
}

/// A size such as `"4KiB"`.
pub(crate) fn bytes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    parse_bytes(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// A word that is one of several.
pub(crate) fn read<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err: fmt::Display>,
    D: Deserializer<'de>,
{
    let text = String::deserialize(deserializer)?;
    text.parse::<T>().map_err(D::Error::custom)
}

/// Several such words, at least one, each once.
pub(crate) fn list<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: FromStr<Err: fmt::Display> + PartialEq,
    D: Deserializer<'de>,
{
    let mut all: Vec<T> = Vec::new();
    for text in Vec::<String>::deserialize(deserializer)? {
        let value = text.parse::<T>().map_err(D::Error::custom)?;
        if all.contains(&value) {
            return Err(D::Error::custom(format!("`{text}` is there twice")));
        }
        all.push(value);
    }
    match all.is_empty() {
        true => Err(D::Error::custom("the list is empty")),
        false => Ok(all),
    }
}
