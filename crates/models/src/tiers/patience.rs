//! How long clients wait for the whole of an answer, and which requests they give up.

use std::collections::VecDeque;

use hotset_petri::Time;

use super::faults::Faults;
use super::message::Message;

/// Requests of clients who do not wait for ever, by class. All of a class wait for as long, so that they would be given up in the order in
/// which they were made.
#[derive(Default)]
pub(crate) struct Patience {
    waiting: Vec<VecDeque<Waiting>>,
}

/// A request, and until when its client waits for it.
struct Waiting {
    row: u32,
    since: Time,
    until: Time,
}

impl Waiting {
    fn is_under_way(&self, faults: &Faults) -> bool {
        faults.is_under_way(self.row, self.since)
    }
}

impl Patience {
    /// A client of a class makes a request, and waits for it for so long.
    pub fn wait(&mut self, class: usize, request: &Message, for_ns: u64, faults: &Faults) {
        if self.waiting.len() <= class {
            self.waiting.resize_with(class + 1, VecDeque::new);
        }
        let waiting = &mut self.waiting[class];
        // So there are hardly more than requests under way.
        while waiting.front().is_some_and(|it| !it.is_under_way(faults)) {
            waiting.pop_front();
        }
        waiting.push_back(Waiting {
            row: request.row,
            since: request.since,
            until: request.since + Time::from_nanos(for_ns),
        });
    }

    /// The requests of a class that are given up now, and when the next one would be; nothing where none is under way.
    pub fn end(
        &mut self,
        class: usize,
        now: Time,
        faults: &mut Faults,
    ) -> (Vec<Message>, Option<Time>) {
        let mut given_up = Vec::new();
        let Some(waiting) = self.waiting.get_mut(class) else {
            return (given_up, None);
        };
        while let Some(first) = waiting.front() {
            if first.is_under_way(faults) && first.until > now {
                return (given_up, Some(first.until));
            }
            given_up.extend(faults.abandon(first.row, first.since));
            waiting.pop_front();
        }
        (given_up, None)
    }
}
