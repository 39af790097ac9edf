//! Simulated tiers at random: what is conserved whatever the nodes.

use std::sync::Arc;

use hotset_models::tiers::{Kept, Needs, Node, Processors, Role, Store, Tiers, Traffic, Web};
use hotset_scenario::{Balance, SendCost};
use proptest::prelude::*;

use crate::support::{drive, profile};
use crate::tiers::{
    REQUEST_WIRE_BYTES, answer_wire_bytes, closed, node, of_two_sites, once_each, proxy, run, store,
};

/// A proxy, web nodes behind it, clients, and requests for files.
pub(crate) fn systems() -> impl Strategy<Value = (Tiers, Arc<Traffic>)> {
    let sizes = prop::collection::vec(prop_oneof![0u64..5_000, 0u64..400_000], 1..30);
    let links = prop::collection::vec(prop_oneof![Just(None), (1u64..1000).prop_map(Some)], 4);
    let balance = prop_oneof![
        Just(Balance::RoundRobin),
        Just(Balance::Hash),
        Just(Balance::LeastConnections)
    ];
    let requests = prop::collection::vec(0usize..30, 1..200);
    let kept = (0u64..4_000_000, 0usize..20);
    let kept = kept.prop_map(|(bytes, answers)| Kept { bytes, answers });
    let front = (balance, links, prop::option::of(kept));
    let held = prop::collection::vec(0u32..30, 0..10);
    let workers = prop::option::of(1u32..5);
    let webs = (
        1usize..4,
        128u64..4000,
        two_stores(),
        any::<bool>(),
        held,
        workers,
    );
    let all = (sizes, front, requests, webs, 1u32..30, 0u64..3);
    all.prop_map(
        |(sizes, (balance, links, cache), requests, webs, clients, think_ms)| {
            let (webs, pages, (stores, store_of_site), has_group, held, workers) = webs;
            let web = Web {
                stores,
                store_of_site: Arc::new(store_of_site),
                memory_bytes: pages * 4096,
                groups: Arc::new([has_group.then_some(100 * 4096), None]),
                held: held
                    .into_iter()
                    .filter(|it| *it < sizes.len() as u32)
                    .collect(),
                workers,
                keep_alive: None,
                follow: None,
                needs: Needs::default(),
            };
            let names = ["one", "two", "three"];
            let upstream: Vec<usize> = (1..=webs).collect();
            let mut front = proxy(&upstream, balance);
            if let Role::Proxy(proxy) = &mut front {
                proxy.cache = cache;
            }
            let mut nodes = vec![Node {
                processors: Processors::of(Some(0.7), 1.0, 4),
                ..node("front", links[0], front)
            }];
            let web = |at: usize| node(names[at - 1], links[at], Role::Web(web.clone()));
            nodes.extend((1..=webs).map(web));
            let requests = requests.iter().map(|it| (it % sizes.len()) as u32);
            let traffic = of_two_sites(&Traffic {
                requests: requests.collect(),
                ..(*once_each(&sizes, Vec::new(), 0)).clone()
            });
            let think_ns = think_ms * 1_000_000;
            (closed(nodes, 0, clients, think_ns), Arc::new(traffic))
        },
    )
}

/// Two stores, each on a seeking drive or not, the second of which may be in memory; and where each of two sites is.
fn two_stores() -> impl Strategy<Value = (Arc<[Store]>, [usize; 2])> {
    let all = (any::<[bool; 2]>(), any::<bool>(), [0usize..2, 0usize..2]);
    all.prop_map(|(are_seeking, in_memory, store_of_site)| {
        let device = drive(1 << 34, "fifo", "");
        let of = |name, is_seeking| {
            let device = if is_seeking { &device[..] } else { "" };
            store(name, profile(device), 20_000)
        };
        let second = Store {
            in_memory,
            ..of("b", are_seeking[1])
        };
        let stores = Arc::new([of("a", are_seeking[0]), second]) as Arc<[Store]>;
        (stores, store_of_site)
    })
}

/// The same with memory for all files on each web node, but for those of groups, and with prices of sending. Where workers take `worker_bytes` each, the
/// memory may change, so that no file is known to stay there: so few workers as there are here change nothing.
fn with_room(tiers: &Tiers, worker_bytes: u64) -> Tiers {
    let sending = [(4096, 3.0), (65536, 20.0)].map(|(block_bytes, us)| SendCost {
        block_bytes,
        written_us: us,
        cold_us: us,
        sent_us: us,
    });
    let with_prices = |store: &Store| {
        let mut store = store.clone();
        store.profile.sending = sending.to_vec();
        store
    };
    let mut tiers = tiers.clone();
    for node in &mut tiers.nodes {
        if let Role::Web(web) = &mut node.role {
            web.stores = web.stores.iter().map(with_prices).collect();
            web.memory_bytes = 64 << 20;
            web.needs.worker_bytes = worker_bytes;
        }
    }
    tiers
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn files_that_stay_in_memory_are_sent_as_by_the_page_cache((tiers, traffic) in systems()) {
        let [by_function, by_pages] = [0, 1].map(|worker_bytes| {
            let mut result = run(&with_room(&tiers, worker_bytes), &traffic);
            for node in &mut result.nodes {
                node.memory = None;
            }
            format!("{result:#?}")
        });
        prop_assert_eq!(by_function, by_pages);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn requests_end_once_and_bytes_that_are_sent_arrive((tiers, traffic) in systems()) {
        let result = run(&tiers, &traffic);
        let asked = traffic.requests.len();
        prop_assert_eq!((result.asked, result.ended), (asked, asked));
        let bytes_of = |file: &u32| traffic.files[*file as usize].bytes;
        prop_assert_eq!(result.received_bytes, traffic.requests.iter().map(bytes_of).sum::<u64>());

        let requests = asked as u64 * REQUEST_WIRE_BYTES;
        let wire = |file: &u32| match bytes_of(file) {
            0 => 256 + 66,
            bytes => answer_wire_bytes(bytes),
        };
        let answers: u64 = traffic.requests.iter().map(wire).sum();
        let link = |at: usize| result.nodes[at].link.as_ref();
        let webs: Vec<_> = (1..result.nodes.len()).map(link).collect();
        let webs = webs.into_iter().collect::<Option<Vec<_>>>();
        let behind = webs.map(|webs| {
            let sum = |way: usize| webs.iter().map(|it| it.all_bytes[way]).sum::<u64>();
            [sum(0), sum(1)]
        });
        let keeps = matches!(&tiers.nodes[0].role, Role::Proxy(it) if it.cache.is_some());
        match behind {
            Some(behind) if keeps => {
                prop_assert!(behind[0] <= requests && behind[1] <= answers, "{behind:?}");
                if let Some(front) = link(0) {
                    let expected = [requests + behind[1], behind[0] + answers];
                    prop_assert_eq!(front.all_bytes, expected);
                }
            }
            Some(behind) => prop_assert_eq!(behind, [requests, answers]),
            None => {}
        }
        if let Some(front) = link(0).filter(|_| !keeps) {
            prop_assert_eq!(front.all_bytes, [requests + answers; 2]);
        }
        for node in &result.nodes {
            let ways = node.link.iter().flat_map(|it| &it.ways);
            let servers = [&node.processors].into_iter().chain(&node.workers);
            for it in ways.chain(servers).chain(&node.disks) {
                let busy = it.utilisation.unwrap();
                prop_assert!((0.0..=1.0 + 1e-9).contains(&busy), "{it:?}");
                prop_assert!(it.mean_queue_length.unwrap() + 1e-9 >= 0.0, "{it:?}");
            }
        }
        prop_assert_eq!(format!("{:?}", run(&tiers, &traffic)), format!("{result:?}"), "the same again");
    }
}
