//! What a cable and its ends are like, and the tools that make them so.

use crate::LabError;
use crate::deed::Deed;
use hotset_machine::{Deployment, OnFile};
use hotset_scenario::Link;
use std::fs;
use std::net::Ipv4Addr;

/// The congestion control that Linux has used by default since 2006; machines set to another share links differently.
pub(super) const CONGESTION_CONTROL: &str = "cubic";
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
    /// Bytes that it lets pass at once after a pause, beyond its rate; none where it has none.
    #[must_use]
    pub fn burst_bytes(self) -> u64 {
        match self {
            Self::BitsPerS(rate) => bytes_in(rate, BURST_MS).max(BURST_MIN_BYTES),
            Self::Unlimited => 0,
        }
    }

    /// The arguments of `tc qdisc add dev DEVICE root`.
    fn discipline(self) -> Vec<String> {
        let Self::BitsPerS(rate) = self else {
            return ["pfifo", "limit", "1000"].map(str::to_owned).to_vec();
        };
        let burst = self.burst_bytes();
        let limit = bytes_in(rate, QUEUE_MS) + burst;
        let text = format!("tbf rate {rate}bit burst {burst}b limit {limit}b");
        text.split(' ').map(str::to_owned).collect()
    }

    /// What has an interface keep to it from then on.
    pub(super) fn replaced(self, inside: &str, device: &str) -> Deed {
        let discipline = self.discipline().join(" ");
        let replace = format!("{inside}qdisc replace dev {device} root {discipline}");
        Deed::run("tc", &replace)
    }
}

/// Bytes that pass in so many milliseconds at a rate, bits in a second.
fn bytes_in(rate: u64, ms: u64) -> u64 {
    rate / 8 * ms / 1000
}

/// Bytes of the largest packet of an interface that was made: those of Ethernet.
const USUAL_MTU: u64 = 1500;

/// What a cable and its ends are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cable {
    /// What passes it in a second.
    pub rate: LinkRate,
    /// Bytes of the largest packet; as of Ethernet where not given.
    pub mtu: Option<u32>,
    /// Whether the kernel hands over large segments, as to a network card that divides them.
    pub offload: bool,
}

impl Default for Cable {
    fn default() -> Self {
        LinkRate::default().into()
    }
}

impl From<LinkRate> for Cable {
    fn from(rate: LinkRate) -> Self {
        Self {
            rate,
            mtu: None,
            offload: true,
        }
    }
}

impl From<&Link> for Cable {
    fn from(link: &Link) -> Self {
        Self {
            rate: LinkRate::BitsPerS(link.bits_per_s),
            mtu: (link.mtu_bytes != USUAL_MTU).then_some(link.mtu_bytes as u32),
            offload: link.offload.divides_segments(),
        }
    }
}

impl Cable {
    /// Has the interface `device` send as it does; `inside` is what leads `ip` and `tc` into its namespace.
    pub(super) fn fit(
        self,
        deployment: &Deployment,
        inside: &str,
        device: &str,
    ) -> Result<(), LabError> {
        if let Some(mtu) = self.mtu {
            ip(
                deployment,
                &format!("{inside}link set dev {device} mtu {mtu}"),
            )?;
        }
        if !self.offload {
            let one = format!("{inside}link set dev {device} gso_max_segs 1");
            ip(deployment, &one)?;
        }
        let discipline = self.rate.discipline().join(" ");
        let add = format!("{inside}qdisc add dev {device} root {discipline}");
        tool(deployment, "tc", &add)
    }
}

/// Sets it on the network's route, where the kernel has it: as a namespace's default a kernel allows only what the
/// machine's administrator has listed.
pub(super) fn use_congestion_control(
    deployment: &Deployment,
    inside: &str,
    address: Ipv4Addr,
    device: &str,
) -> Result<(), LabError> {
    if !has_congestion_control()? {
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

pub(super) fn has_congestion_control() -> Result<bool, LabError> {
    let path = "/proc/sys/net/ipv4/tcp_available_congestion_control";
    let available = fs::read_to_string(path).on("read", path)?;
    let mut names = available.split_whitespace();
    Ok(names.any(|name| name == CONGESTION_CONTROL))
}

pub(super) fn ip(deployment: &Deployment, arguments: &str) -> Result<(), LabError> {
    tool(deployment, "ip", arguments)
}

pub(super) fn tool(
    deployment: &Deployment,
    program: &str,
    arguments: &str,
) -> Result<(), LabError> {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    Ok(deployment.tool(program, &arguments).map(drop)?)
}
