//! Pages that several tests draw.

use hotset_petri::{Delay, Page, Unit};

pub struct Station {
    pub queue: Unit,
    pub served: Unit,
}

/// A single server with exponential services.
pub fn station(page: &mut Page<'_>, name: &str, service: f64) -> Station {
    page.page(name, |page| {
        let queue = page.unit("queue", 0);
        let idle = page.unit("idle", 1);
        let busy = page.unit("busy", 0);
        let served = page.unit("served", 0);
        page.transition("start")
            .take(&queue)
            .take(&idle)
            .put(&busy)
            .delay(Delay::exponential(service))
            .done();
        page.transition("end")
            .take(&busy)
            .put(&idle)
            .put(&served)
            .done();
        page.watch_tokens("in station", [queue.id(), busy.id()]);
        Station { queue, served }
    })
}
