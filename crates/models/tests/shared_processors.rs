//! Processors that processes share: exact results of processor sharing, and a plain simulation of the same jobs.

use std::collections::VecDeque;
use std::sync::Arc;

use hotset_models::tiers::{
    Arrivals, File, Node, Processors, Role, Store, Tiers, TiersResult, Traffic, Web, simulate,
};
use hotset_petri::Stream;
use hotset_scenario::{CostLine, Profile};
use proptest::prelude::*;

use crate::support::near;
use crate::tiers::free_web;

/// More processes than there are ever requests.
const MANY: u32 = 1_000_000;
/// Time that a byte takes to be sent: a microsecond. Reading takes none.
pub(crate) const BYTE_NS: u64 = 1000;

/// A web server without a link.
pub(crate) fn web(processors: Processors, request_ns: u64) -> Node {
    let line = |bytes_per_us| CostLine {
        fixed_us: 0.0,
        bytes_per_us,
    };
    Node {
        name: "web".to_owned(),
        link: None,
        processors,
        role: Role::Web(Web {
            stores: Arc::new([Store {
                name: "bytes".to_owned(),
                profile: Profile::of_lines("bytes", line(1e3 / BYTE_NS as f64), line(1e9), ""),
                request_ns,
                in_memory: false,
            }]),
            ..free_web()
        }),
    }
}

/// Requests for files of these sizes at these times.
pub(crate) fn run(node: Node, sizes: &[u64], times_ns: Vec<u64>) -> TiersResult {
    let tiers = Tiers {
        nodes: vec![node],
        arrivals: Arrivals::Open(vec![0]),
        events: Vec::new(),
        client_nodes: Vec::new(),
        direct_links: Vec::new(),
        stacks: Vec::new(),
        switches: None,
    };
    let traffic = Traffic {
        sites: vec!["site".to_owned()],
        files: sizes.iter().map(|&bytes| File { site: 0, bytes }).collect(),
        requests: (0..sizes.len() as u32).collect(),
        times_ns,
        connections: Vec::new(),
        warm_up: 0,
    };
    simulate(&tiers, &Arc::new(traffic), 3, &|| true).unwrap()
}

/// Poisson arrivals at one processor that is busy for `load`: the mean response, and what it is under processor sharing, which only
/// the mean service decides: E\[S\] / (1 − ρ) (S. F. Yashkov, "Processor-sharing queues", Queueing Systems 2, 1987).
fn on_one_processor(sizes: &[u64], load: f64) -> (f64, f64) {
    let mean_us = sizes.iter().sum::<u64>() as f64 / sizes.len() as f64;
    let mut random = Stream::named(5, 0, "arrivals");
    let mut now_us = 0.0;
    let times = sizes.iter().map(|_| {
        now_us += mean_us / load * random.exponential();
        (now_us * 1e3) as u64
    });
    let times_ns = times.collect();
    let result = run(
        web(Processors::of(Some(1.0), 1.0, MANY), 0),
        sizes,
        times_ns,
    );
    let processors = &result.nodes[0].processors;
    let load = mean_us * sizes.len() as f64 / now_us;
    near(processors.utilisation.unwrap(), load, 0.01);
    let response_us = result.total.mean_us().unwrap();
    // Little's law.
    let present = result.total.throughput_per_s.unwrap() * response_us / 1e6;
    near(processors.mean_queue_length.unwrap(), present, 0.01);
    (response_us, mean_us / (1.0 - load))
}

fn exponential(mean: f64, random: &mut Stream) -> u64 {
    1 + (mean * random.exponential()) as u64
}

#[test]
fn the_mean_response_of_shared_processors_depends_on_the_mean_service_alone() {
    let mut random = Stream::named(9, 0, "sizes");
    let equal = vec![2_000; 40_000];
    let exponentials: Vec<u64> = (0..60_000)
        .map(|_| exponential(2_000.0, &mut random))
        .collect();
    // A coefficient of variation of 2.2: one after the other, the mean response at this load would be 2.2 times as long.
    let hyperexponentials: Vec<u64> = (0..100_000)
        .map(|_| match random.chance(0.9) {
            true => exponential(800.0, &mut random),
            false => exponential(8_000.0, &mut random),
        })
        .collect();
    for (sizes, within) in [
        (equal, 0.03),
        (exponentials, 0.04),
        (hyperexponentials, 0.06),
    ] {
        let (mean_us, expected_us) = on_one_processor(&sizes, 0.6);
        near(mean_us, expected_us, within);
    }
}

#[test]
fn nobody_has_more_than_one_processor_nor_more_than_the_share() {
    let alone = |cpus: f64, speed: f64| {
        let times_ns = (0..50).map(|it| it * 1_000_000_000).collect();
        let node = web(Processors::of(Some(cpus), speed, 64), 500_000);
        run(node, &[4_000; 50], times_ns).total.mean_us().unwrap()
    };
    near(alone(3.0, 1.0), 4_500.0, 1e-6);
    near(alone(1.0, 1.0), 4_500.0, 1e-6);
    near(alone(1.0, 2.0), 2_250.0, 1e-6);
    near(alone(0.5, 1.0), 9_000.0, 1e-6);
    let together = |cpus: f64| {
        let node = web(Processors::of(Some(cpus), 1.0, 64), 0);
        // One more, long after, whose answer is not waited for.
        let mut times_ns = vec![0; 7];
        times_ns[6] = 1 << 40;
        run(node, &[4_000; 7], times_ns)
            .total
            .latencies
            .response
            .unwrap()
    };
    let six = together(2.0);
    near(six.p50_us.unwrap(), 12_000.0, 2e-3);
    near(six.max_us.unwrap(), 12_000.0, 2e-3);
    near(together(6.0).max_us.unwrap(), 4_000.0, 2e-3);
}

/// A visit to the processors: of which request, whether for its file, and what is left to do.
struct Visit {
    request: usize,
    sends: bool,
    left_ns: f64,
}

/// When each request ends: first its own work, then that of its file. Everybody is looked at whenever something happens.
fn plainly(times_ns: &[f64], sizes: &[u64], node: &Node, request_ns: u64) -> Vec<f64> {
    let Processors {
        processes,
        count,
        speed,
        ..
    } = node.processors;
    let (mut now_ns, mut next) = (0.0, 0);
    let mut present: VecDeque<Visit> = VecDeque::new();
    let mut ends_ns = vec![0.0; sizes.len()];
    while next < sizes.len() || !present.is_empty() {
        let served = present.len().min(processes as usize);
        let rate = speed * (count / served.max(1) as f64).min(1.0);
        let least_ns = |least: f64, it: &Visit| least.min(it.left_ns);
        let ends_in = present.iter().take(served).fold(f64::INFINITY, least_ns) / rate;
        let comes_in = times_ns
            .get(next)
            .map_or(f64::INFINITY, |time| time - now_ns);
        let passed_ns = ends_in.min(comes_in);
        now_ns += passed_ns;
        for visit in present.iter_mut().take(served) {
            visit.left_ns -= passed_ns * rate;
        }
        if comes_in <= ends_in {
            present.push_back(Visit {
                request: next,
                sends: false,
                left_ns: request_ns as f64,
            });
            next += 1;
            continue;
        }
        let (ended, left): (VecDeque<Visit>, VecDeque<Visit>) = present
            .into_iter()
            .enumerate()
            .fold(Default::default(), |(mut ended, mut left), (at, it)| {
                match at < served && it.left_ns < 0.5 {
                    true => ended.push_back(it),
                    false => left.push_back(it),
                }
                (ended, left)
            });
        present = left;
        for visit in ended {
            match visit.sends {
                true => ends_ns[visit.request] = now_ns,
                false => present.push_back(Visit {
                    sends: true,
                    left_ns: (sizes[visit.request] * BYTE_NS) as f64,
                    ..visit
                }),
            }
        }
    }
    ends_ns
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn shared_processors_serve_as_the_plain_simulation_does(
        requests in prop::collection::vec((0u64..9_000_000, 1u64..9_000), 1..60),
        (hundredths, processes, request_ns) in (1u32..500, 2u32..70, 100_000u64..3_000_000),
    ) {
        let mut sizes: Vec<u64> = requests.iter().map(|it| it.1).collect();
        // The first comes at 0, and one more long after all others have ended.
        let mut times_ns = vec![0];
        for (gap_ns, _) in &requests[1..] {
            times_ns.push(times_ns[times_ns.len() - 1] + gap_ns);
        }
        sizes.push(1);
        times_ns.push(1 << 50);
        let node = web(Processors::of(Some(f64::from(hundredths) / 100.0), 1.0, processes), request_ns);
        let times: Vec<f64> = times_ns.iter().map(|&it| it as f64).collect();
        let ends_ns = plainly(&times, &sizes, &node, request_ns);
        let result = run(node, &sizes, times_ns);
        // The last may be measured or not.
        let measured = result.total.requests.unwrap() as usize;
        prop_assert!(measured + 1 >= sizes.len(), "{measured}");
        let responses = ends_ns.iter().zip(&times).take(measured).map(|(end, time)| (end - time) / 1e3);
        let expected_us = responses.sum::<f64>() / measured as f64;
        let mean_us = result.total.mean_us().unwrap();
        // The clock has whole nanoseconds.
        prop_assert!((mean_us - expected_us).abs() < 0.2 + 1e-5 * expected_us, "{mean_us}, plainly {expected_us}");
        prop_assert_eq!(result.ended, sizes.len());
    }
}
