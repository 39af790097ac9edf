//! The tiers of a scenario as an experiment has them: a proxy, the web nodes behind it, and the stores that they read.

use hotset_scenario::{Balance, DiskSpec, Link, Node, Scenario, ServerSpec, StoreSpec};

use crate::node::{self, RealStore, web_node};

/// A proxy and what is behind it.
pub(crate) struct Tiers {
    /// The web nodes, at least one, all with the same memory.
    pub webs: Vec<Node>,
    pub proxy: Node,
    /// All memory of a web node, bytes.
    pub memory_bytes: u64,
    /// Of the first web node and of the proxy.
    pub link_bits_per_s: [Option<u64>; 2],
    links: Vec<Link>,
}

impl Tiers {
    /// The first proxy of the scenario that keeps nothing and the web nodes behind it, whose memory is divided by `scale`.
    ///
    /// # Errors
    /// What of them the experiment cannot use.
    pub fn of(scenario: &Scenario, scale: u64) -> Result<Self, String> {
        let mut nodes = scenario.nodes.iter();
        let found = nodes.find_map(|node| Some((node, behind(node)?)));
        let (proxy, names) =
            found.ok_or("has no [[node]] with server = \"nginx-proxy\" that keeps no responses")?;
        let named = |name: &String| scenario.nodes.iter().find(|node| node.name == *name);
        let webs = names.iter().filter_map(named);
        let webs = webs.map(|web| web_node(web, scale));
        let webs = webs.collect::<Result<Vec<_>, String>>()?;
        let &(ref first, memory_bytes) = webs.first().ok_or("has no web node behind the proxy")?;
        if webs.iter().any(|&(_, bytes)| bytes != memory_bytes) {
            return Err("gives its web nodes different memory; give all the same".to_owned());
        }
        let link = |node: &Node| {
            let link = scenario.link_of(&node.name);
            link.map(|link| link.bits_per_s)
        };
        Ok(Self {
            link_bits_per_s: [link(first), link(proxy)],
            webs: webs.into_iter().map(|(web, _)| web).collect(),
            proxy: proxy.clone(),
            memory_bytes,
            links: scenario.links.clone(),
        })
    }

    /// The proxy, the first `webs` of the web nodes and these stores alone, each with room for so many bytes.
    pub fn scenario(&self, webs: usize, stores: &[&StoreSpec], least_bytes: u64) -> Scenario {
        let webs = &self.webs[..webs.min(self.webs.len())];
        let proxy = Node {
            server: ServerSpec::NginxProxy {
                cache: false,
                upstream: webs.iter().map(|web| web.name.clone()).collect(),
                balance: Balance::RoundRobin,
            },
            ..self.proxy.clone()
        };
        let nodes: Vec<&Node> = webs.iter().chain([&proxy]).collect();
        node::alone(&nodes, stores, least_bytes, &self.links)
    }
}

/// The nodes that a proxy without a cache asks.
fn behind(node: &Node) -> Option<&[String]> {
    match &node.server {
        ServerSpec::NginxProxy {
            cache: false,
            upstream,
            ..
        } => Some(upstream),
        _ => None,
    }
}

/// Stores of the scenario that are real file systems, in its order.
///
/// # Errors
/// What of them the experiment cannot use.
pub(crate) fn real_stores(scenario: &Scenario) -> Result<Vec<RealStore>, String> {
    let stores = scenario.stores.iter().filter_map(|store| {
        Some(RealStore {
            kind: store.kind?,
            spec: store.clone(),
        })
    });
    let stores: Vec<RealStore> = stores.collect();
    let throttled = |store: &&RealStore| matches!(store.spec.disk, DiskSpec::Throttled { .. });
    match stores.iter().find(throttled) {
        Some(store) => Err(format!(
            "has store {} on a throttled disk; file systems are compared on a plain or a seeking disk",
            store.spec.name
        )),
        None if stores.is_empty() => Err("has no [[store]] with a kind".to_owned()),
        None => Ok(stores),
    }
}
