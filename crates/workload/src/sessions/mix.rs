//! What a mix consists of.

use super::fields::Field;
use super::times::{SessionLength, ThinkTime};

/// How the visitors of an application move from page to page.
#[derive(Clone, Debug, PartialEq)]
pub struct Mix {
    /// Its name.
    pub name: String,
    /// How long visitors think between a page and their next request.
    pub think: ThinkTime,
    /// When sessions end, beside transitions to [`Next::End`].
    pub session: SessionLength,
    /// What the shares of transitions are of: 1, or 9999 where they are thresholds of TPC-W.
    pub shares_of: f64,
    /// The page types. Every session begins with the first.
    pub pages: Vec<PageType>,
}

/// A type of page.
#[derive(Clone, Debug, PartialEq)]
pub struct PageType {
    /// Its name.
    pub name: String,
    /// Its path on the server, which begins with `/`.
    pub path: String,
    /// What is filled into fields that a page received leaves empty. Where no link or form leads here, these fields alone are sent.
    pub fields: Vec<Field>,
    /// What follows it. Shares are walked in this order as a running sum, as the emulators of RUBiS and RUBBoS do: what is
    /// beyond [`Mix::shares_of`] is never reached, and what is missing to it stays on the page.
    pub next: Vec<Transition>,
}

/// One way to go on from a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// Where to.
    pub to: Next,
    /// Its share of [`Mix::shares_of`].
    pub share: f64,
}

/// What follows a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The page type of this number.
    Page(usize),
    /// The page before, as by the button of a browser.
    Back,
    /// The end of the session.
    End,
}

impl Mix {
    /// The number of the page type that is called so.
    pub fn page(&self, name: &str) -> Option<usize> {
        self.pages.iter().position(|page| page.name == name)
    }
}

impl PageType {
    /// What follows for a draw from 0 to before [`Mix::shares_of`]; `None`: the same page again.
    pub fn next_at(&self, draw: f64) -> Option<Next> {
        let mut sum = 0.0;
        let reached = self.next.iter().find(|transition| {
            sum += transition.share;
            draw < sum
        });
        reached.map(|transition| transition.to)
    }

    /// Whether visitors go back from it.
    pub fn goes_back(&self) -> bool {
        let back = |it: &Transition| it.to == Next::Back && it.share > 0.0;
        self.next.iter().any(back)
    }
}
