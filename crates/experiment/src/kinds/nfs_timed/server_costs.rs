//! What results say of the costs of a file server.

use hotset_scenario::{ServerCosts, ServerProfile};

use super::costs::EndCosts;
use super::result::NfsResult;
use crate::quantile::median;

/// What reading costs the server, medians of these results. Clients are in user space, so nothing is said of the kernel's.
pub(super) fn profile(kept: &[NfsResult]) -> ServerProfile {
    let first = kept.first().map(|it| it.experiment.as_str());
    let date = kept.iter().map(|it| it.date.as_str()).max();
    let middle = |of: fn(&EndCosts) -> f64| {
        let costs = kept.iter().map(|it| &it.measured.detail.costs);
        median(costs.map(|it| of(&it.server_reads)))
    };
    let files = middle(|it| it.call_us).zip(middle(|it| it.ns_per_byte));
    ServerProfile {
        source: first.zip(date).map_or_else(String::new, |(name, date)| {
            format!("experiment {name}, measured {date}")
        }),
        files: files.map(|(request_us, ns_per_byte)| ServerCosts {
            request_us,
            ns_per_byte,
            connection_us: 0.0,
        }),
        ..ServerProfile::default()
    }
}
