//! Plans for traffic that was read.

use std::collections::{BTreeSet, HashSet};

use anyhow::{Context, Result};
use hotset_describe::{Description, describe};
use hotset_plan::{
    Advice, Catalogue, Destination, FileIdentity, PageCacheModel, Plan, PlanOptions, ProfileCosts,
    Workload, advise, memory_for_gain, plan_nodes,
};
use hotset_report::{PlanView, ResourceUsage};
use hotset_scenario::{FilePath, Placement, Profile};
use hotset_trace::read::{ReadSummary, Roots};
use hotset_trace::{TraceOrigin, Zone};

use super::args::PlanningArgs;
use super::setting::{NodeMemory, Setting};
use crate::input::{AccessColumns, Input};
use crate::timings::Timings;

/// Profile of the memory that files are held in, and the store's name in the plan.
const HELD_IN: &str = "memory";

/// A plan and everything said about it.
pub struct PlannedTraffic {
    plan: Plan,
    placement: Placement,
    description: Description,
    backing: Vec<String>,
    advice: Vec<Advice>,
    memory_needed: Vec<(f64, Option<u64>)>,
    nodes: Vec<String>,
    passed_over: Vec<String>,
}

impl PlannedTraffic {
    /// Plans for the accesses of `input`, called `name` in messages; hours are on the clocks of `zone`.
    pub fn of(
        input: &Input,
        name: &str,
        zone: &Zone,
        roots: &Roots,
        setting: &Setting,
        args: &PlanningArgs,
        timings: &mut Timings,
    ) -> Result<PlannedTraffic> {
        let columns = AccessColumns::of(input, name)?;
        let workload = workload(input, &columns);
        let memory = Profile::builtin(HELD_IN).context("the profile is built in")?;
        let backing = setting.backing(&input.trace.sites);
        let costs = ProfileCosts {
            memory: &memory,
            backing: &backing,
            files: workload.files,
        };
        let description = describe(&input.trace, &input.describe_options(zone));
        timings.part("describe");
        let in_force = plan_in_force(args)?;
        let object_bytes = description.total.object_bytes;
        let options = |node: &NodeMemory| -> Result<PlanOptions> {
            Ok(PlanOptions {
                terms: setting.terms(&input.trace.sites),
                previous: held_by(in_force.as_ref(), setting.only_if_several(node), input),
                page_cache: args.page_cache,
                seed: args.seed,
                ..PlanOptions::new(node.for_files(object_bytes)?)
            })
        };
        let nodes = setting.nodes.iter().map(options);
        let options = nodes.collect::<Result<Vec<_>>>()?;
        let mut plan = plan_nodes(&workload, &costs, &options)?;
        timings.parts(&plan.timings.parts);
        let memory_needed = memory_needed(args, &workload, &costs, &options)?;
        let advice = advice(&setting.candidates, &plan, &workload, &memory);
        let placement = placement(input, &workload, roots, setting, &plan);
        timings.part("advice and placement");
        let backing: Vec<String> = backing.into_iter().map(|profile| profile.name).collect();
        let stores: BTreeSet<&str> = backing.iter().map(String::as_str).collect();
        let stores: Vec<&str> = stores.into_iter().collect();
        for outcome in &mut plan.outcomes {
            let settings = &mut outcome.provenance.settings;
            settings.push(("backing".into(), stores.join(", ")));
            if args.page_cache == PageCacheModel::Linux {
                settings.push(("page cache".into(), "linux".into()));
            }
        }
        Ok(PlannedTraffic {
            plan,
            placement,
            description,
            backing,
            advice,
            memory_needed,
            nodes: setting.node_names().map(str::to_owned).collect(),
            passed_over: setting.passed_over(),
        })
    }

    /// What reports show.
    pub fn view<'a>(&'a self, reading: &'a ReadSummary, usage: ResourceUsage) -> PlanView<'a> {
        PlanView {
            plan: &self.plan,
            nodes: &self.nodes,
            passed_over: &self.passed_over,
            placement: &self.placement,
            description: &self.description,
            reading,
            backing: &self.backing,
            advice: &self.advice,
            memory_needed: &self.memory_needed,
            usage,
        }
    }
}

/// The memory that the gain asked for takes, where one was asked for.
fn memory_needed(
    args: &PlanningArgs,
    workload: &Workload<'_>,
    costs: &ProfileCosts<'_>,
    nodes: &[PlanOptions],
) -> Result<Vec<(f64, Option<u64>)>> {
    let Some(gain) = args.for_gain else {
        return Ok(Vec::new());
    };
    let point = memory_for_gain(workload, costs, nodes, gain)?;
    Ok(vec![(gain, point.map(|point| point.memory_bytes))])
}

fn workload<'a>(input: &'a Input, columns: &'a AccessColumns) -> Workload<'a> {
    let timed = input.trace.origin == TraceOrigin::Timed;
    Workload {
        accesses: &columns.objects,
        times_us: timed.then_some(columns.times_us.as_slice()),
        files: Catalogue {
            sizes: &input.trace.objects.size,
            site_of_object: &input.trace.objects.site,
            sites: &input.trace.sites,
        },
    }
}

/// The plan that is in force, where one is given.
fn plan_in_force(args: &PlanningArgs) -> Result<Option<Placement>> {
    let Some(path) = &args.previous else {
        return Ok(None);
    };
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let placement = Placement::from_json(&text);
    Ok(Some(placement.with_context(|| path.display().to_string())?))
}

/// Object ids of the files that `placement` holds, on `node` or on any.
fn held_by(placement: Option<&Placement>, node: Option<&str>, input: &Input) -> Vec<u32> {
    let files = placement.iter().flat_map(|placement| &placement.files);
    let held: HashSet<(&str, &[u8])> = files
        .filter(|file| node.is_none_or(|node| file.node == node))
        .map(|file| (file.site.as_str(), file.path.0.as_slice()))
        .collect();
    let objects = &input.trace.objects;
    let is_held = |&object: &u32| {
        let site = &input.trace.sites[usize::from(objects.site[object as usize])];
        held.contains(&(site.as_str(), objects.path.get(object as usize)))
    };
    (0..objects.len() as u32).filter(is_held).collect()
}

/// Which store suits each site.
fn advice(
    candidates: &[Profile],
    plan: &Plan,
    workload: &Workload<'_>,
    memory: &Profile,
) -> Vec<Advice> {
    let hours = workload.hours(plan.training_accesses as usize..workload.accesses.len());
    plan.sites
        .iter()
        .map(|site| advise(&site.held_out, hours, memory, candidates))
        .collect()
}

/// The plan's files by name.
fn placement(
    input: &Input,
    workload: &Workload<'_>,
    roots: &Roots,
    setting: &Setting,
    plan: &Plan,
) -> Placement {
    let objects = &input.trace.objects;
    let path = |object: u32| objects.path.get(object as usize);
    let mtime_ns = |object: u32| {
        let site = &input.trace.sites[usize::from(objects.site[object as usize])];
        roots.find(site, path(object))?.mtime_ns
    };
    let nodes: Vec<&str> = setting.node_names().collect();
    let destination = Destination {
        nodes: &nodes,
        store: HELD_IN,
    };
    plan.placement(&workload.files, destination, |object| FileIdentity {
        path: FilePath(path(object).to_vec()),
        mtime_ns: mtime_ns(object),
    })
}
