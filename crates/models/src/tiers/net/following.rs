//! What a node holds by the traffic: it is looked at again and again, as long as requests come.

use hotset_petri::{Colour, Fifo, Object, Page, Place, Time};

use crate::tiers::counts::Counts;
use crate::tiers::file_reader::FileReader;
use crate::tiers::storage_events::{Delays, StorageEvent};

/// It is time to look.
#[derive(Clone, Copy, Debug)]
struct Look;

impl Colour for Look {}

/// Draws it. What stores are asked for goes to `disk_events`.
pub(super) fn following(
    page: &mut Page<'_>,
    counts: &Object<Counts>,
    reader: &Object<FileReader>,
    disk_events: &Place<Fifo<StorageEvent>>,
) {
    let looks = page.fifo("looks", [Look]);
    page.transition("follow traffic")
        .take(&looks)
        .borrow(reader)
        .borrow(counts)
        .put(looks.maybe().timed())
        .put(disk_events.many().timed())
        .fire_with(|Look, (reader, counts), firing| {
            let now = firing.now();
            let mut delays = Delays::since(now);
            let next: Option<Time> = match counts.has_ended() {
                true => None,
                false => reader.follow(now, &mut delays),
            };
            (next.map(|after| (after, Look)), delays.events)
        });
}
