//! What is read and written of files (`fs/nfs/file.c`, `read.c`, `write.c` and `direct.c` of Linux 6.1).

use hotset_cache::PAGE_BYTES;

use super::client::{Client, OpenedFile};
use super::pages::Bytes;
use super::server::{DiskWork, FileId, Server};
use crate::read_ahead::{Lookup, ReadAheadPolicy, Window};

impl Client {
    /// Reads from where the last read or write of it ended.
    ///
    /// # Errors
    /// A file that is not open for reading.
    pub fn read(&mut self, server: &mut Server<'_>, path: &str, bytes: u64) -> Result<(), String> {
        let offset = self.opened.get(path).map_or(0, |file| file.position);
        self.read_from(server, path, offset, bytes, true)
    }

    /// Reads from an offset.
    ///
    /// # Errors
    /// A file that is not open for reading.
    pub fn read_at(
        &mut self,
        server: &mut Server<'_>,
        path: &str,
        offset: u64,
        bytes: u64,
    ) -> Result<(), String> {
        self.read_from(server, path, offset, bytes, false)
    }

    fn read_from(
        &mut self,
        server: &mut Server<'_>,
        path: &str,
        offset: u64,
        bytes: u64,
        moves: bool,
    ) -> Result<(), String> {
        let Some(mut file) = self.opened.remove(path) else {
            return Err(format!("{path} is not open; open it before"));
        };
        if file.opening.writes() {
            self.opened.insert(path.to_owned(), file);
            return Err(format!("{path} is open for writing; write `open {path} r`"));
        }
        let wanted = offset..offset.saturating_add(bytes);
        match file.opening.direct {
            true => self.read_directly(server, file.id, &wanted),
            false => self.read_cached(server, &mut file, &wanted),
        }
        if moves {
            let end = self.attributes(file.id).bytes;
            file.position = wanted.end.min(end).max(offset);
        }
        self.opened.insert(path.to_owned(), file);
        Ok(())
    }

    /// Past the page cache: what is dirty is written, then as many READs as it takes (`nfs_file_direct_read`).
    fn read_directly(&mut self, server: &mut Server<'_>, id: FileId, wanted: &Bytes) {
        self.flush(server, id);
        let end = server.report(id).bytes;
        let mut ready_ns = self.now_ns;
        for part in parts(wanted, self.mount.read_bytes) {
            let there = part.start.min(end)..part.end.min(end);
            ready_ns = ready_ns.max(self.read_part(server, id, there));
        }
        self.now_ns = ready_ns;
    }

    /// A READ of these bytes. When they are there. Answers of version 3 have attributes; after one of version 4 the time of the last
    /// access is unknown (`nfs_invalidate_atime`).
    fn read_part(&mut self, server: &mut Server<'_>, id: FileId, part: Bytes) -> u64 {
        let message = self.wire.read(part.end - part.start);
        let ready_ns = self.begin(server, message, DiskWork::Read(id, part));
        match self.mount.is_v4() {
            true => self.attributes(id).access_time_unknown = true,
            false => self.learn(server, id),
        }
        ready_ns
    }

    /// By way of the page cache (`nfs_file_read`, then `filemap_get_pages` of `mm/filemap.c`).
    fn read_cached(&mut self, server: &mut Server<'_>, file: &mut OpenedFile, wanted: &Bytes) {
        let id = file.id;
        self.revalidate_if_needed(server, id);
        self.drop_unknown(server, id);
        let end = wanted.end.min(self.attributes(id).bytes);
        if wanted.start >= end {
            return;
        }
        let pages = wanted.start / PAGE_BYTES..end.div_ceil(PAGE_BYTES);
        let wanted_end = wanted.end.div_ceil(PAGE_BYTES);
        for page in pages.clone() {
            self.read_page(server, file, page, wanted_end - page);
        }
        file.read_ahead.has_read(pages.end - 1);
    }

    fn read_page(
        &mut self,
        server: &mut Server<'_>,
        file: &mut OpenedFile,
        page: u64,
        wanted: u64,
    ) {
        let id = file.id;
        let pages = &mut self.inode(id).pages;
        let found = match (pages.known.has(page), pages.marked.take(page)) {
            (false, _) => Lookup::Missing,
            (true, true) => Lookup::Marked,
            (true, false) => Lookup::Present,
        };
        self.asked_pages += 1;
        self.found_pages += u64::from(found != Lookup::Missing);
        if found == Lookup::Missing {
            self.write_page_of(server, id, page);
        }
        let mut windows: Vec<Window> = Vec::new();
        let known = &self.inode(id).pages.known;
        let holds = |page: u64| known.has(page);
        file.read_ahead
            .choose(page, wanted, found, &holds, &mut windows);
        for window in windows {
            self.read_window(server, id, window);
        }
        let now_ns = self.now_ns;
        self.now_ns = self.inode(id).pages.there_ns(page, now_ns);
    }

    /// READs of the pages of a window that are not in memory (`nfs_readahead`): what follows each other, at most `rsize` at a time.
    fn read_window(&mut self, server: &mut Server<'_>, id: FileId, window: Window) {
        let end_bytes = self.attributes(id).bytes;
        let end = (window.start.saturating_add(window.pages)).min(end_bytes.div_ceil(PAGE_BYTES));
        let mut page = window.start;
        while page < end {
            let pages = &self.inode(id).pages;
            let is_missing = |page: u64| !pages.known.has(page) && !pages.is_dirty(page);
            let run = (page..end).take_while(|page| is_missing(*page)).count() as u64;
            if run == 0 {
                page += 1;
                continue;
            }
            let run = run.min(self.mount.read_bytes / PAGE_BYTES);
            let part = page * PAGE_BYTES..((page + run) * PAGE_BYTES).min(end_bytes);
            let ready_ns = self.read_part(server, id, part);
            let pages = &mut self.inode(id).pages;
            pages.arrive(page..page + run, ready_ns);
            if let Some(marker) = window.marker.filter(|it| (page..page + run).contains(it)) {
                pages.marked.add(marker);
            }
            page += run;
        }
    }

    /// Where a write to an open file begins at most; 0 of one that is not open.
    pub fn written_to(&mut self, path: &str) -> u64 {
        let Some((id, position)) = self.opened.get(path).map(|file| (file.id, file.position))
        else {
            return 0;
        };
        position.max(self.attributes(id).bytes)
    }

    /// Writes to where the last read or write of it ended, or behind the end of a file that is appended to.
    ///
    /// # Errors
    /// A file that is not open for writing.
    pub fn write(&mut self, server: &mut Server<'_>, path: &str, bytes: u64) -> Result<(), String> {
        let Some(mut file) = self.opened.remove(path) else {
            return Err(format!("{path} is not open; open it before"));
        };
        if !file.opening.writes() {
            self.opened.insert(path.to_owned(), file);
            return Err(format!("{path} is open for reading; write `open {path} w`"));
        }
        let id = file.id;
        self.check_size(server, &file);
        let start = match file.opening.append {
            true => self.attributes(id).bytes,
            false => file.position,
        };
        let written = start..start.saturating_add(bytes);
        match file.opening.direct {
            true => self.write_directly(server, id, &written),
            false => self.write_cached(server, &file, &written),
        }
        file.position = written.end;
        self.opened.insert(path.to_owned(), file);
        Ok(())
    }

    /// Who writes behind the end has to know where that is (`nfs_revalidate_file_size`).
    fn check_size(&mut self, server: &mut Server<'_>, file: &OpenedFile) {
        let is_behind = file.opening.append || file.position > self.attributes(file.id).bytes;
        if is_behind && !file.opening.direct && self.has_expired(file.id) {
            self.revalidate(server, file.id);
        }
    }

    /// One WRITE goes to the disk at once; more of them are committed together (`nfs_file_direct_write`).
    fn write_directly(&mut self, server: &mut Server<'_>, id: FileId, written: &Bytes) {
        self.flush(server, id);
        let writes = parts(written, self.mount.write_bytes);
        let is_stable = writes.len() == 1;
        self.send(server, id, writes, is_stable, false);
        if !is_stable {
            self.commit(server, id);
        }
        let inode = self.inode(id);
        inode.pages.drop_clean();
        inode.attributes.bytes = inode.attributes.bytes.max(written.end);
    }

    /// `nfs_file_write`.
    fn write_cached(&mut self, server: &mut Server<'_>, file: &OpenedFile, written: &Bytes) {
        let id = file.id;
        self.drop_unknown(server, id);
        let inode = self.inode(id);
        let bytes = inode.attributes.bytes;
        // More of a page than was written is sent only where it is sure what the rest holds (`nfs_folio_write_uptodate`).
        let extends = !file.opening.sync && !inode.attributes.change_unknown;
        inode.pages.write(written.clone(), bytes, extends);
        inode.attributes.bytes = bytes.max(written.end);
        self.has_dirtied(id);
        if file.opening.sync || self.mount.sync {
            self.flush(server, id);
        }
    }

    /// All that was written to it is on the server's disk then (`nfs_file_fsync`).
    ///
    /// # Errors
    /// A file that is not open.
    pub fn fsync(&mut self, server: &mut Server<'_>, path: &str) -> Result<(), String> {
        let Some(id) = self.opened.get(path).map(|file| file.id) else {
            return Err(format!("{path} is not open; open it before"));
        };
        self.flush(server, id);
        Ok(())
    }

    /// Drops what is cached of a file that others have changed (`nfs_clear_invalid_mapping`).
    fn drop_unknown(&mut self, server: &mut Server<'_>, id: FileId) {
        if !self.attributes(id).content_unknown {
            return;
        }
        self.flush(server, id);
        let inode = self.inode(id);
        inode.attributes.content_unknown = false;
        inode.pages.drop_clean();
    }

    /// Writes what is dirty and waits (`filemap_write_and_wait`). What one WRITE has goes to the disk at once (`FLUSH_COND_STABLE`,
    /// `nfs_generic_pgio` of `fs/nfs/pagelist.c`). Several are committed when all are answered (`nfs_io_completion_commit`).
    pub(super) fn flush(&mut self, server: &mut Server<'_>, id: FileId) {
        let most_bytes = self.mount.write_bytes;
        let inode = self.inode(id);
        let writes = inode.pages.take_dirty(most_bytes);
        let is_stable = writes.len() == 1 && inode.uncommitted_bytes == 0;
        self.send(server, id, writes, is_stable, true);
        self.commit(server, id);
    }

    /// Writes what is dirty, as in the background: nothing of it goes to the disk before it is committed.
    pub(super) fn flush_in_background(&mut self, server: &mut Server<'_>, id: FileId) {
        let most_bytes = self.mount.write_bytes;
        let writes = self.inode(id).pages.take_dirty(most_bytes);
        self.send(server, id, writes, false, true);
        self.commit(server, id);
    }

    /// Writes one page of which something is dirty before it is read (`nfs_wb_folio`).
    fn write_page_of(&mut self, server: &mut Server<'_>, id: FileId, page: u64) {
        let dirty = self.inode(id).pages.take_dirty_page(page);
        self.send(server, id, dirty.into_iter().collect(), false, true);
        self.commit(server, id);
    }

    /// WRITEs, all at the same time. Those of version 2 are on the server's disk when they are answered (RFC 1094, 2.2.9).
    fn send(
        &mut self,
        server: &mut Server<'_>,
        id: FileId,
        writes: Vec<Bytes>,
        is_stable: bool,
        asks_attributes: bool,
    ) {
        if writes.is_empty() {
            return;
        }
        let is_stable = is_stable || self.mount.is_v2();
        let now_ns = self.now_ns;
        if asks_attributes {
            let written = writes.iter();
            written.for_each(|bytes| self.flusher.has_written(bytes, now_ns));
        }
        let asks_attributes = asks_attributes && !self.inode(id).is_delegated;
        let before = self.attributes(id).change;
        let mut done_ns = self.now_ns;
        for bytes in writes {
            let length = bytes.end - bytes.start;
            server.write(id, &bytes);
            let work = match is_stable {
                true => DiskWork::Sync(length),
                false => DiskWork::Write(id, bytes),
            };
            let message = self.wire.write(length, asks_attributes);
            done_ns = done_ns.max(self.begin(server, message, work));
            self.inode(id).uncommitted_bytes += if is_stable { 0 } else { length };
        }
        self.now_ns = done_ns;
        match asks_attributes || !self.mount.is_v4() {
            // What changed it in the meantime is taken to be these writes (`nfs_post_op_update_inode_force_wcc`).
            true => {
                let before = Some(before);
                self.learn_after(server, id, before);
            }
            false => {
                let attributes = self.attributes(id);
                attributes.change_unknown = true;
                attributes.times_unknown = true;
            }
        }
    }

    /// What the server has goes to its disk (`nfs_commit_inode`): one COMMIT for all of it.
    fn commit(&mut self, server: &mut Server<'_>, id: FileId) {
        let bytes = std::mem::take(&mut self.inode(id).uncommitted_bytes);
        if bytes == 0 {
            return;
        }
        let message = self.wire.commit();
        self.now_ns = self.begin(server, message, DiskWork::Sync(bytes));
        if !self.mount.is_v4() {
            self.learn(server, id);
        }
    }
}

/// Bytes in parts of at most so many; one part, even of nothing.
fn parts(bytes: &Bytes, most_bytes: u64) -> Vec<Bytes> {
    let most_bytes = most_bytes.max(1);
    let count = (bytes.end - bytes.start).div_ceil(most_bytes).max(1);
    let part = |number: u64| {
        let start = bytes.start + number * most_bytes;
        start..start.saturating_add(most_bytes).min(bytes.end)
    };
    (0..count).map(part).collect()
}
