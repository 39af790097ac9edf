//! Visits by formulas.

use hotset_models::calculate::calculate_visits;
use hotset_outcome::ProvenanceKind;
use hotset_report::ModelView;
use hotset_topology::Nodes;
use hotset_workload::sessions::page_shares;

use super::super::inputs::{in_file, scenario};
use super::super::not_modelled::refuse_any;
use super::super::options::Options;
use super::super::stations::{bounds, demands};
use super::application::Application;
use super::denial::denial;
use super::view::{Answered, not_followed, view};
use crate::error::refuse;
use crate::{JobError, Watch};

/// Calculates what visits to the application that the options name come to.
///
/// # Errors
/// Files that cannot be read, what is not calculated, and logs of other sites, beside which nothing is.
pub(crate) fn calculate(options: &Options, watch: &dyn Watch) -> Result<ModelView, JobError> {
    let scenario = scenario(options)?;
    let nodes = Nodes::of_pages(&scenario).map_err(in_file(options))?;
    let mut keys = not_followed(options, &scenario, &nodes);
    let application = Application::read(options, &scenario, watch)?;
    if application.beside.is_some() {
        refuse!(
            "{}: pages beside files of other sites are simulated, not calculated; use `hotset simulate scenario`, or leave the logs out",
            options.scenario.display()
        );
    }
    let site = application.site(options, &nodes, &[])?;
    let limited = nodes.nodes.iter().filter(|node| node.workers.is_some());
    keys.extend(limited.map(|node| format!("node.{}.workers", node.name)));
    if site.images.is_some() {
        keys.push("application.images".to_owned());
    }
    if options.strict_keys {
        refuse_any(&keys).map_err(in_file(options))?;
    }
    let shares = page_shares(&application.mix, options.seed);
    let think_s = application.mix.think.cut_mean().as_secs_f64();
    let calculated = calculate_visits(&site, &shares, think_s);
    let answered = Answered {
        result: calculated.result.clone(),
        kind: ProvenanceKind::Calculated,
        replications: 0,
        throughput: None,
        p95: None,
        not_modelled: keys,
    };
    let mut shown = view(options, &nodes, (&application, &site), answered);
    shown.advice.extend(denial(&scenario, &shown.caches));
    Ok(ModelView {
        method: calculated.method.name().to_owned(),
        hit_ratio_method: calculated.hit_ratio_method.name().to_owned(),
        demands: demands(&application.names, &calculated),
        bounds: bounds(&scenario, &calculated),
        scenario: shown,
    })
}
