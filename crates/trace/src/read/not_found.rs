//! The paths that were answered 404 most often, counted in bounded memory.

use super::url::{Url, decoded, with_host};
use crate::objects::display_text;
use foldhash::fast::RandomState;
use hashbrown::HashMap;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Paths counted at a time: with [`LONGEST_PATH`] bytes each they take 17 MiB, with the usual hundred 3 MiB.
const MOST_PATHS: usize = 16_384;

/// Bytes of a path that are told apart from others.
const LONGEST_PATH: usize = 1024;

/// Paths of all sites that are handed on.
const HANDED_ON: usize = 1_000;

/// Paths of each site that are handed on though those of other sites are more frequent.
const HANDED_ON_OF_A_SITE: usize = 20;

/// Requests answered 404, each with its site's id and its path.
pub type NotFoundCount = (u16, Box<[u8]>, u64);

/// Paths that were answered 404, the most frequent first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct NotFound {
    /// Counts may be too low by as many requests; 0 where they are exact.
    pub count_error: u64,
    /// By falling requests.
    pub paths: Vec<NotFoundPath>,
}

impl NotFound {
    /// Paths of all sites that are counted exactly; with more, counts become too low.
    pub const MOST_PATHS: usize = MOST_PATHS;

    /// The most frequent of paths that were counted exactly, each given once; at most [`Self::MOST_PATHS`].
    pub fn of_counts<'a>(
        counts: impl IntoIterator<Item = NotFoundCount>,
        site_name: impl Fn(u16) -> &'a str,
    ) -> NotFound {
        let mut counted = NotFoundCounts::default();
        for (site, path, requests) in counts {
            counted.of_site(site).insert(path, requests);
        }
        counted.most_frequent(site_name)
    }
}

/// A path that was answered 404.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct NotFoundPath {
    /// Name of its site.
    pub site: String,
    /// Path without the query, as text; cut after 1024 bytes.
    pub path: String,
    /// Requests for it that were answered 404.
    pub requests: u64,
}

/// Counts of paths by site.
///
/// Misra and Gries, "Finding repeated elements" (1982): with more distinct paths than counters, all counters are lowered and
/// those at zero given up. They are lowered by their median, as Anderson et al., "A High-Performance Algorithm for Identifying
/// Frequent Items in Data Streams" (2017), do: half of them are free again, and a request costs constant time on average. Each
/// lowering by m takes m from at least half of the counters, so a count is too low by at most 2/[`MOST_PATHS`] of all requests
/// counted.
#[derive(Default)]
pub(super) struct NotFoundCounts {
    sites: Vec<HashMap<Box<[u8]>, u64, RandomState>>,
    paths: usize,
    lowered_by: u64,
}

impl NotFoundCounts {
    /// Counts a request for `url` of a site; `host` as in [`with_host`].
    #[cold]
    pub(super) fn add(&mut self, site: u16, host: &[u8], url: &Url<'_>) {
        let path = decoded(url.path);
        let path = with_host(host, &path);
        let path = &path[..path.len().min(LONGEST_PATH)];
        if let Some(count) = self.of_site(site).get_mut(path) {
            *count += 1;
            return;
        }
        if self.paths == MOST_PATHS {
            self.lower();
        }
        self.of_site(site).insert(path.into(), 1);
        self.paths += 1;
    }

    fn of_site(&mut self, site: u16) -> &mut HashMap<Box<[u8]>, u64, RandomState> {
        let site = usize::from(site);
        if self.sites.len() <= site {
            self.sites.resize_with(site + 1, HashMap::default);
        }
        &mut self.sites[site]
    }

    /// All counts, in no order; none where they are not exact.
    pub(super) fn counts(&self) -> Option<Vec<NotFoundCount>> {
        let sites = self.sites.iter().zip(0..);
        let counts = sites
            .flat_map(|(paths, site)| paths.iter().map(move |(path, &n)| (site, path.clone(), n)));
        (self.lowered_by == 0).then(|| counts.collect())
    }

    #[cold]
    fn lower(&mut self) {
        let counts = self.sites.iter().flat_map(HashMap::values);
        let mut counts: Vec<u64> = counts.copied().collect();
        let middle = counts.len() / 2;
        let (_, &mut median, _) = counts.select_nth_unstable(middle);
        for paths in &mut self.sites {
            paths.retain(|_, count| {
                *count = count.saturating_sub(median);
                *count > 0
            });
        }
        self.paths = self.sites.iter().map(HashMap::len).sum();
        self.lowered_by += median;
    }

    /// The most frequent paths.
    pub(super) fn most_frequent<'a>(&self, site_name: impl Fn(u16) -> &'a str) -> NotFound {
        let sites = self.sites.iter().enumerate();
        let mut paths: Vec<(u64, usize, &[u8])> = sites
            .flat_map(|(site, paths)| paths.iter().map(move |(path, n)| (*n, site, &**path)))
            .collect();
        paths.sort_unstable_by_key(|&(requests, site, path)| (Reverse(requests), site, path));
        let mut of_site = vec![0; self.sites.len()];
        let handed_on = paths
            .into_iter()
            .enumerate()
            .filter(|&(rank, (_, site, _))| {
                of_site[site] += 1;
                rank < HANDED_ON || of_site[site] <= HANDED_ON_OF_A_SITE
            });
        let in_words = |(_, (requests, site, path)): (usize, (u64, usize, &[u8]))| NotFoundPath {
            site: site_name(site as u16).to_owned(),
            path: display_text(path),
            requests,
        };
        NotFound {
            count_error: self.lowered_by,
            paths: handed_on.map(in_words).collect(),
        }
    }
}
