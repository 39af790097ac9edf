//! Where a curve bends: from there on more buys less.

/// Distances smaller than this, relatively, come from the order of additions.
const TIE: f64 = 1e-9;

/// Which of `points` is at the knee of their curve. Their first figures rise, such as memory; their second ones are better the lower
/// they are, such as a response. Up to the knee each further step of the first lowers the second by more than the average over the
/// curve, beyond it by less. Nothing for a curve without a bend of that kind.
///
/// It is the point farthest below the chord from the first point to the first of the lowest ones, both
/// axes scaled to 0 to 1: V. Satopää, J. Albrecht, D. Irwin, B. Raghavan, "Finding a 'Kneedle' in a Haystack: Detecting
/// Knee Points in System Behavior", ICDCS Workshops 2011, without its smoothing.
#[must_use]
pub fn knee(points: &[(f64, f64)]) -> Option<usize> {
    let (first, rest) = points.split_first()?;
    let lowest = rest
        .iter()
        .reduce(|best, it| if it.1 < best.1 { it } else { best })?;
    let scaled = |value: f64, from: f64, to: f64| (value - from) / (to - from);
    let below_chord =
        |it: &(f64, f64)| scaled(it.1, first.1, lowest.1) - scaled(it.0, first.0, lowest.0);
    let inner = points.iter().enumerate().skip(1);
    let inner = inner.filter(|(_, it)| it.0 < lowest.0);
    let distances = inner.map(|(at, it)| (at, below_chord(it)));
    let (at, _) = distances
        .filter(|(_, distance)| *distance > TIE)
        .max_by(|a, b| a.1.total_cmp(&b.1))?;
    (lowest.1 < first.1).then_some(at)
}
