//! Apache's common log format, `%h %l %u %t "%r" %>s %b`. Lines that go on behind the size are read all the same.

use super::FormatKind;
use super::clf::{self, Bare, Family};

impl FormatKind {
    /// Apache's common log format.
    pub const COMMON: FormatKind = FormatKind {
        name: "common",
        fields: 7,
        is_key_only: false,
        parser: || Box::<Family<Bare>>::default(),
        evidence: |kind, head| clf::evidence(kind, head, false),
    };
}
