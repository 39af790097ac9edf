//! Files that a server sends whole by `sendfile`, one request after the other: what the planner's page cache counts, by the
//! reader of simulated jobs.

use hotset_cache::{CacheError, PAGE_BYTES, StoreRead};
use hotset_scenario::Reading;

use super::open_file::{OpenFile, Usage};
use super::reader::{Pause, Read, Reader, SEND_BYTES, Supplier};
use crate::block::Request;
use crate::file_system::FileSystemKind;
use crate::page_cache::{Memory, MissingRun, PageCache, StoredFile};
use crate::read_ahead::LARGEST_REQUEST_BYTES;

/// A page cache through which whole files are sent by `sendfile`.
///
/// Nothing is copied to a program. Every 16 pages that are moved touch the folios that they are in (`filemap_splice_read`,
/// `mm/filemap.c`): one of 32 pages is touched twice in a pass.
pub struct SentFiles {
    reader: Reader,
    files: Vec<(u64, usize)>,
    readings: Vec<Reading>,
}

impl SentFiles {
    /// Empty memory of so many bytes for files of such sizes, bytes, on a file system with large folios.
    ///
    /// # Errors
    /// Files of more than 16 TiB in all.
    pub fn new(memory_bytes: u64, sizes: Vec<u64>, reading: Reading) -> Result<Self, CacheError> {
        let files = sizes.into_iter().map(|bytes| (bytes, 0)).collect();
        Self::of_stores(memory_bytes, files, vec![reading])
    }

    /// The same for files of which each has so many bytes, and is on one of several stores, which are read in ways of their own. The page cache's
    /// policy is the first one's.
    ///
    /// # Errors
    /// As [`SentFiles::new`].
    pub(crate) fn of_stores(
        memory_bytes: u64,
        files: Vec<(u64, usize)>,
        readings: Vec<Reading>,
    ) -> Result<Self, CacheError> {
        let stored = |&(bytes, store): &(u64, usize)| StoredFile {
            store,
            bytes,
            extents: None,
        };
        let stored: Vec<StoredFile<'_>> = files.iter().map(stored).collect();
        let stores = readings.iter().map(|it| (FileSystemKind::Ext4, *it));
        let stores: Vec<_> = stores.collect();
        let memory = Memory {
            parts: &[memory_bytes],
            part_of: &[],
        };
        let cache = PageCache::new(memory, &stored, SEND_BYTES, &stores)?;
        Ok(Self {
            reader: Reader::new(cache, true),
            files,
            readings,
        })
    }

    /// Opens `file`, which is below the number of sizes, and sends all of it; what its store had to read for that.
    pub fn send(&mut self, file: u32) -> StoreRead {
        let (bytes, store) = self.files[file as usize];
        let device = (&self.readings[store], LARGEST_REQUEST_BYTES);
        let mut open = OpenFile::new((file, 0), bytes, Usage::SERVER, device);
        let (mut read, mut gaps) = (Read::new(0, bytes), Gaps::default());
        while bytes > 0 && self.reader.advance(0, &mut open, &mut read, &mut gaps) != Pause::Ends {
            read.take_copied();
        }
        gaps.read
    }
}

/// What was read, and where the last of it ended.
#[derive(Default)]
struct Gaps {
    read: StoreRead,
    end: Option<u32>,
}

impl Supplier for Gaps {
    /// It is there at once.
    fn ask(&mut self, _now_ns: u64, run: &MissingRun, _like: Request) -> Option<u32> {
        self.read.pages += run.bytes / PAGE_BYTES;
        self.read.gaps += u32::from(self.end != Some(run.extents.start));
        self.end = Some(run.extents.end);
        None
    }
}
