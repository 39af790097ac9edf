//! Messages of calls that arrive, where some are lost on their way, and what is sent again of them.

use hotset_petri::Page;

use super::board::{Board, Queue};
use super::lossy::Lossy;
use super::route::Route;
use crate::tiers::deliveries::Received;
use crate::tiers::message::Message;

/// Draws what becomes of messages that come to the node `at`; where those are that are there as a whole.
pub(super) fn received(page: &mut Page<'_>, board: &Board, at: usize, arrived: Queue) -> Queue {
    let Some(Lossy { deliveries, lost }) = board.lossy else {
        return arrived;
    };
    let received: Queue = page.fifo("received", []);
    page.transition("receive")
        .take(&arrived)
        .borrow(&deliveries)
        .borrow(&board.counts)
        .put(received.many())
        .put(lost.many().timed())
        .fire_with(move |message: Message, (deliveries, counts), firing| {
            if message.of_call().is_none() {
                return (vec![message], Vec::new());
            }
            let now = firing.now();
            let sender = Some(message.sender());
            let is_lost = counts.faults.is_out_of_reach(sender, at);
            let Received { whole, again } =
                deliveries.receive(now, message, is_lost, firing.random());
            (whole, again)
        });
    received
}

/// Draws how the node `at` sends again what was lost.
pub(super) fn send_again(page: &mut Page<'_>, board: &Board, at: usize, outbox: &Route) {
    let Some(Lossy { deliveries, lost }) = board.lossy else {
        return;
    };
    let route = outbox.clone();
    page.transition("send again")
        .take(&lost)
        .when(move |message| message.sender() == at)
        .borrow(&deliveries)
        .borrow(&board.counts)
        .put(outbox.arcs().maybe().timed())
        .fire_with(move |message: Message, (deliveries, counts), firing| {
            let now = firing.now();
            let again = deliveries.send_again(now, &message)?;
            Some(route.send(now, again.next(at), again, counts))
        });
}
