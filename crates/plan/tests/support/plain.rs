//! hotset's definition of page cache, plan and clairvoyant set for one site behind a disk, as plain as can be.

use std::collections::VecDeque;

const PAGE: u64 = 4096;

fn pages(size: u64) -> u64 {
    size.div_ceil(PAGE)
}

fn hit_us(size: u64) -> f64 {
    5.0 + size as f64 / 4000.0
}

fn miss_us(size: u64) -> f64 {
    10_000.0 + size as f64 / 39.0
}

/// Mean response and hit ratio.
#[derive(Clone, Copy, Debug)]
pub struct PlainScore {
    pub mean_us: f64,
    pub hit_ratio: f64,
    pub share: f64,
}

fn total(list: &VecDeque<u32>, sizes: &[u64]) -> u64 {
    list.iter()
        .map(|&object| pages(sizes[object as usize]))
        .sum()
}

fn take(list: &mut VecDeque<u32>, object: u32) -> bool {
    let found = list.iter().position(|&other| other == object);
    found.is_some_and(|at| list.remove(at).is_some())
}

/// `trace[start..]` with `held` in memory and a two-list cache of `capacity` pages.
fn scan(trace: &[u32], sizes: &[u64], held: &[u32], capacity: u64, start: usize) -> (f64, f64) {
    let (mut inactive, mut active) = (VecDeque::new(), VecDeque::new());
    let (mut us, mut hits) = (0.0, 0.0);
    for (index, &object) in trace.iter().enumerate() {
        let size = sizes[object as usize];
        let mut hit = true;
        if held.contains(&object) {
        } else if take(&mut active, object) || take(&mut inactive, object) {
            active.push_back(object);
        } else {
            hit = false;
            if pages(size) <= capacity {
                inactive.push_back(object);
                while total(&inactive, sizes) + total(&active, sizes) > capacity {
                    while total(&active, sizes) > total(&inactive, sizes) {
                        inactive.extend(active.pop_front());
                    }
                    inactive.pop_front();
                }
            }
        }
        if index >= start {
            hits += f64::from(u8::from(hit));
            us += if hit { hit_us(size) } else { miss_us(size) };
        }
    }
    let n = (trace.len() - start) as f64;
    (us / n, hits / n)
}

/// Objects of `part` by falling value per page, ties to the smaller id.
fn ranking(part: &[u32], sizes: &[u64]) -> Vec<u32> {
    let mut objects: Vec<u32> = part.to_vec();
    objects.sort_unstable();
    objects.dedup();
    let value = |object: u32| {
        let (size, count) = (
            sizes[object as usize],
            part.iter().filter(|&&other| other == object).count(),
        );
        count as f64 * (miss_us(size) - hit_us(size)) / pages(size) as f64
    };
    objects.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
    objects
}

fn score(
    trace: &[u32],
    sizes: &[u64],
    memory: u64,
    ranked: &[u32],
    share: f64,
    start: usize,
) -> PlainScore {
    let (mut held, mut used) = (Vec::new(), 0);
    for &object in ranked {
        let need = pages(sizes[object as usize]);
        if used + need <= (memory as f64 * share) as u64 {
            held.push(object);
            used += need;
        }
    }
    let (mean_us, hit_ratio) = scan(trace, sizes, &held, memory - used, start);
    PlainScore {
        mean_us,
        hit_ratio,
        share,
    }
}

fn best(trace: &[u32], sizes: &[u64], memory: u64, ranked: &[u32], start: usize) -> PlainScore {
    let scores =
        (0..=20).map(|step| score(trace, sizes, memory, ranked, f64::from(step) / 20.0, start));
    let better = |best: PlainScore, next: PlainScore| {
        if next.mean_us < best.mean_us * (1.0 - 1e-12) {
            next
        } else {
            best
        }
    };
    scores.reduce(better).expect("21 shares")
}

/// Page cache alone, plan and clairvoyant set.
pub struct Plain {
    pub page_cache: PlainScore,
    pub plan: PlainScore,
    pub clairvoyant: PlainScore,
}

/// The plain plan for `memory` pages.
pub fn plan(trace: &[u32], sizes: &[u64], memory: u64) -> Plain {
    let cut = (trace.len() as f64 * 0.7) as usize;
    let train = &trace[..cut];
    let inner = (cut as f64 * 0.7) as usize;
    let share = if cut == inner {
        0.0
    } else {
        best(
            train,
            sizes,
            memory,
            &ranking(&train[..inner], sizes),
            inner,
        )
        .share
    };
    let known: Vec<u32> = trace[cut..]
        .iter()
        .copied()
        .filter(|object| train.contains(object))
        .collect();
    Plain {
        page_cache: score(trace, sizes, memory, &[], 0.0, cut),
        plan: score(trace, sizes, memory, &ranking(train, sizes), share, cut),
        clairvoyant: best(trace, sizes, memory, &ranking(&known, sizes), cut),
    }
}
