//! The result as `hotset compare` reads it, and what it rests on.

use hotset_models::tiers::{
    LinkCounts, NodeResult, PROXY_ANSWER_US, PROXY_NS_PER_BYTE, REQUEST_FILE_BYTES, REQUEST_US,
    TiersResult,
};
use hotset_outcome::{Link, Outcome, Provenance, ProvenanceKind, Resource};
use hotset_scenario::{Node, ServerSpec};

use super::nodes::Nodes;
use super::options::Options;
use crate::{Input, provenance};

/// The one outcome of a simulated scenario.
pub(super) fn outcome(
    options: &Options,
    nodes: &Nodes<'_>,
    input: &Input,
    simulated: TiersResult,
) -> Outcome {
    let name = options.scenario.file_stem().unwrap_or_default();
    let mut provenance = Provenance::new(ProvenanceKind::Simulated);
    provenance.seed = Some(options.seed);
    provenance.traffic = Some(provenance::traffic(&input.summary));
    provenance.settings = settings(options, nodes);
    let mut outcome = Outcome::new(name.to_string_lossy(), provenance, simulated.total);
    for (site, score) in input.trace.sites.iter().zip(simulated.sites) {
        if score.requests > Some(0) {
            outcome = outcome.with_site(site, score);
        }
    }
    for (node, result) in nodes.nodes.iter().zip(simulated.nodes) {
        add(&mut outcome, node, result);
    }
    for link in simulated.other_links {
        add_link(&mut outcome, &link.name, link.counts);
    }
    outcome
}

/// What a node did.
fn add(outcome: &mut Outcome, node: &Node, result: NodeResult) {
    let named = |what: &str, resource: Resource| Resource {
        name: format!("{} {what}", node.name),
        ..resource
    };
    let NodeResult {
        processors,
        workers,
        disks,
        ..
    } = result;
    outcome.resources.push(named("processors", processors));
    let workers = workers.map(|it| named("workers", it));
    outcome.resources.extend(workers);
    for disk in disks {
        outcome.resources.push(named(&disk.name.clone(), disk));
    }
    if let Some(link) = result.link {
        add_link(outcome, &node.name, link);
    }
}

fn add_link(outcome: &mut Outcome, name: &str, link: LinkCounts) {
    let ways = link.ways.map(|way| Resource {
        name: format!("{name} link {}", way.name),
        ..way
    });
    outcome.resources.extend(ways);
    outcome.links.push(Link {
        name: name.to_owned(),
        sent_bytes: Some(link.sent_bytes),
        received_bytes: Some(link.received_bytes),
        ..Link::default()
    });
}

fn settings(options: &Options, nodes: &Nodes<'_>) -> Vec<(String, String)> {
    let set = options
        .set
        .iter()
        .map(|it| ("set".to_owned(), it.to_string()));
    let plan = options.plan.iter();
    let plan = plan.map(|it| ("plan".to_owned(), it.display().to_string()));
    let known = [
        (
            "clients",
            match nodes.are_open() {
                true => "by the clock".to_owned(),
                false => nodes.clients().to_string(),
            },
        ),
        ("request_us", REQUEST_US.to_string()),
        ("proxy_answer_us", PROXY_ANSWER_US.to_string()),
        ("proxy_ns_per_byte", PROXY_NS_PER_BYTE.to_string()),
    ];
    let known = known.map(|(name, value)| (name.to_owned(), value));
    set.chain(plan).chain(known).collect()
}

/// What is taken for granted of the servers, in sentences.
pub(super) fn assumed(nodes: &Nodes<'_>) -> Vec<String> {
    let mut assumed = vec![format!(
        "A request for a file of {REQUEST_FILE_BYTES} bytes takes a web server {REQUEST_US} µs of processor time, as nginx \
         took on one machine. Other sizes differ by what the store's profile says of bytes."
    )];
    if nodes.nodes.iter().any(|node| !node.reads_store()) {
        assumed.push(format!(
            "What a proxy takes is assumed, not measured: {REQUEST_US} µs for a request, {PROXY_ANSWER_US} µs for an answer and \
             {PROXY_NS_PER_BYTE} ns for each of its bytes."
        ));
    }
    if nodes
        .nodes
        .iter()
        .any(|node| node.server == ServerSpec::Apache)
    {
        assumed.push(
            "Apache is taken to need as much of a processor as nginx; that is not measured."
                .to_owned(),
        );
    }
    assumed.push("Connections are kept and cost nothing.".to_owned());
    assumed
}
