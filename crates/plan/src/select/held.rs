//! A set of held files.

use crate::value::Values;

/// Files that are held, by their ids in a [`crate::Catalogue`].
#[derive(Clone, Debug, Default)]
pub struct HeldSet {
    objects: Vec<u32>,
    held: Vec<bool>,
    pages: u64,
}

impl HeldSet {
    /// Nothing, of so many `objects`.
    pub fn empty(objects: usize) -> Self {
        Self {
            objects: Vec::new(),
            held: vec![false; objects],
            pages: 0,
        }
    }

    /// The distinct ones of `objects`; each must have a value.
    pub fn of(values: &Values, objects: &[u32]) -> Self {
        let mut set = Self::empty(values.objects());
        for &object in objects {
            if !set.contains(object) {
                set.add(values, object);
            }
        }
        set
    }

    fn add(&mut self, values: &Values, object: u32) {
        self.objects.push(object);
        self.held[object as usize] = true;
        self.pages += values.pages(object);
    }

    /// Takes in objects that are `new`, and gives up held ones that are `gone`.
    pub(crate) fn change(&mut self, values: &Values, new: &[u32], gone: &[u32]) {
        for &object in gone {
            self.held[object as usize] = false;
            self.pages -= values.pages(object);
        }
        let held = &self.held;
        self.objects.retain(|&object| held[object as usize]);
        new.iter().for_each(|&object| self.add(values, object));
    }

    /// The objects in the order in which they were taken, the most valuable first where they were selected.
    pub fn objects(&self) -> &[u32] {
        &self.objects
    }

    /// Whether `object` is held.
    #[inline]
    pub fn contains(&self, object: u32) -> bool {
        self.held.get(object as usize).is_some_and(|&held| held)
    }

    /// The objects that `before` does not hold.
    pub(crate) fn new_beside<'s>(&'s self, before: &'s Self) -> impl Iterator<Item = u32> + 's {
        let objects = self.objects.iter().copied();
        objects.filter(|&object| !before.contains(object))
    }

    /// Whole pages they take.
    pub fn pages(&self) -> u64 {
        self.pages
    }
}
