//! What programs that write take of a node's page cache, and what that does to its hits.

use hotset_cache::PAGE_BYTES;
use serde::Serialize;

use crate::PlanError;
use crate::backtest::prepare::Backtest;
use crate::backtest::scan::{FileCache, PageCache, Scan};
use crate::select::HeldSet;
use crate::value::Traffic;

/// How often in the held-out part it is looked at what writers have in memory.
const LOOKS: usize = 64;

/// A program that writes beside a node's server.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct WriterEffect {
    /// Its name.
    pub writer: String,
    /// What it has of the page cache while the held-out accesses are served and nothing is held, on average, bytes.
    pub page_cache_bytes: u64,
    /// Share of those that find their file in the page cache, beside all writers of the node.
    pub hit_ratio: f64,
    /// The same without this writer.
    pub hit_ratio_without: f64,
}

/// Each writer of the node, in the order of its options.
pub(crate) fn writer_effects(test: &Backtest) -> Result<Vec<WriterEffect>, PlanError> {
    let Some(writers) = &test.writers else {
        return Ok(Vec::new());
    };
    let beside = alone(test);
    let effect = |(number, name): (usize, &str)| {
        let others = Backtest {
            writers: writers.without(number).map(Into::into),
            ..test.clone()
        };
        WriterEffect {
            writer: name.to_owned(),
            page_cache_bytes: (beside.pages[number] * PAGE_BYTES as f64) as u64,
            hit_ratio: beside.hit_ratio,
            hit_ratio_without: alone(&others).hit_ratio,
        }
    };
    let effects = writers.names().enumerate().map(effect).collect();
    test.go_on()?;
    Ok(effects)
}

/// What the page cache alone comes to.
struct Alone {
    hit_ratio: f64,
    /// Pages that each writer has, on average.
    pages: Vec<f64>,
}

/// The held-out accesses with nothing held, where all before them warm the page cache.
fn alone(test: &Backtest) -> Alone {
    let (values, nothing) = (&test.values, HeldSet::empty(test.objects()));
    let mut cache = PageCache::beside(test, 0);
    let training = test.training_accesses();
    cache.warm(Scan::of(values, training, &nothing).at(0));
    let held_out = test.held_out_accesses();
    let (mut traffic, mut first) = (Traffic::default(), test.training);
    let mut pages = vec![0.0; cache.writers_pages().len()];
    let parts = held_out.chunks(held_out.len().div_ceil(LOOKS).max(1));
    let looks = parts.len() as f64;
    for part in parts {
        let scan = Scan::of(values, part, &nothing).at(first);
        cache.serve(scan, |index, served| {
            traffic.add(served, test.size(part[index]));
        });
        first += part.len();
        let seen = pages.iter_mut().zip(cache.writers_pages());
        seen.for_each(|(sum, pages)| *sum += pages as f64 / looks);
    }
    Alone {
        hit_ratio: traffic.hit_ratio(),
        pages,
    }
}
