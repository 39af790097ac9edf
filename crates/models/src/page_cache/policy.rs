//! What a policy of the page cache is asked, whoever asks it: a net's code or the fast form.

/// Which pages of a file stay in memory. Numbers are pages from the start of the file; times are the caller's.
pub trait PageCachePolicy {
    /// Whether a page is in memory.
    fn holds(&self, page: u64) -> bool;

    /// Brings a page into memory, where nobody has accessed it yet. Others leave for it if they must.
    fn fetch(&mut self, now_ns: u64, page: u64);

    /// The same in folios of 2^`order` pages, where the policy tells folios from pages.
    fn fetch_in_folios(&mut self, now_ns: u64, page: u64, _order: u8) {
        self.fetch(now_ns, page);
    }

    /// A reader copies a page; nothing where it is not in memory.
    fn touch(&mut self, now_ns: u64, page: u64);

    /// A reader accesses a page through its page table; nothing where the policy does not follow that.
    fn access_mapped(&mut self, _page: u64) {}

    /// A page leaves a reader's page table.
    fn unmap(&mut self, _page: u64) {}

    /// Has a page stay in memory until it is written, or lets it leave again; nothing where it is not in memory. Where nothing may leave,
    /// memory holds more than its capacity.
    fn set_unwritten(&mut self, page: u64, is_unwritten: bool);

    /// Drops a page.
    fn forget(&mut self, page: u64);

    /// So many pages fit from now on. What no longer does leaves at once, but for pages that have to stay. Of memory that is divided, that is
    /// the first part.
    fn resize(&mut self, now_ns: u64, pages: u64);
}
