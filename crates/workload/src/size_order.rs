//! Which file has which size, by its popularity.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use crate::error::{GenerateError, require};

/// Furthest that the rank correlation of many files lies from the one asked for. Of few files, orders have no correlation
/// so near to every number: it is then no further away than one exchange of neighbours moves it, 12 / (n (n + 1)) for n files.
pub const SIZE_CORRELATION_TOLERANCE: f64 = 0.001;

/// Halvings after which orders no longer differ.
const HALVINGS: u32 = 60;

/// Refuses what no rank correlation can be.
pub(crate) fn require_correlation(correlation: f64) -> Result<(), GenerateError> {
    let holds = (-1.0..=1.0).contains(&correlation);
    require(holds, "size correlation", correlation, "from -1 to 1")
}

/// The place of each of `count` files in rising order of size, from the most popular file on. Spearman's rank correlation of
/// size and popularity is `correlation` within [`SIZE_CORRELATION_TOLERANCE`]; at 0 places are shuffled, and nothing more.
///
/// The shuffled order is moved towards the sorted one until the correlation is right: files are sorted by a weighted mean of
/// their shuffled and their sorted place. A rising weight exchanges two neighbours only where that puts them into the sorted
/// order. So the correlation never turns back on its way from one order to the other, and halving finds the weight.
pub(crate) fn places(count: usize, correlation: f64, random: &mut Pcg64Mcg) -> Vec<u32> {
    let mut shuffled: Vec<u32> = (0..count as u32).collect();
    shuffled.shuffle(random);
    // Popularity falls along the files, while places rise.
    let wanted = -correlation;
    if wanted == 0.0 || count < 2 {
        return shuffled;
    }
    let rising = || (0..count as u32).collect::<Vec<u32>>();
    let falling = || (0..count as u32).rev().collect::<Vec<u32>>();
    match wanted {
        1.0 => return rising(),
        -1.0 => return falling(),
        _ => {}
    }
    let sorted = match wanted > rank_correlation(&shuffled) {
        true => rising(),
        false => falling(),
    };
    // Between whole numbers, no two pairs of files change places at the same weight.
    let noise: Vec<f64> = shuffled
        .iter()
        .map(|&at| f64::from(at) + random.random::<f64>())
        .collect();
    let mix = |weight: f64| {
        let places = noise.iter().zip(&sorted);
        let means = places.map(|(from, &to)| from + weight * (f64::from(to) - from));
        ranks(&means.collect::<Vec<f64>>())
    };
    nearest(shuffled, wanted, mix)
}

/// The order among those of `mix` between the weights 0, which is `first`, and 1 whose correlation is the nearest to `wanted`.
fn nearest(first: Vec<u32>, wanted: f64, mix: impl Fn(f64) -> Vec<u32>) -> Vec<u32> {
    let off = |order: &[u32]| wanted - rank_correlation(order);
    let towards = off(&first).signum();
    let (mut start, mut end) = (0.0, 1.0);
    let mut best = first;
    for _ in 0..HALVINGS {
        if off(&best).abs() <= SIZE_CORRELATION_TOLERANCE {
            break;
        }
        let weight = f64::midpoint(start, end);
        let order = mix(weight);
        match off(&order) * towards > 0.0 {
            true => start = weight,
            false => end = weight,
        }
        if off(&order).abs() < off(&best).abs() {
            best = order;
        }
    }
    best
}

/// The rank of each of `keys` in rising order.
fn ranks(keys: &[f64]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..keys.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| keys[a as usize].total_cmp(&keys[b as usize]));
    let mut ranks = vec![0; keys.len()];
    for (rank, &at) in (0..).zip(&order) {
        ranks[at as usize] = rank;
    }
    ranks
}

/// Spearman's rank correlation of the places and the numbers of two or more files, neither of which has ties.
fn rank_correlation(places: &[u32]) -> f64 {
    let count = places.len() as f64;
    let differences = (0..)
        .zip(places)
        .map(|(at, &place)| f64::from(place) - f64::from(at));
    let squares: f64 = differences
        .map(|difference: f64| difference * difference)
        .sum();
    1.0 - 6.0 * squares / (count * (count * count - 1.0))
}
