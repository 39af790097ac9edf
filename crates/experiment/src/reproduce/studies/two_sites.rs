//! Two sites at the same time in the data-centre of A or of B, with files of the first one in a memory file system.

use super::centres_of_a::{REQUESTS, WARM_UP_PERCENT};
use crate::reproduce::asked::{Asked, Layout, Popular};
use crate::reproduce::centre::Centre;

/// How much of the first site's files is in a memory file system: half of what a node has for files. The document does not say it.
const HOT_BYTES: u64 = 225 << 20;
/// B §4.4: files of less than 1 MB.
const SMALL_BYTES: u64 = 1 << 20;
/// File systems whose files are cached by I/O nodes.
const NETWORK: [&str; 2] = ["pvfs", "lustre"];
const WARM_UP: u32 = 12_000;

/// Whose data-centre it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// A's. Files of network file systems take what lines say.
    A,
    /// The same where calls to I/O nodes are followed, for files on PVFS or Lustre.
    AByCalls,
    /// B's, on its cluster 1.
    B,
}

/// Two sites.
#[derive(Clone, Copy)]
pub(super) struct TwoSites {
    /// Whose data-centre it is.
    pub of: Of,
    /// The file system that both are on.
    pub backing: &'static str,
    /// The site that is looked at.
    pub foreground: Popular,
    /// The other one.
    pub background: Popular,
}

/// Where files of the first site are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placed {
    /// All on the backing file system.
    Backing,
    /// The hottest in a memory file system.
    HotInRamfs,
    /// The hottest where nothing evicts them, at the costs of the backing file system: what avoided pollution is alone.
    HotUnpolluted,
    /// The small ones in a memory file system.
    SmallInRamfs,
}

/// The data-centre of A with two sites on ext3 that are alike, each with as many requests as one by itself.
pub(super) fn alike(of: Popular) -> Centre {
    Centre {
        name: format!("a-ext3-two-of-{}", of.name()),
        scenario: Of::A.scenario("ext3"),
        set: vec!["store.files.profile=a-ext3.toml".to_owned()],
        asked: Asked::LikeSites {
            of,
            requests: REQUESTS,
            warm_up_percent: WARM_UP_PERCENT,
        },
    }
}

impl TwoSites {
    /// Their data-centre.
    pub fn centre(&self, placed: Placed) -> Centre {
        let (of, backing) = (self.of, self.backing);
        Centre {
            name: format!(
                "{}-{backing}-{}-beside-{}-{}",
                of.prefix(),
                self.foreground.name(),
                self.background.name(),
                placed.name()
            ),
            scenario: of.scenario(backing),
            set: self.set(placed),
            asked: Asked::TwoSites {
                foreground: self.foreground,
                background: self.background,
                on: placed.layout(),
                warm_up: WARM_UP,
                seconds: of.seconds(),
            },
        }
    }

    /// The keys that say where files are, and what they take there.
    fn set(&self, placed: Placed) -> Vec<String> {
        let (of, backing) = (self.of, self.backing);
        if of == Of::AByCalls {
            // Its scenarios have all of it.
            return Vec::new();
        }
        let profile = format!("{}-{backing}.toml", of.prefix());
        let mut set = vec![format!("store.files.profile={profile}")];
        if NETWORK.contains(&backing) {
            // The memory of the I/O nodes, and that of the web server for what is held there.
            let memory = match placed {
                Placed::Backing => "1536MiB",
                _ => "1761MiB",
            };
            let webs = of.webs().iter();
            set.extend(webs.map(|web| format!("node.{web}.memory={memory}")));
        }
        if placed == Placed::HotUnpolluted {
            set.push(format!("store.memory.profile={profile}"));
        }
        set
    }
}

impl Of {
    fn scenario(self, backing: &str) -> &'static str {
        match (self, backing) {
            (Self::A, _) => "documents/a-two-sites.toml",
            (Self::AByCalls, "lustre") => "documents/a-on-lustre-two-sites.toml",
            (Self::AByCalls, _) => "documents/a-on-pvfs-two-sites.toml",
            (Self::B, _) => "documents/b1-two-sites.toml",
        }
    }

    /// How the names of its profiles begin.
    fn prefix(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::AByCalls => "a-on",
            Self::B => "b1",
        }
    }

    /// Seconds that are measured: B's three web servers get more done.
    fn seconds(self) -> u32 {
        match self {
            Self::A | Self::AByCalls => 10,
            Self::B => 4,
        }
    }

    fn webs(self) -> &'static [&'static str] {
        match self {
            Self::A | Self::AByCalls => &["web"],
            Self::B => &["web0", "web1", "web2"],
        }
    }
}

impl Placed {
    fn name(self) -> &'static str {
        match self {
            Self::Backing => "backing",
            Self::HotInRamfs => "hot-in-ramfs",
            Self::HotUnpolluted => "hot-unpolluted",
            Self::SmallInRamfs => "small-in-ramfs",
        }
    }

    fn layout(self) -> Layout {
        match self {
            Self::Backing => Layout::One,
            Self::HotInRamfs | Self::HotUnpolluted => Layout::Hottest(HOT_BYTES),
            Self::SmallInRamfs => Layout::Small(SMALL_BYTES),
        }
    }
}
