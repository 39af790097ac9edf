//! What a profile says of the network mount that it was measured on.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::bounds::{MOST_US, TOO_LONG};

/// How long the page cache of a machine keeps what it has read of a file. Programs behind a mount say it at each open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PageKeeping {
    /// Until its memory is needed.
    #[default]
    Kept,
    /// Until somebody opens the file.
    UntilOpened,
    /// Not at all: each read asks again.
    Never,
}

/// How a mount asks for its files, as it was measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct MeasuredMount {
    /// A call that moves no data and its answer, microseconds.
    #[serde(deserialize_with = "time")]
    pub call_us: f64,
    /// How long this machine's page cache keeps files.
    #[serde(default)]
    pub keeps: PageKeeping,
    /// Whether a write waits until it was sent.
    #[serde(default)]
    pub writes_through: bool,
}

fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match f64::deserialize(deserializer)? {
        number if number > MOST_US => Err(D::Error::custom(TOO_LONG)),
        number if number >= 0.0 => Ok(number),
        _ => Err(D::Error::custom("must not be negative")),
    }
}
