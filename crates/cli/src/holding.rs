//! How files are held, and for which server.

use std::ops::RangeInclusive;
use std::time::Duration;

use hotset_actions::Holding;
use hotset_live::{PlacerChoice, ServerName};
use hotset_scenario::parse_duration;

use crate::option_values::one_of;
use crate::state::StateArgs;

/// What every command that holds files takes.
#[derive(clap::Args)]
pub struct HoldingArgs {
    /// How to hold files: auto, pin, bind or hot-root
    ///
    /// pin locks them in the page cache where they are. bind mounts copies in memory over them, for a server with
    /// mounts of its own. hot-root keeps copies that the server looks up first, as `hotset config` says. auto pins on
    /// local file systems, and otherwise binds where the server has mounts of its own, else keeps a hot root.
    #[arg(long, value_name = "PLACER", default_value = "auto", hide_possible_values = true,
        value_parser = one_of::<PlacerChoice, _>(PlacerChoice::NAMES))]
    placer: PlacerChoice,
    #[command(flatten)]
    state: StateArgs,
    /// The server whose memory group pays for what is held
    ///
    /// unit:NAME, pid:FILE or cgroup:PATH.
    #[arg(long, value_name = "SERVER")]
    server: Option<ServerName>,
    /// Also hold files of this user, by number; may be repeated
    ///
    /// Those of each root's owner are held anyway.
    #[arg(long = "owner", value_name = "UID")]
    owners: Vec<u32>,
    /// How much older than the file on disk an answer may be
    ///
    /// It may be older because of a copy. Copies are looked at twice in that time, and as soon as the kernel tells of
    /// a change.
    #[arg(long, value_name = "DURATION", default_value = "1s", value_parser = staleness)]
    staleness: Duration,
}

/// The least and the most that can be kept: a look at many files takes its time, and a day is as good as never.
const STALENESS: RangeInclusive<Duration> =
    Duration::from_millis(100)..=Duration::from_secs(86_400);

fn staleness(text: &str) -> Result<Duration, String> {
    let staleness = parse_duration(text)?;
    match STALENESS.contains(&staleness) {
        true => Ok(staleness),
        false => Err("must be from 100ms to 24h".to_owned()),
    }
}

impl HoldingArgs {
    pub fn holding(&self) -> Holding {
        Holding {
            placer: self.placer,
            state: self.state.path.clone(),
            server: self.server.clone(),
            owners: self.owners.clone(),
            staleness: self.staleness,
        }
    }
}
