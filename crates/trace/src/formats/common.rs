//! Apache's common log format, `%h %l %u %t "%r" %>s %b`. Lines that go on behind the size are read all the same.

use super::FormatKind;
use super::clf::{self, CommonLayout, Family};

impl FormatKind {
    /// Apache's common log format.
    pub const COMMON: FormatKind = FormatKind::of::<Family<CommonLayout>>("common", 7)
        .known_by(|kind, head| clf::evidence(kind, head, false));
}
