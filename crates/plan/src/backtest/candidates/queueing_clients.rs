//! Clients that wait for answers, and for each other at the store.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::backtest::prepare::Backtest;
use crate::backtest::scan::{FileCache, Scan};
use crate::select::HeldSet;
use crate::value::AccessResult;

/// Clients of a site on average: as many as the closed loops of the lab have (`experiments/pollution`), a little more than the
/// six connections that a browser opens to a host.
const CLIENTS: f64 = 8.0;

/// Changes of a site's share of the accesses below this are not worth a word.
const LEAST_CHANGE: f64 = 0.05;

/// Nanoseconds in a microsecond.
const NS_IN_US: f64 = 1e3;

/// Whether such a change of a site's share of the accesses is worth a word.
pub(crate) fn is_much(change: f64) -> bool {
    change.abs() >= LEAST_CHANGE
}

/// Clients that ask for the same accesses over and over, each for its site's next file as soon as it has the last one.
pub(crate) struct QueueingClients<'t> {
    test: &'t Backtest<'t>,
    /// What those of each site ask for.
    asked: Vec<Vec<u32>>,
    /// How many each site has.
    clients: Vec<usize>,
}

/// What the clients of a site got.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Answers {
    pub count: u64,
    ns: u64,
}

impl Answers {
    /// Mean response, in microseconds; infinite without answers.
    pub fn mean_us(self) -> f64 {
        match self.count {
            0 => f64::INFINITY,
            count => self.ns as f64 / NS_IN_US / count as f64,
        }
    }
}

impl<'t> QueueingClients<'t> {
    /// Divides the clients so that they make each site's share of the accesses `asked` where its mean response is that of
    /// `alone_us`; each site that is asked for files has one at least.
    pub fn new(test: &'t Backtest<'t>, asked: &[u32], alone_us: &[f64]) -> Self {
        let of_sites = test.by_site(asked);
        let busy = |(asked, alone_us): (&Vec<u32>, &f64)| match asked.len() {
            0 => 0.0,
            some => some as f64 * alone_us,
        };
        let busy: Vec<f64> = of_sites.iter().zip(alone_us).map(busy).collect();
        let sites = busy.iter().filter(|&&busy| busy > 0.0).count() as f64;
        let all: f64 = busy.iter().sum();
        let clients = |&busy: &f64| match busy > 0.0 {
            true => (CLIENTS * sites * busy / all).round().max(1.0) as usize,
            false => 0,
        };
        Self {
            test,
            clients: busy.iter().map(clients).collect(),
            asked: of_sites,
        }
    }

    /// The share of each site in what is asked for once.
    pub fn logged_share(&self, site: usize) -> f64 {
        let all: usize = self.asked.iter().map(Vec::len).sum();
        self.asked[site].len() as f64 / all as f64
    }

    /// Serves so many accesses of all sites together from `set` and `cache`.
    pub fn serve(
        &self,
        set: &HeldSet,
        cache: &mut impl FileCache,
        accesses: usize,
    ) -> Vec<Answers> {
        let mut line = Line::default();
        for (site, &clients) in self.clients.iter().enumerate() {
            (0..clients).for_each(|_| line.answered.push(Reverse((0, site, 0))));
        }
        let mut answers = vec![Answers::default(); self.asked.len()];
        let mut next = vec![0; self.asked.len()];
        for _ in (0..accesses).take_while(|_| !self.test.values.are_stopped()) {
            let Some((site, waited_ns)) = line.next_answer() else {
                break;
            };
            // The first time a client has asked for nothing yet.
            if waited_ns > 0 {
                answers[site].count += 1;
                answers[site].ns += waited_ns;
            }
            let object = self.asked[site][next[site] % self.asked[site].len()];
            next[site] += 1;
            let (store_ns, memory_ns) = self.times_ns(object, set, cache);
            line.ask(site, store_ns, memory_ns);
        }
        answers
    }

    /// How long `object` keeps the store busy, and what it takes besides.
    fn times_ns(&self, object: u32, set: &HeldSet, cache: &mut impl FileCache) -> (u64, u64) {
        let values = &self.test.values;
        let ns = |us: f64| (us * NS_IN_US) as u64;
        let mut times = (0, 0);
        cache.serve(Scan::of(values, &[object], set), |_, served| {
            let us = values.response_us(object, served);
            times = match served {
                AccessResult::Held | AccessResult::Hit => (0, ns(us)),
                _ => {
                    let hit_us = values.response_us(object, AccessResult::Hit).min(us);
                    (ns(us - hit_us), ns(hit_us))
                }
            };
        });
        times
    }
}

/// Clients on their way. Those that read share the store evenly, as readers of large files do that get them piece by piece:
/// processor sharing (L. Kleinrock, "Time-shared systems: a theoretical treatment", Journal of the ACM 14 (1967)).
#[derive(Default)]
struct Line {
    now_ns: u64,
    /// What the store has done so far for each of those that read all the time.
    share_ns: u64,
    /// By what the share will be when they have read: site, start, and what is left to do then.
    reading: BinaryHeap<Reverse<(u64, usize, u64, u64)>>,
    /// By the time of the answer: site, start.
    answered: BinaryHeap<Reverse<(u64, usize, u64)>>,
}

impl Line {
    /// A client asks; its answer takes so long in the store, if it had it for itself, and then so long.
    fn ask(&mut self, site: usize, store_ns: u64, memory_ns: u64) {
        let start = self.now_ns;
        let memory_ns = memory_ns.max(1);
        match store_ns {
            0 => self
                .answered
                .push(Reverse((start + memory_ns, site, start))),
            _ => {
                let share_ns = self.share_ns + store_ns;
                self.reading
                    .push(Reverse((share_ns, site, start, memory_ns)));
            }
        }
    }

    /// The next answer: whose, and how long its client has waited.
    fn next_answer(&mut self) -> Option<(usize, u64)> {
        loop {
            let readers = self.reading.len() as u64;
            let answer_ns = self.answered.peek().map(|Reverse(answer)| answer.0);
            let read_ns = self.reading.peek();
            let read_ns =
                read_ns.map(|Reverse(read)| self.now_ns + (read.0 - self.share_ns) * readers);
            match (answer_ns, read_ns) {
                (Some(answer_ns), read_ns) if read_ns.is_none_or(|read_ns| answer_ns < read_ns) => {
                    let Reverse((_, site, start)) = self.answered.pop()?;
                    self.share_ns += (answer_ns - self.now_ns) / readers.max(1);
                    self.now_ns = answer_ns;
                    return Some((site, answer_ns - start));
                }
                (_, Some(read_ns)) => {
                    let Reverse((share_ns, site, start, memory_ns)) = self.reading.pop()?;
                    (self.share_ns, self.now_ns) = (share_ns, read_ns);
                    self.answered
                        .push(Reverse((read_ns + memory_ns, site, start)));
                }
                _ => return None,
            }
        }
    }
}
