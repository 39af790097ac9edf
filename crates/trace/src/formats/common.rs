//! Apache's common log format, `%h %l %u %t "%r" %>s %b`. Lines that go on behind the size are read all the same.

use super::FormatKind;
use super::clf::{self, Bare, Family};

impl FormatKind {
    /// Apache's common log format.
    pub const COMMON: FormatKind = FormatKind::of::<Family<Bare>>("common", 7)
        .told_by(|kind, head| clf::evidence(kind, head, false));
}
