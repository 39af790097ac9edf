//! Parts as one description, or as one part.

use std::path::PathBuf;

use hotset_describe::Part as OfLogs;
use hotset_trace::Zone;

use crate::describe::DescribeResult;
use crate::{JobError, Part, Results, Watch};

/// What is merged.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Parts, in any order.
    pub parts: Vec<PathBuf>,
    /// On whose clocks hours are.
    pub time_zone: Zone,
    /// Where the description goes; or `output`, which all of the parts are written to as one, in its place.
    pub results: Results,
}

/// What parts make.
#[derive(Debug)]
pub enum MergeResult {
    /// One part.
    Part(Box<OfLogs>),
    /// A description of all their logs.
    Description(Box<DescribeResult>),
}

/// Merges parts.
///
/// # Errors
/// Parts that cannot be read or do not go together, or results that cannot be written.
pub fn run(options: &Options, watch: &dyn Watch) -> Result<MergeResult, JobError> {
    let files = || options.parts.iter().map(PathBuf::as_path);
    options.results.check()?;
    options.results.spare_files(files())?;
    watch.begin(Part::Uncounted("merging"));
    let open = |file: &PathBuf| Ok((file.display().to_string(), OfLogs::open(file)?));
    let parts: Result<Vec<_>, JobError> = options.parts.iter().map(open).collect();
    let part = OfLogs::merge(parts?)?;
    watch.end();
    if options.results.output.is_some() {
        return Ok(MergeResult::Part(Box::new(part)));
    }
    let first = options.parts.first();
    let first = first.map_or_else(String::new, |first| first.display().to_string());
    let (description, reading) = part.describe(&first, &options.time_zone)?;
    Ok(MergeResult::Description(Box::new(DescribeResult {
        description,
        reading,
    })))
}
