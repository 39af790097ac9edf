//! Browsers of a mix as the model asks them.

use std::time::Duration;

use hotset_models::dynamic::{Visit, Visits};
use hotset_workload::sessions::{Browser, Mix};

/// Browsers, each of which begins when it is first asked.
pub struct Browsers<'m> {
    mix: &'m Mix,
    seed: u64,
    browsers: Vec<Browser>,
}

impl<'m> Browsers<'m> {
    /// Browsers of a mix, whose walks belong to `seed`.
    pub fn new(mix: &'m Mix, seed: u64) -> Self {
        Self {
            mix,
            seed,
            browsers: Vec::new(),
        }
    }
}

impl Visits for Browsers<'_> {
    fn next(&mut self, browser: u32, now_ns: u64) -> Visit {
        let place = browser as usize;
        while self.browsers.len() <= place {
            let number = self.browsers.len() as u64;
            self.browsers.push(Browser::new(self.seed, number));
        }
        let now = Duration::from_nanos(now_ns);
        let (page, think) = self.browsers[place].go_on(self.mix, now);
        Visit {
            page,
            think_ns: u64::try_from(think.as_nanos()).unwrap_or(u64::MAX),
        }
    }
}

/// Browsers of two applications. Those of the second have the numbers behind those of the first, and its pages theirs.
pub struct BrowsersOfTwo<'m> {
    first: Browsers<'m>,
    second: Browsers<'m>,
    clients: u32,
    pages: usize,
}

impl<'m> BrowsersOfTwo<'m> {
    /// Browsers of both mixes, so many of the first, whose walks belong to `seed`.
    pub fn new(first: &'m Mix, clients: u32, second: &'m Mix, seed: u64) -> Self {
        Self {
            first: Browsers::new(first, seed),
            // Both walk apart even where their mixes are the same.
            second: Browsers::new(second, !seed),
            clients,
            pages: first.pages.len(),
        }
    }
}

impl Visits for BrowsersOfTwo<'_> {
    fn next(&mut self, browser: u32, now_ns: u64) -> Visit {
        match browser.checked_sub(self.clients) {
            None => self.first.next(browser, now_ns),
            Some(behind) => {
                let visit = self.second.next(behind, now_ns);
                Visit {
                    page: visit.page + self.pages,
                    ..visit
                }
            }
        }
    }
}
