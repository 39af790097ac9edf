//! What hangs on each place of a net.

/// Lists of numbers, one for each place, in one run of memory.
#[derive(Default)]
pub(crate) struct Lists {
    from: Vec<u32>,
    members: Vec<u32>,
}

impl Lists {
    pub fn new(lists: Vec<Vec<u32>>) -> Lists {
        let mut from = vec![0];
        let mut members = Vec::new();
        for mut list in lists {
            list.sort_unstable();
            list.dedup();
            members.extend(list);
            from.push(members.len() as u32);
        }
        Lists { from, members }
    }

    #[inline]
    pub fn of(&self, index: u32) -> &[u32] {
        let index = index as usize;
        &self.members[self.from[index] as usize..self.from[index + 1] as usize]
    }
}

/// What hangs on each place: the transitions and monitors that are to learn of its changes.
#[derive(Default)]
pub(crate) struct Links {
    /// Whether the number of all tokens matters to a transition.
    pub inhibits: Vec<bool>,
    /// The transitions that a place may enable or disable.
    pub downstream: Lists,
    /// The monitors that count tokens of a place.
    pub watched: Lists,
    /// The monitors that count those of its tokens that are not ready.
    pub watched_held: Lists,
}
