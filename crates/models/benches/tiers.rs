//! A proxy before two web servers with local stores, and before a thousand: what a request costs to simulate, in processor time on one core. The
//! same of two with files on a file server, call by call and by a function.
//! `cargo bench -p hotset-models --bench tiers`. Each figure is the median of five runs.
#![allow(missing_docs, clippy::print_stdout, reason = "a program of its own")]

use std::sync::Arc;

use hotset_models::remote::nfs::{Mount, Version};
use hotset_models::remote::{CallCosts, Transport};
use hotset_models::tiers::{
    Answers, Arrivals, ClientClass, Export, File, Files, Link, Needs, Node, PROXY_ANSWER_US,
    PROXY_NS_PER_BYTE, Processors, Proxy, REQUEST_US, Role, Store, Tiers, TiersError, Traffic, Web,
    request_ns, simulate,
};
use hotset_petri::Stream;
use hotset_scenario::{Balance, CostLine, Profile, Reading};

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

/// Each web server has its share of the files by hash, and memory for so much of those. Servers of the store may answer by a function.
fn tiers(profile: &Profile, webs: usize, memory: f64, answers: Option<Answers>) -> Tiers {
    let store = Store {
        name: "disk".to_owned(),
        profile: profile.clone(),
        request_ns: request_ns(profile),
        in_memory: false,
        answers,
    };
    let web = Web {
        stores: Arc::new([store]),
        store_of_site: Arc::new([]),
        memory_bytes: (FILES as f64 * MEAN_BYTES * memory) as u64 / webs as u64,
        groups: Arc::new([]),
        held: Arc::new([]),
        workers: None,
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
    }
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

/// The files are on a file server that is asked call by call.
fn asked_by_calls(profile: &Profile, webs: usize, memory: f64) -> Tiers {
    let mount = Mount {
        version: Version::V3,
        read_bytes: 1 << 20,
        write_bytes: 1 << 20,
        attributes_s: None,
        sync: false,
    };
    let files = Files {
        exports: Arc::new([Export {
            store: 0,
            mount,
            transport: Transport::TCP,
            client_costs: CallCosts::ASSUMED,
        }]),
        profile: Arc::new(profile.clone()),
        memory_bytes: 1 << 40,
        processors: 4,
        threads: 64,
        costs: CallCosts::ASSUMED,
        losses: Arc::new([]),
    };
    let local = Profile::of_lines("client", profile.cached, profile.uncached, "");
    let mut tiers = tiers(&local, webs, memory, None);
    tiers.nodes.push(node("files", Role::Files(files)));
    tiers
}

/// The same, where all that is followed of the server is how long it takes to answer: 110 µs, and as long as bytes take at 10 Gbit/s.
fn answered_by_a_function(profile: &Profile, webs: usize, memory: f64) -> Tiers {
    let read = CostLine {
        fixed_us: 110.0,
        bytes_per_us: 1250.0,
    };
    let client = Profile {
        reading: Some(Reading {
            parallel: 64.0,
            ..Reading::default()
        }),
        ..Profile::of_lines("client", profile.cached, read, "")
    };
    let answers = Answers {
        open_us: read.fixed_us,
        pieces: None,
    };
    tiers(&client, webs, memory, Some(answers))
}

fn measure(webs: usize, memory: f64) -> Result<(), Box<dyn std::error::Error>> {
    let profile = Profile::named_or_file("nvme")?;
    report(
        "local flash",
        &tiers(&profile, webs, memory, None),
        (webs, memory),
    )
}

fn report(
    store: &str,
    tiers: &Tiers,
    (webs, memory): (usize, f64),
) -> Result<(), Box<dyn std::error::Error>> {
    let traffic = traffic();
    let runs = (0..RUNS).map(|_| run(tiers, &traffic));
    let mut runs = runs.collect::<Result<Vec<Run>, TiersError>>()?;
    runs.sort_unstable_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let median = &runs[runs.len() / 2];
    let (requests, firings) = (REQUESTS as f64, median.firings as f64);
    println!(
        "{store}, {webs} web servers, memory for {:.0} % of the files: {:.2} M firings/s, {:.2} firings a request, {:.2} M requests/s, {:.2} us a request, {:.1} % of reads from memory",
        100.0 * memory,
        firings / median.seconds / 1e6,
        firings / requests,
        requests / median.seconds / 1e6,
        median.seconds / requests * 1e6,
        100.0 * median.hits,
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    measure(2, MOST)?;
    measure(2, 0.5)?;
    measure(1_000, MOST)?;
    let profile = Profile::named_or_file("nvme")?;
    let by_calls = asked_by_calls(&profile, 2, 0.5);
    report("file server, by calls", &by_calls, (2, 0.5))?;
    let by_function = answered_by_a_function(&profile, 2, 0.5);
    report("file server, by a function", &by_function, (2, 0.5))
}
