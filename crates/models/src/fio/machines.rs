//! The machines that run jobs: one, or the clients of a file server.

use hotset_outcome::Resource;

use crate::block::DeviceEvent;
use crate::calendar::{Calendar, EventQueue};
use crate::machine::Machine;
use crate::remote::{FileStore, RemoteEvent};
use crate::write_back::FlusherWakes;

/// What takes place in a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// A lane goes on.
    Lane(u32),
    /// Something of the disks of a machine.
    Device { machine: u32, event: DeviceEvent },
    /// The flusher of a machine looks for what it has to write.
    Flusher { machine: u32 },
    /// Something of a file server or the way there.
    Remote(RemoteEvent),
}

impl Event {
    /// Whether it comes when nothing else takes place as well.
    pub fn is_timer(self) -> bool {
        match self {
            Self::Flusher { .. } => true,
            Self::Device { event, .. } => event.is_timer(),
            Self::Remote(event) => event.is_of_disks(),
            Self::Lane(_) => false,
        }
    }
}

impl From<RemoteEvent> for Event {
    fn from(event: RemoteEvent) -> Self {
        Self::Remote(event)
    }
}

/// The events of a machine.
pub(super) struct At<'e> {
    pub events: &'e mut EventQueue<Event>,
    pub machine: u32,
}

impl Calendar<DeviceEvent> for At<'_> {
    #[inline]
    fn at(&mut self, time_ns: u64, event: DeviceEvent) {
        let machine = self.machine;
        self.events.at(time_ns, Event::Device { machine, event });
    }
}

impl Calendar<FlusherWakes> for At<'_> {
    fn at(&mut self, time_ns: u64, _event: FlusherWakes) {
        let machine = self.machine;
        self.events.at(time_ns, Event::Flusher { machine });
    }
}

/// The machines that run the jobs: one, or the clients of a file server.
pub(super) struct Machines {
    pub each: Vec<Machine<u32>>,
    /// What has the files on other machines, if something does.
    pub remote: Option<FileStore>,
}

impl Machines {
    pub fn count_anew(&mut self, now_ns: u64) {
        self.each.iter_mut().for_each(Machine::count_anew);
        if let Some(remote) = &mut self.remote {
            remote.count_anew(now_ns);
        }
    }

    pub fn resources(&self, length_ns: u64) -> Vec<Resource> {
        let mut resources = Vec::new();
        for (machine, number) in self.each.iter().zip(1u32..) {
            let processors = match number {
                1 => "processors".to_owned(),
                _ => format!("client {number}, processors"),
            };
            resources.push(machine.processors.resource(&processors, length_ns));
            resources.extend(machine.storage.resources(length_ns));
        }
        resources
    }

    /// Has a file server do what the storage of a machine has asked for.
    #[inline]
    pub fn send(&mut self, now_ns: u64, machine: u32, events: &mut EventQueue<Event>) {
        if let Some(remote) = &mut self.remote {
            remote.send(now_ns, machine, &mut self.each, events);
        }
    }

    /// Whether there is something that a device or a file server does not have yet.
    pub fn have_unwritten(&self) -> bool {
        self.each.iter().any(|machine| {
            let pages = machine.storage.unwritten_pages();
            pages.dirty + pages.writing > 0
        })
    }

    /// Whether calls to a file server are under way.
    pub fn has_calls(&self) -> bool {
        self.remote.as_ref().is_some_and(FileStore::has_calls)
    }

    /// The files of a process are opened, where a file server has them.
    pub fn open(
        &mut self,
        now_ns: u64,
        opened: &Opened,
        writes: bool,
        events: &mut EventQueue<Event>,
    ) {
        if let Some(remote) = &mut self.remote {
            for &file in &opened.files {
                let file = (opened.machine, file);
                remote.open(now_ns, file, writes, &mut self.each, events);
            }
        }
    }

    /// The same are closed.
    pub fn close(
        &mut self,
        now_ns: u64,
        opened: &Opened,
        writes: bool,
        events: &mut EventQueue<Event>,
    ) {
        if let Some(remote) = &mut self.remote {
            for &file in &opened.files {
                let file = (opened.machine, file);
                remote.close(now_ns, file, writes, &mut self.each, events);
            }
        }
    }
}

/// Where a process is, its files there, and its lanes that have something left to do.
pub(super) struct Opened {
    pub machine: u32,
    pub files: Vec<u32>,
    pub lanes_left: u32,
}
