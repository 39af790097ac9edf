//! Logs described: rates, popularity, sizes.

use hotset_describe::{DescribeOptions, Description, describe};
use hotset_report::DescriptionView;
use hotset_trace::Zone;
use hotset_trace::read::{ReadError, ReadSummary};

use crate::error::usage;
use crate::{Field, Input, JobError, Logs, Part, Results, Watch};

/// What is described, and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The logs.
    pub logs: Logs,
    /// On whose clocks hours are.
    pub time_zone: Zone,
    /// Where the description goes.
    pub results: Results,
}

/// A description of traffic, and how it was read.
#[derive(Clone, Debug)]
pub struct DescribeResult {
    /// What the traffic looks like.
    pub description: Description,
    /// How it was read.
    pub reading: ReadSummary,
}

impl DescribeResult {
    /// What reports show.
    pub fn view(&self) -> DescriptionView<'_> {
        DescriptionView {
            description: &self.description,
            reading: &self.reading,
        }
    }
}

/// Describes logs.
///
/// # Errors
/// What cannot be read, results that cannot be written, or clients asked for that a trace folder does not have.
pub fn run(options: &Options, watch: &dyn Watch) -> Result<DescribeResult, JobError> {
    options.results.check()?;
    check_clients(&options.logs)?;
    let input = options.logs.read(watch)?;
    options.results.spare(&input)?;
    watch.begin(Part::Uncounted("describing"));
    let described = of_input(&input, &options.time_zone, watch);
    watch.end();
    described
}

/// Describes what was read, with hours on the clocks of `zone`.
///
/// # Errors
/// It was stopped.
pub fn of_input(input: &Input, zone: &Zone, watch: &dyn Watch) -> Result<DescribeResult, JobError> {
    let stop = watch.stop();
    let description = describe(
        &input.trace,
        &DescribeOptions {
            stop: stop.as_ref(),
            ..input.describe_options(zone)
        },
    );
    if stop.is_some_and(|stop| stop.is_asked()) {
        return Err(ReadError::Interrupted.into());
    }
    Ok(DescribeResult {
        description,
        reading: input.summary.clone(),
    })
}

/// Addresses that a trace folder does not have cannot be shown.
fn check_clients(logs: &Logs) -> Result<(), JobError> {
    match logs.folder()? {
        Some(folder) if logs.reading.keep_clients => Err(usage(format!(
            "{} is a trace folder: its clients have the names it was imported with; leave {} out",
            folder.display(),
            Field::KeepClients
        ))),
        _ => Ok(()),
    }
}
