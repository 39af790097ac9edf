//! The network: a bridge as the switch, a network namespace for each node, a pair of virtual interfaces as its
//! cable, and a token bucket at both ends as the cable's rate. Two nodes may have a cable of their own besides: [`Direct`].

mod cable;
mod counters;
mod direct;
mod namespace;

pub use cable::{Cable, LinkRate};
pub use counters::LinkCounters;
pub use direct::Direct;
pub use namespace::Namespace;

use crate::LabError;
use cable::{ip, use_congestion_control};
use hotset_machine::resource::Resource;
use hotset_machine::{Deployment, OnFile};
use std::fs;
use std::net::Ipv4Addr;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// The switch of a deployment. The machine itself has its first address, so that clients on the machine reach the nodes.
#[derive(Debug)]
pub struct Network {
    deployment: Arc<Deployment>,
    bridge: String,
    subnet: u8,
    nodes: AtomicU8,
    directs: AtomicU8,
}

impl Network {
    /// Makes the bridge, on a network 10.77.N.0/24 that nothing on the machine uses.
    ///
    /// # Errors
    /// When there is none left, or `ip` fails.
    pub fn create(deployment: &Arc<Deployment>) -> Result<Self, LabError> {
        let bridge = format!("hotset-{}", deployment.tag());
        let (subnet, claim) = claim_unused_subnet(deployment)?;
        let (_entry, ()) = deployment.make(Resource::Link(bridge.clone()), || {
            ip(deployment, &format!("link add {bridge} type bridge"))?;
            ip(
                deployment,
                &format!("addr add 10.77.{subnet}.1/24 dev {bridge}"),
            )?;
            ip(deployment, &format!("link set {bridge} up"))?;
            use_congestion_control(deployment, "", Ipv4Addr::new(10, 77, subnet, 1), &bridge)
        })?;
        // From now on its route tells that it is in use.
        drop(claim);
        Ok(Self {
            deployment: Arc::clone(deployment),
            bridge,
            subnet,
            nodes: AtomicU8::new(0),
            directs: AtomicU8::new(0),
        })
    }

    /// The machine's own address on it.
    #[must_use]
    pub fn address(&self) -> Ipv4Addr {
        Ipv4Addr::new(10, 77, self.subnet, 1)
    }

    /// Makes a node's namespace and its cable to the switch.
    ///
    /// # Errors
    /// When `ip` or `tc` fails, or the network has 250 nodes already.
    pub fn namespace(&self, node: &str, cable: impl Into<Cable>) -> Result<Namespace, LabError> {
        let cable = cable.into();
        let number = self.nodes.fetch_add(1, Ordering::Relaxed);
        if number >= 250 {
            return Err(LabError::Unusable(
                "a network holds 250 nodes; use fewer".to_owned(),
            ));
        }
        let namespace = Namespace {
            name: self.deployment.name(node),
            outside: format!("{}-{number}", self.bridge),
            address: Ipv4Addr::new(10, 77, self.subnet, number + 2),
            rate: cable.rate,
        };
        let name = &namespace.name;
        let (_entry, ()) = self
            .deployment
            .make(Resource::Namespace(name.clone()), || {
                ip(&self.deployment, &format!("netns add {name}"))
            })?;
        let outside = Resource::Link(namespace.outside.clone());
        let (_entry, ()) = self.deployment.make(outside, || {
            namespace.connect(&self.deployment, &self.bridge, cable)
        })?;
        Ok(namespace)
    }

    /// Makes a cable between two nodes. What they send each other goes by it from then on.
    ///
    /// # Errors
    /// When `ip` or `tc` fails, or there are 250 such cables already.
    pub fn direct(&self, nodes: [&Namespace; 2], cable: Cable) -> Result<Direct, LabError> {
        let number = self.directs.fetch_add(1, Ordering::Relaxed);
        if number >= 250 {
            return Err(LabError::Unusable(
                "a network holds 250 links between nodes; use fewer".to_owned(),
            ));
        }
        Direct::create(&self.deployment, number, nodes, cable)
    }
}

/// The first free one from where the deployment's tag points, and what keeps it from deployments that start at the same time.
fn claim_unused_subnet(deployment: &Deployment) -> Result<(u8, UnixListener), LabError> {
    let first = u8::from_str_radix(&deployment.tag()[2..], 16).unwrap_or(0);
    for subnet in (0..=u8::MAX).map(|step| first.wrapping_add(step)) {
        let Ok(claim) = claim(subnet) else { continue };
        if !has_route(subnet)? {
            return Ok((subnet, claim));
        }
    }
    Err(LabError::Unusable(
        "every network 10.77.N.0/24 is in use; free one".to_owned(),
    ))
}

/// A name that only one socket of the machine can have, and that goes with it.
fn claim(subnet: u8) -> std::io::Result<UnixListener> {
    let name = format!("hotset-lab 10.77.{subnet}.0/24");
    UnixListener::bind_addr(&SocketAddr::from_abstract_name(name)?)
}

fn has_route(subnet: u8) -> Result<bool, LabError> {
    let path = Path::new("/proc/net/fib_trie");
    let routes = fs::read_to_string(path).on("read", path)?;
    Ok(routes.contains(&format!(" 10.77.{subnet}.")))
}
