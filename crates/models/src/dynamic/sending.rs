//! The way of a file of another site: the web server, its pieces through the page cache, and the answer.

use super::neighbour::{LOOK_NS, Sending};
use super::state::{Event, Job, Run, Waiter};
use crate::calendar::Calendar as _;
use crate::storage::{Progress, Read, Usage};
use crate::tiers::PIECE_BYTES;

impl Run<'_> {
    /// A file is asked for, and the next request is awaited.
    pub(super) fn neighbour_comes(&mut self) {
        let now_ns = self.now_ns;
        let Some(neighbour) = &mut self.neighbour else {
            return;
        };
        if neighbour.is_full() {
            self.events.at(now_ns + LOOK_NS, Event::Neighbour);
            return;
        }
        let row = neighbour.take();
        let next_ns = neighbour.next_ns();
        let (number, file) = neighbour.traffic.file_of(row);
        let stored = neighbour.first_file + number;
        let open = self.storage.open(stored, file.bytes, Usage::SERVER);
        let sending = neighbour.begin(Sending {
            row,
            since_ns: now_ns,
            file: open,
            read: (file.bytes > 0).then(|| Read::new(0, file.bytes.min(PIECE_BYTES))),
            bytes: file.bytes,
            copying_ns: 0,
            has_waited: false,
        });
        let request_ns = neighbour.request_ns;
        self.events.at(next_ns.max(now_ns), Event::Neighbour);
        self.serve(self.web_machine(), request_ns, Job::Request(sending));
    }

    /// Reads on what is sent, piece by piece, until it is all there or something is waited for.
    pub(super) fn send(&mut self, number: u32) {
        let now_ns = self.now_ns;
        let Some(neighbour) = &mut self.neighbour else {
            return;
        };
        let Some(sending) = neighbour.sending(number) else {
            return;
        };
        while let Some(mut read) = sending.read {
            let waiter = Waiter::Request(number);
            let (file, events) = (&mut sending.file, &mut self.events);
            match self.storage.read(now_ns, waiter, file, &mut read, events) {
                Progress::Copies(ns) => {
                    sending.copying_ns += ns;
                    sending.read = Some(read);
                }
                Progress::Ends(ns) => {
                    sending.copying_ns += ns;
                    sending.has_waited |= read.missed();
                    let end = read.offset() + read.bytes();
                    let left = sending.bytes - end;
                    sending.read = (left > 0).then(|| Read::new(end, left.min(PIECE_BYTES)));
                }
                Progress::Waits => {
                    sending.read = Some(read);
                    return;
                }
            }
        }
        let copying_ns = sending.copying_ns;
        self.serve(self.web_machine(), copying_ns, Job::Send(number));
    }

    /// A file is sent.
    pub(super) fn sent(&mut self, number: u32) {
        let now_ns = self.now_ns;
        let Some(neighbour) = &mut self.neighbour else {
            return;
        };
        let Some(sending) = neighbour.end(number) else {
            return;
        };
        let (_, file) = neighbour.traffic.file_of(sending.row);
        let is_hit = !sending.has_waited;
        let ns = now_ns - sending.since_ns;
        self.counts.cache.add(is_hit, file.bytes);
        self.counts
            .send(usize::from(file.site), is_hit, file.bytes, ns);
    }
}
