//! Caddy's JSON access log (Caddy documentation, "How logging works" and the `log` directive):
//! `{"ts":…,"request":{"remote_ip":…,"client_ip":…,"proto":…,"method":…,"host":…,"uri":…},"size":…,"status":…}`.
//!
//! `ts` takes every form of the encoder's `time_format`. Caddy logs at completion; `duration` (seconds, or text) is
//! subtracted. Its error log says the same of a failed request once more, without `size`: those lines are not
//! requests of their own.

use super::FormatKind;
use super::json::{Description, JsonField};

impl FormatKind {
    /// Caddy's JSON access log.
    pub const CADDY: FormatKind = FormatKind::of_json("caddy", 9, &DESCRIPTION);
}

const DESCRIPTION: Description = Description {
    keys: &[
        (JsonField::Time, "ts"),
        (JsonField::Duration, "duration"),
        (JsonField::Method, "request.method"),
        (JsonField::Uri, "request.uri"),
        (JsonField::Protocol, "request.proto"),
        (JsonField::Status, "status"),
        (JsonField::Bytes, "size"),
        (JsonField::Host, "request.host"),
        (JsonField::Client, "request.client_ip"),
        (JsonField::Client, "request.remote_ip"),
        // `address:port`, before Caddy 2.5.
        (JsonField::Client, "request.remote_addr"),
    ],
    also_needed: &[JsonField::Bytes],
    ..Description::PLAIN
};
