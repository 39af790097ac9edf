//! The kernel's files about a group.

use crate::{MachineError, OnFile};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

/// Reads "name value" lines.
pub(crate) fn keyed(path: &Path) -> Result<BTreeMap<String, u64>, MachineError> {
    let text = fs::read_to_string(path).on("read", path)?;
    let pair = |line: &str| {
        let (name, value) = line.split_once(' ')?;
        Some((name.to_owned(), value.trim().parse().ok()?))
    };
    Ok(text.lines().filter_map(pair).collect())
}

pub(crate) fn number(path: &Path) -> Result<u64, MachineError> {
    let text = fs::read_to_string(path).on("read", path)?;
    let parsed = text.trim().parse();
    parsed.map_err(|_| MachineError::unreadable(path, "not a number"))
}

pub(crate) fn write(path: &Path, value: impl fmt::Display) -> Result<(), MachineError> {
    fs::write(path, value.to_string()).on("write", path)
}
