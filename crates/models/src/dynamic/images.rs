//! Files that a page has with it, such as pictures of products: asked for one after the other once the page is there.

use rand::RngExt;

use super::browser::Stage;
use super::site::Tier;
use super::state::{Run, Waiter};
use crate::storage::{Progress, Read, Usage};
use crate::tiers::request_ns;

impl Run<'_> {
    /// A browser asks for its page's next image, or has all.
    pub(super) fn next_image(&mut self, number: u32) {
        let left = self.browsers[number as usize].images_left;
        let Some(images) = self.site.images.filter(|_| left > 0) else {
            self.show(number);
            return;
        };
        let file = self.random.random_range(0..images.files.max(1));
        let stored = self.first_image + file as u32;
        let open = self.storage.open(stored, images.bytes, Usage::SERVER);
        let browser = &mut self.browsers[number as usize];
        browser.images_left -= 1;
        browser.stage = Stage::ImageAsked;
        browser.image = (images.bytes > 0).then(|| (open, Read::new(0, images.bytes)));
        self.work(Tier::Web, request_ns(&self.site.store), number);
    }

    /// Reads on of an image, through the page cache, until it is all there or something is waited for.
    pub(super) fn read_image(&mut self, number: u32) {
        let browser = &mut self.browsers[number as usize];
        if let Some((file, read)) = &mut browser.image {
            let waiter = Waiter::Page(number);
            loop {
                let events = &mut self.events;
                match self.storage.read(self.now_ns, waiter, file, read, events) {
                    Progress::Copies(ns) => browser.copying_ns += ns,
                    Progress::Ends(ns) => {
                        browser.copying_ns += ns;
                        break;
                    }
                    Progress::Waits => return,
                }
            }
            browser.has_waited |= read.missed();
            self.counts.cache.add(!read.missed(), read.bytes());
        }
        browser.image = None;
        browser.stage = Stage::ImageSent;
        let copying_ns = std::mem::take(&mut browser.copying_ns);
        self.work(Tier::Web, copying_ns, number);
    }
}
