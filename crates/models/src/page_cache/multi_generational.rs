//! The page cache with the multi-generational lists of Linux (`CONFIG_LRU_GEN`), for pages of files that programs read and write by
//! calls (`mm/vmscan.c`, `mm/workingset.c`, `include/linux/mm_inline.h` of Linux 6.18).

use std::collections::VecDeque;

use super::policy::PageCachePolicy;

/// Generations at least and at most (`MIN_NR_GENS`, `MAX_NR_GENS`).
const LEAST_GENERATIONS: u64 = 2;
const MOST_GENERATIONS: u64 = 4;
/// Tiers of a generation, by accesses (`MAX_NR_TIERS`).
const TIERS: usize = 4;
/// Accesses that are counted before an object counts as part of the working set (`1 << LRU_REFS_WIDTH`).
const MOST_REFERENCES: u8 = 4;
/// Fewer refaults than this say nothing (`MIN_LRU_BATCH`, the bits of a long).
const FEW_REFAULTS: u64 = 64;

/// An object: in memory or not, and what is known of it.
#[derive(Clone, Copy, Debug, Default)]
struct Object {
    pages: u64,
    /// Its generation, where it is in memory, and its number there: a list may have older entries of it.
    at: Option<(u64, u64)>,
    references: u8,
    in_working_set: bool,
    /// To be written before it may leave memory.
    is_unwritten: bool,
    /// The oldest generation when it was evicted.
    evicted_at: Option<u64>,
}

impl Object {
    /// `lru_tier_from_refs`: by the logarithm of accesses, the working set on top.
    fn tier(&self) -> usize {
        match (self.in_working_set, self.references) {
            (true, _) => TIERS - 1,
            (false, 0 | 1) => 0,
            (false, 2) => 1,
            (false, _) => 2,
        }
    }

    /// Whether it goes to the next generation whatever its tier is.
    fn is_promoted(&self) -> bool {
        self.in_working_set && self.references == MOST_REFERENCES
    }
}

/// What became of a tier's pages: those that came back, and those that were evicted or protected. Now, and on average before.
#[derive(Clone, Copy, Debug, Default)]
struct Tier {
    refaulted: u64,
    total: u64,
    mean_refaulted: u64,
    mean_total: u64,
}

impl Tier {
    /// `read_ctrl_pos`.
    fn position(&self) -> (u64, u64) {
        (
            self.mean_refaulted + self.refaulted,
            self.mean_total + self.total,
        )
    }

    /// `reset_ctrl_pos`.
    fn carry_over(&mut self) {
        let (refaulted, total) = self.position();
        *self = Self {
            mean_refaulted: refaulted / 2,
            mean_total: total / 2,
            ..Self::default()
        };
    }
}

/// Generations of objects. What is new joins the oldest but those that came back; objects of tiers that come back more often
/// than the lowest are spared once.
#[derive(Clone, Debug)]
pub struct MultiGenerational {
    objects: Vec<Object>,
    /// Objects by generation, those that joined first in front.
    generations: [VecDeque<(u32, u64)>; MOST_GENERATIONS as usize],
    oldest: u64,
    youngest: u64,
    tiers: [Tier; TIERS],
    joined: u64,
    resident_pages: u64,
    unwritten_pages: u64,
    capacity_pages: u64,
}

impl MultiGenerational {
    /// An empty cache of `capacity_pages` for objects of so many pages each.
    #[must_use]
    pub fn new(capacity_pages: u64, pages: &[u64]) -> Self {
        let object = |&pages: &u64| Object {
            pages,
            ..Object::default()
        };
        Self {
            objects: pages.iter().map(object).collect(),
            generations: Default::default(),
            oldest: 0,
            youngest: MOST_GENERATIONS - 1,
            tiers: [Tier::default(); TIERS],
            joined: 0,
            resident_pages: 0,
            unwritten_pages: 0,
            capacity_pages,
        }
    }

    /// Pages in memory.
    #[must_use]
    pub fn resident_pages(&self) -> u64 {
        self.resident_pages
    }

    /// Whether what comes back was in the working set (`lru_gen_refault`). It counts as a refault while few generations have
    /// passed; otherwise all is forgotten.
    fn refault(&mut self, number: u32) -> bool {
        let object = &mut self.objects[number as usize];
        let evicted_at = object.evicted_at.take();
        let recent = evicted_at.is_some_and(|at| self.youngest.abs_diff(at) < MOST_GENERATIONS);
        if recent {
            self.tiers[object.tier()].refaulted += object.pages;
            // The access that brought it back is counted when it comes.
            object.references = object.references.saturating_sub(1);
        } else {
            (object.references, object.in_working_set) = (0, false);
        }
        object.in_working_set
    }

    /// Evicts until so many pages fit, or nothing is left that may leave.
    fn make_room(&mut self, pages: u64) {
        while self.resident_pages + pages > self.capacity_pages
            && self.resident_pages > self.unwritten_pages
        {
            self.reclaim();
        }
    }

    fn join(&mut self, number: u32, generation: u64) {
        self.joined += 1;
        self.objects[number as usize].at = Some((generation, self.joined));
        let list = &mut self.generations[(generation % MOST_GENERATIONS) as usize];
        list.push_back((number, self.joined));
        // What was dropped has left its entry behind.
        if list.len() > 2 * self.objects.len() {
            let objects = &self.objects;
            list.retain(|&(it, joined)| objects[it as usize].at == Some((generation, joined)));
        }
    }

    /// Evicts or spares the object of the oldest generation that joined it first.
    fn reclaim(&mut self) {
        let Some(number) = self.first_of_oldest() else {
            return self.age();
        };
        let spared_above = self.highest_evicted_tier();
        let object = &mut self.objects[number as usize];
        // What has yet to be written goes to the next generation (`sort_folio`).
        if object.is_unwritten {
            return self.join(number, self.oldest + 1);
        }
        let tier = object.tier();
        if tier > spared_above || object.is_promoted() {
            if !object.is_promoted() {
                self.tiers[tier].total += object.pages;
            }
            object.references = 0;
            return self.join(number, self.oldest + 1);
        }
        self.tiers[tier].total += object.pages;
        object.at = None;
        object.evicted_at = Some(self.oldest);
        self.resident_pages -= object.pages;
    }

    /// Takes the first entry of the oldest generation that still stands for an object there.
    fn first_of_oldest(&mut self) -> Option<u32> {
        let generation = &mut self.generations[(self.oldest % MOST_GENERATIONS) as usize];
        while let Some((number, joined)) = generation.pop_front() {
            if self.objects[number as usize].at == Some((self.oldest, joined)) {
                return Some(number);
            }
        }
        None
    }

    /// The oldest generation is empty: the next one is the oldest, and there is a new one where too few are left
    /// (`try_to_inc_min_seq`, `inc_max_seq`).
    fn age(&mut self) {
        self.oldest += 1;
        self.youngest = self.youngest.max(self.oldest + LEAST_GENERATIONS - 1);
        self.tiers.iter_mut().for_each(Tier::carry_over);
    }

    /// The highest tier that is evicted: the one below the first that comes back more than twice as often as the lowest
    /// (`get_tier_idx`, `positive_ctrl_err`).
    fn highest_evicted_tier(&self) -> usize {
        let (lowest_refaulted, lowest_total) = self.tiers[0].position();
        let comes_back = |tier: &Tier| {
            let (refaulted, total) = tier.position();
            refaulted >= FEW_REFAULTS
                && refaulted * (lowest_total + FEW_REFAULTS) > (lowest_refaulted + 1) * total * 2
        };
        let first = self.tiers.iter().skip(1).position(comes_back);
        first.unwrap_or(TIERS - 1)
    }
}

/// Each page of the caller's is an object.
impl PageCachePolicy for MultiGenerational {
    fn holds(&self, page: u64) -> bool {
        self.objects[page as usize].at.is_some()
    }

    /// One larger than the cache stays outside.
    fn fetch(&mut self, _now_ns: u64, page: u64) {
        let object = page as u32;
        let known = self.objects[object as usize];
        if known.at.is_some() || known.pages > self.capacity_pages {
            return;
        }
        self.make_room(known.pages);
        let returns = self.refault(object);
        // `lru_gen_folio_seq`.
        let age = MOST_GENERATIONS - u64::from(returns);
        let generation = (self.youngest + 1).saturating_sub(age).max(self.oldest);
        self.resident_pages += known.pages;
        self.join(object, generation);
    }

    /// `lru_gen_inc_refs`.
    fn touch(&mut self, _now_ns: u64, page: u64) {
        let object = &mut self.objects[page as usize];
        if object.at.is_none() {
            return;
        }
        match object.references {
            MOST_REFERENCES => object.in_working_set = true,
            _ => object.references += 1,
        }
    }

    fn set_unwritten(&mut self, page: u64, is_unwritten: bool) {
        let object = &mut self.objects[page as usize];
        if object.at.is_none() || object.is_unwritten == is_unwritten {
            return;
        }
        object.is_unwritten = is_unwritten;
        match is_unwritten {
            true => self.unwritten_pages += object.pages,
            false => self.unwritten_pages -= object.pages,
        }
    }

    fn resize(&mut self, _now_ns: u64, pages: u64) {
        self.capacity_pages = pages;
        self.make_room(0);
    }

    /// Nothing is remembered of it.
    fn forget(&mut self, page: u64) {
        self.set_unwritten(page, false);
        let object = &mut self.objects[page as usize];
        if object.at.is_some() {
            self.resident_pages -= object.pages;
        }
        *object = Object {
            pages: object.pages,
            ..Object::default()
        };
    }
}
