//! Where results go: standard output, and what the user names for them.

use std::fs::{self, File};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use hotset_actions::one_line;
use hotset_machine::file;
use hotset_machine::temporary::folder_of;
use hotset_machine::{Destination, STANDARD_OUTPUT};
use hotset_report::{Page, Provenance, Sheets, Style, View, printable};
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

/// What was measured meets a condition that it was not to meet: exit code 3, after the report.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConditionMet(pub String);

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

/// Writes the tables of a result into `folder`, where one was asked for.
pub fn write_sheets(view: &impl Sheets, folder: Option<&PathBuf>) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for (name, table) in view.sheets() {
        let path = folder.join(name).with_extension("csv");
        write_file(&path, table.csv()?.as_bytes())?;
    }
    Ok(())
}

/// Refuses a folder for tables that is none, or that holds CSV files that are `read`: they could be overwritten.
pub fn check_sheets<'a>(
    folder: Option<&PathBuf>,
    mut read: impl Iterator<Item = &'a Path>,
) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    if folder.exists() && !folder.is_dir() {
        bail!(
            "{}: is not a folder; name a folder for the tables",
            folder.display()
        );
    }
    let Ok(within) = fs::canonicalize(folder) else {
        return Ok(());
    };
    let is_in_danger = |file: &&Path| {
        let is_csv = file.extension().is_some_and(|ending| ending == "csv");
        is_csv && fs::canonicalize(folder_of(file)).is_ok_and(|of_file| of_file == within)
    };
    match read.find(is_in_danger) {
        None => Ok(()),
        Some(file) => bail!(Usage(format!(
            "{}: is read, and could be overwritten by a table; name another folder",
            file.display()
        ))),
    }
}

/// What standard output can show: the width that `COLUMNS` or the terminal says, and colour on a terminal unless the user
/// has set `NO_COLOR`.
pub fn style() -> Style {
    let is_terminal = io::stdout().is_terminal();
    Style {
        colour: is_terminal && std::env::var_os("NO_COLOR").is_none(),
        width: width_of_environment().or_else(|| width_of_terminal().filter(|_| is_terminal)),
    }
}

fn width_of_environment() -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok()?.parse().ok();
    columns.filter(|&columns| columns > 0)
}

fn width_of_terminal() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
    // A terminal that does not know its size may say 0.
    Some(usize::from(width.0)).filter(|&width| width > 0)
}

/// Whether results and warnings are read in one place.
pub fn shares_terminal() -> bool {
    io::stdout().is_terminal() && io::stderr().is_terminal()
}

/// Refuses files for results that could not be written, before any work is done; `json` goes to standard output.
pub fn check_files(files: &[Option<&PathBuf>], json: bool) -> Result<()> {
    let mut taken = Vec::new();
    if json {
        taken.push(STANDARD_OUTPUT);
    }
    for file in files.iter().copied().flatten() {
        let destination = destination(file)?;
        let is_shared = !matches!(destination, Destination::Device(_));
        if is_shared && taken.contains(&destination) {
            bail!(Usage(format!(
                "{}: named for two results; give each a file of its own",
                file.display()
            )));
        }
        taken.push(destination);
    }
    Ok(())
}

/// What `file` leads to; an error says what to do about it.
fn destination(file: &Path) -> Result<Destination> {
    let name = file.display();
    match Destination::of(file) {
        Ok(destination) => Ok(destination),
        Err(_) if file.is_dir() => bail!("{name}: is a folder; name a file in it"),
        Err(error) if error.kind() == ErrorKind::NotFound => bail!(
            "{name}: there is no folder {}; create it first",
            folder_of(file).display()
        ),
        Err(error) => Err(error).with_context(|| format!("cannot write {name}")),
    }
}

/// Prints a result beside those in `files`. If one of them is standard output, it stands there alone.
pub fn print_beside(files: &[Option<&PathBuf>], view: &impl View, json: bool) -> Result<()> {
    let mut files = files.iter().copied().flatten();
    match files.any(|file| Destination::of(file).is_ok_and(|it| it == STANDARD_OUTPUT)) {
        true => Ok(()),
        false => print_view(view, json),
    }
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

/// Writes `contents` to `path`, as [`write_with`] does.
pub fn write_file(path: &Path, contents: &[u8]) -> Result<()> {
    write_with(path, |file| file.write_all(contents))
}

/// As [`file::write_with`], and Ctrl-C leaves nothing behind either. Of what went into a pipe or a device nothing can be
/// taken back, so Ctrl-C ends that at once.
pub fn write_with(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<()> {
    let is_file = matches!(Destination::of(path), Ok(Destination::File(_)));
    let _guard = is_file.then(interrupt::Guard::new);
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
    eprintln!("hotset: {}{hint}", on_one_line(&one_line(error.as_ref())));
    ExitCode::from(exit_code(error))
}

fn exit_code(error: &anyhow::Error) -> u8 {
    if error.downcast_ref::<Usage>().is_some() {
        2
    } else if error.downcast_ref::<Interrupted>().is_some() {
        interrupt::EXIT_CODE
    } else if error.downcast_ref::<ConditionMet>().is_some() {
        3
    } else {
        1
    }
}

/// Names of files and sites may hold anything; a terminal is to show it, not to obey it.
fn on_one_line(text: &str) -> String {
    printable(&text.replace(['\n', '\r'], " ")).into_owned()
}
