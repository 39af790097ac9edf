//! "Server" and "data segmentation" (figures 46 and 47): a daemon that does one thing at a time, and what it sends.

use hotset_petri::{Page, Urgent};

use super::super::tokens::Queue;
use super::client::bytes_ns;
use super::job::ParallelReadJob;
use super::tokens::{Packet, ReceiveBuffers};

/// Bytes of a file in a packet of 1500 bytes, beside headers of IP and TCP.
const SEGMENT_BYTES: u64 = 1448;

/// Adds a server. What it reads it puts into `data`.
pub(super) fn server(
    page: &mut Page<'_>,
    job: &ParallelReadJob,
    number: usize,
    (came, data): (&Queue<Packet>, &Queue<Packet>),
) {
    page.page(&format!("server {}", number + 1), |page| {
        let buffers = page.fifo("receive buffers", [ReceiveBuffers::default()]);
        let idle = page.unit("daemon is idle", 1);
        let reading = page.fifo::<Packet>("request taken", []);
        let read = page.fifo::<Packet>("chunk read", []);
        page.transition("receive packet")
            .take(came)
            .take(&buffers)
            .put(&buffers)
            .urgency(Urgent::HIGH)
            .fire(|(request, buffers): (Packet, ReceiveBuffers), _| buffers.with(request));
        page.transition("take request")
            .take(&buffers)
            .take(&idle)
            .when(ReceiveBuffers::has_any)
            .put(&buffers)
            .put(reading.maybe())
            .fire(|mut buffers: ReceiveBuffers, _| {
                let request = buffers.take();
                (buffers, request)
            });
        let (of_call, strip_bytes) = (job.call_ns + job.receive_ns, job.striping.strip_bytes);
        let ns_per_byte = job.ns_per_byte;
        page.transition("read chunk")
            .take(&reading)
            .put(&read)
            .fire(move |request: Packet, firing| {
                let end = chunk_end(&request, strip_bytes);
                let call_ns = if request.is_marked { of_call } else { 0 };
                let work_ns = call_ns + bytes_ns(end - request.at, ns_per_byte);
                firing.delay_by(work_ns as f64 / 1e9);
                request
            });
        page.transition("end chunk")
            .take(&read)
            .take(&buffers)
            .put(&buffers)
            .put(data)
            .put(&idle)
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
        page.watch_busy("daemon", &idle, 1);
    });
}

/// Where the chunk ends that a request has next: at the end of its strip.
fn chunk_end(request: &Packet, strip_bytes: u64) -> u64 {
    ((request.at / strip_bytes + 1) * strip_bytes).min(request.end)
}

/// Adds the division of chunks into segments.
pub(super) fn segmentation(page: &mut Page<'_>, data: &Queue<Packet>, sent: &Queue<Packet>) {
    page.page("data segmentation", |page| {
        page.transition("divide into segments")
            .take(data)
            .put(sent.many())
            .urgency(Urgent::HIGH)
            .fire(|chunk: Packet, _| {
                let segments = (chunk.end - chunk.at).div_ceil(SEGMENT_BYTES);
                let segment = |number: u64| Packet {
                    is_marked: number + 1 == segments,
                    ..chunk
                };
                (0..segments).map(segment).collect::<Vec<Packet>>()
            });
    });
}
