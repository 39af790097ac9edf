//! Simulated tiers: exact results of queues, and the planner's page cache.

use std::sync::Arc;

use hotset_models::disk::throttled_device;
use hotset_models::storage::SentFiles;
use hotset_models::tiers::{
    Arrivals, ClientClass, File, Kept, Link, Needs, Node, Processors, Proxy, Role, Store, Tiers,
    TiersResult, Traffic, WarmUp, Web, simulate, simulate_warmed,
};
use hotset_petri::Stream;
use hotset_scenario::{Balance, CostLine, Device, DeviceKind, Profile, Reading};

use crate::support::{drive, near, profile};

/// What nothing takes time in.
const FREE: CostLine = CostLine {
    fixed_us: 0.0,
    bytes_per_us: 1e9,
};
/// All files fit.
const ROOMY: u64 = 1 << 40;
const MBIT: u64 = 1_000_000;
/// Bytes of a request on a link.
pub(crate) const REQUEST_WIRE_BYTES: u64 = 128 + 66;

/// Bytes of a whole answer on a link: pieces of 64 KiB, a head before the first, and 66 bytes for each packet of 1448.
pub(crate) fn answer_wire_bytes(file_bytes: u64) -> u64 {
    let pieces = (0..file_bytes).step_by(65536).map(|start| {
        let head = if start == 0 { 256 } else { 0 };
        let bytes = head + (file_bytes - start).min(65536);
        bytes + bytes.div_ceil(1448) * 66
    });
    pieces.sum()
}

pub(crate) fn store(name: &str, profile: Profile, request_ns: u64) -> Store {
    Store {
        name: name.to_owned(),
        profile,
        request_ns,
        in_memory: false,
    }
}

/// Reads one store, of which nothing but requests takes time.
fn web_of(request_ns: u64) -> Web {
    let free = Profile::of_lines("free", FREE, FREE, "");
    Web {
        stores: Arc::new([store("free", free, request_ns)]),
        store_of_site: Arc::new([]),
        memory_bytes: ROOMY,
        groups: Arc::new([]),
        held: Arc::new([]),
        workers: None,
        keep_alive: None,
        follow: None,
        needs: Needs::default(),
    }
}

pub(crate) fn free_web() -> Web {
    web_of(0)
}

pub(crate) fn node(name: &str, mbit: Option<u64>, role: Role) -> Node {
    Node {
        name: name.to_owned(),
        link: mbit.map(|mbit| Link {
            bits_per_s: mbit * MBIT,
            delay_ns: 0,
            mtu_bytes: 1500,
        }),
        processors: Processors::of(None, 1.0, 4),
        role,
    }
}

pub(crate) fn proxy(upstream: &[usize], balance: Balance) -> Role {
    Role::Proxy(Proxy {
        upstream: upstream.to_vec(),
        balance,
        cache: None,
        request_ns: 0,
        answer_ns: 0,
        ns_per_byte: 0.0,
    })
}

/// A request for each file of these sizes.
pub(crate) fn once_each(sizes: &[u64], times_ns: Vec<u64>, warm_up: usize) -> Arc<Traffic> {
    Arc::new(Traffic {
        sites: vec!["site".to_owned()],
        files: sizes.iter().map(|&bytes| File { site: 0, bytes }).collect(),
        requests: (0..sizes.len() as u32).collect(),
        times_ns,
        connections: Vec::new(),
        warm_up,
    })
}

pub(crate) fn run(tiers: &Tiers, traffic: &Arc<Traffic>) -> TiersResult {
    simulate(tiers, traffic, 3, &|| true).unwrap()
}

pub(crate) fn closed(nodes: Vec<Node>, asks: usize, clients: u32, think_ns: u64) -> Tiers {
    Tiers {
        nodes,
        arrivals: Arrivals::Closed(vec![ClientClass {
            asks,
            clients,
            think_ns,
            timeout_ns: None,
            node: None,
        }]),
        events: Vec::new(),
        client_nodes: Vec::new(),
        direct_links: Vec::new(),
        stacks: Vec::new(),
        switches: None,
    }
}

pub(crate) fn response_us(result: &TiersResult) -> f64 {
    result.total.mean_us().unwrap()
}

/// Mean stay at a single server with Poisson arrivals, in the unit of the times: F. Pollaczek and A. Khinchine.
fn stay(per_time: f64, services: &[f64]) -> f64 {
    let count = services.len() as f64;
    let mean = services.iter().sum::<f64>() / count;
    let square = services.iter().map(|it| it * it).sum::<f64>() / count;
    mean + per_time * square / (2.0 * (1.0 - per_time * mean))
}

/// Poisson arrivals for files of these sizes at a node that nothing holds up but its link, busy for `load`: mean response, and what
/// it has to be.
fn on_a_link(sizes: &[u64], load: f64) -> (f64, f64) {
    const RATE: u64 = 100;
    let us = |bytes: u64| bytes as f64 * 8.0 / RATE as f64;
    let services: Vec<f64> = sizes.iter().map(|&it| us(answer_wire_bytes(it))).collect();
    let gap_us = services.iter().sum::<f64>() / services.len() as f64 / load;
    let mut random = Stream::named(5, 0, "arrivals");
    let mut now_us = 0.0;
    let times = sizes.iter().map(|_| {
        now_us += gap_us * random.exponential();
        (now_us * 1e3) as u64
    });
    let times_ns = times.collect();
    let tiers = Tiers {
        nodes: vec![node("web", Some(RATE), Role::Web(free_web()))],
        arrivals: Arrivals::Open(vec![0]),
        events: Vec::new(),
        client_nodes: Vec::new(),
        direct_links: Vec::new(),
        stacks: Vec::new(),
        switches: None,
    };
    let traffic = once_each(sizes, times_ns, sizes.len() / 10);
    let result = run(&tiers, &traffic);
    let request = us(REQUEST_WIRE_BYTES);
    let per_us = sizes.len() as f64 / now_us;
    let link = result.nodes[0].link.as_ref().unwrap();
    near(link.ways[1].utilisation.unwrap(), load, 0.03);
    let expected = stay(per_us, &services) + stay(per_us, &[request]);
    (response_us(&result), expected)
}

fn exponential_sizes(count: usize) -> Vec<u64> {
    let mut random = Stream::named(9, 0, "sizes");
    let size = |_| 1 + (10_000.0 * random.exponential()) as u64;
    (0..count).map(size).collect()
}

#[test]
fn equal_files_on_a_link_wait_as_in_m_d_1() {
    let (mean_us, expected_us) = on_a_link(&[10_000; 30_000], 0.6);
    near(mean_us, expected_us, 0.04);
}

#[test]
fn files_of_exponential_sizes_on_a_link_wait_as_in_m_m_1() {
    let (mean_us, expected_us) = on_a_link(&exponential_sizes(40_000), 0.5);
    near(mean_us, expected_us, 0.04);
}

/// A link of exponential services and clients who think: the machine repair model, by mean value analysis (M. Reiser and S. S. Lavenberg,
/// "Mean-value analysis of closed multichain queuing networks", 1980).
#[test]
fn clients_who_think_get_what_mean_value_analysis_says() {
    const RATE: u64 = 100;
    let us = |bytes: u64| bytes as f64 * 8.0 / RATE as f64;
    let sizes = exponential_sizes(40_000);
    let wire_bytes: u64 = sizes.iter().map(|&it| answer_wire_bytes(it)).sum();
    let (service_us, think_us) = (us(wire_bytes) / sizes.len() as f64, 5_000.0);
    for clients in [2, 8] {
        let nodes = vec![node("web", Some(RATE), Role::Web(free_web()))];
        let tiers = closed(nodes, 0, clients, (think_us * 1e3) as u64);
        let result = run(&tiers, &once_each(&sizes, Vec::new(), 4_000));
        let (mut at_link, mut per_us) = (0.0, 0.0);
        for population in 1..=clients {
            let stay_us = service_us * (1.0 + at_link);
            per_us = f64::from(population) / (stay_us + us(REQUEST_WIRE_BYTES) + think_us);
            at_link = per_us * stay_us;
        }
        near(result.total.throughput_per_s.unwrap() / 1e6, per_us, 0.02);
        let link = result.nodes[0].link.as_ref().unwrap();
        near(link.ways[1].mean_queue_length.unwrap(), at_link, 0.06);
        // Little's law over all: each client is under way or thinks.
        let all = result.total.throughput_per_s.unwrap() * (response_us(&result) + think_us) / 1e6;
        near(all, f64::from(clients), 0.02);
    }
}

#[test]
fn processors_serve_as_many_as_there_are_at_a_time() {
    let throughput = |processors| {
        let node = Node {
            processors,
            ..node("web", None, Role::Web(web_of(1_000_000)))
        };
        let result = run(
            &closed(vec![node], 0, 16, 0),
            &once_each(&[100; 4_000], Vec::new(), 100),
        );
        near(result.nodes[0].processors.utilisation.unwrap(), 1.0, 0.01);
        result.total.throughput_per_s.unwrap()
    };
    near(throughput(Processors::of(Some(1.0), 1.0, 4)), 1_000.0, 0.01);
    near(throughput(Processors::of(Some(2.0), 1.0, 4)), 2_000.0, 0.01);
    near(throughput(Processors::of(Some(0.5), 1.0, 4)), 500.0, 0.01);
    near(throughput(Processors::of(Some(1.5), 2.0, 4)), 3_000.0, 0.01);
    near(throughput(Processors::of(Some(8.0), 1.0, 2)), 2_000.0, 0.01);
    near(throughput(Processors::of(None, 1.0, 4)), 4_000.0, 0.01);
}

#[test]
fn disks_take_next_to_no_time_where_caches_are_warmed_up_without_delays() {
    let slow = CostLine {
        fixed_us: 10_000.0,
        ..FREE
    };
    let slow = Profile::of_lines("slow", FREE, slow, "");
    let web = Web {
        stores: Arc::new([store("slow", slow, 0)]),
        ..free_web()
    };
    let tiers = closed(vec![node("web", None, Role::Web(web))], 0, 1, 0);
    let in_order = once_each(&[1_000; 100], Vec::new(), 50);
    // Files lie side by side, and what goes on where the last read ended does not wait for the disk.
    let traffic = Arc::new(Traffic {
        requests: (0..100).map(|number| number * 37 % 100).collect(),
        ..Traffic::clone(&in_order)
    });
    let of = |warm_up| simulate_warmed(&tiers, &traffic, 3, warm_up, &|| true).unwrap();
    let (timed, at_once) = (of(WarmUp::Timed), of(WarmUp::WithoutDelays));
    near(timed.warm_up_seconds, 0.5, 0.05);
    assert!(at_once.warm_up_seconds < 0.05 * timed.warm_up_seconds);
    for result in [timed, at_once] {
        near(result.total.mean_us().unwrap(), 10_000.0, 0.05);
    }
}

/// The same requests for files of two sites in turn.
pub(crate) fn of_two_sites(traffic: &Traffic) -> Traffic {
    let files = traffic.files.iter().zip(0u16..);
    let files = files.map(|(file, number)| File {
        site: number % 2,
        ..*file
    });
    Traffic {
        sites: ["one", "two"].map(str::to_owned).to_vec(),
        files: files.collect(),
        ..traffic.clone()
    }
}

/// One after the other, requests hit as the planner's page cache of the same files has them, on however many stores these are.
#[test]
fn a_lone_client_hits_as_the_planner_says() {
    let mut random = Stream::named(2, 0, "files");
    let sizes: Vec<u64> = (0..200).map(|_| 1 + random.below(200_000)).collect();
    let requests: Vec<u32> = (0..4_000)
        .map(|_| (random.unit().powi(3) * sizes.len() as f64) as u32)
        .collect();
    let memory_bytes = sizes.iter().sum::<u64>() / 3;
    let mut planned = SentFiles::new(memory_bytes, sizes.clone(), Reading::default()).unwrap();
    let hits = requests
        .iter()
        .filter(|&&file| planned.send(file).pages == 0);
    let hits = hits.count() as u64;
    let seeking = || profile(&drive(1 << 36, "elevator", ""));
    let traffic = Arc::new(of_two_sites(&Traffic {
        requests,
        ..(*once_each(&sizes, Vec::new(), 0)).clone()
    }));
    for store_of_site in [[0, 0], [0, 1]] {
        let web = Web {
            stores: Arc::new(["a", "b"].map(|name| store(name, seeking(), 10_000))),
            store_of_site: Arc::new(store_of_site),
            memory_bytes,
            ..free_web()
        };
        let nodes = vec![node("web", None, Role::Web(web))];
        let result = run(&closed(nodes, 0, 1, 0), &traffic);
        // The last request is still under way when measuring ends.
        let cache = result.nodes[0].cache.unwrap();
        assert!(cache.files >= 3_900 && hits > 1_000, "{cache:?}, {hits}");
        assert!(
            cache.hits.abs_diff(hits) <= 4_000 - cache.files,
            "{cache:?}, planned {hits}"
        );
        let busy = |name: &str| {
            let mut disks = result.nodes[0].disks.iter();
            let disk = disks.find(|it| it.name.starts_with(name)).unwrap();
            disk.utilisation.unwrap()
        };
        assert!(busy("disk of a, ") > 0.1);
        assert_eq!(busy("disk of b, ") > 0.1, store_of_site[1] == 1);
    }
}

#[test]
fn each_store_takes_its_own_time() {
    let line = |fixed_us| CostLine { fixed_us, ..FREE };
    let of = |us| Profile::of_lines("store", FREE, line(us), "");
    let web = Web {
        stores: Arc::new([
            store("slow", of(10_000.0), 0),
            store("fast", of(1_000.0), 0),
        ]),
        store_of_site: Arc::new([0, 1]),
        ..free_web()
    };
    let nodes = vec![node("web", None, Role::Web(web))];
    let traffic = of_two_sites(&Traffic {
        // What lies behind what was read last would be found at once.
        requests: (0..400).rev().collect(),
        ..(*once_each(&[4096; 400], Vec::new(), 0)).clone()
    });
    let result = run(&closed(nodes, 0, 1, 0), &Arc::new(traffic));
    near(result.sites[0].mean_us().unwrap(), 10_000.0, 0.01);
    near(result.sites[1].mean_us().unwrap(), 1_000.0, 0.01);
}

/// One after the other, requests of each site hit as the planner's page cache of its group has them, and held files wait for nothing.
#[test]
fn sites_in_groups_hit_as_the_planner_says_of_each() {
    const HELD: u32 = 20;
    let mut random = Stream::named(4, 0, "files");
    let sizes: Vec<u64> = (0..200).map(|_| 1 + random.below(200_000)).collect();
    let requests: Vec<u32> = (0..4_000)
        .map(|_| (random.unit().powi(3) * sizes.len() as f64) as u32)
        .collect();
    let memory = [
        sizes.iter().sum::<u64>() / 4,
        sizes.iter().sum::<u64>() / 16,
    ];
    let cache = |bytes| SentFiles::new(bytes, sizes.clone(), Reading::default()).unwrap();
    let mut planned = memory.map(cache);
    let cached = requests.iter().filter(|&&file| file >= HELD);
    let hits = cached.filter(|&&file| planned[file as usize % 2].send(file).pages == 0);
    let hits = hits.count() as u64;
    let traffic = of_two_sites(&Traffic {
        requests,
        ..(*once_each(&sizes, Vec::new(), 0)).clone()
    });
    let seeking = profile(&drive(1 << 36, "elevator", ""));
    let web = Web {
        stores: Arc::new([store("disk", seeking, 10_000)]),
        memory_bytes: memory[0],
        groups: Arc::new([None, Some(memory[1])]),
        held: (0..HELD).collect(),
        ..free_web()
    };
    let nodes = vec![node("web", None, Role::Web(web))];
    let result = run(&closed(nodes, 0, 1, 0), &Arc::new(traffic));
    let (cache, held) = (
        result.nodes[0].cache.unwrap(),
        result.nodes[0].held.unwrap(),
    );
    let left = 4_000 - cache.files - held.files;
    assert!(left <= 1 && hits > 500, "{cache:?}, {held:?}, {hits}");
    assert!(
        cache.hits.abs_diff(hits) <= left,
        "{cache:?}, planned {hits}"
    );
    assert_eq!(held.hits, held.files);
}

#[test]
fn a_throttled_disk_serves_at_its_rate() {
    let per_s = |bytes_per_s, reads_per_s, file_bytes| {
        let device = throttled_device(bytes_per_s, reads_per_s, 1 << 20);
        let profile = Profile {
            device: Some(Device {
                kind: DeviceKind::Measured(device),
                scheduler: None,
                raid: None,
            }),
            ..Profile::of_lines("throttled", FREE, FREE, "")
        };
        let web = Web {
            stores: Arc::new([store("throttled", profile, 0)]),
            ..free_web()
        };
        let nodes = vec![node("web", None, Role::Web(web))];
        let traffic = once_each(&vec![file_bytes; 400], Vec::new(), 20);
        let result = run(&closed(nodes, 0, 4, 0), &traffic);
        result.total.throughput_per_s.unwrap()
    };
    near(per_s(Some(8 << 20), None, 1 << 20), 8.0, 0.02);
    near(per_s(None, Some(100), 4096), 100.0, 0.02);
    near(per_s(Some(8 << 20), Some(100), 4096), 100.0, 0.02);
    near(per_s(Some(1 << 20), Some(1_000), 4096), 256.0, 0.02);
}

/// Half of the files are in memory, and the others have a page cache of one page.
#[test]
fn files_on_a_store_in_memory_wait_for_nothing() {
    let disk = Profile::of_lines("disk", FREE, FREE, "");
    let web = Web {
        stores: Arc::new([
            store("disk", disk.clone(), 0),
            Store {
                in_memory: true,
                ..store("memory", disk, 0)
            },
        ]),
        store_of_site: Arc::new([0, 1]),
        memory_bytes: 4096,
        ..free_web()
    };
    let nodes = vec![node("web", None, Role::Web(web))];
    let traffic = of_two_sites(&once_each(&[100_000; 400], Vec::new(), 0));
    let result = run(&closed(nodes, 0, 1, 0), &Arc::new(traffic));
    let hits = |site: usize| result.sites[site].hit_ratio().unwrap();
    assert_eq!((hits(0), hits(1)), (0.0, 1.0));
    let (cache, held) = (
        result.nodes[0].cache.unwrap(),
        result.nodes[0].held.unwrap(),
    );
    assert!(cache.files.abs_diff(200) <= 1 && held.files.abs_diff(200) <= 1);
    assert_eq!((cache.hits, held.hits), (0, held.files));
    let disks = &result.nodes[0].disks;
    assert!(
        disks.iter().all(|it| it.name.starts_with("disk, ")),
        "{disks:?}"
    );
}

#[test]
fn a_large_file_passes_two_links_at_the_same_time() {
    let size = 4 << 20;
    let nodes = vec![
        node("front", Some(100), proxy(&[1], Balance::RoundRobin)),
        node("web", Some(100), Role::Web(free_web())),
    ];
    let result = run(
        &closed(nodes, 0, 1, 0),
        &once_each(&[size; 40], Vec::new(), 1),
    );
    let once_us = answer_wire_bytes(size) as f64 * 8.0 / 100.0;
    // The proxy has each piece whole before it sends it.
    near(response_us(&result), once_us, 0.03);
    let first_byte = result.total.latencies.first_byte.unwrap();
    assert!(first_byte.mean_us.unwrap() < 7_000.0, "{first_byte:?}");
}

#[test]
fn the_delay_of_each_link_comes_to_every_way() {
    let link = Some(Link {
        bits_per_s: 1_000_000 * MBIT,
        delay_ns: 1_000_000,
        mtu_bytes: 1500,
    });
    let nodes = vec![
        Node {
            link,
            ..node("front", None, proxy(&[1], Balance::RoundRobin))
        },
        Node {
            link,
            ..node("web", None, Role::Web(free_web()))
        },
    ];
    let result = run(
        &closed(nodes, 0, 1, 0),
        &once_each(&[1000; 100], Vec::new(), 10),
    );
    // Into the proxy and out of it, into the web server and out of it, into the proxy and out of it.
    near(response_us(&result), 6_000.0, 0.01);
    // What is on its way waits for nothing.
    for node in &result.nodes {
        let ways = node.link.iter().flat_map(|it| &it.ways);
        for it in ways.chain([&node.processors]) {
            assert!(it.mean_queue_length < Some(1e-3), "{it:?}");
        }
    }
}

#[test]
fn a_file_is_on_one_node_by_hash_and_on_all_in_turn() {
    let sizes = [5_000; 401];
    let requests: Vec<u32> = (0..4_000).map(|it| (it * 7 % 401) as u32).collect();
    let traffic = Arc::new(Traffic {
        requests,
        ..(*once_each(&sizes, Vec::new(), 0)).clone()
    });
    let missed = |balance| {
        let nodes = vec![
            node("front", None, proxy(&[1, 2], balance)),
            node("one", Some(1000), Role::Web(free_web())),
            node("two", Some(1000), Role::Web(free_web())),
        ];
        let result = run(&closed(nodes, 0, 3, 0), &traffic);
        let caches = [1, 2].map(|at| result.nodes[at].cache.unwrap());
        let files = caches.map(|it| it.files);
        assert!(files[0].abs_diff(files[1]) < 400, "{files:?}");
        caches.iter().map(|it| it.device_bytes).sum::<u64>() / 8192
    };
    assert_eq!(missed(Balance::Hash), 401);
    assert!(missed(Balance::RoundRobin) > 700);
}

/// With many nodes each follows only its own files, and with few all of them. Both have all of a file after its first request.
#[test]
fn each_of_many_nodes_has_the_files_that_are_its_own_by_hash() {
    let sizes = [5_000; 640];
    let requests: Vec<u32> = (0..2 * 640).map(|it| it * 7 % 640).collect();
    let traffic = Arc::new(Traffic {
        requests,
        ..(*once_each(&sizes, Vec::new(), 0)).clone()
    });
    for webs in [2, 64] {
        let upstream: Vec<usize> = (1..=webs).collect();
        let mut nodes = vec![node("front", None, proxy(&upstream, Balance::Hash))];
        let web = Web {
            held: (0..64).collect(),
            ..free_web()
        };
        let web = |at: &usize| node(&format!("web{at}"), None, Role::Web(web.clone()));
        nodes.extend(upstream.iter().map(web));
        let result = run(&closed(nodes, 0, 1, 0), &traffic);
        assert_eq!((result.asked, result.ended), (1_280, 1_280));
        let caches = result.nodes.iter().filter_map(|it| it.cache);
        let (files, hits) = caches.fold((0, 0), |sum, it| (sum.0 + it.files, sum.1 + it.hits));
        assert!(
            files.abs_diff(2 * 576) <= 1 && hits.abs_diff(576) <= 1,
            "{files}, {hits}"
        );
        let held = result.nodes.iter().filter_map(|it| it.held);
        assert!(held.map(|it| it.files).sum::<u64>().abs_diff(128) <= 1);
    }
}

#[test]
fn the_node_with_the_fewest_requests_is_asked_next() {
    let web = |name, speed| Node {
        processors: Processors::of(Some(1.0), speed, 4),
        ..node(name, None, Role::Web(web_of(1_000_000)))
    };
    let nodes = vec![
        node("front", None, proxy(&[1, 2], Balance::LeastConnections)),
        web("slow", 0.1),
        web("fast", 1.0),
    ];
    let result = run(
        &closed(nodes, 0, 8, 0),
        &once_each(&[100; 2_000], Vec::new(), 100),
    );
    let [slow, fast] = [1, 2].map(|at| result.nodes[at].cache.unwrap().files);
    assert!(slow > 0 && slow * 5 < fast, "{slow}, {fast}");
}

/// Only the link's delay takes time.
#[test]
fn a_worker_has_one_request_until_its_answer_is_sent() {
    let of = |workers, clients| {
        let web = Web {
            workers,
            ..free_web()
        };
        let link = Some(Link {
            bits_per_s: 1_000_000 * MBIT,
            delay_ns: 5_000_000,
            mtu_bytes: 1500,
        });
        let web = Node {
            link,
            ..node("web", None, Role::Web(web))
        };
        let traffic = once_each(&[1_000; 2_000], Vec::new(), 100);
        run(&closed(vec![web], 0, clients, 0), &traffic)
    };
    // A request is on its way for 5 ms, and its worker busy for as long.
    let result = of(Some(2), 10);
    near(result.total.throughput_per_s.unwrap(), 400.0, 0.01);
    let workers = result.nodes[0].workers.as_ref().unwrap();
    near(workers.utilisation.unwrap(), 1.0, 0.01);
    // Two of the ten clients have their request on its way, two have a worker, and the others wait for one.
    near(workers.mean_queue_length.unwrap(), 8.0, 0.02);
    near(
        of(Some(20), 10).total.throughput_per_s.unwrap(),
        1_000.0,
        0.01,
    );
    near(of(None, 10).total.throughput_per_s.unwrap(), 1_000.0, 0.01);
}

#[test]
fn a_request_takes_as_many_firings_however_many_nodes_there_are() {
    let firings = |webs: usize| {
        let upstream: Vec<usize> = (1..=webs).collect();
        let front = proxy(&upstream, Balance::LeastConnections);
        let mut nodes = vec![node("front", Some(1000), front)];
        let web = |at: &usize| node(&format!("web{at}"), Some(1000), Role::Web(free_web()));
        nodes.extend(upstream.iter().map(web));
        let traffic = once_each(&[5_000; 500], Vec::new(), 0);
        run(&closed(nodes, 0, 8, 0), &traffic).firings
    };
    assert_eq!(firings(1_000), firings(2));
}

/// When a request comes, nanoseconds.
fn asked_ns(number: usize) -> u64 {
    1_000_000 + number as u64 * 20_000_000
}

/// Hits of answers that are kept, asked for one after the other: whole pages, with 660 bytes before each file. What was asked for the longest
/// ago leaves where there are too many, and each ten seconds where there are too many pages.
fn kept_hits(sizes: &[u64], requests: &[u32], kept: Kept) -> u64 {
    let pages = |file: u32| (sizes[file as usize] + 660).div_ceil(4096);
    let all = |order: &[u32]| order.iter().map(|&it| pages(it)).sum::<u64>();
    let mut order: Vec<u32> = Vec::new();
    let (mut hits, mut look_ns) = (0, 10_000_000_000);
    for (number, &file) in requests.iter().enumerate() {
        if asked_ns(number) >= look_ns {
            look_ns += 10_000_000_000;
            while !order.is_empty() && all(&order) >= kept.bytes / 4096 {
                order.remove(0);
            }
        }
        let place = order.iter().position(|&it| it == file);
        hits += u64::from(place.is_some());
        if let Some(place) = place {
            order.remove(place);
        }
        order.push(file);
        if order.len() > kept.answers {
            order.remove(0);
        }
    }
    hits
}

#[test]
fn a_proxy_answers_by_itself_what_it_keeps() {
    let mut random = Stream::named(6, 0, "files");
    let sizes: Vec<u64> = (0..100).map(|_| random.below(300_000)).collect();
    let requests: Vec<u32> = (0..3_000)
        .map(|_| (random.unit().powi(3) * sizes.len() as f64) as u32)
        .collect();
    let times_ns = (0..requests.len()).map(asked_ns).collect();
    let traffic = Arc::new(Traffic {
        requests: requests.clone(),
        ..(*once_each(&sizes, times_ns, 0)).clone()
    });
    for (bytes, answers) in [(1 << 30, 1_000), (4 << 20, 1_000), (1 << 30, 10)] {
        let kept = Kept { bytes, answers };
        let Role::Proxy(front) = proxy(&[1], Balance::RoundRobin) else {
            panic!("a proxy");
        };
        let front = Role::Proxy(Proxy {
            cache: Some(kept),
            ..front
        });
        let nodes = vec![
            node("front", None, front),
            node("web", None, Role::Web(free_web())),
        ];
        let tiers = Tiers {
            nodes,
            arrivals: Arrivals::Open(vec![0]),
            events: Vec::new(),
            client_nodes: Vec::new(),
            direct_links: Vec::new(),
            stacks: Vec::new(),
            switches: None,
        };
        let result = run(&tiers, &traffic);
        let cache = result.nodes[0].proxy_cache.unwrap();
        let expected = kept_hits(&sizes, &requests, kept);
        assert!(
            expected > 100 && cache.hits.abs_diff(expected) <= 1,
            "{cache:?}, {expected}"
        );
        let asked = result.nodes[1].cache.unwrap().files;
        assert!(asked.abs_diff(3_000 - expected) <= 1, "{asked}, {expected}");
    }
}

#[test]
fn requests_that_come_faster_than_they_are_served_pile_up() {
    let sizes = [10_000; 2_000];
    let service_ns = answer_wire_bytes(10_000) * 8 * 10;
    let times_ns = (0..2_000).map(|it| it * service_ns / 2).collect();
    let tiers = Tiers {
        nodes: vec![node("web", Some(100), Role::Web(free_web()))],
        arrivals: Arrivals::Open(vec![0]),
        events: Vec::new(),
        client_nodes: Vec::new(),
        direct_links: Vec::new(),
        stacks: Vec::new(),
        switches: None,
    };
    let result = run(&tiers, &once_each(&sizes, times_ns, 0));
    assert!(result.under_way > 900, "{}", result.under_way);
    assert_eq!((result.asked, result.ended), (2_000, 2_000));
}

#[test]
fn too_little_traffic_is_refused() {
    let tiers = closed(vec![node("web", None, Role::Web(free_web()))], 0, 1, 0);
    let none = simulate(&tiers, &once_each(&[], Vec::new(), 0), 0, &|| true);
    assert!(none.unwrap_err().to_string().contains("give more"));
    let stopped = simulate(&tiers, &once_each(&[9; 90_000], Vec::new(), 0), 0, &|| {
        false
    });
    assert_eq!(stopped.unwrap_err().to_string(), "interrupted");
}
