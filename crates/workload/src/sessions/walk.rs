//! Which page is next.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::mix::{Mix, Next};

/// What a visitor does after a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Asks for a page of this type.
    To(usize),
    /// Goes back to the page before, which is of this type.
    Back(usize),
    /// Ends the session.
    End,
}

/// A session under way.
#[derive(Clone, Debug)]
pub struct Walk {
    page: usize,
    /// Types of the pages that can be gone back to, the last one last.
    before: Vec<usize>,
    pages: u64,
}

impl Walk {
    /// A session on its first page.
    pub fn start() -> Walk {
        Walk {
            page: 0,
            before: Vec::new(),
            pages: 1,
        }
    }

    /// The type of the page that it is on.
    pub fn page(&self) -> usize {
        self.page
    }

    /// How many pages it has seen, the first among them.
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// How many pages it can go back through.
    pub fn depth(&self) -> usize {
        self.before.len()
    }

    /// Goes on.
    ///
    /// Pages are kept for going back as the emulators of RUBiS and RUBBoS keep them: a page from which nobody goes back
    /// forgets all before it.
    pub fn step(&mut self, mix: &Mix, random: &mut Pcg64Mcg) -> Step {
        if mix
            .session
            .most_pages
            .is_some_and(|most| self.pages >= most)
        {
            return Step::End;
        }
        let draw = random.random::<f64>() * mix.shares_of;
        self.pages += 1;
        match mix.pages[self.page].next_at(draw) {
            Some(Next::End) => Step::End,
            Some(Next::Page(page)) => self.go_to(mix, page),
            Some(Next::Back) => match self.before.pop() {
                Some(page) => {
                    self.page = page;
                    Step::Back(page)
                }
                None => self.go_to(mix, self.page),
            },
            None => self.go_to(mix, self.page),
        }
    }

    fn go_to(&mut self, mix: &Mix, page: usize) -> Step {
        match mix.pages[page].goes_back() {
            true => self.before.push(self.page),
            false => self.before.clear(),
        }
        self.page = page;
        Step::To(page)
    }
}
