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

/// Which transitions are enabled: a bit for each, then a bit for each word of those that is not zero, and so on. A thousand nodes' transitions
/// take some two kilobytes.
struct Flags {
    /// The words of the bits of transitions, then those above.
    words: Vec<u64>,
    /// Where each layer begins, from the lowest up. The last has one word.
    layers: Vec<usize>,
}

const WORD: usize = u64::BITS as usize;

impl Flags {
    fn new(len: usize) -> Flags {
        let (mut layers, mut all, mut width) = (Vec::new(), 0, len);
        while layers.is_empty() || width > 1 {
            layers.push(all);
            width = width.div_ceil(WORD).max(1);
            all += width;
        }
        Flags {
            words: vec![0; all],
            layers,
        }
    }

    fn is_set(&self, index: usize) -> bool {
        (self.words[index / WORD] >> (index % WORD)) & 1 == 1
    }

    #[inline]
    fn set(&mut self, mut index: usize, is_set: bool) {
        for layer in &self.layers {
            let word = &mut self.words[layer + index / WORD];
            let (before, bit) = (*word, 1_u64 << (index % WORD));
            *word = if is_set { before | bit } else { before & !bit };
            // The layer above knows whether there are any.
            if (before == 0) == (*word == 0) {
                return;
            }
            index /= WORD;
        }
    }

    #[inline]
    fn first(&self) -> Option<usize> {
        let mut index = 0;
        for layer in self.layers.iter().rev() {
            let word = self.words[layer + index];
            if word == 0 {
                return None;
            }
            index = index * WORD + word.trailing_zeros() as usize;
        }
        Some(index)
    }
}

/// Enabled bindings of the transitions of one urgency.
enum Level {
    /// Their numbers, where each is as likely as any other.
    Numbers(Weights),
    /// Whether there are any, where the first is chosen.
    Flags(Flags),
}

impl Level {
    fn new(transitions: usize, choice: Choice) -> Level {
        match choice {
            Choice::Fair => Level::Numbers(Weights::new(transitions)),
            Choice::Fast => Level::Flags(Flags::new(transitions)),
        }
    }

    #[inline]
    fn set(&mut self, index: usize, bindings: u64) {
        match self {
            Level::Numbers(weights) => weights.set(index, bindings),
            Level::Flags(flags) => flags.set(index, bindings > 0),
        }
    }

    fn of(&self, index: usize) -> u64 {
        match self {
            Level::Numbers(weights) => weights.of(index),
            Level::Flags(flags) => u64::from(flags.is_set(index)),
        }
    }

    /// The transition that is next to fire, and the number of its binding.
    #[inline]
    fn draw(&self, stream: &mut Stream) -> Option<(usize, u64)> {
        match self {
            Level::Numbers(weights) => match weights.total {
                0 => None,
                1 => Some(weights.find(0)),
                total => Some(weights.find(stream.below(total))),
            },
            Level::Flags(flags) => flags.first().map(|index| (index, 0)),
        }
    }
}

/// Enabled bindings of all transitions, by urgency.
pub(super) struct EnabledBindings {
    levels: Vec<Level>,
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
        let levels = members.iter().map(|it| Level::new(it.len(), choice));
        EnabledBindings {
            levels: levels.collect(),
            place,
            members,
            choice,
        }
    }

    /// So many bindings need counting to choose as asked.
    #[inline]
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
        let mut levels = self.levels.iter().zip(&self.members);
        levels.find_map(|(level, members)| {
            let (index, nth) = level.draw(stream)?;
            Some((members[index] as usize, nth))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Flags, Weights};

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

    #[test]
    fn flags_find_the_first_that_is_set() {
        for len in [1, 2, 63, 64, 65, 4096, 4097, 300_000] {
            let (mut flags, mut plain) = (Flags::new(len), vec![false; len]);
            for step in 0..2000_usize {
                let index = step * 7919 % len;
                let is_set = step * 31 % 7 < 2;
                flags.set(index, is_set);
                plain[index] = is_set;
                assert_eq!(flags.is_set(index), is_set);
                // Looking through all of a long list each time takes long.
                if step % 16 == 0 {
                    assert_eq!(flags.first(), plain.iter().position(|it| *it), "{len}");
                }
            }
            (0..len).for_each(|index| flags.set(index, false));
            assert_eq!(flags.first(), None);
        }
    }
}
