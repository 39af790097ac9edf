//! Where results go: standard output, and files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use hotset_machine::file::{self, folder_of};
use hotset_report::{MAX_WIDTH, Page, Provenance, Style, View, printable};
use hotset_trace::folder::Existing;

use crate::{hints, interrupt};

/// A bad combination of arguments, found after clap was content: exit code 2 like clap's own.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// The user ended the command: exit code 130, after what it says.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Interrupted(pub &'static str);

/// Prints to standard output.
pub fn print(text: &str) -> Result<()> {
    write_line(text).context("cannot write to standard output")
}

fn write_line(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// Prints a result: as JSON, or as tables for people.
pub fn print_view(view: &impl View, json: bool) -> Result<()> {
    print(&if json {
        view.json()?
    } else {
        view.terminal(style())
    })
}

/// Writes the page of a result to `file`, where one was asked for.
pub fn write_page(view: &impl Page, file: Option<&PathBuf>, provenance: &Provenance) -> Result<()> {
    match file {
        Some(path) => write_file(path, view.page(provenance).as_bytes()),
        None => Ok(()),
    }
}

/// What standard output can show: on a terminal its width, and colour unless the user has set
/// `NO_COLOR`.
pub fn style() -> Style {
    let stdout = io::stdout();
    if !stdout.is_terminal() {
        return Style::PLAIN;
    }
    let size = terminal_size::terminal_size_of(&stdout);
    // A terminal that does not know its size may say 0.
    let width = size
        .map(|(width, _)| usize::from(width.0))
        .filter(|&width| width > 0);
    Style {
        colour: std::env::var_os("NO_COLOR").is_none(),
        ..Style::terminal(width.unwrap_or(MAX_WIDTH))
    }
}

/// Whether results and warnings are read in one place.
pub fn shares_terminal() -> bool {
    io::stdout().is_terminal() && io::stderr().is_terminal()
}

/// Refuses result files that could not be written, before any work is done.
pub fn check_files(files: &[Option<&PathBuf>]) -> Result<()> {
    let files: Vec<&PathBuf> = files.iter().copied().flatten().collect();
    for (index, file) in files.iter().enumerate() {
        if files[..index].contains(file) {
            bail!(Usage(format!(
                "{}: named for two results; give each a file of its own",
                file.display()
            )));
        }
        if file.is_dir() {
            bail!("{}: is a folder; name a file in it", file.display());
        }
        let folder = folder_of(file);
        if !folder.is_dir() {
            bail!(
                "{}: there is no folder {}; create it first",
                file.display(),
                folder.display()
            );
        }
    }
    Ok(())
}

/// Refuses result files that are among what was read: a log is not to be overwritten by its plan.
pub fn refuse_inputs<'a>(
    files: &[Option<&PathBuf>],
    mut inputs: impl Iterator<Item = &'a Path>,
) -> Result<()> {
    let files: Vec<PathBuf> = files.iter().flatten().flat_map(fs::canonicalize).collect();
    let read = inputs.find(|input| {
        let input = fs::canonicalize(input);
        input.is_ok_and(|input| files.contains(&input))
    });
    match read {
        None => Ok(()),
        Some(input) => bail!(Usage(format!(
            "{}: is read, and would be overwritten by the result; name another file",
            input.display()
        ))),
    }
}

/// Writes `contents` to `path`, whole or not at all.
pub fn write_file(path: &Path, contents: &[u8]) -> Result<()> {
    write_with(path, |file| file.write_all(contents))
}

/// As [`file::write_with`], and Ctrl-C leaves nothing behind either.
pub fn write_with(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<()> {
    let _guard = interrupt::Guard::new();
    file::write_with(path, write).with_context(|| format!("cannot write {}", path.display()))
}

/// What becomes of a trace folder that is there already.
pub fn existing(replace: bool) -> Existing {
    if replace {
        Existing::Replace
    } else {
        Existing::Refuse
    }
}

/// Whether the reader of standard output went away (`hotset … | head`), which is no failure.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|e| e.downcast_ref::<io::Error>())
        .any(|e| e.kind() == ErrorKind::BrokenPipe)
}

/// Says in one line what is no error and changes what the result is worth.
#[allow(
    clippy::print_stderr,
    reason = "the one place where warnings are printed"
)]
pub fn warn(warning: &str) {
    eprintln!("hotset: warning: {}", on_one_line(warning));
}

/// Says what went wrong in one line and gives the exit code for it.
#[allow(
    clippy::print_stderr,
    reason = "the one place where errors are printed"
)]
pub fn complain(error: &anyhow::Error) -> ExitCode {
    if interrupt::pending() {
        eprintln!("hotset: interrupted; nothing was left half-written");
        return ExitCode::from(interrupt::EXIT_CODE);
    }
    let hint = hints::option_for(error).map_or_else(String::new, |option| format!(" ({option})"));
    eprintln!("hotset: {}{hint}", one_line(error));
    ExitCode::from(exit_code(error))
}

fn exit_code(error: &anyhow::Error) -> u8 {
    if error.downcast_ref::<Usage>().is_some() {
        2
    } else if error.downcast_ref::<Interrupted>().is_some() {
        interrupt::EXIT_CODE
    } else {
        1
    }
}

/// The error and its causes, each once: many libraries repeat the cause in their own message.
fn one_line(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if line.is_empty() {
            line = cause;
        } else if !line.contains(&cause) {
            line = format!("{line}: {cause}");
        }
    }
    on_one_line(&line)
}

/// Names of files and sites may hold anything; a terminal is to show it, not to obey it.
fn on_one_line(text: &str) -> String {
    printable(&text.replace(['\n', '\r'], " ")).into_owned()
}
