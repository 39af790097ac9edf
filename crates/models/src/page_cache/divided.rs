//! Memory that is divided: each part has a policy of its own, as each memory group of Linux reclaims its own pages.

use super::policy::PageCachePolicy;

/// Memory that is divided.
pub(super) struct Divided {
    parts: Vec<Box<dyn PageCachePolicy>>,
    /// The part of each page, and the page's number there.
    places: Vec<(u32, u32)>,
}

impl Divided {
    /// So many pages for each part, and of each object which part it is of and how many pages it has. `policy` makes a part for its
    /// pages and its objects.
    ///
    /// # Errors
    /// Those of `policy`.
    pub fn new<E>(
        memory: &[u64],
        objects: impl Iterator<Item = (u32, u64)>,
        policy: impl Fn(u64, &[u64]) -> Result<Box<dyn PageCachePolicy>, E>,
    ) -> Result<Self, E> {
        let mut of_part = vec![Vec::new(); memory.len()];
        let place = |(part, pages): (u32, u64)| {
            let own = &mut of_part[part as usize];
            own.push(pages);
            (part, own.len() as u32 - 1)
        };
        let places = objects.map(place).collect();
        let parts = memory.iter().zip(&of_part);
        Ok(Self {
            parts: parts
                .map(|(memory, objects)| policy(*memory, objects))
                .collect::<Result<_, E>>()?,
            places,
        })
    }

    fn place(&self, page: u64) -> (usize, u64) {
        let (part, number) = self.places[page as usize];
        (part as usize, u64::from(number))
    }
}

impl PageCachePolicy for Divided {
    fn holds(&self, page: u64) -> bool {
        let (part, page) = self.place(page);
        self.parts[part].holds(page)
    }

    fn fetch(&mut self, now_ns: u64, page: u64) {
        let (part, page) = self.place(page);
        self.parts[part].fetch(now_ns, page);
    }

    fn fetch_in_folios(&mut self, now_ns: u64, page: u64, order: u8) {
        let (part, page) = self.place(page);
        self.parts[part].fetch_in_folios(now_ns, page, order);
    }

    fn touch(&mut self, now_ns: u64, page: u64) {
        let (part, page) = self.place(page);
        self.parts[part].touch(now_ns, page);
    }

    fn access_mapped(&mut self, page: u64) {
        let (part, page) = self.place(page);
        self.parts[part].access_mapped(page);
    }

    fn unmap(&mut self, page: u64) {
        let (part, page) = self.place(page);
        self.parts[part].unmap(page);
    }

    fn set_unwritten(&mut self, page: u64, is_unwritten: bool) {
        let (part, page) = self.place(page);
        self.parts[part].set_unwritten(page, is_unwritten);
    }

    fn forget(&mut self, page: u64) {
        let (part, page) = self.place(page);
        self.parts[part].forget(page);
    }

    fn resize(&mut self, now_ns: u64, pages: u64) {
        if let Some(first) = self.parts.first_mut() {
            first.resize(now_ns, pages);
        }
    }
}
