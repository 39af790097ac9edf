//! Switches between machines: the ways of messages, what flows that share links get, and what passes the middle of a network.

use std::collections::BTreeMap;

use hotset_models::calendar::EventQueue;
use hotset_models::remote::{Direction, Hop, Line, NamedLine, Network, RemoteEvent};
use hotset_models::switches::Topology;
use proptest::prelude::*;

/// A byte a microsecond.
const BITS_PER_S: u64 = 8_000_000;

fn torus(size: [usize; 3]) -> Topology {
    Topology::Torus { size }
}

fn mesh(size: [usize; 3]) -> Topology {
    Topology::Mesh { size }
}

fn tree(ports: usize) -> Topology {
    Topology::FatTree { ports }
}

/// Links between switches on the shortest way, by looking at all of them.
fn distances(topology: Topology, from: usize) -> BTreeMap<usize, usize> {
    let links = topology.links();
    let mut known = BTreeMap::from([(topology.switch_of(from), 0)]);
    let mut reached = vec![topology.switch_of(from)];
    while let Some(switch) = reached.first().copied() {
        reached.remove(0);
        let distance = known[&switch];
        for link in &links {
            for (one, other) in [(link[0], link[1]), (link[1], link[0])] {
                if one == switch {
                    known.entry(other).or_insert_with(|| {
                        reached.push(other);
                        distance + 1
                    });
                }
            }
        }
    }
    known
}

fn any_topology() -> impl Strategy<Value = Topology> {
    let size = [1..5usize, 1..5, 1..4];
    prop_oneof![
        size.clone().prop_map(mesh),
        size.prop_map(torus),
        (1..4usize).prop_map(|half| tree(2 * half)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn each_way_is_a_shortest_one(topology in any_topology(), seed in any::<u32>()) {
        let places = topology.places();
        let from = seed as usize % places;
        let links = topology.links();
        let shortest = distances(topology, from);
        for to in 0..places {
            let route = topology.route(from, to);
            let mut switch = topology.switch_of(from);
            for (link, backwards) in &route {
                let [one, other] = links[*link];
                let (begin, end) = if *backwards { (other, one) } else { (one, other) };
                prop_assert_eq!(begin, switch);
                switch = end;
            }
            prop_assert_eq!(switch, topology.switch_of(to));
            prop_assert_eq!(route.len(), shortest[&switch]);
        }
    }
}

#[test]
fn networks_have_the_places_switches_and_links_of_their_closed_forms() {
    for ports in [2, 4, 6] {
        let of = tree(ports);
        assert_eq!(of.places(), ports * ports * ports / 4);
        // As many between the edge and the switches above as between these and the core, and as many as places.
        assert_eq!(of.links().len(), 2 * of.places());
    }
    assert_eq!(torus([4, 3, 2]).places(), 24);
    // Each switch begins a link along each dimension; along two of size 2 there is one.
    assert_eq!(torus([4, 3, 2]).links().len(), 24 + 24 + 12);
    assert_eq!(mesh([4, 3, 2]).links().len(), 3 * 6 + 2 * 8 + 12);
}

/// A machine at each place that has a link of its own, and sends over connections from place to place. Messages of so many bytes are sent at
/// once; when each has come.
fn all_at_once(
    topology: Topology,
    host_bits_per_s: Option<u64>,
    flows: &[(usize, usize, u64)],
) -> (Vec<u64>, Network) {
    let line = |bits_per_s| Line {
        bits_per_s,
        mtu_bytes: 1500,
        ..Line::default()
    };
    // The link of each sender and each receiver, then those between switches.
    let ends = flows
        .iter()
        .flat_map(|(from, to, _)| [format!("from {from}"), format!("to {to}")]);
    let mut links: Vec<NamedLine> = Vec::new();
    for name in ends {
        if !links.iter().any(|link| link.name == name) {
            let line = line(host_bits_per_s);
            links.push(NamedLine { name, line });
        }
    }
    let outer = links.len();
    let number = |links: &[NamedLine], name: String| {
        let found = links.iter().position(|link| link.name == name);
        Hop {
            link: found.unwrap(),
            backwards: false,
        }
    };
    let ways = flows.iter().map(|(from, to, _)| {
        let between = topology.route(*from, *to).into_iter();
        let between = between.map(|(link, backwards)| Hop {
            link: outer + link,
            backwards,
        });
        let mut way = vec![number(&links, format!("from {from}"))];
        way.extend(between);
        way.push(number(&links, format!("to {to}")));
        way
    });
    let ways: Vec<Vec<Hop>> = ways.collect();
    links.extend(topology.links().into_iter().map(|[one, other]| NamedLine {
        name: format!("switches {one}-{other}"),
        line: line(Some(BITS_PER_S)),
    }));
    let mut network = Network::routed(&links, outer, &ways);
    let mut events = EventQueue::<RemoteEvent>::default();
    for (connection, (_, _, bytes)) in flows.iter().enumerate() {
        let way = (connection, Direction::ToServer);
        network.send(0, way, (connection as u32, *bytes), &mut events);
    }
    let mut arrived = vec![0; flows.len()];
    while let Some((now_ns, event)) = events.pop() {
        match event {
            RemoteEvent::Comes { burst } => {
                if let Some(arrival) = network.comes(now_ns, burst, &mut events) {
                    arrived[arrival.call as usize] = now_ns;
                }
            }
            RemoteEvent::LinkFree { way } => network.free(now_ns, way, &mut events),
            _ => {}
        }
    }
    (arrived, network)
}

/// How long so many bytes of messages take on a link between switches, with headers.
fn alone_ns(bytes: u64) -> f64 {
    (bytes + bytes.div_ceil(1448) * 52) as f64 * 1e3
}

#[track_caller]
fn near(value: u64, expected: f64) {
    let off = (value as f64 / expected - 1.0).abs();
    assert!(off <= 0.03, "{value}, expected {expected}");
}

/// Bytes that have passed links between switches, both ways.
fn between_switches(network: &Network) -> u64 {
    let links = network.links().into_iter();
    let between = links.filter(|link| link.name.starts_with("switches"));
    let passed = between.map(|link| link.passed_bytes);
    passed.map(|it| it.sent + it.received).sum()
}

const LARGE: u64 = 8 << 20;

#[test]
fn flows_share_a_ring_as_max_min_says() {
    // Around a ring of four, over links 0-1 and 1-2: one flow passes both, one the first, two the second. The second link is the
    // narrowest, with a third for each of three. So the lone one on the first has two thirds, and all take as long.
    let flows = [
        (0, 2, LARGE),
        (0, 1, 2 * LARGE),
        (1, 2, LARGE),
        (1, 2, LARGE),
    ];
    let (arrived, _) = all_at_once(torus([4, 1, 1]), None, &flows);
    for at_ns in arrived {
        near(at_ns, 3.0 * alone_ns(LARGE));
    }
}

#[test]
fn a_mesh_sends_through_its_middle_what_a_torus_sends_around() {
    let flows = [(0, 3, LARGE), (1, 2, LARGE)];
    let (around, _) = all_at_once(torus([4, 1, 1]), None, &flows);
    near(around[0], alone_ns(LARGE));
    near(around[1], alone_ns(LARGE));
    let (through, _) = all_at_once(mesh([4, 1, 1]), None, &flows);
    near(through[0].max(through[1]), 2.0 * alone_ns(LARGE));
}

/// Links of which one end is in the lower half of the switches that places are at, and one is not.
fn cut(topology: Topology, is_lower: impl Fn(usize) -> bool) -> usize {
    let links = topology.links();
    links
        .iter()
        .filter(|link| is_lower(link[0]) != is_lower(link[1]))
        .count()
}

#[test]
fn the_middle_of_a_network_passes_its_bisection_bandwidth() {
    // A cube of n switches along each dimension is cut through n * n links, and a torus twice that.
    let is_lower = |switch: usize| switch / 16 < 2;
    assert_eq!(cut(mesh([4, 4, 4]), is_lower), 16);
    assert_eq!(cut(torus([4, 4, 4]), is_lower), 32);
    // In the torus each of the lower half sends to the one two further up: all go up, by half of the links that are cut.
    let flows: Vec<_> = (0..32).map(|from| (from, from + 32, LARGE / 8)).collect();
    let (arrived, network) = all_at_once(torus([4, 4, 4]), Some(BITS_PER_S), &flows);
    let last = arrived.iter().copied().max().unwrap();
    near(last, 2.0 * alone_ns(LARGE / 8));
    let passed = between_switches(&network);
    assert_eq!(passed, 2 * 32 * (alone_ns(LARGE / 8) / 1e3) as u64);
    // A fat tree has half as many links through its core as it has places, and passes all that they send.
    let flows: Vec<_> = (0..8).map(|from| (from, from + 8, LARGE / 8)).collect();
    let (arrived, _) = all_at_once(tree(4), Some(BITS_PER_S), &flows);
    for at_ns in arrived {
        near(at_ns, alone_ns(LARGE / 8));
    }
}

#[test]
fn what_comes_to_a_link_passes_it() {
    let flows: Vec<_> = (0..24)
        .map(|from| (from, (from * 7 + 5) % 24, 100_000 + 1000 * from as u64))
        .collect();
    let (_, network) = all_at_once(torus([4, 3, 2]), Some(2 * BITS_PER_S), &flows);
    for link in network.links() {
        let (came, passed) = (link.bytes, link.passed_bytes);
        for (came, passed) in [(came.sent, passed.sent), (came.received, passed.received)] {
            // Acknowledgements wait for something to pass with.
            assert!(passed == came || passed == 0, "{}", link.name);
        }
    }
    let hops = |(from, to, bytes): &(usize, usize, u64)| {
        torus([4, 3, 2]).route(*from, *to).len() as u64 * (alone_ns(*bytes) / 1e3) as u64
    };
    let wanted: u64 = flows.iter().map(hops).sum();
    let passed = between_switches(&network);
    // Acknowledgements go back as well.
    assert!(
        passed >= wanted && passed < wanted * 11 / 10,
        "{passed}, {wanted}"
    );
}
