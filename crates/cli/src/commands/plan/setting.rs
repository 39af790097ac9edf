//! What is planned for besides the traffic: memory, stores, what sites are owed.

use std::path::Path;

use anyhow::{Context, Result, bail};
use hotset_plan::SiteTerms;
use hotset_scenario::{MemorySize, Node, Profile, Scenario, Site};
use hotset_trace::read::ReadOptions;

use super::PlanningArgs;

/// Stores to weigh where none are named: those of the 2004 testbed that the question was asked of.
const TESTBED: [&str; 3] = ["ext3-2004", "pvfs-2004", "lustre-2004"];

/// Name of the node where no scenario names one.
const ONLY_NODE: &str = "node";

/// Memory, stores and terms of sites.
pub struct Setting {
    /// Name of the node that is planned for.
    pub node: String,
    /// Its memory for file data.
    pub memory: MemorySize,
    /// Stores to weigh for each site.
    pub candidates: Vec<Profile>,
    /// Store of sites that the scenario does not know.
    backing: Profile,
    scenario: Scenario,
}

impl Setting {
    /// From the scenario file and the options; options win.
    pub fn of(args: &PlanningArgs) -> Result<Setting> {
        let backing = Profile::named_or_file(&args.backing)?;
        let Some(path) = &args.scenario else {
            let memory = args.memory.context("--memory is missing")?;
            let (node, scenario) = (ONLY_NODE.to_owned(), Scenario::default());
            return Ok(Setting {
                node,
                memory,
                candidates: candidates(args, &scenario)?,
                backing,
                scenario,
            });
        };
        let scenario = Scenario::load(path)?;
        let node = only_node(&scenario, path)?.clone();
        let memory = args.memory.unwrap_or(node.memory);
        let candidates = candidates(args, &scenario)?;
        Ok(Setting {
            node: node.name,
            memory,
            candidates,
            backing,
            scenario,
        })
    }

    /// Adds the scenario's sites and roots to how logs are read.
    pub fn add_to(&self, options: &mut ReadOptions) -> Result<()> {
        for site in &self.scenario.sites {
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

    /// Holds the scenario's sites to those of the traffic.
    ///
    /// # Errors
    /// A site that no request belongs to: its reservation and weight would go unheard.
    pub fn check(&self, sites: &[String]) -> Result<()> {
        let absent = self
            .scenario
            .sites
            .iter()
            .find(|site| !sites.contains(&site.name));
        match absent {
            None => Ok(()),
            Some(site) => bail!(
                "site `{}` of the scenario has no traffic: the sites are {}; a site's `match` \
                 applies to logs, a trace folder keeps the sites of its import",
                site.name,
                sites.join(", ")
            ),
        }
    }

    /// What each of these sites is owed.
    pub fn terms(&self, sites: &[String]) -> Vec<SiteTerms> {
        let terms = |site: &Site| SiteTerms {
            weight: site.weight,
            reservation_bytes: site.reservation_bytes,
        };
        sites
            .iter()
            .map(|name| self.site(name).map(terms).unwrap_or_default())
            .collect()
    }

    /// The store that each of these sites lives on.
    pub fn backing(&self, sites: &[String]) -> Vec<Profile> {
        let profile = |site: &Site| self.scenario.stores[site.store].profile.clone();
        sites
            .iter()
            .map(|name| {
                self.site(name)
                    .map_or_else(|| self.backing.clone(), profile)
            })
            .collect()
    }

    fn site(&self, name: &str) -> Option<&Site> {
        self.scenario.sites.iter().find(|site| site.name == name)
    }
}

fn only_node<'a>(scenario: &'a Scenario, path: &Path) -> Result<&'a Node> {
    match scenario.nodes.as_slice() {
        [node] => Ok(node),
        nodes => bail!(
            "{}: {} nodes; a plan is made for one node, so leave one [[node]]",
            path.display(),
            nodes.len()
        ),
    }
}

/// Stores named by the options, else those of the scenario, else the testbed's.
fn candidates(args: &PlanningArgs, scenario: &Scenario) -> Result<Vec<Profile>> {
    if args.candidates.is_empty() && !scenario.stores.is_empty() {
        return Ok(scenario
            .stores
            .iter()
            .map(|store| store.profile.clone())
            .collect());
    }
    let named: Vec<&str> = args.candidates.iter().map(String::as_str).collect();
    let names = if named.is_empty() {
        &TESTBED[..]
    } else {
        &named[..]
    };
    Ok(names
        .iter()
        .map(|name| Profile::named_or_file(name))
        .collect::<Result<_, _>>()?)
}
