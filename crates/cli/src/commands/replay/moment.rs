//! Moments of a trace on the command line.

use std::str::FromStr;

use anyhow::Result;
use hotset_actions::WrittenTime;
use hotset_replay::schedule::Moment;
use hotset_trace::Zone;
use jiff::civil::DateTime;

use crate::output::Usage;

/// A moment of a trace, or a time on the clocks of a zone to be named.
#[derive(Clone, Copy, Debug)]
pub enum MomentArg {
    Moment(Moment),
    OnClocks(DateTime),
}

impl FromStr for MomentArg {
    type Err = String;

    fn from_str(text: &str) -> Result<MomentArg, String> {
        match text.parse() {
            Ok(WrittenTime::OnClocks(time)) => Ok(MomentArg::OnClocks(time)),
            _ => text.parse().map(MomentArg::Moment),
        }
    }
}

impl MomentArg {
    /// The moment, where times without a zone are on the clocks of `zone`.
    pub fn moment(self, zone: &Zone) -> Result<Moment> {
        match self {
            MomentArg::Moment(moment) => Ok(moment),
            MomentArg::OnClocks(time) => {
                let moment = WrittenTime::OnClocks(time).moment(zone).map_err(Usage)?;
                Ok(Moment::At(moment.as_microsecond()))
            }
        }
    }
}
