//! A producer and a consumer with a buffer between them.

use super::entry::{Entry, Values, count};
use crate::{Delay, Net, NetError, expr};

pub(super) const ENTRY: Entry = Entry {
    name: "producer-consumer",
    about: "a producer of 1 ms, a buffer, a consumer of 1 ms",
    parameters: &[count(
        "slots",
        10.0,
        "slots of the buffer, items made or used included",
    )],
    build,
};

fn build(values: &Values<'_>) -> Result<Net, NetError> {
    Net::build("producer-consumer", |page| {
        let producer = page.unit("producer", 1);
        let consumer = page.unit("consumer", 1);
        let free = page.unit("free slots", values.count("slots"));
        let items = page.fifo("items", []);
        let waiting = page.times("waiting time");

        page.transition("produce")
            .take(&producer)
            .take(&free)
            .put(&items)
            .put(&producer)
            .delay(Delay::exponential(1e-3))
            .fire_expr(expr!(|(), firing| firing.now()));
        let consume = page
            .transition("consume")
            .take(&items)
            .take(&consumer)
            .put(&free)
            .put(&consumer)
            .delay(Delay::exponential(1e-3))
            .fire_expr(expr!(move |begun, firing| {
                firing.record_time(waiting, firing.now() - begun);
            }));
        page.watch_rate("throughput", consume);
        page.watch_tokens("free slots", [free.id()]);
    })
}
