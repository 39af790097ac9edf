use super::{Queue, Reference, take, total};

struct Counted {
    id: u32,
    size: u64,
    accesses: u32,
}

fn weight(queue: &[Counted]) -> u64 {
    queue.iter().map(|object| object.size).sum()
}

/// Oldest first.
pub struct NaiveS3Fifo {
    small: Vec<Counted>,
    main: Vec<Counted>,
    ghosts: Queue,
    capacity: u64,
}

impl NaiveS3Fifo {
    pub fn new(capacity: u64) -> Self {
        Self {
            small: vec![],
            main: vec![],
            ghosts: vec![],
            capacity,
        }
    }

    fn evict(&mut self) {
        let small_has_its_share = weight(&self.small) >= self.capacity / 10;
        if !self.small.is_empty() && (small_has_its_share || self.main.is_empty()) {
            self.evict_small();
        } else {
            self.evict_main();
        }
    }

    fn evict_small(&mut self) {
        let oldest = self.small.remove(0);
        if oldest.accesses > 1 {
            self.main.push(Counted {
                accesses: 0,
                ..oldest
            });
            return;
        }
        self.ghosts.push((oldest.id, oldest.size));
        while total(&self.ghosts) > self.capacity - self.capacity / 10 {
            self.ghosts.remove(0);
        }
    }

    fn evict_main(&mut self) {
        loop {
            let oldest = self.main.remove(0);
            if oldest.accesses == 0 {
                return;
            }
            self.main.push(Counted {
                accesses: oldest.accesses - 1,
                ..oldest
            });
        }
    }
}

impl Reference for NaiveS3Fifo {
    fn access(&mut self, id: u32, size: u64) -> bool {
        if let Some(object) = self
            .small
            .iter_mut()
            .chain(&mut self.main)
            .find(|object| object.id == id)
        {
            object.accesses = 3.min(object.accesses + 1);
            return true;
        }
        if size <= self.capacity {
            let was_ghost = take(&mut self.ghosts, id).is_some();
            while weight(&self.small) + weight(&self.main) + size > self.capacity {
                self.evict();
            }
            let queue = if was_ghost {
                &mut self.main
            } else {
                &mut self.small
            };
            queue.push(Counted {
                id,
                size,
                accesses: 0,
            });
        }
        false
    }
}

/// The generalisation to sizes as the policy's documentation states it.
pub struct NaiveArc {
    once: Queue,
    often: Queue,
    ghosts_once: Queue,
    ghosts_often: Queue,
    target: u64,
    capacity: u64,
}

impl NaiveArc {
    pub fn new(capacity: u64) -> Self {
        Self {
            once: vec![],
            often: vec![],
            ghosts_once: vec![],
            ghosts_often: vec![],
            target: 0,
            capacity,
        }
    }

    fn make_room(&mut self, size: u64, was_often: bool) {
        while total(&self.once) + total(&self.often) + size > self.capacity {
            let once = total(&self.once);
            let prefer_once = once > self.target || (was_often && once == self.target);
            if (prefer_once && !self.once.is_empty()) || self.often.is_empty() {
                self.ghosts_once.push(self.once.remove(0));
            } else {
                self.ghosts_often.push(self.often.remove(0));
            }
        }
    }

    fn forget(&mut self, size: u64) {
        while total(&self.once) + total(&self.ghosts_once) + size > self.capacity {
            let queue = if self.ghosts_once.is_empty() {
                &mut self.once
            } else {
                &mut self.ghosts_once
            };
            queue.remove(0);
        }
        let all = |arc: &Self| {
            [&arc.once, &arc.often, &arc.ghosts_once, &arc.ghosts_often]
                .map(total)
                .iter()
                .sum::<u64>()
        };
        while all(self) + size > 2 * self.capacity {
            self.ghosts_often.remove(0);
        }
    }
}

fn scaled(size: u64, other: u64, hit: u64) -> u64 {
    size.max(size * other / hit.max(1))
}

impl Reference for NaiveArc {
    fn access(&mut self, id: u32, size: u64) -> bool {
        let found = take(&mut self.once, id).or_else(|| take(&mut self.often, id));
        if let Some(entry) = found {
            self.often.push(entry);
            return true;
        }
        if size > self.capacity {
            return false;
        }
        let (once, often) = (total(&self.ghosts_once), total(&self.ghosts_often));
        if take(&mut self.ghosts_once, id).is_some() {
            self.target = self.capacity.min(self.target + scaled(size, often, once));
            self.make_room(size, false);
            self.often.push((id, size));
        } else if take(&mut self.ghosts_often, id).is_some() {
            self.target = self.target.saturating_sub(scaled(size, once, often));
            self.make_room(size, true);
            self.often.push((id, size));
        } else {
            self.forget(size);
            self.make_room(size, false);
            self.once.push((id, size));
        }
        false
    }
}

/// ARC for objects of size 1, case by case as in figure 4 of the paper, with the target in whole
/// steps.
pub struct UnitArc {
    t1: Vec<u32>,
    t2: Vec<u32>,
    b1: Vec<u32>,
    b2: Vec<u32>,
    p: usize,
    c: usize,
}

impl UnitArc {
    pub fn new(c: usize) -> Self {
        Self {
            t1: vec![],
            t2: vec![],
            b1: vec![],
            b2: vec![],
            p: 0,
            c,
        }
    }

    fn replace(&mut self, x_in_b2: bool) {
        if !self.t1.is_empty() && (self.t1.len() > self.p || (x_in_b2 && self.t1.len() == self.p)) {
            self.b1.push(self.t1.remove(0));
        } else {
            self.b2.push(self.t2.remove(0));
        }
    }

    fn case_4(&mut self) {
        let l1 = self.t1.len() + self.b1.len();
        let l2 = self.t2.len() + self.b2.len();
        if l1 == self.c {
            if self.t1.len() < self.c {
                self.b1.remove(0);
                self.replace(false);
            } else {
                self.t1.remove(0);
            }
        } else if l1 + l2 >= self.c {
            if l1 + l2 == 2 * self.c {
                self.b2.remove(0);
            }
            self.replace(false);
        }
    }
}

fn drop_id(queue: &mut Vec<u32>, id: u32) -> bool {
    queue
        .iter()
        .position(|&one| one == id)
        .map(|place| queue.remove(place))
        .is_some()
}

impl Reference for UnitArc {
    fn access(&mut self, x: u32, _: u64) -> bool {
        let (b1, b2) = (self.b1.len(), self.b2.len());
        if drop_id(&mut self.t1, x) || drop_id(&mut self.t2, x) {
            self.t2.push(x);
            return true;
        }
        if self.b1.contains(&x) {
            self.p = self.c.min(self.p + 1.max(b2 / b1));
            self.replace(false);
            drop_id(&mut self.b1, x);
            self.t2.push(x);
        } else if self.b2.contains(&x) {
            self.p = self.p.saturating_sub(1.max(b1 / b2));
            self.replace(true);
            drop_id(&mut self.b2, x);
            self.t2.push(x);
        } else {
            self.case_4();
            self.t1.push(x);
        }
        false
    }
}
