//! A proxy before two web servers, each with its page cache as an object of the run: what a request costs to simulate, in processor time on
//! one core. `cargo bench -p hotset-models --bench tiers`. Each figure is the median of five runs.
#![allow(missing_docs, clippy::print_stdout, reason = "a program of its own")]

use hotset_cache::LinuxPageCache;
use hotset_petri::{
    Choice, Colour, Delay, Fifo, Net, NetError, Object, Page, Place, RunError, Time,
};

#[path = "../../petri/benches/clock/mod.rs"]
mod clock;

use clock::processor_time;

const RUNS: u64 = 5;
/// Firings before anything is measured: the page caches are full then.
const WARM_UP: u64 = 3_000_000;
const FIRINGS: u64 = 10_000_000;

const CLIENTS: usize = 64;
const THINKING_S: f64 = 2e-3;
const FILES: u32 = 20_000;
/// Three blocks of the page cache.
const FILE_PAGES: u64 = 48;
/// Half of the files that a web server has.
const CACHE_PAGES: u64 = FILES as u64 / 2 * FILE_PAGES / 2;

const LINK_S: f64 = 10e-6;
const PROXY_S: f64 = 10e-6;
const WEB_S: f64 = 20e-6;
const DISK_S: f64 = 100e-6;
const COPYING: Time = Time::from_nanos(15_000);

/// A request for a file, and when it was made.
#[derive(Clone, Copy, Debug)]
struct Request {
    file: u32,
    since: Time,
}

impl Colour for Request {}

type Queue = Place<Fifo<Request>>;

/// Single servers, each on a page of its own.
fn served(page: &mut Page<'_>, name: &str, mean_s: f64, from: &Queue) -> Queue {
    let station = page.station(name, 1, Delay::exponential(mean_s));
    let to = page.fifo(&format!("after {name}"), []);
    page.connect(&station.queue, from);
    page.connect(&station.served, &to);
    to
}

/// A page cache of the files that a web server has, and what came of reading them.
struct Memory {
    cache: LinuxPageCache,
    reads: u64,
    hits: u64,
}

impl Memory {
    fn new() -> Memory {
        let pages = vec![FILE_PAGES; FILES as usize / 2];
        let cache = LinuxPageCache::new(CACHE_PAGES, &pages).expect("the files are few");
        Memory {
            cache,
            reads: 0,
            hits: 0,
        }
    }

    fn holds(&mut self, file: u32) -> bool {
        let is_hit = self.cache.read(file / 2).pages == 0;
        self.reads += 1;
        self.hits += u64::from(is_hit);
        is_hit
    }
}

/// A web server: its link, its processor, its page cache and its disk.
fn web_server(page: &mut Page<'_>, asked: &Queue, answered: &Queue) -> Object<Memory> {
    let arrived = served(page, "link in", LINK_S, asked);
    let parsed = served(page, "processor", WEB_S, &arrived);
    let missing = page.fifo("missing", []);
    let found = page.fifo("found", []);
    let memory = page.object("page cache", |_| Memory::new());
    page.transition("read")
        .take(&parsed)
        .borrow(&memory)
        .put(found.maybe().timed())
        .put(missing.maybe())
        .fire_with(|request, memory, _| match memory.holds(request.file) {
            true => (Some((COPYING, request)), None),
            false => (None, Some(request)),
        });
    let disk = page.station("disk", 1, Delay::exponential(DISK_S));
    page.connect(&disk.queue, &missing);
    page.connect(&disk.served, &found);
    let link = page.station("link out", 1, Delay::exponential(LINK_S));
    page.connect(&link.queue, &found);
    page.connect(&link.served, answered);
    memory
}

fn net() -> Result<(Net, Vec<Object<Memory>>), NetError> {
    let mut memories = Vec::new();
    let net = Net::build("proxy and two web servers", |page| {
        let thinking = page.unit("thinking", CLIENTS as u32);
        let asked = page.fifo("asked", []);
        let response = page.times("response time");
        page.transition("ask")
            .take(&thinking)
            .put(&asked)
            .fire(|(), firing| {
                // A few files get most requests.
                let share = firing.random().unit().powi(3);
                Request {
                    file: ((share * f64::from(FILES)) as u32).min(FILES - 1),
                    since: firing.now(),
                }
            });
        let arrived = served(page, "client link in", LINK_S, &asked);
        let parsed = served(page, "proxy", PROXY_S, &arrived);
        let answered = page.fifo("answered", []);
        for server in 0..2 {
            let forwarded = page.fifo(&format!("forwarded to {server}"), []);
            page.transition(&format!("forward to {server}"))
                .take(&parsed)
                .when(move |request| request.file % 2 == server)
                .put(&forwarded)
                .fire(|request, _| request);
            let name = format!("web server {server}");
            memories.push(page.page(&name, |page| web_server(page, &forwarded, &answered)));
        }
        let passed = served(page, "proxy for answers", PROXY_S, &answered);
        let delivered = served(page, "client link out", LINK_S, &passed);
        page.transition("receive")
            .take(&delivered)
            .put(thinking.after(Delay::exponential(THINKING_S)))
            .fire(move |request, firing| {
                firing.record_time(response, firing.now() - request.since);
            });
    })?;
    Ok((net, memories))
}

/// What one run took.
struct Run {
    seconds: f64,
    requests: u64,
    hits: f64,
}

fn run(net: &Net, memories: &[Object<Memory>], number: u64) -> Result<Run, RunError> {
    let mut run = net.simulate(1, number, Choice::Fair);
    run.run_firings(WARM_UP)?;
    run.reset_monitors();
    let reads = |run: &hotset_petri::Simulation<'_>| {
        let each = memories.iter().map(|it| {
            let memory = run.object(*it);
            (memory.reads, memory.hits)
        });
        each.fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1))
    };
    let before = reads(&run);
    let started = processor_time();
    run.run_firings(FIRINGS)?;
    let seconds = processor_time() - started;
    let after = reads(&run);
    Ok(Run {
        seconds,
        requests: run.counts().into_iter().flatten().next().unwrap_or(0),
        hits: (after.1 - before.1) as f64 / (after.0 - before.0) as f64,
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (net, memories) = net()?;
    let mut runs = Vec::new();
    for number in 0..RUNS {
        runs.push(run(&net, &memories, number)?);
    }
    runs.sort_unstable_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let median = &runs[runs.len() / 2];
    let requests = median.requests as f64;
    println!(
        "{}: {:.2} M firings/s, {:.2} firings a request, {:.2} M requests/s, {:.2} us a request, {:.1} % of reads from memory",
        net.name(),
        FIRINGS as f64 / median.seconds / 1e6,
        FIRINGS as f64 / requests,
        requests / median.seconds / 1e6,
        median.seconds / requests * 1e6,
        100.0 * median.hits,
    );
    Ok(())
}
