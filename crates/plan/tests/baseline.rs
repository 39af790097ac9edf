//! What the page cache alone would have had, followed read by read: exact where every file is followed, within its error elsewhere.

use std::time::Duration;

use hotset_cache::{LinuxPageCache, PAGE_BYTES, StoreRead};
use hotset_plan::{Baseline, Compared, Estimate};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::support::profile;

/// Blocks that no test asks for.
const ALL: u64 = 1 << 30;

const SECOND: Duration = Duration::from_secs(1);

/// Files of one site, and reads of them.
#[derive(Clone, Debug)]
struct Traffic {
    pages: Vec<u64>,
    reads: Vec<u32>,
    memory_pages: u64,
    /// Whether each file is held.
    is_held: Vec<bool>,
}

impl Traffic {
    fn held_pages(&self) -> u64 {
        let files = self.pages.iter().zip(&self.is_held);
        files.filter(|file| *file.1).map(|file| file.0).sum()
    }

    fn bytes(&self, file: u32) -> u64 {
        self.pages[file as usize] * PAGE_BYTES
    }

    /// All intervals together, with a baseline that may follow so many blocks.
    fn compared(&self, most_blocks: u64) -> (Compared, Baseline) {
        let stores = [profile("hdd")];
        let mut baseline = Baseline::new(self.memory_pages * PAGE_BYTES, &stores, most_blocks);
        baseline.hold(self.held_pages() * PAGE_BYTES);
        let mut all = Compared::default();
        for interval in self.reads.chunks(self.reads.len() / 4 + 1) {
            for &file in interval {
                let is_held = self.is_held[file as usize];
                baseline.read(key(file), 0, self.bytes(file), is_held);
            }
            all += baseline.next_interval(SECOND).sites[0];
        }
        (all, baseline)
    }

    /// Reads that miss and what they wait, with all files followed by caches that know them from the start.
    fn plainly(&self) -> [(f64, f64); 2] {
        let cache = |pages| LinuxPageCache::new(pages, &self.pages).expect("few pages");
        let mut alone = cache(self.memory_pages);
        let mut beside = cache(self.memory_pages.saturating_sub(self.held_pages()));
        let (mut seen, mut was_full) = (vec![false; self.pages.len()], false);
        let mut missed = [(0.0, 0.0); 2];
        for &file in &self.reads {
            let is_held = self.is_held[file as usize];
            let resident: u64 = alone.resident_pages().iter().sum();
            let mut read = alone.read(file);
            let evicts = resident + read.pages > self.memory_pages;
            let is_first = !std::mem::replace(&mut seen[file as usize], true);
            if is_held && is_first && !was_full {
                read = StoreRead::default();
            }
            was_full |= evicts;
            self.add(&mut missed[0], file, read);
            if !is_held {
                let read = beside.read(file);
                self.add(&mut missed[1], file, read);
            }
        }
        missed
    }

    fn add(&self, (reads, us): &mut (f64, f64), file: u32, read: StoreRead) {
        let (hdd, bytes) = (profile("hdd"), self.bytes(file));
        let (hit_us, miss_us) = (hdd.cached_us(bytes), hdd.uncached_us(bytes));
        let gap_us = hdd.uncached.fixed_us;
        let share = read.pages as f64 / self.pages[file as usize] as f64;
        let in_part = (miss_us - hit_us - gap_us) * share + gap_us * f64::from(read.gaps);
        *reads += f64::from(u8::from(read.pages > 0));
        *us += if read.pages > 0 { in_part } else { 0.0 };
    }
}

/// A hash of a file's name.
fn key(file: u32) -> u64 {
    // SplitMix64.
    let mut value = (u64::from(file) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

fn traffic() -> impl Strategy<Value = Traffic> {
    let files = prop::collection::vec((1u64..60, any::<bool>()), 1..20);
    let reads = prop::collection::vec(0u32..20, 1..300);
    (files, reads, 1u64..800).prop_map(|(files, reads, memory_pages)| Traffic {
        reads: reads.iter().map(|read| read % files.len() as u32).collect(),
        pages: files.iter().map(|file| file.0).collect(),
        is_held: files.iter().map(|file| file.1).collect(),
        memory_pages,
    })
}

proptest! {
    #[test]
    fn both_page_caches_are_those_of_a_plan_where_every_file_is_followed(traffic in traffic()) {
        let (compared, baseline) = traffic.compared(ALL);
        let [alone, with_held] = traffic.plainly();
        for (followed, plain) in [
            (compared.alone.reads, alone.0),
            (compared.alone.us, alone.1),
            (compared.with_held.reads, with_held.0),
            (compared.with_held.us, with_held.1),
            (compared.saved().reads, alone.0 - with_held.0),
            (compared.saved().us, alone.1 - with_held.1),
        ] {
            let Estimate { value, error } = followed.estimate();
            prop_assert!(is_close(value, plain), "{value} for {plain}");
            prop_assert_eq!(error, 0.0);
        }
        prop_assert_eq!(baseline.share(), 1.0);
    }
}

/// Many files, asked for by Zipf's law, of which the hottest are held: what a host looks like.
fn of_a_host() -> impl Strategy<Value = Traffic> {
    const FILES: usize = 6_000;
    const READS: usize = 40_000;
    let exponent = 0.6f64..1.1;
    let (memory_share, held_share) = (0.05f64..0.6, 0.1f64..0.75);
    (exponent, memory_share, held_share, any::<u64>()).prop_map(
        |(exponent, memory_share, held_share, seed)| {
            let mut random = (0u64..).map(|it| key((it ^ seed) as u32));
            let mut uniform =
                move || (random.next().unwrap_or(0) >> 11) as f64 / (1u64 << 53) as f64;
            // Most files are small, few are large.
            let pages: Vec<u64> = (0..FILES)
                .map(|_| (1.0 / (uniform() + 0.005)) as u64 + 1)
                .collect();
            let mut until = 0.0;
            let weights = (1..=FILES).map(|rank| (rank as f64).powf(-exponent));
            let borders: Vec<f64> = weights
                .map(|weight| {
                    until += weight;
                    until
                })
                .collect();
            let mut rank = || borders.partition_point(|&border| border < uniform() * until);
            let reads = (0..READS).map(|_| rank().min(FILES - 1) as u32).collect();
            let memory_pages = (pages.iter().sum::<u64>() as f64 * memory_share) as u64;
            let mut left = (memory_pages as f64 * held_share) as u64;
            let hold = |&pages: &u64| {
                let fits = pages <= left;
                left -= if fits { pages } else { 0 };
                fits
            };
            Traffic {
                is_held: pages.iter().map(hold).collect(),
                pages,
                reads,
                memory_pages,
            }
        },
    )
}

#[test]
fn estimates_of_shares_hold_the_exact_figure_within_their_errors() {
    const TRACES: usize = 40;
    let mut runner = TestRunner::deterministic();
    let (mut within, mut all, mut errors) = ([0; 4], 0, 0.0);
    for _ in 0..TRACES {
        let traffic = of_a_host().new_tree(&mut runner).unwrap().current();
        let (exact, _) = traffic.compared(ALL);
        let (sampled, baseline) = traffic.compared(1_000);
        if baseline.share() == 1.0 {
            continue;
        }
        let figures = |it: Compared| {
            [
                it.alone.reads,
                it.with_held.reads,
                it.saved().reads,
                it.saved().us,
            ]
        };
        for (number, (exact, sampled)) in figures(exact).iter().zip(figures(sampled)).enumerate() {
            let (exact, Estimate { value, error }) = (exact.estimate().value, sampled.estimate());
            within[number] += usize::from((value - exact).abs() <= error);
            if number == 0 {
                errors += error / traffic.reads.len() as f64;
            }
        }
        all += 1;
    }
    assert!(all > TRACES / 2, "{all} traces are followed in part");
    for held in within {
        assert!(held * 10 >= all * 9, "{within:?} of {all}");
    }
    // An error that is as large as the figure would hold it always.
    assert!(errors / (all as f64) < 0.1, "{errors}");
}

#[test]
fn a_share_is_followed_where_files_would_take_too_much_memory_or_time() {
    let read_all = |baseline: &mut Baseline, files: u32, pages: u64| {
        (0..files).for_each(|file| baseline.read(key(file), 0, pages * PAGE_BYTES, false));
        baseline.next_interval(SECOND)
    };
    let new = |most_blocks| Baseline::new(1 << 40, &[profile("hdd")], most_blocks);
    let mut many = new(1_000);
    let interval = read_all(&mut many, 10_000, 1);
    assert!(many.share() <= 0.1, "{}", many.share());
    let first = interval.first_reads.estimate();
    assert!((first.value - 10_000.0).abs() <= first.error, "{first:?}");
    // A small file is one block, and is walked through once; ten thousand of a hundred blocks are a million.
    let mut large = new(ALL);
    read_all(&mut large, 10_000, 1_600);
    assert_eq!(large.share(), 0.5);
    let mut small = new(ALL);
    read_all(&mut small, 10_000, 1);
    assert_eq!(small.share(), 1.0);
}

#[test]
fn files_that_are_not_remembered_make_room_before_a_share_is_halved() {
    // Memory has room for a hundred blocks: what was read long ago makes no difference.
    let mut baseline = Baseline::new(1_600 * PAGE_BYTES, &[profile("hdd")], 1_000);
    for file in 0..100_000 {
        baseline.read(key(file), 0, 16 * PAGE_BYTES, false);
    }
    assert_eq!(baseline.share(), 1.0);
    assert!(baseline.has_been_full());
}
