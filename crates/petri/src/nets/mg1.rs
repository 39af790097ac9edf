//! The M/G/1 queue.

use super::entry::{Entry, RHO, Values, count};
use crate::{Delay, Net, NetError, expr};

pub(super) const ENTRY: Entry = Entry {
    name: "mg1",
    about: "one server, Erlang service of 1 ms, Poisson arrivals",
    parameters: &[
        RHO,
        count("stages", 2.0, "stages of a service; more stages vary less"),
    ],
    build,
};

fn build(values: &Values<'_>) -> Result<Net, NetError> {
    let service = Delay::erlang(values.count("stages"), 1e-3);
    single_server("mg1", values.get("rho"), service)
}

/// A server whose services take 1 ms on average. A customer is the moment of its arrival.
pub(super) fn single_server(name: &str, rho: f64, service: Delay) -> Result<Net, NetError> {
    Net::build(name, |page| {
        let source = page.unit("source", 1);
        let queue = page.fifo("queue", []);
        let idle = page.unit("idle", 1);
        let served = page.bag("in service", []);
        page.watch_tokens("in system", [queue.id(), served.id()]);
        page.watch_utilisation("utilisation", [served.id()], 1);
        let waiting = page.times("waiting time");
        let response = page.times("response time");

        page.transition("arrive")
            .take(&source)
            .put(source.after(Delay::exponential(1e-3 / rho)))
            .put(&queue)
            .fire_expr(expr!(|(), firing| firing.now()));
        page.transition("start")
            .take(&queue)
            .take(&idle)
            .put(&served)
            .delay(service)
            .fire_expr(expr!(move |arrived, firing| {
                firing.record_time(waiting, firing.now() - arrived);
                arrived
            }));
        page.transition("leave")
            .take(&served)
            .put(&idle)
            .fire_expr(expr!(move |arrived, firing| {
                firing.record_time(response, firing.now() - arrived);
            }));
    })
}
