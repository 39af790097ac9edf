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

/// Numbers of enabled bindings, by transition, with sums over blocks so that few are looked at.
struct Weights {
    of: Vec<u64>,
    blocks: Vec<u64>,
    total: u64,
}

const BLOCK: usize = 16;

impl Weights {
    fn new(len: usize) -> Weights {
        Weights {
            of: vec![0; len],
            blocks: vec![0; len.div_ceil(BLOCK)],
            total: 0,
        }
    }

    #[inline]
    fn set(&mut self, index: usize, weight: u64) {
        let old = std::mem::replace(&mut self.of[index], weight);
        if old == weight {
            return;
        }
        let change = weight.wrapping_sub(old);
        let block = &mut self.blocks[index / BLOCK];
        *block = block.wrapping_add(change);
        self.total = self.total.wrapping_add(change);
    }

    /// The transition in which the binding of this number lies, and its number there.
    #[inline]
    fn find(&self, mut nth: u64) -> (usize, u64) {
        let mut block = 0;
        while nth >= self.blocks[block] {
            nth -= self.blocks[block];
            block += 1;
        }
        let mut index = block * BLOCK;
        while nth >= self.of[index] {
            nth -= self.of[index];
            index += 1;
        }
        (index, nth)
    }
}

/// Enabled bindings of all transitions, by urgency.
pub(super) struct Enabled {
    levels: Vec<Weights>,
    /// The level of each transition, and its place there.
    place: Vec<(u32, u32)>,
    /// The transitions of each level.
    members: Vec<Vec<u32>>,
    choice: Choice,
}

impl Enabled {
    /// Nothing is enabled yet; `levels` are the ranks of the transitions.
    pub fn new(levels: &[usize], choice: Choice) -> Enabled {
        let count = levels.iter().max().map_or(0, |max| max + 1);
        let mut members = vec![Vec::new(); count];
        let mut place = Vec::new();
        for (transition, &level) in levels.iter().enumerate() {
            place.push((level as u32, members[level].len() as u32));
            members[level].push(transition as u32);
        }
        let levels = members.iter().map(|members| Weights::new(members.len()));
        Enabled {
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
        self.levels[level as usize].of[index as usize]
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
