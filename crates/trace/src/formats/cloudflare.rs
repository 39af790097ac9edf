//! Cloudflare Logpush, dataset HTTP requests (Cloudflare documentation, "HTTP requests", log fields).
//!
//! Times are nanoseconds or seconds since 1970 or RFC 3339, as the job's `timestamp_format` says.
//! `EdgeStartTimestamp` is when the edge received the request. `EdgeResponseBytes` is what the edge sent.

use super::FormatKind;
use super::json::{Description, JsonField};

impl FormatKind {
    /// Cloudflare Logpush, HTTP requests.
    pub const CLOUDFLARE: FormatKind = FormatKind::of_json("cloudflare", 9, &DESCRIPTION);
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
    ..Description::PLAIN
};
