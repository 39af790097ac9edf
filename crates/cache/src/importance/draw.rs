//! Which objects are in a sample.

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::scan::Scan;

/// How objects are drawn.
pub(super) struct Draw {
    /// How likely each object is in a sample; 0 where it is not requested.
    pub(super) probabilities: Vec<f64>,
    /// The objects that may be in a sample. Neighbours take about as much room for each repeated request, so that they can
    /// stand for each other.
    order: Vec<usize>,
}

impl Draw {
    /// Samples of `rate` of the objects requested as often as `counts` says.
    ///
    /// Estimated are sums over repeated requests: of 1, of both weights, and of the room that objects take. Probabilities in
    /// proportion to the root of the sum of the squares of an object's shares of these sums give the least sum of the
    /// relative variances, were objects drawn independently. For one sum it is Neyman's allocation ("On the two different
    /// aspects of the representative method", Journal of the Royal Statistical Society 97, 1934).
    pub(super) fn new(scan: &Scan<'_>, counts: &[u64], rate: f64) -> Draw {
        let shares = |of: &dyn Fn(usize) -> f64| {
            let values: Vec<f64> = (0..counts.len())
                .map(|id| if counts[id] > 0 { of(id) } else { 0.0 })
                .collect();
            let total = values.iter().sum::<f64>().max(f64::MIN_POSITIVE);
            values.into_iter().map(move |value| value / total)
        };
        let repeats = |id: usize| counts[id].saturating_sub(1) as f64;
        let rooms: Vec<f64> = shares(&|id| scan.sizes[id] as f64).collect();
        let requests: Vec<f64> = shares(&repeats).collect();
        let [first, second] = scan
            .weights
            .map(|weight| shares(&|id| repeats(id) * weight[id]).collect::<Vec<f64>>());
        let importance: Vec<f64> = (0..counts.len())
            .map(|id| [rooms[id], requests[id], first[id], second[id]])
            .map(|shares| shares.iter().map(|share| share * share).sum::<f64>().sqrt())
            .collect();
        let requested = counts.iter().filter(|count| **count > 0).count();
        let probabilities = probabilities(&importance, rate, requested);
        let mut order: Vec<usize> = (0..counts.len())
            .filter(|&id| probabilities[id] > 0.0)
            .collect();
        let room_each = |id: usize| rooms[id] / requests[id].max(f64::MIN_POSITIVE);
        order.sort_by(|&a, &b| room_each(a).total_cmp(&room_each(b)));
        Draw {
            probabilities,
            order,
        }
    }

    /// Mean room of objects that stand for others, each as often as it takes room; nothing where there is none.
    pub(super) fn mean_room(&self, sizes: &[u64]) -> Option<f64> {
        let (mut sizes_sum, mut rooms_sum) = (0.0, 0.0);
        for &id in &self.order {
            let (size, probability) = (sizes[id] as f64, self.probabilities[id]);
            if probability < 1.0 {
                // It is in a sample with this probability, takes size / probability, and counts by that.
                sizes_sum += size;
                rooms_sum += size * (size / probability);
            }
        }
        (sizes_sum > 0.0).then(|| rooms_sum / sizes_sum)
    }

    /// The objects of the sample that `seed` chooses, ascending: ordered pivotal sampling (Deville and Tillé, "Unequal
    /// probability sampling without replacement through a splitting method", Biometrika 85, 1998; Chauvet, "On a
    /// characterization of ordered pivotal sampling", Bernoulli 18, 2012). Each object is in it with its probability, and
    /// any stretch of the order has as many as its probabilities add up to, within two.
    pub(super) fn sample(&self, seed: u64) -> Vec<usize> {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut drawn = Vec::new();
        let mut open: Option<(usize, f64)> = None;
        for &id in &self.order {
            let probability = self.probabilities[id];
            open = match open {
                _ if probability >= 1.0 => {
                    drawn.push(id);
                    open
                }
                None => Some((id, probability)),
                Some(other) => Some(duel(other, (id, probability), &mut random, &mut drawn)),
            };
        }
        drawn.extend(
            open.filter(|(_, probability)| random.random::<f64>() < *probability)
                .map(|(id, _)| id),
        );
        drawn.sort_unstable();
        drawn
    }
}

/// Decides for one of two objects, that it is in the sample or not; the other takes what is left of their probabilities.
fn duel(
    (a, of_a): (usize, f64),
    (b, of_b): (usize, f64),
    random: &mut impl Rng,
    drawn: &mut Vec<usize>,
) -> (usize, f64) {
    let sum = of_a + of_b;
    let chance: f64 = random.random();
    if sum <= 1.0 {
        let stays = if chance * sum < of_a { a } else { b };
        return (stays, sum);
    }
    let (wins, stays) = match chance * (2.0 - sum) < 1.0 - of_b {
        true => (a, b),
        false => (b, a),
    };
    drawn.push(wins);
    (stays, sum - 1.0)
}

/// Probabilities in proportion to importance, at most 1 each, that add up to `rate` of the `requested` objects.
fn probabilities(importance: &[f64], rate: f64, requested: usize) -> Vec<f64> {
    let factor = match rate < 1.0 {
        true => factor(importance, rate * requested as f64),
        false => f64::MAX,
    };
    importance.iter().map(|it| (it * factor).min(1.0)).collect()
}

/// By what importance is multiplied so that probabilities, at most 1 each, add up to `wanted` objects.
fn factor(importance: &[f64], wanted: f64) -> f64 {
    let mut falling = importance.to_vec();
    falling.sort_unstable_by(|a, b| b.total_cmp(a));
    let mut rest: f64 = falling.iter().sum();
    for (certain, most) in falling.iter().enumerate() {
        // What is left may be nothing but what rounding left.
        let left = wanted - certain as f64;
        if rest > 0.0 && left * most <= rest {
            return left / rest;
        }
        rest -= most;
    }
    f64::MAX
}
