//! Plans for traffic that was read.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStringExt as _;
use std::path;

use hotset_cache::PAGE_BYTES;
use hotset_describe::{DescribeOptions, Description, describe};
use hotset_outcome::Outcome;
use hotset_plan::{
    Advice, Arm, Catalogue, CurvePoint, DatabaseDivision, Destination, FileIdentity,
    PageCacheModel, Plan, PlanOptions, ProfileCosts, Proposal, Workload, memory_for_gain,
};
use hotset_report::{OnDisk, PlanView, ResourceUsage, StoreBasis};
use hotset_scenario::{FilePath, PlacedDatabase, PlacedFile, Placement, SiteRoot};
use hotset_trace::TraceOrigin;
use hotset_trace::read::{ReadSummary, RootRule, Roots};

use super::options::Options;
use super::planning::{HELD_IN, NodePlans, Planning};
use super::setting::{NodeMemory, Setting};
use crate::input::AccessColumns;
use crate::{Input, JobError, Part, Timings, Watch, provenance};

/// A plan and everything said about it.
#[derive(Debug)]
pub struct PlanResult {
    plan: Plan,
    placement: Placement,
    on_disk: Vec<OnDisk>,
    previous: Option<Placement>,
    description: Description,
    backing: Vec<String>,
    store_bases: Vec<StoreBasis>,
    advice: Vec<Advice>,
    memory_needed: Vec<(f64, Option<u64>)>,
    proposal: Option<Proposal>,
    databases: Option<DatabaseDivision>,
    nodes: Vec<String>,
    passed_over: Vec<String>,
    reading: ReadSummary,
    usage: ResourceUsage,
}

impl PlanResult {
    /// Plans for the accesses of `input`, called `name` in messages.
    ///
    /// # Errors
    /// [`JobError`]: no access, or what was asked for does not go with this traffic.
    pub(super) fn of(
        args: &Options,
        setting: &Setting,
        mut input: Input,
        name: &str,
        roots: &Roots,
        mut timings: Timings,
        watch: &dyn Watch,
    ) -> Result<PlanResult, JobError> {
        setting.check(&input.trace.sites)?;
        setting.check_times(input.trace.origin)?;
        watch.begin(Part::Uncounted("planning"));
        let stop = watch.stop();
        let describing = DescribeOptions {
            stop: stop.as_ref(),
            ..input.describe_options(&args.time_zone)
        };
        let description = describe(&input.trace, &describing);
        timings.part("describe");
        let columns = AccessColumns::take(&mut input, name)?;
        let planning = Planning {
            args,
            setting,
            input: &input,
            workload: workload(&input, &columns),
            object_bytes: description.total.object_bytes,
            stop,
        };
        PlanResult::planned(&planning, roots, description, timings, watch)
    }

    /// Plans for traffic that was described.
    fn planned(
        planning: &Planning<'_>,
        roots: &Roots,
        description: Description,
        mut timings: Timings,
        watch: &dyn Watch,
    ) -> Result<PlanResult, JobError> {
        let (args, setting, workload) = (planning.args, planning.setting, &planning.workload);
        let stores = planning.stores(roots)?;
        let costs = ProfileCosts {
            memory: &stores.memory,
            backing: &stores.backing,
            files: workload.files,
        };
        let previous = planning.previous()?;
        let plans = planning.plan(&costs, previous.as_ref(), &mut timings)?;
        let gain = gain(args, workload, &costs, &plans.options)?;
        let all_files_bytes = all_files_bytes(workload);
        let proposal = proposal(setting, &plans.plan, all_files_bytes, gain.as_ref());
        let advice = stores.advice(planning, &plans)?;
        timings.part("stores");
        let NodePlans {
            mut plan, division, ..
        } = plans;
        let placement = Placement {
            all_files_bytes: Some(all_files_bytes),
            databases: placed_databases(setting, division.as_ref()),
            ..placement(planning, roots, &plan)
        };
        timings.part("placement");
        let backing: Vec<String> = stores.backing.into_iter().map(|it| it.name).collect();
        let reading = planning.input.summary.clone();
        let source = (&reading, &backing[..]);
        note_settings(&mut plan.outcomes, args, setting, source);
        watch.end();
        let missing = missing_groups(setting, &plan);
        missing.into_iter().for_each(|it| watch.warn(it.into()));
        let needed = gain.map(|(gain, point)| (gain, point.map(|point| point.memory_bytes)));
        Ok(PlanResult {
            plan,
            on_disk: on_disk(&placement, roots),
            placement,
            previous,
            description,
            backing,
            store_bases: stores.bases,
            advice,
            memory_needed: needed.into_iter().collect(),
            proposal,
            databases: division,
            nodes: setting.node_names().map(str::to_owned).collect(),
            passed_over: setting.passed_over(),
            reading,
            usage: timings.usage(args.timings),
        })
    }

    /// What the plan file says.
    pub fn into_placement(self) -> Placement {
        self.placement
    }

    /// What reports show.
    pub fn view(&self) -> PlanView<'_> {
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
            reading: &self.reading,
            backing: &self.backing,
            store_bases: &self.store_bases,
            advice: &self.advice,
            memory_needed: &self.memory_needed,
            proposal: self.proposal.as_ref(),
            databases: self.databases.as_ref(),
            usage: self.usage.clone(),
        }
    }
}

/// Has outcomes say which traffic they are of, what files are read from, and what else is on the node.
fn note_settings(
    outcomes: &mut [Outcome],
    args: &Options,
    setting: &Setting,
    (traffic, backing): (&ReadSummary, &[String]),
) {
    let stores: BTreeSet<&str> = backing.iter().map(String::as_str).collect();
    let stores: Vec<&str> = stores.into_iter().collect();
    for outcome in outcomes {
        outcome.provenance.traffic = Some(provenance::traffic(traffic));
        let settings = &mut outcome.provenance.settings;
        settings.push(("backing".into(), stores.join(", ")));
        if args.page_cache == PageCacheModel::Linux {
            settings.push(("page cache".into(), "linux".into()));
        }
        let writers = setting.writer_names();
        if !writers.is_empty() {
            settings.push(("writers".into(), writers.join(", ")));
        }
    }
}

/// What the plan file says of database servers.
fn placed_databases(setting: &Setting, division: Option<&DatabaseDivision>) -> Vec<PlacedDatabase> {
    let both = setting.databases.as_ref().zip(division);
    both.map_or_else(Vec::new, |(databases, division)| databases.placed(division))
}

/// What is to be said where there may be groups and cannot be any.
fn missing_groups(setting: &Setting, plan: &Plan) -> Vec<String> {
    let nodes = setting.nodes.iter().zip(&plan.nodes);
    let without =
        nodes.filter(|(node, plan)| node.groups && plan.held_out.arms.get(Arm::Groups).is_none());
    let said = |(node, _): (&NodeMemory, _)| {
        format!(
            "node `{}` gets no memory groups: they take two sites or more, and 1 MiB of memory for each",
            node.name
        )
    };
    without.map(said).collect()
}

/// The gain that was asked for, and the point of the least memory that has it.
fn gain(
    args: &Options,
    workload: &Workload<'_>,
    costs: &ProfileCosts<'_>,
    nodes: &[PlanOptions],
) -> Result<Option<(f64, Option<CurvePoint>)>, JobError> {
    let Some(gain) = args.for_gain else {
        return Ok(None);
    };
    let point = memory_for_gain(workload, costs, nodes, gain)?;
    Ok(Some((gain, point)))
}

/// The size that is proposed where memory is what is free here; none where a size was given.
fn proposal(
    setting: &Setting,
    plan: &Plan,
    all_files_bytes: u64,
    gain: Option<&(f64, Option<CurvePoint>)>,
) -> Option<Proposal> {
    let free = setting.free.as_ref()?;
    let group = free.path().map(|path| path.display().to_string());
    let point = gain.and_then(|(_, point)| point.as_ref());
    Some(plan.proposal(group, all_files_bytes, point))
}

/// What all files that are read take in whole pages, bytes.
fn all_files_bytes(workload: &Workload<'_>) -> u64 {
    let sizes = workload.files.sizes;
    let mut is_read = vec![false; sizes.len()];
    let objects = workload.accesses.iter();
    objects.for_each(|&object| is_read[object as usize] = true);
    let read = sizes.iter().zip(is_read).filter(|(_, is_read)| *is_read);
    let pages = read.map(|(size, _)| size.div_ceil(PAGE_BYTES).max(1));
    pages.sum::<u64>() * PAGE_BYTES
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
fn placement(planning: &Planning<'_>, roots: &Roots, plan: &Plan) -> Placement {
    let (input, setting) = (planning.input, planning.setting);
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
    let placement = plan.placement(&planning.workload.files, destination, |object| {
        FileIdentity {
            path: FilePath(path(object).to_vec()),
            mtime_ns: mtime_ns(object),
        }
    });
    Placement {
        roots: site_roots(&input.trace.sites, roots),
        ..placement
    }
}

/// Where the files of the sites lie, by whole paths: the plan may be applied from another folder.
fn site_roots(sites: &[String], roots: &Roots) -> Vec<SiteRoot> {
    let of_site = |site: &String| {
        let root = |rule: &RootRule| {
            let folder = path::absolute(&rule.directory).unwrap_or_else(|_| rule.directory.clone());
            SiteRoot {
                site: site.clone(),
                prefix: rule.prefix.clone(),
                folder: FilePath(folder.into_os_string().into_vec()),
            }
        };
        roots.of(site).map(root).collect::<Vec<_>>()
    };
    sites.iter().flat_map(of_site).collect()
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
