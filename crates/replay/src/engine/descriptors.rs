//! How many connections this process may open: each takes a file descriptor.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::{Load, Options, ReplayError, Schedule};

/// Descriptors kept for event loops, resolvers and whatever else the process opens meanwhile.
const RESERVE: u64 = 32;

/// How many connections may be open at once.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimit {
    /// Most of them.
    pub most: usize,
    /// Whether it is the process's descriptors that allow no more.
    pub by_descriptors: bool,
}

impl ConnectionLimit {
    /// Raises the soft limit of descriptors where that is needed.
    pub fn allowed(schedule: &Schedule, options: &Options) -> Result<Self, ReplayError> {
        let wanted = match &options.load {
            Load::Open => schedule.start_us.len(),
            Load::Closed(closed) => closed.clients,
        };
        let asked = options
            .connections_max
            .map_or(wanted, |most| most.min(wanted));
        let others = open_descriptors() + RESERVE;
        let limit = raised(others + asked as u64);
        let possible = usize::try_from(limit.saturating_sub(others)).unwrap_or(usize::MAX);
        let may_wait = options.connections_max.is_none() && options.load == Load::Open;
        if asked <= possible {
            return Ok(Self::new(asked, false));
        }
        if may_wait && possible > 0 {
            return Ok(Self::new(possible, true));
        }
        Err(ReplayError::FileDescriptors {
            connections: asked,
            needed: others + asked as u64,
            limit,
        })
    }

    fn new(most: usize, by_descriptors: bool) -> Self {
        Self {
            most,
            by_descriptors,
        }
    }
}

/// The limit after raising the soft one to `needed`, as far as the hard one allows.
fn raised(needed: u64) -> u64 {
    let limit = getrlimit(Resource::Nofile);
    let (soft, hard) = (
        limit.current.unwrap_or(u64::MAX),
        limit.maximum.unwrap_or(u64::MAX),
    );
    if needed <= soft {
        return soft;
    }
    let current = needed.min(hard);
    let raised = Rlimit {
        current: Some(current),
        maximum: limit.maximum,
    };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => current,
        Err(_) => soft,
    }
}

/// Descriptors that are open now; a guess where the system does not tell.
fn open_descriptors() -> u64 {
    std::fs::read_dir("/proc/self/fd").map_or(RESERVE, |entries| entries.count() as u64)
}

/// Sees that each of so many clients may have a connection.
pub fn allow(clients: usize) -> Result<(), ReplayError> {
    let needed = open_descriptors() + RESERVE + clients as u64;
    let limit = raised(needed);
    match needed <= limit {
        true => Ok(()),
        false => Err(ReplayError::FileDescriptors {
            connections: clients,
            needed,
            limit,
        }),
    }
}
