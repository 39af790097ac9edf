//! Cloudflare Logpush, dataset HTTP requests (Cloudflare documentation, "HTTP requests", log fields).
//!
//! Times are nanoseconds or seconds since 1970 or RFC 3339, as the job's `timestamp_format` says.
//! `EdgeStartTimestamp` is when the edge received the request. `EdgeResponseBytes` is what the edge sent.

use super::FormatKind;
use super::json::{self, Description, JsonField, JsonReader, whole_query};

impl FormatKind {
    /// Cloudflare Logpush, HTTP requests.
    pub const CLOUDFLARE: FormatKind = FormatKind {
        name: "cloudflare",
        fields: 9,
        is_key_only: false,
        parser: || Box::new(JsonReader::of(&DESCRIPTION)),
        evidence: json::evidence,
    };
}

const DESCRIPTION: Description = Description {
    keys: &[
        (JsonField::Time, "EdgeStartTimestamp"),
        (JsonField::Method, "ClientRequestMethod"),
        (JsonField::Uri, "ClientRequestURI"),
        (JsonField::Protocol, "ClientRequestProtocol"),
        (JsonField::Status, "EdgeResponseStatus"),
        (JsonField::Bytes, "EdgeResponseBytes"),
        (JsonField::Host, "ClientRequestHost"),
        (JsonField::Client, "ClientIP"),
    ],
    also_needed: &[],
    query: whole_query,
    is_time_kept: false,
};
