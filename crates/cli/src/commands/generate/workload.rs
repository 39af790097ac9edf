//! The workloads that `hotset generate` offers, and their generators.

use std::path::Path;

use anyhow::{Result, bail};
use hotset_trace::folder;
use hotset_workload::{
    AverageSize, Generator, Load, Mix, Shifting, SingleFile, SpecWeb99, Twin, Workload, Zipf,
};

use crate::option_values::size;
use crate::output::Usage;

/// How many requests arrive how fast.
#[derive(clap::Args)]
pub struct LoadArgs {
    /// Number of requests
    #[arg(long, default_value_t = 100_000)]
    requests: u64,
    /// Mean requests a second
    #[arg(long, default_value_t = 100.0)]
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
        #[arg(long, value_name = "SIZE", default_value = "64KiB", value_parser = size)]
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
        #[arg(long, value_name = "SIZE", default_value = "64KiB", value_parser = size)]
        size: u64,
        /// Number of files
        #[arg(long, default_value_t = 1000)]
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
        #[arg(long, default_value_t = 20_000)]
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
        #[arg(long, default_value_t = 100)]
        connections: u32,
        /// Number of operations
        #[arg(long, default_value_t = 100_000)]
        requests: u64,
    },
    /// A statistical twin of a published day of traffic (olympics98, nyse or proxy)
    #[command(after_help = "Examples:\n  hotset generate twin nyse --scale 0.01 -o nyse.trace")]
    Twin {
        /// The workload
        #[arg(value_name = "NAME")]
        workload: Workload,
        /// Share of the day to generate, above 0 and at most 1. Rates, requests per connection and
        /// mean sizes stay the same, all else shrinks in proportion
        #[arg(long, default_value_t = 1.0)]
        scale: f64,
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
    #[arg(long, default_value_t = 0.9)]
    alpha: f64,
    /// Number of files
    #[arg(long, default_value_t = 10_000)]
    objects: u32,
    /// Size of all files together
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = size)]
    working_set: u64,
    #[command(flatten)]
    load: LoadArgs,
}

impl ZipfArgs {
    fn generator(&self) -> Result<Zipf> {
        match self.class {
            Some(class) => Ok(Zipf::class(class, self.load.load())?),
            None => Ok(Zipf::new(
                self.alpha,
                self.objects,
                self.working_set,
                self.load.load(),
            )),
        }
    }
}

impl WorkloadArgs {
    /// Requests and files, where the arguments name them.
    pub fn counts(&self) -> Option<(u64, u64)> {
        match self {
            Self::SingleFile { load, .. } => Some((load.requests, 1)),
            Self::AverageSize { load, objects, .. } => Some((load.requests, (*objects).into())),
            Self::Zipf { zipf } | Self::Shifting { zipf, .. } if zipf.class.is_none() => {
                Some((zipf.load.requests, zipf.objects.into()))
            }
            Self::Zipf { zipf } | Self::Shifting { zipf, .. } => Some((zipf.load.requests, 0)),
            Self::Specweb99 { requests, .. } => Some((*requests, 0)),
            Self::Twin { .. } | Self::Mix { .. } => None,
        }
    }

    pub fn generator(&self) -> Result<Box<dyn Generator>> {
        Ok(match self {
            Self::SingleFile { size, load } => Box::new(SingleFile {
                size_bytes: *size,
                load: load.load(),
            }),
            Self::AverageSize {
                size,
                objects,
                load,
            } => Box::new(AverageSize {
                mean_bytes: *size,
                objects: *objects,
                load: load.load(),
            }),
            Self::Zipf { zipf } => Box::new(zipf.generator()?),
            Self::Shifting {
                zipf,
                shift_every,
                share,
            } => Box::new(Shifting {
                zipf: zipf.generator()?,
                shift_every: *shift_every,
                share: *share,
            }),
            Self::Specweb99 {
                connections,
                requests,
            } => Box::new(SpecWeb99 {
                connections: *connections,
                requests: *requests,
            }),
            Self::Twin { workload, scale } => Box::new(Twin {
                workload: *workload,
                scale: *scale,
            }),
            Self::Mix { sites } => Box::new(mix(sites)?),
        })
    }
}

fn mix(sites: &[String]) -> Result<Mix> {
    let site = |text: &String| -> Result<(String, Box<dyn Generator>)> {
        let Some((name, folder)) = text.split_once('=').filter(|(name, _)| !name.is_empty()) else {
            bail!(Usage(format!("{text}: write NAME=FOLDER")));
        };
        Ok((name.to_owned(), Box::new(folder::read(Path::new(folder))?)))
    };
    Ok(Mix {
        sites: sites.iter().map(site).collect::<Result<_>>()?,
    })
}
