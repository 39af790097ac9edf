//! What of a net's time stays in its state space.
//!
//! The state space of a net without delays is that of its firings: the most urgent transitions first, tokens in their order.
//! Where there are delays, time is ignored, but nothing that it may bring about is: any enabled transition may come first,
//! because a more urgent one may still wait for its tokens, and tokens that were given a delay come in any order.

use crate::net::{Net, TransitionSpec};

/// What of a net's time stays in its state space.
pub struct Skeleton {
    /// Whether the net has delays.
    pub is_timed: bool,
    /// By place: whether its tokens may come in any order.
    pub is_shuffled: Vec<bool>,
    /// By transition: whether its code chooses its delay.
    pub chooses_delay: Vec<bool>,
}

impl Skeleton {
    /// Of a net in which the code of some transitions chooses their delays.
    pub fn of(net: &Net, chooses_delay: Vec<bool>) -> Skeleton {
        let mut skeleton = Skeleton {
            is_timed: false,
            is_shuffled: vec![false; net.places.len()],
            chooses_delay,
        };
        for (it, &chooses) in net.transitions.iter().zip(&skeleton.chooses_delay) {
            for (place, is_delayed) in targets(it) {
                if chooses || !it.delay.is_none() || is_delayed {
                    skeleton.is_timed = true;
                    skeleton.is_shuffled[place as usize] = true;
                }
            }
        }
        skeleton
    }
}

/// Places that a transition gives to, and whether the arc has a delay.
fn targets(it: &TransitionSpec) -> impl Iterator<Item = (u32, bool)> {
    let units = it.gives.iter();
    let units = units.map(|(place, _, after)| (*place, !after.is_none()));
    let coloured = it.coloured_out.iter();
    units.chain(coloured.map(|it| (it.place, it.is_timed || !it.after.is_none())))
}
