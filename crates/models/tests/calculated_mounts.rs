//! Calculated data-centres whose sites live on a file server, beside simulated ones.

use std::sync::Arc;

use hotset_models::calculate::{Calculated, HitRatioMethod, calculate, mount_prices};
use hotset_models::remote::nfs::Version;
use hotset_models::remote::{CallCosts, Protocol, Transport};
use hotset_models::tiers::{
    File, Files, Link, Role, Tiers, TiersError, TiersResult, Traffic, Web, simulate,
};
use hotset_scenario::{CostLine, Profile};

use crate::mounted_sites::{NOTHING, V3, V4, files, server};
use crate::support::near;
use crate::tiers::{closed, free_web, node};

/// A disk that takes 2 ms, and then 100 bytes a microsecond.
fn disk() -> Profile {
    let cached = CostLine {
        fixed_us: 0.0,
        bytes_per_us: 1e9,
    };
    let uncached = CostLine {
        fixed_us: 2_000.0,
        bytes_per_us: 100.0,
    };
    Profile::of_lines("disk", cached, uncached, "")
}

fn link(mbit: u64, delay_ns: u64) -> Link {
    Link {
        bits_per_s: mbit * 1_000_000,
        delay_ns,
        mtu_bytes: 1500,
    }
}

/// A web node with so much memory on a link of 1 Gbit/s, and a file server with so much on one of `mbit`.
struct Place {
    version: Version,
    clients: u32,
    web_memory: u64,
    server_memory: u64,
    profile: Profile,
    mbit: u64,
    costs: CallCosts,
    is_udp: bool,
}

impl Default for Place {
    fn default() -> Self {
        Self {
            version: V3,
            clients: 1,
            web_memory: 1 << 40,
            server_memory: 1 << 40,
            profile: disk(),
            mbit: 1_000,
            costs: NOTHING,
            is_udp: false,
        }
    }
}

impl Place {
    fn tiers(&self) -> Tiers {
        let usual = files(self.version, self.costs);
        let mut export = usual.exports[0];
        export.client_costs = self.costs;
        if self.is_udp {
            export.mount.protocol = Protocol::Udp;
            export.mount.read_bytes = 32 << 10;
            export.transport = Transport::UDP;
        }
        let exported = Files {
            exports: Arc::from([export]),
            profile: Arc::new(self.profile.clone()),
            memory_bytes: self.server_memory,
            ..usual
        };
        let web = Web {
            memory_bytes: self.web_memory,
            ..free_web()
        };
        let mut web = node("web", None, Role::Web(web));
        web.link = Some(link(1_000, 20_000));
        let nodes = vec![web, server(Some(link(self.mbit, 20_000)), exported)];
        closed(nodes, 0, self.clients, 0)
    }

    /// Simulated, and calculated.
    fn both(&self, traffic: &Traffic) -> (TiersResult, Calculated) {
        let tiers = self.tiers();
        let simulated = simulate(&tiers, &Arc::new(traffic.clone()), 1, &|| true);
        let calculated = calculate(&tiers, traffic, HitRatioMethod::Exact);
        (
            simulated.expect("it runs"),
            calculated.expect("it is calculated"),
        )
    }
}

/// Files of one size, each asked for in turn; the second half is measured.
fn in_turn(files: u32, bytes: u64, requests: u32) -> Traffic {
    Traffic {
        sites: vec!["site".to_owned()],
        files: (0..files).map(|_| File { site: 0, bytes }).collect(),
        requests: (0..requests).map(|it| it % files).collect(),
        times_ns: Vec::new(),
        connections: Vec::new(),
        warm_up: requests as usize / 2,
    }
}

fn mean_us(result: &TiersResult) -> f64 {
    result.total.mean_us().expect("requests")
}

fn per_s(result: &TiersResult) -> f64 {
    result.total.throughput_per_s.expect("requests")
}

/// A server whose memory has all files, where the node's has none of them for long.
fn from_server(bytes: u64) -> (Place, Traffic) {
    let place = Place {
        web_memory: 1 << 20,
        ..Place::default()
    };
    (place, in_turn(200, bytes, 2_000))
}

#[test]
fn one_client_waits_for_calls_as_simulated() {
    for bytes in [4_096, 60_000, 1_000_000] {
        for version in [V3, V4] {
            let (place, traffic) = from_server(bytes);
            let place = Place { version, ..place };
            let (simulated, calculated) = place.both(&traffic);
            near(mean_us(&calculated.result), mean_us(&simulated), 0.15);
        }
    }
}

#[test]
fn calls_are_those_that_are_simulated() {
    for version in [V3, V4] {
        let (place, traffic) = from_server(60_000);
        let (simulated, calculated) = Place { version, ..place }.both(&traffic);
        let [wanted, found] = [&simulated, &calculated.result].map(|it| &it.nodes[0].calls);
        assert_eq!(
            wanted.keys().collect::<Vec<_>>(),
            found.keys().collect::<Vec<_>>()
        );
        for (name, call) in wanted {
            near(found[name].count as f64, call.count as f64, 0.02);
        }
    }
}

#[test]
fn a_disk_of_the_server_is_the_limit_of_many_clients() {
    let place = Place {
        clients: 16,
        web_memory: 1 << 20,
        server_memory: 1 << 20,
        ..Place::default()
    };
    // Files are not asked for as they lie on the disk, which would be read as a stream.
    let traffic = Traffic {
        requests: (0..4_000).map(|it| it * 7 % 400).collect(),
        ..in_turn(400, 16_384, 4_000)
    };
    let (simulated, calculated) = place.both(&traffic);
    near(per_s(&calculated.result), per_s(&simulated), 0.1);
    let busiest = |result: &TiersResult| {
        let disks = result.nodes[1].disks.iter();
        disks.filter_map(|it| it.utilisation).fold(0.0, f64::max)
    };
    assert!(busiest(&simulated) > 0.9, "{}", busiest(&simulated));
    assert!(busiest(&calculated.result) > 0.9);
    let hits = |result: &TiersResult| result.nodes[1].cache.and_then(|it| it.hit_ratio());
    near(
        1.0 + hits(&calculated.result).expect("reads"),
        1.0 + hits(&simulated).expect("reads"),
        0.1,
    );
}

#[test]
fn processors_of_the_server_are_the_limit_where_calls_cost_much() {
    let place = Place {
        clients: 16,
        costs: CallCosts {
            stack_ns_per_byte: [0.0; 2],
            call_ns: 200_000,
            ns_per_byte: 0.0,
        },
        ..Place::default()
    };
    // All in the node's memory: a GETATTR each. The node's four processors are not the limit.
    let (simulated, calculated) = place.both(&in_turn(50, 4_096, 4_000));
    near(per_s(&calculated.result), per_s(&simulated), 0.1);
}

#[test]
fn a_link_is_the_limit_of_large_files_from_the_server() {
    let (place, traffic) = from_server(500_000);
    let place = Place {
        clients: 8,
        mbit: 100,
        // Room for what eight clients have read ahead.
        web_memory: 16 << 20,
        ..place
    };
    let (simulated, calculated) = place.both(&traffic);
    near(per_s(&calculated.result), per_s(&simulated), 0.1);
    let bytes = |result: &TiersResult| {
        let link = result.nodes[1].link.as_ref().expect("a link");
        link.sent_bytes as f64
    };
    near(bytes(&calculated.result), bytes(&simulated), 0.03);
}

#[test]
fn datagrams_pass_links_as_simulated() {
    let (place, traffic) = from_server(60_000);
    let (simulated, calculated) = Place {
        is_udp: true,
        ..place
    }
    .both(&traffic);
    let bytes = |result: &TiersResult| {
        let link = result.nodes[1].link.as_ref().expect("a link");
        link.sent_bytes as f64
    };
    near(bytes(&calculated.result), bytes(&simulated), 0.02);
    near(mean_us(&calculated.result), mean_us(&simulated), 0.15);
}

#[test]
fn hit_ratios_of_servers_are_not_approximated() {
    let tiers = Place::default().tiers();
    let traffic = in_turn(10, 4_096, 100);
    let error = calculate(&tiers, &traffic, HitRatioMethod::Che).expect_err("it is refused");
    assert!(matches!(error, TiersError::FileServers), "{error}");
}

#[test]
fn prices_are_those_of_simulated_calls() {
    let alone = |version: Version, web_memory: u64, bytes: u64| {
        let place = Place {
            version,
            web_memory,
            costs: CallCosts::ASSUMED,
            ..Place::default()
        };
        let (simulated, _) = place.both(&in_turn(200, bytes, 2_000));
        let prices = mount_prices(&place.tiers(), &[200 * bytes]);
        (mean_us(&simulated), prices[0].expect("a file server"))
    };
    const ROOMY: u64 = 1 << 40;
    const TIGHT: u64 = 1 << 20;
    // Version 3 asks for attributes when a file is opened again, version 4 has a delegation.
    let (with, price) = alone(V3, ROOMY, 60_000);
    let (without, free) = alone(V4, ROOMY, 60_000);
    near(price.open_us, with - without, 0.02);
    assert!(free.open_us.abs() < 1e-9, "{free:?}");
    // What the node lacks comes by a READ.
    let (reading, price) = alone(V4, TIGHT, 60_000);
    near(
        price.read_us + 60_000.0 * price.byte_us,
        reading - without,
        0.1,
    );
}

#[test]
fn what_the_server_has_no_memory_for_comes_from_its_disk() {
    let price = |server_memory: u64| {
        let place = Place {
            server_memory,
            ..Place::default()
        };
        mount_prices(&place.tiers(), &[1 << 30])[0].expect("a file server")
    };
    let (all, half, none) = (price(1 << 30), price(1 << 29), price(0));
    // Two milliseconds, where it comes from the disk.
    near(none.read_us - all.read_us, 2_000.0, 0.02);
    near(half.read_us - all.read_us, 1_000.0, 0.02);
    assert!(mount_prices(&Place::default().tiers(), &[1, 1])[1].is_none());
}
