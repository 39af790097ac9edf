//! When requests arrive and who sends them.

use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, Exp};
use rand_pcg::Pcg64Mcg;

use crate::{GenerateError, require};
use hotset_trace::{
    MAX_TOTAL_BYTES, Method, NO_OBJECT, Objects, PathTable, Protocol, Request, Requests, Trace,
};

/// Number of requests, their rate and when the first may arrive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Number of requests, at most 2^32 - 1.
    pub requests: u64,
    /// Mean arrivals a second; arrivals are a Poisson process.
    pub rate_per_second: f64,
    /// Start of the trace, microseconds since 1970-01-01 UTC.
    pub start_us: i64,
}

impl Load {
    /// `requests` arriving at `rate_per_second` from 2001-01-01 00:00 UTC.
    pub fn new(requests: u64, rate_per_second: f64) -> Self {
        Self {
            requests,
            rate_per_second,
            start_us: 978_307_200_000_000,
        }
    }

    fn check(&self) -> Result<(), GenerateError> {
        let finite = self.rate_per_second.is_finite() && self.rate_per_second > 0.0;
        require(
            finite,
            "rate",
            self.rate_per_second,
            "more than 0 requests/s",
        )?;
        let countable = self.requests < u64::from(u32::MAX);
        require(countable, "requests", self.requests, "below 2^32 - 1")?;
        let seconds = self.requests as f64 / self.rate_per_second;
        require(
            seconds < LONGEST_S,
            "rate",
            self.rate_per_second,
            "enough to end within 1000 years",
        )
    }
}

/// A bound that keeps times far from overflow.
const LONGEST_S: f64 = 1000.0 * 365.25 * 86_400.0;
const MICROSECONDS: f64 = 1e6;
/// Mean number of requests in a visit.
const VISIT_REQUESTS: f64 = 10.0;
/// Mean seconds between the requests of a visit; far below the 15 seconds that end a connection.
const VISIT_GAP_S: f64 = 3.0;
/// Clients to whom visits belong.
const CLIENTS: u32 = 20_000;

/// What one request asks for.
pub(crate) struct Draw {
    pub object: Option<u32>,
    pub method: Method,
    pub bytes: u64,
}

/// A trace of one site whose requests ask for what `draw` says, request by request.
pub(crate) fn trace(
    site: &str,
    objects: Objects,
    load: Load,
    seed: u64,
    mut draw: impl FnMut(&mut Pcg64Mcg, u64) -> Draw,
) -> Result<Trace, GenerateError> {
    load.check()?;
    let bytes = objects
        .size
        .iter()
        .fold(0, |sum: u64, size| sum.saturating_add(*size));
    let most = objects
        .size
        .iter()
        .max()
        .map_or(0, |size| size.saturating_mul(load.requests));
    require(
        bytes.max(most) <= MAX_TOTAL_BYTES,
        "bytes of all files, or of all requests,",
        bytes.max(most),
        "at most 2^63",
    )?;
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut arrivals = Arrivals::new(load);
    let mut requests = Requests::default();
    for index in 0..load.requests {
        let (time_us, client) = arrivals.next(&mut random);
        requests.push(request(time_us, client, draw(&mut random, index)));
    }
    let clients = addresses(if load.requests == 0 { 0 } else { CLIENTS });
    Ok(Trace {
        sites: vec![site.to_owned()],
        clients,
        objects,
        requests,
        ..Trace::default()
    })
}

pub(crate) fn request(time_us: i64, client: u32, draw: Draw) -> Request {
    Request {
        time_us,
        client,
        site: 0,
        object: draw.object.unwrap_or(NO_OBJECT),
        bytes: draw.bytes,
        status: 200,
        method: draw.method,
        protocol: Protocol::Http11,
        access: draw.object.is_some(),
    }
}

/// A GET of a whole file.
pub(crate) fn whole_file(object: u32, sizes: &[u64]) -> Draw {
    Draw {
        object: Some(object),
        method: Method::Get,
        bytes: sizes[object as usize],
    }
}

/// `count` distinct addresses of 10.0.0.0/8.
pub(crate) fn addresses(count: u32) -> PathTable {
    let mut table = PathTable::default();
    for id in 0..count {
        let [_, b, c, d] = id.to_be_bytes();
        table.push(format!("10.{b}.{c}.{d}").as_bytes());
    }
    table
}

/// Files of one site by rising id, a thousand to a directory.
pub(crate) fn numbered_files(sizes: Vec<u64>) -> Objects {
    let mut objects = Objects {
        site: vec![0; sizes.len()],
        size: sizes,
        ..Objects::default()
    };
    for id in 0..objects.site.len() {
        objects
            .path
            .push(format!("/d{:04}/file{id:07}.html", id / 1000).as_bytes());
    }
    objects
}

/// A Poisson process whose arrivals are dealt to visits in progress.
struct Arrivals {
    time_us: f64,
    gap_s: Option<Exp<f64>>,
    visits: Vec<Visit>,
}

#[derive(Clone, Copy, Default)]
struct Visit {
    client: u32,
    requests_left: u32,
}

impl Arrivals {
    fn new(load: Load) -> Self {
        let visits = (load.rate_per_second * VISIT_GAP_S).clamp(1.0, f64::from(CLIENTS) / 2.0);
        Self {
            time_us: load.start_us as f64,
            gap_s: Exp::new(load.rate_per_second).ok(),
            visits: vec![Visit::default(); visits as usize],
        }
    }

    fn next(&mut self, random: &mut Pcg64Mcg) -> (i64, u32) {
        // `Load::check` has refused every rate for which there is no distribution.
        self.time_us += self.gap_s.map_or(0.0, |gap| gap.sample(random)) * MICROSECONDS;
        let index = random.random_range(0..self.visits.len());
        let visit = &mut self.visits[index];
        if visit.requests_left == 0 {
            visit.client = random.random_range(0..CLIENTS);
            visit.requests_left = geometric(VISIT_REQUESTS, random);
        }
        visit.requests_left -= 1;
        (self.time_us as i64, visit.client)
    }
}

/// A geometric number of mean `mean` that is at least 1.
fn geometric(mean: f64, random: &mut Pcg64Mcg) -> u32 {
    geometric_quantile(mean, random.random())
}

/// Quantile `uniform`, at least 0 and below 1, of the geometric distribution of mean `mean` on 1, 2, …
pub(crate) fn geometric_quantile(mean: f64, uniform: f64) -> u32 {
    if mean <= 1.0 {
        return 1;
    }
    ((1.0 - uniform).ln() / (1.0 - 1.0 / mean).ln())
        .ceil()
        .max(1.0) as u32
}
