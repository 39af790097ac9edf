//! Short runs of the system's own tools.

use crate::LabError;
use std::ffi::{OsStr, OsString};
use std::process::{Command, Stdio};

/// Runs a program to its end and returns what it printed.
///
/// # Errors
/// When it cannot be started or fails; the error has the end of its standard error.
pub(crate) fn run<A: AsRef<OsStr>>(program: &str, arguments: &[A]) -> Result<String, LabError> {
    let output = Command::new(program)
        .args(arguments)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .map_err(|source| LabError::Start {
            program: program.to_owned(),
            source,
        })?;
    if !output.status.success() {
        return Err(LabError::Command {
            command: line(program, arguments),
            status: output.status.to_string(),
            message: tail(&String::from_utf8_lossy(&output.stderr), 4),
        });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The command line as a person would type it.
fn line<A: AsRef<OsStr>>(program: &str, arguments: &[A]) -> String {
    let mut line = OsString::from(program);
    for argument in arguments {
        line.push(" ");
        line.push(argument);
    }
    line.to_string_lossy().into_owned()
}

/// The last `lines` lines of a text.
pub(crate) fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.trim_end().lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}
