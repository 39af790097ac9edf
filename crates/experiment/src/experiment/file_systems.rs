//! File systems side by side.

use hotset_scenario::FileError;
use hotset_scenario::document::Section;

/// An experiment on what every store of the scenario costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSystems {
    /// File sizes read bare, bytes.
    pub bare_bytes: Vec<u64>,
    /// File sizes served through proxy and web server, bytes.
    pub served_bytes: Vec<u64>,
    /// Files of each size.
    pub files: usize,
    /// Clients of the throughput measurement.
    pub clients: usize,
    /// Length of each throughput measurement, seconds.
    pub throughput_seconds: u64,
}

const KEYS: [&str; 5] = [
    "bare_bytes",
    "served_bytes",
    "files",
    "clients",
    "throughput_seconds",
];

pub(super) fn parse(root: &Section) -> Result<FileSystems, FileError> {
    let section = root.section("file-systems", "[file-systems]", &KEYS)?;
    Ok(FileSystems {
        bare_bytes: sizes(&section, "bare_bytes", &[4 << 10, 1 << 20])?,
        served_bytes: sizes(
            &section,
            "served_bytes",
            &[4 << 10, 64 << 10, 256 << 10, 1 << 20],
        )?,
        files: section.optional_count("files", 1)?.unwrap_or(200) as usize,
        clients: section.optional_count("clients", 1)?.unwrap_or(8) as usize,
        throughput_seconds: section
            .optional_count("throughput_seconds", 1)?
            .unwrap_or(5),
    })
}

fn sizes(section: &Section, key: &str, usual: &[u64]) -> Result<Vec<u64>, FileError> {
    let sizes = section.numbers(key)?;
    match sizes
        .iter()
        .find(|size| size.fract() != 0.0 || **size < 1.0)
    {
        Some(size) => Err(section.error(key, format!("{size} is no size in bytes"))),
        None if sizes.is_empty() => Ok(usual.to_vec()),
        None => Ok(sizes.iter().map(|&size| size as u64).collect()),
    }
}
