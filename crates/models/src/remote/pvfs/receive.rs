//! Receive buffers of a daemon of PVFS 1: one for each client, looked at first come, first served.

use std::collections::VecDeque;

/// What a client has sent that the daemon is not done with.
#[derive(Clone, Copy, Debug)]
struct Held {
    call: u32,
    packets: u64,
}

/// Buffers, and the clients that have something in theirs in the order in which they are served.
#[derive(Clone, Debug, Default)]
pub(super) struct ReceiveBuffers {
    of_clients: Vec<VecDeque<Held>>,
    turns: VecDeque<u32>,
    /// The daemon does something.
    is_busy: bool,
}

impl ReceiveBuffers {
    pub fn new(clients: usize) -> Self {
        Self {
            of_clients: vec![VecDeque::new(); clients],
            ..Self::default()
        }
    }

    /// Packets that a client's buffer holds.
    pub fn packets(&self, client: u32) -> u64 {
        let held = self.of_clients[client as usize].iter();
        held.map(|it| it.packets).sum()
    }

    /// A call has come to its client's buffer.
    pub fn add(&mut self, client: u32, call: u32, packets: u64) {
        let buffer = &mut self.of_clients[client as usize];
        if buffer.is_empty() {
            self.turns.push_back(client);
        }
        buffer.push_back(Held { call, packets });
    }

    /// The call that is served next, if the daemon is free. It has one chunk served; then it is [`done`](Self::done) or it
    /// [goes on](Self::go_on) behind those of others.
    pub fn take(&mut self) -> Option<u32> {
        if self.is_busy {
            return None;
        }
        let client = *self.turns.front()?;
        let held = self.of_clients[client as usize].front()?;
        self.is_busy = true;
        Some(held.call)
    }

    /// A chunk of the call that was taken is served, and more are left.
    pub fn go_on(&mut self) {
        self.is_busy = false;
        self.turns.rotate_left(usize::from(!self.turns.is_empty()));
    }

    /// All of it is served.
    pub fn done(&mut self) {
        self.is_busy = false;
        let Some(client) = self.turns.pop_front() else {
            return;
        };
        let buffer = &mut self.of_clients[client as usize];
        buffer.pop_front();
        if !buffer.is_empty() {
            self.turns.push_back(client);
        }
    }
}
