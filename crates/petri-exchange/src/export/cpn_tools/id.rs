//! Identifiers that look as those that CPN Tools makes.

/// What other elements refer to.
#[derive(Clone, Copy)]
pub enum Kind {
    /// A page, by its number.
    Page,
    /// A place, by its number as drawing.
    Place,
    /// The transition that stands for a page, by the page's number.
    Substitution,
    /// Anything else.
    Other,
    /// How many kinds there are.
    Count,
}

/// The identifier of something.
pub fn id(kind: Kind, index: usize) -> String {
    format!("ID{}", 1 + index * Kind::Count as usize + kind as usize)
}

/// Identifiers that nothing refers to.
#[derive(Default)]
pub struct Ids(usize);

impl Ids {
    /// One that was not given before.
    pub fn next(&mut self) -> String {
        self.0 += 1;
        id(Kind::Other, self.0)
    }
}
