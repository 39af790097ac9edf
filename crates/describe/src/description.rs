//! What a description says.

use std::borrow::Cow;
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Description {
    /// Zone of hours and days: a name of the IANA database, or an offset such as UTC+02:00.
    pub time_zone: Zone,
    /// One entry a site.
    pub sites: Vec<SiteDescription>,
    /// All sites together.
    pub total: SiteDescription,
    /// Keys of sites that parts cannot give, and that are empty here; absent where all are given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<Cow<'static, str>>,
    /// First and last request; `None` for a trace without times or requests (not part of the JSON).
    #[serde(skip)]
    pub span: Option<TimeSpan>,
    /// The lists of all sites together, longer (not part of the JSON).
    #[serde(skip)]
    pub lists: Lists,
}

/// Lists for people who search them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SiteDescription {
    /// Name of the site; 'total' for all of them.
    pub site: String,
    /// Log lines that count as requests.
    pub requests: u64,
    /// Requests that read a file's data.
    pub accesses: u64,
    /// Requests that are not for a file: dynamic pages, missing files, POST.
    pub not_file_requests: u64,
    /// Requests answered 304 Not Modified: the client has the file, and its data are not read.
    pub not_modified_requests: u64,
    /// Those of them that are for no file which a request before has read; not_file_requests has them too.
    pub not_modified_without_file: u64,
    /// Lines that could not be read; they name no site, so all are counted in the total.
    pub rejected_lines: u64,
    /// Distinct clients; null where the trace names none.
    pub clients: Option<u64>,
    /// Connections by the 15-second rule, rebuilt from the requests of the site alone, or of all; null without
    /// clients or times.
    pub connections: Option<u64>,
    /// Requests / connections; null where connections is null or 0.
    pub requests_per_connection: Option<f64>,
    /// Distinct files read.
    pub objects: u64,
    /// Sum of the sizes of these files, bytes.
    pub object_bytes: u64,
    /// Sum of the response bodies of all requests, bytes.
    pub response_bytes: u64,
    /// Requests a second.
    pub requests_per_second: RequestRate,
    /// Requests in each hour of the day in time_zone, 24 entries from 00:00; empty without times.
    pub requests_by_hour_of_day: Vec<u64>,
    /// Requests in each hour of the trace, hours without any left out; empty without times.
    pub requests_per_hour: RateSeries,
    /// Requests in every minute of the trace that has any (not part of the JSON: it is long).
    #[serde(skip)]
    pub requests_per_minute: RateSeries,
    /// Responses by first digit of the status.
    pub status_classes: StatusClasses,
    /// Requests by method.
    pub methods: Methods,
    /// Requests by status, the status as key.
    pub status_codes: BTreeMap<u16, u64>,
    /// Sizes of the files in bytes, each counted once, quantiles by nearest rank; null without files.
    pub object_size_bytes: Option<SizeQuantiles>,
    /// Sizes of the files in bytes, each counted once an access, quantiles by nearest rank; null without files.
    pub access_size_bytes: Option<SizeQuantiles>,
    /// Memory that holds the most read files (by falling accesses, then rising size) that together get this
    /// percentage of the accesses; 0 without accesses.
    pub bytes_for_percent_of_requests: BytesForPercent,
    /// Files read exactly once.
    pub one_timers: OneTimers,
    /// Exponent of popularity (accesses of the n-th file fall as n to the power of -alpha); null where
    /// zipf_missing_because says why.
    pub zipf: Option<ZipfFit>,
    /// Why zipf is null: too few files or all about equally popular (not_estimable), or, in the total, sites whose
    /// exponents differ, so that an exponent of all of them together describes none (several_populations).
    pub zipf_missing_because: Option<NoZipf>,
    /// Exact misses of an LRU cache, by rising size; empty without accesses.
    pub miss_ratio_curve: Vec<CurvePoint>,
    /// The most read files, by falling accesses, then rising size.
    pub hottest: Vec<HotFile>,
    /// The clients with the most requests, by falling requests; empty where the log names no clients.
    pub top_clients: Vec<TopClient>,
    /// The paths that were answered 404 most often; none for a trace folder whose import did not keep them.
    pub not_found: NotFound,
}

/// Requests per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct RequestRate {
    /// Requests / time from the first to the last request of the whole trace, per second; null where no time passes
    /// or is known.
    pub mean: Option<f64>,
    /// Requests of the busiest calendar minute / 60, or mean where that is more, per second; null with mean.
    pub peak_minute: Option<f64>,
}

/// Responses by first digit of the status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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
    /// Responses with any other status.
    pub other: u64,
}

/// Requests by method, as far as a trace tells methods apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Methods {
    /// GET.
    pub get: u64,
    /// HEAD.
    pub head: u64,
    /// POST.
    pub post: u64,
    /// Any other method.
    pub other: u64,
}

/// One of the clients with the most requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TopClient {
    /// Pseudonym, number by first appearance, or address where addresses are kept.
    pub client: String,
    /// Its requests.
    pub requests: u64,
    /// Sum of the response bytes of these.
    pub response_bytes: u64,
}

/// Quantiles by nearest rank: the smallest size that at least this share does not exceed. Bytes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SizeQuantiles {
    /// Mean, bytes.
    pub mean: f64,
    /// Smallest, bytes.
    pub min: u64,
    /// 25 % are at most this large, bytes.
    pub p25: u64,
    /// Median, bytes.
    pub p50: u64,
    /// 75 % are at most this large, bytes.
    pub p75: u64,
    /// 90 % are at most this large, bytes.
    pub p90: u64,
    /// 99 % are at most this large, bytes.
    pub p99: u64,
    /// Largest, bytes.
    pub max: u64,
}

/// Bytes of the most accessed files (falling accesses, then rising size) that together receive at
/// least this percentage of the accesses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct OneTimers {
    /// How many.
    pub objects: u64,
    /// Their share of the files, 0 to 1; 0 without files.
    pub object_share: f64,
    /// Sum of their sizes, bytes.
    pub bytes: u64,
    /// Their share of the bytes of all files, 0 to 1; 0 without files.
    pub byte_share: f64,
}

/// One point of a miss-ratio curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CurvePoint {
    /// Size of the cache, bytes.
    pub cache_bytes: u64,
    /// Misses / accesses, 0 to 1.
    pub miss_ratio: f64,
    /// Missed bytes / accessed bytes, 0 to 1.
    pub byte_miss_ratio: f64,
}

/// One of the most accessed files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct HotFile {
    /// Name of its site.
    pub site: String,
    /// Path within the site, as text; control characters and bytes that are not UTF-8 percent-encoded.
    pub path: String,
    /// Times it was read.
    pub accesses: u64,
    /// Its size, bytes.
    pub size_bytes: u64,
}
