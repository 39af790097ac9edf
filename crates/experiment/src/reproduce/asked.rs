//! What the clients of a document's data-centre ask for.

use std::ops::Range;

use hotset_models::tiers::{File, Traffic};
use hotset_trace::{Objects, Trace};
use hotset_workload::{
    CLASS_SIZE_CORRELATION, Generator as _, Load, WorldCup, WorldCupDay, WorldCupFiles, Zipf,
};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64Mcg;

use crate::ExperimentError;

/// Only the order counts where clients wait for answers.
const ANY_RATE: f64 = 100.0;
/// Of sites beside each other, the seed of the second.
const SECOND: u64 = 1000;
const SEED: u64 = 1;

/// What clients ask for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Asked {
    /// One file, again and again: it is in memory.
    OneFile {
        /// Its size.
        bytes: u64,
        /// Requests that count.
        requests: u32,
    },
    /// Files of one size in turn, again and again: they are in memory. There are so many that clients ask for none at the same time, so that none
    /// has what another one reads.
    OneEach {
        /// Their size.
        bytes: u64,
        /// How many there are.
        files: u32,
        /// Requests that count.
        requests: u32,
    },
    /// Files of one size in any order, each once, so that none is in memory but for a share of them, which was asked for before.
    EachOnce {
        /// Their size.
        bytes: u64,
        /// How many there are.
        files: u32,
        /// How many of a hundred are in memory.
        cached_percent: u32,
        /// Disks that they lie on.
        disks: u32,
    },
    /// A site.
    Site {
        /// Its files.
        of: Popular,
        /// How its files lie on stores.
        on: Layout,
        /// Requests, with those that warm the caches up.
        requests: u32,
        /// How many of a hundred requests warm the caches up.
        warm_up_percent: u32,
    },
    /// Two sites that are alike. Clients ask for a file of each in turn, and all that they ask for counts, also what takes long.
    LikeSites {
        /// The files of each.
        of: Popular,
        /// Requests for each, with those that warm the caches up.
        requests: u32,
        /// How many of a hundred requests warm the caches up.
        warm_up_percent: u32,
    },
    /// Two sites at the same time. The clients of each ask for its own files, for so long.
    TwoSites {
        /// The site that is looked at: the first.
        foreground: Popular,
        /// The other one.
        background: Popular,
        /// How the files of the first lie on stores.
        on: Layout,
        /// Requests of both together that warm the caches up.
        warm_up: u32,
        /// Seconds that are measured.
        seconds: u32,
    },
}

/// The files of a site. Where they are popular by Zipf's law, the popular ones are the small ones, as in the documents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Popular {
    /// A class of A table 3 and B table 2.
    Class(usize),
    /// 4 GB of files with another exponent, as in A §4.3.
    Exponent(f64),
    /// Those of the 1998 World Cup's web site (B §3.1), and only requests that read them.
    WorldCup,
    /// Files of 1 KB to 4 MB, those of class 2, with another exponent, as in B §3.1.
    SmallExponent(f64),
}

/// How the files of a site lie on stores: a store has a site of its own for them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Layout {
    /// All on one.
    One,
    /// The most popular ones, of so many bytes together, on the second.
    Hottest(u64),
    /// Those smaller than so many bytes on the second.
    Small(u64),
    /// At random on this many.
    Random(u16),
    /// Dealt to this many in the order of popularity.
    ByPopularity(u16),
    /// Dealt to this many in the order of size.
    BySize(u16),
}

/// Files and requests for them.
pub(crate) struct Requests {
    /// As a simulation takes them.
    pub traffic: Traffic,
    /// The files, as stores are made for them.
    pub files: Trace,
    /// The requests of each class of clients that has some of its own; none where all share all.
    pub own: Vec<Range<usize>>,
}

/// Names of the sites that a site's stores have: of the first site, and of the second one.
const FIRST: [&str; 3] = ["first-0", "first-1", "first-2"];
const BACKGROUND: &str = "background";

impl Asked {
    /// The files and the requests.
    ///
    /// # Errors
    /// A workload that cannot be made.
    pub fn requests(&self) -> Result<Requests, ExperimentError> {
        Ok(match *self {
            Self::OneFile { bytes, requests } => one_file(bytes, requests),
            Self::OneEach {
                bytes,
                files,
                requests,
            } => one_each(bytes, files, requests),
            Self::EachOnce {
                bytes,
                files,
                cached_percent,
                disks,
            } => each_once(bytes, files, (cached_percent, disks)),
            Self::Site {
                of,
                on,
                requests,
                warm_up_percent,
            } => {
                let site = of.trace(requests, SEED)?;
                let warm_up = u64::from(requests) * u64::from(warm_up_percent) / 100;
                let mut files = files_of(&site);
                on.lay(&mut files, &mut random());
                let asked = site.requests.object;
                requests_of(files, asked, warm_up as usize)
            }
            Self::LikeSites {
                of,
                requests,
                warm_up_percent,
            } => like_sites(of, requests, warm_up_percent)?,
            Self::TwoSites {
                foreground,
                background,
                on,
                warm_up,
                seconds,
            } => two_sites((foreground, background), on, warm_up, seconds)?,
        })
    }
}

impl Asked {
    /// The same with files of one size that are in memory, in place of such files that are not.
    pub fn in_memory(self) -> Self {
        match self {
            Self::EachOnce { bytes, files, .. } => Self::OneFile {
                bytes,
                requests: files,
            },
            other => other,
        }
    }
}

impl Popular {
    fn trace(self, requests: u32, seed: u64) -> Result<Trace, ExperimentError> {
        let load = Load::new(u64::from(requests), ANY_RATE);
        let zipf = match self {
            Self::Class(class) => Zipf::class(class, load)?,
            Self::SmallExponent(alpha) => Zipf {
                alpha,
                ..Zipf::class(2, load)?
            },
            Self::Exponent(alpha) => Zipf {
                size_correlation: CLASS_SIZE_CORRELATION,
                ..Zipf::new(alpha, EXPONENT_FILES, EXPONENT_BYTES, load)
            },
            Self::WorldCup => return world_cup(requests, seed),
        };
        Ok(zipf.generate(seed)?)
    }

    /// Such as `class-0`, `exponent-0.5` and `world-cup`.
    pub fn name(self) -> String {
        match self {
            Self::Class(class) => format!("class-{class}"),
            Self::Exponent(alpha) => format!("exponent-{alpha}"),
            Self::WorldCup => "world-cup".to_owned(),
            Self::SmallExponent(alpha) => format!("small-exponent-{alpha}"),
        }
    }

    /// Those of a name.
    pub fn named(name: &str) -> Option<Self> {
        let (kind, number) = name.split_once('-')?;
        match (kind, number) {
            ("world", "cup") => Some(Self::WorldCup),
            ("class", _) => Some(Self::Class(number.parse().ok()?)),
            ("exponent", _) => Some(Self::Exponent(number.parse().ok()?)),
            _ => None,
        }
    }

    /// Requests that no data-centre of the documents answers in a second, so that clients never find none left: the larger files are, the fewer.
    fn most_per_s(self) -> usize {
        match self {
            Self::Class(0) | Self::WorldCup => 60_000,
            Self::Class(1) => 30_000,
            Self::Class(2) | Self::SmallExponent(_) => 12_000,
            Self::Class(_) | Self::Exponent(_) => 6000,
        }
    }
}

/// A §4.3: 4 GB. The document does not say how many files there are: about as many as class 4 would have in as many bytes.
const EXPONENT_BYTES: u64 = 4 << 30;
const EXPONENT_FILES: u32 = 4000;

/// The busiest day of the World Cup's site, which has as many requests as are taken.
const WORLD_CUP_DAY: &str = "1998-06-30";
/// So many times as many requests as are wanted leave about as many that read a file: 19 % of the answers are *Not Modified*.
const WORLD_CUP_SPARE: f64 = 1.25;

/// Requests that read a file of the World Cup's site.
fn world_cup(requests: u32, seed: u64) -> Result<Trace, ExperimentError> {
    let day: WorldCupDay = WORLD_CUP_DAY.parse().map_err(ExperimentError::Unusable)?;
    let of = WorldCup {
        day,
        scale: WORLD_CUP_SPARE * f64::from(requests) / day.requests as f64,
        files: WorldCupFiles::Counted,
    };
    let mut trace = of.generate(seed)?;
    let all = std::mem::take(&mut trace.requests);
    let read = (0..all.len()).filter(|&row| all.access[row]);
    for row in read.take(requests as usize) {
        trace.requests.push(all.get(row));
    }
    Ok(trace)
}

impl Layout {
    /// Puts files on sites, each of which has a store. Files come in the order of popularity.
    fn lay(self, files: &mut [File], random: &mut Pcg64Mcg) {
        match self {
            Self::One => {}
            Self::Hottest(bytes) => {
                let mut left = bytes;
                for file in files {
                    if file.bytes <= left {
                        left -= file.bytes;
                        file.site = 1;
                    }
                }
            }
            Self::Small(bytes) => {
                for file in files {
                    file.site = u16::from(file.bytes < bytes);
                }
            }
            Self::Random(stores) => {
                let mut order: Vec<usize> = (0..files.len()).collect();
                order.shuffle(random);
                deal(files, &order, stores);
            }
            Self::ByPopularity(stores) => {
                let order: Vec<usize> = (0..files.len()).collect();
                deal(files, &order, stores);
            }
            Self::BySize(stores) => {
                let mut order: Vec<usize> = (0..files.len()).collect();
                order.sort_by_key(|&file| files[file].bytes);
                deal(files, &order, stores);
            }
        }
    }
}

/// Deals files in an order to stores, one after the other.
fn deal(files: &mut [File], order: &[usize], stores: u16) {
    for (place, &file) in order.iter().enumerate() {
        files[file].site = (place % usize::from(stores.max(1))) as u16;
    }
}

fn random() -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(SEED)
}

fn files_of(trace: &Trace) -> Vec<File> {
    let bytes = trace.objects.size.iter();
    bytes.map(|&bytes| File { site: 0, bytes }).collect()
}

fn one_file(bytes: u64, requests: u32) -> Requests {
    // Enough that all clients have asked before the first request counts.
    const WARM_UP: usize = 100;
    let file = File { site: 0, bytes };
    let asked = vec![0; WARM_UP + requests as usize];
    requests_of(vec![file], asked, WARM_UP)
}

fn one_each(bytes: u64, files: u32, requests: u32) -> Requests {
    // Files begin on one I/O node of A's three after the other. All that are asked for begin on the same one, as one file does.
    const NODES: u32 = 3;
    let files = files.max(1);
    let file = |bytes: u64| File { site: 0, bytes };
    let all = (0..files).flat_map(|_| [file(bytes), file(1), file(1)]);
    // Twice, so that all clients have asked before the first request counts.
    let warm_up = 2 * files;
    let asked = (0..warm_up + requests).map(|number| NODES * (number % files));
    requests_of(all.collect(), asked.collect(), warm_up as usize)
}

/// Files are far from each other, so that a disk seeks between them: over as many bytes of it as all classes of A table 3 have together.
const SPREAD_BYTES: u64 = 8 << 30;

fn each_once(bytes: u64, files: u32, (cached_percent, disks): (u32, u32)) -> Requests {
    let spread_bytes = SPREAD_BYTES * u64::from(disks.max(1));
    let gap = (spread_bytes / u64::from(files.max(1))).saturating_sub(bytes);
    let file = |bytes: u64| File { site: 0, bytes };
    // Nobody asks for what lies between them.
    let all = (0..files).flat_map(|_| [file(bytes), file(gap.max(1))]);
    let mut asked: Vec<u32> = (0..files).map(|number| 2 * number).collect();
    asked.shuffle(&mut random());
    let cached = asked.len() * cached_percent.min(100) as usize / 100;
    let mut order: Vec<u32> = asked[..cached].to_vec();
    asked.shuffle(&mut random());
    order.extend(asked);
    requests_of(all.collect(), order, cached)
}

/// The files of two sites, of which those of the first lie so on stores, and what is asked of each.
fn beside_each_other(traces: [Trace; 2], on: Layout) -> (Vec<File>, [Vec<u32>; 2]) {
    let mut files = files_of(&traces[0]);
    on.lay(&mut files, &mut random());
    let first = files.len() as u32;
    let second = files_of(&traces[1]).into_iter();
    files.extend(second.map(|file| File {
        site: FIRST.len() as u16,
        ..file
    }));
    let [one, other] = traces.map(|trace| trace.requests.object);
    let other = other.into_iter().map(|file| first + file).collect();
    (files, [one, other])
}

fn like_sites(
    of: Popular,
    requests: u32,
    warm_up_percent: u32,
) -> Result<Requests, ExperimentError> {
    let traces = [
        of.trace(requests, SEED)?,
        of.trace(requests, SEED + SECOND)?,
    ];
    let (files, [one, other]) = beside_each_other(traces, Layout::One);
    let pairs = one.into_iter().zip(other);
    let asked: Vec<u32> = pairs.flat_map(|(one, other)| [one, other]).collect();
    let warm_up = asked.len() * warm_up_percent.min(100) as usize / 100;
    Ok(requests_of(files, asked, warm_up))
}

fn two_sites(
    (foreground, background): (Popular, Popular),
    on: Layout,
    warm_up: u32,
    seconds: u32,
) -> Result<Requests, ExperimentError> {
    let half = warm_up / 2;
    let traces = [
        foreground.trace(half.max(1) * 4, SEED)?,
        background.trace(half.max(1) * 4, SEED + SECOND)?,
    ];
    let (files, [one, other]) = beside_each_other(traces, on);
    // Both sites warm the caches up in turn.
    let half = half as usize;
    let pairs = one[..half].iter().zip(&other[..half]);
    let mut asked: Vec<u32> = pairs.flat_map(|(&one, &other)| [one, other]).collect();
    let warmed = asked.len();
    let sites = [(foreground, &one[half..]), (background, &other[half..])];
    let own = sites.map(|(of, site)| {
        let begins = asked.len();
        let most = of.most_per_s() * seconds as usize;
        asked.extend(site.iter().copied().cycle().take(most));
        begins..asked.len()
    });
    Ok(Requests {
        own: own.to_vec(),
        ..requests_of(files, asked, warmed)
    })
}

/// Requests for files in this order, of which the first warm caches up.
fn requests_of(files: Vec<File>, requests: Vec<u32>, warm_up: usize) -> Requests {
    let sites = FIRST.into_iter().chain([BACKGROUND]);
    let sites: Vec<String> = sites.map(str::to_owned).collect();
    let objects = Objects {
        site: files.iter().map(|file| file.site).collect(),
        size: files.iter().map(|file| file.bytes).collect(),
        ..Objects::default()
    };
    Requests {
        files: Trace {
            sites: sites.clone(),
            objects,
            ..Trace::default()
        },
        traffic: Traffic {
            sites,
            files,
            requests,
            times_ns: Vec::new(),
            connections: Vec::new(),
            warm_up,
        },
        own: Vec::new(),
    }
}
