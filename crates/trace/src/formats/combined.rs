//! Apache's combined log format, the common one with `"%{Referer}i" "%{User-Agent}i"` behind it.
//!
//! Referrer and agent are not looked at, so a line that lacks them, or has lost its last quote, is read all the same.

use super::FormatKind;
use super::clf::{self, CommonLayout, Family};

impl FormatKind {
    /// Apache's combined log format.
    pub const COMBINED: FormatKind = FormatKind::of::<Family<CommonLayout>>("combined", 9)
        .known_by(|kind, head| clf::evidence(kind, head, true));
}
