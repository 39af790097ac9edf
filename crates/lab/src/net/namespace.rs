//! A node's network: a namespace, and its cable to the switch.

use super::cable::{Cable, LinkRate, ip, use_congestion_control};
use super::counters::{self, LinkCounters};
use crate::LabError;
use crate::deed::Deed;
use hotset_machine::{Deployment, OnFile};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
use std::fs::File;
use std::net::Ipv4Addr;
use std::os::fd::AsFd as _;
use std::path::Path;

/// A node's interface inside its namespace.
const INSIDE: &str = "eth0";

/// A node's network.
#[derive(Clone, Debug)]
pub struct Namespace {
    pub(super) name: String,
    /// The cable's end at the switch.
    pub(super) outside: String,
    pub(super) address: Ipv4Addr,
    pub(super) rate: LinkRate,
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

    /// Has the calling thread use the node's network, and the threads that it starts afterwards.
    ///
    /// # Errors
    /// When the node is gone.
    pub fn enter(&self) -> Result<(), LabError> {
        let path = Path::new("/run/netns").join(&self.name);
        let namespace = File::open(&path).on("open", &path)?;
        move_into_link_name_space(namespace.as_fd(), Some(LinkNameSpaceType::Network))
            .on("enter", path)?;
        Ok(())
    }

    /// What cuts the node's cable, or mends it.
    pub(crate) fn whole(&self, is_whole: bool) -> Vec<Deed> {
        let state = if is_whole { "up" } else { "down" };
        let outside = &self.outside;
        vec![Deed::run("ip", &format!("link set {outside} {state}"))]
    }

    /// What gives the node's cable another rate.
    pub(crate) fn at_rate(&self, rate: LinkRate) -> Vec<Deed> {
        vec![
            rate.replaced("", &self.outside),
            rate.replaced(&format!("-n {} ", self.name), INSIDE),
        ]
    }

    /// Makes its cable to the switch.
    pub(super) fn connect(
        &self,
        deployment: &Deployment,
        bridge: &str,
        cable: Cable,
    ) -> Result<(), LabError> {
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
        cable.fit(deployment, "", outside)?;
        cable.fit(deployment, &format!("-n {name} "), INSIDE)
    }
}
