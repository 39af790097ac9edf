//! A site that is being visited: what there is, what waits, and what is under way.

use rand_pcg::Pcg64Mcg;

use super::browser::Browser;
use super::counts::Counts;
use super::log::Log;
use super::neighbour::Neighbour;
use super::pool::Pool;
use super::site::{DynamicSite, Tier};
use super::visits::Visits;
use super::workers::Workers;
use crate::block::DeviceEvent;
use crate::calendar::{Calendar as _, EventQueue};
use crate::storage::{OpenFile, Storage};
use crate::tiers::Sharing;
use crate::write_back::FlusherWakes;

/// What takes place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// Something of a disk.
    Device(DeviceEvent),
    /// The kernel looks for old dirty pages.
    Flusher,
    /// A browser asks for its page.
    Asks(u32),
    /// Work may have ended on a machine's processors.
    Processors(usize),
    /// The log of an application's database was paused, and goes on.
    LogGoesOn(usize),
    /// A file of another site is asked for.
    Neighbour,
}

impl From<DeviceEvent> for Event {
    fn from(event: DeviceEvent) -> Self {
        Self::Device(event)
    }
}

impl From<FlusherWakes> for Event {
    fn from(_: FlusherWakes) -> Self {
        Self::Flusher
    }
}

/// Who waits for the storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waiter {
    /// A browser's page, for a page of a table.
    Page(u32),
    /// A file of another site.
    Request(u32),
    /// The log of an application's database.
    Log(usize),
}

/// What processors work for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Job {
    /// A browser's page.
    Page(u32),
    /// A request for a file of another site.
    Request(u32),
    /// Sending that file.
    Send(u32),
}

/// A site that is being visited.
pub(super) struct Run<'r> {
    pub site: &'r DynamicSite,
    pub visits: &'r mut dyn Visits,
    pub random: Pcg64Mcg,
    pub now_ns: u64,
    pub events: EventQueue<Event>,
    pub processors: Vec<Sharing<Job>>,
    pub storage: Storage<Waiter>,
    /// The tables, as the database has them open.
    pub tables: Vec<OpenFile>,
    /// The number of the first image in the storage.
    pub first_image: u32,
    /// Of each application: the log and the buffer pool of its database, and its workers.
    pub logs: Vec<Log>,
    pub pools: Vec<Pool>,
    pub workers: Vec<Workers>,
    pub browsers: Vec<Browser>,
    pub neighbour: Option<Neighbour>,
    pub counts: Counts,
    pub goes_on: &'r dyn Fn() -> bool,
}

impl Run<'_> {
    /// The machine of the web server.
    pub fn web_machine(&self) -> usize {
        self.site.machine_of(Tier::Web)
    }

    /// Has the processors of a machine work for so long.
    pub fn serve(&mut self, machine: usize, work_ns: u64, job: Job) {
        let after_ns = self.processors[machine].add(self.now_ns, work_ns, job);
        if let Some(after_ns) = after_ns {
            let at_ns = self.now_ns.saturating_add(after_ns);
            self.events.at(at_ns, Event::Processors(machine));
        }
    }
}
