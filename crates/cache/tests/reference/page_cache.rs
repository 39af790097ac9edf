//! The page cache of Linux again: plain sequences of blocks, searched from one end to the other.

use std::collections::HashMap;

/// Pages that `sendfile` moves at a time, and of the window of read-ahead and of a round of reclaim.
const BLOCK: u64 = 16;
const WINDOW: u64 = 32;

#[derive(Clone, Copy)]
struct Block {
    object: u32,
    index: u64,
    pages: u64,
    /// Pages of each of its folios.
    folio: u64,
    marked: bool,
    /// Accessed through a page table since reclaim has looked.
    young: bool,
}

pub struct NaivePageCache {
    capacity: u64,
    /// Both oldest first.
    inactive: Vec<Block>,
    active: Vec<Block>,
    age_when_evicted: HashMap<(u32, u64), u64>,
    age: u64,
    refaulted_since_reclaim: bool,
    /// Taken off each list beyond what was to be scanned.
    ahead: [u64; 2],
}

fn pages(list: &[Block]) -> u64 {
    list.iter().map(|block| block.pages).sum()
}

fn place(list: &[Block], object: u32, index: u64) -> Option<usize> {
    list.iter()
        .position(|block| block.object == object && block.index == index)
}

/// Takes the oldest folio off, which can be two blocks.
fn take_oldest(list: &mut Vec<Block>) -> Vec<Block> {
    if list.is_empty() {
        return vec![];
    }
    let first = list.remove(0);
    let is_other_half = |block: &&Block| {
        block.object == first.object && block.index == first.index + 1 && block.folio == WINDOW
    };
    if first.folio == WINDOW && list.first().as_ref().is_some_and(is_other_half) {
        return vec![first, list.remove(0)];
    }
    vec![first]
}

impl NaivePageCache {
    pub fn new(capacity: u64) -> Self {
        Self {
            capacity,
            inactive: vec![],
            active: vec![],
            age_when_evicted: HashMap::new(),
            age: 0,
            refaulted_since_reclaim: false,
            ahead: [0; 2],
        }
    }

    pub fn resident_pages(&self) -> [u64; 2] {
        [pages(&self.inactive), pages(&self.active)]
    }

    /// Pages read from the store and the gaps they are.
    pub fn read(&mut self, object: u32, file_pages: u64) -> (u64, u32) {
        let file_pages = file_pages.max(1);
        let blocks = file_pages.div_ceil(BLOCK);
        if file_pages.min(BLOCK) > self.capacity {
            return (file_pages, 1);
        }
        let mut loaded: Vec<(u64, u64)> = vec![];
        // Of the last window: the marked block, where the next starts, how large its folios would be.
        let (mut marked, mut next, mut folio) = (None, 0, 1);
        for index in 0..blocks {
            if !self.is_resident(object, index) {
                folio = 1;
                next = index;
            } else if marked == Some(index) {
                folio = (folio * 4).min(1 << 20);
            } else {
                self.touch(object, index);
                continue;
            }
            // A window ends where a folio that fits into one does.
            let folio_blocks = folio.clamp(BLOCK, WINDOW) / BLOCK;
            let window = next..(next + 2) / folio_blocks * folio_blocks;
            next = window.end;
            let first_marked = window.start + u64::from(folio == 1);
            if marked == Some(index) {
                marked = None;
            }
            let empty = window.clone().all(|index| !self.is_resident(object, index));
            let fits = window.start % 2 == 0 && window.end * BLOCK <= file_pages;
            let largest = if empty && fits { WINDOW } else { BLOCK };
            for index in window.filter(|&index| index < blocks) {
                if !self.is_resident(object, index) {
                    let pages = BLOCK.min(file_pages - index * BLOCK);
                    self.insert(object, index, pages, folio.min(largest));
                    if index == first_marked {
                        marked = Some(index);
                    } else if marked == Some(index) {
                        marked = None;
                    }
                    loaded.push((index, pages));
                }
            }
            self.touch(object, index);
        }
        let gaps = (0..loaded.len()).filter(|&at| at == 0 || loaded[at].0 != loaded[at - 1].0 + 1);
        let gaps = gaps.count() as u32;
        (loaded.iter().map(|(_, pages)| pages).sum(), gaps)
    }

    fn is_resident(&self, object: u32, index: u64) -> bool {
        place(&self.inactive, object, index).is_some()
            || place(&self.active, object, index).is_some()
    }

    fn touch(&mut self, object: u32, index: u64) {
        let lists = [&self.inactive, &self.active];
        let block = lists
            .iter()
            .find_map(|list| place(list, object, index).map(|at| list[at]));
        let touches = block.map_or(0, |block| 1 + u64::from(block.folio == WINDOW));
        for _ in 0..touches {
            self.touch_once(object, index);
        }
    }

    fn touch_once(&mut self, object: u32, index: u64) {
        if let Some(at) = place(&self.active, object, index) {
            self.active[at].marked = true;
        } else if let Some(at) = place(&self.inactive, object, index) {
            if !self.inactive[at].marked {
                self.inactive[at].marked = true;
                return;
            }
            let mut block = self.inactive.remove(at);
            block.marked = false;
            self.age += block.pages;
            self.active.push(block);
        }
    }

    fn insert(&mut self, object: u32, index: u64, new_pages: u64, folio: u64) {
        while pages(&self.inactive) + pages(&self.active) + new_pages > self.capacity {
            self.reclaim();
        }
        let block = Block {
            object,
            index,
            pages: new_pages,
            folio,
            marked: false,
            young: false,
        };
        let evicted_at = self.age_when_evicted.get(&(object, index));
        if evicted_at.is_some_and(|at| self.age - at <= pages(&self.active)) {
            self.age += new_pages;
            self.refaulted_since_reclaim = true;
            self.active.push(block);
        } else {
            self.inactive.push(block);
        }
    }

    fn reclaim(&mut self) {
        let mut evicted = 0;
        for priority in (0..=12).rev() {
            let [inactive, active] = self.resident_pages();
            let deactivate = self.refaulted_since_reclaim || inactive < active;
            let mut inactive_scan = inactive >> priority;
            let mut active_scan = if deactivate { active >> priority } else { 0 };
            let mut now = 0;
            while now < WINDOW && inactive_scan + active_scan > 0 {
                now += self.evict(inactive_scan.min(WINDOW));
                self.deactivate(active_scan.min(WINDOW));
                inactive_scan = inactive_scan.saturating_sub(WINDOW);
                active_scan = active_scan.saturating_sub(WINDOW);
            }
            evicted += now;
            if evicted >= WINDOW {
                break;
            }
        }
        self.refaulted_since_reclaim = false;
    }

    fn evict(&mut self, scan: u64) -> u64 {
        let taken = Self::scan(&mut self.inactive, scan, &mut self.ahead[0]);
        let (kept, evicted): (Vec<Block>, Vec<Block>) = taken.into_iter().partition(|it| it.young);
        for block in &evicted {
            self.age_when_evicted
                .insert((block.object, block.index), self.age);
            self.age += block.pages;
        }
        for block in kept {
            let looked_at = Block {
                marked: true,
                young: false,
                ..block
            };
            if block.marked {
                self.age += block.pages;
                self.active.push(looked_at);
            } else {
                self.inactive.push(looked_at);
            }
        }
        pages(&evicted)
    }

    /// Each block that is in memory is accessed through a page table, if all are.
    pub fn access_mapped(&mut self, object: u32, file_pages: u64) {
        let blocks = file_pages.max(1).div_ceil(BLOCK);
        if (0..blocks).all(|index| self.is_resident(object, index)) {
            for block in self.inactive.iter_mut().chain(&mut self.active) {
                block.young |= block.object == object;
            }
        }
    }

    pub fn unmap(&mut self, object: u32, file_pages: u64) {
        for index in 0..file_pages.max(1).div_ceil(BLOCK) {
            let lists = [&mut self.inactive, &mut self.active];
            let found = lists.into_iter().flatten();
            let young = found.filter(|it| it.young && (it.object, it.index) == (object, index));
            if young.map(|it| it.young = false).count() > 0 {
                self.touch_once(object, index);
            }
        }
    }

    fn deactivate(&mut self, scan: u64) {
        let moved = Self::scan(&mut self.active, scan, &mut self.ahead[1]);
        let looked_at = moved.into_iter().map(|it| Block { young: false, ..it });
        self.inactive.extend(looked_at);
    }

    fn scan(list: &mut Vec<Block>, scan: u64, ahead: &mut u64) -> Vec<Block> {
        let wanted = scan - scan.min(*ahead);
        *ahead -= scan - wanted;
        let mut taken = vec![];
        while pages(&taken) < wanted && !list.is_empty() {
            taken.extend(take_oldest(list));
        }
        let folio = taken.last().map_or(1, |block| block.folio);
        *ahead += pages(&taken).saturating_sub(wanted.next_multiple_of(folio));
        taken
    }
}
