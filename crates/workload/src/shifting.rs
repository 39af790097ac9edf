//! Zipf-like popularity whose popular set moves.

use rand::SeedableRng;
use rand::seq::{SliceRandom, index};
use rand_pcg::Pcg64Mcg;

use crate::error::{GenerateError, require};
use crate::generator::Generator;
use crate::single_site::{numbered_files, trace, whole_file};
use crate::zipf::Zipf;
use hotset_trace::Trace;

/// [`Zipf`] until the first shift; at each shift a random share of the ranks is dealt anew among the
/// files that held them. No file of that share keeps its rank (where there are two or more).
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
        std::iter::successors(Some(first), move |before| {
            let mut after = before.clone();
            deal_anew(&mut after, share, &mut shifts);
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

/// Passes the objects at a random `share` of the ranks on, each to the next, in random order.
fn deal_anew(object_at: &mut [u32], share: f64, random: &mut Pcg64Mcg) {
    let moved = (share * object_at.len() as f64).round() as usize;
    let mut ranks = index::sample(random, object_at.len(), moved).into_vec();
    ranks.shuffle(random);
    for pair in ranks.windows(2) {
        object_at.swap(pair[0], pair[1]);
    }
}

/// Keeps the stream of shifts apart from the stream that draws requests.
const SHIFTS: u64 = 0x5348_4946_5453;
