//! The fields of a request that a description gives keys for.

/// A field of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonField {
    /// When: a count since 1970 or text. The logging, unless the log has a duration.
    Time,
    /// The method alone.
    Method,
    /// Path with query, or an absolute URL.
    Uri,
    /// A query that is not in [`JsonField::Uri`].
    Query,
    /// The response's status.
    Status,
    /// The response's bytes.
    Bytes,
    /// The virtual host.
    Host,
    /// The client's address; the first of a list.
    Client,
    /// The request line: method, target and protocol.
    Request,
    /// The protocol alone.
    Protocol,
    /// How long the request took, in seconds: subtracted from a time that is taken at the end.
    Duration,
    /// The same in milliseconds.
    DurationMs,
    /// The same in microseconds.
    DurationUs,
    /// The same in nanoseconds.
    DurationNs,
}

impl JsonField {
    /// All fields, in the order of the documentation.
    pub const ALL: [JsonField; 14] = [
        JsonField::Time,
        JsonField::Method,
        JsonField::Uri,
        JsonField::Query,
        JsonField::Status,
        JsonField::Bytes,
        JsonField::Host,
        JsonField::Client,
        JsonField::Request,
        JsonField::Protocol,
        JsonField::Duration,
        JsonField::DurationMs,
        JsonField::DurationUs,
        JsonField::DurationNs,
    ];

    /// Its name in a description.
    pub fn name(self) -> &'static str {
        match self {
            JsonField::Time => "time",
            JsonField::Method => "method",
            JsonField::Uri => "uri",
            JsonField::Query => "query",
            JsonField::Status => "status",
            JsonField::Bytes => "bytes",
            JsonField::Host => "host",
            JsonField::Client => "client",
            JsonField::Request => "request",
            JsonField::Protocol => "protocol",
            JsonField::Duration => "duration",
            JsonField::DurationMs => "duration_ms",
            JsonField::DurationUs => "duration_us",
            JsonField::DurationNs => "duration_ns",
        }
    }
}
