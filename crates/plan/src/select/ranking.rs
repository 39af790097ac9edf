//! Files by falling value per page.

use std::cmp::Ordering;

use crate::value::Values;

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
    density: f64,
}

impl Candidate {
    /// Those of `heat` (objects with their accesses, decayed or not) that holding saves something.
    pub fn of_heat(values: &Values, heat: impl Iterator<Item = (u32, f64)>) -> Vec<Self> {
        let candidate = |(order, (object, heat)): (usize, (u32, f64))| {
            let value = heat * values.saved_us(object);
            (value > 0.0).then(|| {
                let pages = values.pages(object);
                Self {
                    object,
                    order: order as u32,
                    pages,
                    value,
                    density: value / pages as f64,
                }
            })
        };
        heat.enumerate().filter_map(candidate).collect()
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

/// Objects that are worth holding, by falling value per page.
#[derive(Clone, Debug)]
pub struct Ranking(pub(crate) Vec<Candidate>);

impl Ranking {
    /// Ranks objects by `heat`, their accesses (decayed or not) times what holding saves an access; those that save nothing
    /// are left out. Of objects with the same value per page the one given first comes first.
    pub fn new(values: &Values, heat: impl Iterator<Item = (u32, f64)>) -> Self {
        let mut candidates = Candidate::of_heat(values, heat);
        candidates.sort_unstable_by(Candidate::better_first);
        Self(candidates)
    }

    /// The objects for which `keep` holds, in the same order.
    pub(crate) fn filtered(&self, keep: impl Fn(u32) -> bool) -> Self {
        let kept = self.0.iter().filter(|candidate| keep(candidate.object));
        Self(kept.copied().collect())
    }

    /// The objects with their accesses, decayed or not, the most valuable first.
    pub fn heat(&self, values: &Values) -> impl Iterator<Item = (u32, f64)> {
        let candidates = self.0.iter();
        candidates.map(|candidate| {
            let heat = candidate.value / values.saved_us(candidate.object);
            (candidate.object, heat)
        })
    }

    /// The objects, the most valuable first.
    pub fn objects(&self) -> impl Iterator<Item = u32> {
        self.0.iter().map(|candidate| candidate.object)
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
