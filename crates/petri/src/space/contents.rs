//! What coloured places hold, by number.
//!
//! A marking has one number for each coloured place: that of the list of its tokens. Lists and tokens are kept once
//! (Holzmann, "State compression in SPIN", 1997, keeps parts of states like this). Two tokens of a place are equal if their `Debug` texts are.

use std::any::Any;
use std::fmt::Write;

use hashbrown::HashMap;

use crate::places::AnyShelf;
use crate::run::Trial;

/// The lists of tokens that a coloured place was seen with.
pub struct Contents {
    place: u32,
    /// Whether its tokens are offered in an order. If not, lists are sorted.
    pub is_ordered: bool,
    tokens: Vec<KnownToken>,
    by_text: HashMap<String, u32>,
    lists: Vec<Box<[u32]>>,
    by_list: HashMap<Box<[u32]>, u32>,
    /// Bytes that its tokens and lists need, roughly.
    bytes: u64,
    text: String,
}

struct KnownToken {
    text: String,
    value: Box<dyn Any>,
}

impl Contents {
    /// No list but the empty one, which has the number 0.
    pub fn of(place: u32, is_ordered: bool) -> Contents {
        let mut contents = Contents {
            place,
            is_ordered,
            tokens: Vec::new(),
            by_text: HashMap::new(),
            lists: Vec::new(),
            by_list: HashMap::new(),
            bytes: 0,
            text: String::new(),
        };
        contents.number(Vec::new());
        contents
    }

    /// The tokens of a list.
    pub fn list(&self, number: u32) -> &[u32] {
        &self.lists[number as usize]
    }

    /// A token as text.
    pub fn text(&self, token: u32) -> &str {
        &self.tokens[token as usize].text
    }

    /// Whether it was ever seen with tokens of several colours.
    pub fn has_colours(&self) -> bool {
        self.tokens.len() > 1
    }

    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The number of a list.
    pub fn number(&mut self, mut list: Vec<u32>) -> u32 {
        if !self.is_ordered {
            list.sort_unstable();
        }
        if let Some(&number) = self.by_list.get(&list[..]) {
            return number;
        }
        let number = self.lists.len() as u32;
        // The list twice, and its places in both tables.
        self.bytes += 8 * list.len() as u64 + 48;
        self.lists.push(list.clone().into());
        self.by_list.insert(list.into(), number);
        number
    }

    /// Lays tokens before the transitions.
    pub fn lay(&self, tokens: &[u32], trial: &mut Trial<'_>) {
        for &token in tokens {
            trial.lay(self.place, &*self.tokens[token as usize].value);
        }
    }

    /// The tokens that lie in the place.
    pub fn read(&mut self, shelf: &dyn AnyShelf) -> Vec<u32> {
        let mut list = Vec::new();
        shelf.each_ready(&mut |token, value| {
            self.text.clear();
            // Writing to a string does not fail unless the colour's own `Debug` does.
            let _ = write!(self.text, "{token:?}");
            let known = self.by_text.get(&self.text).copied();
            list.push(known.unwrap_or_else(|| self.learn(value())));
        });
        list
    }

    /// The number of a new token with this text.
    fn learn(&mut self, value: Box<dyn Any>) -> u32 {
        let number = self.tokens.len() as u32;
        // The text twice, its place in the table, and the value.
        self.bytes += 2 * self.text.len() as u64 + 96;
        self.by_text.insert(self.text.clone(), number);
        let text = self.text.clone();
        self.tokens.push(KnownToken { text, value });
        number
    }
}
