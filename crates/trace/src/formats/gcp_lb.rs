//! Google Cloud's Application Load Balancer, as Cloud Logging exports its entries, one a line (Cloud Logging
//! documentation, `LogEntry` and `HttpRequest`; Cloud Load Balancing documentation, "What is logged").
//!
//! `timestamp` is when the load balancer received the request. `requestUrl` is absolute and names the host. Sizes are
//! 64-bit numbers, which Google's JSON writes as strings; they include response headers.

use super::FormatKind;
use super::json::{self, Description, JsonField, JsonReader, whole_query};

impl FormatKind {
    /// Google Cloud load balancer, as Cloud Logging exports it.
    pub const GCP_LB: FormatKind = FormatKind {
        name: "gcp-lb",
        fields: 9,
        is_key_only: false,
        parser: || Box::new(JsonReader::of(&DESCRIPTION)),
        evidence: json::evidence,
    };
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
    also_needed: &[],
    query: whole_query,
    is_time_kept: false,
};
