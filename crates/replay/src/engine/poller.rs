//! Waiting for what happens on connections: one epoll.

use std::io;
use std::mem::MaybeUninit;
use std::time::Duration;

use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::fd::OwnedFd;
use rustix::io::Errno;

use super::wire::Wire;

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
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            epoll: epoll::create(CreateFlags::CLOEXEC)?,
            events: Vec::with_capacity(EVENTS),
        })
    }

    /// Reports what happens on `wire`, with `token`, for as long as it exists.
    pub fn add(&self, wire: &Wire, token: u64) -> io::Result<()> {
        let flags = EventFlags::IN | EventFlags::OUT | EventFlags::RDHUP | EventFlags::ET;
        Ok(epoll::add(
            &self.epoll,
            wire,
            EventData::new_u64(token),
            flags,
        )?)
    }

    /// Waits until something happens, at most `longest_ns`.
    pub fn wait(&mut self, longest_ns: u64) -> io::Result<()> {
        let timeout = Timespec::try_from(Duration::from_nanos(longest_ns));
        let mut buffer = [const { MaybeUninit::uninit() }; EVENTS];
        self.events.clear();
        match epoll::wait(&self.epoll, &mut buffer, timeout.ok().as_ref()) {
            Ok((events, _)) => self.events.extend(events.iter().map(|event| Event {
                token: event.data.u64(),
                flags: event.flags,
            })),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }
}
