//! Files by falling value per page.

use std::cmp::Ordering;
use std::sync::OnceLock;

use crate::value::Values;

/// One in so many files is looked at to see where memory runs out: some ten thousand of a million.
pub(super) const SAMPLED: usize = 64;

/// A [`Ranking`] for some memory has in order what fills this many times as much: renewals that hold more than that, or gaps
/// that only a worse file fits, are rare.
const ROOM_IN_ORDER: f64 = 1.5;

/// An object that is worth holding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub object: u32,
    /// Place in what was ranked; decides between equals.
    order: u32,
    /// Whole pages it takes.
    pub pages: u64,
    /// Weighted microseconds saved by holding it.
    pub value: f64,
    /// The same for each page.
    pub density: f64,
}

impl Candidate {
    /// Those of `heat` (objects with their accesses, decayed or not) that holding saves something.
    pub fn of_heat(
        values: &Values,
        heat: impl Iterator<Item = (u32, f64)>,
    ) -> impl Iterator<Item = Self> {
        heat.enumerate().filter_map(|(order, (object, heat))| {
            let value = heat * values.saved_us(object);
            Self::new(values, object, order as u32, value)
        })
    }

    /// `object` of this value, in its place among what is ranked; nothing where it has none.
    #[inline]
    pub fn new(values: &Values, object: u32, order: u32, value: f64) -> Option<Self> {
        (value > 0.0).then(|| {
            let pages = values.pages(object);
            Self {
                object,
                order,
                pages,
                value,
                density: value / pages as f64,
            }
        })
    }

    /// The same with another value.
    pub fn worth(self, value: f64) -> Self {
        Self {
            value,
            density: value / self.pages as f64,
            ..self
        }
    }

    /// By falling value per page, ties in the order they were given.
    pub fn better_first(&self, other: &Self) -> Ordering {
        let density = other.density.total_cmp(&self.density);
        density.then(self.order.cmp(&other.order))
    }
}

/// What a sample of files says of where memory runs out.
pub(super) struct Sampled(Vec<Candidate>);

impl Sampled {
    /// Of `heat`, which has one in [`SAMPLED`] files.
    pub fn new(values: &Values, heat: impl Iterator<Item = (u32, f64)>) -> Self {
        let mut sampled: Vec<Candidate> = Candidate::of_heat(values, heat).collect();
        sampled.sort_unstable_by(Candidate::better_first);
        Self(sampled)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// About the value per page at which the best files fill so many `pages`; 0 where all fit.
    pub fn density_at(&self, pages: f64) -> f64 {
        let mut filled = 0.0;
        let crossing = self.0.iter().find(|candidate| {
            filled += candidate.pages as f64 * SAMPLED as f64;
            filled >= pages
        });
        crossing.map_or(0.0, |candidate| candidate.density)
    }
}

/// Objects that are worth holding, by falling value per page.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// The best, in order.
    best: Vec<Candidate>,
    /// Those that are worth less than any of the best, in no order: to sort a million files took longer than all else that a
    /// renewal does.
    rest: Vec<Candidate>,
    /// The same in order, once somebody asks.
    rest_in_order: OnceLock<Vec<Candidate>>,
}

impl Ranking {
    /// Ranks objects by `heat`, their accesses (decayed or not) times what holding saves an access; those that save nothing
    /// are left out. Of objects with the same value per page the one given first comes first.
    pub fn new(values: &Values, heat: impl Iterator<Item = (u32, f64)>) -> Self {
        Self::of(Candidate::of_heat(values, heat).collect(), Vec::new())
    }

    /// The same for whoever fills some `pages`: what is far beyond them is put in order when it is asked for. `heat` gives one in
    /// so many files.
    pub(crate) fn for_room<H: Iterator<Item = (u32, f64)>>(
        values: &Values,
        heat: impl Fn(usize) -> H,
        pages: u64,
    ) -> Self {
        let sampled = Sampled::new(values, heat(SAMPLED));
        let least = sampled.density_at(pages as f64 * ROOM_IN_ORDER);
        let candidates = Candidate::of_heat(values, heat(1));
        let (best, rest) = candidates.partition(|candidate| candidate.density >= least);
        Self::of(best, rest)
    }

    /// `rest` are worth less than any of `best`.
    fn of(mut best: Vec<Candidate>, rest: Vec<Candidate>) -> Self {
        best.sort_unstable_by(Candidate::better_first);
        Self {
            best,
            rest,
            rest_in_order: OnceLock::new(),
        }
    }

    /// The candidates, the most valuable first.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        let rest = std::iter::once_with(|| self.rest_in_order());
        self.best.iter().chain(rest.flatten())
    }

    fn rest_in_order(&self) -> &Vec<Candidate> {
        self.rest_in_order.get_or_init(|| {
            let mut rest = self.rest.clone();
            rest.sort_unstable_by(Candidate::better_first);
            rest
        })
    }

    /// The same in no order.
    pub(crate) fn unordered(&self) -> impl Iterator<Item = &Candidate> {
        self.best.iter().chain(&self.rest)
    }

    /// The objects for which `keep` holds, in the same order.
    pub(crate) fn filtered(&self, keep: impl Fn(u32) -> bool) -> Self {
        let kept = self.candidates().filter(|candidate| keep(candidate.object));
        Self::of(kept.copied().collect(), Vec::new())
    }

    /// The objects with their accesses, decayed or not, the most valuable first.
    pub fn heat(&self, values: &Values) -> impl Iterator<Item = (u32, f64)> {
        self.candidates().map(|candidate| {
            let heat = candidate.value / values.saved_us(candidate.object);
            (candidate.object, heat)
        })
    }

    /// The objects, the most valuable first.
    pub fn objects(&self) -> impl Iterator<Item = u32> {
        self.candidates().map(|candidate| candidate.object)
    }
}

/// The candidates of two rankings in one; of equals, those of the second first.
pub(crate) fn merged<'c>(
    a: impl Iterator<Item = &'c Candidate>,
    b: impl Iterator<Item = &'c Candidate>,
) -> impl Iterator<Item = &'c Candidate> {
    let (mut a, mut b) = (a.peekable(), b.peekable());
    std::iter::from_fn(move || match (a.peek(), b.peek()) {
        (Some(first), Some(other)) if first.better_first(other).is_lt() => a.next(),
        (Some(_), None) => a.next(),
        _ => b.next(),
    })
}
