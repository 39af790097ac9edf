//! "Server" and "data segmentation" (figures 46, 47, 51 and 54): a daemon that does one thing at a time, and what is sent in several packets.

use hotset_petri::{Page, Unit, Urgent};

use super::super::tokens::Queue;
use super::client::{SEGMENT_BYTES, bytes_ns};
use super::job::ParallelJob;
use super::tokens::{Packet, ReceiveBuffers};

/// Adds a server, with its number. What it answers it puts into `answers`.
pub(super) fn server(
    page: &mut Page<'_>,
    job: &ParallelJob,
    number: usize,
    (came, answers): (&Queue<Packet>, &Queue<Packet>),
) {
    page.page(&format!("server {}", number + 1), |page| {
        let buffers = page.fifo("receive buffers", [ReceiveBuffers::default()]);
        let idle = page.unit("daemon is idle", 1);
        let taken = page.fifo::<Packet>("request taken", []);
        let cost = job.receive;
        let requests = match job.writes {
            true => combined(page, came),
            false => *came,
        };
        page.transition("receive request")
            .take(&requests)
            .take(&buffers)
            .put(&buffers)
            .urgency(Urgent::HIGH)
            .fire(move |(request, buffers): (Packet, ReceiveBuffers), _| {
                buffers.with(request, cost)
            });
        page.transition("take request")
            .take(&buffers)
            .take(&idle)
            .when(ReceiveBuffers::has_any)
            .put(&buffers)
            .put(taken.maybe())
            .fire(|buffers: ReceiveBuffers, _| {
                let request = buffers.first();
                (buffers, request)
            });
        match job.writes {
            true => write(page, job, &taken, (&buffers, &idle, answers)),
            false => read(page, job, &taken, (&buffers, &idle, answers)),
        }
        page.watch_busy("daemon", &idle, 1);
    });
}

/// Segments become the request that they were (figure 54).
fn combined(page: &mut Page<'_>, came: &Queue<Packet>) -> Queue<Packet> {
    let requests = page.fifo::<Packet>("requests", []);
    page.transition("combine segments")
        .take(came)
        .put(requests.maybe())
        .urgency(Urgent::HIGH)
        .fire(|segment: Packet, _| segment.is_marked.then_some(segment));
    requests
}

/// Strips are read one at a time, and the next client's turn comes.
fn read(
    page: &mut Page<'_>,
    job: &ParallelJob,
    taken: &Queue<Packet>,
    (buffers, idle, answers): (&Queue<ReceiveBuffers>, &Unit, &Queue<Packet>),
) {
    let chunk_read = page.fifo::<Packet>("chunk read", []);
    let (call_ns, strip_bytes) = (job.call_ns, job.striping.strip_bytes);
    let ns_per_byte = job.ns_per_byte;
    page.transition("read chunk")
        .take(taken)
        .put(&chunk_read)
        .fire(move |request: Packet, firing| {
            let end = chunk_end(&request, strip_bytes);
            let call_ns = match request.is_marked {
                true => call_ns + request.receive_ns,
                false => 0,
            };
            let work_ns = call_ns + bytes_ns(end - request.at, ns_per_byte);
            firing.delay_by(work_ns as f64 / 1e9);
            request
        });
    page.transition("end chunk")
        .take(&chunk_read)
        .take(buffers)
        .put(buffers)
        .put(answers)
        .put(idle)
        .urgency(Urgent::HIGH)
        .fire(move |(request, buffers): (Packet, ReceiveBuffers), _| {
            let end = chunk_end(&request, strip_bytes);
            let rest = Packet {
                at: end,
                is_marked: false,
                ..request
            };
            (buffers.after(rest), Packet { end, ..request })
        });
}

/// A request is written as it was asked for.
fn write(
    page: &mut Page<'_>,
    job: &ParallelJob,
    taken: &Queue<Packet>,
    (buffers, idle, answers): (&Queue<ReceiveBuffers>, &Unit, &Queue<Packet>),
) {
    let written = page.fifo::<Packet>("request written", []);
    let (call_ns, ns_per_byte) = (job.call_ns, job.ns_per_byte);
    page.transition("write request")
        .take(taken)
        .put(&written)
        .fire(move |request: Packet, firing| {
            let moving_ns = bytes_ns(request.end - request.at, ns_per_byte);
            let work_ns = call_ns + request.receive_ns + moving_ns;
            firing.delay_by(work_ns as f64 / 1e9);
            request
        });
    page.transition("end request")
        .take(&written)
        .take(buffers)
        .put(buffers)
        .put(answers)
        .put(idle)
        .urgency(Urgent::HIGH)
        .fire(|(request, buffers): (Packet, ReceiveBuffers), _| {
            // Nothing is left of it, and the answer has no data.
            let answer = Packet {
                at: request.end,
                is_marked: true,
                ..request
            };
            (buffers.after(answer), answer)
        });
}

/// Where the chunk ends that a request has next: at the end of its strip.
fn chunk_end(request: &Packet, strip_bytes: u64) -> u64 {
    ((request.at / strip_bytes + 1) * strip_bytes).min(request.end)
}

/// Adds the division of what has data into segments.
pub(super) fn segmentation(page: &mut Page<'_>, data: &Queue<Packet>, sent: &Queue<Packet>) {
    page.page("data segmentation", |page| {
        page.transition("divide into segments")
            .take(data)
            .put(sent.many())
            .urgency(Urgent::HIGH)
            .fire(|whole: Packet, _| {
                let segments = (whole.end - whole.at).div_ceil(SEGMENT_BYTES);
                let segment = |number: u64| Packet {
                    is_marked: number + 1 == segments,
                    ..whole
                };
                (0..segments).map(segment).collect::<Vec<Packet>>()
            });
    });
}
