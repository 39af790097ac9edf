//! What becomes of the traffic where clients wait for an answer before they ask again.
//!
//! A log says how sites shared the server at the responses of its day. Clients that wait ask a site more often the faster it
//! becomes, so that a plan changes the traffic that it was made for.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde::Serialize;

use crate::PlanError;
use crate::backtest::candidates::choice::Choice;
use crate::backtest::candidates::queueing_clients::is_much;
use crate::backtest::prepare::Backtest;
use crate::backtest::scan::{FileCache, Scan};
use crate::backtest::scoring::arm::Arm;
use crate::backtest::scoring::arms::HeldOutScores;
use crate::select::HeldSet;

/// Nanoseconds in a microsecond.
const NS_IN_US: f64 = 1e3;

/// A site under the plan, if all clients wait for their answers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ClosedLoop {
    /// Its share of the accesses held out, as logged.
    pub logged_share: f64,
    /// Its share if clients wait.
    pub share: f64,
    /// Its mean response then, in microseconds; NaN (`null` in JSON) without accesses.
    pub mean_us: f64,
}

/// A site's clients: as many as make the logged share of the accesses at the responses of the page cache alone.
struct Clients<'a> {
    accesses: &'a [u32],
    next: usize,
    /// How many there are, against other sites'.
    number: f64,
    done: u64,
    us: f64,
}

/// Each site if clients wait, by its scores `held_out`; nothing where no site's share would change by much, or several nodes
/// share the traffic.
pub(crate) fn closed_loop(
    choices: &[Choice],
    held_out: &[HeldOutScores],
) -> Result<Option<Vec<ClosedLoop>>, PlanError> {
    let means = |site: &HeldOutScores| {
        (
            site.accesses,
            site[Arm::PageCache].mean_us,
            site[Arm::Plan].mean_us,
        )
    };
    let sites: Vec<_> = held_out.iter().map(means).collect();
    match choices {
        [choice] if shifts(&sites) => {
            let alone_us: Vec<f64> = sites.iter().map(|site| site.1).collect();
            let (test, layout) = (choice.test, &choice.layout);
            let caches = layout.caches(test)?;
            let sites = asked_in_turn(test, layout.set(), &alone_us, caches);
            test.go_on()?;
            Ok(Some(sites))
        }
        _ => Ok(None),
    }
}

/// Whether some site's share of the accesses changes by much if its rate grows as its response falls. Sites are given by their
/// accesses, and by their mean responses with the page cache alone and as planned.
fn shifts(sites: &[(u64, f64, f64)]) -> bool {
    let faster = |&(accesses, alone_us, planned_us): &(u64, f64, f64)| match accesses {
        0 => 0.0,
        _ => accesses as f64 * alone_us / planned_us,
    };
    let all: u64 = sites.iter().map(|(accesses, ..)| accesses).sum();
    let all_faster: f64 = sites.iter().map(faster).sum();
    let change = |site: &(u64, f64, f64)| faster(site) / all_faster - site.0 as f64 / all as f64;
    sites.iter().any(|site| is_much(change(site)))
}

/// Each site if clients wait, with `set` held beside `cache`, which is empty; with nothing held its mean response is that of
/// `alone_us`, in microseconds.
///
/// Serves as many accesses as are held out. Each client asks for its site's next file as soon as it has the last one.
pub(crate) fn asked_in_turn(
    test: &Backtest,
    set: &HeldSet,
    alone_us: &[f64],
    mut cache: impl FileCache,
) -> Vec<ClosedLoop> {
    let values = &test.values;
    let (training, scored) = (test.training_accesses(), test.held_out_accesses());
    let accesses = test.by_site(scored);
    let sites = accesses.iter().zip(alone_us);
    let mut sites: Vec<Clients> = sites
        .map(|(own, &alone_us)| Clients::of(own, alone_us))
        .collect();
    let most = sites.iter().map(|site| site.number).fold(0.0, f64::max);
    cache.warm(Scan::of(values, training, set).at(0));
    let present = (0..sites.len()).filter(|&site| sites[site].number > 0.0);
    let mut due: BinaryHeap<Reverse<(u64, usize)>> =
        present.map(|site| Reverse((0, site))).collect();
    // Writers go on as they do in the log while as many accesses are served.
    let places = test.training..test.training + scored.len();
    for place in places.take_while(|_| !values.are_stopped()) {
        let Some(Reverse((now_ns, index))) = due.pop() else {
            break;
        };
        let site = &mut sites[index];
        let object = site.accesses[site.next];
        let mut us = 0.0;
        let asked = [object];
        let scan = Scan::of(values, &asked, set).at(place);
        cache.serve(scan, |_, served| {
            us = values.response_us(object, served);
        });
        site.answered(us);
        let step_ns = (us * NS_IN_US * most / site.number) as u64;
        due.push(Reverse((now_ns.saturating_add(step_ns.max(1)), index)));
    }
    let all = scored.len() as f64;
    sites.iter().map(|site| site.result(all)).collect()
}

impl<'a> Clients<'a> {
    fn of(accesses: &'a [u32], alone_us: f64) -> Self {
        Self {
            accesses,
            next: 0,
            number: match accesses.len() {
                0 => 0.0,
                some => some as f64 * alone_us,
            },
            done: 0,
            us: 0.0,
        }
    }

    /// The access took `us`; after the last one they begin again.
    fn answered(&mut self, us: f64) {
        self.next = (self.next + 1) % self.accesses.len();
        self.done += 1;
        self.us += us;
    }

    fn result(&self, all: f64) -> ClosedLoop {
        ClosedLoop {
            logged_share: self.accesses.len() as f64 / all,
            share: self.done as f64 / all,
            mean_us: self.us / self.done as f64,
        }
    }
}
