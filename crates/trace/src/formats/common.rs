//! Apache's common log format, `%h %l %u %t "%r" %>s %b`.

use super::clf::Clf;
use super::{Format, Record, Reject};

/// Reads the common log format; lines that go on behind the size are read all the same.
#[derive(Debug, Default)]
pub struct Common(Clf);

impl Format for Common {
    fn name(&self) -> &'static str {
        "common"
    }

    #[inline]
    fn parse<'a>(&'a mut self, record: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        self.0.parse(record)
    }
}
