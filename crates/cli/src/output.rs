//! Where results go: standard output, and what the user names for them.

use std::cell::RefCell;
use std::fs;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use hotset_actions::net::show::{Obstacle, further_obstacles};
use hotset_actions::{Field, JobError, Results, one_line};
use hotset_machine::{Destination, STANDARD_OUTPUT, file};
use hotset_report::{Page, Provenance, Sheets, Style, View, printable};

use crate::{help, hints, interrupt};

/// A bad combination of arguments, found after clap was content: exit code 2 like clap's own.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// An option as the command spells it.
pub fn flag(field: Field) -> String {
    format!("--{}", field.name())
}

thread_local! {
    /// What this thread has printed to standard output and to standard error, where that is kept.
    static KEPT: RefCell<Option<[Vec<u8>; 2]>> = const { RefCell::new(None) };
}

/// Keeps what `job` prints on this thread: to standard output, and to standard error.
pub fn keep<T>(job: impl FnOnce() -> T) -> (T, [Vec<u8>; 2]) {
    KEPT.with_borrow_mut(|kept| *kept = Some(Default::default()));
    let done = job();
    (done, KEPT.take().unwrap_or_default())
}

/// Keeps a line where lines are kept, `of` 0 for standard output and 1 for standard error; whether it did.
fn is_kept(of: usize, text: &str) -> bool {
    KEPT.with_borrow_mut(|kept| {
        let kept = kept.as_mut().map(|kept| kept[of].extend(text.bytes()));
        kept.is_some()
    })
}

/// Prints to standard output.
pub fn print(text: &str) -> Result<()> {
    write_line(text).context("cannot write to standard output")
}

fn write_line(text: &str) -> io::Result<()> {
    let end = if text.ends_with('\n') { "" } else { "\n" };
    if is_kept(0, &format!("{text}{end}")) {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.write_all(end.as_bytes())?;
    out.flush()
}

/// Prints a result: as JSON, or as tables for people. Whether anybody reads it changes nothing of what else is written, nor the exit code.
pub fn print_view(view: &impl View, json: bool) -> Result<()> {
    unless_unread(print(&shown(view, json)?))
}

/// A result as it is printed.
pub fn shown(view: &impl View, json: bool) -> Result<String> {
    Ok(match json {
        true => view.json()?,
        false => view.terminal(style()),
    })
}

/// What came of printing, where it is no failure that the reader has gone.
fn unless_unread(printed: Result<()>) -> Result<()> {
    match printed {
        Err(error) if is_broken_pipe(&error) => Ok(()),
        printed => printed,
    }
}

/// Writes a result to where it is to go: its page, its tables, and what is printed of it.
pub fn deliver(
    view: &(impl Page + Sheets),
    results: &Results,
    provenance: &Provenance,
) -> Result<()> {
    if let Some(path) = &results.html {
        write_file(path, view.page(provenance).as_bytes())?;
    }
    write_sheets(view, results.csv.as_deref())?;
    print_beside(results, view)
}

/// Writes the tables of a result into `folder`, where one was asked for.
fn write_sheets(view: &impl Sheets, folder: Option<&Path>) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for (name, table) in view.sheets() {
        let path = folder.join(name).with_extension("csv");
        write_file(&path, table.csv()?.as_bytes())?;
    }
    Ok(())
}

/// What standard output can show: the width that `COLUMNS` or the terminal says, and colour on a terminal unless the user
/// has set `NO_COLOR`.
pub fn style() -> Style {
    let is_terminal = is_terminal(&io::stdout());
    Style {
        colour: is_terminal && std::env::var_os("NO_COLOR").is_none(),
        width: width_of_environment().or_else(|| width_of_terminal().filter(|_| is_terminal)),
    }
}

fn is_terminal(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && KEPT.with_borrow(Option::is_none)
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
    is_terminal(&io::stdout()) && is_terminal(&io::stderr())
}

/// Prints a result, unless standard output is taken by one of its files: it stands there alone.
pub fn print_beside(results: &Results, view: &impl View) -> Result<()> {
    match results.take_standard_output() {
        true => Ok(()),
        false => print_view(view, results.json),
    }
}

/// Writes `contents` to `path`, whole or not at all, and Ctrl-C leaves nothing behind either. Of what went into a pipe or a
/// device nothing can be taken back, so Ctrl-C ends that at once.
pub fn write_file(path: &Path, contents: &[u8]) -> Result<()> {
    let destination = Destination::of(path).ok();
    let is_file = matches!(destination, Some(Destination::File(_)));
    let _guard = is_file.then(interrupt::Guard::new);
    let written = file::write_with(path, |file| file.write_all(contents))
        .with_context(|| format!("cannot write {}", path.display()));
    match written {
        Err(error) if is_broken_pipe(&error) && destination != Some(STANDARD_OUTPUT) => {
            bail!("cannot write {}: whoever read it has gone", path.display())
        }
        written => unless_unread(written),
    }
}

/// Whether the reader of standard output went away (`hotset … | head`), which is no failure.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let of_job = error.downcast_ref::<JobError>().and_then(JobError::find);
    error
        .chain()
        .filter_map(|e| e.downcast_ref::<io::Error>())
        .chain(of_job)
        .any(|e| e.kind() == ErrorKind::BrokenPipe)
}

/// Who speaks on standard error.
const PREFIX: &str = "hotset: ";

/// Says a line on standard error.
pub fn say(line: &str) {
    let text = format!("{PREFIX}{line}\n");
    if !is_kept(1, &text) {
        // Where nobody hears it, the exit code still says that something went wrong.
        let _said = io::stderr().write_all(text.as_bytes());
    }
}

/// Says in one line what is to be known before a job is done.
pub fn note(note: &str) {
    say(&on_one_line(note));
}

/// Says in one line what is no error and changes what the result is worth.
pub fn warn(warning: &str) {
    say(&format!("warning: {}", on_one_line(warning)));
}

/// Shows what clap says of a command line: a help or a version that was asked for, or what is wrong with it; the exit code.
pub fn tell_usage(error: &clap::Error) -> u8 {
    let of = usize::from(error.use_stderr());
    if !is_kept(of, &error.render().to_string()) {
        // Whoever reads it may have gone.
        let _printed = error.print();
    }
    u8::try_from(error.exit_code()).unwrap_or(2)
}

/// Columns before the further lines of an error.
const FURTHER_LINES: usize = 2;

/// Says what went wrong in one line, which a terminal shows wrapped for a log's unknown format, and gives the exit code for it. Of a
/// net that cannot be expressed, further lines name each place and transition in the way.
pub fn complain(error: &anyhow::Error) -> u8 {
    if interrupt::pending() {
        say("interrupted; nothing was left half-written");
        return interrupt::EXIT_CODE;
    }
    let hint = hints::option_for(error).map_or_else(String::new, |option| format!(" ({option})"));
    let line = on_one_line(&line(error));
    match line.split_once("; ") {
        Some((remedy, why)) if hints::is_unknown_format(error) => {
            let text = format!("{remedy}{hint}; {why}");
            // A script reads an error a line.
            say(&match is_terminal(&io::stderr()) {
                true => help::wrapped(&text, FURTHER_LINES, help::WIDTH),
                false => text,
            });
        }
        _ => match obstacles(error) {
            none if none.is_empty() => say(&format!("{line}{hint}")),
            obstacles => {
                let width = help::WIDTH - PREFIX.len();
                say(&(help::wrapped(&line, FURTHER_LINES, width) + &obstacles));
            }
        },
    }
    exit_code(error)
}

/// What else of a net cannot be expressed: each place and transition on a line, below what it has.
fn obstacles(error: &anyhow::Error) -> String {
    let error = error.downcast_ref::<JobError>();
    let mut lines = String::new();
    for Obstacle { what, paths } in error.map_or(&[][..], further_obstacles) {
        let what = help::wrapped(&on_one_line(what), FURTHER_LINES, help::WIDTH);
        lines += &format!("\n{:FURTHER_LINES$}{what}:", "");
        for path in paths {
            lines += &format!("\n{:1$}{2}", "", 2 * FURTHER_LINES, on_one_line(path));
        }
    }
    lines
}

fn line(error: &anyhow::Error) -> String {
    match error.downcast_ref::<JobError>() {
        Some(error) => error.message().spelt(flag),
        None => one_line(error.as_ref()),
    }
}

fn exit_code(error: &anyhow::Error) -> u8 {
    match error.downcast_ref() {
        Some(error @ JobError::At { .. }) if error.is_usage() => 2,
        Some(JobError::Usage(_)) => 2,
        Some(JobError::Interrupted(_)) => interrupt::EXIT_CODE,
        Some(JobError::ConditionMet(_)) => 3,
        _ if error.is::<Usage>() => 2,
        _ => 1,
    }
}

/// Names of files and sites may hold anything; a terminal is to show it, not to obey it.
fn on_one_line(text: &str) -> String {
    printable(&text.replace(['\n', '\r'], " ")).into_owned()
}
