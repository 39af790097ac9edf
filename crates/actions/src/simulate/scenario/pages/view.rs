//! Visits as reports show them.

use hotset_models::dynamic::DynamicSite;
use hotset_models::tiers::TiersResult;
use hotset_outcome::{GroupKey, GroupKind, Interval, Outcome, Provenance, ProvenanceKind, Score};
use hotset_report::{ScenarioView, VisitedPage};
use hotset_scenario::{Engine, Scenario};
use hotset_topology::{Nodes, add_resources};

use super::super::findings::Findings;
use super::super::not_modelled::{not_modelled, only_of_sites};
use super::super::options::Options;
use super::application::Application;
use crate::provenance;

/// What came of visits, and how.
pub(super) struct Answered {
    /// Its sites are types of pages, then other sites.
    pub result: TiersResult,
    pub kind: ProvenanceKind,
    pub replications: u32,
    pub throughput: Option<Interval>,
    pub p95: Option<Interval>,
    pub not_modelled: Vec<String>,
}

/// Keys that nothing in visits follows: links and switches, events, clients who give up, what servers take beside files of sites and what those
/// cost that send them, and engines but for what they have in memory.
pub(super) fn not_followed(
    options: &Options,
    scenario: &Scenario,
    nodes: &Nodes<'_>,
) -> Vec<String> {
    let mut keys = not_modelled(options, scenario, nodes);
    keys.retain(|key| !key.starts_with("link.") && !key.starts_with("event."));
    let links = scenario.links.iter();
    keys.extend(links.map(|link| format!("link.{}", link.ends)));
    for key in only_of_sites(scenario, nodes) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let opening = scenario.clients.iter().filter(|it| it.opens_connections);
    for key in opening.map(|it| format!("client.{}.connections", it.name)) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    // Their locks of whole tables, and caches of their own.
    let others = scenario.databases.iter();
    let others = others.filter(|it| it.engine != Engine::InnoDb);
    keys.extend(others.map(|it| format!("database.{}.engine", it.name)));
    if !scenario.events.is_empty() {
        keys.push("event".to_owned());
    }
    if scenario.server_profile.is_some() {
        keys.push("server_profile".to_owned());
    }
    keys
}

pub(super) fn view(
    options: &Options,
    nodes: &Nodes<'_>,
    (application, site): (&Application, &DynamicSite),
    answered: Answered,
) -> ScenarioView {
    let result = &answered.result;
    let findings = Findings::of(nodes, result, None);
    ScenarioView {
        scenario: options.scenario.display().to_string(),
        seed: options.seed,
        seconds: result.seconds,
        warm_up_seconds: result.warm_up_seconds,
        replications: answered.replications,
        is_random: answered.kind == ProvenanceKind::Simulated,
        throughput_interval: answered.throughput,
        p95_interval: answered.p95,
        stable: findings.is_stable,
        still_waiting: 0,
        saturation_per_s: findings.saturation_per_s,
        caches: findings.caches(nodes, result),
        calls: Vec::new(),
        pages: pages(application, &result.sites),
        advice: findings.advice,
        bottleneck: findings.bottleneck,
        targets: Vec::new(),
        not_modelled: answered.not_modelled,
        assumed: assumed(application, site),
        outcomes: vec![outcome(
            options,
            nodes,
            (application, site),
            answered.kind,
            answered.result,
        )],
    }
}

/// Types of pages, in the order of the mix.
fn pages(application: &Application, scores: &[Score]) -> Vec<VisitedPage> {
    let pages = application.names.iter().zip(scores);
    let figures = pages.map(|(name, score)| {
        let response = score.latencies.response.as_ref();
        VisitedPage {
            page: name.clone(),
            count: score.requests.unwrap_or_default(),
            mean_us: response.and_then(|it| it.mean_us),
            p95_us: response.and_then(|it| it.p95_us),
        }
    });
    figures.collect()
}

fn outcome(
    options: &Options,
    nodes: &Nodes<'_>,
    (application, site): (&Application, &DynamicSite),
    kind: ProvenanceKind,
    result: TiersResult,
) -> Outcome {
    let name = options.scenario.file_stem().unwrap_or_default();
    let mut provenance = Provenance::new(kind);
    provenance.seed = Some(options.seed);
    provenance.settings = settings(options, application, site);
    if let Some(beside) = &application.beside {
        provenance.traffic = Some(provenance::traffic(&beside.input.summary));
    }
    let mut outcome = Outcome::new(name.to_string_lossy(), provenance, result.total);
    let pages = application.names.iter();
    let pages = pages.map(|name| GroupKey::new(GroupKind::Page, name));
    let sites = application
        .beside
        .iter()
        .flat_map(|it| &it.input.trace.sites);
    let sites = sites.map(|name| GroupKey::new(GroupKind::Site, name));
    for (key, score) in pages.chain(sites).zip(result.sites) {
        if score.requests > Some(0) {
            outcome = outcome.with_group(key, score);
        }
    }
    for (node, result) in nodes.nodes.iter().zip(result.nodes) {
        add_resources(&mut outcome, &node.name, result);
    }
    outcome
}

fn settings(
    options: &Options,
    application: &Application,
    site: &DynamicSite,
) -> Vec<(String, String)> {
    let set = options.set.iter();
    let set = set.map(|it| ("set".to_owned(), it.to_string()));
    let think_us = application.mix.think.mean.as_secs_f64() * 1e6;
    let own = [
        ("mix", application.mix.name.clone()),
        ("clients", site.browsers.to_string()),
        ("think_mean_us", think_us.to_string()),
        ("pool_bytes", site.pool_bytes.to_string()),
        (
            "reads_through_page_cache",
            (!site.is_past_cache).to_string(),
        ),
    ];
    let own = own.map(|(name, value)| (name.to_owned(), value));
    let plan = options.plan.iter();
    let plan = plan.map(|path| ("plan".to_owned(), path.display().to_string()));
    let pinned = site.tables.iter().filter(|table| table.is_pinned);
    let pinned = pinned.map(|table| ("pinned".to_owned(), table.name.clone()));
    set.chain(own).chain(plan).chain(pinned).collect()
}

/// Whether pages have images with them.
fn has_images(application: &Application) -> bool {
    application
        .profile
        .pages
        .iter()
        .any(|page| page.images > 0.0)
}

/// What is taken for granted, in sentences.
fn assumed(application: &Application, site: &DynamicSite) -> Vec<String> {
    let mut assumed = vec![
        "Each page takes as long of each server as the application's profile says it does on average.".to_owned(),
        "All pages read tables in the same shares, and pages of a table's hot part are as likely as each other.".to_owned(),
        "The buffer pool keeps what was used last.".to_owned(),
        "Changed pages of tables are written to the disk at no cost.".to_owned(),
        "No network lies between browsers, servers and the database.".to_owned(),
    ];
    if application.profile.tables.is_empty() && site.tables.iter().any(|it| it.reads > 0.0) {
        assumed.push(
            "Hot pages of each table follow from those in memory and those read when it was measured, and it is read as often as its rows are."
                .to_owned(),
        );
    }
    if has_images(application) {
        assumed.push(
            "A page's images are asked for one after the other once it is there, and are part of its time. All are as likely as each other."
                .to_owned(),
        );
    }
    if application.beside.is_some() {
        assumed.push(
            "The logs' requests come again and again, and wait where 512 files are being sent already.".to_owned(),
        );
    }
    assumed
}
