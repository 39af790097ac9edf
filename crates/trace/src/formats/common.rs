//! Apache's common log format, `%h %l %u %t "%r" %>s %b`.

use super::clf::{self, Clf};
use super::{Format, FormatKind, Record, Reject};
use crate::Zone;

impl FormatKind {
    /// Apache's common log format.
    pub const COMMON: FormatKind = FormatKind {
        name: "common",
        fields: 7,
        is_key_only: false,
        parser: || Box::<Common>::default(),
        evidence: |kind, head| clf::evidence(kind, head, false),
    };
}

/// Reads the common log format; lines that go on behind the size are read all the same.
#[derive(Debug, Default)]
struct Common(Clf);

impl Format for Common {
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
