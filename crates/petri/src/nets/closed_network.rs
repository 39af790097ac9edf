//! A closed network of single servers, visited one after the other.

use super::entry::{Entry, Values, count};
use crate::{Delay, Net, NetError, Time, expr};

pub(super) const ENTRY: Entry = Entry {
    name: "closed-network",
    about: "customers go round single servers of 1, 0.5 and 0.8 ms",
    parameters: &[
        count(
            "servers",
            3.0,
            "servers whose mean services repeat from the fourth on",
        ),
        count("n", 100.0, "customers"),
    ],
    build,
};

/// Mean services, in seconds: the first server is the slowest.
const SERVICES: [f64; 3] = [1e-3, 0.5e-3, 0.8e-3];

fn build(values: &Values<'_>) -> Result<Net, NetError> {
    // A customer is the moment at which it last came to the first server.
    let customers = vec![Time::ZERO; values.count("n") as usize];
    Net::build("closed-network", |page| {
        let first = page.fifo("queue 1", customers);
        let round = page.times("time of a round");
        let servers = values.count("servers");
        let mut queue = first;
        for server in 0..servers {
            let service = Delay::exponential(SERVICES[server as usize % SERVICES.len()]);
            let name = format!("server {}", server + 1);
            let station = match server {
                0 => page.station_with(
                    &name,
                    1,
                    service,
                    expr!(move |before, firing| {
                        firing.record_time(round, firing.now() - before);
                        firing.now()
                    }),
                ),
                _ => page.station(&name, 1, service),
            };
            if server == 0 {
                page.watch_rate("throughput", station.serve);
            }
            page.connect(&station.queue, &queue);
            queue = match server + 1 == servers {
                true => first,
                false => page.fifo(&format!("queue {}", server + 2), []),
            };
            page.connect(&station.served, &queue);
        }
    })
}
