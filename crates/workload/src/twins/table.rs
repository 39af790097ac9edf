//! Table 1 of the document: what the production workloads measure.

use std::str::FromStr;

/// Megabyte of the document's table 1.
const MB: f64 = 1e6;

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
