//! Which pages of a table are asked for, and how often.
//!
//! Nobody counts how often a page is asked for that is in the pool. But of each table it is known how many pages are in the pool, and
//! how many are read in an hour. With the pages of a table asked for alike and at random, and a pool that drops the page that was asked
//! for longest ago, both follow from the same two figures: `pages` that are asked for, each `rate` times in an hour. A page stays as
//! long as it is asked for again within the pool's residence time `t`. So `pages · (1 - exp(-rate · t))` are there, and
//! `pages · rate · exp(-rate · t)` are read in an hour: H. Che, Y. Tung, Z. Wang, "Hierarchical Web Caching Systems", IEEE JSAC 20 (2002).

/// Halvings until two ends are neighbouring numbers.
const HALVINGS: usize = 200;
/// More than any page is asked for again within its residence, as its exponential has to be a number.
const MOST: f64 = 700.0;

/// The pages of a table that are asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Heat {
    /// How many there are.
    pub pages: f64,
    /// How often each is asked for, in an hour.
    rate: f64,
    /// What was measured over what this comes to at the residence time that it was measured at.
    scale: f64,
}

/// What was measured of a table of InnoDB, in pages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Seen {
    /// All that there are.
    pub pages: f64,
    /// In the pool.
    pub resident: f64,
    /// Read in an hour.
    pub reads: f64,
}

impl Heat {
    /// Of a table whose pool keeps a page for so many hours. None where it reads nothing, or reads though all of it is in the pool.
    pub fn of(seen: Seen, hours: f64) -> Option<Self> {
        if !(seen.reads > 0.0 && hours > 0.0) {
            return None;
        }
        let asked = asked_within(seen.resident / (seen.reads * hours));
        let pages = seen.resident / -(-asked).exp_m1();
        // Of a table that is gone through, every page is asked for: those that are in the pool say how often.
        let all = (seen.pages, -(-seen.resident / seen.pages).ln_1p() / hours);
        let (pages, rate) = match pages < seen.pages {
            true => (pages, asked / hours),
            false if seen.pages - seen.resident < 1.0 => return None,
            false if seen.resident <= 0.0 => (seen.pages, seen.reads / seen.pages),
            false => all,
        };
        let heat = Self {
            pages,
            rate,
            scale: 1.0,
        };
        let scale = seen.reads / heat.reads(hours);
        scale.is_finite().then_some(Self { scale, ..heat })
    }

    /// Pages in a pool that keeps a page for so many hours.
    pub fn resident(&self, hours: f64) -> f64 {
        self.pages * -(-self.rate * hours).exp_m1()
    }

    /// Pages that it reads in an hour then.
    pub fn reads(&self, hours: f64) -> f64 {
        self.scale * self.pages * self.rate * (-self.rate * hours).exp()
    }
}

/// How often a page is asked for within its residence, where `resident` pages are in the pool for each one read in that time:
/// `(exp(x) - 1) / x = resident`. 0 where no more are.
fn asked_within(resident: f64) -> f64 {
    let (mut low, mut high) = (0.0, MOST);
    if resident.is_nan() || resident <= 1.0 {
        return 0.0;
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        match middle.exp_m1() / middle < resident {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}
