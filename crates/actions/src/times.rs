//! Times as people write them, and the period between two.

use std::str::FromStr;

use hotset_trace::{Period, Zone};
use jiff::Timestamp;
use jiff::civil::DateTime;

/// A time as it is written, with its offset from UTC or on the clocks of a zone to be named.
#[derive(Clone, Copy, Debug)]
pub enum WrittenTime {
    /// With its offset.
    Moment(Timestamp),
    /// As clocks of a zone show it.
    OnClocks(DateTime),
}

impl FromStr for WrittenTime {
    type Err = String;

    fn from_str(text: &str) -> Result<WrittenTime, String> {
        if let Ok(moment) = text.parse() {
            return Ok(WrittenTime::Moment(moment));
        }
        let on_clocks = text.parse().map(WrittenTime::OnClocks);
        on_clocks.map_err(|_| {
            "write a time such as 2026-03-01, 2026-03-01 10:05 or 2026-03-01T10:05:00Z".into()
        })
    }
}

impl WrittenTime {
    /// The moment, where it is on the clocks of `zone`.
    ///
    /// # Errors
    /// A year that no timestamp reaches.
    pub fn moment(self, zone: &Zone) -> Result<Timestamp, String> {
        match self {
            WrittenTime::Moment(moment) => Ok(moment),
            WrittenTime::OnClocks(time) => zone.moment(time),
        }
    }
}

/// The period from one time to another, on the clocks of `zone`; nothing where it would end before it begins.
///
/// # Errors
/// A year that no timestamp reaches.
pub fn period(
    from: Option<WrittenTime>,
    to: Option<WrittenTime>,
    zone: &Zone,
) -> Result<Option<Period>, String> {
    let moment = |time: Option<WrittenTime>| time.map(|time| time.moment(zone)).transpose();
    let (from, to) = (moment(from)?, moment(to)?);
    let is_backwards = from.zip(to).is_some_and(|(from, to)| from >= to);
    Ok((!is_backwards).then_some(Period { from, to }))
}
