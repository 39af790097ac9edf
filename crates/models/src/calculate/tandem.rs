//! Two stations in a row that serve each customer for the same time.

use super::demand::Demand;

/// Rounds of Newton's method at most; most services need three.
const MOST_ROUNDS: usize = 30;
const TOLERANCE: f64 = 1e-9;

/// Mean wait at the second of two stations, seconds. Each customer is served at the second for as long as at the first, first come, first
/// served. Each station has one server. Customers come to the first as a Poisson process, and it is busy for the share `busy` of the time,
/// less than 1. Services are those of `demand`, one after the other.
///
/// From its beginning at the first station, a busy period keeps the second one behind its longest service so far. O. J. Boxma, "On a
/// tandem queueing model with identical service times at both counters", Advances in Applied Probability 11, 1979, has the distribution of
/// what that comes to. It is summed up here over lengths of services.
#[must_use]
pub fn second_wait_s(demand: &Demand, busy: f64) -> f64 {
    let services = demand.services();
    let count: f64 = services.iter().map(|it| it.0).sum();
    let all_s: f64 = services
        .iter()
        .map(|(number, seconds)| number * seconds)
        .sum();
    let Some(&(_, longest_s)) = services.last() else {
        return 0.0;
    };
    let per_s = busy * count / all_s;
    let mut stay_s = longest_s;
    // The probability that what earlier busy periods have left is no longer.
    let mut none_left = 1.0;
    let mut longer = 0.0;
    for shorter in (1..services.len()).rev() {
        let (number, above_s) = services[shorter];
        longer += number / count;
        let shares = services[..shorter].iter();
        let shares = shares.map(|&(number, seconds)| (number / count, seconds));
        let ended = ends_with_longer(shares, longer, per_s);
        let no_longer = (1.0 - busy) * (1.0 - longer) * ended / longer;
        let rate = per_s * ended;
        let decay = (-rate * (above_s - services[shorter - 1].1)).exp();
        stay_s -= no_longer * none_left * (1.0 - decay) / rate;
        none_left *= decay;
    }
    (stay_s - all_s / count).max(0.0)
}

/// The probability that a busy period has a service that is longer than these. Each of these has its share of all services, and `longer` is
/// the share of the others. By Takács' equation: u = q + Σ p (1 - exp(-λ u s)), which has one root above 0.
fn ends_with_longer(
    shares: impl Iterator<Item = (f64, f64)> + Clone,
    longer: f64,
    per_s: f64,
) -> f64 {
    let mut ended = longer;
    for _ in 0..MOST_ROUNDS {
        let (mut apart, mut slope) = (longer - ended, -1.0);
        for (share, seconds) in shares.clone() {
            let at_all = -(-per_s * ended * seconds).exp_m1();
            apart += share * at_all;
            slope += share * per_s * seconds * (1.0 - at_all);
        }
        let step = apart / slope;
        ended -= step;
        if step.abs() <= TOLERANCE * ended {
            break;
        }
    }
    ended
}
