//! The way of a page: the web server, a worker of the application, the database with what it reads, its log, and the answer.

use super::browser::{Browser, Stage, whole};
use super::counts::FileUse;
use super::log::BLOCK_BYTES;
use super::pool::TablePage;
use super::site::Tier;
use super::state::{Event, Job, Run, Waiter};
use crate::calendar::Calendar as _;
use crate::storage::{Progress, Read, SyncKind, WHOLE_FILE, WriteProgress};

impl Run<'_> {
    /// A browser asks for its page.
    pub(super) fn ask(&mut self, number: u32) {
        let is_first = self.site.application_of(number) == 0;
        self.counts.asked += usize::from(is_first);
        let browser = &mut self.browsers[number as usize];
        let page = &self.site.pages[browser.page];
        browser.since_ns = self.now_ns;
        browser.stage = Stage::Web;
        browser.has_waited = false;
        browser.reads_left = whole(page.reads, &mut self.random);
        browser.flushes_left = whole(page.flushes, &mut self.random);
        browser.images = whole(page.images, &mut self.random);
        browser.images_left = browser.images;
        let looks = u64::from(browser.reads_left) + 1;
        browser.segment_ns = page.work_ns[Tier::Database as usize] / looks;
        let work_ns = page.work_ns[Tier::Web as usize];
        self.work(Tier::Web, work_ns, number);
    }

    /// A tier works for a browser's page.
    pub(super) fn work(&mut self, tier: Tier, work_ns: u64, number: u32) {
        self.counts.work(tier, work_ns);
        self.serve(self.site.machine_of(tier), work_ns, Job::Page(number));
    }

    /// A tier has done its work for a browser's page.
    pub(super) fn go_on(&mut self, number: u32) {
        let browser = &mut self.browsers[number as usize];
        match browser.stage {
            Stage::Web => {
                let application = self.site.application_of(number);
                if self.workers[application].ask(self.now_ns, number) {
                    self.begin_script(number);
                }
            }
            Stage::Application => self.query(number),
            Stage::Database => match browser.wanted.take() {
                Some(page) => self.begin_to_read(number, page),
                None => self.commit(number),
            },
            Stage::ImageAsked => self.read_image(number),
            Stage::ImageSent => self.next_image(number),
        }
    }

    /// A worker of the application begins with a page.
    fn begin_script(&mut self, number: u32) {
        let browser = &mut self.browsers[number as usize];
        browser.stage = Stage::Application;
        let work_ns = self.site.pages[browser.page].work_ns[Tier::Application as usize];
        self.work(Tier::Application, work_ns, number);
    }

    /// The database looks pages up until one is not in memory that it can reach at once.
    fn query(&mut self, number: u32) {
        let application = self.site.application_of(number);
        let browser = &mut self.browsers[number as usize];
        browser.stage = Stage::Database;
        let mut work_ns = std::mem::take(&mut browser.copying_ns);
        while browser.reads_left > 0 && browser.wanted.is_none() {
            browser.reads_left -= 1;
            work_ns += browser.segment_ns;
            let Some(page) = self.pools[application].look(&mut self.random) else {
                continue;
            };
            let bytes = self.site.table_page_bytes;
            match self.site.tables[page.table].is_pinned && !self.site.is_past_cache {
                true => {
                    let file = &mut self.tables[page.table];
                    work_ns += self.storage.held_ns(file, bytes);
                    self.counts.cache.add(true, bytes);
                }
                false => browser.wanted = Some(page),
            }
        }
        if browser.wanted.is_none() {
            work_ns += browser.segment_ns;
        }
        self.work(Tier::Database, work_ns, number);
    }

    fn begin_to_read(&mut self, number: u32, page: TablePage) {
        let bytes = self.site.table_page_bytes;
        let read = Read::new(page.page * bytes, bytes);
        self.counts.note(FileUse::Read {
            table: page.table,
            offset: page.page * bytes,
        });
        if self.site.is_past_cache {
            let (file, waiter) = (&self.tables[page.table], Waiter::Page(number));
            let (storage, events) = (&mut self.storage, &mut self.events);
            storage.read_past(self.now_ns, waiter, file, &read, events);
        }
        self.browsers[number as usize].reading = Some((page.table, read));
        if !self.site.is_past_cache {
            self.read(number);
        }
    }

    /// Reads on through the page cache.
    fn read(&mut self, number: u32) {
        let browser = &mut self.browsers[number as usize];
        let Some((table, mut read)) = browser.reading else {
            return;
        };
        loop {
            let (file, waiter) = (&mut self.tables[table], Waiter::Page(number));
            let (storage, events) = (&mut self.storage, &mut self.events);
            match storage.read(self.now_ns, waiter, file, &mut read, events) {
                Progress::Copies(ns) => browser.copying_ns += ns,
                Progress::Ends(ns) => {
                    browser.copying_ns += ns;
                    break;
                }
                Progress::Waits => {
                    browser.reading = Some((table, read));
                    return;
                }
            }
        }
        browser.reading = None;
        browser.has_waited |= read.missed();
        self.counts.cache.add(!read.missed(), read.bytes());
        self.query(number);
    }

    /// Somebody whom the storage had wait goes on.
    pub(super) fn wake(&mut self, waiter: Waiter) {
        let is_image = |browser: &Browser| browser.stage == Stage::ImageAsked;
        match waiter {
            Waiter::Page(number) if is_image(&self.browsers[number as usize]) => {
                self.read_image(number);
            }
            Waiter::Page(number) if self.site.is_past_cache => {
                let browser = &mut self.browsers[number as usize];
                (browser.reading, browser.has_waited) = (None, true);
                self.query(number);
            }
            Waiter::Page(number) => self.read(number),
            Waiter::Request(number) => self.send(number),
            Waiter::Log(application) if self.logs[application].write.is_some() => {
                self.write_log(application);
            }
            Waiter::Log(application) => self.log_ends(application),
        }
    }

    /// The database has all that a page needs: the page waits for the log, or is answered.
    fn commit(&mut self, number: u32) {
        self.wait_for_log(number);
        self.begin_log(self.site.application_of(number));
    }

    fn wait_for_log(&mut self, number: u32) {
        let application = self.site.application_of(number);
        let browser = &mut self.browsers[number as usize];
        match browser.flushes_left {
            0 => self.answer(number),
            _ => {
                browser.flushes_left -= 1;
                self.logs[application].wait(number);
            }
        }
    }

    fn begin_log(&mut self, application: usize) {
        if self.logs[application].begin() {
            self.counts.note(FileUse::LogWrite { bytes: BLOCK_BYTES });
            self.write_log(application);
        }
    }

    /// Writes the log's block into the page cache, then has it synced.
    pub(super) fn write_log(&mut self, application: usize) {
        let Some(mut write) = self.logs[application].write else {
            return;
        };
        loop {
            let (log, storage) = (&mut self.logs[application], &mut self.storage);
            let (waiter, events) = (Waiter::Log(application), &mut self.events);
            match storage.write(self.now_ns, waiter, &mut log.file, &mut write, events) {
                WriteProgress::Copies(_) => {}
                WriteProgress::Ends(_) => break,
                WriteProgress::Pauses(until_ns) => {
                    log.write = Some(write);
                    self.events.at(until_ns, Event::LogGoesOn(application));
                    return;
                }
                WriteProgress::Waits | WriteProgress::WaitsForJournal => {
                    log.write = Some(write);
                    return;
                }
            }
        }
        self.logs[application].write = None;
        let part = (&WHOLE_FILE, SyncKind::Data);
        let (log, waiter) = (&self.logs[application], Waiter::Log(application));
        let events = &mut self.events;
        let waits = self
            .storage
            .sync_part(self.now_ns, waiter, &log.file, part, events);
        if !waits {
            self.log_ends(application);
        }
    }

    /// The log is on the disk as far as it was written.
    fn log_ends(&mut self, application: usize) {
        for number in self.logs[application].end() {
            self.browsers[number as usize].has_waited = true;
            self.wait_for_log(number);
        }
        self.begin_log(application);
    }

    /// A page is answered; its browser asks for its images, and its worker begins with another page.
    fn answer(&mut self, number: u32) {
        self.next_image(number);
        let application = self.site.application_of(number);
        if let Some(next) = self.workers[application].release(self.now_ns) {
            self.begin_script(next);
        }
    }

    /// A page is there with all its images; its browser thinks.
    pub(super) fn show(&mut self, number: u32) {
        let now_ns = self.now_ns;
        let browser = &mut self.browsers[number as usize];
        let image_bytes = self.site.images.map_or(0, |it| it.bytes);
        let bytes = self.site.pages[browser.page].bytes + u64::from(browser.images) * image_bytes;
        let ns = now_ns - browser.since_ns;
        self.counts
            .answer(browser.page, !browser.has_waited, bytes, ns);
        let visit = self.visits.next(number, now_ns);
        browser.page = visit.page;
        let asks_ns = now_ns.saturating_add(visit.think_ns);
        self.events.at(asks_ns, Event::Asks(number));
    }
}
