//! Tokens that one firing gives and that are ready at one time: an entry of the pending queue for all of them.
//!
//! A server that is busy gives the customer and itself back at the same moment, so a visit of a station is one event.

use crate::net::{Net, Output, TransitionSpec};

/// Numbers of bundles. They follow those of places, two for each transition: its coloured token with its unit tokens, and
/// its unit tokens alone.
pub(super) struct Bundles {
    places: u32,
    /// What each transition gives at once.
    bundled: Vec<Bundle>,
}

/// What a transition gives at once.
#[derive(Clone, Copy, PartialEq)]
enum Bundle {
    /// Each token is an entry of its own.
    Nothing,
    /// The unit tokens.
    Units,
    /// The unit tokens, and the token of the only coloured place, this one.
    Token(u32),
}

impl Bundle {
    /// A token that a reset may take away from the others is not bundled, nor one that has a delay of its own.
    fn new(it: &TransitionSpec, is_reset: &[bool]) -> Bundle {
        let units = it.gives.iter();
        let fits = units
            .clone()
            .all(|(place, _, after)| after.is_none() && !is_reset[*place as usize]);
        match it.coloured_out[..] {
            _ if !fits || it.gives.is_empty() => Bundle::Nothing,
            [Output { place, .. }] if !is_reset[place as usize] => Bundle::Token(place),
            _ if it.gives.len() > 1 => Bundle::Units,
            _ => Bundle::Nothing,
        }
    }
}

/// What an entry of the pending queue stands for.
pub(super) struct Contents {
    /// The place of the token in the entry's slot, or of as many unit tokens.
    pub place: Option<u32>,
    /// The transition whose unit tokens are there too.
    pub units_of: Option<usize>,
}

impl Bundles {
    pub fn new(net: &Net) -> Bundles {
        let mut is_reset = vec![false; net.places.len()];
        let resets = net.transitions.iter().flat_map(|it| &it.resets);
        resets.for_each(|&place| is_reset[place as usize] = true);
        let transitions = net.transitions.iter();
        Bundles {
            places: net.places.len() as u32,
            bundled: transitions.map(|it| Bundle::new(it, &is_reset)).collect(),
        }
    }

    /// The bundle of a transition's coloured token and its unit tokens, if there is one such token.
    #[inline]
    pub fn with_token(&self, transition: usize) -> Option<u32> {
        let is_there = matches!(self.bundled[transition], Bundle::Token(_));
        is_there.then_some(self.places + 2 * transition as u32)
    }

    /// Whether a transition gives its unit tokens at once.
    pub fn has_units(&self, transition: usize) -> bool {
        self.bundled[transition] != Bundle::Nothing
    }

    /// The bundle of its unit tokens alone.
    #[inline]
    pub fn units_alone(&self, transition: usize) -> u32 {
        self.places + 2 * transition as u32 + 1
    }

    /// What an entry of this number is.
    #[inline]
    pub fn contents(&self, number: u32) -> Contents {
        let Some(bundle) = number.checked_sub(self.places) else {
            return Contents {
                place: Some(number),
                units_of: None,
            };
        };
        let transition = bundle as usize / 2;
        let place = match self.bundled[transition] {
            Bundle::Token(place) if bundle.is_multiple_of(2) => Some(place),
            _ => None,
        };
        Contents {
            place,
            units_of: Some(transition),
        }
    }
}
