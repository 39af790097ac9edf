//! Little's law on simulated queues (J. D. C. Little, "A proof for the queuing formula: L = λW", Operations Research 9, 1961). Queues are counted
//! by who serves them, and times by clients.

use std::sync::Arc;

use hotset_models::tiers::{Node, Processors, Proxy, Role, Tiers, TiersResult, Traffic, Web};
use hotset_outcome::Resource;
use hotset_scenario::{Balance, CostLine, Profile};
use proptest::prelude::*;

use crate::tiers::{closed, free_web, node, once_each, proxy, run, store};

/// Nodes, requests and how many clients make them. No request waits in two places at once: files are of one piece, and the proxy has no link.
fn systems() -> impl Strategy<Value = (Tiers, Arc<Traffic>, u32)> {
    let web = (5u64..500, 1u32..4, 0u64..1_000_000);
    let webs = prop::collection::vec(web, 1..4);
    let front = (0u64..300_000, 0u64..300_000, any::<bool>());
    let sizes = prop::collection::vec(0u64..60_000, 1..40);
    let clients = (1u32..16, 0u64..3);
    (webs, front, sizes, clients).prop_map(
        |(webs, (request_ns, answer_ns, in_turn), sizes, (clients, think_ms))| {
            let balance = match in_turn {
                true => Balance::RoundRobin,
                false => Balance::LeastConnections,
            };
            let upstream: Vec<usize> = (1..=webs.len()).collect();
            let mut front = proxy(&upstream, balance);
            if let Role::Proxy(of) = &mut front {
                *of = Proxy {
                    request_ns,
                    answer_ns,
                    ..of.clone()
                };
            }
            let mut nodes = vec![node("front", None, front)];
            for (number, (mbit, processes, request_ns)) in webs.into_iter().enumerate() {
                nodes.push(web_node(number, mbit, (processes, request_ns)));
            }
            let requests = 0..1_200u32;
            let traffic = Traffic {
                requests: requests.map(|row| row * 7 % sizes.len() as u32).collect(),
                warm_up: 200,
                ..(*once_each(&sizes, Vec::new(), 0)).clone()
            };
            let think_ns = think_ms * 1_000_000;
            let tiers = closed(nodes, 0, clients, think_ns);
            (tiers, Arc::new(traffic), clients)
        },
    )
}

/// A web server with a link, of which each request takes a processor so long.
fn web_node(number: usize, mbit: u64, (processes, request_ns): (u32, u64)) -> Node {
    let free = CostLine {
        fixed_us: 0.0,
        bytes_per_us: 1e9,
    };
    let profile = Profile::of_lines("free", free, free, "");
    let web = Web {
        stores: Arc::new([store("free", profile, request_ns)]),
        ..free_web()
    };
    Node {
        processors: Processors::of(None, 1.0, processes),
        ..node(&format!("web{number}"), Some(mbit), Role::Web(web))
    }
}

/// All queues of a result: requests and answers that wait or are served.
fn present(result: &TiersResult) -> f64 {
    let queue = |it: &Resource| it.mean_queue_length.unwrap_or_default();
    let each = result.nodes.iter().map(|node| {
        let ways = node.link.iter().flat_map(|it| &it.ways);
        queue(&node.processors) + ways.map(queue).sum::<f64>()
    });
    each.sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// Where no request is anywhere but in a queue, all of them together have as many requests as come in a second, times how long each takes.
    #[test]
    fn queues_have_as_many_requests_as_come_times_how_long_they_take((tiers, traffic, clients) in systems()) {
        let result = run(&tiers, &traffic);
        let (present, per_s) = (present(&result), result.total.throughput_per_s.unwrap());
        let expected = per_s * result.total.mean_us().unwrap() / 1e6;
        // Requests that are under way when it is measured from and to have one time there and another here.
        let under_way = f64::from(clients) / 1_000.0;
        let apart = (present / expected - 1.0).abs();
        // Where several answers are held back for a link, how long each waits is known to a few percent: shares of the line change meanwhile.
        prop_assert!(apart < 0.05 + 4.0 * under_way, "{present} in queues, {expected} by responses");
    }
}
