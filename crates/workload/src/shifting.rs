//! Zipf-like popularity whose popular set moves.

use rand::SeedableRng;
use rand::seq::{SliceRandom, index};
use rand_pcg::Pcg64Mcg;

use crate::error::{GenerateError, require};
use crate::generator::Generator;
use crate::single_site::{numbered_files, trace, whole_file};
use crate::size_order::places;
use crate::zipf::Zipf;
use hotset_trace::Trace;

/// [`Zipf`] until the first shift; at each shift a random share of the ranks is dealt anew among the
/// files that held them. Where sizes are shuffled, no file of that share keeps its rank (where there are two or more). Otherwise
/// they are dealt so that their sizes and ranks have the correlation of [`Zipf::size_correlation`] again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shifting {
    /// Popularity, sizes and load.
    pub zipf: Zipf,
    /// Requests from one shift to the next.
    pub shift_every: u64,
    /// Share of the ranks that each shift deals anew, 0 to 1.
    pub share: f64,
}

impl Shifting {
    /// Objects by falling popularity before the first shift, after it, after the second, and so on without end.
    pub fn objects_by_rank(&self, seed: u64) -> impl Iterator<Item = Vec<u32>> + use<> {
        let mut shifts = Pcg64Mcg::seed_from_u64(seed ^ SHIFTS);
        let (share, first) = (self.share, (0..self.zipf.objects).collect::<Vec<u32>>());
        let correlation = self.zipf.size_correlation;
        let size_places = self.zipf.size_places(seed);
        std::iter::successors(Some(first), move |before| {
            let mut after = before.clone();
            let ranks = ranks_to_deal(after.len(), share, &mut shifts);
            match correlation {
                0.0 => deal_anew(&mut after, ranks, &mut shifts),
                _ => deal_by_size(&mut after, ranks, &size_places, correlation, &mut shifts),
            }
            Some(after)
        })
    }
}

impl Generator for Shifting {
    fn generate(&self, seed: u64) -> Result<Trace, GenerateError> {
        require(
            self.shift_every > 0,
            "shift every",
            self.shift_every,
            "at least 1 request",
        )?;
        require(
            (0.0..=1.0).contains(&self.share),
            "share",
            self.share,
            "between 0 and 1",
        )?;
        require(
            self.zipf.size_correlation.abs() != 1.0,
            "size correlation",
            self.zipf.size_correlation,
            "between -1 and 1 where popularity shifts: at either end each file's size fixes its popularity",
        )?;
        let sizes = self.zipf.sizes(seed)?;
        let rank = self.zipf.ranks()?;
        let objects = numbered_files(sizes.clone());
        let mut phases = self.objects_by_rank(seed);
        let mut object_at = Vec::new();
        trace(
            "shifting",
            objects,
            self.zipf.load,
            seed,
            |random, request| {
                if request.is_multiple_of(self.shift_every) {
                    object_at = phases.next().unwrap_or_default();
                }
                whole_file(object_at[rank(random) as usize], &sizes)
            },
        )
    }
}

/// The ranks that a shift deals anew, a random `share` of them.
fn ranks_to_deal(objects: usize, share: f64, random: &mut Pcg64Mcg) -> Vec<usize> {
    let moved = (share * objects as f64).round() as usize;
    index::sample(random, objects, moved).into_vec()
}

/// Passes the objects at `ranks` on, each to the next, in random order.
fn deal_anew(object_at: &mut [u32], mut ranks: Vec<usize>, random: &mut Pcg64Mcg) {
    ranks.shuffle(random);
    for pair in ranks.windows(2) {
        object_at.swap(pair[0], pair[1]);
    }
}

/// Deals the objects at `ranks` anew with a rank correlation of size and popularity.
fn deal_by_size(
    object_at: &mut [u32],
    mut ranks: Vec<usize>,
    size_places: &[u32],
    correlation: f64,
    random: &mut Pcg64Mcg,
) {
    ranks.sort_unstable();
    let mut by_size: Vec<u32> = ranks.iter().map(|&rank| object_at[rank]).collect();
    by_size.sort_unstable_by_key(|&object| size_places[object as usize]);
    let places = places(ranks.len(), correlation, random);
    for (rank, place) in ranks.into_iter().zip(places) {
        object_at[rank] = by_size[place as usize];
    }
}

/// Keeps the stream of shifts apart from the stream that draws requests.
const SHIFTS: u64 = 0x5348_4946_5453;
