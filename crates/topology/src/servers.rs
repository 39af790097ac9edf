//! What requests, bytes and connections cost the servers: as it was measured, else as models assume it.

use std::sync::Arc;

use hotset_models::tiers::{PROXY_ANSWER_US, PROXY_NS_PER_BYTE, REQUEST_US, Store};
use hotset_scenario::{CostLine, Node, Scenario, ServerProfile};

/// Faster than any processor sends, bytes in a microsecond.
const LARGEST_RATE: f64 = 1e6;

/// What the nodes' servers cost their processors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Servers {
    /// What was measured; costs are assumed of servers that it leaves out.
    pub profile: ServerProfile,
    /// Whether each request of those who are no nodes has a connection of its own, which costs the server that they ask. Clients of a scenario
    /// say so themselves.
    pub opens_connections: bool,
}

impl Servers {
    /// By the server profile of the scenario. Connections are kept where its clients do not say otherwise.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Self {
        Self {
            profile: scenario.server_profile.clone().unwrap_or_default(),
            opens_connections: false,
        }
    }

    /// Whether the costs of a node's server are measured.
    #[must_use]
    pub fn are_measured(&self, node: &Node) -> bool {
        self.profile.costs(&node.server).is_some()
    }

    /// Those of a web server; nothing where it was not measured.
    pub(crate) fn web(&self, node: &Node, opens: bool) -> Option<WebCosts> {
        let costs = self.profile.costs(&node.server)?;
        Some(WebCosts {
            request_us: costs.request_us + opening_us(costs.connection_us, opens),
            ns_per_byte: costs.ns_per_byte,
        })
    }

    /// Those of a proxy. What was measured of a request and its answer together is divided evenly between both. So an answer that the proxy
    /// has kept takes half of it.
    pub(crate) fn proxy(&self, node: &Node, opens: bool) -> ProxyCosts {
        let Some(costs) = self.profile.costs(&node.server) else {
            return ProxyCosts {
                request_us: REQUEST_US,
                answer_us: PROXY_ANSWER_US,
                ns_per_byte: PROXY_NS_PER_BYTE,
            };
        };
        let half_us = costs.request_us / 2.0;
        ProxyCosts {
            request_us: half_us + opening_us(costs.connection_us, opens),
            answer_us: half_us,
            ns_per_byte: costs.ns_per_byte,
        }
    }
}

/// What the connection of a request costs, where each has one.
fn opening_us(connection_us: f64, opens: bool) -> f64 {
    match opens {
        true => connection_us,
        false => 0.0,
    }
}

/// What a request costs a proxy's processors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ProxyCosts {
    pub request_us: f64,
    pub answer_us: f64,
    pub ns_per_byte: f64,
}

/// What a request costs a web server's processors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WebCosts {
    pub request_us: f64,
    pub ns_per_byte: f64,
}

impl WebCosts {
    /// Stores as a server with these costs reads them: they stand in place of those of their profiles, which other programs were measured
    /// by. Opening a file still takes as long as it takes on the store.
    fn of_stores(self, stores: &[Store]) -> Arc<[Store]> {
        let bytes_per_us = (1e3 / self.ns_per_byte).min(LARGEST_RATE);
        let served = stores.iter().map(|store| {
            let mut store = store.clone();
            store.profile.cached = CostLine {
                fixed_us: 0.0,
                bytes_per_us,
            };
            store.profile.sending = Vec::new();
            store.request_ns = (self.request_us.max(store.profile.open_us) * 1e3) as u64;
            store
        });
        served.collect()
    }
}

/// The stores as each kind of server reads them. Nodes whose servers cost the same share them, so that models follow files once.
pub(crate) struct ServedStores<'s> {
    stores: &'s Arc<[Store]>,
    measured: Vec<(WebCosts, Arc<[Store]>)>,
}

impl<'s> ServedStores<'s> {
    pub fn new(stores: &'s Arc<[Store]>) -> Self {
        Self {
            stores,
            measured: Vec::new(),
        }
    }

    /// As a server with these costs reads them; with the assumed costs without any.
    pub fn by(&mut self, costs: Option<WebCosts>) -> Arc<[Store]> {
        let Some(costs) = costs else {
            return Arc::clone(self.stores);
        };
        if let Some((_, stores)) = self.measured.iter().find(|(it, _)| *it == costs) {
            return Arc::clone(stores);
        }
        let stores = costs.of_stores(self.stores);
        self.measured.push((costs, Arc::clone(&stores)));
        stores
    }
}
