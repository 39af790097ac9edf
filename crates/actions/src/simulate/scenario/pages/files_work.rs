//! What the database asks of its files, written as a work of `hotset simulate files`.

use std::fmt::{Arguments, Write as _};
use std::iter;
use std::path::Path;

use hotset_machine::file;
use hotset_models::dynamic::{DynamicSite, FileUse, Table};

use super::super::options::Options;
use crate::JobError;
use crate::results::spare;

/// The log's folder, which no table has: those end with their numbers.
const LOG: &str = "log";
/// Bytes of the log's file before.
const LOG_BYTES: u64 = 16 << 20;

/// Refuses a file that is read.
///
/// # Errors
/// It is among what the options name.
pub(super) fn check(options: &Options) -> Result<(), JobError> {
    let read = [&options.sessions, &options.application, &options.plan];
    let read = read.into_iter().flatten().chain(&options.logs.paths);
    let read = read.chain(iter::once(&options.scenario));
    let written = options.files_work.iter().map(|path| path.as_path());
    spare(written, read.map(|path| path.as_path()))
}

/// Writes `uses` of the tables of `site`, made while so many pages were answered, to `path`.
///
/// # Errors
/// As the system says.
pub(super) fn write(
    path: &Path,
    site: &DynamicSite,
    pages: u64,
    uses: &[FileUse],
) -> Result<(), JobError> {
    let text = text(site, pages, uses);
    file::write(path, text.as_bytes())
        .map_err(|error| JobError::at(format!("cannot write {}", path.display()), error))
}

fn text(site: &DynamicSite, pages: u64, uses: &[FileUse]) -> String {
    let page_bytes = site.table_page_bytes.max(1);
    let folders: Vec<String> = site.tables.iter().zip(0..).map(folder).collect();
    let mut text =
        format!("# What a database asks of its files while {pages} pages are answered\n");
    for (folder, table) in folders.iter().zip(&site.tables) {
        let bytes = table.bytes.div_ceil(page_bytes).max(1) * page_bytes;
        line(&mut text, format_args!("on-server {folder} 1 {bytes}"));
    }
    line(&mut text, format_args!("on-server {LOG} 1 {LOG_BYTES}"));
    let direct = if site.is_past_cache { " direct" } else { "" };
    for folder in &folders {
        line(&mut text, format_args!("open {folder}/0 r{direct}"));
    }
    line(&mut text, format_args!("open {LOG}/0 w"));
    for of in uses {
        match *of {
            FileUse::Read { table, offset } => {
                let folder = &folders[table];
                line(
                    &mut text,
                    format_args!("read-at {folder}/0 {offset} {page_bytes}"),
                );
            }
            FileUse::LogWrite { bytes } => {
                line(&mut text, format_args!("write {LOG}/0 {bytes}"));
                line(&mut text, format_args!("fsync {LOG}/0"));
            }
        }
    }
    text
}

/// The folder of a table's file: its name without what works have a meaning for, and its number.
fn folder((table, number): (&Table, usize)) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = table.name.chars().map(plain).collect();
    format!("{name}-{number}")
}

fn line(text: &mut String, words: Arguments<'_>) {
    // A string takes all that is written to it.
    let _taken = writeln!(text, "{words}");
}
