//! Times on the command line: the period that requests are taken from, and the zone of times.

use anyhow::Result;
use hotset_actions::WrittenTime;
use hotset_trace::{Period, Zone};

use crate::output::Usage;

/// The zone of times.
#[derive(clap::Args)]
#[command(next_help_heading = "Reading logs")]
pub struct ZoneArgs {
    /// Zone in which days, hours and times are shown
    ///
    /// Europe/Berlin, +02:00, or local. The zone of times in logs is another matter (--log-time-zone).
    #[arg(long, value_name = "ZONE", default_value = "UTC")]
    pub time_zone: Zone,
}

/// The period that requests are taken from.
#[derive(clap::Args)]
#[command(next_help_heading = "Reading logs")]
pub struct PeriodArgs {
    /// Leave out requests before this time
    ///
    /// 2026-03-01 or 2026-03-01 10:05 in --time-zone, or 2026-03-01T10:05:00Z.
    #[arg(long, value_name = "TIME")]
    from: Option<WrittenTime>,
    /// Leave out requests at or after this time
    #[arg(long, value_name = "TIME")]
    to: Option<WrittenTime>,
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
        let period = hotset_actions::period(self.from, self.to, self.zone()).map_err(Usage)?;
        period.ok_or_else(|| {
            let why =
                "--from and --to: the period ends before it begins: write the earlier time first";
            Usage(why.into()).into()
        })
    }
}
