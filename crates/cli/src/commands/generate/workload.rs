//! The workloads that `hotset generate` offers.

use std::path::PathBuf;

use anyhow::{Result, bail};
use hotset_actions::generate::{
    ALPHA, AVERAGE_SIZE_OBJECTS, CONNECTIONS, OBJECTS, RATE, REQUESTS, SHIFT_EVERY, SIZE,
    WORKING_SET, Workload, Zipf,
};
use hotset_workload::{
    AverageSize, Load, SingleFile, SpecWeb99, Twin, Workload as Day, WorldCup, WorldCupDay,
    WorldCupFiles, Zipf as OfExponent,
};

use crate::option_values::size;
use crate::output::Usage;

/// Share of a day of the World Cup's site that is made where it is not said.
const WORLD_CUP_SCALE: f64 = 0.001;

/// How many requests arrive how fast.
#[derive(clap::Args)]
pub struct LoadArgs {
    /// Number of requests
    #[arg(long, default_value_t = REQUESTS)]
    requests: u64,
    /// Mean requests a second
    #[arg(long, default_value_t = RATE)]
    rate: f64,
}

impl LoadArgs {
    fn load(&self) -> Load {
        Load::new(self.requests, self.rate)
    }
}

/// The workloads, one variant a generator.
#[derive(clap::Subcommand)]
pub enum WorkloadArgs {
    /// One file, again and again
    #[command(after_help = "Examples:\n  hotset generate single-file --size 1M -o one.trace")]
    SingleFile {
        /// Size of the file
        #[arg(long, value_name = "SIZE", default_value = SIZE, value_parser = size)]
        size: u64,
        #[command(flatten)]
        load: LoadArgs,
    },
    /// Files of one average size, all equally popular
    #[command(
        after_help = "Examples:\n  hotset generate average-size --objects 500 -o average.trace"
    )]
    AverageSize {
        /// Average size
        #[arg(long, value_name = "SIZE", default_value = SIZE, value_parser = size)]
        size: u64,
        /// Number of files
        #[arg(long, default_value_t = AVERAGE_SIZE_OBJECTS)]
        objects: u32,
        #[command(flatten)]
        load: LoadArgs,
    },
    /// Zipf-like popularity: a class of the 2004 study, or any exponent and working set
    #[command(
        after_help = "Examples:\n  hotset generate zipf --alpha 0.9 --working-set 64M --log zipf.log"
    )]
    Zipf {
        #[command(flatten)]
        zipf: ZipfArgs,
    },
    /// Zipf-like popularity in which the popular files change
    #[command(
        after_help = "Examples:\n  hotset generate shifting --shift-every 5000 --log shifting.log"
    )]
    Shifting {
        #[command(flatten)]
        zipf: ZipfArgs,
        /// Requests between changes
        #[arg(long, default_value_t = SHIFT_EVERY)]
        shift_every: u64,
        /// Share of the files that change places, 0 to 1
        #[arg(long, default_value_t = 1.0)]
        share: f64,
    },
    /// SPECweb99's file set and operations for a number of connections
    #[command(
        after_help = "Examples:\n  hotset generate specweb99 --connections 50 --log specweb99.log"
    )]
    Specweb99 {
        /// Simultaneous connections
        #[arg(long, default_value_t = CONNECTIONS)]
        connections: u32,
        /// Number of operations
        #[arg(long, default_value_t = REQUESTS)]
        requests: u64,
    },
    /// A statistical twin of a published day of traffic (olympics98, nyse or proxy)
    #[command(after_help = "Examples:\n  hotset generate twin nyse --scale 0.01 -o nyse.trace")]
    Twin {
        /// The workload
        #[arg(value_name = "NAME")]
        workload: Day,
        /// Share of the day to generate, above 0 and at most 1
        ///
        /// Rates, requests per connection and mean sizes stay the same, all else shrinks in proportion.
        #[arg(long, default_value_t = 1.0)]
        scale: f64,
    },
    /// A twin of a day of the 1998 World Cup's web site, by its public logs
    #[command(
        after_help = "Examples:\n  hotset generate world-cup 1998-06-30 -o cup.trace\n  hotset generate world-cup 1998-06-30 --alpha 1 --objects 9000 --working-set 300M -o other.trace"
    )]
    WorldCup {
        /// The day, from 1998-04-30 to 1998-07-26
        #[arg(value_name = "DAY")]
        day: WorldCupDay,
        /// Share of the day's requests, above 0 and at most 1
        ///
        /// Each minute has this share of its requests. 30 June had 75 million.
        #[arg(long, default_value_t = WORLD_CUP_SCALE)]
        scale: f64,
        /// Other files than the site's: exponent of their popularity
        ///
        /// Without it, files have the types, sizes and popularity of the site's own, as counted in its logs.
        #[arg(long, requires = "objects")]
        alpha: Option<f64>,
        /// Number of other files
        #[arg(long, requires = "working_set")]
        objects: Option<u32>,
        /// Size of all other files together
        #[arg(long, value_name = "SIZE", value_parser = size, requires = "alpha")]
        working_set: Option<u64>,
        /// Rank correlation of size and popularity of other files [default: 0]
        #[arg(
            long,
            value_name = "R",
            allow_negative_numbers = true,
            requires = "alpha"
        )]
        size_correlation: Option<f64>,
    },
    /// Several trace folders as sites with simultaneous traffic
    #[command(
        after_help = "Examples:\n  hotset generate mix shop=shop.trace video=video.trace --log mix.log"
    )]
    Mix {
        /// A site's name and its trace folder
        #[arg(value_name = "NAME=FOLDER", required = true, num_args = 2..)]
        sites: Vec<String>,
    },
}

/// Zipf-like popularity.
#[derive(clap::Args)]
pub struct ZipfArgs {
    /// Class 0 to 4: working sets of 25 MiB to 6 GiB, exponent 0.9
    #[arg(long, conflicts_with_all = ["alpha", "objects", "working_set"])]
    class: Option<usize>,
    /// Exponent
    #[arg(long, default_value_t = ALPHA)]
    alpha: f64,
    /// Number of files
    #[arg(long, default_value_t = OBJECTS)]
    objects: u32,
    /// Size of all files together
    #[arg(long, value_name = "SIZE", default_value = WORKING_SET, value_parser = size)]
    working_set: u64,
    /// Rank correlation of size and popularity [default: 0; class: -0.5]
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    size_correlation: Option<f64>,
    #[command(flatten)]
    load: LoadArgs,
}

impl ZipfArgs {
    fn zipf(&self) -> Zipf {
        Zipf {
            class: self.class,
            alpha: self.alpha,
            objects: self.objects,
            working_set_bytes: self.working_set,
            size_correlation: self.size_correlation,
            load: self.load.load(),
        }
    }
}

impl WorkloadArgs {
    pub fn workload(&self) -> Result<Workload> {
        Ok(match self {
            Self::SingleFile { size, load } => Workload::SingleFile(SingleFile {
                size_bytes: *size,
                load: load.load(),
            }),
            Self::AverageSize {
                size,
                objects,
                load,
            } => Workload::AverageSize(AverageSize {
                mean_bytes: *size,
                objects: *objects,
                load: load.load(),
            }),
            Self::Zipf { zipf } => Workload::Zipf(zipf.zipf()),
            Self::Shifting {
                zipf,
                shift_every,
                share,
            } => Workload::Shifting {
                zipf: zipf.zipf(),
                shift_every: *shift_every,
                share: *share,
            },
            Self::Specweb99 {
                connections,
                requests,
            } => Workload::Specweb99(SpecWeb99 {
                connections: *connections,
                requests: *requests,
            }),
            Self::Twin { workload, scale } => Workload::Twin(Twin {
                workload: *workload,
                scale: *scale,
            }),
            Self::WorldCup {
                day,
                scale,
                alpha,
                objects,
                working_set,
                size_correlation,
            } => {
                let others = alpha.zip(*objects).zip(*working_set);
                let files = others.map(|((alpha, objects), bytes)| {
                    // How many requests arrive how fast is the day's.
                    let load = Load::new(day.requests, 1.0);
                    WorldCupFiles::Zipf(OfExponent {
                        size_correlation: size_correlation.unwrap_or_default(),
                        ..OfExponent::new(alpha, objects, bytes, load)
                    })
                });
                Workload::WorldCup(WorldCup {
                    day: *day,
                    scale: *scale,
                    files: files.unwrap_or(WorldCupFiles::Counted),
                })
            }
            Self::Mix { sites } => {
                Workload::Mix(sites.iter().map(|text| site(text)).collect::<Result<_>>()?)
            }
        })
    }
}

/// A site's name and its trace folder.
fn site(text: &str) -> Result<(String, PathBuf)> {
    let Some((name, folder)) = text.split_once('=').filter(|(name, _)| !name.is_empty()) else {
        bail!(Usage(format!("{text}: write NAME=FOLDER")));
    };
    Ok((name.to_owned(), folder.into()))
}
