//! What network stacks cost processors, of messages between clients, proxies and servers, and of calls to file servers.

use hotset_models::remote::{CallCosts, LinkStack};
use hotset_models::tiers::{NodeStack, Role, Tiers};
use hotset_scenario::{Balance, Offload, StackCosts};

use crate::support::near;
use crate::tiers::{closed, free_web, node, once_each, proxy, response_us, run};

const FILE_BYTES: u64 = 10_000;

/// A packet takes 100 µs at each end, and nothing else does.
fn packets_alone(node: usize, offload: Offload) -> NodeStack {
    let costs = StackCosts {
        packet_us: 100.0,
        ..StackCosts::default()
    };
    NodeStack {
        node,
        other: None,
        stack: LinkStack {
            costs,
            offload,
            mtu_bytes: 1500,
        },
    }
}

fn response(tiers: &Tiers) -> f64 {
    response_us(&run(tiers, &once_each(&[FILE_BYTES; 20], Vec::new(), 5)))
}

#[test]
fn a_server_works_for_each_packet_that_comes_and_goes() {
    let alone = closed(vec![node("web", None, Role::Web(free_web()))], 0, 1, 0);
    let with = |offload| Tiers {
        stacks: vec![packets_alone(0, offload)],
        ..alone.clone()
    };
    assert!(response(&alone) < 1.0);
    // A request of one packet, and an answer of eight: 256 and 10,000 bytes in packets of 1448.
    near(response(&with(Offload::None)), 900.0, 0.001);
    near(response(&with(Offload::Checksum)), 900.0, 0.001);
    // The card divides the answer.
    near(response(&with(Offload::Segmentation)), 200.0, 0.001);
    assert!(response(&with(Offload::Full)) < 1.0);
}

#[test]
fn a_proxy_works_for_what_it_receives_and_what_it_sends() {
    let nodes = vec![
        node("front", None, proxy(&[1], Balance::RoundRobin)),
        node("web", None, Role::Web(free_web())),
    ];
    let both = [0, 1].map(|node| packets_alone(node, Offload::None));
    let tiers = Tiers {
        stacks: both.to_vec(),
        ..closed(nodes, 0, 1, 0)
    };
    // The request comes to the proxy, leaves it and comes to the server. The answer leaves that, comes to the proxy and leaves it.
    near(response(&tiers), 300.0 + 3.0 * 800.0, 0.001);
    let only_web = Tiers {
        stacks: vec![both[1]],
        ..tiers
    };
    near(response(&only_web), 100.0 + 800.0, 0.001);
}

#[test]
fn a_call_costs_a_packet_each_way_and_bytes_the_share_of_theirs() {
    let costs = StackCosts {
        packet_us: 10.0,
        interrupt_us: 5.0,
        ..StackCosts::default()
    };
    let stack = LinkStack {
        costs,
        offload: Offload::None,
        mtu_bytes: 1052,
    };
    let before = CallCosts::ASSUMED;
    let with = before.with_stack(&stack);
    assert_eq!(with.call_ns - before.call_ns, 10_000 + 15_000);
    let [sent, received] = with.stack_ns_per_byte;
    near(sent, 10.0, 0.001);
    near(received, 15.0, 0.001);
    near(with.at_speed(2.0).stack_ns_per_byte[1], 7.5, 0.001);
}
