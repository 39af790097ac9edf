//! The token bucket, which lets bursts through and limits the rate.

use super::entry::{Entry, Parameter, Values, count};
use crate::{Delay, Net, NetError, expr};

pub(super) const ENTRY: Entry = Entry {
    name: "token-bucket",
    about: "packets wait for tokens, of which one comes each ms up to a burst",
    parameters: &[
        Parameter {
            name: "load",
            default: 0.8,
            about: "packets for each token",
            least: 0.001,
            below: 1.0,
            whole: false,
            rule: "at least 0.001 and below 1",
        },
        count("burst", 10.0, "tokens that the bucket holds"),
    ],
    build,
};

fn build(values: &Values<'_>) -> Result<Net, NetError> {
    let burst = values.count("burst");
    let between = Delay::exponential(1e-3 / values.get("load"));
    Net::build("token-bucket", |page| {
        let source = page.unit("source", 1);
        let clock = page.unit("clock", 1);
        let bucket = page.unit("bucket", burst);
        let room = page.unit("room in the bucket", 0);
        let queue = page.fifo("queue", []);
        let waiting = page.times("waiting time");
        page.watch_tokens("packets waiting", [queue.id()]);
        page.watch_tokens("tokens in the bucket", [bucket.id()]);

        page.transition("arrive")
            .take(&source)
            .put(source.after(between))
            .put(&queue)
            .fire_expr(expr!(|(), firing| firing.now()));
        page.transition("fill")
            .take(&clock)
            .take(&room)
            .put(clock.after(Delay::constant(1e-3)))
            .put(&bucket)
            .done();
        page.transition("spill")
            .take(&clock)
            .take(bucket.times(burst))
            .put(clock.after(Delay::constant(1e-3)))
            .put(bucket.times(burst))
            .done();
        let pass = page
            .transition("pass")
            .take(&queue)
            .take(&bucket)
            .put(&room)
            .fire_expr(expr!(move |arrived, firing| {
                firing.record_time(waiting, firing.now() - arrived);
            }));
        page.watch_rate("throughput", pass);
    })
}
