//! The files of a cell's sites, where they lie, and the requests for them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use hotset_probe::{FileSet, spread as in_turn};
use hotset_replay::Schedule;
use hotset_workload::{GenerateError, Generator as _};

use super::cell::{Cell, Site};
use super::spread::Spread;

/// What a site's files are.
pub(super) struct SiteFiles {
    /// Sizes, rising. A file is known by its place here.
    pub sizes: Vec<u64>,
    /// The file of each object, from the most popular.
    popularity: Vec<u32>,
}

impl SiteFiles {
    /// Those of a site. All requests of an experiment are for the same files, whatever exponent they have.
    ///
    /// # Errors
    /// Parameters that allow no files.
    pub fn of(cell: &Cell, scale: u64, seed: u64) -> Result<Self, GenerateError> {
        let sizes = match cell.zipf(scale, 0)? {
            Some(zipf) => zipf.generate(seed)?.objects.size,
            None => single_sizes(&cell.site, scale),
        };
        let mut popularity: Vec<u32> = (0..sizes.len() as u32).collect();
        let mut by_size = popularity.clone();
        by_size.sort_by_key(|&object| (sizes[object as usize], object));
        for (file, &object) in by_size.iter().enumerate() {
            popularity[object as usize] = file as u32;
        }
        let sizes = by_size.iter().map(|&object| sizes[object as usize]);
        Ok(Self {
            sizes: sizes.collect(),
            popularity,
        })
    }

    /// Bytes of all of them.
    pub fn bytes(&self) -> u64 {
        self.sizes.iter().sum()
    }

    /// Bytes on each of the stores that they are spread over; each file takes `padding` more than its size.
    pub fn bytes_by_store(&self, spread: &Spread, seed: u64, padding: u64) -> Vec<u64> {
        let places = spread.places(self.sizes.len(), &self.popularity, seed);
        let mut bytes = vec![0; spread.stores.len()];
        for (store, size) in places.into_iter().zip(&self.sizes) {
            bytes[store] += size + padding;
        }
        bytes
    }
}

/// Those of one client and those of several.
fn single_sizes(site: &Site, scale: u64) -> Vec<u64> {
    match site {
        Site::Files { bytes, files, .. } => vec![(bytes / scale).max(1); 2 * *files as usize],
        Site::Class { .. } | Site::Alpha { .. } => Vec::new(),
    }
}

/// A site's files as they lie on the stores.
pub(super) struct Tree {
    /// Folder of the files of each site on a store.
    folder: String,
    sizes: Vec<u64>,
    /// Store of each file, and its number among those of its size there.
    places: Vec<(usize, usize)>,
}

impl Tree {
    /// The files of the cell's sites, laid out by `spread`.
    pub fn new(cell: &Cell, files: &SiteFiles, spread: &Spread, seed: u64) -> Self {
        let stores = spread.places(files.sizes.len(), &files.popularity, seed);
        let mut numbers: BTreeMap<(usize, u64), usize> = BTreeMap::new();
        let places = stores.into_iter().zip(&files.sizes).map(|(store, &size)| {
            let next = numbers.entry((store, size)).or_default();
            *next += 1;
            (store, *next - 1)
        });
        Self {
            folder: cell.tree(spread.by),
            places: places.collect(),
            sizes: files.sizes.clone(),
        }
    }

    /// Name of the folder of a site's files.
    pub fn folder(&self, site: u64) -> String {
        format!("site{site}-{}", self.folder)
    }

    /// The files of a site on one of the stores, below `root`.
    pub fn sets(&self, site: u64, store: usize, root: &std::path::Path) -> Vec<FileSet> {
        let folder: PathBuf = root.join(self.folder(site));
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        let own = self.places.iter().zip(&self.sizes);
        for (_, &size) in own.filter(|((on, _), _)| *on == store) {
            *counts.entry(size).or_default() += 1;
        }
        let mut sizes_of: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
        for (size, count) in counts {
            sizes_of.entry(count).or_default().push(size);
        }
        let sets = sizes_of.into_iter().flat_map(|(files, sizes)| {
            let sets = sizes
                .chunks(MOST_SIZES)
                .map(move |sizes| (files, sizes.to_vec()));
            sets.collect::<Vec<_>>()
        });
        let set = |(files, sizes)| FileSet {
            folder: folder.clone(),
            sizes,
            files,
        };
        sets.map(set).collect()
    }

    /// Request target of a file: the number of its store, then its path there.
    pub fn target(&self, (site, file): (u64, u32)) -> String {
        let (store, number) = self.places[file as usize];
        let size = self.sizes[file as usize];
        format!("/{store}/{}/{size}/{number}", self.folder(site))
    }

    /// Bytes of a file.
    pub fn size(&self, (_, file): (u64, u32)) -> u64 {
        self.sizes[file as usize]
    }

    /// These requests in order. Their times do not matter.
    pub fn schedule(&self, requests: &[(u64, u32)], sites: u64) -> Schedule {
        let rows = requests.len();
        let targets = requests
            .iter()
            .map(|&of| self.target(of).into_bytes().into());
        Schedule {
            sites: (0..sites).map(site_name).collect(),
            targets: targets.collect(),
            posts_to: None,
            site: requests.iter().map(|&(site, _)| site as u16).collect(),
            target: (0..rows as u32).collect(),
            connection: vec![0; rows],
            start_us: vec![0],
            offset_us: vec![0; rows],
            expected_bytes: requests.iter().map(|&of| self.size(of)).collect(),
        }
    }
}

/// A file set becomes an argument of a process, which may have 128 KiB.
const MOST_SIZES: usize = 4000;

/// As outcomes name a site.
pub(super) fn site_name(site: u64) -> String {
    format!("site-{site}")
}

/// Requests of a point, each for a file of a site.
pub(super) struct Requests {
    /// What warms the caches up.
    pub warm_up: Vec<(u64, u32)>,
    /// What one client asks for.
    pub paced: Vec<(u64, u32)>,
    /// What several clients ask for.
    pub throughput: Vec<(u64, u32)>,
    /// Whether the last ones are asked for over and over.
    pub repeats: bool,
}

/// Requests of the throughput phase before they are repeated: several times what any file system of the lab serves in it.
const THROUGHPUT_REQUESTS: u64 = 20_000;

impl Requests {
    /// Those of a cell. The same `seed` gives the same requests to every store; runs differ in it.
    ///
    /// # Errors
    /// Parameters that allow no requests.
    pub fn of(
        cell: &Cell,
        files: &SiteFiles,
        paced: u64,
        scale: u64,
        seed: u64,
    ) -> Result<Self, GenerateError> {
        let warm_up = cell.site.warm_up();
        let each = (warm_up + paced + THROUGHPUT_REQUESTS).div_ceil(cell.sites);
        let mut drawn = Vec::new();
        for site in 0..cell.sites {
            let Some(zipf) = cell.zipf(scale, each)? else {
                return Ok(Self::of_single_files(cell));
            };
            // Streams of the sites of a run and of other runs are far apart.
            let seed = seed.wrapping_add(site << 32);
            drawn.push(zipf.generate(seed)?.requests.object);
        }
        let request = |number: u64| {
            let site = number % cell.sites;
            let object = drawn[site as usize][(number / cell.sites) as usize];
            (site, files.popularity[object as usize])
        };
        let part = |from: u64, count: u64| (from..from + count).map(request).collect();
        Ok(Self {
            warm_up: part(0, warm_up),
            paced: part(warm_up, paced),
            throughput: part(warm_up + paced, THROUGHPUT_REQUESTS),
            repeats: true,
        })
    }

    /// Each file once; the first half is one client's, the second several clients'.
    fn of_single_files(cell: &Cell) -> Self {
        let Site::Files {
            files,
            cached_percent,
            ..
        } = cell.site
        else {
            return Self {
                warm_up: Vec::new(),
                paced: Vec::new(),
                throughput: Vec::new(),
                repeats: false,
            };
        };
        // Cached files lie evenly among the others.
        let percent = |file: u32| u64::from(file) * cached_percent / 100;
        let is_cached = |&(_, file): &(u64, u32)| percent(file + 1) > percent(file);
        let half = |first: u32| -> Vec<(u64, u32)> {
            let order = in_turn(files as usize).map(move |number| first + number as u32);
            let of_sites = order.flat_map(|file| (0..cell.sites).map(move |site| (site, file)));
            of_sites.collect()
        };
        let (paced, throughput) = (half(0), half(files));
        let warm_up = paced.iter().chain(&throughput).copied().filter(is_cached);
        Self {
            warm_up: warm_up.collect(),
            paced,
            throughput,
            repeats: cached_percent == 100,
        }
    }
}
