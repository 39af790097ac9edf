//! Which of the enabled bindings fires.

use crate::stream::Stream;

/// How the next firing is chosen among enabled bindings of the most urgent transitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// Each binding is as likely as any other: what a net means where bindings compete.
    #[default]
    Fair,
    /// The first binding of the first transition, in the order in which they were drawn: for nets where no bindings
    /// compete.
    Fast,
}

/// Numbers of enabled bindings, by transition: the leaves of a tree of sums. A choice goes down it and a change goes up, so both look at
/// few numbers however many transitions there are.
struct Weights {
    /// The leaves, then the sums of each [`FAN`] of them, then the sums of those.
    sums: Vec<u64>,
    /// Where each layer begins, from the leaves up.
    layers: Vec<usize>,
    total: u64,
}

/// Sixteen numbers lie in two lines of the processor's cache.
const FAN: usize = 16;

impl Weights {
    fn new(len: usize) -> Weights {
        let (mut layers, mut all, mut width) = (vec![0], len, len);
        while width > FAN {
            layers.push(all);
            width = width.div_ceil(FAN);
            all += width;
        }
        Weights {
            sums: vec![0; all],
            layers,
            total: 0,
        }
    }

    fn of(&self, index: usize) -> u64 {
        self.sums[index]
    }

    #[inline]
    fn set(&mut self, mut index: usize, weight: u64) {
        let old = std::mem::replace(&mut self.sums[index], weight);
        if old == weight {
            return;
        }
        let change = weight.wrapping_sub(old);
        for layer in &self.layers[1..] {
            index /= FAN;
            let sum = &mut self.sums[layer + index];
            *sum = sum.wrapping_add(change);
        }
        self.total = self.total.wrapping_add(change);
    }

    /// The transition in which the binding of this number lies, and its number there.
    #[inline]
    fn find(&self, mut nth: u64) -> (usize, u64) {
        let mut index = 0;
        for layer in self.layers.iter().rev() {
            index *= FAN;
            while nth >= self.sums[layer + index] {
                nth -= self.sums[layer + index];
                index += 1;
            }
        }
        (index, nth)
    }
}

/// Enabled bindings of all transitions, by urgency.
pub(super) struct EnabledBindings {
    levels: Vec<Weights>,
    /// The level of each transition, and its place there.
    place: Vec<(u32, u32)>,
    /// The transitions of each level.
    members: Vec<Vec<u32>>,
    choice: Choice,
}

impl EnabledBindings {
    /// Nothing is enabled yet; `levels` are the ranks of the transitions.
    pub fn new(levels: &[usize], choice: Choice) -> EnabledBindings {
        let count = levels.iter().max().map_or(0, |max| max + 1);
        let mut members = vec![Vec::new(); count];
        let mut place = Vec::new();
        for (transition, &level) in levels.iter().enumerate() {
            place.push((level as u32, members[level].len() as u32));
            members[level].push(transition as u32);
        }
        let levels = members.iter().map(|members| Weights::new(members.len()));
        EnabledBindings {
            levels: levels.collect(),
            place,
            members,
            choice,
        }
    }

    /// So many bindings need counting to choose as asked.
    pub fn limit(&self) -> u64 {
        match self.choice {
            Choice::Fair => u64::from(u32::MAX),
            Choice::Fast => 1,
        }
    }

    #[inline]
    pub fn set(&mut self, transition: usize, bindings: u64) {
        let (level, index) = self.place[transition];
        self.levels[level as usize].set(index as usize, bindings);
    }

    pub fn of(&self, transition: usize) -> u64 {
        let (level, index) = self.place[transition];
        self.levels[level as usize].of(index as usize)
    }

    /// The next transition to fire and the number of its binding.
    #[inline]
    pub fn draw(&self, stream: &mut Stream) -> Option<(usize, u64)> {
        let level = self.levels.iter().position(|level| level.total > 0)?;
        let weights = &self.levels[level];
        let nth = match self.choice {
            Choice::Fair if weights.total > 1 => stream.below(weights.total),
            _ => 0,
        };
        let (index, nth) = weights.find(nth);
        Some((self.members[level][index] as usize, nth))
    }
}

#[cfg(test)]
mod tests {
    use super::Weights;

    /// The transition that bindings counted one after the other come to.
    fn found_one_by_one(weights: &[u64], mut nth: u64) -> (usize, u64) {
        let mut index = 0;
        while nth >= weights[index] {
            nth -= weights[index];
            index += 1;
        }
        (index, nth)
    }

    #[test]
    fn a_tree_of_sums_chooses_as_counting_does() {
        for len in [1, 15, 16, 17, 255, 256, 257, 1000, 5000] {
            let (mut tree, mut plain) = (Weights::new(len), vec![0; len]);
            for step in 0..3000_u64 {
                let index = (step * 7919 % len as u64) as usize;
                let weight = [0, 0, 1, 5, u64::from(u32::MAX)][(step * 31 % 5) as usize];
                tree.set(index, weight);
                plain[index] = weight;
                assert_eq!(tree.total, plain.iter().sum::<u64>());
                if tree.total > 0 {
                    let nth = step.wrapping_mul(0x9E37_79B9_7F4A_7C15) % tree.total;
                    assert_eq!(tree.find(nth), found_one_by_one(&plain, nth));
                }
            }
        }
    }
}
