//! Times on the command line: the period that requests are taken from, and the zone of times.

use std::str::FromStr;

use anyhow::{Result, bail};
use hotset_trace::{Period, Zone};
use jiff::Timestamp;
use jiff::civil::DateTime;

use crate::output::Usage;

/// A time as it is written, with its offset from UTC or on the clocks of a zone to be named.
#[derive(Clone, Copy, Debug)]
pub enum TimeArg {
    Moment(Timestamp),
    OnClocks(DateTime),
}

impl FromStr for TimeArg {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeArg, String> {
        if let Ok(moment) = text.parse() {
            return Ok(TimeArg::Moment(moment));
        }
        let on_clocks = text.parse().map(TimeArg::OnClocks);
        on_clocks.map_err(|_| {
            "write a time such as 2026-03-01, 2026-03-01 10:05 or 2026-03-01T10:05:00Z".into()
        })
    }
}

impl TimeArg {
    /// The moment, where it is on the clocks of `zone`.
    pub fn moment(self, zone: &Zone) -> Result<Timestamp> {
        match self {
            TimeArg::Moment(moment) => Ok(moment),
            TimeArg::OnClocks(time) => zone.moment(time).map_err(|error| Usage(error).into()),
        }
    }
}

/// The zone of times.
#[derive(clap::Args)]
#[command(next_help_heading = "Reading logs")]
pub struct ZoneArgs {
    /// Zone in which days, hours and times are written and shown: Europe/Berlin, +02:00, or local. The
    /// zone of times in logs is another matter (--log-time-zone)
    #[arg(long, value_name = "ZONE", default_value = "UTC")]
    pub time_zone: Zone,
}

/// The period that requests are taken from.
#[derive(clap::Args)]
#[command(next_help_heading = "Reading logs")]
pub struct PeriodArgs {
    /// Leave out requests before this time: 2026-03-01 or 2026-03-01 10:05 in --time-zone, or
    /// 2026-03-01T10:05:00Z
    #[arg(long, value_name = "TIME")]
    from: Option<TimeArg>,
    /// Leave out requests at or after this time
    #[arg(long, value_name = "TIME")]
    to: Option<TimeArg>,
    #[command(flatten)]
    zone: ZoneArgs,
}

impl PeriodArgs {
    /// The zone in which times are shown.
    pub fn zone(&self) -> &Zone {
        &self.zone.time_zone
    }

    /// The period.
    pub fn period(&self) -> Result<Period> {
        let zone = self.zone();
        let moment = |time: Option<TimeArg>| time.map(|time| time.moment(zone)).transpose();
        let (from, to) = (moment(self.from)?, moment(self.to)?);
        if from.zip(to).is_some_and(|(from, to)| from >= to) {
            bail!(Usage(
                "--from and --to: the period ends before it begins: write the earlier time first"
                    .into()
            ));
        }
        Ok(Period { from, to })
    }
}
