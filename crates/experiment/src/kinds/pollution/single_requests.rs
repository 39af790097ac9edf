//! What serving costs on a node, by single requests for files of all sizes.

use std::net::SocketAddr;
use std::path::PathBuf;

use hotset_replay::Client;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use super::arms::within;
use super::bench::{Bench, ServerOptions, drop_pages, relative};
use super::cost_lines::{MeasuredCosts, Sample};
use super::result::{CostsResult, Settings};
use super::workload::{CellWorkload, SITES};
use crate::clients::PATIENCE;
use crate::kept::Results;
use crate::session::Session;
use crate::{Axis, ExperimentError, Point};
use hotset_machine::file;

use hotset_lab::{Control, go_on};

/// Files of each site that are asked for. The rotation alone spreads the times of small files with a standard deviation of
/// 2.4 ms, a fifth of their mean: with so many the mean is known to 2 %.
const FILES: usize = 96;
/// Share of the node's memory that samples in ramfs may take.
const HELD_SHARE: f64 = 0.25;
/// Times a file in memory is asked for; the median counts, since one disturbance weighs as much as the whole there.
const REPEATS: usize = 5;

/// The costs of a point's cell as they are kept; nothing where they were measured under other settings.
///
/// # Errors
/// Costs that cannot be read.
pub(super) fn kept(
    results: &Results,
    point: &Point,
    settings: &Settings,
) -> Result<Option<MeasuredCosts>, ExperimentError> {
    let found: Option<CostsResult> = file::read_json(&path(results, point))?;
    let found = found.filter(|found| found.settings == *settings);
    Ok(found.map(|found| found.costs))
}

fn path(results: &Results, point: &Point) -> PathBuf {
    results.0.join(point.on(Axis::Cell)).join("costs.json")
}

/// The costs of a point's cell, measured once.
///
/// # Errors
/// As for [`kept`]; when a request fails.
pub(super) fn of_cell(
    bench: &Bench,
    workload: &CellWorkload,
    settings: &Settings,
    point: &Point,
    session: &Session,
) -> Result<MeasuredCosts, ExperimentError> {
    if let Some(costs) = kept(session.results(), point, settings)? {
        return Ok(costs);
    }
    session.step("measuring the costs of single requests")?;
    let name = point.on(Axis::Cell);
    let document = CostsResult {
        costs: measure(
            bench,
            workload,
            settings.workload.seed,
            name,
            session.control,
        )?,
        settings: settings.clone(),
    };
    file::write_json(&path(session.results(), point), &document)?;
    Ok(document.costs)
}

/// Measures the costs of a cell's node: each sampled file without anything of it in memory, without its data, and in
/// memory; then in ramfs.
///
/// # Errors
/// When a request fails.
fn measure(
    bench: &Bench,
    workload: &CellWorkload,
    seed: u64,
    name: &str,
    control: &dyn Control,
) -> Result<MeasuredCosts, ExperimentError> {
    let objects = sampled(workload, seed);
    let budget_bytes = bench.memory_bytes()? as f64 * HELD_SHARE;
    let held = within(workload, objects.iter().copied(), budget_bytes as u64);
    bench.release()?;
    bench.empty_caches()?;
    let server = bench.serve(
        &format!("costs-{name}"),
        workload,
        &[0, 1],
        ServerOptions::default(),
    )?;
    let mut samples = cold(bench, workload, &objects, server.address, control)?;
    for &object in &objects {
        forget(bench, workload, object)?;
    }
    for (&object, sample) in objects.iter().zip(&mut samples) {
        go_on(control)?;
        sample.uncached_us = get_us(workload, object, server.address)?;
    }
    for (&object, sample) in objects.iter().zip(&mut samples) {
        sample.cached_us = cached_us(workload, object, server.address)?;
    }
    server.stop()?;
    bench.set_delays(false)?;
    let (group, name_of_copy) = (bench.group()?, format!("costs-{name}"));
    for site in 0..SITES.len() {
        bench.copy_to_ramfs(workload, &held, site, group, &name_of_copy)?;
    }
    let hot = ServerOptions {
        hot: Some(bench.hot()),
        ..ServerOptions::default()
    };
    let server = bench.serve(&format!("costs-hot-{name}"), workload, &[0, 1], hot)?;
    for (object, sample) in objects.iter().zip(&mut samples) {
        if held.contains(object) {
            sample.held_us = Some(cached_us(workload, *object, server.address)?);
        }
    }
    server.stop()?;
    bench.release()?;
    bench.set_delays(true)?;
    MeasuredCosts::fit(samples).ok_or_else(|| {
        ExperimentError::Unusable(format!("{name}: costs do not grow with the file size"))
    })
}

/// Files of each site evenly over the order of their sizes, all shuffled: so the head travels as it does between the
/// misses of two sites that ask alike often, half of the time within a site's own part of the disk.
fn sampled(workload: &CellWorkload, seed: u64) -> Vec<u32> {
    let of_site = |site: usize| {
        let mut objects: Vec<u32> = (0..workload.trace.objects.len() as u32)
            .filter(|&object| workload.site(object) == site)
            .collect();
        objects.sort_by_key(|&object| workload.size(object));
        let files = FILES.min(objects.len());
        let step = objects.len() as f64 / files as f64;
        (0..files)
            .map(|index| objects[((index as f64 + 0.5) * step) as usize])
            .collect::<Vec<_>>()
    };
    let mut objects: Vec<u32> = (0..SITES.len()).flat_map(of_site).collect();
    objects.shuffle(&mut Pcg64Mcg::seed_from_u64(seed));
    objects
}

/// Asks for each file once, every time without the blocks of directories and inodes that the one before has left.
fn cold(
    bench: &Bench,
    workload: &CellWorkload,
    objects: &[u32],
    address: SocketAddr,
    control: &dyn Control,
) -> Result<Vec<Sample>, ExperimentError> {
    let sample = |&object: &u32| {
        go_on(control)?;
        bench.drop_metadata()?;
        Ok(Sample {
            site: workload.site(object),
            bytes: workload.size(object),
            cold_us: get_us(workload, object, address)?,
            uncached_us: 0,
            cached_us: 0,
            held_us: None,
        })
    };
    objects.iter().map(sample).collect()
}

/// A client that asks for one object as often as it is called: what the response takes, microseconds.
fn asking(
    workload: &CellWorkload,
    object: u32,
    address: SocketAddr,
) -> Result<impl FnMut() -> Result<u64, ExperimentError>, ExperimentError> {
    let mut client = Client::connect(address, SITES[workload.site(object)], PATIENCE)?;
    let (target, bytes) = (workload.target(object), workload.size(object));
    Ok(move || Ok(client.get(&target, bytes)?.total.as_micros() as u64))
}

fn get_us(
    workload: &CellWorkload,
    object: u32,
    address: SocketAddr,
) -> Result<u64, ExperimentError> {
    asking(workload, object, address)?()
}

/// Drops the object's pages and keeps its inode.
fn forget(bench: &Bench, workload: &CellWorkload, object: u32) -> Result<(), ExperimentError> {
    let root = bench.root(workload, workload.site(object));
    drop_pages(&root.join(relative(workload, object)))
}

fn cached_us(
    workload: &CellWorkload,
    object: u32,
    address: SocketAddr,
) -> Result<u64, ExperimentError> {
    let mut get_us = asking(workload, object, address)?;
    get_us()?;
    let times = (0..REPEATS).map(|_| get_us());
    let mut times = times.collect::<Result<Vec<u64>, _>>()?;
    times.sort_unstable();
    Ok(times[REPEATS / 2])
}
