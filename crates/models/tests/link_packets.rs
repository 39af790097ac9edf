//! Packets of a link, simulated and calculated: those of each message, and acknowledgements of every second one of an answer.

use std::sync::Arc;

use hotset_models::calculate::{HitRatioMethod, calculate};
use hotset_models::tiers::{File, Link, LinkCounts, Node, Role, Traffic};

use crate::tiers::{closed, free_web, node, run};

/// What 100 requests for files of so many bytes come to on the link of one web node, simulated and calculated.
fn on_a_link(file_bytes: u64, mtu_bytes: u64) -> [LinkCounts; 2] {
    let web = node("web", None, Role::Web(free_web()));
    let link = Some(Link {
        bits_per_s: 100_000_000,
        delay_ns: 0,
        mtu_bytes,
    });
    let tiers = closed(vec![Node { link, ..web }], 0, 1, 1_000_000);
    let traffic = Arc::new(Traffic {
        sites: vec!["site".to_owned()],
        files: vec![File {
            site: 0,
            bytes: file_bytes,
        }],
        requests: vec![0; 100],
        times_ns: Vec::new(),
        connections: Vec::new(),
        warm_up: 0,
    });
    let simulated = run(&tiers, &traffic);
    let calculated = calculate(&tiers, &traffic, HitRatioMethod::Exact).unwrap();
    [simulated, calculated.result].map(|it| it.nodes[0].link.clone().unwrap())
}

/// Messages of so many bytes and packets each that make up these bytes; how many packets they have.
fn packets_of(all_bytes: u64, bytes: u64, packets: u64) -> u64 {
    assert!(
        all_bytes > 0 && all_bytes.is_multiple_of(bytes),
        "{all_bytes} of {bytes}"
    );
    all_bytes / bytes * packets
}

#[test]
fn packets_follow_from_the_bytes_of_each_message() {
    // A head of 256 bytes; packets with 52 bytes of headers, and 14 more of Ethernet.
    for (file_bytes, mtu_bytes, packets) in [(1_000, 1500, 1), (10_000, 1500, 8), (10_000, 9000, 2)]
    {
        let answer_bytes = 256 + file_bytes + packets * 66;
        for link in on_a_link(file_bytes, mtu_bytes) {
            let sent = packets_of(link.sent_bytes, answer_bytes, packets);
            assert_eq!(link.sent_packets, sent, "{link:?}");
            let asked = packets_of(link.received_bytes, 128 + 66, 1);
            let acks = sent / packets * (packets / 2);
            assert_eq!(link.received_packets, asked + acks, "{link:?}");
        }
    }
}
