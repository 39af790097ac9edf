//! This program's own command lines, which libraries start again.

use std::ffi::OsString;

use anyhow::{Context, Result};

/// This program's own file.
pub fn program() -> Result<OsString> {
    let program = std::env::current_exe().context("cannot find this program's own file")?;
    Ok(program.into())
}

/// The command line of `hotset WORDS…`.
pub fn command(words: [&str; 2]) -> Result<Vec<OsString>> {
    let words = words.into_iter().map(OsString::from);
    Ok([program()?].into_iter().chain(words).collect())
}

/// What starts the guardian of a state folder.
pub fn guardian() -> Result<Vec<OsString>> {
    command(["live", "guard"])
}
