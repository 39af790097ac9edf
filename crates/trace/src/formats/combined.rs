//! Apache's combined log format, the common one with `"%{Referer}i" "%{User-Agent}i"` behind it.

use super::clf::Clf;
use super::{Format, Record, Reject};

/// Reads the combined log format. Referrer and agent are not looked at, so a line that lacks them, or has
/// lost its last quote, is read all the same.
#[derive(Debug, Default)]
pub struct Combined(Clf);

impl Format for Combined {
    fn name(&self) -> &'static str {
        "combined"
    }

    #[inline]
    fn parse<'a>(&'a mut self, record: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        self.0.parse(record)
    }
}
