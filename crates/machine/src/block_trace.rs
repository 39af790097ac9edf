//! What a block device is given to write, request by request, as the kernel's tracepoints tell it (`block_rq_complete` in
//! `include/trace/events/block.h`).

use crate::cgroup::DeviceNumber;
use crate::resource::Resource;
use crate::{Deployment, MachineError, OnFile};
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The event, below the folder of a trace.
const EVENT: &str = "events/block/block_rq_complete";
/// What stands before the event's fields in a line.
const LABEL: &str = ": block_rq_complete: ";
/// Room for events of each processor, KiB. An event takes less than 100 bytes, so there is room for 600,000.
const BUFFER_KIB: u64 = 64 << 10;
/// The kernel counts in sectors of this size, whatever the device's.
const SECTOR_BYTES: u64 = 512;

/// A trace of what one device writes. It goes with its deployment.
#[derive(Debug)]
pub struct BlockTrace {
    /// The folder of a trace of its own, which disturbs no other.
    instance: PathBuf,
}

impl BlockTrace {
    /// Prepares to trace the block device at `device`. One for each deployment.
    ///
    /// # Errors
    /// Without root, and where the kernel has no tracepoints.
    pub fn prepare(deployment: &Deployment, device: &Path) -> Result<Self, MachineError> {
        Self::prepare_disk(deployment, DeviceNumber::of(device)?)
    }

    /// The same of the disk with these numbers. Partitions have no requests of their own.
    ///
    /// # Errors
    /// As [`BlockTrace::prepare`].
    pub fn prepare_disk(
        deployment: &Deployment,
        number: DeviceNumber,
    ) -> Result<Self, MachineError> {
        let tracing = deployment.mount_point("tracing")?;
        deployment.mount(Path::new("hotset"), &tracing, "tracefs", "")?;
        let instance = tracing.join("instances").join(deployment.name("writes"));
        let made = Resource::Trace(instance.clone());
        let (_entry, ()) =
            deployment.make(made, || fs::create_dir(&instance).on("make", &instance))?;
        let trace = Self { instance };
        trace.set("tracing_on", "0")?;
        trace.set("buffer_size_kb", &BUFFER_KIB.to_string())?;
        // As the kernel has it, and not as programs are told (`MAJOR`, `include/linux/kdev_t.h`).
        let number = u64::from(number.major) << 20 | u64::from(number.minor);
        let writes = format!("dev == {number} && rwbs ~ \"*W*\"");
        trace.set(&format!("{EVENT}/filter"), &writes)?;
        trace.set(&format!("{EVENT}/enable"), "1")?;
        Ok(trace)
    }

    /// Begins anew.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn begin(&self) -> Result<(), MachineError> {
        // Opening it for writing empties it.
        self.set("trace", "")?;
        self.set("tracing_on", "1")
    }

    /// Ends: what was written since it began, each request as bytes of the device; nothing where there were more than it has room for.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub fn end(&self) -> Result<Option<Vec<Range<u64>>>, MachineError> {
        self.set("tracing_on", "0")?;
        let path = self.instance.join("trace");
        let file = File::open(&path).on("open", &path)?;
        let mut requests = Vec::new();
        for line in BufReader::new(file).lines() {
            let line = line.on("read", &path)?;
            if is_short(&line) {
                return Ok(None);
            }
            requests.extend(request(&line));
        }
        Ok(Some(requests))
    }

    fn set(&self, file: &str, text: &str) -> Result<(), MachineError> {
        let path = self.instance.join(file);
        fs::write(&path, text).on("write", path)
    }
}

/// Whether a line says that events were lost: `# entries-in-buffer/entries-written: 140/200   #P:2`.
fn is_short(line: &str) -> bool {
    let Some(counts) = line.strip_prefix("# entries-in-buffer/entries-written: ") else {
        return false;
    };
    let counts = counts.split_whitespace().next().unwrap_or_default();
    let kept = counts.split_once('/');
    kept.is_none_or(|(there, written)| there != written)
}

/// The bytes of a request: `… 12.345678: block_rq_complete: 7,0 WS () 2048 + 8 none,0,0 [0]`. A flush alone has none.
fn request(line: &str) -> Option<Range<u64>> {
    let (_, fields) = line.split_once(LABEL)?;
    let (_, place) = fields.split_once(") ")?;
    let mut words = place.split_whitespace();
    let sector: u64 = words.next()?.parse().ok()?;
    let sectors: u64 = words.nth(1)?.parse().ok().filter(|&it| it > 0)?;
    let end = sector.checked_add(sectors)?.checked_mul(SECTOR_BYTES)?;
    Some(sector * SECTOR_BYTES..end)
}
