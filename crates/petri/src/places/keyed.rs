//! A place that offers the tokens of a key.

use std::hash::Hash;

use hashbrown::HashMap;
use hashbrown::hash_map::{Entry, EntryRef};

use super::{Discipline, Offer};
use crate::colour::Colour;

/// Offers the tokens of the key that a transition names: what a join looks its partner up in. Tokens are pairs of a key
/// and what goes with it.
pub struct Keyed<K, T>(HashMap<K, Tokens<K, T>>);

/// The tokens of a key. Most keys have one, which needs no list.
struct Tokens<K, T> {
    first: (K, T),
    more: Vec<(K, T)>,
}

impl<K, T> Default for Keyed<K, T> {
    fn default() -> Self {
        Keyed(HashMap::new())
    }
}

impl<K: Colour + Hash + Eq, T: Colour> Discipline for Keyed<K, T> {
    type Token = (K, T);
    const NAME: &str = "keyed";

    #[inline]
    fn add(&mut self, token: (K, T)) {
        match self.0.entry(token.0.clone()) {
            Entry::Occupied(mut tokens) => tokens.get_mut().more.push(token),
            Entry::Vacant(none) => {
                none.insert(Tokens {
                    first: token,
                    more: Vec::new(),
                });
            }
        }
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn tokens(&self) -> Vec<&(K, T)> {
        let tokens = self.0.values();
        tokens
            .flat_map(|tokens| std::iter::once(&tokens.first).chain(&tokens.more))
            .collect()
    }
}

impl<K: Colour + Hash + Eq, T: Colour> Offer<K> for Keyed<K, T> {
    #[inline]
    fn count(&self, key: &K) -> u32 {
        let tokens = self.0.get(key);
        tokens.map_or(0, |tokens| 1 + tokens.more.len() as u32)
    }

    #[inline]
    fn get(&self, key: &K, index: u32) -> &(K, T) {
        let tokens = &self.0[key];
        match index {
            0 => &tokens.first,
            _ => &tokens.more[index as usize - 1],
        }
    }

    #[inline]
    fn take(&mut self, key: &K, index: u32) -> (K, T) {
        let EntryRef::Occupied(mut tokens) = self.0.entry_ref(key) else {
            unreachable!("an offered token is there");
        };
        match (index, tokens.get_mut().more.pop()) {
            (0, None) => tokens.remove().first,
            (0, Some(last)) => std::mem::replace(&mut tokens.get_mut().first, last),
            (_, Some(last)) if index as usize > tokens.get().more.len() => last,
            (_, Some(last)) => {
                std::mem::replace(&mut tokens.get_mut().more[index as usize - 1], last)
            }
            (_, None) => unreachable!("an offered token is there"),
        }
    }
}
