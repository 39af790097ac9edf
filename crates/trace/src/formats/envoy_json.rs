//! Envoy's JSON access log with its operators' usual keys: Istio ("Envoy Access Logs", the default format as JSON),
//! Contour ("Access Logging", JSON fields) and Envoy Gateway ("Proxy Access Logs", default format).
//!
//! `start_time` (`@timestamp` in Contour) is the arrival of the request (Envoy documentation, "Access logging",
//! `%START_TIME%`); `path` holds the query too; `bytes_sent` is the body. What Envoy does not know is null.

use super::FormatKind;
use super::json::{Description, JsonField};

impl FormatKind {
    /// Envoy's JSON access log, with the keys of Istio, Contour and Envoy Gateway.
    pub const ENVOY_JSON: FormatKind = FormatKind::of_json("envoy-json", 9, &DESCRIPTION);
}

const DESCRIPTION: Description = Description {
    keys: &[
        (JsonField::Time, "start_time"),
        (JsonField::Time, "@timestamp"),
        (JsonField::Method, "method"),
        (JsonField::Uri, "path"),
        (JsonField::Uri, "x-envoy-origin-path"),
        (JsonField::Protocol, "protocol"),
        (JsonField::Status, "response_code"),
        (JsonField::Bytes, "bytes_sent"),
        (JsonField::Host, "authority"),
        (JsonField::Host, ":authority"),
        (JsonField::Client, "x_forwarded_for"),
        (JsonField::Client, "x-forwarded-for"),
        (JsonField::Client, "downstream_remote_address"),
        (JsonField::DurationMs, "duration"),
    ],
    also_needed: &[JsonField::Bytes, JsonField::Host, JsonField::Client],
    is_time_kept: true,
    ..Description::PLAIN
};
