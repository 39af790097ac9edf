//! Many simulations on all processors.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does something for all `items`, as many at a time as there are processors. Results are in the order of the items; nothing of one that broke off.
pub(crate) fn in_turns<I: Sync, T: Send>(
    items: &[I],
    run: impl Fn(&I) -> T + Sync,
) -> Vec<Option<T>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(place) else {
                return done;
            };
            done.push((place, run(item)));
        }
    };
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let done: Vec<(usize, T)> = thread::scope(|scope| {
        let threads = (0..processors.min(items.len())).map(|_| scope.spawn(work));
        let threads: Vec<_> = threads.collect();
        let ended = threads.into_iter().filter_map(|it| it.join().ok());
        ended.flatten().collect()
    });
    let mut all: Vec<Option<T>> = items.iter().map(|_| None).collect();
    for (place, result) in done {
        all[place] = Some(result);
    }
    all
}
