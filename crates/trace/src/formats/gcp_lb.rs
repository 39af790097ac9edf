//! Google Cloud's Application Load Balancer, as Cloud Logging exports its entries, one a line (Cloud Logging
//! documentation, `LogEntry` and `HttpRequest`; Cloud Load Balancing documentation, "What is logged").
//!
//! `timestamp` is when the load balancer received the request. `requestUrl` is absolute and names the host. Sizes are
//! 64-bit numbers, which Google's JSON writes as strings; they include response headers.

use super::FormatKind;
use super::json::{Description, JsonField};

impl FormatKind {
    /// Google Cloud load balancer, as Cloud Logging exports it.
    pub const GCP_LB: FormatKind = FormatKind::of_json("gcp-lb", 9, &DESCRIPTION);
}

const DESCRIPTION: Description = Description {
    keys: &[
        (JsonField::Time, "timestamp"),
        (JsonField::Method, "httpRequest.requestMethod"),
        (JsonField::Uri, "httpRequest.requestUrl"),
        (JsonField::Protocol, "httpRequest.protocol"),
        (JsonField::Status, "httpRequest.status"),
        (JsonField::Bytes, "httpRequest.responseSize"),
        (JsonField::Client, "httpRequest.remoteIp"),
    ],
    ..Description::PLAIN
};
