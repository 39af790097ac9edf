//! What is lost on ways between web nodes and file servers, and waits to be sent again.

use hotset_petri::{Fifo, Object, Page, Place};

use crate::tiers::deliveries::Deliveries;
use crate::tiers::message::Message;
use crate::tiers::system::Tiers;

/// What is lost on ways between web nodes and file servers.
#[derive(Clone, Copy)]
pub(super) struct Lossy {
    pub deliveries: Object<Deliveries>,
    /// What is to be sent again, until its time.
    pub lost: Place<Fifo<Message>>,
}

impl Lossy {
    /// Draws where it waits; nothing where nothing may be lost.
    pub fn drawn(page: &mut Page<'_>, tiers: &Tiers) -> Option<Self> {
        tiers.may_lose().then(|| {
            let ways = tiers.ways();
            Self {
                deliveries: page.object("deliveries", move |_| Deliveries::new(ways.clone())),
                lost: page.fifo("lost", []),
            }
        })
    }
}
