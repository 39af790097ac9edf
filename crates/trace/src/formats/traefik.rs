//! Traefik's JSON access log (Traefik documentation, "Access Logs", table of available fields).
//!
//! Times are `StartUTC`, the arrival; where it is dropped by the configuration, `time`, the logging.
//! `RequestPath` holds the query too.

use super::FormatKind;
use super::json::{self, Description, JsonField, JsonReader, whole_query};

impl FormatKind {
    /// Traefik's JSON access log.
    pub const TRAEFIK: FormatKind = FormatKind {
        name: "traefik",
        fields: 9,
        is_key_only: false,
        parser: || Box::new(JsonReader::of(&DESCRIPTION)),
        evidence: json::evidence,
    };
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
    also_needed: &[],
    query: whole_query,
    is_time_kept: true,
};
