//! A browser that has one session after the other, of which only the types of its pages matter.

use std::time::Duration;

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::mix::Mix;
use super::stationary::stationary;
use super::walk::{Step, Walk};

/// Steps of a walk by which shares are estimated: they are known within a few thousandths of a point then.
const STEPS: usize = 1 << 20;

/// A browser.
#[derive(Clone, Debug)]
pub struct Browser {
    random: Pcg64Mcg,
    walk: Option<Walk>,
    /// When the session's time is over.
    over: Duration,
}

impl Browser {
    /// The browser of this number, before its first session.
    pub fn new(seed: u64, number: u64) -> Self {
        let seed = seed.wrapping_mul(1 << 32).wrapping_add(number);
        Self {
            random: Pcg64Mcg::seed_from_u64(seed),
            walk: None,
            over: Duration::MAX,
        }
    }

    /// It has its page at `now`, or comes: the type of the page that it asks for next, and how long it thinks before.
    pub fn go_on(&mut self, mix: &Mix, now: Duration) -> (usize, Duration) {
        let next = self.walk.as_mut().and_then(|walk| {
            let step = walk.step(mix, &mut self.random);
            match step {
                Step::To(page) | Step::Back(page) => Some(page),
                Step::End => None,
            }
        });
        let ends_at = mix.session.ends_at;
        let leaves = |page: usize| now >= self.over && ends_at.is_none_or(|at| at == page);
        let page = match next.filter(|page| !leaves(*page)) {
            Some(page) => page,
            None => self.begin(mix, now),
        };
        (page, mix.think.draw(&mut self.random))
    }

    /// Begins a session; the type of its first page.
    fn begin(&mut self, mix: &Mix, now: Duration) -> usize {
        let walk = Walk::start();
        let page = walk.page();
        self.walk = Some(walk);
        let length = mix.session.time;
        let length = length.map_or(Duration::MAX, |it| it.draw(&mut self.random));
        self.over = now.saturating_add(length);
        page
    }
}

/// The share of each page type in a walk without an end. It is exact where nobody goes back and no number of pages ends sessions, else that of
/// a long walk. Sessions that are over by their time are left out, which matters where they end before any page.
pub fn page_shares(mix: &Mix, seed: u64) -> Vec<f64> {
    let exact = match mix.session.most_pages {
        None => stationary(mix),
        Some(_) => None,
    };
    exact.unwrap_or_else(|| walked(mix, seed))
}

fn walked(mix: &Mix, seed: u64) -> Vec<f64> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut counts = vec![0u64; mix.pages.len()];
    let mut walk = Walk::start();
    for _ in 0..STEPS {
        counts[walk.page()] += 1;
        if walk.step(mix, &mut random) == Step::End {
            walk = Walk::start();
        }
    }
    let shares = counts.iter().map(|count| *count as f64 / STEPS as f64);
    shares.collect()
}
