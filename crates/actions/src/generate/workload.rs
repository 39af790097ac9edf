//! The workloads that can be made up, and their generators.

use std::path::{Path, PathBuf};

use hotset_trace::folder;
use hotset_trace::read::CountingRule;
use hotset_workload::{
    AverageSize, Generator, Load, Mix, Shifting, SingleFile, SpecWeb99, Twin, WorldCup,
    Zipf as OfExponent,
};

use crate::error::{refuse, usage};
use crate::input::summary_of_folder;
use crate::{Field, JobError};

/// Requests, where it is not said how many.
pub const REQUESTS: u64 = 100_000;
/// Requests a second, where it is not said.
pub const RATE: f64 = 100.0;
/// Size of a file, where it is not said.
pub const SIZE: &str = "64KiB";
/// Files of one average size, where it is not said how many.
pub const AVERAGE_SIZE_OBJECTS: u32 = 1000;
/// Exponent of popularity, where it is not said.
pub const ALPHA: f64 = 0.9;
/// Files of Zipf-like popularity, where it is not said how many.
pub const OBJECTS: u32 = 10_000;
/// Size of these files together, where it is not said.
pub const WORKING_SET: &str = "256MiB";
/// Requests between changes of popularity, where it is not said.
pub const SHIFT_EVERY: u64 = 20_000;
/// Connections of SPECweb99, where it is not said how many.
pub const CONNECTIONS: u32 = 100;

/// A workload and its parameters.
#[derive(Clone, Debug)]
pub enum Workload {
    /// One file, again and again.
    SingleFile(SingleFile),
    /// Files of one average size, all equally popular.
    AverageSize(AverageSize),
    /// Zipf-like popularity.
    Zipf(Zipf),
    /// Zipf-like popularity in which the popular files change.
    Shifting {
        /// Of the files.
        zipf: Zipf,
        /// Requests between changes.
        shift_every: u64,
        /// Share of the files that change places, 0 to 1.
        share: f64,
    },
    /// SPECweb99's file set and operations.
    Specweb99(SpecWeb99),
    /// A statistical twin of a published day of traffic.
    Twin(Twin),
    /// A day of the 1998 World Cup's web site.
    WorldCup(WorldCup),
    /// Trace folders as sites with simultaneous traffic, each by the site's name.
    Mix(Vec<(String, PathBuf)>),
}

/// Zipf-like popularity: a class of the 2004 study, or any exponent and working set.
#[derive(Clone, Debug)]
pub struct Zipf {
    /// Class 0 to 4, which says all but the load.
    pub class: Option<usize>,
    /// Exponent.
    pub alpha: f64,
    /// Number of files.
    pub objects: u32,
    /// Size of all files together, bytes.
    pub working_set_bytes: u64,
    /// Rank correlation of size and popularity, -1 to 1; the class' own, or 0 without a class, where it is not said.
    pub size_correlation: Option<f64>,
    /// How many requests arrive how fast.
    pub load: Load,
}

impl Zipf {
    fn generator(&self) -> Result<OfExponent, JobError> {
        let load = self.load;
        let usual = match self.class {
            Some(class) => {
                OfExponent::class(class, load).map_err(|error| usage(error.to_string()))?
            }
            None => OfExponent::new(self.alpha, self.objects, self.working_set_bytes, load),
        };
        Ok(OfExponent {
            size_correlation: self.size_correlation.unwrap_or(usual.size_correlation),
            ..usual
        })
    }

    fn counts(&self) -> (u64, u64) {
        let objects = match self.class {
            Some(_) => 0,
            None => self.objects.into(),
        };
        (self.load.requests, objects)
    }
}

impl Workload {
    /// Requests and files, as far as they are known beforehand.
    pub fn counts(&self) -> Option<(u64, u64)> {
        match self {
            Self::SingleFile(it) => Some((it.load.requests, 1)),
            Self::AverageSize(it) => Some((it.load.requests, it.objects.into())),
            Self::Zipf(zipf) | Self::Shifting { zipf, .. } => Some(zipf.counts()),
            Self::Specweb99(it) => Some((it.requests, it.objects())),
            Self::WorldCup(it) => Some((it.requests(), it.objects())),
            Self::Twin(_) | Self::Mix(_) => None,
        }
    }

    /// What makes it.
    ///
    /// # Errors
    /// A class that is not known, or a trace folder that cannot be read or mixed.
    pub fn generator(&self) -> Result<Box<dyn Generator>, JobError> {
        Ok(match self {
            Self::SingleFile(it) => Box::new(*it),
            Self::AverageSize(it) => Box::new(*it),
            Self::Zipf(zipf) => Box::new(zipf.generator()?),
            Self::Shifting {
                zipf,
                shift_every,
                share,
            } => Box::new(Shifting {
                zipf: zipf.generator()?,
                shift_every: *shift_every,
                share: *share,
            }),
            Self::Specweb99(it) => Box::new(*it),
            Self::Twin(it) => Box::new(*it),
            Self::WorldCup(it) => Box::new(*it),
            Self::Mix(sites) => {
                let site = |(name, folder): &(String, PathBuf)| {
                    let generator = site_of_mix(folder)?;
                    Ok((name.clone(), generator))
                };
                let sites: Result<_, JobError> = sites.iter().map(site).collect();
                Box::new(Mix { sites: sites? })
            }
        })
    }
}

/// The requests of a trace folder, as a site of a mix.
///
/// # Errors
/// A folder that cannot be read, or whose requests another rule than the default one has counted: the mix could not say so.
fn site_of_mix(folder: &Path) -> Result<Box<dyn Generator>, JobError> {
    if summary_of_folder(folder)?.counting_rule != CountingRule::Default {
        refuse!(
            "{}: was imported by {} c1, by which other requests count than in a mix; import its log without that",
            folder.display(),
            Field::Rule
        );
    }
    Ok(Box::new(folder::read(folder)?))
}
