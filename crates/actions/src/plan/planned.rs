//! Plans for traffic that was read.

use std::collections::BTreeSet;

use hotset_describe::{DescribeOptions, Description, describe};
use hotset_plan::{
    Advice, Catalogue, Destination, FileIdentity, PageCacheModel, Plan, PlanOptions, ProfileCosts,
    Workload, advise, memory_for_gain, plan_nodes,
};
use hotset_report::{OnDisk, PlanView, ResourceUsage};
use hotset_scenario::{FilePath, PlacedFile, Placement, Profile};
use hotset_trace::read::{ReadSummary, Roots};
use hotset_trace::{TraceOrigin, Zone};

use super::setting::{NodeMemory, Setting};
use super::{Planning, previous};
use crate::{AccessColumns, Input, JobError, Timings, provenance};

/// Profile of the memory that files are held in, and the store's name in the plan.
const HELD_IN: &str = "memory";

/// A plan and everything said about it.
#[derive(Debug)]
pub struct PlannedTraffic {
    plan: Plan,
    placement: Placement,
    on_disk: Vec<OnDisk>,
    previous: Option<Placement>,
    description: Description,
    backing: Vec<String>,
    advice: Vec<Advice>,
    memory_needed: Vec<(f64, Option<u64>)>,
    nodes: Vec<String>,
    passed_over: Vec<String>,
    warnings: Vec<String>,
}

impl PlannedTraffic {
    /// Plans for the accesses of `input`, called `name` in messages, and takes them out of it; hours are on the clocks of
    /// `zone`.
    ///
    /// # Errors
    /// [`JobError`]: no access, or what was asked for does not go with this traffic.
    pub fn of(
        input: &mut Input,
        name: &str,
        zone: &Zone,
        roots: &Roots,
        setting: &Setting,
        args: &Planning,
        timings: &mut Timings,
    ) -> Result<PlannedTraffic, JobError> {
        let describing = DescribeOptions {
            stop: args.stop.as_ref(),
            ..input.describe_options(zone)
        };
        let description = describe(&input.trace, &describing);
        timings.part("describe");
        let columns = AccessColumns::take(input, name)?;
        let input = &*input;
        let workload = workload(input, &columns);
        let memory = Profile::named_or_file(HELD_IN)?;
        let backing = setting.backing(&input.trace.sites);
        let costs = ProfileCosts {
            memory: &memory,
            backing: &backing,
            files: workload.files,
        };
        let sites = &input.trace.sites;
        let previous = args.previous.as_deref();
        let previous = previous.map(|path| previous::read(path, setting, sites));
        let previous = previous.transpose()?;
        let object_bytes = description.total.object_bytes;
        let targets = setting.targets(sites)?;
        let options = |node: &NodeMemory| -> Result<PlanOptions, JobError> {
            let memory_bytes = node.for_files(object_bytes)?;
            setting.check_reservations(&node.name, memory_bytes, args.page_cache)?;
            Ok(PlanOptions {
                terms: setting.terms(sites),
                objective: setting.objective(&targets),
                targets: targets.clone(),
                groups: node.groups,
                previous: previous::held_on(previous.as_ref(), &node.name, input),
                page_cache: args.page_cache,
                give_up_losses: true,
                seed: args.seed,
                stop: args.stop.clone(),
                ..PlanOptions::new(memory_bytes)
            })
        };
        let nodes = setting.nodes.iter().map(options);
        let options = nodes.collect::<Result<Vec<_>, _>>()?;
        let mut plan = plan_nodes(&workload, &costs, &options)?;
        timings.parts(&plan.timings.parts);
        let memory_needed = memory_needed(args, &workload, &costs, &options)?;
        let advice = advise(&workload, &memory, &setting.candidates, &options, &plan)?;
        timings.part("stores");
        let placement = placement(input, &workload, roots, setting, &plan);
        timings.part("placement");
        let backing: Vec<String> = backing.into_iter().map(|profile| profile.name).collect();
        let stores: BTreeSet<&str> = backing.iter().map(String::as_str).collect();
        let stores: Vec<&str> = stores.into_iter().collect();
        for outcome in &mut plan.outcomes {
            outcome.provenance.traffic = Some(provenance::traffic(&input.summary));
            let settings = &mut outcome.provenance.settings;
            settings.push(("backing".into(), stores.join(", ")));
            if args.page_cache == PageCacheModel::Linux {
                settings.push(("page cache".into(), "linux".into()));
            }
        }
        Ok(PlannedTraffic {
            warnings: missing_groups(setting, &plan),
            plan,
            on_disk: on_disk(&placement, roots),
            placement,
            previous,
            description,
            backing,
            advice,
            memory_needed,
            nodes: setting.node_names().map(str::to_owned).collect(),
            passed_over: setting.passed_over(),
        })
    }

    /// What the plan file says.
    pub fn into_placement(self) -> Placement {
        self.placement
    }

    /// What changes what the plan is worth, and is no error.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// What reports show.
    pub fn view<'a>(&'a self, reading: &'a ReadSummary, usage: ResourceUsage) -> PlanView<'a> {
        PlanView {
            plan: &self.plan,
            nodes: &self.nodes,
            passed_over: &self.passed_over,
            placement: &self.placement,
            on_disk: &self.on_disk,
            changes: self
                .previous
                .as_ref()
                .map(|previous| self.placement.changes_from(previous)),
            description: &self.description,
            reading,
            backing: &self.backing,
            advice: &self.advice,
            memory_needed: &self.memory_needed,
            usage,
        }
    }
}

/// What is to be said where there may be groups and cannot be any.
fn missing_groups(setting: &Setting, plan: &Plan) -> Vec<String> {
    let nodes = setting.nodes.iter().zip(&plan.nodes);
    let without = nodes.filter(|(node, plan)| node.groups && plan.held_out.groups.is_none());
    let said = |(node, _): (&NodeMemory, _)| {
        format!(
            "node `{}` gets no memory groups: they take two sites or more, and 1 MiB of memory for each",
            node.name
        )
    };
    without.map(said).collect()
}

/// The memory that the gain asked for takes, where one was asked for.
fn memory_needed(
    args: &Planning,
    workload: &Workload<'_>,
    costs: &ProfileCosts<'_>,
    nodes: &[PlanOptions],
) -> Result<Vec<(f64, Option<u64>)>, JobError> {
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

/// Where each file of `placement` lies.
fn on_disk(placement: &Placement, roots: &Roots) -> Vec<OnDisk> {
    let of = |file: &PlacedFile| match roots.find(&file.site, &file.path.0) {
        Some(found) => OnDisk::At(found.file),
        None if roots.has(&file.site) => OnDisk::Missing,
        None => OnDisk::NoRoot,
    };
    placement.files.iter().map(of).collect()
}
