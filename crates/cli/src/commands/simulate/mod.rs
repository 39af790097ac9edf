//! `hotset simulate trace`: a trace through a cache.

mod sampled;

use std::borrow::Cow;

use anyhow::{Result, bail};
use clap::builder::ArgPredicate;
use hotset_cache::{CacheError, Counts, PAGE_BYTES, PolicyKind, simulate, simulate_with};
use hotset_outcome::{Outcome, Provenance, ProvenanceKind};
use hotset_plan::{ScanSeries, scan_mean_us};
use hotset_report::CacheScanView;
use hotset_scenario::{MemorySize, Profile};
use hotset_trace::folder;

use crate::input::{AccessColumns, InputArgs, name_of};
use crate::option_values::{one_of, percent};
use crate::output::{self, Usage};

/// The models that traffic can be run through.
#[derive(clap::Subcommand)]
pub enum Model {
    /// Run the file reads through a cache: hit ratios and mean response
    Trace(Args),
}

/// What `hotset simulate trace` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// Eviction policy: lru, two-list (the Linux page cache), sieve, s3-fifo, arc, gdsf, belady
    #[arg(long, value_name = "NAME", default_value = "two-list", hide_possible_values = true,
        default_value_if("sampled", ArgPredicate::IsPresent, "lru"),
        value_parser = one_of::<PolicyKind, _>(PolicyKind::ALL.map(PolicyKind::name)))]
    policy: PolicyKind,
    /// Size of the cache, such as 64MiB, or 10% of the bytes of all files
    #[arg(long, value_name = "SIZE")]
    memory: MemorySize,
    /// Unit of the cache's size: pages of 4 KiB (default for two-list) or bytes (default for every
    /// other policy)
    #[arg(long, value_name = "UNIT")]
    unit: Option<Unit>,
    /// Store that misses are read from: a built-in profile or a TOML file
    #[arg(long, value_name = "PROFILE", default_value = "hdd")]
    backing: String,
    /// Estimate the hit ratio of LRU from this share of the files, such as 10%, drawn several times by hash
    #[arg(long, value_name = "PERCENT", value_parser = percent, conflicts_with = "backing")]
    sampled: Option<f64>,
    /// Seed of the samples
    #[arg(long, default_value_t = 0, requires = "sampled")]
    seed: u64,
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

    fn of_sizes(self, bytes: &[u64]) -> Cow<'_, [u64]> {
        match self {
            Unit::Bytes => bytes.into(),
            Unit::Pages => bytes.iter().map(|size| size.div_ceil(PAGE_BYTES)).collect(),
        }
    }

    /// Bytes of one.
    fn bytes(self) -> u64 {
        match self {
            Unit::Bytes => 1,
            Unit::Pages => PAGE_BYTES,
        }
    }

    fn of_capacity(self, bytes: u64) -> u64 {
        match self {
            Unit::Bytes => bytes,
            Unit::Pages => bytes / PAGE_BYTES,
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    if args.sampled.is_some() && args.policy != PolicyKind::Lru {
        bail!(Usage(format!(
            "--sampled estimates lru, not {}; leave --policy out, or scan the whole trace without --sampled",
            args.policy
        )));
    }
    let profile = Profile::named_or_file(&args.backing)?;
    let accesses = read_accesses(args)?;
    let cache = Cache::of(args, &accesses);
    match args.sampled {
        Some(share) => sampled::print(args, &accesses, cache, share),
        None => print_scan(args, &accesses, cache, profile),
    }
}

/// The cache that is simulated.
#[derive(Clone, Copy)]
struct Cache {
    memory_bytes: u64,
    unit: Unit,
}

impl Cache {
    fn of(args: &Args, accesses: &folder::Accesses) -> Self {
        Self {
            memory_bytes: match args.memory {
                MemorySize::Bytes(bytes) => bytes,
                share => share.bytes(accessed_bytes(accesses)),
            },
            unit: args.unit.unwrap_or_else(|| Unit::of(args.policy)),
        }
    }
}

fn print_scan(
    args: &Args,
    accesses: &folder::Accesses,
    cache: Cache,
    profile: Profile,
) -> Result<()> {
    let Cache { memory_bytes, unit } = cache;
    let mut series = args.json.then(|| ScanSeries::new(accesses.objects.len()));
    let counts = scan(accesses, args.policy, unit, memory_bytes, series.as_mut())?;
    let outcome = series.map(|series| outcome(&series, args, unit, memory_bytes, &profile));
    let view = CacheScanView {
        policy: args.policy.to_string(),
        unit: unit.name().into(),
        memory_bytes,
        requests: counts.requests,
        hits: counts.hits,
        hit_ratio: counts.hit_ratio(),
        byte_hit_ratio: counts.byte_hit_ratio(),
        mean_us: scan_mean_us(&counts, &profile),
        backing: profile.name,
        outcomes: outcome.into_iter().collect(),
    };
    output::print_view(&view, args.json)
}

/// Only the columns that a scan needs, where the trace folder lets us.
fn read_accesses(args: &Args) -> Result<folder::Accesses> {
    if let Some(folder) = args.input.trace_folder()? {
        return Ok(folder::read_accesses(folder)?);
    }
    let input = args.input.read()?;
    let columns = AccessColumns::of(&input, &name_of(&args.input.logs)?)?;
    Ok(folder::Accesses {
        objects: columns.objects,
        sizes: input.trace.objects.size,
    })
}

/// Bytes of all objects that are accessed.
fn accessed_bytes(accesses: &folder::Accesses) -> u64 {
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

/// The run as `hotset compare` reads it.
fn outcome(
    series: &ScanSeries,
    args: &Args,
    unit: Unit,
    memory_bytes: u64,
    profile: &Profile,
) -> Outcome {
    let mut provenance = Provenance::new(ProvenanceKind::Simulated);
    provenance.settings = vec![
        ("unit".into(), unit.name().into()),
        ("memory_bytes".into(), memory_bytes.to_string()),
        ("backing".into(), profile.name.clone()),
    ];
    Outcome::new(args.policy.name(), provenance, series.score(profile))
}

/// Scans the accesses; with a series, what the outcome takes is counted too.
fn scan(
    accesses: &folder::Accesses,
    policy: PolicyKind,
    unit: Unit,
    memory_bytes: u64,
    series: Option<&mut ScanSeries>,
) -> Result<Counts, CacheError> {
    let (objects, bytes) = (&accesses.objects, &accesses.sizes);
    let capacity = unit.of_capacity(memory_bytes);
    let in_units = unit.of_sizes(bytes);
    let size = |index: usize| bytes[objects[index] as usize];
    if let Some(series) = series {
        let observe = |index: usize, hit| series.add(hit, size(index));
        simulate_with(policy, capacity, objects, &in_units, observe)?;
        return Ok(series.counts());
    }
    if unit == Unit::Bytes {
        return simulate(policy, capacity, objects, bytes);
    }
    let mut counts = Counts::default();
    let observe = |index: usize, hit| counts.add(hit, size(index));
    simulate_with(policy, capacity, objects, &in_units, observe)?;
    Ok(counts)
}
