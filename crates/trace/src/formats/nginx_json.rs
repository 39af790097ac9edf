//! nginx's access log written as JSON with `log_format … escape=json` (ngx_http_log_module, "log_format"), its keys
//! named after the variables that they hold (nginx documentation, "Alphabetical index of variables").
//!
//! The time is the logging, as in the text formats. A line that names no client or no bytes by nginx's names is not
//! of this format: it may hold them under other names.

use super::FormatKind;
use super::json::{Description, JsonField};

impl FormatKind {
    /// nginx's access log as JSON, with keys named after its variables.
    pub const NGINX_JSON: FormatKind = FormatKind::of_json("nginx-json", 9, &DESCRIPTION);
}

const DESCRIPTION: Description = Description {
    keys: &[
        (JsonField::Time, "msec"),
        (JsonField::Time, "time_iso8601"),
        (JsonField::Time, "time_local"),
        (JsonField::Request, "request"),
        (JsonField::Method, "request_method"),
        (JsonField::Uri, "request_uri"),
        (JsonField::Uri, "uri"),
        (JsonField::Query, "args"),
        (JsonField::Query, "query_string"),
        (JsonField::Protocol, "server_protocol"),
        (JsonField::Status, "status"),
        (JsonField::Bytes, "body_bytes_sent"),
        (JsonField::Bytes, "bytes_sent"),
        (JsonField::Host, "host"),
        (JsonField::Host, "http_host"),
        (JsonField::Host, "server_name"),
        (JsonField::Client, "http_x_forwarded_for"),
        (JsonField::Client, "proxy_add_x_forwarded_for"),
        (JsonField::Client, "remote_addr"),
        (JsonField::Client, "realip_remote_addr"),
        (JsonField::Duration, "request_time"),
    ],
    also_needed: &[JsonField::Bytes, JsonField::Client],
    is_time_kept: true,
    ..Description::PLAIN
};
