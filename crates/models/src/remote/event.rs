//! What takes place between clients and a file server.

use crate::block::DeviceEvent;

/// What takes place between clients and a file server, to be handed back at its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RemoteEvent {
    /// A link has passed what it had, one way, and more waits.
    LinkFree {
        /// Which way of which link.
        way: u32,
    },
    /// A part of a message comes to where its next link begins, or to where it goes.
    Comes {
        /// The part.
        burst: u32,
    },
    /// A client has a call ready to be sent.
    Sends {
        /// The call.
        call: u32,
    },
    /// A thread of the server goes on with a call.
    Works {
        /// The call.
        call: u32,
    },
    /// A thread of the server has the answer to a call.
    Answers {
        /// The call.
        call: u32,
    },
    /// A client is done with the answer to a call.
    Ends {
        /// The call.
        call: u32,
    },
    /// Something takes place at the disks of a server.
    Disk {
        /// The server.
        server: u32,
        /// What.
        event: DeviceEvent,
    },
    /// The flusher of a server looks for what it has to write.
    Flusher {
        /// The server.
        server: u32,
    },
}

impl RemoteEvent {
    /// Whether it may be what the server does by itself, such as writing dirty pages back.
    #[must_use]
    pub fn is_of_disks(self) -> bool {
        matches!(self, Self::Disk { .. } | Self::Flusher { .. })
    }
}
