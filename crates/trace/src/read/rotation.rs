//! Rotated logs: which files are parts of one log, and in which order they were written.

use super::error::ReadError;
use super::inputs;
use super::log_file::LogFile;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The files of one log with their places in the input, the oldest first.
pub(super) type Parts = Vec<(usize, LogFile)>;

/// Groups `files` into logs, by name and by the rule for logs that takes them. The files of a log are in the
/// order of their first times, and so are the logs; files without a time come first, equal ones in the order
/// given.
pub(super) fn logs(files: Vec<LogFile>) -> Vec<Parts> {
    let mut logs: BTreeMap<(usize, String), Parts> = BTreeMap::new();
    for (index, file) in files.into_iter().enumerate() {
        let key = (file.log_rule, log_of(&file.input.path));
        logs.entry(key).or_default().push((index, file));
    }
    let mut logs: Vec<Parts> = logs.into_values().collect();
    for parts in &mut logs {
        parts.sort_by_key(|(index, file)| (file.first_us, *index));
    }
    logs.sort_by_key(|parts| parts.first().map(|(index, file)| (file.first_us, *index)));
    logs
}

/// The files that `names` stand for (paths, and patterns with `*`, `?` and `[…]`), those of one log together. Logs are in the
/// order of their names, and files in the order given.
///
/// # Errors
/// A name that stands for no file, or a file that is named twice.
pub fn files_by_log(names: &[PathBuf]) -> Result<Vec<Vec<PathBuf>>, ReadError> {
    let mut logs: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for input in inputs::expand(names)? {
        let path = &input.path;
        logs.entry(log_of(path)).or_default().push(path.to_owned());
    }
    Ok(logs.into_values().collect())
}

/// Ends of the names of compressed files.
pub(super) const COMPRESSED: [&str; 4] = [".gz", ".zst", ".bz2", ".xz"];

/// The log that a file is a part of: its path without the marks of compression and rotation
/// (`access.log.2.gz`, `access.log-20240501`, `access-2024-05-01.log` are parts of one log).
pub(super) fn log_of(path: &Path) -> String {
    let text = path.to_string_lossy();
    let (folder, name) = text.rsplit_once('/').unwrap_or(("", &text));
    let mut name = name;
    for suffix in COMPRESSED {
        name = name.strip_suffix(suffix).unwrap_or(name);
    }
    let name = without_rotation_number(name);
    format!("{folder}/{}", without_date(name))
}

/// `access.log.12` → `access.log`; a number needs its dot, so that `site1.log` stays `site1.log`.
fn without_rotation_number(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, number)) if !stem.is_empty() && is_number(number) => stem,
        _ => name,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether digits are a date: YYMMDD, as IIS names its logs, YYYYMM or YYYYMMDD, each with hours, minutes and seconds behind as far as a
/// rotation has them, or the seconds since 1970. Those of customers and addresses seldom are.
fn is_date(digits: &[u8]) -> bool {
    let number = |digits: &[u8]| {
        let tens = |sum, digit: &u8| sum * 10 + u32::from(digit - b'0');
        digits.iter().fold(0, tens)
    };
    let is_day = |digits: &[u8]| {
        (1..=12).contains(&number(&digits[..2])) && (1..=31).contains(&number(&digits[2..4]))
    };
    let is_time = |digits: &[u8]| {
        let parts: Vec<u32> = digits.chunks(2).map(number).collect();
        let has_hour = parts.first().is_none_or(|hour| *hour < 24);
        digits.len().is_multiple_of(2)
            && parts.len() <= 3
            && has_hour
            && parts.iter().all(|it| *it < 60)
    };
    let is_year = |digits: &[u8]| matches!(&digits[..2], b"19" | b"20");
    let is_month = |digits: &[u8]| (1..=12).contains(&number(digits));
    let length = digits.len();
    let has_short_year = length >= 6 && is_day(&digits[2..6]) && is_time(&digits[6..]);
    let has_month = length == 6 && is_year(digits) && is_month(&digits[4..]);
    let has_day = length >= 8 && is_year(digits) && is_day(&digits[4..8]) && is_time(&digits[8..]);
    let is_since_1970 = length == 10 && digits[0] == b'1';
    has_short_year || has_month || has_day || is_since_1970
}

/// `u_ex240501.log` and `access.log-2024-05-01` without the run of digits, dashes and underscores
/// that is the date.
fn without_date(name: &str) -> String {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '_');
    let mut kept = String::new();
    let mut rest = name;
    while let Some(start) = rest.find(is_part) {
        let length = rest[start..]
            .find(|c| !is_part(c))
            .unwrap_or(rest.len() - start);
        let run = &rest[start..start + length];
        kept.push_str(&rest[..start]);
        let digits: Vec<u8> = run.bytes().filter(u8::is_ascii_digit).collect();
        if !is_date(&digits) {
            kept.push_str(run);
        }
        rest = &rest[start + length..];
    }
    kept + rest
}
