//! Plans beside programs that write into the page cache.

use crate::support::{self, Case};
use hotset_cache::{BLOCK_PAGES, LinuxPageCache};
use hotset_plan::{Arm, PageCacheModel, PlanError, PlanOptions, Writer};
use hotset_scenario::Writing;
use proptest::prelude::*;

/// Microseconds in a millisecond.
const MS: i64 = 1000;

/// Bytes of a block.
const BLOCK: u64 = BLOCK_PAGES * 4096;

/// A writer of a block in so many milliseconds, to a store that writes one in so many.
fn writer(block_ms: u64, store_ms: u64, file_blocks: u64) -> Writer {
    Writer {
        name: "backup".to_owned(),
        store: "disk".to_owned(),
        bytes_per_s: BLOCK * 1000 / block_ms,
        file_bytes: file_blocks * BLOCK,
        store_bytes_per_s: (BLOCK * 1000 / store_ms) as f64,
        writing: Writing {
            dirty_background_bytes: Some(10 * BLOCK),
            dirty_limit_bytes: Some(20 * BLOCK),
            expire_s: 1.0,
            flush_s: 0.5,
            ..Writing::default()
        },
    }
}

fn beside(memory_pages: u64, writers: Vec<Writer>) -> PlanOptions {
    PlanOptions {
        page_cache: PageCacheModel::Linux,
        writers,
        ..support::options(memory_pages * 4096)
    }
}

/// A writer, millisecond by millisecond. Each block that it ever writes is an object of its own.
struct Plain {
    block_ms: i64,
    store_ms: i64,
    file_blocks: u32,
    /// Its first block among the objects of the cache.
    first: u32,
    /// The first block of its file, the next one, and the first that is not on the store, of all that it ever writes.
    start: u32,
    next: u32,
    written: u32,
    /// Blocks before this one are written because they are old.
    expired: u32,
    since_ms: i64,
    due_ms: i64,
    done_ms: Option<i64>,
}

impl Plain {
    /// With more blocks than this the store is written to, and with as many its writer waits: half way between 15, where it is slowed
    /// down, and 20.
    const BACKGROUND: u32 = 10;
    const MOST: u32 = 17;

    fn dirty(&self) -> u32 {
        self.next - self.written
    }

    fn tick(&mut self, ms: i64, cache: &mut LinuxPageCache) {
        if self.done_ms == Some(ms) {
            self.done_ms = None;
            if self.dirty() > 0 {
                cache.set_unwritten(self.first + self.written, false);
                self.written += 1;
                if self.written == self.expired {
                    self.since_ms = ms;
                }
            }
            self.start_store(ms);
        }
        if self.due_ms < ms {
            self.write(ms, cache);
        }
        if ms > 0 && ms % 500 == 0 {
            if self.dirty() > 0 && self.since_ms <= ms - 1000 {
                self.expired = self.next;
            }
            self.start_store(ms);
        }
        if self.due_ms == ms {
            self.write(ms, cache);
        }
    }

    fn write(&mut self, ms: i64, cache: &mut LinuxPageCache) {
        if self.dirty() >= Self::MOST {
            return;
        }
        if self.next - self.start == self.file_blocks {
            (self.start..self.next).for_each(|block| cache.forget(self.first + block));
            (self.start, self.written, self.expired) = (self.next, self.next, 0);
        }
        if self.dirty() == 0 {
            self.since_ms = ms;
        }
        cache.fetch(self.first + self.next);
        cache.set_unwritten(self.first + self.next, true);
        self.next += 1;
        self.due_ms = ms + self.block_ms;
        self.start_store(ms);
    }

    fn start_store(&mut self, ms: i64) {
        let is_due = self.dirty() > Self::BACKGROUND || self.written < self.expired;
        if self.done_ms.is_none() && self.dirty() > 0 && is_due {
            self.done_ms = Some(ms + self.store_ms);
        }
    }
}

/// The share of the accesses from `from` on that find all of their file in memory, by an interleaving of accesses and writes.
fn plain_hit_ratio(case: &Case, memory_pages: u64, from: usize, mut plain: Plain) -> f64 {
    let times = case.times_us.as_ref().expect("times");
    let (start, end) = (times[0], times[times.len() - 1]);
    let mut pages: Vec<u64> = (case.sizes.iter())
        .map(|size| size.div_ceil(4096).max(1))
        .collect();
    plain.first = pages.len() as u32;
    let blocks = (end - start) / MS / plain.block_ms + 1;
    pages.extend((0..blocks).map(|_| BLOCK_PAGES));
    let mut cache = LinuxPageCache::new(memory_pages, &pages).expect("few pages");
    let (mut ms, mut hits) = (0, 0);
    for (index, &object) in case.accesses.iter().enumerate() {
        while start + ms * MS <= times[index] {
            plain.tick(ms, &mut cache);
            ms += 1;
        }
        let is_hit = cache.read(object).pages == 0;
        hits += u32::from(is_hit && index >= from);
    }
    f64::from(hits) / (case.accesses.len() - from) as f64
}

/// The same accesses, one every so many milliseconds.
fn timed(case: Case, gaps_ms: impl Fn(usize) -> i64) -> Case {
    let mut at_ms = 1_700_000_000_000;
    let times = (0..case.accesses.len()).map(|index| {
        at_ms += gaps_ms(index);
        at_ms * MS
    });
    let times_us = Some(times.collect());
    Case { times_us, ..case }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn accesses_and_writes_are_interleaved_by_time(
        case in support::any_case(1),
        gaps_ms in prop::collection::vec(0i64..200, 20),
        memory in 320u64..1200,
        block_ms in prop_oneof![Just(2u64), Just(10), Just(40)],
        file_blocks in 1u64..200,
    ) {
        let case = timed(case, |index| gaps_ms[index % gaps_ms.len()]);
        let plan = case.plan(&beside(memory, vec![writer(block_ms, 5, file_blocks)])).expect("a plan");
        let from = case.accesses.len() - plan.total.held_out.accesses as usize;
        let plain = Plain {
            block_ms: block_ms as i64,
            store_ms: 5,
            file_blocks: file_blocks as u32,
            first: 0,
            start: 0,
            next: 0,
            written: 0,
            expired: 0,
            since_ms: 0,
            due_ms: block_ms as i64,
            done_ms: None,
        };
        let wanted = plain_hit_ratio(&case, memory, from, plain);
        let seen = plan.total.held_out[Arm::PageCache].hit_ratio;
        prop_assert!((seen - wanted).abs() < 1e-9, "{seen}, not {wanted}");
        let effect = &plan.nodes[0].writers[0];
        prop_assert!((effect.hit_ratio - seen).abs() < 1e-12, "{effect:?}");
        let without = case.plan(&beside(memory, Vec::new())).expect("a plan");
        let without = without.total.held_out[Arm::PageCache].hit_ratio;
        prop_assert!((effect.hit_ratio_without - without).abs() < 1e-12, "{effect:?}");
        prop_assert!(effect.page_cache_bytes <= (memory * 4096).min(file_blocks * BLOCK));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn a_writer_raises_no_hit_ratio(seed in any::<u64>(), block_ms in 5u64..100, share in 0.1f64..0.9) {
        let case = support::zipf(5_000, 200, 0.8, 0, seed);
        let pages: u64 = case.sizes.iter().map(|size| size.div_ceil(4096)).sum();
        let case = timed(case, |_| 5);
        let memory = (pages as f64 * share) as u64 + 320;
        let plan = case.plan(&beside(memory, vec![writer(block_ms, 2, 100_000)])).expect("a plan");
        let effect = &plan.nodes[0].writers[0];
        // What is evicted earlier can keep out what would never have been asked for again.
        prop_assert!(effect.hit_ratio <= effect.hit_ratio_without + 0.01, "{effect:?}");
    }
}

/// A few hundred files that fit into memory, and some time between their accesses.
fn fitting() -> (Case, u64) {
    let case = support::zipf(5_000, 200, 0.8, 0, 7);
    let pages: u64 = case.sizes.iter().map(|size| size.div_ceil(4096)).sum();
    (timed(case, |_| 20), pages + 400)
}

#[test]
fn a_backup_takes_memory_from_files_that_would_fit() {
    let (case, memory) = fitting();
    let asked = beside(memory, vec![writer(8, 4, 1_000_000)]);
    let plan = case.plan(&asked).expect("a plan");
    let effect = &plan.nodes[0].writers[0];
    assert_eq!(effect.writer, "backup");
    assert!(
        effect.page_cache_bytes > 300 * 4096,
        "it has at least what nobody else wants: {effect:?}"
    );
    assert!(effect.hit_ratio < effect.hit_ratio_without, "{effect:?}");
    let without = case.plan(&beside(memory, Vec::new())).expect("a plan");
    assert!(without.nodes[0].writers.is_empty());
}

#[test]
fn a_writer_whose_time_never_comes_changes_nothing() {
    let (case, memory) = fitting();
    let slow = Writer {
        bytes_per_s: 1,
        ..writer(2, 1, 1)
    };
    let (memory, none) = (memory / 3, beside(memory / 3, Vec::new()));
    let beside = case.plan(&beside(memory, vec![slow])).expect("a plan");
    let without = case.plan(&none).expect("a plan");
    for arm in [Arm::PageCache, Arm::Plan, Arm::Adaptive, Arm::Clairvoyant] {
        let of = |plan: &hotset_plan::Plan| {
            let score = &plan.total.held_out[arm];
            (score.hit_ratio, score.mean_us)
        };
        assert_eq!(of(&beside), of(&without), "{arm:?}");
    }
    let effect = &beside.nodes[0].writers[0];
    assert_eq!(effect.page_cache_bytes, 0);
    assert_eq!(effect.hit_ratio, effect.hit_ratio_without);
}

#[test]
fn dirty_pages_stay_until_their_store_has_them() {
    let (case, memory) = fitting();
    let mut writer = writer(1, 1000, 1_000_000);
    // All of the memory may be dirty, and hardly any of it is ever written.
    writer.writing.dirty_background_bytes = Some(memory * 4096);
    writer.writing.dirty_limit_bytes = Some(memory * 4096);
    let plan = case.plan(&beside(memory, vec![writer])).expect("a plan");
    let taken = plan.nodes[0].writers[0].page_cache_bytes;
    // Writers wait at seven eighths of the limit.
    assert!(taken > memory * 4096 * 8 / 10, "{taken} of {memory} pages");
}

#[test]
fn two_writers_are_told_apart() {
    let (case, memory) = fitting();
    let log = Writer {
        name: "log".to_owned(),
        ..writer(40, 1, 4)
    };
    let asked = beside(memory, vec![writer(8, 4, 1_000_000), log]);
    let plan = case.plan(&asked).expect("a plan");
    let [backup, log] = &plan.nodes[0].writers[..] else {
        panic!("two writers");
    };
    assert_eq!(backup.hit_ratio, log.hit_ratio, "beside both");
    assert!(log.page_cache_bytes <= 4 * BLOCK, "{log:?}");
    assert!(backup.page_cache_bytes > log.page_cache_bytes);
    assert!(backup.hit_ratio_without > log.hit_ratio_without);
}

#[test]
fn what_follows_no_writers_is_refused_by_name() {
    let (case, memory) = fitting();
    let asked = beside(memory, vec![writer(2, 1, 10)]);
    let untimed = Case {
        times_us: None,
        ..case.clone()
    };
    let refused = untimed.plan(&asked).expect_err("no times");
    assert!(matches!(refused, PlanError::WriterWithoutTimes { .. }));
    assert!(
        refused.to_string().starts_with("writer `backup`"),
        "{refused}"
    );
    let whole_files = PlanOptions {
        page_cache: PageCacheModel::WholeFiles,
        ..asked.clone()
    };
    let groups = PlanOptions {
        groups: true,
        ..asked
    };
    for asked in [whole_files, groups] {
        let refused = case.plan(&asked).expect_err("no writers there");
        assert!(matches!(refused, PlanError::WriterBeside { .. }));
        assert!(refused.to_string().contains("`backup`"), "{refused}");
    }
}
