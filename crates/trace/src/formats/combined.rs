//! Apache's combined log format, the common one with `"%{Referer}i" "%{User-Agent}i"` behind it.

use super::clf::{self, Clf};
use super::{Format, FormatKind, Record, Reject};
use crate::Zone;

impl FormatKind {
    /// Apache's combined log format.
    pub const COMBINED: FormatKind = FormatKind {
        name: "combined",
        fields: 9,
        is_key_only: false,
        parser: || Box::<Combined>::default(),
        evidence: |kind, head| clf::evidence(kind, head, true),
    };
}

/// Reads the combined log format. Referrer and agent are not looked at, so a line that lacks them, or has
/// lost its last quote, is read all the same.
#[derive(Debug, Default)]
struct Combined(Clf);

impl Format for Combined {
    fn carries_state(&self) -> bool {
        self.0.carries_state()
    }

    fn set_zone(&mut self, zone: &Zone) {
        self.0.set_zone(zone);
    }

    #[inline]
    fn parse_record<'a>(&'a mut self, line: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        self.0.parse_from(line, b"")
    }
}
