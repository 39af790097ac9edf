//! A cable between two nodes, past the switch: a pair of virtual interfaces in their namespaces, with which it goes.

use super::cable::{CONGESTION_CONTROL, Cable, LinkRate, has_congestion_control, ip};
use super::namespace::Namespace;
use crate::LabError;
use crate::deed::Deed;
use hotset_machine::Deployment;
use std::net::Ipv4Addr;

/// A cable between two nodes.
#[derive(Clone, Debug)]
pub struct Direct {
    ends: [End; 2],
}

/// Its end at a node.
#[derive(Clone, Debug)]
struct End {
    /// What leads `ip` and `tc` into the node's namespace.
    inside: String,
    interface: String,
    /// The node's own address, and the other's.
    from: Ipv4Addr,
    to: Ipv4Addr,
    /// The route to the other node by the cable.
    route: String,
}

/// Routes by this metric are taken when the cable's is gone: a cut cable does not send packets to the switch.
const LAST_METRIC: u32 = 4000;

impl Direct {
    pub(super) fn create(
        deployment: &Deployment,
        number: u8,
        [one, other]: [&Namespace; 2],
        cable: Cable,
    ) -> Result<Self, LabError> {
        let interface = format!("direct{number}");
        let (first, second) = (one.name(), other.name());
        let pair = format!(
            "-n {first} link add {interface} type veth peer name {interface} netns {second}"
        );
        ip(deployment, &pair)?;
        let ends = [
            End::of(&interface, one, other)?,
            End::of(&interface, other, one)?,
        ];
        for end in &ends {
            end.connect(deployment, cable)?;
        }
        Ok(Self { ends })
    }

    /// The name of its interface in the namespace of either node.
    #[must_use]
    pub fn interface(&self) -> &str {
        &self.ends[0].interface
    }

    /// What cuts it, or mends it. An interface that goes down loses its route.
    pub(crate) fn whole(&self, is_whole: bool) -> Vec<Deed> {
        let state = if is_whole { "up" } else { "down" };
        let set = |end: &End| {
            let (inside, interface) = (&end.inside, &end.interface);
            Deed::run("ip", &format!("{inside}link set {interface} {state}"))
        };
        let mut deeds: Vec<Deed> = self.ends.iter().map(set).collect();
        if is_whole {
            let routes = self.ends.iter().map(|end| Deed::run("ip", &end.route));
            deeds.extend(routes);
        }
        deeds
    }

    /// What gives it another rate.
    pub(crate) fn at_rate(&self, rate: LinkRate) -> Vec<Deed> {
        let ends = self.ends.iter();
        ends.map(|end| rate.replaced(&end.inside, &end.interface))
            .collect()
    }
}

impl End {
    /// That of `own`, with which it reaches `other`.
    fn of(interface: &str, own: &Namespace, other: &Namespace) -> Result<Self, LabError> {
        let inside = format!("-n {} ", own.name());
        let (from, to) = (own.address(), other.address());
        let control = match has_congestion_control()? {
            true => format!(" congctl {CONGESTION_CONTROL}"),
            false => String::new(),
        };
        Ok(Self {
            route: format!(
                "{inside}route replace {to}/32 dev {interface} scope link src {from}{control}"
            ),
            interface: interface.to_owned(),
            inside,
            from,
            to,
        })
    }

    fn connect(&self, deployment: &Deployment, cable: Cable) -> Result<(), LabError> {
        let Self {
            inside,
            interface,
            from,
            to,
            ..
        } = self;
        cable.fit(deployment, inside, interface)?;
        let address = format!("{inside}addr add {from}/32 dev {interface}");
        ip(deployment, &address)?;
        ip(deployment, &format!("{inside}link set {interface} up"))?;
        let unreachable = format!("{inside}route add unreachable {to}/32 metric {LAST_METRIC}");
        ip(deployment, &unreachable)?;
        ip(deployment, &self.route)
    }
}
