//! Moments of a trace as people write them.

use std::str::FromStr;

use hotset_replay::schedule::Moment;
use hotset_trace::Zone;
use jiff::civil::DateTime;

use crate::error::usage;
use crate::{JobError, WrittenTime};

/// A moment of a trace, or a time on the clocks of a zone to be named.
#[derive(Clone, Copy, Debug)]
pub enum WrittenMoment {
    /// A moment.
    Moment(Moment),
    /// As clocks of a zone show it.
    OnClocks(DateTime),
}

impl FromStr for WrittenMoment {
    type Err = String;

    fn from_str(text: &str) -> Result<WrittenMoment, String> {
        match text.parse() {
            Ok(WrittenTime::OnClocks(time)) => Ok(WrittenMoment::OnClocks(time)),
            _ => text.parse().map(WrittenMoment::Moment),
        }
    }
}

impl WrittenMoment {
    /// The moment, where times without a zone are on the clocks of `zone`.
    pub(super) fn moment(self, zone: &Zone) -> Result<Moment, JobError> {
        match self {
            WrittenMoment::Moment(moment) => Ok(moment),
            WrittenMoment::OnClocks(time) => {
                let moment = WrittenTime::OnClocks(time).moment(zone).map_err(usage)?;
                Ok(Moment::At(moment.as_microsecond()))
            }
        }
    }
}
