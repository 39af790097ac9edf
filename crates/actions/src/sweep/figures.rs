//! What a simulation or calculation came to, as a row for each site has it.

use hotset_outcome::{GroupKind, Score};
use hotset_report::{Limit, LimitKind, PointFigures, ScenarioView, SiteFigures};

/// The figures of a point.
pub(super) fn figures(simulated: &ScenarioView) -> PointFigures {
    let outcome = simulated.outcomes.first();
    let sites = outcome
        .into_iter()
        .flat_map(|it| it.of_kind(GroupKind::Site));
    let mut sites: Vec<SiteFigures> = sites
        .map(|it| site(Some(it.key.name.clone()), &it.score))
        .collect();
    if sites.len() != 1 {
        sites.extend(outcome.map(|it| site(None, &it.total)));
    }
    PointFigures {
        sites,
        bottleneck: simulated.bottleneck.as_ref().map(limit),
        stable: simulated.stable,
        still_waiting: simulated.still_waiting,
        not_modelled: simulated.not_modelled.clone(),
    }
}

fn site(name: Option<String>, score: &Score) -> SiteFigures {
    let response = score.response().map(|(_, response)| response);
    let first_byte = score.latencies.first_byte.as_ref();
    SiteFigures {
        site: name,
        throughput_per_s: score.throughput_per_s,
        mean_us: score.mean_us(),
        p50_us: response.and_then(|it| it.p50_us),
        p95_us: response.and_then(|it| it.p95_us),
        p99_us: response.and_then(|it| it.p99_us),
        first_byte_p95_us: first_byte.and_then(|it| it.p95_us),
        hit_ratio: score.hit_ratio(),
        errors: score.errors,
    }
}

fn limit(limit: &Limit) -> String {
    let kind = match limit.kind {
        LimitKind::Processor => "processor",
        LimitKind::Disk => "disk",
        LimitKind::Link => "link",
        LimitKind::Workers => "workers",
    };
    format!("{kind} {}", limit.name)
}
