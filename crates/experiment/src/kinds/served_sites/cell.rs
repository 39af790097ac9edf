//! What is served at a point: sites of a workload, and how many of them.

use std::collections::BTreeSet;

use hotset_probe::size_name;
use hotset_workload::{CLASS_ALPHA, CLASS_SIZE_CORRELATION, GenerateError, Load, Zipf};
use serde::{Deserialize, Serialize};

use super::section::Section;
use super::spread::Rule;
use crate::kinds::pollution::workload::{self, is_shuffled};

/// Sites that are served at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Cell {
    /// What each of them has.
    pub site: Site,
    /// How many there are, all alike.
    pub sites: u64,
    /// Rank correlation of size and popularity, -1 to 1; left out where sizes are shuffled.
    #[serde(default, skip_serializing_if = "is_shuffled")]
    pub size_correlation: f64,
}

/// The files of a site, and which of them are asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Site {
    /// One of the documents' workload classes.
    Class {
        /// Its number.
        class: usize,
        /// Requests that warm the caches up.
        warm_up: u64,
    },
    /// Zipf-like popularity over a working set.
    Alpha {
        /// Exponent of popularity.
        alpha: f64,
        /// All files together, bytes.
        working_set_bytes: u64,
        /// Number of files.
        files: u32,
        /// Requests that warm the caches up.
        warm_up: u64,
    },
    /// Files of one size, each asked for once.
    Files {
        /// Size of each, bytes.
        bytes: u64,
        /// Files of each phase.
        files: u32,
        /// Share of them that is cached before, percent.
        cached_percent: u64,
    },
}

/// Only the order of requests counts.
const RATE_PER_SECOND: f64 = 100.0;

impl Cell {
    /// Refuses cells that are there twice, by their names: a size or a correlation can be written in several ways.
    pub fn check_names(section: &Section) -> Result<(), String> {
        let mut names = BTreeSet::new();
        let mut cells = Self::all(section).into_iter().map(|cell| cell.name());
        match cells.find(|name| !names.insert(name.clone())) {
            None => Ok(()),
            Some(twice) => Err(format!(
                "has cell `{twice}` twice, whose runs would count twice; name each value once"
            )),
        }
    }

    /// All cells of a section, in the order in which they are measured.
    pub fn all(section: &Section) -> Vec<Self> {
        let classes = section.classes.iter().flat_map(|classes| {
            let site = |&class: &usize| Site::Class {
                class,
                warm_up: classes.warm_up[class],
            };
            classes.of.iter().map(site)
        });
        let alphas = section.alphas.iter().flat_map(|alphas| {
            let site = |&alpha: &f64| Site::Alpha {
                alpha,
                working_set_bytes: alphas.working_set,
                files: alphas.files,
                warm_up: alphas.warm_up,
            };
            alphas.of.iter().map(site)
        });
        let files = section.files.iter().flat_map(|files| {
            let of_size = move |&bytes: &u64| {
                let site = move |&cached_percent: &u64| Site::Files {
                    bytes,
                    files: files.files,
                    cached_percent,
                };
                files.cached.iter().map(site)
            };
            files.of.iter().flat_map(of_size)
        });
        let popular: Vec<Site> = classes.chain(alphas).collect();
        let correlated = section.size_correlations.iter().flat_map(|&correlation| {
            let site = move |site: &Site| (site.clone(), correlation);
            popular.iter().map(site)
        });
        // Files of one size are all alike.
        let served: Vec<(Site, f64)> = correlated.chain(files.map(|site| (site, 0.0))).collect();
        let times = |&sites: &u64| {
            let cell = move |(site, size_correlation): &(Site, f64)| Self {
                site: site.clone(),
                sites,
                size_correlation: *size_correlation,
            };
            served.iter().map(cell)
        };
        section.sites.iter().flat_map(times).collect()
    }

    /// As results and options write it: `class-3`, `2-sites-class-3`, `class-3-shuffled`.
    pub fn name(&self) -> String {
        let site = match &self.site {
            Site::Class { class, .. } => format!("class-{class}"),
            Site::Alpha { alpha, .. } => format!("alpha-{alpha}"),
            Site::Files {
                bytes,
                cached_percent,
                ..
            } => format!("{}-cached-{cached_percent}", size_name(*bytes)),
        };
        let of_sizes = match self.size_correlation {
            _ if matches!(self.site, Site::Files { .. }) => String::new(),
            CLASS_SIZE_CORRELATION => String::new(),
            0.0 => "-shuffled".to_owned(),
            correlation => format!("-r{correlation}"),
        };
        match self.sites {
            1 => format!("{site}{of_sizes}"),
            sites => format!("{sites}-sites-{site}{of_sizes}"),
        }
    }

    /// Name of its files: those of all exponents are the same, and of all correlations where popularity does not place them.
    pub fn tree(&self, by: Rule) -> String {
        let files = match &self.site {
            Site::Class { class, .. } => format!("class-{class}"),
            Site::Alpha { .. } => "alphas".to_owned(),
            Site::Files { bytes, .. } => format!("files-{bytes}"),
        };
        match by {
            Rule::Popularity => format!("{files}-r{}", self.size_correlation),
            Rule::Single | Rule::Random | Rule::Size => files,
        }
    }

    /// The generator of so many requests of a site, with file sizes divided by `scale`; nothing of files of one size.
    pub fn zipf(&self, scale: u64, requests: u64) -> Result<Option<Zipf>, GenerateError> {
        let size_correlation = self.size_correlation;
        match self.site {
            Site::Class { class, .. } => {
                workload::site(class, CLASS_ALPHA, size_correlation, scale, requests).map(Some)
            }
            Site::Alpha {
                alpha,
                working_set_bytes,
                files,
                ..
            } => {
                let load = Load::new(requests, RATE_PER_SECOND);
                Ok(Some(Zipf {
                    size_correlation,
                    ..Zipf::new(alpha, files, working_set_bytes / scale, load)
                }))
            }
            Site::Files { .. } => Ok(None),
        }
    }
}

impl Site {
    /// Requests that warm the caches up.
    pub fn warm_up(&self) -> u64 {
        match self {
            Self::Class { warm_up, .. } | Self::Alpha { warm_up, .. } => *warm_up,
            Self::Files { .. } => 0,
        }
    }
}
