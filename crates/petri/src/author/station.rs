//! Stations: a queue, servers, and what is served.

use super::page::Page;
use crate::colour::Colour;
use crate::delay::Delay;
use crate::expr;
use crate::expression::ExprText;
use crate::handles::{Place, TransitionId, Unit};
use crate::places::Fifo;
use crate::state::Firing;

/// A station where customers of type `T` are served first come, first served.
pub struct Station<T> {
    /// Port: where customers come to.
    pub queue: Place<Fifo<T>>,
    /// Port: where they are when their service ends. Those in service are there too, and not ready.
    pub served: Place<Fifo<T>>,
    /// The servers; those that are busy are not ready.
    pub idle: Unit,
    /// Fires when a service begins.
    pub serve: TransitionId,
}

impl Page<'_> {
    /// A station on a page of its own. It is one event a visit: the firing that begins a service also says when it ends,
    /// and customer and server are ready again together.
    pub fn station<T: Colour>(&mut self, name: &str, servers: u32, service: Delay) -> Station<T> {
        self.station_with(name, servers, service, expr!(|customer, _| customer))
    }

    /// A station that changes customers when their service begins.
    pub fn station_with<T, F>(
        &mut self,
        name: &str,
        servers: u32,
        service: Delay,
        code: (F, ExprText),
    ) -> Station<T>
    where
        T: Colour,
        F: Fn(T, &mut Firing<'_>) -> T + Send + Sync + 'static,
    {
        self.page(name, |page| {
            let queue = page.port("queue");
            let served = page.port("served");
            let idle = page.unit("idle", servers);
            let serve = page
                .transition("serve")
                .take(&queue)
                .take(&idle)
                .put(&served)
                .put(&idle)
                .delay(service)
                .fire_expr(code);
            Station {
                queue,
                served,
                idle,
                serve,
            }
        })
    }
}
