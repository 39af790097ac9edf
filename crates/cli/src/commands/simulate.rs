//! `hotset simulate trace`: a trace through a cache.

use anyhow::Result;
use hotset_cache::{CacheError, Counts, PolicyKind, simulate, simulate_with};
use hotset_report::terminal::{self, Simulated};
use hotset_scenario::{CostLine, MemorySize, Profile};
use hotset_trace::store;

use crate::input::{AccessColumns, InputArgs, name_of, one_of};
use crate::output;

/// The models that traffic can be run through.
#[derive(clap::Subcommand)]
pub enum Model {
    /// Run the accesses through a cache: hit ratios and mean response
    Trace(Args),
}

/// What `hotset simulate trace` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// Eviction policy: lru, two-list (the Linux page cache), sieve, s3-fifo, arc, gdsf, belady
    #[arg(long, value_name = "NAME", default_value = "two-list", hide_possible_values = true,
        value_parser = one_of::<PolicyKind, _>(PolicyKind::ALL.map(PolicyKind::name)))]
    policy: PolicyKind,
    /// Size of the cache: 64MiB, or 10% of the bytes of all objects
    #[arg(long, value_name = "SIZE")]
    memory: MemorySize,
    /// What the cache is filled in: pages of 4 KiB (default for two-list) or bytes (default for
    /// every other policy)
    #[arg(long, value_name = "UNIT")]
    unit: Option<Unit>,
    /// Where misses are read from: a built-in profile or a TOML file
    #[arg(long, value_name = "PROFILE", default_value = "hdd")]
    backing: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What a cache is filled in.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Unit {
    Bytes,
    Pages,
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Unit::Bytes => "bytes",
            Unit::Pages => "pages",
        }
    }

    /// The page cache works in pages; the other policies are those of object caches.
    fn of(policy: PolicyKind) -> Unit {
        if policy == PolicyKind::TwoList {
            Unit::Pages
        } else {
            Unit::Bytes
        }
    }

    fn of_size(self, bytes: u64) -> u64 {
        match self {
            Unit::Bytes => bytes,
            Unit::Pages => bytes.div_ceil(hotset_plan::PAGE_BYTES),
        }
    }

    fn of_capacity(self, bytes: u64) -> u64 {
        match self {
            Unit::Bytes => bytes,
            Unit::Pages => bytes / hotset_plan::PAGE_BYTES,
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let profile = Profile::named_or_file(&args.backing)?;
    let accesses = read_accesses(args)?;
    let memory_bytes = match args.memory {
        MemorySize::Bytes(bytes) => bytes,
        share => share.bytes(accessed_bytes(&accesses)),
    };
    let unit = args.unit.unwrap_or_else(|| Unit::of(args.policy));
    let counts = scan(&accesses, args.policy, unit, memory_bytes)?;
    let run = Simulated {
        policy: args.policy.to_string(),
        unit: unit.name().into(),
        memory_bytes,
        requests: counts.requests,
        hits: counts.hits,
        hit_ratio: counts.hit_ratio(),
        byte_hit_ratio: counts.byte_hit_ratio(),
        mean_us: mean_us(&counts, &profile),
        backing: profile.name,
    };
    if args.json {
        return output::print_json(&serde_json::to_value(&run)?);
    }
    output::print(&terminal::simulate(&[run], output::style()))
}

/// Only the columns that a scan needs, where the trace folder lets us.
fn read_accesses(args: &Args) -> Result<store::Accesses> {
    if let Some(folder) = args.input.trace_folder()? {
        return Ok(store::read_accesses(folder)?);
    }
    let input = args.input.read()?;
    let columns = AccessColumns::of(&input, &name_of(&args.input.logs)?)?;
    Ok(store::Accesses {
        objects: columns.objects,
        sizes: input.trace.objects.size,
    })
}

/// Bytes of all objects that are accessed.
fn accessed_bytes(accesses: &store::Accesses) -> u64 {
    let mut seen = vec![false; accesses.sizes.len()];
    accesses
        .objects
        .iter()
        .for_each(|&object| seen[object as usize] = true);
    accesses
        .sizes
        .iter()
        .zip(seen)
        .filter(|(_, seen)| *seen)
        .map(|(size, _)| size)
        .sum()
}

fn scan(
    accesses: &store::Accesses,
    policy: PolicyKind,
    unit: Unit,
    memory_bytes: u64,
) -> Result<Counts, CacheError> {
    let (objects, bytes) = (&accesses.objects, &accesses.sizes);
    let capacity = unit.of_capacity(memory_bytes);
    if unit == Unit::Bytes {
        return simulate(policy, capacity, objects, bytes);
    }
    let mut counts = Counts::default();
    let in_units: Vec<u64> = bytes.iter().map(|&size| unit.of_size(size)).collect();
    let observe = |index: usize, hit| counts.add(hit, bytes[objects[index] as usize]);
    simulate_with(policy, capacity, objects, &in_units, observe)?;
    Ok(counts)
}

/// Mean response: costs grow linearly with the bytes, so the sums of the bytes suffice.
fn mean_us(counts: &Counts, profile: &Profile) -> f64 {
    let sum = |line: CostLine, requests: u64, bytes: u64| {
        requests as f64 * (profile.open_us + line.fixed_us) + bytes as f64 / line.bytes_per_us
    };
    let misses = counts.requests - counts.hits;
    let missed_bytes = counts.bytes.saturating_sub(counts.hit_bytes);
    let us = sum(profile.cached, counts.hits, counts.hit_bytes)
        + sum(profile.uncached, misses, missed_bytes);
    us / counts.requests.max(1) as f64
}
