//! Logs whose times name no zone: HAProxy, IIS Advanced Logging with local times, many formats of applications.

use super::format::{Format, Framing};
use super::head::Head;
use crate::Zone;

/// Whether a request in the head of a log, as parsers that `parser` makes read it, has a time that names no zone. Such a
/// time is another moment in another zone.
pub(crate) fn lack_zone(head: &[u8], parser: impl Fn(&Zone) -> Box<dyn Format>) -> bool {
    let elsewhere = Zone::hours_ahead(1);
    let (mut in_utc, mut elsewhere) = (parser(&Zone::UTC), parser(&elsewhere));
    if in_utc.framing() != Framing::Lines {
        return false;
    }
    let time_us = |parser: &mut Box<dyn Format>, line| parser.parse(line).ok().flatten()?.time_us;
    let head = Head::new(head, "", None);
    let mut lines = head.lines().iter();
    lines.any(|line| time_us(&mut in_utc, line) != time_us(&mut elsewhere, line))
}
