//! The inactive and the active list, and what is remembered of evicted blocks.

use super::blocks::Blocks;
use super::read_ahead::LARGE_ORDER;
use crate::policy::column_bytes;

const NIL: u32 = u32::MAX;

const INACTIVE: usize = 0;
const ACTIVE: usize = 1;

/// Where a block is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Never read.
    Unknown,
    /// Evicted; its age is remembered.
    Evicted,
    Inactive,
    Active,
}

#[derive(Clone, Copy)]
struct Block {
    /// The next older block of its list; when evicted, the lists' age at that time.
    older: u32,
    younger: u32,
    pages: u8,
    place: Place,
    /// Touched since it was read or activated (`PG_referenced`).
    referenced: bool,
    /// Order of its folios. One of 32 pages, of which a block is half, is touched twice in a pass of `sendfile`.
    order: u8,
}

/// What was taken off a list at once.
pub(super) struct Folio {
    pub pages: u64,
    /// Pages of a folio; there can be several.
    pub folio_pages: u64,
}

#[derive(Clone, Copy)]
struct List {
    oldest: u32,
    youngest: u32,
    pages: u64,
}

/// Both lists, in order of arrival.
#[derive(Clone)]
pub(super) struct Lists {
    blocks: Vec<Block>,
    /// Objects of which every block is active and marked: until one of them is deactivated, a pass over them changes
    /// nothing. Most hits are such passes.
    settled: Vec<bool>,
    lists: [List; 2],
    /// Pages evicted and activated so far (`nonresident_age`).
    age: u32,
    /// Pages that returned soon enough to become active at once (`WORKINGSET_ACTIVATE_FILE`).
    refault_activations: u64,
}

impl Lists {
    /// Empty lists for the blocks of so many objects.
    pub fn new(blocks: usize, objects: usize) -> Self {
        let unknown = Block {
            older: NIL,
            younger: NIL,
            pages: 0,
            place: Place::Unknown,
            referenced: false,
            order: 0,
        };
        let empty = List {
            oldest: NIL,
            youngest: NIL,
            pages: 0,
        };
        Self {
            blocks: vec![unknown; blocks],
            settled: vec![false; objects],
            lists: [empty; 2],
            age: 0,
            refault_activations: 0,
        }
    }

    /// Whether a pass over `object` changes nothing.
    #[inline]
    pub fn is_settled(&self, object: u32) -> bool {
        self.settled[object as usize]
    }

    /// Notes that every block of `object` is active and marked.
    pub fn settle(&mut self, object: u32) {
        self.settled[object as usize] = true;
    }

    #[inline]
    pub fn is_resident(&self, block: u32) -> bool {
        matches!(
            self.blocks[block as usize].place,
            Place::Inactive | Place::Active
        )
    }

    pub fn pages(&self) -> [u64; 2] {
        self.lists.map(|list| list.pages)
    }

    pub fn resident_pages(&self) -> u64 {
        self.lists[INACTIVE].pages + self.lists[ACTIVE].pages
    }

    pub fn refault_activations(&self) -> u64 {
        self.refault_activations
    }

    /// Puts `block` in memory: on the active list if it was evicted no more pages ago than are active
    /// (`workingset_refault`), else on the inactive list.
    pub fn insert(&mut self, block: u32, pages: u64, order: u8) {
        let entry = &mut self.blocks[block as usize];
        let distance = u64::from(self.age.wrapping_sub(entry.older));
        let refaults = entry.place == Place::Evicted && distance <= self.lists[ACTIVE].pages;
        (entry.pages, entry.referenced, entry.order) = (pages as u8, false, order);
        if refaults {
            self.age = self.age.wrapping_add(pages as u32);
            self.refault_activations += pages;
            self.push(ACTIVE, block);
        } else {
            self.push(INACTIVE, block);
        }
    }

    /// A pass of `sendfile` over a resident block; whether the next would change nothing.
    #[inline]
    pub fn touch(&mut self, block: u32) -> bool {
        let settled = self.mark_accessed(block);
        if self.blocks[block as usize].order == LARGE_ORDER {
            return self.mark_accessed(block);
        }
        settled
    }

    /// `folio_mark_accessed`: the second touch activates. Whether the block is active and marked now.
    #[inline]
    fn mark_accessed(&mut self, block: u32) -> bool {
        let entry = &mut self.blocks[block as usize];
        let activates = entry.place == Place::Inactive && entry.referenced;
        entry.referenced = !activates;
        if activates {
            let pages = entry.pages;
            self.unlink(block);
            self.push(ACTIVE, block);
            self.age = self.age.wrapping_add(u32::from(pages));
            return false;
        }
        entry.place == Place::Active
    }

    /// Evicts the oldest inactive folio, or block of smaller folios.
    pub fn evict_oldest(&mut self) -> Option<Folio> {
        self.take_oldest(INACTIVE, |lists, block| {
            let entry = &mut lists.blocks[block as usize];
            entry.place = Place::Evicted;
            entry.older = lists.age;
            lists.age = lists.age.wrapping_add(u32::from(entry.pages));
        })
    }

    /// Moves the oldest active folio, or block of smaller folios, to the young end of the inactive list, touched or not;
    /// `blocks` says whose it is.
    pub fn deactivate_oldest(&mut self, blocks: &Blocks) -> Option<Folio> {
        self.take_oldest(ACTIVE, |lists, block| {
            lists.push(INACTIVE, block);
            lists.settled[blocks.object(block) as usize] = false;
        })
    }

    /// Takes the oldest block off `list`, both of a large folio, and passes each to `place`.
    #[inline]
    fn take_oldest(&mut self, list: usize, place: impl Fn(&mut Self, u32)) -> Option<Folio> {
        let block = Some(self.lists[list].oldest).filter(|&block| block != NIL)?;
        let Block {
            mut pages,
            order,
            younger,
            ..
        } = self.blocks[block as usize];
        self.unlink(block);
        place(self, block);
        if order == LARGE_ORDER
            && younger == block + 1
            && self.blocks[younger as usize].order == LARGE_ORDER
        {
            pages += self.blocks[younger as usize].pages;
            self.unlink(younger);
            place(self, younger);
        }
        Some(Folio {
            pages: u64::from(pages),
            folio_pages: 1 << order,
        })
    }

    #[inline]
    fn push(&mut self, list: usize, block: u32) {
        let ends = &mut self.lists[list];
        let youngest = std::mem::replace(&mut ends.youngest, block);
        let entry = &mut self.blocks[block as usize];
        entry.place = if list == ACTIVE {
            Place::Active
        } else {
            Place::Inactive
        };
        (entry.older, entry.younger) = (youngest, NIL);
        ends.pages += u64::from(entry.pages);
        match youngest {
            NIL => ends.oldest = block,
            youngest => self.blocks[youngest as usize].younger = block,
        }
    }

    #[inline]
    fn unlink(&mut self, block: u32) {
        let Block {
            older,
            younger,
            pages,
            place,
            ..
        } = self.blocks[block as usize];
        let ends = &mut self.lists[usize::from(place == Place::Active)];
        ends.pages -= u64::from(pages);
        match older {
            NIL => ends.oldest = younger,
            older => self.blocks[older as usize].younger = younger,
        }
        match younger {
            NIL => self.lists[usize::from(place == Place::Active)].youngest = older,
            younger => self.blocks[younger as usize].older = older,
        }
    }

    /// As [`crate::Policy::read_ahead`]: reads the entries of `blocks`.
    #[inline]
    pub fn read_ahead(&self, blocks: impl Iterator<Item = u32>) {
        let order = |block: u32| {
            self.blocks
                .get(block as usize)
                .map_or(0, |entry| entry.order)
        };
        std::hint::black_box(blocks.fold(0u8, |sum, block| sum.wrapping_add(order(block))));
    }

    pub fn memory_bytes(&self) -> usize {
        column_bytes(&self.blocks) + column_bytes(&self.settled)
    }
}
