//! Jobs of fio on the documents' machines: on the ext3 and the PVFS of D, as `experiments/documents` has them.

use std::collections::BTreeMap;

use hotset_models::remote::CallCosts;

use crate::reproduce::bench::{Bench, BenchFigures, Pvfs, Store};

/// What is to be known of their simulation.
pub(super) const SIMULATED: &str = "Simulated figures are of the document's machines (experiments/documents). It prints no bandwidth of memory or disks, so that these are those of A's nodes by clock and bus, and assumed";

/// D table 1 and 3: 4 GB.
const MEMORY_BYTES: u64 = 4 << 30;
/// D §3.2.2: about so much may be dirty on the machine with ext3.
const DIRTY_LIMIT_BYTES: u64 = 512 << 20;

/// Jobs on ext3, on the disks of a file of profiles.
pub(super) fn on_disks(name: &str, profile: &'static str, jobs: String) -> Bench {
    Bench {
        name: format!("d-{name}"),
        profile,
        memory_bytes: MEMORY_BYTES,
        dirty_limit_bytes: Some(DIRTY_LIMIT_BYTES),
        jobs,
        on: Store::Local,
    }
}

/// Jobs on PVFS with four servers (D p. 47, 48), by so many clients.
pub(super) fn on_pvfs(
    name: &str,
    (clients, has_linear_buffers): (usize, bool),
    jobs: String,
) -> Bench {
    Bench {
        name: format!("d-pvfs-{name}-{clients}-clients"),
        profile: "documents/d-raid5.toml",
        memory_bytes: MEMORY_BYTES,
        dirty_limit_bytes: None,
        jobs,
        on: Store::Pvfs(Pvfs {
            clients,
            servers: 4,
            // D §6.4: Gigabit Ethernet with packets of 1500 bytes. The delay is assumed.
            bits_per_s: 1_000_000_000,
            delay_ns: 50_000,
            mtu_bytes: 1500,
            costs: CallCosts::ASSUMED,
            has_linear_buffers,
        }),
    }
}

/// A job that reads or writes a file from its start to its end, or at random. What it reads is in memory as far as it fits.
pub(super) fn job(operation: &str, size: &str, block: &str) -> String {
    format!(
        "[job]\nfilename=data\nsize={size}\nrw={operation}\nbs={block}\nioengine=psync\ninvalidate=0\n"
    )
}

/// MB a second of the job of a bench.
pub(super) fn mb_per_s(
    figures: &BTreeMap<String, BenchFigures>,
    bench: &str,
    job: &str,
) -> Option<f64> {
    Some(figures.get(bench)?.bytes_per_s.get(job)? / 1e6)
}
