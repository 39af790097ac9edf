//! What is held stays unless something else is clearly better.

use crate::select::{Budget, Candidate, HeldSet, Ranking, Room, merged};
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
    let favoured = FavouredRanking::new(held, values, ranking);
    let mut room = favoured.room(values, budget);
    HeldSet::of(values, &room.take_fitting(values, favoured.candidates()))
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
    let next = select_beside(held, values, ranking, budget);
    let favoured = FavouredRanking::new(held, values, ranking);
    let mut room = favoured.room(values, budget);
    let mut take = |object: u32| room.take(values, object);
    let all = next.objects().iter().copied();
    let mut chosen: Vec<u32> = all
        .filter(|&object| held.contains(object) || may_move(object))
        .filter(|&object| take(object))
        .collect();
    let given_up = |&object: &u32| held.contains(object) && !next.contains(object);
    let kept = favoured.kept.iter().map(|candidate| candidate.object);
    chosen.extend(kept.filter(given_up).filter(|&object| take(object)));
    HeldSet::of(values, &chosen)
}

/// A ranking where each object of `held` counts one access more. Only these are written down anew: a ranking of a million files takes
/// 32 MB.
struct FavouredRanking<'a> {
    held: &'a HeldSet,
    ranking: &'a Ranking,
    kept: Vec<Candidate>,
}

impl<'a> FavouredRanking<'a> {
    fn new(held: &'a HeldSet, values: &Values, ranking: &'a Ranking) -> Self {
        let candidates = ranking.unordered();
        let favoured = candidates.filter(|candidate| held.contains(candidate.object));
        let favoured = favoured
            .map(|candidate| candidate.worth(candidate.value + values.saved_us(candidate.object)));
        let mut kept: Vec<Candidate> = favoured.collect();
        kept.sort_unstable_by(Candidate::better_first);
        Self {
            held,
            ranking,
            kept,
        }
    }

    /// The room that its objects find in `budget`.
    fn room(&self, values: &Values, budget: Budget) -> Room {
        let objects = self.candidates().map(|candidate| candidate.object);
        Room::new(values, objects, budget)
    }

    /// The candidates, the most valuable first.
    fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        let candidates = self.ranking.candidates();
        let others = candidates.filter(|candidate| !self.held.contains(candidate.object));
        merged(self.kept.iter(), others)
    }
}
