//! From traffic and what is asked for to a plan and everything said about it.

mod databases;
mod mounted;
mod options;
mod plan_result;
mod planning;
mod previous;
mod setting;
mod underlying_store;

use std::path::Path;

use hotset_report::PlanFileFormat;
use hotset_scenario::Placement;
use hotset_trace::read::Roots;

use crate::results::spare;
use crate::{Input, JobError, Timings, Watch, name_of};

#[cfg(feature = "beyond-logs")]
pub(crate) use databases::socket_of;
pub use options::{Options, SiteTarget};
pub use plan_result::PlanResult;
#[cfg(feature = "scenarios")]
pub(crate) use previous::{call_only_node, held_on};
use setting::Setting;
pub use setting::{check_reservations, check_traffic, site_targets};
pub use underlying_store::profile_of;

/// Plans for the logs of `options`.
///
/// # Errors
/// What cannot be read or written, and what was asked for that does not go with the traffic.
pub fn run(options: &Options, watch: &dyn Watch) -> Result<PlanResult, JobError> {
    let mut timings = Timings::start();
    options.results.check()?;
    check_previous(options)?;
    let setting = set(options, watch)?;
    let mut logs = options.logs.clone();
    if logs.paths.is_empty() {
        logs.paths = setting.logs()?;
    }
    setting.add_to(&mut logs.reading)?;
    let roots = Roots::new(logs.reading.roots.clone())?;
    let input = logs.read(watch)?;
    let read = input.files().chain(options.scenario.as_deref());
    options.results.spare_files(read)?;
    timings.part("read");
    let name = name_of(&logs.paths);
    PlanResult::of(options, &setting, input, &name, &roots, timings, watch)
}

/// Plans for `input`, which was read already and is called `name` in messages; its sites have no roots.
///
/// # Errors
/// As [`run`].
pub fn of_input(
    options: &Options,
    input: Input,
    name: &str,
    watch: &dyn Watch,
) -> Result<PlanResult, JobError> {
    let setting = set(options, watch)?;
    let roots = Roots::new(Vec::new())?;
    PlanResult::of(
        options,
        &setting,
        input,
        name,
        &roots,
        Timings::start(),
        watch,
    )
}

/// The plan that a scenario with its own logs asks for.
///
/// # Errors
/// As [`run`], or a scenario that names no logs.
pub fn of_scenario(path: &Path, watch: &dyn Watch) -> Result<Placement, JobError> {
    let options = Options {
        scenario: Some(path.to_owned()),
        needs_size: true,
        ..Options::default()
    };
    Ok(run(&options, watch)?.into_placement())
}

/// What a plan takes beside the traffic, with what is to be said of it.
fn set(options: &Options, watch: &dyn Watch) -> Result<Setting, JobError> {
    let setting = Setting::of(options)?;
    let warnings = setting.replaced_targets().into_iter();
    let warnings = warnings.chain(setting.undivided());
    warnings.for_each(|warning| watch.warn(warning));
    Ok(setting)
}

/// Refuses results that would overwrite the plan in force with what no later plan reads.
fn check_previous(options: &Options) -> Result<(), JobError> {
    let list = options.results.output.as_deref();
    let list = list.filter(|_| options.output_format != PlanFileFormat::Json);
    let files = list.into_iter().chain(options.results.html.as_deref());
    spare(files, options.previous.as_deref().into_iter())
}
