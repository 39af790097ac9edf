//! What is held stays unless something else is clearly better.

use crate::select::{Budget, Candidate, HeldSet, Ranking, merged, select};
use crate::value::Values;

/// Holds objects of `ranking` where those of `held` are held already.
///
/// An object that takes a held one's place has to be read before it saves anything: without an access of advantage,
/// objects of nearly equal heat would push each other out for ever.
pub fn select_beside(
    held: &HeldSet,
    values: &Values,
    ranking: &Ranking,
    budget: Budget,
) -> HeldSet {
    select(values, &favouring(held, values, ranking), budget)
}

/// The ranking where each object of `held` counts one access more.
fn favouring(held: &HeldSet, values: &Values, ranking: &Ranking) -> Ranking {
    let (mut kept, others): (Vec<Candidate>, Vec<Candidate>) = ranking
        .0
        .iter()
        .partition(|candidate| held.contains(candidate.object));
    for candidate in &mut kept {
        let value = candidate.value + values.saved_us(candidate.object);
        *candidate = candidate.worth(value);
    }
    kept.sort_unstable_by(Candidate::better_first);
    merged(&kept, &others)
}
