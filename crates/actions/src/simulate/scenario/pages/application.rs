//! What is visited: the mix of its visitors, what its pages take, and what is asked for beside it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hotset_models::dynamic::DynamicSite;
use hotset_models::tiers::Traffic;
use hotset_scenario::{ApplicationProfile, Scenario};
use hotset_topology::{Nodes, Visited};
use hotset_workload::sessions::{Mix, read};

use super::super::inputs::{in_file, logs};
use super::super::options::Options;
use super::super::requests;
use crate::error::{misuse, refuse};
use crate::plan::check_traffic;
use crate::{Field, Input, JobError, Watch, name_of};

/// An application and its visitors.
pub(super) struct Application {
    pub mix: Mix,
    pub profile: ApplicationProfile,
    /// Names of its types of pages, in the order of the mix.
    pub names: Vec<String>,
    /// Logs of other sites, where some were given.
    pub beside: Option<Beside>,
}

/// Requests for files of other sites.
pub(super) struct Beside {
    pub input: Input,
    pub traffic: Arc<Traffic>,
}

impl Application {
    /// What the options name, for the clients of `scenario`: where these think, they do so on average as long as it says.
    ///
    /// # Errors
    /// Files that cannot be read, options that visits do not go with, and requests without times.
    pub fn read(
        options: &Options,
        scenario: &Scenario,
        watch: &dyn Watch,
    ) -> Result<Self, JobError> {
        let (sessions, profile) = paths(options)?;
        let mut mix = read(sessions)?;
        if let Some(mean) = think(options, scenario)? {
            mix.think = mix.think.with_mean(mean);
        }
        Ok(Self {
            names: mix.pages.iter().map(|page| page.name.clone()).collect(),
            mix,
            profile: ApplicationProfile::load(profile)?,
            beside: beside(options, scenario, watch)?,
        })
    }

    /// The model of it on these nodes, with these tables pinned.
    ///
    /// # Errors
    /// What the scenario and the profile do not say, or is not simulated.
    pub fn site(
        &self,
        options: &Options,
        nodes: &Nodes<'_>,
        pinned: &[String],
    ) -> Result<DynamicSite, JobError> {
        let beside = self.beside.as_ref();
        let visited = Visited {
            profile: &self.profile,
            pages: &self.names,
            pinned,
            neighbour: beside.map(|it| (&it.traffic, &it.input.trace)),
        };
        nodes.dynamic_site(visited).map_err(in_file(options))
    }
}

/// The files of the mix and of the application's profile.
fn paths(options: &Options) -> Result<(&Path, &Path), JobError> {
    let (Some(sessions), Some(profile)) = (&options.sessions, &options.application) else {
        misuse!(
            "{} and {} go together: which pages are visited, and what they take",
            Field::Sessions,
            Field::Application
        );
    };
    if options.run.is_some() {
        misuse!(
            "with {} nothing is held as `hotset run` would so far; name a plan instead",
            Field::Sessions
        );
    }
    if !options.targets.is_empty() {
        misuse!(
            "{} is of sites, and {} has pages; leave one of them out",
            Field::Target,
            Field::Sessions
        );
    }
    Ok((sessions.as_path(), profile.as_path()))
}

/// How long the scenario's clients think on average; nothing where that is left to the mix.
fn think(options: &Options, scenario: &Scenario) -> Result<Option<Duration>, JobError> {
    let mut thinking = scenario.clients.iter().map(|client| client.think_ns);
    let first = thinking.next().flatten();
    if thinking.any(|other| other != first) {
        refuse!(
            "{}: its clients think for different times, and all visitors of a mix think alike; give them one `think`",
            options.scenario.display()
        );
    }
    Ok(first.map(Duration::from_nanos))
}

/// The requests of the logs that the options or the scenario name, by the clock.
fn beside(
    options: &Options,
    scenario: &Scenario,
    watch: &dyn Watch,
) -> Result<Option<Beside>, JobError> {
    if options.logs.paths.is_empty() && scenario.logs.is_empty() {
        return Ok(None);
    }
    let logs = logs(options, scenario)?;
    let input = logs.read(watch)?;
    check_traffic(scenario, &input.trace.sites)?;
    let traffic = requests::requests(&input, &name_of(&logs.paths), true, options.seed)?;
    Ok(Some(Beside {
        traffic: Arc::new(traffic),
        input,
    }))
}
