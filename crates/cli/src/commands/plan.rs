//! `hotset plan`: the main job.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use hotset_describe::{DescribeOptions, Description, describe};
use hotset_plan::{
    Advice, Plan, PlanOptions, ProfileCosts, SiteTerms, Target, Whereabouts, Workload, advise,
    memory_needed, plan,
};
use hotset_report::view::PlanReport;
use hotset_report::{page, terminal};
use hotset_scenario::{FilePath, MemorySize, Placement, Profile, Scenario};
use hotset_trace::TraceOrigin;
use hotset_trace::read::{ReadOptions, ReadSummary, Roots};
use serde_json::Value;

use crate::input::{AccessColumns, Input, InputArgs, name_of};
use crate::timings::Timings;
use crate::{output, provenance};

/// What `hotset plan` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub planning: PlanningArgs,
}

/// How to plan and where the plan goes.
#[derive(clap::Args)]
#[command(next_help_heading = "Planning")]
pub struct PlanningArgs {
    /// Memory of the node for file data, held files and page cache together: 64MiB, or 10% of the
    /// bytes of all objects
    #[arg(long, value_name = "SIZE", required_unless_present = "scenario")]
    pub memory: Option<MemorySize>,
    /// Where files live: a built-in profile (hdd, ssd, nfs, ext3-2004, pvfs-2004, lustre-2004) or a
    /// TOML file
    #[arg(
        long,
        value_name = "PROFILE",
        default_value = "hdd",
        conflicts_with = "scenario"
    )]
    pub backing: String,
    /// Sites with weights and reservations, stores and the node, as TOML
    #[arg(long, value_name = "FILE", conflicts_with = "sites")]
    pub scenario: Option<PathBuf>,
    /// The plan in force, so that between equals the one that moves less is chosen
    #[arg(long, value_name = "FILE")]
    pub previous: Option<PathBuf>,
    /// Also say how much memory a gain takes, such as 20%
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub for_gain: Option<f64>,
    /// A store to weigh for each site's files; may be repeated
    #[arg(long = "candidate", value_name = "PROFILE")]
    pub candidates: Vec<String>,
    /// Seed of the intervals
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Write the plan itself, file by file, as JSON
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write the report as one HTML page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Say how long each part took
    #[arg(long)]
    pub timings: bool,
}

/// Stores to weigh where none are named: those of the 2004 testbed that the question was asked of.
const TESTBED: [&str; 3] = ["ext3-2004", "pvfs-2004", "lustre-2004"];

/// A share above 0 and below 1 from a text such as `20%`.
fn percent(text: &str) -> Result<f64, String> {
    let share = text
        .strip_suffix('%')
        .and_then(|number| number.parse::<f64>().ok());
    match share {
        Some(percent) if percent > 0.0 && percent < 100.0 => Ok(percent / 100.0),
        _ => Err("write a per cent above 0 and below 100, such as 20%".into()),
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let mut timings = Timings::start();
    let setting = Setting::of(&args.planning)?;
    let mut options = args.input.reading.options()?;
    setting.add_to(&mut options)?;
    let roots = Roots::new(options.roots.clone())?;
    let input = args.input.read_with(&options)?;
    timings.part("read");
    let name = name_of(&args.input.logs)?;
    let made = make(
        &input,
        &name,
        &roots,
        &setting,
        &args.planning,
        &mut timings,
    )?;
    deliver(&args.planning, &input.summary, &made, &timings)
}

/// What is planned for besides the traffic: memory, stores, terms of sites.
pub struct Setting {
    node: String,
    memory: MemorySize,
    scenario: Option<Scenario>,
    backing: Vec<Profile>,
}

impl Setting {
    /// From the scenario file, or from the options where there is none.
    pub fn of(args: &PlanningArgs) -> Result<Setting> {
        let scenario = args.scenario.as_deref().map(Scenario::load).transpose()?;
        let Some(scenario) = scenario else {
            let backing = vec![Profile::named_or_file(&args.backing)?];
            let memory = args.memory.context("clap asks for --memory")?;
            return Ok(Setting {
                node: "node".into(),
                memory,
                scenario: None,
                backing,
            });
        };
        let [node] = scenario.nodes.as_slice() else {
            bail!(
                "{}: {} nodes; a plan is made for one node, so leave one [[node]]",
                args.scenario.as_deref().unwrap_or(Path::new("")).display(),
                scenario.nodes.len()
            );
        };
        let backing = scenario
            .sites
            .iter()
            .map(|site| scenario.stores[site.store].profile.clone());
        Ok(Setting {
            node: node.name.clone(),
            memory: args.memory.unwrap_or(node.memory),
            backing: backing.collect(),
            scenario: Some(scenario),
        })
    }

    /// Adds the scenario's sites and roots to how logs are read.
    fn add_to(&self, options: &mut ReadOptions) -> Result<()> {
        let Some(scenario) = &self.scenario else {
            return Ok(());
        };
        for site in &scenario.sites {
            for glob in &site.matches {
                options.sites.push(format!("{}={glob}", site.name).parse()?);
            }
            if let Some(root) = &site.root {
                options
                    .roots
                    .push(format!("{}={}", site.name, root.display()).parse()?);
            }
        }
        Ok(())
    }

    /// Terms and backing store of each site of the trace, in its order.
    fn for_sites(&self, sites: &[String]) -> (Vec<SiteTerms>, Vec<Profile>) {
        let Some(scenario) = &self.scenario else {
            return (
                vec![SiteTerms::default(); sites.len()],
                vec![self.backing[0].clone(); sites.len()],
            );
        };
        let known = |name: &String| scenario.sites.iter().position(|site| site.name == *name);
        let terms = |name: &String| {
            known(name).map_or_else(SiteTerms::default, |index| SiteTerms {
                weight: scenario.sites[index].weight,
                reservation_bytes: scenario.sites[index].reservation_bytes,
            })
        };
        let backing = |name: &String| self.backing[known(name).unwrap_or(0)].clone();
        (
            sites.iter().map(terms).collect(),
            sites.iter().map(backing).collect(),
        )
    }
}

/// A plan and everything said about it.
pub struct Made {
    plan: Plan,
    placement: Placement,
    description: Description,
    backing: Vec<String>,
    advice: Vec<Advice>,
    memory_needed: Vec<(f64, Option<u64>)>,
}

/// Plans for the accesses of `input`, called `name` in messages.
pub fn make(
    input: &Input,
    name: &str,
    roots: &Roots,
    setting: &Setting,
    args: &PlanningArgs,
    timings: &mut Timings,
) -> Result<Made> {
    let columns = AccessColumns::of(input, name)?;
    let workload = workload(input, &columns);
    let (terms, backing) = setting.for_sites(&input.trace.sites);
    let memory = Profile::builtin("memory").context("there is a built-in memory profile")?;
    let costs = ProfileCosts {
        memory: &memory,
        backing: &backing,
        workload,
    };
    let rejected_lines = input.summary.rejected_lines;
    let description = describe(
        &input.trace,
        &DescribeOptions {
            rejected_lines,
            ..DescribeOptions::default()
        },
    );
    timings.part("describe");
    let options = PlanOptions {
        terms,
        previous: previous(args, input)?,
        seed: args.seed,
        ..PlanOptions::new(setting.memory.bytes(description.total.object_bytes))
    };
    let plan = plan(&workload, &costs, &options)?;
    timings.parts(&plan.timings.parts);
    let memory_needed = memory_for_gain(args, &workload, &costs, &options)?;
    let advice = advice(args, setting, &plan, &workload, &memory)?;
    let placement = placement(input, &workload, roots, &setting.node, &plan);
    timings.part("advice and placement");
    let backing = backing.into_iter().map(|profile| profile.name).collect();
    Ok(Made {
        plan,
        placement,
        description,
        backing,
        advice,
        memory_needed,
    })
}

/// The memory that the gain asked for takes, where one was asked for.
fn memory_for_gain(
    args: &PlanningArgs,
    workload: &Workload<'_>,
    costs: &ProfileCosts<'_>,
    options: &PlanOptions,
) -> Result<Vec<(f64, Option<u64>)>> {
    let Some(gain) = args.for_gain else {
        return Ok(Vec::new());
    };
    let point = memory_needed(workload, costs, options, Target::Gain(gain))?;
    Ok(vec![(gain, point.map(|point| point.memory_bytes))])
}

fn workload<'a>(input: &'a Input, columns: &'a AccessColumns) -> Workload<'a> {
    let timed = input.trace.origin == TraceOrigin::Timed;
    Workload {
        accesses: &columns.objects,
        times_us: timed.then_some(columns.times_us.as_slice()),
        sizes: &input.trace.objects.size,
        site_of_object: &input.trace.objects.site,
        sites: &input.trace.sites,
    }
}

/// Object ids of the files that the plan in force holds.
fn previous(args: &PlanningArgs, input: &Input) -> Result<Vec<u32>> {
    let Some(path) = &args.previous else {
        return Ok(Vec::new());
    };
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let placement: Placement =
        serde_json::from_str(&text).with_context(|| format!("{}: not a plan", path.display()))?;
    let held: std::collections::HashSet<(&str, &[u8])> = placement
        .files
        .iter()
        .map(|file| (file.site.as_str(), file.path.0.as_slice()))
        .collect();
    let objects = &input.trace.objects;
    let is_held = |&object: &u32| {
        let site = &input.trace.sites[usize::from(objects.site[object as usize])];
        held.contains(&(site.as_str(), objects.path.get(object as usize)))
    };
    Ok((0..objects.len() as u32).filter(is_held).collect())
}

/// Which store suits each site.
fn advice(
    args: &PlanningArgs,
    setting: &Setting,
    plan: &Plan,
    workload: &Workload<'_>,
    memory: &Profile,
) -> Result<Vec<Advice>> {
    let candidates = candidates(args, setting)?;
    let hours = held_out_hours(plan, workload);
    let advise_site =
        |site: &hotset_plan::SitePlan| advise(&site.held_out, hours, memory, &candidates);
    Ok(plan.sites.iter().map(advise_site).collect())
}

fn candidates(args: &PlanningArgs, setting: &Setting) -> Result<Vec<Profile>> {
    if let (true, Some(scenario)) = (args.candidates.is_empty(), &setting.scenario) {
        return Ok(scenario
            .stores
            .iter()
            .map(|store| store.profile.clone())
            .collect());
    }
    let testbed = || TESTBED.iter().map(|name| (*name).to_owned()).collect();
    let names: Vec<String> = if args.candidates.is_empty() {
        testbed()
    } else {
        args.candidates.clone()
    };
    Ok(names
        .iter()
        .map(|name| Profile::named_or_file(name))
        .collect::<Result<_, _>>()?)
}

/// Hours that the held-out accesses span; none for a trace without times.
fn held_out_hours(plan: &Plan, workload: &Workload<'_>) -> Option<f64> {
    const HOUR_US: f64 = 3.6e9;
    let times = &workload.times_us?[plan.training_accesses as usize..];
    let (first, last) = (times.iter().min()?, times.iter().max()?);
    Some((last - first) as f64 / HOUR_US)
}

/// The plan's files by name.
fn placement(
    input: &Input,
    workload: &Workload<'_>,
    roots: &Roots,
    node: &str,
    plan: &Plan,
) -> Placement {
    let objects = &input.trace.objects;
    let path = |object: u32| objects.path.get(object as usize);
    let mtime_ns = |object: u32| {
        let site = &input.trace.sites[usize::from(objects.site[object as usize])];
        let modified_us = roots.find(site, path(object))?.mtime_us?;
        Some(modified_us.saturating_mul(1000))
    };
    let whereabouts = Whereabouts {
        node,
        store: "memory",
        path: &|object| FilePath(path(object).to_vec()),
        mtime_ns: &mtime_ns,
    };
    plan.placement(workload, &whereabouts)
}

/// Writes and prints what was asked for.
pub fn deliver(
    args: &PlanningArgs,
    summary: &ReadSummary,
    made: &Made,
    timings: &Timings,
) -> Result<()> {
    if let Some(path) = &args.output {
        let json = serde_json::to_string_pretty(&made.placement)?;
        output::write_file(path, json.as_bytes())?;
    }
    if let Some(path) = &args.html {
        let settings = settings(args, made);
        let page = page::plan(
            &made.report(),
            &made.description,
            &summary.into(),
            &settings,
        );
        output::write_file(path, page.as_bytes())?;
    }
    if args.json {
        return output::print_json(&made.json(args, summary, timings)?);
    }
    let mut text = terminal::plan(&made.report(), &summary.into(), output::style());
    if args.timings {
        text += &timings.text();
    }
    output::print(&text)
}

/// What the page says of how it came about.
fn settings(args: &PlanningArgs, made: &Made) -> Vec<(String, String)> {
    vec![
        ("Made by".into(), provenance::tool()),
        ("On".into(), provenance::now()),
        ("Memory".into(), format!("{} bytes", made.plan.memory_bytes)),
        ("Seed".into(), args.seed.to_string()),
    ]
}

impl Made {
    fn report(&self) -> PlanReport<'_> {
        PlanReport {
            plan: &self.plan,
            placement: &self.placement,
            backing: &self.backing,
            advice: &self.advice,
            memory_needed: &self.memory_needed,
        }
    }

    fn json(&self, args: &PlanningArgs, summary: &ReadSummary, timings: &Timings) -> Result<Value> {
        let mut json = serde_json::to_value(&self.plan)?;
        for (site, advice) in self.advice.iter().enumerate() {
            json["sites"][site]["advice"] = serde_json::to_value(advice)?;
            json["sites"][site]["backing"] = self.backing[site].clone().into();
        }
        let needed = |&(gain, memory_bytes): &(f64, Option<u64>)| serde_json::json!({ "gain": gain, "memory_bytes": memory_bytes });
        json["memory_for_gain"] = self.memory_needed.iter().map(needed).collect();
        json["reading"] = serde_json::to_value(summary)?;
        json["peak_memory_bytes"] = provenance::peak_memory_bytes().into();
        if args.timings {
            json["timings_seconds"] = timings.json();
        }
        Ok(json)
    }
}
