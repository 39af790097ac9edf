//! What plans are made from, and the plans for the files of each node.

use hotset_cache::Stop;
use hotset_plan::{
    Advice, DatabaseDivision, Plan, PlanOptions, ProfileCosts, Workload, advise, plan_nodes,
};
use hotset_report::StoreBasis;
use hotset_scenario::{Placement, Profile, Target};
use hotset_trace::read::Roots;

use super::options::Options;
use super::previous;
use super::setting::{NodeMemory, Setting};
use crate::{Input, JobError, Timings};

/// Profile of the memory that files are held in, and the store's name in the plan.
pub(super) const HELD_IN: &str = "memory";

/// Traffic, and what is planned for it.
pub(super) struct Planning<'a> {
    pub args: &'a Options,
    pub setting: &'a Setting,
    pub input: &'a Input,
    pub workload: Workload<'a>,
    /// Bytes of all objects.
    pub object_bytes: u64,
    pub stop: Option<Stop>,
}

/// The memory that files are held in, and the stores that they are on.
pub(super) struct Stores {
    pub memory: Profile,
    /// Stores of the scenario that are mounted, by their place there.
    mounted: Vec<Option<Profile>>,
    /// By site.
    pub backing: Vec<Profile>,
    pub bases: Vec<StoreBasis>,
}

/// The plan for all nodes.
pub(super) struct NodePlans {
    pub plan: Plan,
    /// What each node was planned with.
    pub options: Vec<PlanOptions>,
    /// How the memory of the only node is divided with database servers; none where there are none.
    pub division: Option<DatabaseDivision>,
}

impl Planning<'_> {
    /// What the files are held in and read from.
    pub fn stores(&self, roots: &Roots) -> Result<Stores, JobError> {
        let (setting, trace) = (self.setting, &self.input.trace);
        let memory = Profile::named_or_file(HELD_IN)?;
        let mounted = setting.mounted(trace)?;
        let backing = setting.backing(&trace.sites, roots, &mounted)?;
        let (backing, bases) = backing.into_iter().unzip();
        Ok(Stores {
            memory,
            mounted,
            backing,
            bases,
        })
    }

    /// The plan in force, if one was named.
    pub fn previous(&self) -> Result<Option<Placement>, JobError> {
        let path = self.args.previous.as_deref();
        let sites = &self.input.trace.sites;
        let previous = path.map(|path| previous::read(path, self.setting, sites));
        previous.transpose()
    }

    /// Plans for all nodes. Where database servers get another part of the only node's memory than they have, it is planned for anew.
    pub fn plan(
        &self,
        costs: &ProfileCosts<'_>,
        previous: Option<&Placement>,
        timings: &mut Timings,
    ) -> Result<NodePlans, JobError> {
        let setting = self.setting;
        let targets = setting.targets(&self.input.trace.sites)?;
        let options = |node: &NodeMemory, memory_bytes: u64| {
            self.options((node, memory_bytes), &targets, previous)
        };
        let nodes = setting.nodes.iter();
        let as_it_is = nodes.map(|node| options(node, setting.for_files(node, self.object_bytes)?));
        let mut node_options = as_it_is.collect::<Result<Vec<_>, _>>()?;
        let mut plan = plan_nodes(&self.workload, costs, &node_options)?;
        timings.parts(&plan.timings.parts);
        let division = self.division(&plan)?;
        let divided = division.as_ref().filter(|it| !it.is_left);
        if let (Some(divided), [node]) = (divided, &setting.nodes[..]) {
            node_options = vec![options(node, divided.files_bytes)?];
            plan = plan_nodes(&self.workload, costs, &node_options)?;
            timings.parts(&plan.timings.parts);
        }
        Ok(NodePlans {
            plan,
            options: node_options,
            division,
        })
    }

    /// What a node is planned with that has so much memory for files.
    fn options(
        &self,
        (node, memory_bytes): (&NodeMemory, u64),
        targets: &[Vec<Target>],
        previous: Option<&Placement>,
    ) -> Result<PlanOptions, JobError> {
        let (args, setting) = (self.args, self.setting);
        setting.check_reservations(&node.name, memory_bytes, args.page_cache)?;
        Ok(PlanOptions {
            terms: setting.terms(&self.input.trace.sites),
            objective: setting.objective(targets),
            targets: targets.to_vec(),
            groups: node.groups,
            writers: setting.writers(&node.name),
            previous: previous::held_on(previous, &node.name, self.input),
            page_cache: args.page_cache,
            give_up_losses: true,
            seed: args.seed,
            stop: self.stop.clone(),
            ..PlanOptions::new(memory_bytes)
        })
    }

    /// How the memory of the only node is divided between the files of `plan` and database servers; none where there are none.
    fn division(&self, plan: &Plan) -> Result<Option<DatabaseDivision>, JobError> {
        let (Some(databases), [node]) = (&self.setting.databases, &self.setting.nodes[..]) else {
            return Ok(None);
        };
        let memory_bytes = node.for_files(self.object_bytes)?;
        let terms = self.setting.terms(self.workload.files.sites);
        let division = databases.divide(memory_bytes, plan, &self.workload, &terms);
        division.map(Some)
    }
}

impl Stores {
    /// What other stores would be worth to the sites.
    pub fn advice(
        &self,
        planning: &Planning<'_>,
        plans: &NodePlans,
    ) -> Result<Vec<Advice>, JobError> {
        let candidates = planning.setting.candidates(&self.mounted);
        let (options, plan) = (&plans.options, &plans.plan);
        Ok(advise(
            &planning.workload,
            &self.memory,
            &candidates,
            options,
            plan,
        )?)
    }
}
