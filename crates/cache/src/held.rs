//! Objects that are always in memory.

use crate::Policy;

/// A policy for what is left over beside a set of held objects: those always hit, and the policy
/// never sees them.
pub struct WithHeld<'a, P> {
    held: &'a [bool],
    policy: P,
}

impl<'a, P: Policy> WithHeld<'a, P> {
    /// Object `id` is held when `held[id]`; ids from the length of `held` are not. The capacity of
    /// `policy` is what the held objects leave.
    pub fn new(held: &'a [bool], policy: P) -> Self {
        Self { held, policy }
    }
}

impl<P: Policy> Policy for WithHeld<'_, P> {
    #[inline]
    fn access(&mut self, id: u32, size: u64) -> bool {
        self.held.get(id as usize).is_some_and(|&held| held) || self.policy.access(id, size)
    }

    fn objects(&self) -> usize {
        self.policy.objects()
    }

    fn memory_bytes(&self) -> usize {
        self.policy.memory_bytes()
    }
}
