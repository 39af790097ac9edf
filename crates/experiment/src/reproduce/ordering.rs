//! Which of two columns has the greater figure, in a document and here.

use serde::Serialize;

use super::cell::ReproducedCell;

/// Pairs of figures of a row, by whether the greater one is the greater one here too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Orderings {
    /// Pairs in the document's order.
    pub kept: u64,
    /// Pairs that are equal here, or the other way round.
    pub broken: u64,
}

impl Orderings {
    /// Those of the columns of each row. Pairs are compared as simulated, or as measured where one of both is not simulated. Pairs that are equal in
    /// the document are left out, and those of which one is not known.
    pub(crate) fn of_columns(cells: &[ReproducedCell]) -> Self {
        let mut all = Self::default();
        for (number, one) in cells.iter().enumerate() {
            let others = cells[number + 1..].iter();
            for other in others.filter(|other| other.row == one.row) {
                match is_kept(one, other) {
                    Some(true) => all.kept += 1,
                    Some(false) => all.broken += 1,
                    None => {}
                }
            }
        }
        all
    }

    /// Both together.
    pub(crate) fn and(self, others: Self) -> Self {
        Self {
            kept: self.kept + others.kept,
            broken: self.broken + others.broken,
        }
    }
}

/// Whether two figures come in the document's order.
fn is_kept(one: &ReproducedCell, other: &ReproducedCell) -> Option<bool> {
    let published = one.published?.total_cmp(&other.published?);
    let simulated = one.simulated.zip(other.simulated);
    let (ours, others) = simulated.or_else(|| one.measured.zip(other.measured))?;
    published
        .is_ne()
        .then(|| ours.total_cmp(&others) == published)
}
