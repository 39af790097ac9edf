//! Every table, figure and claim of the documents, beside what is simulated and what was measured here.

use std::path::Path;

use hotset_experiment::Tools;
use hotset_experiment::reproduce::{measure, names, reproduce};
use hotset_report::ReproductionView;

use crate::error::usage;
use crate::lab::Steps;
use crate::{JobError, Results, Watch, provenance};

/// Folder of the experiments, below the working folder.
pub const EXPERIMENTS: &str = "experiments";

/// What is reproduced.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Only these studies; all where empty.
    pub names: Vec<String>,
    /// Where the report goes.
    pub results: Results,
}

/// Lays the studies beside what is simulated and what experiments in [`EXPERIMENTS`] have measured. With `tools`, what they have not measured
/// is measured first.
///
/// # Errors
/// A name that no study has; a report that cannot be written; an interruption. What cannot be measured, simulated or kept is a warning.
pub fn run(
    options: &Options,
    tools: Option<&Tools>,
    watch: &dyn Watch,
) -> Result<ReproductionView, JobError> {
    for name in &options.names {
        check(name)?;
    }
    options.results.check()?;
    let folder = Path::new(EXPERIMENTS);
    if let Some(tools) = tools {
        let _held = watch.hold_interrupts();
        let date = provenance::now();
        let refused = measure(&options.names, folder, tools, &date, &Steps(watch))?;
        watch.end();
        for why in refused {
            watch.warn(why.into());
        }
    }
    let reproduction = reproduce(&options.names, folder, &Steps(watch))?;
    watch.end();
    for remark in &reproduction.remarks {
        watch.warn(remark.as_str().into());
    }
    Ok(ReproductionView {
        has_details: !options.names.is_empty(),
        reproduction,
    })
}

/// Refuses a name that no study has, and names the nearest.
fn check(name: &str) -> Result<(), JobError> {
    let likeness = |known: &&str| strsim::jaro_winkler(name, known);
    let nearest = names().max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
    match nearest {
        Some(known) if known == name => Ok(()),
        nearest => Err(usage(format!(
            "`{name}` is not a study; did you mean `{}`? Without a name all are shown",
            nearest.unwrap_or_default()
        ))),
    }
}
