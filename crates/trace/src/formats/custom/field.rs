//! What a field of a custom format says.

/// A field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::formats) enum Field {
    /// Not used.
    Skip,
    /// The client, as the server takes it.
    Client,
    /// The other end of the connection, perhaps a proxy, which counts where no [`Field::Client`] is logged.
    Peer,
    /// `X-Forwarded-For`: its first address is the client, unless it says `-`.
    ForwardedFor,
    /// A host that the client named.
    Host,
    /// The server's own name, which counts where no [`Field::Host`] is logged.
    ServerName,
    /// When.
    Time(TimeFormat),
    /// The whole request line.
    Request,
    /// The method alone.
    Method,
    /// Path with query.
    Target,
    /// Path without query.
    Path,
    /// Query, with or without its `?`.
    Query,
    /// The protocol alone.
    Protocol,
    /// The status.
    Status,
    /// Bytes of the body.
    BodyBytes,
    /// How long the request took.
    Took(Unit),
    /// Bytes with headers, which count where no [`Field::BodyBytes`] is logged.
    SentBytes,
}

/// What a duration is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats) enum Unit {
    Seconds,
    Milliseconds,
    Microseconds,
}

/// How a time is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::formats) enum TimeFormat {
    /// `17/May/2015:10:05:03 +0000`
    CommonLog,
    /// `2015-05-17T10:05:03+00:00`
    Iso8601,
    /// Seconds since 1970, perhaps with a fraction.
    Seconds,
    /// Milliseconds since 1970.
    Milliseconds,
    /// Microseconds since 1970.
    Microseconds,
    /// A strptime format; without `%z` in it the time is UTC.
    Strptime(String),
}

impl Field {
    /// What this field is a lesser source of: where both are logged, it is skipped.
    pub fn better(&self) -> &'static [Field] {
        match self {
            Field::Peer => &[Field::Client],
            Field::ServerName => &[Field::Host],
            Field::SentBytes => &[Field::BodyBytes],
            Field::Took(Unit::Seconds) => &[
                Field::Took(Unit::Milliseconds),
                Field::Took(Unit::Microseconds),
            ],
            Field::Took(Unit::Milliseconds) => &[Field::Took(Unit::Microseconds)],
            Field::Target | Field::Method | Field::Protocol => &[Field::Request],
            Field::Path | Field::Query => &[Field::Request, Field::Target],
            _ => &[],
        }
    }
}
