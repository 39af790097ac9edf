//! What a description says.

use std::collections::BTreeMap;

use hotset_trace::Zone;
use hotset_trace::read::{NotFound, NotFoundPath};
use serde::{Deserialize, Serialize};

use crate::{
    RateSeries, TimeSpan,
    zipf::{NoZipf, ZipfFit},
};

/// Name under which the description of all sites together goes.
pub const TOTAL: &str = "total";

/// A described trace.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Description {
    /// The zone of hours and days.
    pub time_zone: Zone,
    /// One description a site, in the order of the trace's site ids.
    pub sites: Vec<SiteDescription>,
    /// All sites together; its `site` is [`TOTAL`].
    pub total: SiteDescription,
    /// Keys of figures that parts cannot give, and that are empty in every site; none of a whole trace.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<&'static str>,
    /// First and last request; `None` for a trace without times or requests (not part of the JSON).
    #[serde(skip)]
    pub span: Option<TimeSpan>,
    /// The lists of all sites together, longer (not part of the JSON).
    #[serde(skip)]
    pub lists: Lists,
}

/// Lists for people who search them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lists {
    /// As [`SiteDescription::hottest`].
    pub hottest: Vec<HotFile>,
    /// As [`SiteDescription::top_clients`].
    pub top_clients: Vec<TopClient>,
    /// As [`NotFound::paths`].
    pub not_found: Vec<NotFoundPath>,
}

/// One site, or all sites together.
///
/// *Objects* are those with at least one access. Figures that a trace cannot give (rates of a trace
/// without times, connections where no client is named) are `None`, `null` in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SiteDescription {
    /// Site name.
    pub site: String,
    /// Log lines that count as requests.
    pub requests: u64,
    /// Requests that read a file's data.
    pub accesses: u64,
    /// Requests that are not for a file: dynamic pages, missing files, POST.
    pub not_file_requests: u64,
    /// Requests answered 304 Not Modified: the client has the file, and its data are not read.
    pub not_modified_requests: u64,
    /// Those of them that are for no file which a request before has read; they are among
    /// [`Self::not_file_requests`] too.
    pub not_modified_without_file: u64,
    /// Log lines that could not be read. A line that cannot be read names no site: all are counted
    /// in the total, and sites have 0.
    pub rejected_lines: u64,
    /// Distinct clients.
    pub clients: Option<u64>,
    /// Connections by the 15-second rule. A site's are rebuilt from its own requests, the total's from
    /// all, so a client that visits two sites at a time has one connection in the total.
    pub connections: Option<u64>,
    /// Requests ÷ connections.
    pub requests_per_connection: Option<f64>,
    /// Distinct files accessed.
    pub objects: u64,
    /// Sum of the sizes of these files.
    pub object_bytes: u64,
    /// Sum of the response bytes of all requests.
    pub response_bytes: u64,
    /// Mean and peak rate.
    pub requests_per_second: RequestRate,
    /// Requests by hour of day in [`Description::time_zone`], 24 entries; empty for a trace without times.
    pub requests_by_hour_of_day: Vec<u64>,
    /// Requests in every hour of the trace that has any; hours begin as in [`Description::time_zone`].
    pub requests_per_hour: RateSeries,
    /// Requests in every minute of the trace that has any (not part of the JSON: it is long).
    #[serde(skip)]
    pub requests_per_minute: RateSeries,
    /// Responses by class of status.
    pub status_classes: StatusClasses,
    /// Requests by method.
    pub methods: Methods,
    /// Requests by status, as far as any has it.
    pub status_codes: BTreeMap<u16, u64>,
    /// Sizes of the objects, each counted once.
    pub object_size_bytes: Option<SizeQuantiles>,
    /// Sizes of the objects, each counted once an access.
    pub access_size_bytes: Option<SizeQuantiles>,
    /// Memory that holds the files of this share of the accesses.
    pub bytes_for_percent_of_requests: BytesForPercent,
    /// Objects accessed once.
    pub one_timers: OneTimers,
    /// Zipf exponent of the popularity, where it can be estimated and means something.
    pub zipf: Option<ZipfFit>,
    /// Why there is no exponent; `None` where there is one.
    pub zipf_missing_because: Option<NoZipf>,
    /// Exact LRU miss ratios at cache sizes in equal ratios.
    pub miss_ratio_curve: Vec<CurvePoint>,
    /// The most accessed files, by falling accesses, then rising size.
    pub hottest: Vec<HotFile>,
    /// The clients with the most requests, then by first appearance; empty where no client is named.
    pub top_clients: Vec<TopClient>,
    /// The paths that were answered 404 most often. Of a trace folder they are known if its import kept them.
    pub not_found: NotFound,
}

/// Requests per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RequestRate {
    /// Requests ÷ the time from the first to the last request of the whole trace (so that the rates
    /// of sites add up). `None` when no time passes.
    pub mean: Option<f64>,
    /// Requests of the busiest calendar minute ÷ 60. "A Study of the Performance of Diskless Web
    /// Servers", table 1: "the highest observed rate for a one minute period". At least the mean: a
    /// trace of less than a minute fills no calendar minute. `None` with `mean`.
    pub peak_minute: Option<f64>,
}

/// Responses by first digit of the status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StatusClasses {
    /// 100 to 199.
    #[serde(rename = "1xx")]
    pub informational: u64,
    /// 200 to 299.
    #[serde(rename = "2xx")]
    pub success: u64,
    /// 300 to 399.
    #[serde(rename = "3xx")]
    pub redirection: u64,
    /// 400 to 499.
    #[serde(rename = "4xx")]
    pub client_error: u64,
    /// 500 to 599.
    #[serde(rename = "5xx")]
    pub server_error: u64,
    /// Anything else, such as 000 of a connection that ended before its status.
    pub other: u64,
}

/// Requests by method, as far as a trace tells methods apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Methods {
    /// GET.
    pub get: u64,
    /// HEAD.
    pub head: u64,
    /// POST.
    pub post: u64,
    /// Any other.
    pub other: u64,
}

/// One of the clients with the most requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TopClient {
    /// Its pseudonym or its address, by [`crate::ClientNames`].
    pub client: String,
    /// Its requests.
    pub requests: u64,
    /// Sum of the response bytes of these.
    pub response_bytes: u64,
}

/// Quantiles by nearest rank: the smallest size that at least this share does not exceed. Bytes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SizeQuantiles {
    /// Mean.
    pub mean: f64,
    /// Smallest.
    pub min: u64,
    /// 25 %.
    pub p25: u64,
    /// 50 %.
    pub p50: u64,
    /// 75 %.
    pub p75: u64,
    /// 90 %.
    pub p90: u64,
    /// 99 %.
    pub p99: u64,
    /// Largest.
    pub max: u64,
}

/// Bytes of the most accessed files (falling accesses, then rising size) that together receive at
/// least this percentage of the accesses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BytesForPercent {
    /// 90 %.
    #[serde(rename = "90")]
    pub p90: u64,
    /// 95 %.
    #[serde(rename = "95")]
    pub p95: u64,
    /// 97 %.
    #[serde(rename = "97")]
    pub p97: u64,
    /// 98 %.
    #[serde(rename = "98")]
    pub p98: u64,
    /// 99 %.
    #[serde(rename = "99")]
    pub p99: u64,
}

/// Objects accessed exactly once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct OneTimers {
    /// Their number.
    pub objects: u64,
    /// Their share of all objects; 0 without objects.
    pub object_share: f64,
    /// Sum of their sizes.
    pub bytes: u64,
    /// Their share of the bytes of all objects; 0 without objects.
    pub byte_share: f64,
}

/// One point of a miss-ratio curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    /// Size of the cache.
    pub cache_bytes: u64,
    /// Misses ÷ accesses.
    pub miss_ratio: f64,
    /// Missed bytes ÷ accessed bytes.
    pub byte_miss_ratio: f64,
}

/// One of the most accessed files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HotFile {
    /// Name of its site.
    pub site: String,
    /// Path as text.
    pub path: String,
    /// Accesses.
    pub accesses: u64,
    /// Size of the file.
    pub size_bytes: u64,
}
