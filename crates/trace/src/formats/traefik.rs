//! Traefik's JSON access log (Traefik documentation, "Access Logs", table of available fields).
//!
//! Times are `StartUTC`, the arrival; where it is dropped by the configuration, `time`, the logging.
//! `RequestPath` holds the query too.

use super::FormatKind;
use super::json::{Description, JsonField};

impl FormatKind {
    /// Traefik's JSON access log.
    pub const TRAEFIK: FormatKind = FormatKind::of_json("traefik", 9, &DESCRIPTION);
}

const DESCRIPTION: Description = Description {
    keys: &[
        (JsonField::Time, "StartUTC"),
        (JsonField::Time, "time"),
        (JsonField::Method, "RequestMethod"),
        (JsonField::Uri, "RequestPath"),
        (JsonField::Protocol, "RequestProtocol"),
        (JsonField::Status, "DownstreamStatus"),
        (JsonField::Bytes, "DownstreamContentSize"),
        (JsonField::Host, "RequestHost"),
        (JsonField::Client, "ClientHost"),
        (JsonField::DurationNs, "Duration"),
    ],
    is_time_kept: true,
    ..Description::PLAIN
};
