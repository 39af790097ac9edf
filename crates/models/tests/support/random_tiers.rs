//! Data-centres of proxies and web servers at random, below saturation, with requests for them.

use std::sync::Arc;

use hotset_models::calculate::{HitRatioMethod, calculate};
use hotset_models::disk::DriveModel;
use hotset_models::tiers::{
    Arrivals, ClientClass, File, Link, Needs, Node, Processors, Proxy, Role, Store, Tiers,
    TiersResult, Traffic, Web, request_ns,
};
use hotset_petri::Stream;
use hotset_scenario::{Balance, Device, DeviceKind, Profile};

/// How requests come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// Two classes of clients.
    Closed,
    /// By the clock.
    Open,
}

/// A data-centre and its requests.
pub struct Case {
    pub tiers: Tiers,
    pub traffic: Arc<Traffic>,
}

/// The case of a number, with so many requests.
pub fn case(number: u64, requests: usize, asking: Asking) -> Case {
    let mut random = Stream::named(number, 0, "random tiers");
    let mut traffic = traffic(&mut random, requests);
    let nodes = nodes(&mut random, &traffic);
    let entries: Vec<usize> = (0..nodes.len())
        .filter(|&at| matches!(nodes[at].role, Role::Proxy(_)))
        .collect();
    let thinks = [0; 2].map(|_| (log_uniform(&mut random, 0.005, 0.5) * 1e9) as u64);
    let load = 0.15 + 0.65 * random.unit();
    let first = random.unit();
    let asks = [entries[0], entries[entries.len() - 1]];
    let class = |at: usize, clients: u32| ClientClass {
        asks: asks[at],
        clients,
        think_ns: thinks[at],
        timeout_ns: None,
        node: None,
    };
    let mut tiers = Tiers {
        nodes,
        arrivals: Arrivals::Closed(vec![class(0, 1), class(1, 1)]),
        events: Vec::new(),
        client_nodes: Vec::new(),
        direct_links: Vec::new(),
        stacks: Vec::new(),
        switches: None,
    };
    // What one request takes of the busiest resource says how many clients make the load.
    let alone = calculate(&tiers, &traffic, HitRatioMethod::Exact).unwrap();
    let busiest = utilisations(&alone.result)
        .iter()
        .map(|it| it.2)
        .fold(0.0, f64::max);
    let per_s = load * alone.result.total.throughput_per_s.unwrap() / busiest;
    let response_s = alone.result.total.mean_us().unwrap() / 1e6;
    match asking {
        Asking::Closed => {
            let clients = |at: usize, share: f64| {
                let cycle_s = thinks[at] as f64 / 1e9 + response_s;
                ((per_s * share * cycle_s).round() as u32).clamp(1, 3_000)
            };
            let classes = vec![
                class(0, clients(0, first)),
                class(1, clients(1, 1.0 - first)),
            ];
            tiers.arrivals = Arrivals::Closed(classes);
        }
        Asking::Open => {
            let mut now_s = 0.0;
            let times = traffic.requests.iter().map(|_| {
                now_s += random.exponential() / per_s;
                (now_s * 1e9) as u64
            });
            traffic.times_ns = times.collect();
            tiers.arrivals = Arrivals::Open(entries);
        }
    }
    Case {
        tiers,
        traffic: Arc::new(traffic),
    }
}

/// How busy each resource is: its kind, its node and its share of the time, in the order of a scenario file, links last.
pub fn utilisations(result: &TiersResult) -> Vec<(&'static str, usize, f64)> {
    let mut all = Vec::new();
    let busy = |it: &hotset_outcome::Resource| it.utilisation.unwrap_or(0.0);
    for (at, node) in result.nodes.iter().enumerate() {
        all.push(("processors", at, busy(&node.processors)));
        if !node.disks.is_empty() {
            all.push(("disk", at, node.disks.iter().map(busy).fold(0.0, f64::max)));
        }
    }
    for (at, node) in result.nodes.iter().enumerate() {
        if let Some(link) = &node.link {
            all.push(("link", at, link.ways.iter().map(busy).fold(0.0, f64::max)));
        }
    }
    all
}

/// Of resources within 5 points of the busiest, the first.
pub fn bottleneck(result: &TiersResult) -> (&'static str, usize) {
    let all = utilisations(result);
    let busiest = all.iter().map(|it| it.2).fold(0.0, f64::max);
    let first = all.iter().find(|it| it.2 >= busiest - 0.05);
    first.map_or(("", 0), |it| (it.0, it.1))
}

fn choose<T: Copy>(random: &mut Stream, of: &[T]) -> T {
    of[random.below(of.len() as u64) as usize]
}

fn log_uniform(random: &mut Stream, low: f64, high: f64) -> f64 {
    low * (high / low).powf(random.unit())
}

fn normal(random: &mut Stream) -> f64 {
    let radius = (2.0 * random.exponential()).sqrt();
    radius * (std::f64::consts::TAU * random.unit()).cos()
}

/// Requests by Zipf's law for files of lognormal sizes.
fn traffic(random: &mut Stream, requests: usize) -> Traffic {
    let sites = 1 + random.below(3) as u16;
    let count = 200 + random.below(1_800);
    let (mean, sigma) = (log_uniform(random, 4e3, 100e3), 0.5 + random.unit());
    let file = |number: u64| {
        let bytes = mean * (sigma * normal(random) - sigma * sigma / 2.0).exp();
        File {
            site: (number % u64::from(sites)) as u16,
            bytes: bytes as u64,
        }
    };
    let files: Vec<File> = (0..count).map(file).collect();
    let exponent = 0.5 + 0.6 * random.unit();
    let mut sum = 0.0;
    let until: Vec<f64> = (1..=count)
        .map(|rank| {
            sum += (rank as f64).powf(-exponent);
            sum
        })
        .collect();
    let draw = |_| {
        let at = random.unit() * sum;
        until.partition_point(|it| *it < at) as u32
    };
    Traffic {
        sites: (0..sites).map(|number| format!("site {number}")).collect(),
        files,
        requests: (0..requests).map(draw).collect(),
        times_ns: Vec::new(),
        connections: Vec::new(),
        warm_up: requests * 7 / 10,
    }
}

/// One or two proxies and two to four web servers behind them.
fn nodes(random: &mut Stream, traffic: &Traffic) -> Vec<Node> {
    let proxies = 1 + random.below(2) as usize;
    let webs = 2 + random.below(3) as usize;
    let balance = choose(
        random,
        &[
            Balance::RoundRobin,
            Balance::Hash,
            Balance::LeastConnections,
        ],
    );
    let profile = profile(random, traffic);
    let stores: Arc<[Store]> = Arc::from([Store {
        name: "store".to_owned(),
        request_ns: request_ns(&profile),
        profile,
        in_memory: false,
    }]);
    let bytes: u64 = traffic.files.iter().map(|file| file.bytes).sum();
    let mut nodes = Vec::new();
    for number in 0..proxies {
        let role = Role::Proxy(Proxy {
            upstream: (proxies..proxies + webs).collect(),
            balance,
            cache: None,
            request_ns: 19_860,
            answer_ns: 19_860,
            ns_per_byte: 0.5,
        });
        nodes.push(node(
            random,
            format!("front{number}"),
            &[Some(200), Some(1_000), None],
            role,
        ));
    }
    for number in 0..webs {
        let share = log_uniform(random, 0.05, 1.5);
        let role = Role::Web(Web {
            stores: Arc::clone(&stores),
            store_of_site: Arc::from([]),
            memory_bytes: ((bytes as f64 * share) as u64).max(1 << 20),
            groups: Arc::from([]),
            held: Arc::from([]),
            workers: None,
            keep_alive: None,
            follow: None,
            needs: Needs::default(),
        });
        nodes.push(node(
            random,
            format!("web{number}"),
            &[Some(100), Some(300), Some(1_000), None],
            role,
        ));
    }
    nodes
}

fn node(random: &mut Stream, name: String, mbits: &[Option<u64>], role: Role) -> Node {
    let cpus = choose(random, &[0.1, 0.25, 0.5, 1.0, 2.0]);
    Node {
        name,
        link: choose(random, mbits).map(|mbit| Link {
            bits_per_s: mbit * 1_000_000,
            delay_ns: choose(random, &[0, 20_000, 200_000]),
            mtu_bytes: 1500,
        }),
        processors: Processors::of(Some(cpus), 1.0, 4),
        role,
    }
}

/// A drive as the lab plays it, or a store that is known by its name.
fn profile(random: &mut Stream, traffic: &Traffic) -> Profile {
    let name = choose(random, &["hdd", "hdd", "ssd", "nvme", "hdd-7200"]);
    let mut profile = Profile::named_or_file(name).unwrap();
    if name == "hdd" {
        let pages: u64 = traffic
            .files
            .iter()
            .map(|file| file.bytes.div_ceil(4096))
            .sum();
        let capacity = (pages * 4096 * 11 / 10).max(1 << 30);
        profile.device = Some(Device {
            kind: DeviceKind::Drive(DriveModel::default().device(capacity, 1_310_720)),
            scheduler: None,
            raid: None,
        });
    }
    profile
}
