//! The network: a bridge as the switch, a network namespace for each node, a pair of virtual interfaces as its
//! cable, and a token bucket at both ends as the cable's rate.

mod counters;

pub use counters::LinkCounters;

use crate::LabError;
use hotset_machine::resource::Resource;
use hotset_machine::{Deployment, OnFile};
use std::fs;
use std::net::Ipv4Addr;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// A node's interface inside its namespace.
const INSIDE: &str = "eth0";
/// The congestion control that Linux has used by default since 2006; machines set to another share links differently.
const CONGESTION_CONTROL: &str = "cubic";
/// How long a token bucket may send beyond its rate after a pause. It must hold a timer's slack, and is kept short
/// because small files would otherwise pass at the machine's speed.
const BURST_MS: u64 = 1;
/// A bucket smaller than some full frames cannot reach its rate.
const BURST_MIN_BYTES: u64 = 16 * 1024;
/// What may wait at a token bucket, as time at its rate: a thousand full frames at 1 Gbit/s, the usual queue of an interface.
const QUEUE_MS: u64 = 12;

/// The rate of a link, in each direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkRate {
    /// Bits in a second, frame headers included.
    BitsPerS(u64),
    /// As fast as the machine is.
    #[default]
    Unlimited,
}

impl LinkRate {
    /// The arguments of `tc qdisc add dev DEVICE root`.
    fn discipline(self) -> Vec<String> {
        let Self::BitsPerS(rate) = self else {
            return ["pfifo", "limit", "1000"].map(str::to_owned).to_vec();
        };
        let bytes_in = |ms: u64| rate / 8 * ms / 1000;
        let burst = bytes_in(BURST_MS).max(BURST_MIN_BYTES);
        let limit = bytes_in(QUEUE_MS) + burst;
        let text = format!("tbf rate {rate}bit burst {burst}b limit {limit}b");
        text.split(' ').map(str::to_owned).collect()
    }
}

/// The switch of a deployment. The machine itself has its first address, so that clients on the machine reach the nodes.
#[derive(Debug)]
pub struct Network {
    deployment: Arc<Deployment>,
    bridge: String,
    subnet: u8,
    nodes: AtomicU8,
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
    pub fn namespace(&self, node: &str, rate: LinkRate) -> Result<Namespace, LabError> {
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
            rate,
        };
        let name = &namespace.name;
        let (_entry, ()) = self
            .deployment
            .make(Resource::Namespace(name.clone()), || {
                ip(&self.deployment, &format!("netns add {name}"))
            })?;
        let outside = Resource::Link(namespace.outside.clone());
        let (_entry, ()) = self.deployment.make(outside, || {
            namespace.connect(&self.deployment, &self.bridge)
        })?;
        Ok(namespace)
    }
}

/// A node's network.
#[derive(Clone, Debug)]
pub struct Namespace {
    name: String,
    /// The cable's end at the switch.
    outside: String,
    address: Ipv4Addr,
    rate: LinkRate,
}

impl Namespace {
    /// The node's address.
    #[must_use]
    pub fn address(&self) -> Ipv4Addr {
        self.address
    }

    /// The namespace's name, for `ip netns`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rate of the node's cable.
    #[must_use]
    pub fn rate(&self) -> LinkRate {
        self.rate
    }

    /// The cable's end at the switch: what passes it can be captured there.
    #[must_use]
    pub fn interface(&self) -> &str {
        &self.outside
    }

    /// What has passed the node's cable since it was made.
    ///
    /// # Errors
    /// When `tc` fails.
    pub fn counters(&self) -> Result<LinkCounters, LabError> {
        Ok(counters::read(&self.name, INSIDE, &self.outside)?)
    }

    fn connect(&self, deployment: &Deployment, bridge: &str) -> Result<(), LabError> {
        let (name, outside, address) = (&self.name, &self.outside, self.address);
        ip(
            deployment,
            &format!("link add {outside} type veth peer name {INSIDE} netns {name}"),
        )?;
        ip(
            deployment,
            &format!("link set {outside} master {bridge} up"),
        )?;
        ip(
            deployment,
            &format!("-n {name} addr add {address}/24 dev {INSIDE}"),
        )?;
        ip(deployment, &format!("-n {name} link set lo up"))?;
        ip(deployment, &format!("-n {name} link set {INSIDE} up"))?;
        use_congestion_control(deployment, &format!("-n {name} "), address, INSIDE)?;
        let discipline = self.rate.discipline().join(" ");
        tool(
            deployment,
            "tc",
            &format!("qdisc add dev {outside} root {discipline}"),
        )?;
        tool(
            deployment,
            "tc",
            &format!("-n {name} qdisc add dev {INSIDE} root {discipline}"),
        )
    }
}

/// Sets it on the network's route, where the kernel has it: as a namespace's default a kernel allows only what the
/// machine's administrator has listed.
fn use_congestion_control(
    deployment: &Deployment,
    inside: &str,
    address: Ipv4Addr,
    device: &str,
) -> Result<(), LabError> {
    let path = "/proc/sys/net/ipv4/tcp_available_congestion_control";
    let available = fs::read_to_string(path).on("read", path)?;
    if !available
        .split_whitespace()
        .any(|name| name == CONGESTION_CONTROL)
    {
        return Ok(());
    }
    let [a, b, c, _] = address.octets();
    ip(
        deployment,
        &format!(
            "{inside}route replace {a}.{b}.{c}.0/24 dev {device} proto kernel scope link src {address} \
         congctl {CONGESTION_CONTROL}"
        ),
    )
}

fn ip(deployment: &Deployment, arguments: &str) -> Result<(), LabError> {
    tool(deployment, "ip", arguments)
}

fn tool(deployment: &Deployment, program: &str, arguments: &str) -> Result<(), LabError> {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    Ok(deployment.tool(program, &arguments).map(drop)?)
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
