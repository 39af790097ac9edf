//! Visits in simulated time.

use hotset_models::dynamic::{Measured, simulate as simulate_site, simulate_with_uses};
use hotset_outcome::ProvenanceKind;
use hotset_report::ScenarioView;
use hotset_topology::{Browsers, Nodes};

use super::super::inputs::{in_file, scenario};
use super::super::not_modelled;
use super::super::options::Options;
use super::super::replications::replicate;
use super::application::Application;
use super::denial::denial;
use super::files_work;
use super::planned::put_in_force;
use super::view::{Answered, not_followed, view};
use crate::{JobError, Part, Watch};

/// Simulates visits to the application that the options name.
///
/// # Errors
/// Files that cannot be read, what is not simulated yet, and an interrupt.
pub(crate) fn simulate(options: &Options, watch: &dyn Watch) -> Result<ScenarioView, JobError> {
    files_work::check(options)?;
    let mut scenario = scenario(options)?;
    let planned = put_in_force(options, &mut scenario)?;
    let nodes = Nodes::of_pages(&scenario).map_err(in_file(options))?;
    let mut keys = not_followed(options, &scenario, &nodes);
    keys.extend(planned.not_modelled);
    if options.strict_keys {
        not_modelled::refuse_any(&keys).map_err(in_file(options))?;
    }
    let application = Application::read(options, &scenario, watch)?;
    let site = application.site(options, &nodes, &planned.pinned)?;
    let measured = Measured::of(&site);
    watch.begin(Part::Uncounted("simulating"));
    let replicated = replicate(options.replications, true, |number| {
        let seed = options.seed.wrapping_add(number);
        let mut browsers = Browsers::new(&application.mix, seed);
        let goes_on = || !watch.stops();
        Ok(simulate_site(
            &site,
            &mut browsers,
            measured,
            seed,
            &goes_on,
        )?)
    });
    watch.end();
    let replicated = replicated?;
    if let Some(path) = &options.files_work {
        let mut browsers = Browsers::new(&application.mix, options.seed);
        let goes_on = || !watch.stops();
        let (result, uses) =
            simulate_with_uses(&site, &mut browsers, measured, options.seed, &goes_on)?;
        let pages = result.total.requests.unwrap_or_default();
        files_work::write(path, &site, pages, &uses)?;
    }
    let answered = Answered {
        result: replicated.result,
        kind: ProvenanceKind::Simulated,
        replications: replicated.count,
        throughput: replicated.throughput,
        p95: replicated.p95,
        not_modelled: keys,
    };
    let mut shown = view(options, &nodes, (&application, &site), answered);
    shown.advice.extend(denial(&scenario, &shown.caches));
    Ok(shown)
}
