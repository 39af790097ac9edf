//! The kernel's classic lists (`mm/swap.c`, `mm/vmscan.c`, `mm/workingset.c` of Linux 6.18): those of the planner's
//! [`LinuxPageCache`], which follows them.

use hotset_cache::LinuxPageCache;

use super::policy::PageCachePolicy;

/// Each page is an object.
impl PageCachePolicy for LinuxPageCache {
    fn holds(&self, page: u64) -> bool {
        LinuxPageCache::holds(self, page as u32)
    }

    fn fetch(&mut self, _now_ns: u64, page: u64) {
        LinuxPageCache::fetch(self, page as u32);
    }

    fn fetch_in_folios(&mut self, _now_ns: u64, page: u64, order: u8) {
        LinuxPageCache::fetch_in_folios(self, page as u32, order);
    }

    fn touch(&mut self, _now_ns: u64, page: u64) {
        LinuxPageCache::touch(self, page as u32);
    }

    fn access_mapped(&mut self, page: u64) {
        LinuxPageCache::access_mapped(self, page as u32);
    }

    fn unmap(&mut self, page: u64) {
        LinuxPageCache::unmap(self, page as u32);
    }

    fn set_unwritten(&mut self, page: u64, is_unwritten: bool) {
        LinuxPageCache::set_unwritten(self, page as u32, is_unwritten);
    }

    fn forget(&mut self, page: u64) {
        LinuxPageCache::forget(self, page as u32);
    }

    fn resize(&mut self, _now_ns: u64, pages: u64) {
        LinuxPageCache::resize(self, pages);
    }
}
