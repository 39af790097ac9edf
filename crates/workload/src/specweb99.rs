//! The SPECweb99 file set and its mix of operations.

use rand::distr::weighted::WeightedIndex;
use rand_distr::Distribution;
use rand_pcg::Pcg64Mcg;

use crate::error::{GenerateError, require};
use crate::generator::Generator;
use crate::load::Load;
use crate::single_site::{Draw, trace, whole_file};
use hotset_trace::{Method, Objects, Trace};

/// File classes of a directory.
const CLASS_COUNT: usize = 4;
/// Files of a class.
const FILES_PER_CLASS: usize = 9;
/// Files of a directory.
const FILES: usize = CLASS_COUNT * FILES_PER_CLASS;
/// Shares of the classes in requests, percent (SPECweb99 benchmark).
const CLASS_WEIGHTS: [f64; CLASS_COUNT] = [35.0, 50.0, 14.0, 1.0];
/// Shares of the nine files of a class (SPECweb99 benchmark); they sum to 0.999.
const FILE_WEIGHTS: [f64; FILES_PER_CLASS] = [
    0.039, 0.059, 0.088, 0.177, 0.353, 0.118, 0.071, 0.050, 0.044,
];
/// Zipf exponent over directories ("A Study of the Performance of Diskless Web Servers", section 5.1).
const DIRECTORY_ALPHA: f64 = 1.0;
/// Shares of static GET, dynamic GET and POST, percent (ibidem).
const OPERATION_WEIGHTS: [f64; 3] = [70.0, 25.2, 4.8];
/// What a dynamic GET adds to the file it returns: "about 6KB" (ibidem).
const DYNAMIC_EXTRA_BYTES: u64 = 6_000;
/// Response to a POST: a small page with a cookie. The documents give no size; one packet's worth.
const POST_BYTES: u64 = 1_000;
/// What a connection receives at most: the document's rule of thumb, 400 000 bit/s (section 5.2), and the upper end of the
/// "40,000 and 50,000 bytes/second" that a conforming one receives (section 5.1).
const CONNECTION_BYTES_PER_SECOND: f64 = 400_000.0 / 8.0;

/// The SPECweb99 workload for a number of simultaneous connections.
///
/// "Regardless of whether the GET request is static or dynamic, the contents of the request are drawn from a fixed inventory
/// of files" (section 5.1 of the document above): both are accesses. What the script of a dynamic GET adds to the file
/// stands in the bytes of the answer ([`Trace::is_scripted`]). POSTs write a log and are for no file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpecWeb99 {
    /// Simultaneous connections.
    pub connections: u32,
    /// Number of operations.
    pub requests: u64,
}

/// Directories of the file set for `connections`: 25 + (400000 / 122000) * connections / 5, rounded
/// down (SPECweb99 benchmark; "A Study of the Performance of Diskless Web Servers", section 5.1, has
/// the same as 25 + (40 / 61) * connections).
pub fn directories(connections: u32) -> u32 {
    // 400000 / 122000 / 5 = 40 / 61, kept in whole numbers so that nothing is rounded twice.
    (25 + u64::from(connections) * 40 / 61) as u32
}

/// Size of file `file` (0 to 8) of class `class` (0 to 3): (file + 1) * 0.1 KiB * 10^class, rounded
/// down (SPECweb99 benchmark).
fn file_bytes(class: usize, file: usize) -> u64 {
    const TENTHS_OF_A_BYTE: u64 = 1024;
    TENTHS_OF_A_BYTE * 10u64.pow(class as u32) * (file as u64 + 1) / 10
}

fn file_set(directories: u32) -> Objects {
    let mut objects = Objects::default();
    for directory in 0..directories {
        for (class, file) in
            (0..FILES).map(|index| (index / FILES_PER_CLASS, index % FILES_PER_CLASS))
        {
            let path = format!("/file_set/dir{directory:05}/class{class}_{file}.html");
            objects.path.push(path.as_bytes());
            objects.site.push(0);
            objects.size.push(file_bytes(class, file));
        }
    }
    objects
}

/// The files of each directory: class from 0, size, and share of the accesses to the directory, which are one together.
pub fn directory_files() -> impl Iterator<Item = (usize, u64, f64)> {
    let all: f64 = file_weights().sum();
    let shares = file_weights().map(move |weight| weight / all);
    let places = (0..FILES).map(|index| (index / FILES_PER_CLASS, index % FILES_PER_CLASS));
    places
        .zip(shares)
        .map(|((class, file), share)| (class, file_bytes(class, file), share))
}

/// Weight of each file of a directory.
fn file_weights() -> impl Iterator<Item = f64> {
    CLASS_WEIGHTS
        .into_iter()
        .flat_map(|class| FILE_WEIGHTS.map(|file| class * file))
}

impl SpecWeb99 {
    /// Files of its file set.
    pub fn objects(&self) -> u64 {
        u64::from(directories(self.connections)) * FILES as u64
    }

    /// The rate at which all connections receive what they must.
    fn load(&self) -> Load {
        let weight: f64 = file_weights().sum();
        let sizes =
            (0..FILES).map(|index| file_bytes(index / FILES_PER_CLASS, index % FILES_PER_CLASS));
        let weighted: f64 = file_weights()
            .zip(sizes)
            .map(|(weight, size)| weight * size as f64)
            .sum();
        let [gets, dynamic, posts] = OPERATION_WEIGHTS;
        let of_files = (gets + dynamic) * weighted / weight;
        let added = dynamic * DYNAMIC_EXTRA_BYTES as f64 + posts * POST_BYTES as f64;
        let mean_bytes = (of_files + added) / OPERATION_WEIGHTS.iter().sum::<f64>();
        let rate = f64::from(self.connections) * CONNECTION_BYTES_PER_SECOND / mean_bytes;
        Load::new(self.requests, rate)
    }
}

impl Generator for SpecWeb99 {
    fn generate(&self, seed: u64) -> Result<Trace, GenerateError> {
        const MOST: u32 = 100_000_000;
        let sensible = (1..=MOST).contains(&self.connections);
        require(
            sensible,
            "connections",
            self.connections,
            "1 to 100 000 000",
        )?;
        let count = directories(self.connections);
        let objects = file_set(count);
        let sizes = objects.size.clone();
        let weights_are_valid = |_| GenerateError::TooMany("directories");
        let directory = rand_distr::Zipf::new(f64::from(count), DIRECTORY_ALPHA)
            .map_err(|_| GenerateError::TooMany("directories"))?;
        let file = WeightedIndex::new(file_weights()).map_err(weights_are_valid)?;
        let operation = WeightedIndex::new(OPERATION_WEIGHTS).map_err(weights_are_valid)?;
        let draw_file = move |random: &mut Pcg64Mcg| {
            let directory = directory.sample(random) as u32 - 1;
            directory * FILES as u32 + file.sample(random) as u32
        };
        trace(
            "specweb99",
            objects,
            self.load(),
            seed,
            move |random, _| match operation.sample(random) {
                0 => whole_file(draw_file(random), &sizes),
                1 => dynamic(draw_file(random), &sizes),
                _ => Draw {
                    object: None,
                    method: Method::Post,
                    bytes: POST_BYTES,
                },
            },
        )
    }
}

/// A file as a script hands it out.
fn dynamic(file: u32, sizes: &[u64]) -> Draw {
    let file = whole_file(file, sizes);
    Draw {
        bytes: file.bytes + DYNAMIC_EXTRA_BYTES,
        ..file
    }
}
