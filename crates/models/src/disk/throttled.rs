//! A disk whose reads are limited.

use hotset_scenario::MeasuredDevice;

/// What limits nothing, bytes in a microsecond.
const UNLIMITED: f64 = 1e9;

/// A disk that serves one request after the other at its limits: bytes and requests in a second, unlimited where not given. It takes no time besides.
/// Linux limits the reads of a control group so: a request passes when it is within both limits (`block/blk-throttle.c`). What Linux lets
/// pass at once after a pause is left out.
#[must_use]
pub fn throttled_device(
    bytes_per_s: Option<u64>,
    reads_per_s: Option<u64>,
    max_request_bytes: u64,
) -> MeasuredDevice {
    MeasuredDevice {
        delay_us: reads_per_s.map_or(0.0, |rate| 1e6 / rate as f64),
        bytes_per_us: UNLIMITED,
        slots: 1,
        total_bytes_per_us: bytes_per_s.map_or(UNLIMITED, |rate| rate as f64 / 1e6),
        max_request_bytes,
        delay_quantiles_us: None,
        in_flight_us: None,
        segment_us: 0.0,
        stream_bytes_per_us: None,
        write: None,
    }
}
