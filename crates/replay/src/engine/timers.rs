//! Times at which slots want to be looked at.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// At most one time for each slot, by a heap whose entries may come too early but never too late.
///
/// A slot's deadline moves with each of its requests, nearly always to later. The heap keeps the earliest
/// time that was asked for; when it comes, whoever asked looks at the clock and asks again. So the heap
/// holds an entry a slot, not one a request, and moving a deadline costs a comparison.
#[derive(Debug, Default)]
pub struct Timers {
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    /// Time of each slot's valid entry; `u64::MAX`: none.
    armed: Vec<u64>,
}

impl Timers {
    /// Has `slot` come up at `ns` or before.
    pub fn arm(&mut self, slot: usize, ns: u64) {
        if slot >= self.armed.len() {
            self.armed.resize(slot + 1, u64::MAX);
        }
        if ns < self.armed[slot] {
            self.armed[slot] = ns;
            self.heap.push(Reverse((ns, slot as u32)));
        }
    }

    /// The next slot whose time has come.
    pub fn pop(&mut self, now_ns: u64) -> Option<usize> {
        while let Some(&Reverse((ns, slot))) = self.heap.peek() {
            if ns > now_ns {
                return None;
            }
            self.heap.pop();
            let armed = &mut self.armed[slot as usize];
            if *armed == ns {
                *armed = u64::MAX;
                return Some(slot as usize);
            }
        }
        None
    }

    /// When the next slot may come up.
    pub fn next_ns(&self) -> Option<u64> {
        self.heap.peek().map(|Reverse((ns, _))| *ns)
    }
}
