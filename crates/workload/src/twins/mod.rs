//! Statistical twins of the three production workloads of "A Study of the Performance of Diskless Web
//! Servers" (section 3.3, table 1), whose logs were never published.
//!
//! A twin is constructed, not sampled: the number of requests per file falls Zipf-like and adds up to
//! the table's requests; sizes are chosen within the bands that carry 97, 98, 99 and 100 % of the
//! requests so that the bytes of each band and the total response come out; each minute of the day has
//! its number of requests, with the busiest minute as in the table; and connections are laid so that
//! the 15-second rule ([`hotset_trace::sessions`]) rebuilds them. The seed decides what the table leaves open:
//! which request asks for which file, when within its minute, and from which client.
//!
//! The document draws the rate over the day but gives no numbers: twins have one smooth daily wave as
//! steep as the busiest minute demands, with 5 % of noise. Requests for a file are spread over the day
//! at random; the table says nothing about temporal locality.

mod arrivals;
mod counts;
mod file_sizes;

use std::str::FromStr;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use crate::single_site::{addresses, numbered_files, request, whole_file};
use crate::{GenerateError, Generator, require};
use hotset_trace::{Requests, Trace};

/// Megabyte of the document's table 1.
const MB: f64 = 1e6;
/// The day that each of the document's logs covers.
const DAY_MINUTES: f64 = 1440.0;

/// One column of table 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Workload {
    /// Name of the workload.
    pub name: &'static str,
    /// Average requests a second.
    pub mean_rate_per_second: f64,
    /// Highest rate of any one minute, requests a second.
    pub peak_rate_per_second: f64,
    /// Average requests of a connection.
    pub requests_per_connection: f64,
    /// Distinct files.
    pub files: u64,
    /// Bytes of all files.
    pub file_bytes: f64,
    /// Requests.
    pub requests: u64,
    /// Bytes of all responses.
    pub response_bytes: f64,
    /// Bytes of the files that serve 97, 98 and 99 % of the requests (files by falling count, then
    /// rising size).
    pub bytes_for_share: [f64; 3],
    /// Start of the day, microseconds since 1970-01-01 UTC.
    pub start_us: i64,
}

/// The shares of [`Workload::bytes_for_share`].
pub const SHARES: [f64; 3] = [0.97, 0.98, 0.99];

impl Workload {
    /// The 1998 Nagano Winter Olympics web site on 19 February 1998.
    pub const OLYMPICS98: Self = Self {
        name: "olympics98",
        mean_rate_per_second: 97.0,
        peak_rate_per_second: 171.0,
        requests_per_connection: 12.0,
        files: 61_807,
        file_bytes: 705.0 * MB,
        requests: 8_370_093,
        response_bytes: 49_871.0 * MB,
        bytes_for_share: [24.8 * MB, 50.9 * MB, 141.0 * MB],
        start_us: 887_846_400_000_000,
    };
    /// The New York Stock Exchange's web server on 19 October 1999.
    pub const NYSE: Self = Self {
        name: "nyse",
        mean_rate_per_second: 16.0,
        peak_rate_per_second: 46.0,
        requests_per_connection: 8.5,
        files: 16_872,
        file_bytes: 171.0 * MB,
        requests: 1_360_886,
        response_bytes: 2_811.0 * MB,
        bytes_for_share: [3.74 * MB, 6.46 * MB, 13.9 * MB],
        start_us: 940_291_200_000_000,
    };
    /// The IRCache proxy in Silicon Valley on 2 May 2001.
    pub const PROXY: Self = Self {
        name: "proxy",
        mean_rate_per_second: 15.0,
        peak_rate_per_second: 30.0,
        requests_per_connection: 31.0,
        files: 698_232,
        file_bytes: 6_205.0 * MB,
        requests: 1_290_196,
        response_bytes: 10_172.0 * MB,
        bytes_for_share: [2_498.0 * MB, 2_860.0 * MB, 3_382.0 * MB],
        start_us: 988_761_600_000_000,
    };
    /// The three workloads of the table.
    pub const ALL: [Self; 3] = [Self::OLYMPICS98, Self::NYSE, Self::PROXY];
}

impl FromStr for Workload {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|workload| workload.name == name);
        known.ok_or_else(|| {
            format!(
                "{name:?} is not a workload: use {}",
                Self::ALL.map(|known| known.name).join(", ")
            )
        })
    }
}

/// A twin of a workload.
///
/// Scale 1 is the whole day. A smaller twin keeps the rows *average rate*, *peak rate* and *requests
/// per connection*, and with them mean file size, mean response size, and every byte figure relative
/// to the others; *files*, *file size*, *requests*, *response size* and the *bytes for 97/98/99 %* are
/// the table's times the scale, and it lasts the day times the scale. The scale is rounded so that
/// this is a whole number of minutes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twin {
    /// What to imitate.
    pub workload: Workload,
    /// Above 0, at most 1.
    pub scale: f64,
}

impl Twin {
    /// The workload at full size.
    pub fn full(workload: Workload) -> Self {
        Self {
            workload,
            scale: 1.0,
        }
    }

    /// How long the twin lasts.
    pub fn minutes(&self) -> u32 {
        (DAY_MINUTES * self.scale).round() as u32
    }

    /// What the twin should measure: the table's rows at this scale.
    pub fn target(&self) -> Workload {
        let scale = f64::from(self.minutes()) / DAY_MINUTES;
        let Workload {
            files,
            requests,
            file_bytes,
            response_bytes,
            bytes_for_share,
            ..
        } = self.workload;
        Workload {
            files: (files as f64 * scale).round() as u64,
            requests: (requests as f64 * scale).round() as u64,
            file_bytes: file_bytes * scale,
            response_bytes: response_bytes * scale,
            bytes_for_share: bytes_for_share.map(|bytes| bytes * scale),
            ..self.workload
        }
    }

    fn too_small(&self, detail: &'static str) -> GenerateError {
        GenerateError::Scale {
            workload: self.workload.name,
            scale: self.scale,
            detail,
        }
    }
}

impl Generator for Twin {
    fn generate(&self, seed: u64) -> Result<Trace, GenerateError> {
        require(
            self.scale > 0.0 && self.scale <= 1.0,
            "scale",
            self.scale,
            "above 0 and at most 1",
        )?;
        let target = self.target();
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let popularity = counts::popularity(target.files, target.requests)
            .ok_or_else(|| self.too_small("requests and files"))?;
        let sizes = file_sizes::sizes(&target, &popularity, &mut random).ok_or_else(|| {
            self.too_small("bytes of files, responses, and for 97/98/99 % of requests")
        })?;
        let asked = shuffled_requests(&popularity.counts, &mut random);
        let arrivals = arrivals::arrivals(&target, self.minutes() as usize, &mut random)
            .ok_or_else(|| self.too_small("the rate of the busiest minute"))?;
        let mut requests = Requests::default();
        for ((time_us, client), object) in arrivals.requests.into_iter().zip(asked) {
            requests.push(request(time_us, client, whole_file(object, &sizes)));
        }
        Ok(Trace {
            sites: vec![target.name.to_owned()],
            clients: addresses(arrivals.clients),
            objects: numbered_files(sizes),
            requests,
            ..Trace::default()
        })
    }
}

/// Every object as often as it is asked for, in random order.
fn shuffled_requests(counts: &[u64], random: &mut Pcg64Mcg) -> Vec<u32> {
    let repeated =
        |(object, count): (usize, &u64)| std::iter::repeat_n(object as u32, *count as usize);
    let mut asked: Vec<u32> = counts.iter().enumerate().flat_map(repeated).collect();
    asked.shuffle(random);
    asked
}
