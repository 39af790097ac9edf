//! Data of files between clients and servers: in one message, in flows of OrangeFS, in chunks of PVFS 1.

use std::ops::Range;

use hotset_cache::PAGE_BYTES;

use super::call::{Call, Flow, NONE, Part};
use super::processors::Processors;
use super::store::ParallelStore;
use super::system::{OrangeFs, Protocol};
use super::wire::{self, Bytes};
use crate::calendar::Calendar;
use crate::remote::event::RemoteEvent;
use crate::remote::file_server::Work;

/// What an operation wants of one server.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    operation: u32,
    client: u32,
    server: u32,
    /// The server's file.
    file: u32,
    writes: bool,
    start: u64,
    end: u64,
    /// What the client's processors do beside what the library takes.
    own_ns: u64,
}

impl Wanted {
    fn bytes(&self) -> u64 {
        self.end - self.start
    }

    /// What the server does for it: it has whole pages.
    fn work(&self) -> Work {
        work(self.writes, self.file, self.start..self.end)
    }
}

/// Bytes of a server's file in whole pages, read or written.
fn work(writes: bool, file: u32, bytes: Range<u64>) -> Work {
    let offset = bytes.start / PAGE_BYTES * PAGE_BYTES;
    let bytes = bytes.end.div_ceil(PAGE_BYTES) * PAGE_BYTES - offset;
    match writes {
        true => Work::Write {
            file,
            offset,
            bytes,
            is_stable: false,
        },
        false => Work::Read {
            file,
            offset,
            bytes,
        },
    }
}

impl ParallelStore {
    /// An operation asks all servers that have a part of what it wants, as much as it may at a time.
    pub(super) fn begin_data(
        &mut self,
        now_ns: u64,
        number: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let fuse = self.fuse();
        let operation = self.operations.of(number);
        let most_bytes = fuse.map_or(u64::MAX, |it| it.0);
        let start = operation.next;
        let end = operation.end.min(start.saturating_add(most_bytes));
        operation.next = end;
        let (client, writes, own) = (operation.client, operation.writes, operation.file);
        let file = self.number(client, own);
        let parts: Vec<(u32, Range<u64>)> = self.striping.parts(start..end).collect();
        let all_small = parts.iter().all(|(_, part)| self.is_small(writes, part));
        let mut own_ns = fuse.map_or(0, |it| it.1.call_ns + it.1.bytes_ns(end - start));
        for (place, part) in parts {
            let wanted = Wanted {
                operation: number,
                client,
                server: self.server_at(file, place),
                file,
                writes,
                start: part.start,
                end: part.end,
                own_ns: std::mem::take(&mut own_ns),
            };
            match self.protocol {
                Protocol::Pvfs1(_) if writes => {
                    let bytes = wire::pvfs1_write(wanted.bytes());
                    self.begin_whole(now_ns, ("write", bytes), wanted, processors, calendar);
                }
                Protocol::Pvfs1(_) => {
                    self.begin_chunks(now_ns, wanted, processors, calendar);
                }
                Protocol::OrangeFs(_) if all_small => {
                    let name = if writes { "small-write" } else { "small-read" };
                    let bytes = wire::small(writes, wanted.bytes());
                    self.begin_whole(now_ns, (name, bytes), wanted, processors, calendar);
                }
                Protocol::OrangeFs(options) => {
                    self.begin_flow(now_ns, (wanted, &options), processors, calendar);
                }
            }
        }
    }

    /// Whether a part may go in one message, and all parts have to.
    fn is_small(&self, writes: bool, part: &Range<u64>) -> bool {
        match &self.protocol {
            Protocol::OrangeFs(options) => wire::is_small(options, writes, part.end - part.start),
            Protocol::Pvfs1(_) => false,
        }
    }

    /// Data that go with a question or with its answer.
    fn begin_whole(
        &mut self,
        now_ns: u64,
        (name, bytes): (&'static str, Bytes),
        wanted: Wanted,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        self.operations.of(wanted.operation).left += 1;
        let ends = (wanted.client, wanted.server);
        let growth_ns = match wanted.writes {
            true => self.growth_ns((wanted.server, wanted.file), wanted.end),
            false => 0,
        };
        let call = self.call((name, Part::Whole), ends, bytes, wanted.operation);
        let call = Call {
            work: wanted.work(),
            client_ns: call.client_ns + wanted.own_ns,
            server_ns: call.server_ns + growth_ns,
            ..call
        };
        self.send_later(now_ns, call, processors, calendar);
    }

    /// A read of PVFS 1: the server answers with the chunks, one for each of its strips.
    fn begin_chunks(
        &mut self,
        now_ns: u64,
        wanted: Wanted,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let strip_bytes = self.striping.strip_bytes;
        let chunks = (wanted.end - 1) / strip_bytes - wanted.start / strip_bytes + 1;
        let begun = (wanted, chunks, 1 + chunks);
        self.begin_head(
            now_ns,
            ("read", wire::PVFS1_READ),
            begun,
            processors,
            calendar,
        );
    }

    /// A flow of OrangeFS: data follow when the server has answered, in buffers.
    fn begin_flow(
        &mut self,
        now_ns: u64,
        (wanted, options): (Wanted, &OrangeFs),
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let buffers = wanted.bytes().div_ceil(options.flow_buffer_bytes.max(1));
        // What ends a flow that writes is a call of its own.
        let calls = 1 + buffers + u64::from(wanted.writes);
        let name = if wanted.writes { "write" } else { "read" };
        let begun = (wanted, buffers, calls);
        self.begin_head(now_ns, (name, wire::FLOW), begun, processors, calendar);
    }

    /// The call that begins a flow of so many buffers, for which its operation waits with so many calls in all.
    fn begin_head(
        &mut self,
        now_ns: u64,
        (name, bytes): (&'static str, Bytes),
        (wanted, buffers, calls): (Wanted, u64, u64),
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        self.operations.of(wanted.operation).left += calls as u32;
        let flow = self.flows.add(Flow {
            head: NONE,
            operation: wanted.operation,
            client: wanted.client,
            server: wanted.server,
            file: wanted.file,
            writes: wanted.writes,
            next: wanted.start,
            end: wanted.end,
            left: buffers as u32,
        });
        let ends = (wanted.client, wanted.server);
        let call = self.call((name, Part::Head), ends, bytes, wanted.operation);
        let call = Call {
            flow,
            client_ns: call.client_ns + wanted.own_ns,
            ..call
        };
        let head = self.send_later(now_ns, call, processors, calendar);
        self.flows.of(flow).head = head;
    }

    /// A message has come to its server.
    pub(super) fn arrive(
        &mut self,
        now_ns: u64,
        call: u32,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = *self.calls.of(call);
        let Protocol::Pvfs1(options) = self.protocol else {
            self.work(now_ns, call, calendar);
            return;
        };
        if of.part != Part::Head && of.work == Work::Nothing {
            self.work(now_ns, call, calendar);
            return;
        }
        // A daemon has a buffer for each client.
        let packets = self
            .network
            .packets(of.connection as usize, of.bytes.request);
        let buffers = &mut self.buffers[of.server as usize];
        let receive_ns = options.receive.ns(buffers.packets(of.client), packets);
        self.calls.of(call).server_ns += receive_ns;
        buffers.add(of.client, call, packets);
        self.serve(now_ns, of.server, calendar);
    }

    /// A thread of a server takes a call.
    fn work(&mut self, now_ns: u64, call: u32, calendar: &mut impl Calendar<RemoteEvent>) {
        let of = *self.calls.of(call);
        let server = &mut self.servers[of.server as usize];
        server.arrive_costing(now_ns, call, (of.work, of.server_ns), calendar);
    }

    /// A daemon of PVFS 1 looks into its buffers.
    fn serve(&mut self, now_ns: u64, server: u32, calendar: &mut impl Calendar<RemoteEvent>) {
        let Some(call) = self.buffers[server as usize].take() else {
            return;
        };
        let of = *self.calls.of(call);
        match of.part {
            Part::Head => {
                // What the call costs is paid with its first chunk.
                let server_ns = std::mem::take(&mut self.calls.of(call).server_ns);
                let end = self.strip_end(of.flow);
                self.read_data(now_ns, of.flow, (end, server_ns), calendar);
            }
            _ => self.work(now_ns, call, calendar),
        }
    }

    /// Where the strip ends in which a flow goes on.
    fn strip_end(&mut self, flow: u32) -> u64 {
        let strip_bytes = self.striping.strip_bytes;
        let flow = self.flows.of(flow);
        let end = (flow.next / strip_bytes + 1).saturating_mul(strip_bytes);
        end.min(flow.end)
    }

    /// A daemon of PVFS 1 has served what `of` wanted of it for now, and takes what is next.
    pub(super) fn take_next(
        &mut self,
        now_ns: u64,
        of: &Call,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let goes_on = of.part == Part::ReadData && {
            let flow = self.flows.of(of.flow);
            flow.next < flow.end
        };
        let buffers = &mut self.buffers[of.server as usize];
        match goes_on {
            true => buffers.go_on(),
            false => buffers.done(),
        }
        self.serve(now_ns, of.server, calendar);
    }

    /// A server reads what a flow has next, up to `end`.
    fn read_data(
        &mut self,
        now_ns: u64,
        flow: u32,
        (end, server_ns): (u64, u64),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = self.flows.of(flow);
        let part = of.next..end;
        of.next = end;
        let of = *of;
        let bytes = match self.protocol {
            Protocol::Pvfs1(_) => wire::pvfs1_chunk(end - part.start),
            Protocol::OrangeFs(_) => Bytes {
                request: 0,
                answer: end - part.start,
            },
        };
        let (kind, ends) = (("read-data", Part::ReadData), (of.client, of.server));
        let call = Call {
            work: work(false, of.file, part),
            flow,
            server_ns,
            ..self.call(kind, ends, bytes, of.operation)
        };
        let call = self.add_of_server(now_ns, call);
        self.work(now_ns, call, calendar);
    }

    /// Where the buffer ends that a flow of OrangeFS has next.
    fn buffer_end(&mut self, flow: u32) -> Option<u64> {
        let Protocol::OrangeFs(options) = self.protocol else {
            return None;
        };
        let flow = self.flows.of(flow);
        let end = flow.next.saturating_add(options.flow_buffer_bytes.max(1));
        (flow.next < flow.end).then_some(end.min(flow.end))
    }

    /// Buffers that a flow may have at a time.
    fn most_buffers(&self) -> u32 {
        match self.protocol {
            Protocol::OrangeFs(options) => options.flow_buffers.max(1),
            Protocol::Pvfs1(_) => 0,
        }
    }

    /// A server has done a part of a flow.
    pub(super) fn answered_of_flow(
        &mut self,
        now_ns: u64,
        call: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = *self.calls.of(call);
        match of.part {
            Part::WriteData => self.written(now_ns, call, processors, calendar),
            Part::Head => {
                self.reply(now_ns, call, calendar);
                if !self.flows.of(of.flow).writes {
                    for _ in 0..self.most_buffers() {
                        self.has_room(now_ns, of.flow, calendar);
                    }
                }
            }
            Part::ReadData | Part::Whole | Part::Done => self.reply(now_ns, call, calendar),
        }
    }

    /// A server has a buffer free for a flow to the client.
    pub(super) fn has_room(
        &mut self,
        now_ns: u64,
        flow: u32,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        if let Some(end) = self.buffer_end(flow) {
            let (_, server_ns) = self.buffer_ns();
            self.read_data(now_ns, flow, (end, server_ns), calendar);
        }
    }

    /// What a buffer of a flow costs a client and a server of OrangeFS beside its bytes.
    pub(super) fn buffer_ns(&self) -> (u64, u64) {
        match self.protocol {
            Protocol::OrangeFs(options) => (options.client_buffer_ns, options.server_buffer_ns),
            Protocol::Pvfs1(_) => (0, 0),
        }
    }

    /// What it costs a server of OrangeFS that its part of a file is written up to `end`, beside a read of as much: what it costs to note that
    /// the part has grown, if it has.
    fn growth_ns(&mut self, (server, file): (u32, u32), end: u64) -> u64 {
        match self.protocol {
            Protocol::OrangeFs(options) if self.ends.grows(server, file, end) => options.growth_ns,
            Protocol::OrangeFs(_) | Protocol::Pvfs1(_) => 0,
        }
    }

    /// The same of a buffer of a flow.
    fn written_ns(&mut self, place: (u32, u32), bytes: &Range<u64>) -> u64 {
        let more_ns = match self.protocol {
            Protocol::OrangeFs(OrangeFs { written, .. }) => {
                written.call_ns + written.bytes_ns(bytes.end - bytes.start)
            }
            Protocol::Pvfs1(_) => 0,
        };
        more_ns + self.growth_ns(place, bytes.end)
    }

    /// A client sends what a flow has next, if it has something.
    fn write_data(
        &mut self,
        now_ns: u64,
        flow: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let Some(end) = self.buffer_end(flow) else {
            return;
        };
        let of = self.flows.of(flow);
        let part = of.next..end;
        of.next = end;
        let of = *of;
        let bytes = Bytes {
            request: end - part.start,
            answer: 0,
        };
        let (kind, ends) = (("write-data", Part::WriteData), (of.client, of.server));
        let (client_ns, buffer_ns) = self.buffer_ns();
        let server_ns = buffer_ns + self.written_ns((of.server, of.file), &part);
        let call = Call {
            work: work(true, of.file, part),
            flow,
            client_ns,
            server_ns,
            ..self.call(kind, ends, bytes, of.operation)
        };
        self.send_later(now_ns, call, processors, calendar);
    }

    /// A server has written a buffer of a flow: the client may send another, or the flow ends.
    fn written(
        &mut self,
        now_ns: u64,
        call: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = self.calls.of(call);
        of.times.answered_ns = now_ns;
        of.times.back_ns = now_ns;
        let number = of.flow;
        self.finish(now_ns, call);
        let flow = self.flows.of(number);
        flow.left -= 1;
        if flow.left > 0 {
            self.write_data(now_ns, number, processors, calendar);
            return;
        }
        let flow = self.flows.remove(number);
        let (kind, ends) = (("write-done", Part::Done), (flow.client, flow.server));
        let done = self.call(kind, ends, wire::FLOW_DONE, flow.operation);
        let done = self.add_of_server(now_ns, done);
        self.reply(now_ns, done, calendar);
    }

    /// A client is done with the answer to a call of a flow.
    pub(super) fn end_of_flow(
        &mut self,
        now_ns: u64,
        of: &Call,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        match of.part {
            Part::Head if self.operations.of(of.operation).writes => {
                for _ in 0..self.most_buffers() {
                    self.write_data(now_ns, of.flow, processors, calendar);
                }
            }
            Part::ReadData => self.has_come(now_ns, of.flow),
            Part::Head | Part::Whole | Part::WriteData | Part::Done => {}
        }
    }

    /// A client has a buffer of a flow from a server. With the last one the flow ends, and with it a call of PVFS 1 that has no answer but them.
    fn has_come(&mut self, now_ns: u64, number: u32) {
        let flow = self.flows.of(number);
        flow.left -= 1;
        if flow.left > 0 {
            return;
        }
        let flow = self.flows.remove(number);
        if matches!(self.protocol, Protocol::Pvfs1(_)) {
            let head = self.calls.of(flow.head);
            head.times.answered_ns = now_ns;
            head.times.back_ns = now_ns;
            self.finish(now_ns, flow.head);
        }
    }
}
