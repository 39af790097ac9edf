//! A proxy before two web servers with local stores, before a thousand, and before two over GlusterFS: what a request costs to simulate, in processor
//! time on one core.
//! `cargo bench -p hotset-models --bench tiers`. Each figure is the median of five runs.
#![allow(missing_docs, clippy::print_stdout, reason = "a program of its own")]

use std::sync::Arc;

use hotset_models::remote::cluster::{ClusterPart, ClusterProtocol, ClusterServers, GlusterFs};
use hotset_models::remote::nfs::{Mount, Version};
use hotset_models::remote::{CallCosts, Part, Protocol, Transport};
use hotset_models::tiers::{
    Arrivals, ClientClass, Export, File, Files, Link, Needs, Node, PROXY_ANSWER_US,
    PROXY_NS_PER_BYTE, Processors, Proxy, REQUEST_US, Role, Store, Tiers, TiersError, Traffic, Web,
    request_ns, simulate,
};
use hotset_petri::Stream;
use hotset_scenario::{Balance, Profile};

#[path = "../../petri/benches/clock/mod.rs"]
mod clock;

use clock::processor_time;

const RUNS: u64 = 5;
const REQUESTS: usize = 1_000_000;
const FILES: usize = 20_000;
/// Mean of the files, which are of exponential sizes.
const MEAN_BYTES: f64 = 32_768.0;
const CLIENTS: u32 = 64;
/// So much of the files fits into memory where four of five are found there.
const MOST: f64 = 0.75;
/// And so much where nothing leaves it: hashes do not share files out evenly.
const ALL: f64 = 1.5;

fn traffic() -> Arc<Traffic> {
    let mut random = Stream::named(1, 0, "files");
    let files = (0..FILES).map(|_| File {
        site: 0,
        bytes: 1 + (MEAN_BYTES * random.exponential()) as u64,
    });
    let files = files.collect();
    // A few files get most requests.
    let requests = (0..REQUESTS).map(|_| (random.unit().powi(3) * FILES as f64) as u32);
    Arc::new(Traffic {
        sites: vec!["site".to_owned()],
        files,
        requests: requests.collect(),
        times_ns: Vec::new(),
        connections: Vec::new(),
        warm_up: REQUESTS / 4,
    })
}

fn node(name: &str, role: Role) -> Node {
    Node {
        name: name.to_owned(),
        link: Some(Link {
            bits_per_s: 10_000_000_000,
            delay_ns: 20_000,
            mtu_bytes: 1500,
        }),
        processors: Processors::of(Some(4.0), 1.0, 4),
        role,
    }
}

/// Each web server has its share of the files by hash, and memory for so much of those.
fn tiers(profile: &Profile, webs: usize, memory: f64) -> Tiers {
    let store = Store {
        name: "disk".to_owned(),
        profile: profile.clone(),
        request_ns: request_ns(profile),
        in_memory: false,
    };
    let web = Web {
        stores: Arc::new([store]),
        store_of_site: Arc::new([]),
        memory_bytes: (FILES as f64 * MEAN_BYTES * memory) as u64 / webs as u64,
        groups: Arc::new([]),
        held: Arc::new([]),
        workers: None,
        keep_alive: None,
        follow: None,
        needs: Needs::default(),
    };
    let web = |at| node(&format!("web{at}"), Role::Web(web.clone()));
    let proxy = Proxy {
        upstream: (1..=webs).collect(),
        balance: Balance::Hash,
        cache: None,
        request_ns: (REQUEST_US * 1e3) as u64,
        answer_ns: (PROXY_ANSWER_US * 1e3) as u64,
        ns_per_byte: PROXY_NS_PER_BYTE,
    };
    Tiers {
        nodes: std::iter::once(node("front", Role::Proxy(proxy)))
            .chain((1..=webs).map(web))
            .collect(),
        arrivals: Arrivals::Closed(vec![ClientClass {
            asks: 0,
            clients: CLIENTS,
            think_ns: 2_000_000,
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

/// The same where memory may change, so that no file is known to stay there.
fn by_pages(mut tiers: Tiers) -> Tiers {
    for node in &mut tiers.nodes {
        if let Role::Web(web) = &mut node.role {
            web.needs.worker_bytes = 1;
        }
    }
    tiers
}

/// Two web servers that have their files on three file servers, with memory for all of them.
fn over_glusterfs(profile: &Profile) -> Tiers {
    let count = 3;
    let protocol = ClusterProtocol::GlusterFs(GlusterFs::default());
    let files = |place: usize| Files {
        exports: Arc::new([Export {
            store: 0,
            mount: Mount {
                version: Version::V3,
                protocol: Protocol::Tcp,
                read_bytes: protocol.most_bytes(),
                write_bytes: protocol.most_bytes(),
                attributes_s: None,
                sync: false,
            },
            transport: Transport::TCP,
            client_costs: CallCosts::ASSUMED,
            part: Some(Part::Cluster(ClusterPart {
                protocol,
                servers: ClusterServers {
                    count,
                    with_data: count,
                    metadata: 0,
                },
                place,
            })),
            inode_bytes: None,
        }]),
        profile: Arc::new(profile.clone()),
        memory_bytes: 1 << 40,
        processors: 4,
        threads: GlusterFs::SERVER_THREADS,
        is_async: false,
        costs: CallCosts::ASSUMED,
        losses: Arc::new([]),
    };
    let mut tiers = tiers(profile, 2, MOST);
    let servers = (0..count).map(|at| node(&format!("files{at}"), Role::Files(files(at))));
    tiers.nodes.extend(servers);
    tiers
}

/// What one run took.
struct Run {
    seconds: f64,
    firings: u64,
    hits: f64,
}

fn run(tiers: &Tiers, traffic: &Arc<Traffic>) -> Result<Run, TiersError> {
    let started = processor_time();
    let result = simulate(tiers, traffic, 1, &|| true)?;
    Ok(Run {
        seconds: processor_time() - started,
        firings: result.firings,
        hits: result.total.hit_ratio().unwrap_or_default(),
    })
}

fn measure(what: &str, tiers: &Tiers) -> Result<(), Box<dyn std::error::Error>> {
    let traffic = traffic();
    let runs = (0..RUNS).map(|_| run(tiers, &traffic));
    let mut runs = runs.collect::<Result<Vec<Run>, TiersError>>()?;
    runs.sort_unstable_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let median = &runs[runs.len() / 2];
    let (requests, firings) = (REQUESTS as f64, median.firings as f64);
    println!(
        "{what}: {:.2} M firings/s, {:.2} firings a request, {:.2} M requests/s, {:.2} us a request, {:.1} % of reads from memory",
        firings / median.seconds / 1e6,
        firings / requests,
        requests / median.seconds / 1e6,
        median.seconds / requests * 1e6,
        100.0 * median.hits,
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let profile = Profile::named_or_file("nvme")?;
    for (webs, memory) in [(2, ALL), (2, MOST), (2, 0.5), (1_000, MOST)] {
        let share = 100.0 * memory;
        let what = format!("{webs} web servers, memory for {share:.0} % of the files");
        measure(&what, &tiers(&profile, webs, memory))?;
    }
    measure(
        "2 web servers, memory for 150 % of the files, each asked of the page cache",
        &by_pages(tiers(&profile, 2, ALL)),
    )?;
    measure("2 web servers over GlusterFS", &over_glusterfs(&profile))
}
