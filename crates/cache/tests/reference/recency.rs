use super::{Queue, Reference, take, total};

pub struct NaiveLru {
    queue: Queue,
    capacity: u64,
}

impl NaiveLru {
    pub fn new(capacity: u64) -> Self {
        Self {
            queue: vec![],
            capacity,
        }
    }
}

impl Reference for NaiveLru {
    fn access(&mut self, id: u32, size: u64) -> bool {
        if let Some(entry) = take(&mut self.queue, id) {
            self.queue.push(entry);
            return true;
        }
        if size <= self.capacity {
            while total(&self.queue) + size > self.capacity {
                self.queue.remove(0);
            }
            self.queue.push((id, size));
        }
        false
    }
}

/// Line by line what a planner in Python does with two `OrderedDict`s: `popitem(last=False)` is
/// `remove(0)`.
pub struct OrderedDictTwoList {
    inactive: Queue,
    active: Queue,
    n_inactive: u64,
    n_active: u64,
    capacity: u64,
}

impl OrderedDictTwoList {
    pub fn new(capacity: u64) -> Self {
        Self {
            inactive: vec![],
            active: vec![],
            n_inactive: 0,
            n_active: 0,
            capacity,
        }
    }
}

impl Reference for OrderedDictTwoList {
    fn access(&mut self, name: u32, need: u64) -> bool {
        let hit;
        if let Some(entry) = take(&mut self.active, name) {
            hit = true;
            self.active.push(entry);
        } else if let Some(entry) = take(&mut self.inactive, name) {
            hit = true;
            self.active.push(entry);
            self.n_inactive -= entry.1;
            self.n_active += entry.1;
        } else {
            hit = false;
            if need <= self.capacity {
                self.inactive.push((name, need));
                self.n_inactive += need;
                while self.n_inactive + self.n_active > self.capacity {
                    while self.n_active > self.n_inactive {
                        let (old, p) = self.active.remove(0);
                        self.inactive.push((old, p));
                        self.n_active -= p;
                        self.n_inactive += p;
                    }
                    let (_, p) = self.inactive.remove(0);
                    self.n_inactive -= p;
                }
            }
        }
        hit
    }
}

struct Visited {
    id: u32,
    size: u64,
    visited: bool,
}

/// Newest first, as the paper draws it; the hand is an id.
pub struct NaiveSieve {
    queue: Vec<Visited>,
    hand: Option<u32>,
    capacity: u64,
}

impl NaiveSieve {
    pub fn new(capacity: u64) -> Self {
        Self {
            queue: vec![],
            hand: None,
            capacity,
        }
    }

    fn evict(&mut self) {
        let hand = self
            .hand
            .and_then(|id| self.queue.iter().position(|object| object.id == id));
        let mut place = hand.unwrap_or(self.queue.len() - 1);
        while self.queue[place].visited {
            self.queue[place].visited = false;
            place = if place == 0 {
                self.queue.len() - 1
            } else {
                place - 1
            };
        }
        self.queue.remove(place);
        self.hand = place.checked_sub(1).map(|newer| self.queue[newer].id);
    }
}

impl Reference for NaiveSieve {
    fn access(&mut self, id: u32, size: u64) -> bool {
        if let Some(object) = self.queue.iter_mut().find(|object| object.id == id) {
            object.visited = true;
            return true;
        }
        if size <= self.capacity {
            while self.queue.iter().map(|object| object.size).sum::<u64>() + size > self.capacity {
                self.evict();
            }
            self.queue.insert(
                0,
                Visited {
                    id,
                    size,
                    visited: false,
                },
            );
        }
        false
    }
}

struct Ranked {
    id: u32,
    size: u64,
    accesses: u32,
    priority: f64,
    accessed_at: u64,
}

pub struct NaiveGdsf {
    objects: Vec<Ranked>,
    floor: f64,
    now: u64,
    capacity: u64,
}

impl NaiveGdsf {
    pub fn new(capacity: u64) -> Self {
        Self {
            objects: vec![],
            floor: 0.0,
            now: 0,
            capacity,
        }
    }

    fn evict(&mut self) {
        let order = |a: &Ranked, b: &Ranked| {
            a.priority
                .total_cmp(&b.priority)
                .then(a.accessed_at.cmp(&b.accessed_at))
        };
        let lowest = (0..self.objects.len())
            .min_by(|&a, &b| order(&self.objects[a], &self.objects[b]))
            .unwrap();
        self.floor = self.objects.remove(lowest).priority;
    }
}

impl Reference for NaiveGdsf {
    fn access(&mut self, id: u32, size: u64) -> bool {
        self.now += 1;
        let (floor, now) = (self.floor, self.now);
        let priority = |accesses: u32, size: u64| floor + f64::from(accesses) / size.max(1) as f64;
        if let Some(object) = self.objects.iter_mut().find(|object| object.id == id) {
            object.accesses += 1;
            object.priority = priority(object.accesses, object.size);
            object.accessed_at = now;
            return true;
        }
        if size <= self.capacity {
            while self.objects.iter().map(|object| object.size).sum::<u64>() + size > self.capacity
            {
                self.evict();
            }
            let priority = self.floor + 1.0 / size.max(1) as f64;
            self.objects.push(Ranked {
                id,
                size,
                accesses: 1,
                priority,
                accessed_at: now,
            });
        }
        false
    }
}
