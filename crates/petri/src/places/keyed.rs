//! A place that offers the tokens of a key.

use std::hash::Hash;

use hashbrown::HashMap;

use super::{Colour, Discipline, Offer};

/// Offers the tokens of the key that a transition names: what a join looks its partner up in. Tokens are pairs of a key
/// and what goes with it.
pub struct Keyed<K, T>(HashMap<K, Vec<(K, T)>>);

impl<K, T> Default for Keyed<K, T> {
    fn default() -> Self {
        Keyed(HashMap::new())
    }
}

impl<K: Colour + Hash + Eq, T: Colour> Discipline for Keyed<K, T> {
    type Token = (K, T);

    #[inline]
    fn add(&mut self, token: (K, T)) {
        self.0.entry(token.0.clone()).or_default().push(token);
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn tokens(&self) -> Vec<&(K, T)> {
        self.0.values().flatten().collect()
    }
}

impl<K: Colour + Hash + Eq, T: Colour> Offer<K> for Keyed<K, T> {
    #[inline]
    fn count(&self, key: &K) -> u32 {
        self.0.get(key).map_or(0, |tokens| tokens.len() as u32)
    }

    #[inline]
    fn get(&self, key: &K, index: u32) -> &(K, T) {
        &self.0[key][index as usize]
    }

    #[inline]
    fn take(&mut self, key: &K, index: u32) -> (K, T) {
        let tokens = self.0.get_mut(key).expect("an offered token is there");
        let token = tokens.swap_remove(index as usize);
        if tokens.is_empty() {
            self.0.remove(key);
        }
        token
    }
}
