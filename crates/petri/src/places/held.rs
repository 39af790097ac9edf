//! Tokens whose time has not come.

/// Slots of tokens. A freed slot is the next to be used, so that its memory is still in the processor's cache.
pub struct HeldTokens<T> {
    slots: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Default for HeldTokens<T> {
    fn default() -> Self {
        HeldTokens {
            slots: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<T> HeldTokens<T> {
    /// Puts a token into a slot, and says which.
    #[inline]
    pub fn hold(&mut self, token: T) -> u32 {
        match self.free.pop() {
            Some(slot) => {
                self.slots[slot as usize] = Some(token);
                slot
            }
            None => {
                self.slots.push(Some(token));
                (self.slots.len() - 1) as u32
            }
        }
    }

    /// Takes a token out of its slot.
    #[inline]
    pub fn release(&mut self, slot: u32) -> T {
        self.free.push(slot);
        let token = self.slots[slot as usize].take();
        token.expect("a slot in the pending queue holds a token until its time")
    }

    /// Looks at a slot, so that its memory is in the processor's cache when its time comes.
    #[inline]
    pub fn warm(&self, slot: u32) {
        std::hint::black_box(self.slots[slot as usize].is_some());
    }

    pub fn get(&self, slot: u32) -> Option<&T> {
        self.slots[slot as usize].as_ref()
    }

    /// Empties all slots, and says whether there was a token.
    pub fn clear(&mut self) -> bool {
        let any = self.slots.len() > self.free.len();
        self.slots.clear();
        self.free.clear();
        any
    }
}
