//! Who asks which node, and from where.

use crate::tiers::{Arrivals, ClientClass, Tiers};

/// The node that clients ask, and the one that they are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Origin {
    /// The node that is asked, by its place.
    pub entry: usize,
    /// The node that the clients are on, by its number; none where no link of it lies before the node that is asked.
    pub home: Option<usize>,
}

impl Origin {
    /// Clients at the switch who ask a node.
    pub fn at_switch(entry: usize) -> Self {
        Self { entry, home: None }
    }

    /// A class of clients.
    pub fn of(tiers: &Tiers, class: &ClientClass) -> Self {
        let entry = class.asks;
        let own_link = class.node.and_then(|place| tiers.client_nodes[place].link);
        let home = tiers.home(class).filter(|&home| {
            let mut direct = tiers.direct_links_of(home);
            own_link.is_some() || direct.any(|(_, _, other)| other == entry)
        });
        Self { entry, home }
    }
}

/// All of them, each once, rising.
pub(super) fn origins(tiers: &Tiers) -> Vec<Origin> {
    let mut origins: Vec<Origin> = match &tiers.arrivals {
        Arrivals::Open(entries) => entries.iter().copied().map(Origin::at_switch).collect(),
        closed => {
            let classes = closed.classes().iter();
            classes.map(|class| Origin::of(tiers, class)).collect()
        }
    };
    origins.sort_unstable();
    origins.dedup();
    origins
}
