//! The fields of a request that a description gives keys for.

use strum::{EnumCount, EnumString, IntoStaticStr, VariantArray};

/// A field of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumCount, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
pub enum JsonField {
    /// When: a count since 1970 or text. The logging, unless the log has a duration.
    Time,
    /// The day, where [`JsonField::Time`] has the time of day alone.
    Date,
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
    pub const ALL: [JsonField; JsonField::COUNT] = *JsonField::VARIANTS.first_chunk().unwrap();

    /// Its name in a description.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
