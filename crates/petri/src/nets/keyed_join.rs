//! Requests that are joined with their answers by number.

use super::entry::{Entry, Parameter, Values, count};
use crate::{Delay, Net, NetError, Time, colour, expr};

pub(super) const ENTRY: Entry = Entry {
    name: "keyed-join",
    about: "requests, joined with their answers by number; failed ones are asked again",
    parameters: &[
        count("clients", 10.0, "clients, each with one request at a time"),
        Parameter {
            name: "failing",
            default: 0.25,
            about: "share of answers that are failures",
            least: 0.0,
            below: 1.0,
            whole: false,
            rule: "at least 0 and below 1",
        },
    ],
    build,
};

colour! {
    /// An answer to the request of a client.
    #[derive(Clone, Copy, Debug)]
    struct Answer {
        client: u32,
        failed: bool,
    }
}

fn build(values: &Values<'_>) -> Result<Net, NetError> {
    let clients = values.count("clients");
    let failing = values.get("failing");
    Net::build("keyed-join", |page| {
        let thinking = page.fifo("thinking", 0..clients);
        let open = page.keyed::<u32, Time>("open requests", []);
        let answers = page.fifo::<Answer>("answers", []);
        let response = page.times("response time");
        page.watch_tokens("open requests", [open.id()]);

        page.transition("ask")
            .take(&thinking)
            .put(&open)
            .put(answers.after(Delay::exponential(1e-3)))
            .fire_expr(expr!(move |client, firing| {
                let failed = firing.random().chance(failing);
                ((client, firing.now()), Answer { client, failed })
            }; failing));
        let accept = page
            .transition("accept")
            .take(&answers)
            .join_expr(&open, expr!(|answer| answer.client))
            .when_expr(expr!(|(answer, _)| !answer.failed))
            .put(thinking.after(Delay::exponential(1e-3)))
            .fire_expr(expr!(move |(answer, (_, asked)), firing| {
                firing.record_time(response, firing.now() - asked);
                answer.client
            }));
        page.transition("ask again")
            .take(&answers)
            .join_expr(&open, expr!(|answer| answer.client))
            .when_expr(expr!(|(answer, _)| answer.failed))
            .put(&open)
            .put(answers.after(Delay::exponential(1e-3)))
            .fire_expr(expr!(move |(answer, request), firing| {
                let failed = firing.random().chance(failing);
                (request, Answer { client: answer.client, failed })
            }; failing));
        page.watch_rate("throughput", accept);
    })
}
