//! Clients of NFS in user space: what follows from costs and links without any simulation must come out.

use hotset_models::remote::nfs::{
    Mount, RecordJob, RecordResult, UserSpaceSystem, Version, simulate_user_space,
};
use hotset_models::remote::{CallCosts, Line, NamedLine, Protocol};
use proptest::prelude::*;

use crate::support::near;

/// A packet has 1448 bytes of a message, and 52 of headers.
const MTU_BYTES: u64 = 1500;

fn costs(call_us: u64, ns_per_byte: f64) -> CallCosts {
    CallCosts {
        call_ns: call_us * 1000,
        ns_per_byte,
        stack_ns_per_byte: [0.0; 2],
    }
}

/// A client of 10 µs a call and a server of 20 µs, on two processors, without links.
fn system(clients: usize) -> UserSpaceSystem {
    UserSpaceSystem {
        mount: Mount {
            version: Version::V3,
            protocol: Protocol::Tcp,
            read_bytes: 1 << 20,
            write_bytes: 1 << 20,
            attributes_s: None,
            sync: false,
        },
        clients,
        processors: 2,
        client_costs: costs(10, 0.0),
        server_costs: costs(20, 0.0),
        wake_ns: 0,
        client_link: None,
        server_link: None,
        bucket_bytes: 0,
    }
}

fn link(name: &str, mbit: u64) -> Option<NamedLine> {
    Some(NamedLine {
        name: name.to_owned(),
        line: Line {
            bits_per_s: Some(mbit * 1_000_000),
            mtu_bytes: MTU_BYTES,
            ..Line::default()
        },
    })
}

fn reads(record_bytes: u64) -> RecordJob {
    RecordJob {
        writes: false,
        record_bytes,
        warm_up: 20,
        calls: 400,
    }
}

fn mean_us(result: &RecordResult) -> f64 {
    result.times.mean_us().unwrap()
}

fn per_s(result: &RecordResult) -> f64 {
    result.times.count() as f64 / result.seconds
}

#[test]
fn a_call_takes_what_both_ends_and_two_wakings_take() {
    let system = UserSpaceSystem {
        wake_ns: 5000,
        client_costs: costs(10, 0.5),
        server_costs: costs(20, 2.0),
        ..system(1)
    };
    for writes in [false, true] {
        let job = RecordJob {
            writes,
            ..reads(10_000)
        };
        let result = simulate_user_space(&system, job);
        near(mean_us(&result), 10.0 + 20.0 + 2.0 * 5.0 + 5.0 + 20.0, 1e-6);
        near(per_s(&result), 1e6 / mean_us(&result), 1e-6);
    }
}

#[test]
fn clients_and_server_share_processors() {
    let one = UserSpaceSystem {
        processors: 1,
        ..system(4)
    };
    near(
        per_s(&simulate_user_space(&one, reads(1))),
        1e6 / 30.0,
        0.01,
    );
    let two = simulate_user_space(&system(4), reads(1));
    near(per_s(&two), 2.0 * 1e6 / 30.0, 0.01);
    near(mean_us(&two), 4.0 * 30.0 / 2.0, 0.01);
}

#[test]
fn a_link_that_all_share_is_the_limit_of_large_records() {
    let record = 1 << 20;
    for clients in [1, 4] {
        for writes in [false, true] {
            let system = UserSpaceSystem {
                client_link: link("client", 100),
                server_link: link("server", 100),
                ..system(clients)
            };
            let job = RecordJob {
                writes,
                ..reads(record)
            };
            let result = simulate_user_space(&system, job);
            let packets = (record as f64 / 1448.0).ceil();
            let passing_us = (record as f64 + packets * 52.0) * 8.0 / 100.0;
            near(mean_us(&result), clients as f64 * passing_us, 0.02);
            near(per_s(&result), 1e6 / passing_us, 0.02);
        }
    }
}

#[test]
fn a_bucket_lets_small_records_pass_at_once_up_to_the_rate() {
    let at = |mbit: u64| UserSpaceSystem {
        client_link: link("client", mbit),
        server_link: link("server", mbit),
        bucket_bytes: 64 << 10,
        ..system(1)
    };
    // 4 KiB in 30 µs are 1.1 Gbit/s: two links of that rate and more hold nothing up, where a call would wait 30 µs for each without buckets.
    near(
        mean_us(&simulate_user_space(&at(2000), reads(4096))),
        30.0,
        0.01,
    );
    let without = UserSpaceSystem {
        bucket_bytes: 0,
        ..at(2000)
    };
    assert!(mean_us(&simulate_user_space(&without, reads(4096))) > 45.0);
    // A slow link is held to its rate all the same.
    let slow = simulate_user_space(&at(100), reads(4096));
    let answer_bytes = 4096.0 + 128.0 + 3.0 * 52.0;
    near(mean_us(&slow), answer_bytes * 8.0 / 100.0, 0.05);
}

proptest! {
    #[test]
    fn clients_are_as_many_as_their_rate_times_what_a_call_takes(
        clients in 1_usize..6,
        record_bytes in 1_u64..200_000,
        mbit in 50_u64..2000,
        bucket_bytes in 0_u64..100_000,
        writes in any::<bool>(),
    ) {
        let system = UserSpaceSystem {
            wake_ns: 3000,
            client_link: link("client", mbit),
            server_link: link("server", mbit),
            bucket_bytes,
            ..system(clients)
        };
        let job = RecordJob { writes, ..reads(record_bytes) };
        let result = simulate_user_space(&system, job);
        prop_assert_eq!(result.times.count(), 400);
        let inside = per_s(&result) * mean_us(&result) / 1e6;
        prop_assert!((inside / clients as f64 - 1.0).abs() < 0.05, "{} of {}", inside, clients);
    }
}
