//! Files that a server sends whole by `sendfile`, one request after the other: what the planner's page cache counts, by the read
//! path of simulated jobs.

use hotset_cache::{CacheError, PAGE_BYTES, StoreRead};
use hotset_scenario::Reading;

use crate::file_system::FileSystemKind;
use crate::page_cache::{Missing, PageCache, StoredFile};
use crate::read_ahead::{Advice, LARGEST_REQUEST_BYTES, Window, read_ahead};

/// Bytes that `sendfile` moves at a time: a pipe holds 16 pages (`PIPE_DEF_BUFFERS`, `include/linux/pipe_fs_i.h`).
pub(crate) const SEND_BYTES: u64 = 16 * PAGE_BYTES;

/// A page cache through which whole files are sent by `sendfile`.
///
/// Nothing is copied to a program. Every 16 pages that are moved touch the folios that they are in (`filemap_splice_read`,
/// `mm/filemap.c`): one of 32 pages is touched twice in a pass.
pub struct SentFiles {
    cache: PageCache,
    sizes: Vec<u64>,
    reading: Reading,
    /// Kept empty between requests.
    windows: Vec<Window>,
    runs: Vec<Missing>,
}

impl SentFiles {
    /// Empty memory of so many bytes for files of such sizes, bytes, on a file system with large folios.
    ///
    /// # Errors
    /// Files of more than 16 TiB in all.
    pub fn new(memory_bytes: u64, sizes: Vec<u64>, reading: Reading) -> Result<Self, CacheError> {
        let ext4 = FileSystemKind::Ext4;
        let stored = |&bytes: &u64| StoredFile {
            bytes,
            extents: None,
        };
        let files: Vec<StoredFile<'_>> = sizes.iter().map(stored).collect();
        Ok(Self {
            cache: PageCache::new(memory_bytes, &files, SEND_BYTES, ext4, &reading)?,
            sizes,
            reading,
            windows: Vec::new(),
            runs: Vec::new(),
        })
    }

    /// Opens `file`, which is below the number of sizes, and sends all of it; what its store had to read for that.
    pub fn send(&mut self, file: u32) -> StoreRead {
        let bytes = self.sizes[file as usize];
        let pages = bytes.div_ceil(PAGE_BYTES);
        let mut ahead = read_ahead(&self.reading, LARGEST_REQUEST_BYTES, Advice::Normal, bytes);
        let mut gaps = Gaps::default();
        for offset in (0..bytes).step_by(SEND_BYTES as usize) {
            let page = offset / PAGE_BYTES;
            let wanted = (pages - page).min(SEND_BYTES / PAGE_BYTES);
            let found = self.cache.find(file, offset);
            let (cache, windows) = (&mut self.cache, &mut self.windows);
            cache.windows(file, page, wanted, found, &mut *ahead, windows);
            for window in windows.drain(..) {
                cache.add(0, file, window, ahead.folio_order(), &mut self.runs);
            }
            self.runs.drain(..).for_each(|run| gaps.add(&run));
            cache.copy(0, file, offset);
            ahead.has_read(page + wanted - 1);
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

impl Gaps {
    fn add(&mut self, run: &Missing) {
        self.read.pages += run.bytes / PAGE_BYTES;
        self.read.gaps += u32::from(self.end != Some(run.extents.start));
        self.end = Some(run.extents.end);
    }
}
