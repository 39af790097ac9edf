//! Logs to read, and reading them without ceremony.

use hotset_trace::Trace;
use hotset_trace::read::{ReadError, ReadOptions, ReadSummary, read};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub fn read_with(
    inputs: &[PathBuf],
    options: &ReadOptions,
) -> Result<(Trace, ReadSummary), ReadError> {
    read(inputs, options, &mut |_| ControlFlow::Continue(()))
}

/// Reads a log that must be good.
pub fn read_good(inputs: &[PathBuf], options: &ReadOptions) -> (Trace, ReadSummary) {
    read_with(inputs, options).unwrap_or_else(|error| panic!("{error}"))
}

/// Reads one log given as text.
pub fn read_text(text: &str, options: &ReadOptions) -> (Trace, ReadSummary) {
    let folder = tempfile::tempdir().unwrap();
    read_good(&[write(folder.path(), "access.log", text)], options)
}

pub fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path
}

/// A line of the combined format, `second` seconds after the beginning of 17 May 2015.
pub fn line(client: &str, second: u32, request: &str, status: u16, bytes: &str) -> String {
    let (day, hour) = (17 + second / 86_400, second / 3600 % 24);
    let (minute, second) = (second / 60 % 60, second % 60);
    format!(
        "{client} - - [{day}/May/2015:{hour:02}:{minute:02}:{second:02} +0000] \"{request}\" {status} \
         {bytes} \"-\" \"agent\"\n"
    )
}

/// A GET of `path` answered 200 with 10 bytes.
pub fn get(second: u32, path: &str) -> String {
    line(
        "10.0.0.1",
        second,
        &format!("GET {path} HTTP/1.1"),
        200,
        "10",
    )
}

/// (path, size) of every access in order.
pub fn accesses(trace: &Trace) -> Vec<(String, u64)> {
    let rows = (0..trace.requests.len()).map(|row| trace.requests.get(row));
    rows.filter(|row| row.access)
        .map(|row| {
            let object = row.object as usize;
            (
                trace.objects.display_path(row.object),
                trace.objects.size[object],
            )
        })
        .collect()
}

/// Paths of all accesses in order.
pub fn paths(trace: &Trace) -> Vec<String> {
    accesses(trace).into_iter().map(|(path, _)| path).collect()
}
