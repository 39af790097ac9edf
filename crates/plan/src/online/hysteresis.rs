//! What is held stays unless something else is clearly better.

use crate::select::{Budget, Candidate, HeldSet, Ranking, Room, merged, select};
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

/// The same where not every object may be moved in at once: `may_move` is asked for each that is not held yet, the most valuable
/// first. What has to wait leaves its room to objects that were held, as far as no other site reserves it.
pub fn select_moving(
    held: &HeldSet,
    values: &Values,
    ranking: &Ranking,
    budget: Budget,
    mut may_move: impl FnMut(u32) -> bool,
) -> HeldSet {
    let favoured = favouring(held, values, ranking);
    let next = select(values, &favoured, budget);
    let mut room = Room::new(values, favoured.objects(), budget);
    let mut take = |object: u32| room.take(values, object);
    let all = next.objects().iter().copied();
    let mut chosen: Vec<u32> = all
        .filter(|&object| held.contains(object) || may_move(object))
        .filter(|&object| take(object))
        .collect();
    let given_up = |&object: &u32| held.contains(object) && !next.contains(object);
    chosen.extend(
        favoured
            .objects()
            .filter(given_up)
            .filter(|&object| take(object)),
    );
    HeldSet::of(values, &chosen)
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
