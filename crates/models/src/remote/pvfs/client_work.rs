//! What clients do for their calls. The library of OrangeFS has no threads of its own: messages of an operation are made, and answers to it are
//! taken, one after the other (`__PVFS2_JOB_THREADED__`, `configure.ac` of OrangeFS 2.10). A daemon of FUSE does one operation at a time anyway.

use super::call::Later;
use super::processors::Processors;
use super::store::ParallelStore;
use super::system::Protocol;
use crate::calendar::Calendar;
use crate::remote::event::RemoteEvent;

impl ParallelStore {
    /// A client works so long for a call, and then `event` takes place. It does that later if its thread is at another call of the operation.
    pub(super) fn work_at_client(
        &mut self,
        now_ns: u64,
        (call, work_ns): (u32, u64),
        event: RemoteEvent,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = self.calls.of(call);
        let (client, number) = (of.client, of.operation);
        if matches!(self.protocol, Protocol::OrangeFs(_)) {
            let operation = self.operations.of(number);
            if operation.is_at_work {
                self.clients[client as usize].later.push_back(Later {
                    operation: number,
                    call,
                    work_ns,
                    event,
                });
                return;
            }
            operation.is_at_work = true;
            of.is_in_hand = true;
        }
        let done_ns = self.serve_client(client, now_ns, work_ns, processors);
        calendar.at(done_ns, event);
    }

    /// A client has done something for a call. If its thread was at it, that goes on with what it left of the operation.
    pub(super) fn let_go(
        &mut self,
        now_ns: u64,
        call: u32,
        processors: &mut (impl Processors + ?Sized),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = self.calls.of(call);
        if !std::mem::take(&mut of.is_in_hand) {
            return;
        }
        let (client, operation) = (of.client, of.operation);
        self.operations.of(operation).is_at_work = false;
        let later = &mut self.clients[client as usize].later;
        let place = later.iter().position(|it| it.operation == operation);
        if let Some(next) = place.and_then(|place| later.remove(place)) {
            let work = (next.call, next.work_ns);
            self.work_at_client(now_ns, work, next.event, processors, calendar);
        }
    }
}
