//! Metrics, as OpenMetrics writes them.

use super::view::RunView;
use hotset_live::{SiteFigures, SiteSaving};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use std::sync::atomic::AtomicU64;

type Labels = [(&'static str, String); 1];
type Reasons = [(&'static str, String); 2];
type Number = Gauge<f64, AtomicU64>;

const SECOND_US: f64 = 1e6;
const SECOND_MS: f64 = 1e3;

/// A figure of what holding has saved a site, in its own unit.
type SavedFigure = fn(&SiteFigures, &SiteSaving) -> Option<f64>;

/// What is told of what holding has saved, each with the half of its interval of 95 %.
const SAVED: [(&str, &str, SavedFigure); 8] = [
    (
        "memory_hit_ratio",
        "Share of file reads that found their file in memory, held or in the page cache, over the last interval with reads, predicted",
        |it, saving| Some(saving.last.hit_ratio(it.last.reads)?.value),
    ),
    (
        "memory_hit_ratio_error",
        "By how much memory_hit_ratio may be off; 0 where every file is followed",
        |it, saving| Some(saving.last.hit_ratio(it.last.reads)?.error),
    ),
    (
        "page_cache_hit_ratio",
        "Share of the same reads that the page cache alone would have had, predicted",
        |it, saving| Some(saving.last.hit_ratio_alone(it.last.reads)?.value),
    ),
    (
        "page_cache_hit_ratio_error",
        "By how much page_cache_hit_ratio may be off",
        |it, saving| Some(saving.last.hit_ratio_alone(it.last.reads)?.error),
    ),
    (
        "saved_reads",
        "File reads that found their file in memory because files are held, since the start, predicted",
        |_, saving| Some(saving.all.reads.value),
    ),
    (
        "saved_reads_error",
        "By how many saved_reads may be off",
        |_, saving| Some(saving.all.reads.error),
    ),
    (
        "saved_seconds",
        "Time that these reads would have waited for their store by its profile, since the start, predicted",
        |_, saving| Some(saving.all.us.value / SECOND_US),
    ),
    (
        "saved_seconds_error",
        "By how much saved_seconds may be off",
        |_, saving| Some(saving.all.us.error / SECOND_US),
    ),
];

pub(super) fn metrics(view: &RunView) -> Result<String, std::fmt::Error> {
    let mut registry = Registry::with_prefix("hotset");
    whole(view, &mut registry);
    sites(view, &mut registry);
    let mut text = String::new();
    encode(&mut text, &registry)?;
    Ok(text)
}

/// Of all sites together, and of the daemon itself.
fn whole(view: &RunView, registry: &mut Registry) {
    let mut number = |name: &str, help: &str, value: Option<f64>| {
        let gauge = Number::default();
        gauge.set(value.unwrap_or(f64::NAN));
        registry.register(name, help, gauge);
    };
    let daemon = view.daemon;
    let state = view.status.status.state.as_ref();
    number(
        "predicted_hit_ratio",
        "Share of file reads that the files chosen last would have had",
        daemon.figures.predicted_hit_ratio,
    );
    let savings = daemon.figures.savings.as_ref();
    number(
        "followed_share",
        "Share of the files that the page cache alone is predicted by",
        savings.map(|savings| savings.followed_share),
    );
    let pays = savings.and_then(|savings| savings.payoff.pays);
    number(
        "holding_pays",
        "Whether holding saves anything beside the page cache alone: 1 or 0",
        pays.map(|pays| f64::from(u8::from(pays))),
    );
    number(
        "budget_bytes",
        "Memory that held files may take",
        state.map(|state| state.budget_bytes as f64),
    );
    number(
        "staleness_seconds",
        "For how long an answer may be older than the file on disk",
        (state.and_then(|state| state.staleness_ms)).map(|ms| ms as f64 / SECOND_MS),
    );
    number(
        "faults",
        "Faults of what holds files; 0 where all is well",
        Some(view.status.status.faults.len() as f64),
    );
    number(
        "told_timestamp_seconds",
        "When these figures were told",
        Some(daemon.time_ms as f64 / SECOND_MS),
    );
    number(
        "interval_seconds",
        "How long a choice of files stays",
        Some(daemon.interval.as_secs_f64()),
    );
}

/// Of each site.
fn sites(view: &RunView, registry: &mut Registry) {
    let sites = &view.daemon.figures.sites;
    let label = |site: &str| [("site", site.to_owned())];
    let mut count = |name: &str, help: &str, value: &dyn Fn(&hotset_live::ReadCounts) -> u64| {
        let family = Family::<Labels, Counter>::default();
        for site in sites {
            family
                .get_or_create(&label(&site.site))
                .inc_by(value(&site.all));
        }
        registry.register(name, help, family);
    };
    count("reads", "File reads in the logs", &|all| all.reads);
    count("hits", "File reads of held files", &|all| all.hits);
    count("moved_bytes", "Files moved into memory", &|all| {
        all.moved_bytes
    });
    registry.register(
        "passed_over",
        "Requests that nothing was learnt from",
        passed_over(view),
    );
    let mut number = |name: &str, help: &str, values: Vec<(&str, Option<f64>)>| {
        let family = Family::<Labels, Number>::default();
        for (site, value) in values {
            if let Some(value) = value {
                family.get_or_create(&label(site)).set(value);
            }
        }
        registry.register(name, help, family);
    };
    let last = |value: &dyn Fn(&hotset_live::ReadCounts) -> Option<f64>| {
        let values = sites
            .iter()
            .map(|site| (site.site.as_str(), value(&site.last)));
        values.collect::<Vec<_>>()
    };
    number(
        "hit_ratio",
        "Share of file reads that were of held files, over the last interval with reads",
        last(&|last| last.hit_ratio()),
    );
    number(
        "mean_seconds",
        "Mean of the times that the server logged for file reads, over the last interval with reads",
        last(&|last| last.mean_us().map(|mean_us| mean_us / SECOND_US)),
    );
    for (name, help, value) in SAVED {
        let values = sites.iter().map(|it| {
            let saving = it.saving.as_ref();
            (
                it.site.as_str(),
                saving.and_then(|saving| value(it, saving)),
            )
        });
        number(name, help, values.collect());
    }
    let held = view.status.sites();
    let held = |value: &dyn Fn(&hotset_live::Tally) -> u64| {
        let values = held
            .iter()
            .map(|site| (site.site, Some(value(&site.held) as f64)));
        values.collect::<Vec<_>>()
    };
    number(
        "held_files",
        "Files that a living process has locked, or whose copies are served",
        held(&|held| held.objects),
    );
    number(
        "held_bytes",
        "Sizes of the files that held_files counts",
        held(&|held| held.bytes),
    );
}

/// Requests that nothing was learnt from, by site and reason. Those of other sites have none.
fn passed_over(view: &RunView) -> Family<Reasons, Counter> {
    let figures = &view.daemon.figures;
    let family = Family::<Reasons, Counter>::default();
    let add = |site: &str, reason: &str, requests: u64| {
        let labels = [("site", site.to_owned()), ("reason", reason.to_owned())];
        family.get_or_create(&labels).inc_by(requests);
    };
    for site in &figures.sites {
        add(&site.site, "client_share", site.all.beyond_share);
        add(&site.site, "new_names", site.all.beyond_names);
    }
    add("", "no_site", figures.of_other_sites);
    family
}
