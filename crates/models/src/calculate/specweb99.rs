//! How many connections SPECweb99 would rate a server with, by its memory and its disk: section 5 of "A Study of the Performance of
//! Diskless Web Servers" (IBM Research, 2002), which builds on T. W. Keller, K. Sankaralingam and H. P. Hofstee, "Towards an optimal file
//! allocation strategy for SPECweb99", 2001.

/// What a connection receives a second, bytes: the document's rule of thumb of 400,000 bits (section 5.2).
pub const CONNECTION_BYTES_PER_S: f64 = 50_000.0;
/// Mean bytes of an access, and what the largest class has of them, in units of 1000 bytes, as the document has them (section 5.2).
/// The benchmark's own mix gives 14.3668, and what the document says of the mean elsewhere is 14.4 (section 5.1).
pub const MEAN_KB: f64 = 14.2668;
/// See [`MEAN_KB`].
pub const LARGEST_CLASS_KB: f64 = 4.8950;
/// By what the document multiplies instead of `MEAN_KB / LARGEST_CLASS_KB`, which is 2.91: a slip.
pub const PRINTED_FACTOR: f64 = 4.9;
/// Most connections that are looked for.
const MOST_CONNECTIONS: u32 = 100_000_000;

/// A file that each directory of the file set has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectoryFile {
    /// Its class, from 0.
    pub class: usize,
    /// Its size.
    pub bytes: u64,
    /// Its share of the accesses to the directory.
    pub share: f64,
}

/// The file set. Directories are asked for by Zipf's law of exponent 1.
#[derive(Clone, Debug)]
pub struct FileSet {
    /// Files of a directory.
    pub files: Vec<DirectoryFile>,
    /// How many directories there are for so many connections.
    pub directories: fn(u32) -> u32,
}

/// A disk that files are read from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disk {
    /// Bytes of files of the largest class that it delivers in a second.
    pub bytes_per_s: f64,
    /// Bytes of one very large file, where that is known. The difference is what it takes to find a file.
    pub sequential_bytes_per_s: Option<f64>,
}

/// Connections that the disk sustains by itself, if all files were of the largest class.
#[must_use]
pub fn from_disk(bytes_per_s: f64) -> f64 {
    bytes_per_s / CONNECTION_BYTES_PER_S
}

/// Connections where the disk has the files of the largest class and memory all others: the document's way, with its own figures.
#[must_use]
pub fn simple(bytes_per_s: f64) -> f64 {
    from_disk(bytes_per_s) * MEAN_KB / LARGEST_CLASS_KB
}

/// The same as the document prints it.
#[must_use]
pub fn printed(bytes_per_s: f64) -> f64 {
    from_disk(bytes_per_s) * PRINTED_FACTOR
}

/// What a split of the files between memory and disk sustains.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// Connections.
    pub connections: u32,
    /// Directories of the file set for them.
    pub directories: u32,
    /// Bytes of its files.
    pub file_set_bytes: u64,
    /// Bytes of those that are in memory.
    pub memory_bytes: u64,
    /// Of each class, the share of the files that is in memory.
    pub in_memory: Vec<f64>,
    /// Share of the accesses that go to the disk.
    pub disk_accesses: f64,
    /// Share of the time in which the disk is busy.
    pub disk_busy: f64,
}

impl FileSet {
    /// Bytes of a directory's files of all classes up to `class`.
    #[must_use]
    pub fn directory_bytes(&self, class: usize) -> u64 {
        let files = self.files.iter().filter(|file| file.class <= class);
        files.map(|file| file.bytes).sum()
    }

    /// The largest class.
    #[must_use]
    pub fn largest_class(&self) -> usize {
        self.files.iter().map(|file| file.class).max().unwrap_or(0)
    }

    /// Mean bytes of an access.
    #[must_use]
    pub fn mean_bytes(&self) -> f64 {
        self.mean_of(|file| file.bytes as f64)
    }

    fn mean_of(&self, of: impl Fn(&DirectoryFile) -> f64) -> f64 {
        let all: f64 = self.files.iter().map(|file| file.share).sum();
        let weighted = self.files.iter().map(|file| file.share * of(file));
        weighted.sum::<f64>() / all
    }

    /// Bytes of memory for all classes but the largest, with so many connections.
    #[must_use]
    pub fn smaller_classes_bytes(&self, connections: u32) -> u64 {
        let classes = self.largest_class().saturating_sub(1);
        u64::from((self.directories)(connections)) * self.directory_bytes(classes)
    }

    /// Connections where all files are in memory.
    #[must_use]
    pub fn all_in_memory(&self, memory_bytes: u64) -> u32 {
        let directory_bytes = self.directory_bytes(self.largest_class());
        most_connections(|connections| {
            u64::from((self.directories)(connections)) * directory_bytes <= memory_bytes
        })
    }

    /// The split that sustains the most connections: a file is in memory if it keeps the disk busy long enough for each byte of it.
    #[must_use]
    pub fn best(&self, memory_bytes: u64, disk: Disk) -> Split {
        let found_s = self.finding_s(disk);
        let connections = most_connections(|connections| {
            self.split(connections, memory_bytes, found_s).disk_busy <= 1.0
        });
        self.split(connections, memory_bytes, found_s)
    }

    /// What finding a file and a byte of it take the disk, seconds.
    fn finding_s(&self, disk: Disk) -> (f64, f64) {
        let Some(sequential) = disk.sequential_bytes_per_s else {
            return (0.0, 1.0 / disk.bytes_per_s);
        };
        let largest = self.largest_class();
        let sizes = self.files.iter().filter(|file| file.class == largest);
        let sizes: Vec<f64> = sizes.map(|file| file.bytes as f64).collect();
        let mean = sizes.iter().sum::<f64>() / sizes.len().max(1) as f64;
        let finding_s = mean / disk.bytes_per_s - mean / sequential;
        (finding_s.max(0.0), 1.0 / sequential)
    }

    /// The best split for so many connections.
    ///
    /// The file of directory i that has a share of the accesses to it is asked for in proportion to share/i. So it keeps the disk busy
    /// in proportion to that times what an access takes, and what of that a byte of memory saves falls with i: of each file, those of
    /// the first directories are held, as far as they save more than some least gain. That gain is found by halving.
    fn split(&self, connections: u32, memory_bytes: u64, access_s: (f64, f64)) -> Split {
        let directories = (self.directories)(connections);
        let all = f64::from(directories);
        let access_s = |file: &DirectoryFile| access_s.0 + file.bytes as f64 * access_s.1;
        let gain = |file: &DirectoryFile| file.share * access_s(file) / file.bytes.max(1) as f64;
        let held = |file: &DirectoryFile, least: f64| (gain(file) / least).floor().min(all);
        let bytes = |least: f64| -> f64 {
            let files = self.files.iter();
            files
                .map(|file| held(file, least) * file.bytes as f64)
                .sum()
        };
        let most = self
            .files
            .iter()
            .map(gain)
            .fold(f64::MIN_POSITIVE, f64::max);
        let (mut low, mut high) = (most / (all + 1.0) / 1e9, most * 2.0);
        if bytes(low) <= memory_bytes as f64 {
            high = low;
        }
        while high / low > 1.0 + 1e-9 {
            let middle = (low * high).sqrt();
            match bytes(middle) <= memory_bytes as f64 {
                true => high = middle,
                false => low = middle,
            }
        }
        let per_s = f64::from(connections) * CONNECTION_BYTES_PER_S / self.mean_bytes();
        let all_shares: f64 = self.files.iter().map(|file| file.share).sum();
        let missing = |file: &DirectoryFile| {
            let missing = harmonic(all) - harmonic(held(file, high));
            file.share / all_shares * missing / harmonic(all)
        };
        let files = self.files.iter();
        let busy: f64 = files
            .clone()
            .map(|file| missing(file) * access_s(file))
            .sum();
        let classes = 0..=self.largest_class();
        let in_memory = classes.map(|class| {
            let files = self.files.iter().filter(|file| file.class == class);
            let held: Vec<f64> = files.map(|file| held(file, high) / all).collect();
            held.iter().sum::<f64>() / held.len().max(1) as f64
        });
        Split {
            connections,
            directories,
            file_set_bytes: u64::from(directories) * self.directory_bytes(self.largest_class()),
            memory_bytes: bytes(high) as u64,
            in_memory: in_memory.collect(),
            disk_accesses: files.map(missing).sum(),
            disk_busy: busy * per_s,
        }
    }
}

/// The most connections that are sustained: fewer are as well.
fn most_connections(sustains: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (0, MOST_CONNECTIONS);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        match sustains(middle) {
            true => low = middle,
            false => high = middle - 1,
        }
    }
    low
}

/// 1 + 1/2 + ... + 1/n: exact for small n, else by Euler's expansion.
fn harmonic(count: f64) -> f64 {
    const EULER: f64 = 0.577_215_664_901_532_9;
    if count < 64.0 {
        return (1..=count as u64).map(|it| 1.0 / it as f64).sum();
    }
    count.ln() + EULER + 1.0 / (2.0 * count) - 1.0 / (12.0 * count * count)
}
