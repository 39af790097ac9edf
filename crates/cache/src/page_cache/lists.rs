//! The inactive and the active list, and what is remembered of evicted blocks.

use super::arrivals::Arrivals;
use super::blocks::Blocks;
use super::read_ahead::LARGE_ORDER;
use crate::policy::column_bytes;

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

/// All that is known of a block, in one place: where parts of large files are accessed at random, each further table would be
/// another wait for memory. Three such waits were a third of a simulated read.
#[derive(Clone, Copy)]
struct Block {
    /// The number of its arrival on its list; when evicted, the lists' age at that time.
    at: u32,
    /// Its length, known from the start.
    pages: u8,
    place: Place,
    /// [`REFERENCED`], [`YOUNG`], [`UNWRITTEN`] and [`RECLAIM`].
    marks: u8,
    /// Order of its folios. One of 32 pages, of which a block is half, is touched twice in a pass of `sendfile`.
    order: u8,
}

/// Touched since it was read or activated (`PG_referenced`).
const REFERENCED: u8 = 1;
/// Accessed through a page table since reclaim has looked (`folio_referenced`, `mm/rmap.c`).
const YOUNG: u8 = 2;
/// To be written before it may leave memory (`PG_dirty`, `PG_writeback`).
const UNWRITTEN: u8 = 4;
/// Reclaim has come to it and could not take it (`PG_reclaim`): it is the first to leave once it is written.
const RECLAIM: u8 = 8;

impl Block {
    /// Never read.
    fn unknown(pages: u64) -> Self {
        Self {
            at: 0,
            pages: pages as u8,
            place: Place::Unknown,
            marks: 0,
            order: 0,
        }
    }

    #[inline]
    fn is_settled(self) -> bool {
        self.place == Place::Active && self.is_referenced()
    }

    #[inline]
    fn is_referenced(self) -> bool {
        self.marks & REFERENCED != 0
    }

    fn unwritten_pages(self) -> u64 {
        match self.marks & UNWRITTEN {
            0 => 0,
            _ => u64::from(self.pages),
        }
    }

    #[inline]
    fn set(&mut self, mark: u8, is_set: bool) {
        self.marks = self.marks & !mark | if is_set { mark } else { 0 };
    }
}

/// What was taken off a list at once.
pub(super) struct Folio {
    pub pages: u64,
    /// Order of a folio; there can be several.
    pub order: u8,
    /// Pages that left memory.
    pub evicted_pages: u64,
}

/// A list, in order of arrival.
#[derive(Clone, Default)]
struct List {
    arrivals: Arrivals,
    pages: u64,
}

/// Both lists, in order of arrival.
#[derive(Clone)]
pub(super) struct Lists {
    blocks: Vec<Block>,
    /// Objects of which every block is active and marked: until one of them is deactivated, a pass over them changes
    /// nothing. Most hits are such passes. Empty where every object is one block, which tells it itself.
    settled: Vec<bool>,
    lists: [List; 2],
    /// Taken off the inactive list, and not to be evicted.
    kept: Vec<u32>,
    /// Pages evicted and activated so far (`nonresident_age`).
    age: u32,
    /// Pages that returned soon enough to become active at once (`WORKINGSET_ACTIVATE_FILE`).
    refault_activations: u64,
    /// Pages of both lists that have yet to be written.
    unwritten_pages: u64,
}

impl Lists {
    /// Empty lists for `blocks`.
    pub fn new(blocks: &Blocks) -> Self {
        let tellers = match blocks.are_objects() {
            true => 0,
            false => blocks.objects(),
        };
        Self {
            blocks: blocks.all_pages().map(Block::unknown).collect(),
            settled: vec![false; tellers],
            lists: Default::default(),
            kept: Vec::new(),
            age: 0,
            refault_activations: 0,
            unwritten_pages: 0,
        }
    }

    /// Whether a pass over `object` changes nothing.
    #[inline]
    pub fn is_settled(&self, object: u32) -> bool {
        if self.settled.is_empty() {
            return self.blocks[object as usize].is_settled();
        }
        self.settled[object as usize]
    }

    /// Notes that every block of `object` is active and marked.
    pub fn settle(&mut self, object: u32) {
        self.set_settled(object, true);
    }

    #[inline]
    fn set_settled(&mut self, object: u32, is_settled: bool) {
        if let Some(settled) = self.settled.get_mut(object as usize) {
            *settled = is_settled;
        }
    }

    /// Pages of `block`.
    #[inline]
    pub fn pages_of(&self, block: u32) -> u64 {
        u64::from(self.blocks[block as usize].pages)
    }

    #[inline]
    pub fn is_resident(&self, block: u32) -> bool {
        matches!(
            self.blocks[block as usize].place,
            Place::Inactive | Place::Active
        )
    }

    #[inline]
    pub fn pages(&self) -> [u64; 2] {
        [self.lists[INACTIVE].pages, self.lists[ACTIVE].pages]
    }

    #[inline]
    pub fn resident_pages(&self) -> u64 {
        self.lists[INACTIVE].pages + self.lists[ACTIVE].pages
    }

    /// Whether there are pages that may leave memory.
    #[inline]
    pub fn has_written(&self) -> bool {
        self.resident_pages() > self.unwritten_pages
    }

    #[inline]
    pub fn refault_activations(&self) -> u64 {
        self.refault_activations
    }

    /// Puts `block` in memory: on the active list if it was evicted no more pages ago than are active
    /// (`workingset_refault`), else on the inactive list.
    #[inline]
    pub fn insert(&mut self, block: u32, order: u8) {
        let refaults = self.would_refault(block);
        let entry = &mut self.blocks[block as usize];
        let pages = u64::from(entry.pages);
        (entry.marks, entry.order) = (0, order);
        if refaults {
            self.age = self.age.wrapping_add(pages as u32);
            self.refault_activations += pages;
        }
        self.push(usize::from(refaults), block);
    }

    /// Whether `block` was evicted no more pages ago than are active.
    #[inline]
    fn would_refault(&self, block: u32) -> bool {
        let entry = self.blocks[block as usize];
        let distance = u64::from(self.age.wrapping_sub(entry.at));
        entry.place == Place::Evicted && distance <= self.lists[ACTIVE].pages
    }

    /// Whether `block` is in memory, or would become active at once if it returned now.
    pub fn remembers(&self, block: u32) -> bool {
        self.is_resident(block) || self.would_refault(block)
    }

    /// Goes on with the blocks of `blocks`, of which those of the last object are new.
    pub fn extend(&mut self, blocks: &Blocks) {
        let Some(object) = blocks.objects().checked_sub(1) else {
            return;
        };
        if !blocks.are_objects() {
            // Until now, blocks may have told it of all objects themselves.
            for before in self.settled.len()..object {
                let is_settled = self.blocks[before].is_settled();
                self.settled.push(is_settled);
            }
            self.settled.push(false);
        }
        let (object, known) = (object as u32, self.blocks.len() as u32);
        let added = (known..blocks.len() as u32).map(|block| blocks.pages(object, block));
        self.blocks.extend(added.map(Block::unknown));
    }

    /// The lists with the blocks `before` alone, which get new numbers in their order, those of `kept`. What is on a list stays in
    /// its place.
    pub fn kept(&self, before: impl Iterator<Item = u32>, kept: &Blocks) -> Self {
        let mut number = vec![None; self.blocks.len()];
        let mut next = Self {
            age: self.age,
            refault_activations: self.refault_activations,
            ..Self::new(kept)
        };
        for (new, old) in (0u32..).zip(before) {
            let block = self.blocks[old as usize];
            next.unwritten_pages += block.unwritten_pages();
            next.blocks[new as usize] = block;
            number[old as usize] = Some(new);
        }
        for (list, arrived) in self.lists.iter().enumerate() {
            for old in arrived.arrivals.iter() {
                // Marks of those that have left are larger than any number.
                if let Some(&Some(block)) = number.get(old as usize) {
                    next.push(list, block);
                }
            }
        }
        if !kept.are_objects() {
            for object in 0..kept.objects() as u32 {
                let mut blocks = kept.of(object);
                let is_settled = blocks.all(|block| next.blocks[block as usize].is_settled());
                next.set_settled(object, is_settled);
            }
        }
        next
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

    /// [`Lists::touch`] of `block` and the one behind it, where both are of large folios and in the same state; nothing is done where
    /// they are not. Most of what large files are read by is such.
    #[inline]
    pub fn touch_both(&mut self, block: u32) -> Option<bool> {
        let first = block as usize;
        let Some([one, other]) = self.blocks.get_mut(first..first + 2) else {
            return None;
        };
        let is_referenced = one.is_referenced();
        let are_large = one.order == LARGE_ORDER && other.order == LARGE_ORDER;
        if !are_large || one.place != other.place || other.is_referenced() != is_referenced {
            return None;
        }
        match one.place {
            Place::Unknown | Place::Evicted => None,
            Place::Active => {
                one.set(REFERENCED, true);
                other.set(REFERENCED, true);
                Some(true)
            }
            // One of the two touches activates and takes the mark off, the other sets it.
            Place::Inactive => {
                let [inactive, active] = &mut self.lists;
                inactive.arrivals.leave(one.at);
                inactive.arrivals.leave(other.at);
                one.at = active.arrivals.push(block);
                other.at = active.arrivals.push(block + 1);
                (one.place, other.place) = (Place::Active, Place::Active);
                let pages = u32::from(one.pages) + u32::from(other.pages);
                inactive.pages -= u64::from(pages);
                active.pages += u64::from(pages);
                self.age = self.age.wrapping_add(pages);
                Some(is_referenced)
            }
        }
    }

    /// `folio_mark_accessed`: the second touch activates. Whether the block is active and marked now.
    #[inline]
    fn mark_accessed(&mut self, block: u32) -> bool {
        let entry = &mut self.blocks[block as usize];
        let activates = entry.place == Place::Inactive && entry.is_referenced();
        entry.set(REFERENCED, !activates);
        if activates {
            let Block { at, pages, .. } = *entry;
            self.lists[INACTIVE].arrivals.leave(at);
            self.lists[INACTIVE].pages -= u64::from(pages);
            self.push(ACTIVE, block);
            self.age = self.age.wrapping_add(u32::from(pages));
            return false;
        }
        entry.place == Place::Active
    }

    /// A program accesses a resident block through its page table.
    #[inline]
    pub fn access_mapped(&mut self, block: u32) {
        self.blocks[block as usize].set(YOUNG, true);
    }

    /// A block leaves a page table: what was accessed there since reclaim has looked counts as touched (`zap_present_folio_ptes`,
    /// `mm/memory.c`).
    pub fn unmap(&mut self, block: u32) {
        let entry = &mut self.blocks[block as usize];
        let was_young = entry.marks & YOUNG != 0;
        entry.set(YOUNG, false);
        if was_young && self.is_resident(block) {
            self.mark_accessed(block);
        }
    }

    /// Evicts the oldest inactive folio, or block of smaller folios. One that was accessed through a page table since goes round the
    /// list once more, and then becomes active (`folio_check_references`, `mm/vmscan.c`). One that has yet to be written becomes active
    /// (`shrink_folio_list`).
    #[inline]
    pub fn reclaim_oldest(&mut self) -> Option<Folio> {
        let mut evicted_pages = 0;
        let folio = self.take_oldest(INACTIVE, |lists, block| {
            let entry = &mut lists.blocks[block as usize];
            if entry.marks & (YOUNG | UNWRITTEN) != 0 {
                return lists.kept.push(block);
            }
            evicted_pages += u64::from(entry.pages);
            entry.place = Place::Evicted;
            entry.at = lists.age;
            lists.age = lists.age.wrapping_add(u32::from(entry.pages));
        });
        folio.map(|folio| Folio {
            evicted_pages,
            ..folio
        })
    }

    /// Puts what was kept back on a list, once all of a scan is taken off (`move_folios_to_lru`, `mm/vmscan.c`).
    #[inline]
    pub fn put_back(&mut self) {
        for number in 0..self.kept.len() {
            let block = self.kept[number];
            let entry = &mut self.blocks[block as usize];
            let was_young = entry.marks & YOUNG != 0;
            let activates = !was_young || entry.is_referenced();
            entry.marks = match was_young {
                true => REFERENCED | entry.marks & (UNWRITTEN | RECLAIM),
                false => entry.marks | RECLAIM,
            };
            if activates {
                self.age = self.age.wrapping_add(u32::from(entry.pages));
            }
            self.push(usize::from(activates), block);
        }
        self.kept.clear();
    }

    /// Drops `block` of `object`, and what is remembered of it.
    pub fn forget(&mut self, block: u32, object: u32) {
        let Block {
            at, pages, place, ..
        } = self.blocks[block as usize];
        let list = match place {
            Place::Inactive => Some(INACTIVE),
            Place::Active => Some(ACTIVE),
            Place::Unknown | Place::Evicted => None,
        };
        let entry = &mut self.blocks[block as usize];
        self.unwritten_pages -= entry.unwritten_pages();
        (entry.place, entry.marks) = (Place::Unknown, 0);
        if let Some(list) = list {
            self.lists[list].arrivals.leave(at);
            self.lists[list].pages -= u64::from(pages);
        }
        self.set_settled(object, false);
    }

    /// Has a resident `block` of `object` stay in memory until it is written, or lets it leave again. One that reclaim has come to
    /// meanwhile is the next to leave (`folio_end_writeback`, `mm/filemap.c`; `lru_move_tail`, `mm/swap.c`).
    pub fn set_unwritten(&mut self, block: u32, object: u32, is_unwritten: bool) {
        let entry = &mut self.blocks[block as usize];
        let (pages, reclaims) = (u64::from(entry.pages), entry.marks & RECLAIM != 0);
        let was_unwritten = entry.marks & UNWRITTEN != 0;
        if was_unwritten == is_unwritten || !matches!(entry.place, Place::Inactive | Place::Active)
        {
            return;
        }
        entry.set(UNWRITTEN, is_unwritten);
        entry.set(RECLAIM, false);
        match is_unwritten {
            true => self.unwritten_pages += pages,
            false => self.unwritten_pages -= pages,
        }
        if reclaims {
            self.make_oldest(block, object);
        }
    }

    /// Moves a resident `block` of `object` to the old end of the inactive list.
    fn make_oldest(&mut self, block: u32, object: u32) {
        let entry = &mut self.blocks[block as usize];
        let (pages, list) = (
            u64::from(entry.pages),
            usize::from(entry.place == Place::Active),
        );
        self.lists[list].arrivals.leave(entry.at);
        self.lists[list].pages -= pages;
        entry.at = self.lists[INACTIVE].arrivals.push_oldest(block);
        entry.place = Place::Inactive;
        self.lists[INACTIVE].pages += pages;
        self.set_settled(object, false);
    }

    /// Moves the oldest active folio, or block of smaller folios, to the young end of the inactive list, touched or not;
    /// `blocks` says whose it is.
    #[inline]
    pub fn deactivate_oldest(&mut self, blocks: &Blocks) -> Option<Folio> {
        self.take_oldest(ACTIVE, |lists, block| {
            lists.push(INACTIVE, block);
            lists.blocks[block as usize].set(YOUNG, false);
            // What is settled has no block that is not marked.
            if lists.blocks[block as usize].is_referenced() {
                lists.set_settled(blocks.object(block), false);
            }
        })
    }

    /// Takes the oldest block off `list`, both of a large folio, and passes each to `place`.
    #[inline]
    fn take_oldest(&mut self, list: usize, mut place: impl FnMut(&mut Self, u32)) -> Option<Folio> {
        let block = self.lists[list].arrivals.oldest()?;
        let Block { pages, order, .. } = self.blocks[block as usize];
        let mut pages = u64::from(pages);
        self.take(list, pages);
        place(self, block);
        if order == LARGE_ORDER && self.lists[list].arrivals.oldest() == Some(block + 1) {
            let other = self.blocks[block as usize + 1];
            if other.order == LARGE_ORDER {
                let other_pages = u64::from(other.pages);
                self.take(list, other_pages);
                place(self, block + 1);
                pages += other_pages;
            }
        }
        Some(Folio {
            pages,
            order,
            evicted_pages: 0,
        })
    }

    /// Takes off `list` its oldest arrival, of so many pages.
    #[inline]
    fn take(&mut self, list: usize, pages: u64) {
        self.lists[list].arrivals.pop();
        self.lists[list].pages -= pages;
    }

    /// Puts `block`, which is on no list, at the young end of `list`.
    #[inline]
    fn push(&mut self, list: usize, block: u32) {
        let entry = &mut self.blocks[block as usize];
        entry.at = self.lists[list].arrivals.push(block);
        entry.place = [Place::Inactive, Place::Active][list];
        self.lists[list].pages += u64::from(entry.pages);
    }

    /// As [`crate::Policy::read_ahead`]: reads the entry of `block`, which need not be there.
    #[inline]
    pub fn read_ahead(&self, block: u32) -> u8 {
        let entry = self.blocks.get(block as usize);
        entry.map_or(0, |entry| entry.order)
    }

    /// So many of the blocks that are evicted next.
    #[inline]
    pub fn next_victims(&self, count: usize) -> impl Iterator<Item = u32> {
        self.lists[INACTIVE].arrivals.oldest_of(count)
    }

    pub fn memory_bytes(&self) -> usize {
        let arrivals = self.lists.iter().map(|list| list.arrivals.memory_bytes());
        column_bytes(&self.blocks) + column_bytes(&self.settled) + arrivals.sum::<usize>()
    }
}
