//! Whether the machine was quiet while something was measured.

use crate::procfs::TICKS_PER_S;
use crate::{MachineError, OnFile};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// More of the processors' time than this in others' hands is not quiet: it is about what the repeats of
/// one measurement differ by on an idle machine.
const BUSY_SHARE_MAX: f64 = 0.05;

/// How busy the machine was with what is not the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Quietness {
    /// How long it was watched.
    pub seconds: f64,
    /// Share of all processors' time that others used, machines beside this one on the same hardware ("steal") included.
    pub others_cpu_share: f64,
    /// Of it, what the hardware gave to other machines.
    pub stolen_cpu_share: f64,
    /// Share of all processors' time that the experiment used.
    pub own_cpu_share: f64,
    /// The load average of the last minute, at the end.
    pub load_average: f64,
    /// Share of the time in which some process waited for a processor, where the kernel tells.
    pub cpu_pressure: Option<f64>,
    /// The same for the disks.
    pub io_pressure: Option<f64>,
    /// The same for memory.
    pub memory_pressure: Option<f64>,
    /// Whether the kernel was told to page out what nobody uses for a while (DAMON, `mm/damon`): files then fall out of the
    /// page cache of a node that has room for them.
    #[serde(default)]
    pub pages_out_idle_memory: bool,
}

impl Quietness {
    /// Whether others left the machine alone.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        self.others_cpu_share <= BUSY_SHARE_MAX
    }
}

/// An observation that has begun.
#[derive(Debug)]
pub struct Watch {
    began: Instant,
    ticks: Ticks,
    pressures: [Option<u64>; 3],
}

const PRESSURES: [&str; 3] = ["cpu", "io", "memory"];

impl Watch {
    /// Begins to watch.
    ///
    /// # Errors
    /// When /proc/stat cannot be read.
    pub fn start() -> Result<Self, MachineError> {
        Ok(Self {
            began: Instant::now(),
            ticks: Ticks::read()?,
            pressures: PRESSURES.map(pressure_us),
        })
    }

    /// What was seen until now, `own_cpu_us` being the processor time of the experiment itself meanwhile.
    ///
    /// # Errors
    /// As [`Watch::start`].
    pub fn finish(&self, own_cpu_us: u64) -> Result<Quietness, MachineError> {
        let seconds = self.began.elapsed().as_secs_f64();
        let now = Ticks::read()?;
        let all = now.all.saturating_sub(self.ticks.all).max(1) as f64;
        let busy = now.busy.saturating_sub(self.ticks.busy) as f64;
        let own = own_cpu_us as f64 * TICKS_PER_S as f64 / 1e6;
        let pressures = std::array::from_fn(|kind| {
            let (from, to) = (self.pressures[kind]?, pressure_us(PRESSURES[kind])?);
            Some(to.saturating_sub(from) as f64 / 1e6 / seconds)
        });
        let [cpu_pressure, io_pressure, memory_pressure] = pressures;
        Ok(Quietness {
            seconds,
            others_cpu_share: ((busy - own) / all).max(0.0),
            stolen_cpu_share: now.stolen.saturating_sub(self.ticks.stolen) as f64 / all,
            own_cpu_share: own / all,
            load_average: load_average()?,
            cpu_pressure,
            io_pressure,
            memory_pressure,
            pages_out_idle_memory: pages_out_idle_memory(),
        })
    }
}

/// Processor time that the machine has used since it was started, the kernel's own among it, microseconds. It is counted in hundredths of
/// a second.
///
/// # Errors
/// When /proc/stat cannot be read.
pub fn used_processor_us() -> Result<u64, MachineError> {
    let ticks = Ticks::read()?;
    Ok(ticks.busy.saturating_sub(ticks.stolen) * (1_000_000 / TICKS_PER_S))
}

/// Processor time since the machine started, summed over its processors.
#[derive(Clone, Copy, Debug)]
struct Ticks {
    all: u64,
    busy: u64,
    stolen: u64,
}

impl Ticks {
    fn read() -> Result<Self, MachineError> {
        let path = Path::new("/proc/stat");
        let text = fs::read_to_string(path).on("read", path)?;
        // user nice system idle iowait irq softirq steal; guests' time is in user's already.
        let first = text.lines().next().unwrap_or_default();
        let fields: Vec<u64> = first
            .split_whitespace()
            .skip(1)
            .take(8)
            .filter_map(|field| field.parse().ok())
            .collect();
        let [user, nice, system, idle, iowait, irq, softirq, stolen] = fields[..] else {
            let problem = format!("cannot read {first:?}");
            return Err(MachineError::unreadable(path, problem));
        };
        let busy = user + nice + system + irq + softirq + stolen;
        Ok(Self {
            all: busy + idle + iowait,
            busy,
            stolen,
        })
    }
}

/// Microseconds since the machine started in which some process waited.
fn pressure_us(kind: &str) -> Option<u64> {
    let text = fs::read_to_string(Path::new("/proc/pressure").join(kind)).ok()?;
    let some = text.lines().find(|line| line.starts_with("some "))?;
    some.rsplit_once("total=")?.1.parse().ok()
}

/// Whether a kdamond runs with a scheme that takes memory from who does not use it (Documentation/admin-guide/mm/damon).
fn pages_out_idle_memory() -> bool {
    let below = |path: &Path| fs::read_dir(path).into_iter().flatten().flatten();
    let says = |path: PathBuf, words: &[&str]| {
        fs::read_to_string(path).is_ok_and(|text| words.contains(&text.trim()))
    };
    let pages_out = |kdamond: &Path| {
        below(&kdamond.join("contexts"))
            .flat_map(|context| below(&context.path().join("schemes")))
            .any(|scheme| says(scheme.path().join("action"), &["pageout", "cold"]))
    };
    below(Path::new("/sys/kernel/mm/damon/admin/kdamonds"))
        .map(|kdamond| kdamond.path())
        .any(|kdamond| says(kdamond.join("state"), &["on"]) && pages_out(&kdamond))
}

fn load_average() -> Result<f64, MachineError> {
    let path = Path::new("/proc/loadavg");
    let text = fs::read_to_string(path).on("read", path)?;
    text.split(' ')
        .next()
        .and_then(|first| first.parse().ok())
        .ok_or_else(|| MachineError::unreadable(path, "no load average"))
}
