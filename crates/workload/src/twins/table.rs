//! Table 1 of the document and what its text adds: what the production workloads measure.

use std::str::FromStr;

/// Megabyte of the document's table 1.
const MB: f64 = 1e6;

/// The most popular files (by falling count, then rising size) that carry a share of the requests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carried {
    /// Share of the requests, 0 to 1.
    pub share: f64,
    /// Bytes of the files.
    pub bytes: f64,
}

/// One column of table 1, and what sections 3.3 and 3.5 say beside it.
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
    /// What a perfect cache of the server's memory serves, where the document says (section 3.3).
    pub cacheable: Option<Carried>,
    /// The largest file, bytes, where the document says (section 3.5). A twin of less than a tenth of the day has a smaller one.
    pub largest_bytes: Option<f64>,
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
        cacheable: None,
        largest_bytes: None,
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
        cacheable: None,
        largest_bytes: None,
        start_us: 940_291_200_000_000,
    };
    /// The IRCache proxy in Silicon Valley on 2 May 2001. Of its requests, "even with a perfect caching strategy, only about 75%"
    /// fit into 1 GB; its files reach to "more than thirty megabytes".
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
        cacheable: Some(Carried {
            share: 0.75,
            bytes: 1_000.0 * MB,
        }),
        largest_bytes: Some(31.0 * MB),
        start_us: 988_761_600_000_000,
    };
    /// The three workloads of the table.
    pub const ALL: [Self; 3] = [Self::OLYMPICS98, Self::NYSE, Self::PROXY];

    /// What is known of the files that carry shares of the requests, by rising share.
    pub fn carried(&self) -> Vec<Carried> {
        let rows = SHARES.into_iter().zip(self.bytes_for_share);
        let rows = rows.map(|(share, bytes)| Carried { share, bytes });
        self.cacheable.into_iter().chain(rows).collect()
    }
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
