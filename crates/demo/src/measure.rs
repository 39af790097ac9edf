//! The plan applied to a running server, with the same requests before and after.

use crate::applied_plan::AppliedPlan;
use crate::costs::settle;
use crate::job::{Job, files_of};
use crate::phase::Phase;
use crate::prediction::predict;
use crate::requests::Requests;
use crate::server::{Server, Site};
use crate::{Comparison, Costs, DemoError, Demonstration, Figures};
use hotset_live::{FileStatus, State, StateFolder, site_folder};
use hotset_trace::{Objects, Trace};
use hotset_workload::file_tree::write_files;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Measures what single requests cost, predicts from that what the plan buys, and then sends the requests before and after the
/// plan is applied. What it held is released again; files in the folder are left.
///
/// The process must be allowed to mount (user_namespaces(7) will do).
///
/// # Errors
/// When something is refused, an answer is wrong, or the caller asks to stop. Nothing is held then.
pub fn measure(job: &Job) -> Result<Demonstration, DemoError> {
    let costs = Costs::measure(job.folder)?;
    let requests = Requests::unseen(job.trace, &costs, job.most_requests);
    let planned = planned(job);
    write_sites(job, &requests, &planned)?;
    let predicted = predict(&requests, &planned, &costs);
    let state = Job::state(job.folder)?;
    let server = Server::start(sites(job, &state))?;
    let before = Phase::of(job, &requests, &server)?;
    let (held, applied) = AppliedPlan::apply(job, &state)?;
    let after = Phase::of(job, &requests, &server)?;
    held.release()?;
    let left_out = left_out(&applied);
    Ok(Demonstration {
        folder: job.folder.to_owned(),
        requests: requests.len() as u64,
        costs,
        held_files: applied.files.len() as u64 - left_out,
        held_bytes: applied.held_bytes(),
        left_out,
        groups: compared(job.trace, predicted, before.beside(&after)),
    })
}

/// The files of the plan, by their numbers in the trace.
fn planned(job: &Job) -> HashSet<u32> {
    let objects = &job.trace.objects;
    let name = |object: u32| {
        let site = usize::from(objects.site[object as usize]);
        let path = objects.path.get(object as usize);
        ((job.trace.sites[site].as_str(), path), object)
    };
    let numbers: HashMap<_, _> = (0..objects.len() as u32).map(name).collect();
    let files = job.plan.files.iter();
    let number = files.map(|file| numbers.get(&(file.site.as_str(), file.path.0.as_slice())));
    number.flatten().copied().collect()
}

/// Writes the files that are asked for or held, and waits until they are on the disk.
fn write_sites(job: &Job, requests: &Requests, held: &HashSet<u32>) -> Result<(), DemoError> {
    let asked = requests.iter().map(|(_, object)| object);
    let needed: BTreeSet<u32> = asked.chain(held.iter().copied()).collect();
    let all = &job.trace.objects;
    let mut objects = Objects::default();
    for object in needed.into_iter().map(|object| object as usize) {
        objects.site.push(all.site[object]);
        objects.size.push(all.size[object]);
        objects.path.push(all.path.get(object));
    }
    let files = Trace {
        sites: job.trace.sites.clone(),
        objects,
        ..Trace::default()
    };
    write_files(&files, &files_of(job.folder), 0, &|| !(job.interrupted)())?;
    settle(job.folder)
}

fn sites(job: &Job, state: &StateFolder) -> Vec<Site> {
    let site = |name: &String| Site {
        name: name.clone(),
        hot: site_folder(state, name),
        files: files_of(job.folder).join(name),
    };
    job.trace.sites.iter().map(site).collect()
}

fn compared(
    trace: &Trace,
    predicted: Vec<Figures>,
    measured: Vec<Option<Figures>>,
) -> Vec<Comparison> {
    let names = trace.sites.iter().map(String::as_str).chain(["all sites"]);
    let pairs = predicted.into_iter().zip(measured);
    let compared = |(name, (predicted, measured)): (&str, (Figures, Option<Figures>))| {
        Some(Comparison {
            name: name.to_owned(),
            predicted,
            measured: measured?,
        })
    };
    names.zip(pairs).filter_map(compared).collect()
}

fn left_out(state: &State) -> u64 {
    let files = state.files.iter();
    files
        .filter(|file| matches!(file.status, FileStatus::LeftOut(_)))
        .count() as u64
}
