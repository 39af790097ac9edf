//! Things by number.

/// Things by number; a number is given again when its thing is gone.
#[derive(Clone, Debug)]
pub(crate) struct Numbered<T> {
    things: Vec<T>,
    free: Vec<u32>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self {
            things: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<T: Copy> Numbered<T> {
    /// Adds a thing; its number.
    #[inline]
    pub fn add(&mut self, thing: T) -> u32 {
        if let Some(number) = self.free.pop() {
            self.things[number as usize] = thing;
            return number;
        }
        self.things.push(thing);
        self.things.len() as u32 - 1
    }

    /// The thing with a number that was given.
    #[inline]
    pub fn of(&mut self, number: u32) -> &mut T {
        &mut self.things[number as usize]
    }

    /// All things by their numbers, those among them that were taken out.
    pub fn all(&self) -> impl Iterator<Item = (u32, &T)> {
        (0..).zip(&self.things)
    }

    /// Takes a thing out.
    #[inline]
    pub fn remove(&mut self, number: u32) -> T {
        self.free.push(number);
        self.things[number as usize]
    }
}
