//! The result as `hotset compare` reads it, and what it rests on.

use hotset_models::tiers::{
    PROXY_ANSWER_US, PROXY_NS_PER_BYTE, REQUEST_FILE_BYTES, REQUEST_US, TiersResult,
};
use hotset_outcome::{Outcome, Provenance, ProvenanceKind};
use hotset_scenario::{Node, Scenario, ServerCosts, ServerProfile, ServerSpec, StoreKind};
use hotset_topology::{Nodes, Servers, add_link, add_resources};

use super::options::Options;
use crate::{Input, provenance};

/// The one outcome of a simulated scenario.
pub(super) fn outcome(
    options: &Options,
    nodes: &Nodes<'_>,
    servers: &Servers,
    input: &Input,
    simulated: TiersResult,
) -> Outcome {
    let name = options.scenario.file_stem().unwrap_or_default();
    let mut provenance = Provenance::new(ProvenanceKind::Simulated);
    provenance.seed = Some(options.seed);
    provenance.traffic = Some(provenance::traffic(&input.summary));
    provenance.settings = settings(options, nodes, servers);
    let mut outcome = Outcome::new(name.to_string_lossy(), provenance, simulated.total);
    for (site, score) in input.trace.sites.iter().zip(simulated.sites) {
        let of_site = [score.requests, score.errors];
        if of_site.iter().flatten().any(|&requests| requests > 0) {
            outcome = outcome.with_site(site, score);
        }
    }
    for (node, result) in nodes.nodes.iter().zip(simulated.nodes) {
        add_resources(&mut outcome, &node.name, result);
    }
    for link in simulated.other_links {
        // A grid has many links that nothing passes.
        let is_between_switches = link.name.starts_with("switches ");
        if !is_between_switches || link.counts.all_bytes != [0, 0] {
            add_link(&mut outcome, &link.name, link.counts);
        }
    }
    outcome
}

fn settings(options: &Options, nodes: &Nodes<'_>, servers: &Servers) -> Vec<(String, String)> {
    let set = options
        .set
        .iter()
        .map(|it| ("set".to_owned(), it.to_string()));
    let plan = options.plan.iter();
    let plan = plan.map(|it| ("plan".to_owned(), it.display().to_string()));
    let run = options.run.iter();
    let run = run.map(|it| ("run".to_owned(), format!("{}s", it.as_secs_f64())));
    let clients = match nodes.are_open() {
        true => "by the clock".to_owned(),
        false => nodes.clients().to_string(),
    };
    let clients = std::iter::once(("clients".to_owned(), clients));
    let costs = assumed_costs(nodes, servers);
    let costs = costs.into_iter().chain(measured_costs(&servers.profile));
    set.chain(plan)
        .chain(run)
        .chain(clients)
        .chain(costs)
        .collect()
}

/// The costs that are assumed of servers, where there is one that was not measured.
fn assumed_costs(nodes: &Nodes<'_>, servers: &Servers) -> Vec<(String, String)> {
    let costs = [
        ("request_us", REQUEST_US),
        ("proxy_answer_us", PROXY_ANSWER_US),
        ("proxy_ns_per_byte", PROXY_NS_PER_BYTE),
    ];
    let costs = costs.map(|(name, value)| (name.to_owned(), value.to_string()));
    let mut answering = nodes.nodes.iter().filter(|node| node.has_server());
    match answering.all(|node| servers.are_measured(node)) {
        true => Vec::new(),
        false => costs.into(),
    }
}

/// The costs of a server profile.
fn measured_costs(profile: &ServerProfile) -> Vec<(String, String)> {
    let servers = [
        ("nginx", profile.nginx),
        ("nginx_proxy", profile.nginx_proxy),
        ("apache", profile.apache),
        ("files", profile.files),
        ("files_client", profile.files_client),
    ];
    let of_server = |(server, costs): (&str, Option<ServerCosts>)| {
        let costs = costs.map(|it| {
            [
                (format!("{server}.request_us"), it.request_us),
                (format!("{server}.ns_per_byte"), it.ns_per_byte),
            ]
        });
        costs.into_iter().flatten()
    };
    let costs = servers.into_iter().flat_map(of_server);
    costs
        .map(|(name, value)| (name, value.to_string()))
        .collect()
}

/// What is taken for granted of the servers, in sentences.
pub(super) fn assumed(options: &Options, nodes: &Nodes<'_>, servers: &Servers) -> Vec<String> {
    let mut assumed = Vec::new();
    let mut unmeasured: Vec<&Node> = nodes.nodes.clone();
    unmeasured.retain(|node| !servers.are_measured(node));
    if unmeasured.iter().any(|node| node.reads_store()) {
        assumed.push(format!(
            "A request for a file of {REQUEST_FILE_BYTES} bytes takes a web server {REQUEST_US} µs of processor time, as nginx \
             took on one machine. Other sizes differ by what the store's profile says of bytes."
        ));
    }
    let is_proxy = |node: &&Node| matches!(node.server, ServerSpec::NginxProxy { .. });
    if unmeasured.iter().any(is_proxy) {
        assumed.push(format!(
            "What a proxy takes is assumed, not measured: {REQUEST_US} µs for a request, {PROXY_ANSWER_US} µs for an answer and \
             {PROXY_NS_PER_BYTE} ns for each of its bytes."
        ));
    }
    if unmeasured
        .iter()
        .any(|node| node.server == ServerSpec::Apache)
    {
        assumed.push(
            "Apache is taken to need as much of a processor as nginx; that is not measured."
                .to_owned(),
        );
    }
    let mut all = nodes.nodes.iter();
    if all.any(|node| node.server == ServerSpec::Files) {
        let scenario = nodes.numbers().scenario;
        assumed.push(of_calls(&servers.profile, scenario).to_owned());
    }
    assumed.extend(of_daemons(nodes.numbers().scenario).map(str::to_owned));
    let mut clients = nodes.numbers().scenario.clients.iter();
    let kept = "Connections are kept and cost nothing.";
    let opened = "Connections that are kept cost nothing. One that is opened costs its server's processors, and takes no time on links.";
    let opens = clients.any(|client| client.opens_connections);
    assumed.push(if opens { opened } else { kept }.to_owned());
    if options.run.is_some() {
        assumed.push(
            "`hotset run` takes no processor time, and counts every request, whoever makes it. Memory never gets short of what the scenario \
             gives."
                .to_owned(),
        );
    }
    assumed
}

/// The same of daemons that have a store for web nodes.
fn of_daemons(scenario: &Scenario) -> Option<&'static str> {
    let has_daemon = |kind: StoreKind| matches!(kind, StoreKind::GlusterFs | StoreKind::MooseFs);
    let mut stores = scenario.stores.iter().filter(|it| it.remote.is_some());
    let has_some = stores.any(|it| it.kind.is_some_and(has_daemon));
    has_some.then_some(
        "A request to the daemon of GlusterFS or MooseFS costs a web node 20 µs and 0.12 ns a byte of its processors, taken from that of OrangeFS.",
    )
}

/// What is taken for granted of calls to file servers.
fn of_calls(profile: &ServerProfile, scenario: &Scenario) -> &'static str {
    let are_measured = profile.files.is_some() && profile.files_client.is_some();
    let mut stores = scenario.stores.iter();
    let has_orangefs = stores.any(|it| it.kind == Some(StoreKind::OrangeFs));
    match (are_measured, has_orangefs) {
        (true, _) => {
            "Folders on the way to files of file servers are known to nodes that mount them."
        }
        (false, true) => {
            "What a call to a server of OrangeFS costs the processors is taken from version 2.10 on loopback. A call to another file server costs \
             15 µs and 0.25 ns a byte at each end. Both are assumed."
        }
        (false, false) => {
            "A call to a file server costs the processors 15 µs and 0.25 ns a byte at each end. Both are assumed. Folders on the way to files \
             are known to nodes that mount them."
        }
    }
}
