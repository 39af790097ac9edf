//! Waiting for what happens on connections: one epoll.

use std::mem::MaybeUninit;
use std::time::Duration;

use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::fd::OwnedFd;
use rustix::io::Errno;

use super::wire::Wire;
use crate::ReplayError;

/// Events taken at once.
const EVENTS: usize = 256;

/// What happened on the connection that was added with `token`.
#[derive(Clone, Copy)]
pub struct Event {
    pub token: u64,
    pub flags: EventFlags,
}

/// Reports edges: what has been reported is not reported again until more happens.
pub struct Poller {
    epoll: OwnedFd,
    /// What happened when [`Poller::wait`] was last called.
    pub events: Vec<Event>,
}

impl Poller {
    pub fn new() -> Result<Self, ReplayError> {
        let epoll = epoll::create(CreateFlags::CLOEXEC).map_err(|error| ReplayError::System {
            what: "epoll is not available",
            source: error.into(),
        })?;
        Ok(Self {
            epoll,
            events: Vec::with_capacity(EVENTS),
        })
    }

    /// Reports what happens on `wire`, with `token`, for as long as it exists.
    pub fn add(&self, wire: &Wire, token: u64) -> Result<(), Errno> {
        let flags = EventFlags::IN | EventFlags::OUT | EventFlags::RDHUP | EventFlags::ET;
        epoll::add(&self.epoll, wire, EventData::new_u64(token), flags)
    }

    /// Waits until something happens, at most `longest_ns`.
    pub fn wait(&mut self, longest_ns: u64) -> Result<(), ReplayError> {
        let timeout = Timespec::try_from(Duration::from_nanos(longest_ns));
        let mut buffer = [const { MaybeUninit::uninit() }; EVENTS];
        self.events.clear();
        match epoll::wait(&self.epoll, &mut buffer, timeout.ok().as_ref()) {
            Ok((events, _)) => self.events.extend(events.iter().map(|event| Event {
                token: event.data.u64(),
                flags: event.flags,
            })),
            Err(Errno::INTR) => {}
            Err(error) => {
                return Err(ReplayError::System {
                    what: "waiting for events failed (epoll_pwait2, Linux 5.11 or newer)",
                    source: error.into(),
                });
            }
        }
        Ok(())
    }
}
