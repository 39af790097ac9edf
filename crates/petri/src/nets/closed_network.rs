//! A closed network of single servers, visited one after the other.

use super::{Entry, Values, count};
use crate::{Delay, Fifo, Net, NetError, Page, Place, Time, Times, TransitionId};

pub(super) const ENTRY: Entry = Entry {
    name: "closed-network",
    about: "customers go round single servers of 1, 0.5 and 0.8 ms",
    parameters: &[
        count(
            "servers",
            3.0,
            "servers, whose mean services repeat from the fourth on",
        ),
        count("n", 100.0, "customers"),
    ],
    build,
};

/// Mean services, in seconds: the first server is the slowest.
const SERVICES: [f64; 3] = [1e-3, 0.5e-3, 0.8e-3];

/// A customer: when it last came to the first server.
type Customer = Time;

fn build(values: &Values<'_>) -> Result<Net, NetError> {
    let customers = vec![Time::ZERO; values.count("n") as usize];
    Net::build("closed-network", |page| {
        let first = page.fifo("queue 1", customers);
        let round = page.times("time of a round");
        let servers = values.count("servers");
        let mut queue = first;
        for server in 0..servers {
            let service = SERVICES[server as usize % SERVICES.len()];
            let notes = (server == 0).then_some(round);
            let name = format!("server {}", server + 1);
            let station = page.page(&name, |page| station(page, service, notes));
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

/// What a server's page shows.
struct Station {
    queue: Place<Fifo<Customer>>,
    served: Place<Fifo<Customer>>,
    serve: TransitionId,
}

/// A single server. The one that takes `notes` records how long ago a customer was there before.
fn station(page: &mut Page<'_>, service: f64, notes: Option<Times>) -> Station {
    let queue = page.port("queue");
    let served = page.port("served");
    let idle = page.unit("idle", 1);
    let serve = page
        .transition("serve")
        .take(&queue)
        .take(&idle)
        .put(&served)
        .put(&idle)
        .delay(Delay::exponential(service))
        .fire(move |customer: Customer, firing| match notes {
            None => customer,
            Some(round) => {
                firing.record_time(round, firing.now() - customer);
                firing.now()
            }
        });
    Station {
        queue,
        served,
        serve,
    }
}
