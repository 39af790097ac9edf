//! What the logs of one machine contribute to a description of the logs of many.

use std::path::PathBuf;

use hotset_describe::{Part as OfLogs, PartOptions};
use hotset_trace::read::files_by_log;

use crate::{JobError, Logs, Part, Results, Watch, watch};

/// What a part is made of.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The logs.
    pub logs: Logs,
    /// Name of the machine, put in front of the names of its logs.
    pub node: Option<String>,
    /// The file for the part.
    pub output: PathBuf,
}

/// Reads logs into a part.
///
/// # Errors
/// What cannot be read, or a file that cannot be written.
pub fn run(options: &Options, watch: &dyn Watch) -> Result<OfLogs, JobError> {
    let logs = &options.logs;
    logs.refuse_folder(": is a trace folder: name the logs that it was made of")?;
    let results = Results {
        output: Some(options.output.clone()),
        ..Results::default()
    };
    results.check()?;
    // Patterns stand for files.
    let read = files_by_log(&logs.paths)?.concat();
    results.spare_files(read.iter().map(PathBuf::as_path))?;
    let reading = PartOptions {
        reading: &logs.reading,
        node: options.node.as_deref(),
    };
    watch.begin(Part::Bytes("reading"));
    let part = OfLogs::read(&logs.paths, &reading, &mut watch::reading(watch))?;
    watch.end();
    Ok(part)
}
