//! "Sending network" and "receiving network" (figures 44 and 45): what comes is delayed as on a wire, looked at, and given to whom it is for.

use hotset_petri::{Page, Urgent};

use super::super::tokens::Queue;
use super::tokens::Packet;

/// Adds the way to the servers.
pub(super) fn sending(
    page: &mut Page<'_>,
    delay_ns: u64,
    sent: &Queue<Packet>,
    servers: &[Queue<Packet>],
) {
    page.page("sending network", |page| {
        let passing = wire(page, delay_ns, sent);
        for (place, number) in servers.iter().zip(0u32..) {
            page.transition(&format!("to server {}", number + 1))
                .take(&passing)
                .when(move |it: &Packet| it.server == number)
                .put(place)
                .urgency(Urgent::HIGH)
                .fire(|packet: Packet, _| packet);
        }
    });
}

/// Adds the way back.
pub(super) fn receiving(
    page: &mut Page<'_>,
    delay_ns: u64,
    sent: &Queue<Packet>,
    clients: &[Queue<Packet>],
) {
    page.page("receiving network", |page| {
        let passing = wire(page, delay_ns, sent);
        for (place, number) in clients.iter().zip(0u32..) {
            page.transition(&format!("to client {}", number + 1))
                .take(&passing)
                .when(move |it: &Packet| it.client == number)
                .put(place)
                .urgency(Urgent::HIGH)
                .fire(|packet: Packet, _| packet);
        }
    });
}

/// The delay of a wire.
fn wire(page: &mut Page<'_>, delay_ns: u64, sent: &Queue<Packet>) -> Queue<Packet> {
    let passing = page.fifo::<Packet>("on the wire", []);
    let delay_s = delay_ns as f64 / 1e9;
    page.transition("wire")
        .take(sent)
        .put(&passing)
        .urgency(Urgent::HIGH)
        .fire(move |packet: Packet, firing| {
            firing.delay_by(delay_s);
            packet
        });
    passing
}
