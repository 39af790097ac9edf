//! Sums over the most recent part of a line of time slots.

use crate::policy::column_bytes;

/// Children of a tree node. Their sums fill one cache line of 64 bytes, so a step of a walk up the
/// tree costs one.
const FANOUT: usize = 8;

/// Ones where a child comes after the given one: a sum over them needs no branch.
const AFTER: [[u64; FANOUT]; FANOUT] = after();

const fn after() -> [[u64; FANOUT]; FANOUT] {
    let mut masks = [[0; FANOUT]; FANOUT];
    let mut child = 0;
    while child < FANOUT {
        let mut later = child + 1;
        while later < FANOUT {
            masks[child][later] = u64::MAX;
            later += 1;
        }
        child += 1;
    }
    masks
}

#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Node([u64; FANOUT]);

impl Node {
    #[inline]
    fn sum_after(&self, child: usize) -> u64 {
        let masks = &AFTER[child];
        self.0.iter().zip(masks).map(|(sum, mask)| sum & mask).sum()
    }
}

/// A size for each slot of a line, and the sums over the slots after any one.
///
/// A tree where each node keeps the sums of its eight children; level 0 has the slots themselves.
/// Walks start at the slots and end where the paths of two slots meet, so a short distance costs a
/// few steps however long the line: slots after the newest are all empty. A step stays within one
/// cache line for each slot, where the walk to the root of a Fenwick tree needs a line for every
/// bit of the slot's number.
pub(super) struct RecencySums {
    levels: Vec<Vec<Node>>,
}

impl RecencySums {
    /// A line of `slots` empty slots.
    pub(super) fn new(slots: usize) -> Self {
        let mut levels = vec![vec![Node::default(); slots.div_ceil(FANOUT).max(1)]];
        while let Some(nodes) = levels.last().map(Vec::len).filter(|&nodes| nodes > 1) {
            levels.push(vec![Node::default(); nodes.div_ceil(FANOUT)]);
        }
        Self { levels }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.levels.iter().map(column_bytes).sum()
    }

    /// Puts `size` into the empty `slot`.
    #[inline]
    pub(super) fn add(&mut self, mut slot: usize, size: u64) {
        for level in &mut self.levels {
            level[slot / FANOUT].0[slot % FANOUT] += size;
            slot /= FANOUT;
        }
    }

    /// Moves `size` from slot `from` to the empty slot `to`, which is after every slot that is not;
    /// the sum of the slots between them.
    #[inline]
    pub(super) fn move_to(&mut self, mut from: usize, mut to: usize, size: u64) -> u64 {
        let mut between = 0;
        for level in &mut self.levels {
            // From here up both slots are under the same child, where leaving and entering cancel
            // out.
            if from == to {
                break;
            }
            let node = &mut level[from / FANOUT];
            between += node.sum_after(from % FANOUT);
            node.0[from % FANOUT] -= size;
            level[to / FANOUT].0[to % FANOUT] += size;
            from /= FANOUT;
            to /= FANOUT;
        }
        between
    }

    /// Puts `sizes` into the first slots and empties the others.
    pub(super) fn refill(&mut self, sizes: impl Iterator<Item = u64>) {
        self.levels
            .iter_mut()
            .for_each(|level| level.fill(Node::default()));
        for (slot, size) in sizes.enumerate() {
            self.levels[0][slot / FANOUT].0[slot % FANOUT] = size;
        }
        for level in 1..self.levels.len() {
            let (below, here) = self.levels.split_at_mut(level);
            for (child, node) in below[level - 1].iter().enumerate() {
                here[0][child / FANOUT].0[child % FANOUT] = node.0.iter().sum();
            }
        }
    }
}
