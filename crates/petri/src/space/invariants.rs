//! Invariants of the uncoloured skeleton: sums of tokens that no firing changes, and firings that change nothing together.
//!
//! They are the minimal semiflows: sums with weights from 1 up of which no part is a sum by itself, found by Farkas' algorithm in whole
//! numbers (Martínez and Silva, "A simple and fast algorithm to obtain all invariants of a generalised Petri net", 1982).

use crate::net::Net;

/// No more sums than this are kept on the way: their number may grow with two to the power of the net's size.
const MOST_ROWS: usize = 5000;

/// No larger nets than this, in places times transitions: theirs would take minutes.
const LARGEST: usize = 1_000_000;

/// Weights of places or of transitions, by their number.
pub type Weights = Vec<(usize, u64)>;

/// A sum of tokens that stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceInvariant {
    /// The weights of places.
    pub weights: Weights,
    /// What the sum is.
    pub tokens: u64,
}

impl Net {
    /// The minimal place invariants; nothing if they are too many or the net is too large. A place that is reset, or that an arc gives a changing
    /// number of tokens, is in none of them.
    #[must_use]
    pub fn place_invariants(&self) -> Option<Vec<PlaceInvariant>> {
        let effects = self.effects()?;
        let rows = (0..self.drawn_places).filter(|&place| !effects.is_vague_place[place]);
        let rows = rows.map(|place| {
            let of = |it: &Vec<i64>| it[place];
            (place, effects.of.iter().map(of).collect())
        });
        let found = semiflows(rows.collect(), self.transitions.len())?;
        let tokens = |weights: &Weights| {
            let initial = weights
                .iter()
                .map(|&(place, weight)| weight * u64::from(self.places[place].initial));
            initial.sum()
        };
        let invariants = found.into_iter().map(|weights| PlaceInvariant {
            tokens: tokens(&weights),
            weights,
        });
        Some(invariants.collect())
    }

    /// The minimal transition invariants: how often transitions fire so that the marking is as before; nothing if they are
    /// too many or the net is too large. A transition that resets a place, or gives it a changing number of tokens, is in none of them.
    #[must_use]
    pub fn transition_invariants(&self) -> Option<Vec<Weights>> {
        let effects = self.effects()?;
        let rows = effects.of.iter().enumerate();
        let rows = rows.filter(|(transition, _)| !effects.is_vague[*transition]);
        let rows = rows.map(|(transition, effect)| (transition, effect.clone()));
        semiflows(rows.collect(), self.places.len())
    }

    /// What firings add to each place; nothing if the net is too large.
    fn effects(&self) -> Option<Effects> {
        let (places, transitions) = (self.places.len(), self.transitions.len());
        if places.saturating_mul(transitions) > LARGEST {
            return None;
        }
        let mut effects = Effects {
            of: vec![vec![0; places]; transitions],
            is_vague: vec![false; transitions],
            is_vague_place: vec![false; places],
        };
        for (transition, it) in self.transitions.iter().enumerate() {
            let of = &mut effects.of[transition];
            for &(place, count) in &it.needs {
                of[place as usize] -= i64::from(count);
            }
            for &place in &it.coloured_in {
                of[place as usize] -= 1;
            }
            for &(place, count, _) in &it.gives {
                of[place as usize] += i64::from(count);
            }
            let mut vague = it.resets.clone();
            for given in &self.drawing.transitions[transition].coloured_out {
                let place = self.dense[given.place.index as usize];
                if !self.drawing.places[given.place.index as usize]
                    .holding
                    .keeps
                {
                    effects.is_vague_place[place as usize] = true;
                    continue;
                }
                of[place as usize] += 1;
                if given.quantity.is_some() {
                    vague.push(place);
                }
            }
            effects.is_vague[transition] = !vague.is_empty();
            for place in vague {
                effects.is_vague_place[place as usize] = true;
            }
        }
        Some(effects)
    }
}

/// What firings add to each place.
struct Effects {
    /// By transition, then by place.
    of: Vec<Vec<i64>>,
    /// Transitions whose effect is not always the same.
    is_vague: Vec<bool>,
    /// Places on which that shows.
    is_vague_place: Vec<bool>,
}

/// A sum of rows of the matrix.
struct Sum {
    /// What it comes to in each column.
    values: Vec<i64>,
    /// How often each row is in it.
    weights: Vec<i64>,
}

/// Sums of numbered rows that come to 0 in all columns, without those of which a part is a sum too.
fn semiflows(rows: Vec<(usize, Vec<i64>)>, columns: usize) -> Option<Vec<Weights>> {
    let count = rows.len();
    // Each row is a sum at first, with a weight for every row.
    if count > MOST_ROWS {
        return None;
    }
    let numbers = Vec::from_iter(rows.iter().map(|row| row.0));
    let unit = |at: usize| (0..count).map(|it| i64::from(it == at)).collect();
    let sums = rows.into_iter().enumerate().map(|(at, (_, values))| Sum {
        values,
        weights: unit(at),
    });
    let mut sums: Vec<Sum> = sums.collect();
    let mut left: Vec<usize> = (0..columns).collect();
    while let Some(at) = cheapest(&sums, &left) {
        let column = left.swap_remove(at);
        sums = without(column, sums)?;
    }
    let weights = sums.into_iter().map(|sum| {
        let weights = numbers.iter().zip(sum.weights);
        let weights = weights.filter(|(_, weight)| *weight > 0);
        weights
            .map(|(&number, weight)| (number, weight as u64))
            .collect()
    });
    let mut weights: Vec<Weights> = weights.collect();
    weights.sort_unstable();
    Some(weights)
}

/// Where in `left` the column stands that makes the fewest new sums.
fn cheapest(sums: &[Sum], left: &[usize]) -> Option<usize> {
    let new = |&column: &usize| {
        let of_sign = |sign: i64| {
            sums.iter()
                .filter(|it| it.values[column].signum() == sign)
                .count()
        };
        of_sign(1) * of_sign(-1)
    };
    let columns = left.iter().enumerate();
    columns.min_by_key(|(_, column)| new(column)).map(|it| it.0)
}

/// The sums that come to 0 in a column, together with those of two that do; nothing if they are too many or too large.
fn without(column: usize, sums: Vec<Sum>) -> Option<Vec<Sum>> {
    let (mut kept, others): (Vec<Sum>, Vec<Sum>) =
        sums.into_iter().partition(|sum| sum.values[column] == 0);
    let (more, less): (Vec<Sum>, Vec<Sum>) =
        others.into_iter().partition(|sum| sum.values[column] > 0);
    for a in &more {
        for b in &less {
            let sum = a.with(b, column)?;
            if kept.iter().any(|it| it.is_part_of(&sum)) {
                continue;
            }
            kept.retain(|it| !sum.is_part_of(it));
            kept.push(sum);
            if kept.len() > MOST_ROWS {
                return None;
            }
        }
    }
    Some(kept)
}

impl Sum {
    /// The sum of this and another that comes to 0 in a column, divided by what all of its numbers have in common.
    fn with(&self, other: &Sum, column: usize) -> Option<Sum> {
        let (a, b) = (other.values[column].checked_abs()?, self.values[column]);
        let add = |mine: &[i64], theirs: &[i64]| -> Option<Vec<i64>> {
            let pairs = mine.iter().zip(theirs);
            let sums = pairs.map(|(x, y)| x.checked_mul(a)?.checked_add(y.checked_mul(b)?));
            sums.collect()
        };
        let mut sum = Sum {
            values: add(&self.values, &other.values)?,
            weights: add(&self.weights, &other.weights)?,
        };
        let all = sum.values.iter_mut().chain(&mut sum.weights);
        let mut all: Vec<&mut i64> = all.collect();
        let common = all
            .iter()
            .fold(0, |common, it| divisor(common, it.unsigned_abs()));
        all.iter_mut().for_each(|it| **it /= common.max(1) as i64);
        Some(sum)
    }

    /// Whether all rows of this one are in the other.
    fn is_part_of(&self, other: &Sum) -> bool {
        let mut pairs = self.weights.iter().zip(&other.weights);
        pairs.all(|(mine, theirs)| *mine == 0 || *theirs != 0)
    }
}

/// The greatest common divisor.
fn divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
