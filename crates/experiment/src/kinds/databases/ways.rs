//! `[databases.restart]`: servers are ended and started again, and memory becomes warm in several ways.

use hotset_trace::not_one_of;
use serde::Deserialize;
use strum::{EnumString, IntoStaticStr, VariantNames};

use crate::section_values::{count, list};

/// How servers are restarted, and how long they are visited then.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Restart {
    /// How memory becomes warm again.
    #[serde(default = "all_ways", deserialize_with = "list")]
    pub ways: Vec<Way>,
    /// How long browsers ask for pages after the restart, seconds; at least as long as pages are counted for a rate.
    #[serde(deserialize_with = "count::<_, 5, 36_000>")]
    pub seconds: u64,
}

/// A way for memory to become warm after a restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "kebab-case", parse_err_ty = String, parse_err_fn = not_a_way)]
pub(crate) enum Way {
    /// The large buffer pool begins empty.
    Cold,
    /// It is loaded with the quarter of its pages that was used last, as MariaDB does by itself.
    #[strum(serialize = "dump-25")]
    Dump25,
    /// It is loaded with all pages that it had.
    #[strum(serialize = "dump-100")]
    Dump100,
    /// Pools are small; tables are read and locked in the page cache before visitors come.
    Pin,
}

fn not_a_way(text: &str) -> String {
    not_one_of::<Way>(text, "a way to restart")
}

fn all_ways() -> Vec<Way> {
    vec![Way::Cold, Way::Dump25, Way::Dump100, Way::Pin]
}

impl Way {
    /// As results and options write it.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether the buffer pool is written down at the end, and loaded at the start.
    pub fn dumps(self) -> bool {
        matches!(self, Self::Dump25 | Self::Dump100)
    }

    /// Options of the MariaDB that is ended.
    pub fn options_before(self) -> &'static [&'static str] {
        match self {
            Self::Cold | Self::Pin => &["--innodb-buffer-pool-dump-at-shutdown=OFF"],
            Self::Dump25 => &[
                "--innodb-buffer-pool-dump-at-shutdown=ON",
                "--innodb-buffer-pool-dump-pct=25",
            ],
            Self::Dump100 => &[
                "--innodb-buffer-pool-dump-at-shutdown=ON",
                "--innodb-buffer-pool-dump-pct=100",
            ],
        }
    }

    /// Options of the MariaDB that is started after it. At its own end it writes nothing down: what the first one wrote is counted then.
    pub fn options_after(self) -> &'static [&'static str] {
        match self.dumps() {
            true => &[
                "--innodb-buffer-pool-load-at-startup=ON",
                "--innodb-buffer-pool-dump-at-shutdown=OFF",
            ],
            false => &[
                "--innodb-buffer-pool-load-at-startup=OFF",
                "--innodb-buffer-pool-dump-at-shutdown=OFF",
            ],
        }
    }
}
